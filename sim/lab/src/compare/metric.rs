//! The metric of a comparison: a number of each game, whose mean over the games of a block is the block's value.

use agents::AgentSpec;
use engine::rules::nearest;

use sim::error::Error;
use sim::event::GameResult;
use sim::stats::Range;

/// The name of the metric of changes of the lead.
const LEAD_CHANGES: &str = "lead-changes";

/// A number of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metric {
    name: String,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// The points of a seat.
    Seat(usize),
    /// The mean points of the entrants at these indices of the line-up.
    Entrants(Vec<usize>),
    /// The number of players' choices.
    Plies,
    /// The number of times that the lead in score passed to another seat.
    LeadChanges,
    /// The score of a seat, or the mean over all.
    Score(Option<usize>),
    /// An extra number of the game, by its index; of a seat, or the mean over all.
    Extra(usize, Option<usize>),
    /// The luck of a seat: its gain from dice beyond their odds.
    LuckOfSeat(usize),
    /// The mean luck of the entrants at these indices of the line-up.
    LuckOfEntrants(Vec<usize>),
}

/// The names that a metric's text can refer to.
#[derive(Clone, Copy, Debug)]
pub struct Namespace<'a> {
    /// The canonical specs of the line-up.
    pub specs: &'a [String],
    /// The display names of the line-up: labels, or specs without label.
    pub names: &'a [String],
    /// The names of the game's extra numbers.
    pub extras: &'a [&'static str],
    /// True if the game has scores.
    pub has_scores: bool,
}

impl Metric {
    /// Returns the metric of the candidate's points: those of the first entrant of the line-up.
    #[must_use]
    pub fn candidate() -> Self {
        Self { name: "share of the candidate".to_owned(), kind: Kind::Entrants(vec![0]) }
    }

    /// Returns the metric of the mean score of all seats.
    #[must_use]
    pub fn score() -> Self {
        Self { name: "score".to_owned(), kind: Kind::Score(None) }
    }

    /// Returns the metric of the number of players' choices.
    #[must_use]
    pub fn plies() -> Self {
        Self { name: "plies".to_owned(), kind: Kind::Plies }
    }

    /// Returns the metric of the number of lead changes.
    #[must_use]
    pub fn lead_changes() -> Self {
        Self { name: LEAD_CHANGES.to_owned(), kind: Kind::LeadChanges }
    }

    /// Returns the metric of a seat's points.
    #[must_use]
    pub fn seat(seat: usize) -> Self {
        Self { name: format!("seat-{seat}"), kind: Kind::Seat(seat) }
    }

    /// Returns true if the metric is the luck of a seat or of entrants.
    #[must_use]
    pub const fn is_luck(&self) -> bool {
        matches!(self.kind, Kind::LuckOfSeat(_) | Kind::LuckOfEntrants(_))
    }

    /// Returns the luck, in points, of the seats or entrants of this metric. `None` for a number of the whole game:
    /// the luck of all seats sums to 0 and cannot explain it.
    #[must_use]
    pub fn luck(&self) -> Option<Self> {
        let kind = match &self.kind {
            Kind::Seat(seat) | Kind::Score(Some(seat)) | Kind::Extra(_, Some(seat)) => {
                Kind::LuckOfSeat(*seat)
            }
            Kind::Entrants(places) => Kind::LuckOfEntrants(places.clone()),
            Kind::Plies
            | Kind::LeadChanges
            | Kind::Score(None)
            | Kind::Extra(_, None)
            | Kind::LuckOfSeat(_)
            | Kind::LuckOfEntrants(_) => return None,
        };
        Some(Self { name: "luck".to_owned(), kind })
    }

