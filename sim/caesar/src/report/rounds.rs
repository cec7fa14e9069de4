//! Tables of a tournament in rounds: standings by points with ratings, or the order of a knock-out, and all pairings.

use serde_json::{Value as Json, json};

use super::dealt::{self, Told};
use super::names::Names;
use super::table::{Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table};
use sim::config::Plan;
use sim::rounds::{Pairing, Placed, Rounds, RoundsRun};
use sim::stats::Bootstrap;
use sim::stats::plackett_luce::Ratings;
use sim::units;

/// The table of the agents.
const STANDINGS: &str = "standings";
/// The table of who met whom.
const PAIRINGS: &str = "pairings";

const COUNT: Content = Content::Number(Scale::Count);
const SHARE: Content = Content::Number(Scale::SHARE);

impl Told for Rounds {
    const TABLES: &[&str] = &[STANDINGS, PAIRINGS];

    fn page(plan: &Plan, run: &RoundsRun<'_>, names: &Names) -> Page {
        let rounds = run.dealer();
        let mut footer = match rounds.is_knock_out() {
            true => legend_of_knock_out(rounds),
            false => legend_of_swiss(),
        };
        let standings = match rounds.is_knock_out() {
            true => knock_out(plan, rounds, names),
            false => {
                let ratings = ratings(plan, rounds);
                footer.extend((!ratings.is_linked).then(|| Note::new(UNLINKED)));
                swiss(plan, rounds, names, &ratings)
            }
        };
        footer.push(progress_note(run));
        footer.extend(dealt::closing(plan, run, names));
        Page { tables: vec![standings, pairings(plan, rounds, names)], footer }
    }

    fn entries(plan: &Plan, run: &RoundsRun<'_>) -> Json {
        let (rounds, agents) = (run.dealer(), plan.names());
        let ratings = (!rounds.is_knock_out()).then(|| ratings(plan, rounds));
        let place = |placed: &Placed| -> Json {
            let agent = &agents[placed.agent];
            match (&ratings, placed.lost) {
                (Some(ratings), _) => json!({
                    "agent": agent, "rank": placed.rank, "points": placed.points,
                    "opposition": placed.opposition, "pairings": placed.played,
                    "rating": ratings.agents[placed.agent].elo,
                }),
                (None, lost) => json!({
                    "agent": agent, "rank": placed.rank, "lost_in_round": lost.map(|lost| lost.round + 1),
                }),
            }
        };
        let pairing = |pairing: &Pairing| -> Json {
            let [a, b] = pairing.agents.map(|agent| &agents[agent]);
            json!({
                "round": pairing.round + 1, "a": a, "b": b, "share": pairing.share(), "blocks": pairing.blocks,
            })
        };
        let byes = rounds
            .byes()
            .iter()
            .map(|bye| json!({"round": bye.round + 1, "agent": agents[bye.agent]}));
        json!({
            "rounds": rounds.rounds(),
            "complete_rounds": rounds.complete_rounds(),
            "standings": rounds.standings().iter().map(place).collect::<Vec<_>>(),
            "pairings": rounds.pairings().iter().map(pairing).collect::<Vec<_>>(),
            "byes": byes.collect::<Vec<_>>(),
        })
    }

    fn progress(run: &RoundsRun<'_>) -> String {
        let rounds = run.dealer();
        let blocks = units::counted(run.blocks(), "block");
        format!("{blocks}, {} of {} rounds complete", rounds.complete_rounds(), rounds.rounds())
    }
}

/// The note on ratings that only the prior bounds.
const UNLINKED: &str =
    "Some agents never finished behind any of the others, so their distance is unknown";

/// Returns the ratings without intervals, as a run of this schedule has none that hold.
fn ratings(plan: &Plan, rounds: &Rounds) -> Ratings {
    let none = Bootstrap { seed: plan.seed, resamples: 0 };
    Ratings::new(rounds.outcomes(), plan.lineup.len(), none)
}

fn caption(plan: &Plan, rounds: &Rounds) -> String {
    let name = if rounds.is_knock_out() { "Knock-out" } else { "Swiss tournament" };
    format!("{name} of {} agents, {} with 2 players", plan.lineup.len(), plan.setup.game)
}

/// Returns the listing of the agents from best to worst, with their ranks.
fn ranked(plan: &Plan, rounds: &Rounds, names: &Names) -> Listing<Placed> {
    let agents = plan.names();
    Listing::of(rounds.standings())
        .column(Column::plain("agent", Content::Key), |placed| names.cell(&agents[placed.agent]))
        .column(Column::plain("rank", COUNT), |placed| Cell::Count(placed.rank as u64))
}