    /// Parses the name of a metric: `seat=1`, `plies`, `score`, `lead-changes`, `share=AGENT`, or an extra number of
    /// the game, with a seat counted from 1 (`score=3`) or without one. Columns of `games.csv` (`points_0`, `score_2`)
    /// and `seat-0`, which count from 0, are also accepted; documents use them.
    ///
    /// # Errors
    /// If no metric has this name.
    pub fn parse(text: &str, names: Namespace<'_>) -> Result<Self, Error> {
        let known = |kind| Ok(Self { name: text.to_owned(), kind });
        match text {
            "plies" | "length" => return known(Kind::Plies),
            "score" => return known(Kind::Score(None)),
            LEAD_CHANGES if names.has_scores => return known(Kind::LeadChanges),
            LEAD_CHANGES => {
                let message = "this game has no scores, so no seat leads (nearest: plies)";
                return Err(Error::value("metric", text, message));
            }
            _ => {}
        }
        if let Some(spec) = text.strip_prefix("share=") {
            return Self::share_of(spec, names);
        }
        if let Some(place) = names.extras.iter().position(|name| *name == text) {
            return known(Kind::Extra(place, None));
        }
        if let Some((name, seat)) = text.split_once('=') {
            let Some(seat) = seat.parse::<usize>().ok().and_then(|seat| seat.checked_sub(1)) else {
                return Err(unknown(text, names));
            };
            let between = if name == "seat" { '-' } else { '_' };
            return Self::parse(&format!("{name}{between}{seat}"), names)
                .map_err(|_| unknown(text, names));
        }
        let parted = text.rsplit_once(['-', '_']);
        let seated = parted.and_then(|(name, seat)| Some((name, seat.parse::<usize>().ok()?)));
        let seated = seated.filter(|&(_, seat)| seat < names.specs.len());
        let Some((name, seat)) = seated else { return Err(unknown(text, names)) };
        match (name, names.extras.iter().position(|extra| *extra == name)) {
            ("seat" | "points", _) => known(Kind::Seat(seat)),
            ("score", _) => known(Kind::Score(Some(seat))),
            (_, Some(place)) => known(Kind::Extra(place, Some(seat))),
            _ => Err(unknown(text, names)),
        }
    }

    fn share_of(spec: &str, names: Namespace<'_>) -> Result<Self, Error> {
        if spec.trim().is_empty() {
            let message = format!("no agent is named, as in share={}", names.specs[0]);
            return Err(Error::value("metric", "share=", message));
        }
        let is_label = names.names.iter().any(|name| name == spec.trim());
        let spec = match is_label {
            true => spec.trim().to_owned(),
            false => spec.parse::<AgentSpec>()?.to_string(),
        };
        let own = if is_label { names.names } else { names.specs };
        let places = (0..own.len()).filter(|&place| own[place] == spec);
        let places: Vec<usize> = places.collect();
        if places.is_empty() {
            let lineup = names.names.join(", ");
            let message = format!("no such agent in the line-up ({lineup})");
            return Err(Error::value("metric", format!("share={spec}"), message));
        }
        if places.len() == names.specs.len() {
            let n = places.len();
            let message = format!(
                "this agent has every seat, so its share is 1/{n} under any rules (nearest: seat=1)"
            );
            return Err(Error::value("metric", format!("share={spec}"), message));
        }
        Ok(Self { name: format!("share={spec}"), kind: Kind::Entrants(places) })
    }

    /// Returns the name for people, with seats counted from 1, as in `seat 1` and `score of seat 3`.
    #[must_use]
    pub fn shown(&self) -> String {
        let of_seat = |name: &str, seat: usize| format!("{name} of seat {}", seat + 1);
        match self.kind {
            Kind::Seat(seat) => format!("seat {}", seat + 1),
            Kind::Score(Some(seat)) => of_seat("score", seat),
            Kind::Extra(_, Some(seat)) => {
                of_seat(self.name.rsplit_once('_').map_or(&self.name, |(name, _)| name), seat)
            }
            _ => self.name.clone(),
        }
    }

    /// Returns the name that [`parse`](Self::parse) accepts and documents contain.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the unit of the number, for people.
    #[must_use]
    pub fn unit(&self) -> &str {
        match self.kind {
            Kind::Seat(_) | Kind::Entrants(_) | Kind::LuckOfSeat(_) | Kind::LuckOfEntrants(_) => {
                "points per game"
            }
            Kind::Plies => "plies",
            Kind::LeadChanges => "changes of the lead",
            Kind::Score(_) => "of score",
            Kind::Extra(..) => &self.name,
        }
    }

    /// Returns true if it is a share of points, in `[0, 1]`.
    #[must_use]
    pub const fn is_share(&self) -> bool {
        matches!(self.kind, Kind::Seat(_) | Kind::Entrants(_))
    }

    /// Returns true if it needs the extra numbers of the game, or its lead changes.
    #[must_use]
    pub const fn needs_extras(&self) -> bool {
        matches!(self.kind, Kind::Extra(..) | Kind::LeadChanges)
    }

    /// Returns a bound on the difference of two values: the range of its numeric type; for scores, a bound that no
    /// game approaches.
    #[must_use]
    pub const fn largest_difference(&self) -> f64 {
        const MOST_SCORE: f64 = 1e9;
        match self.kind {
            Kind::Seat(_) | Kind::Entrants(_) => 1.0,
            Kind::Plies | Kind::LeadChanges | Kind::Extra(..) => (1_u64 << u32::BITS) as f64,
            // Each roll adds at most one point, and the number of rolls has no bound in the rules.
            Kind::Score(_) | Kind::LuckOfSeat(_) | Kind::LuckOfEntrants(_) => MOST_SCORE,
        }
    }

    /// Returns the range of differences of its block values: the mean of k entrants is at most 1/k.
    #[must_use]
    pub fn range_of_differences(&self) -> Range {
        match &self.kind {
            Kind::Entrants(places) => {
                let most = 1.0 / places.len().max(1) as f64;
                Range::Within(-most, most)
            }
            Kind::Seat(_) => Range::DIFFERENCES,
            Kind::Plies
            | Kind::LeadChanges
            | Kind::Score(_)
            | Kind::Extra(..)
            | Kind::LuckOfSeat(_)
            | Kind::LuckOfEntrants(_) => Range::Anywhere,
        }
    }

    /// Returns the value in `game`, played by `players`.
    #[must_use]
    pub fn of(&self, game: &GameResult, players: usize) -> f64 {
        let mean =
            |value: &dyn Fn(usize) -> f64| (0..players).map(value).sum::<f64>() / players as f64;
        let over = |places: &[usize], numbers: &[f32]| {
            let seats = (0..players).filter(|&s| places.contains(&game.seating[s].into()));
            seats.map(|s| f64::from(numbers[s])).sum::<f64>() / places.len() as f64
        };
        match &self.kind {
            Kind::Seat(seat) => f64::from(game.points[*seat]),
            Kind::Entrants(places) => over(places, &game.points),
            Kind::LuckOfEntrants(places) => over(places, &game.luck.unwrap_or_default()),
            Kind::LuckOfSeat(seat) => game.luck.unwrap_or_default()[*seat].into(),
            Kind::Plies => game.plies.into(),
            Kind::LeadChanges => game.lead_changes.unwrap_or_default().into(),
            Kind::Score(Some(seat)) => game.scores[*seat].into(),
            Kind::Score(None) => mean(&|seat| game.scores[seat].into()),
            Kind::Extra(place, Some(seat)) => game.extras[*place][*seat].into(),
            Kind::Extra(place, None) => mean(&|seat| game.extras[*place][seat].into()),
        }
    }
}

/// Returns the name of a metric with its seat counted from 1, as `seat=1` for `seat-0`. `None` if it names no seat, or
/// already counts from 1.
#[must_use]
pub fn spelled_from_one(text: &str) -> Option<String> {
    if text.contains('=') {
        return None;
    }
    let (name, seat) = text.rsplit_once(['-', '_'])?;
    let name = if name == "points" { "seat" } else { name };
    Some(format!("{name}={}", seat.parse::<usize>().ok()? + 1))
}

fn unknown(text: &str, names: Namespace<'_>) -> Error {
    let n = names.specs.len();
    if text == "max-seat" {
        let message = format!(
            "this metric was removed, since a short pilot cannot find the best seat: name a seat, from \
             seat=1 to seat={n}, or leave the metric out to test all of them"
        );
        return Error::value("metric", text, message);
    }
    let names = ["plies", "score", LEAD_CHANGES].into_iter().chain(names.extras.iter().copied());
    let names: Vec<&str> = names.collect();
    let hint = nearest(text, &names).map_or_else(String::new, |near| format!("nearest: {near}; "));
    let known = names.join(", ");
    let message = format!(
        "there is no such metric ({hint}known: seat=1 to seat={n}, {known}, share=AGENT; with a seat as in \
         score={n})"
    );
    Error::value("metric", text, message)
}

#[cfg(test)]
mod tests {
    use engine::MAX_PLAYERS;

    use super::*;

    fn specs() -> Vec<String> {
        ["greedy", "random", "greedy"].map(str::to_owned).to_vec()
    }

    fn parse(text: &str) -> Result<Metric, Error> {
        Metric::parse(
            text,
            Namespace {
                specs: &specs(),
                names: &specs(),
                extras: &["influence", "chaos"],
                has_scores: true,
            },
        )
    }