fn swiss(plan: &Plan, rounds: &Rounds, names: &Names, ratings: &Ratings) -> Table {
    let points = Content::Number(Scale::Fixed(2));
    let rating = Column::plain("rating", Content::Number(Scale::Elo));
    ranked(plan, rounds, names)
        .column(Column::plain("points", points), |placed| Cell::Number(placed.points))
        .column(Column::new("opposition", "points of opponents", points), |placed| {
            Cell::Number(placed.opposition)
        })
        .column(Column::plain("pairings", COUNT), |placed| Cell::Count(placed.played))
        .column(rating, |placed| Cell::Number(ratings.agents[placed.agent].elo))
        .table(STANDINGS, caption(plan, rounds))
}

fn knock_out(plan: &Plan, rounds: &Rounds, names: &Names) -> Table {
    let agents = plan.names();
    let lost = |placed: &Placed, cell: &dyn Fn(&Pairing) -> Cell| {
        placed.lost.as_ref().map_or(Cell::Nothing, cell)
    };
    let other =
        |placed: &Placed, lost: &Pairing| lost.agents[usize::from(lost.agents[0] == placed.agent)];
    ranked(plan, rounds, names)
        .column(Column::new("lost_in_round", "lost in round", COUNT), |placed| {
            lost(placed, &|lost| Cell::Count(lost.round + 1))
        })
        .column(Column::new("lost_to", "to", Content::Text), |placed| {
            lost(placed, &|lost| names.cell(&agents[other(placed, lost)]))
        })
        .column(Column::new("share", "with the share", SHARE), |placed| {
            let own = |lost: &Pairing| {
                let share = lost.share()?;
                Some(if lost.agents[0] == placed.agent { share } else { 1.0 - share })
            };
            lost(placed, &|lost| own(lost).map_or(Cell::Nothing, Cell::Number))
        })
        .table(STANDINGS, caption(plan, rounds))
}

fn pairings(plan: &Plan, rounds: &Rounds, names: &Names) -> Table {
    let agents = plan.names();
    let agent = |pairing: &Pairing, place: usize| names.cell(&agents[pairing.agents[place]]);
    Listing::of(rounds.pairings().iter().copied())
        .column(Column::plain("a", Content::Key), |pairing| agent(pairing, 0))
        .column(Column::plain("b", Content::Key), |pairing| agent(pairing, 1))
        .column(Column::plain("round", COUNT), |pairing| Cell::Count(pairing.round + 1))
        .column(Column::new("share", "share of a", SHARE), |pairing| {
            pairing.share().map_or(Cell::Nothing, Cell::Number)
        })
        .column(Column::plain("blocks", COUNT), |pairing| Cell::Count(pairing.blocks))
        .table(PAIRINGS, "Pairings by round")
        .only(Readers::Programs)
}

fn legend_of_swiss() -> Vec<Note> {
    vec![
        Note::new("Points: share of the games of each pairing, ties half; a bye counts 0.5"),
        Note::new(
            "Rating: Plackett-Luce on the Elo scale (0 is the mean of the pool), which allows for the opponents \
             where strength is one number",
        ),
        Note::new(
            "Earlier results decide who meets whom: the lucky meet the lucky, so agents of nearly equal strength \
             stand too far apart. There are no intervals, as they would miss too often: for them play round-robin",
        ),
    ]
}

fn legend_of_knock_out(rounds: &Rounds) -> Vec<Note> {
    let drawn = rounds.pairings().iter().filter(|pairing| rounds.is_by_lot(pairing)).count() as u64;
    let lots = match drawn {
        0 => String::new(),
        n => format!("; {} with equal shares decided by lot", units::counted(n, "pairing")),
    };
    vec![Note::new(format!(
        "Whoever loses later ranks higher. One pairing puts an agent out, so there are no ratings and no intervals: \
         for them play swiss or round-robin{lots}"
    ))]
}

fn progress_note(run: &RoundsRun<'_>) -> Note {
    let rounds = run.dealer();
    let (done, all) = (rounds.complete_rounds(), rounds.rounds());
    let (games, blocks) =
        (units::counted(run.games(), "game"), units::counted(run.blocks(), "block"));
    let each = units::counted(rounds.blocks_each(), "block");
    let text = format!(
        "{done} of {} complete, {games} in {blocks}, {each} a pairing",
        units::counted(all, "round")
    );
    Note::new(text).marked(if done < all { Mark::Open } else { Mark::Plain })
}