    #[test]
    fn every_metric_reads_its_number() {
        let game = GameResult {
            seating: [1, 2, 0, 0, 0, 0],
            points: [0.25, 0.5, 0.25, 0.0, 0.0, 0.0],
            scores: [3.0, 5.0, 10.0, 0.0, 0.0, 0.0],
            plies: 77,
            lead_changes: Some(3),
            luck: Some([0.5, -0.25, -0.25, 0.0, 0.0, 0.0]),
            extras: vec![[1; MAX_PLAYERS], [4, 6, 2, 0, 0, 0]],
            ..GameResult::default()
        };
        for (text, value) in [
            ("seat-1", 0.5),
            ("points_2", 0.25),
            ("plies", 77.0),
            ("lead-changes", 3.0),
            ("length", 77.0),
            ("score", 6.0),
            ("score_2", 10.0),
            ("influence", 1.0),
            ("chaos", 4.0),
            ("chaos_1", 6.0),
            ("share=greedy", 0.375),
            ("share=random()", 0.25),
        ] {
            let metric = parse(text).unwrap();
            assert!((metric.of(&game, 3) - value).abs() < 1e-12, "{text}");
        }
        assert!((Metric::candidate().of(&game, 3) - 0.25).abs() < 1e-12);
        for (text, luck) in [("seat-0", 0.5), ("score_1", -0.25), ("share=greedy", -0.25)] {
            let metric = parse(text).unwrap().luck().unwrap();
            assert!((metric.of(&game, 3) - luck).abs() < 1e-12, "{text}");
        }
        for text in ["plies", "score", "lead-changes", "chaos"] {
            assert_eq!(parse(text).unwrap().luck(), None, "{text}");
        }
    }

    #[test]
    fn seats_count_from_one_as_people_type_and_read_them() {
        for (text, name, shown) in [
            ("seat=1", "seat-0", "seat 1"),
            ("seat=3", "seat-2", "seat 3"),
            ("score=2", "score_1", "score of seat 2"),
            ("chaos=1", "chaos_0", "chaos of seat 1"),
            ("points=2", "points_1", "seat 2"),
        ] {
            let metric = parse(text).unwrap();
            assert_eq!((metric.name(), &*metric.shown()), (name, shown));
            assert_eq!(parse(name).unwrap(), metric, "the name of documents is read, too");
        }
        assert_eq!(parse("plies").unwrap().shown(), "plies");
        for bad in ["seat=0", "seat=4", "seat=", "seat=x", "plies=1", "score=0", "=1"] {
            let complaint = parse(bad).unwrap_err().to_string();
            assert!(
                complaint.contains(&format!("\"{bad}\"")) || complaint.contains(bad),
                "{complaint}"
            );
        }
        let today =
            ["seat-0", "score_2", "points_1", "chaos_0"].map(|old| spelled_from_one(old).unwrap());
        assert_eq!(today, ["seat=1", "score=3", "seat=2", "chaos=1"]);
        for name in ["seat=1", "plies", "lead-changes", "share=mcts_2", "influence"] {
            assert_eq!(spelled_from_one(name), None, "{name}");
        }
    }

    #[test]
    fn entrants_who_share_a_point_differ_by_less_than_it() {
        let Range::Within(low, high) = parse("share=greedy").unwrap().range_of_differences() else {
            panic!("a share has a range")
        };
        assert!((low + 0.5).abs() < 1e-12 && (high - 0.5).abs() < 1e-12);
        assert_eq!(parse("share=random").unwrap().range_of_differences(), Range::DIFFERENCES);
        let same = vec!["greedy".to_owned(); 2];
        let all = Metric::parse(
            "share=greedy",
            Namespace { specs: &same, names: &same, extras: &[], has_scores: true },
        );
        let names = ["a".to_owned(), "b".to_owned()];
        let labelled =
            Namespace { specs: &same[..2], names: &names, extras: &[], has_scores: true };
        assert_eq!(Metric::parse("share=b", labelled).unwrap().kind, Kind::Entrants(vec![1]));
        assert!(all.unwrap_err().to_string().contains("every seat"));
    }

    #[test]
    fn what_is_no_metric_is_refused() {
        for text in [
            "seat-3",
            "seat=4",
            "seat=0",
            "max-seat",
            "seat",
            "chaos_9",
            "chaso",
            "share=mcts",
            "share=gredy",
            "",
            "-1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
