//! An agent with any number of open values, as in `mcts(iterations=200, c=?, temperature=?0.1..2)`.
//!
//! `?` stands for all values of the parameter, `?LOW..HIGH` for a range, and `?a|b` for these words. A suffix `:log`
//! or `:linear` sets the scale of a range, and `=VALUE` the start of the search. In the command of an external program
//! the range and start must be given, since the meaning of a number is unknown: `{NAME:RANGE=START}` stands for a
//! value, as in `external(command="bot --risk {risk:0..1=0.5}")`.

use agents::layers::Layers;
use agents::mcts::Config;
use agents::param::{Param, Rows, Tried, Value, WEIGHT, unknown};
use agents::{AgentSpec, BadSpec, Kind, OfGame};

use super::space::{Beyond, Dimension, Point, Prior, Range, Space};
use sim::error::Error;

/// The mark of an open value.
const OPEN: char = '?';
/// The upper limit of a weight's default range, as a multiple of its current value: a search that starts at a fourth
/// of the range sees both sides of it.
const NEAR: f64 = 4.0;

/// The parameter of time, which cannot be tuned.
const TIME: &str = "seconds";

/// An agent with open values.
#[derive(Clone, Debug)]
pub struct Template {
    whole: String,
    label: Option<String>,
    kind: Kind,
    /// The names and texts of the fixed values.
    fixed: Vec<(String, String)>,
    /// The names of the open values, and their texts behind the question mark.
    open: Vec<(String, String)>,
}

impl Template {
    /// Parses an agent, with or without open values.
    ///
    /// # Errors
    /// If the text is not an agent: the message lists the accepted forms.
    pub fn parse(whole: &str) -> Result<Self, Error> {
        let (label, text) = match whole.split_once('=').filter(|(before, _)| !before.contains('('))
        {
            Some((label, text)) => (Some(label.trim()), text.trim()),
            None => (None, whole.trim()),
        };
        let (name, inside) = text.split_once('(').map_or((text, ""), |(name, rest)| (name, rest));
        let named = label.map_or_else(String::new, |label| format!("{label}="));
        let kind = format!("{named}{}", name.trim()).parse::<AgentSpec>()?.kind();
        let inside = inside.trim_end();
        let inside = match inside.strip_suffix(')') {
            Some(inside) => inside,
            None if inside.is_empty() && !text.contains('(') => "",
            None => return Err(bad(whole, "the closing \")\" is missing")),
        };
        let (mut fixed, mut open) = (Vec::new(), Vec::new());
        for setting in split(inside) {
            let (name, value) = setting
                .split_once('=')
                .map(|(name, value)| (name.trim().to_owned(), value.trim()))
                .ok_or_else(|| {
                    bad(whole, &format!("expected NAME=VALUE instead of \"{setting}\""))
                })?;
            if fixed.iter().chain(&open).any(|(known, _)| *known == name) {
                return Err(bad(whole, &format!("{name} is given twice")));
            }
            match value.strip_prefix(OPEN) {
                Some(range) => open.push((name, range.trim().to_owned())),
                None => fixed.push((name, value.to_owned())),
            }
        }
        let label = label.map(str::to_owned);
        Ok(Self { whole: whole.to_owned(), label, kind, fixed, open })
    }

    /// Returns the text, as given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.whole
    }

    /// Returns the kind of agent.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Fixes a parameter that has no value yet.
    ///
    /// # Errors
    /// If it already has a value.
    pub fn fix(&mut self, name: &str, value: String) -> Result<(), Error> {
        if self.says(name) {
            return Err(bad(
                &self.whole,
                &format!("{name} is fixed in the space and also set here"),
            ));
        }
        self.fixed.push((name.to_owned(), value));
        Ok(())
    }

    /// Returns true if a value is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.open.is_empty() || self.holes().next().is_some()
    }

    /// Returns true if a parameter has a value or is open.
    #[must_use]
    pub fn says(&self, name: &str) -> bool {
        self.fixed.iter().chain(&self.open).any(|(known, _)| known == name)
    }

    /// Returns the agent without its open values: the known part of the start.
    ///
    /// # Errors
    /// If that is not a valid agent.
    pub fn base(&self) -> Result<AgentSpec, Error> {
        let fixed: Vec<(String, String)> = self
            .fixed
            .iter()
            .map(|(name, text)| (name.clone(), closed(text, &|hole| hole.start().to_owned())))
            .collect();
        self.agent(&fixed)
    }

    fn agent(&self, settings: &[(String, String)]) -> Result<AgentSpec, Error> {
        let parts: Vec<String> =
            settings.iter().map(|(name, text)| format!("{name}={text}")).collect();
        let name = self.kind.name();
        let spec = if parts.is_empty() {
            name.to_owned()
        } else {
            format!("{name}({})", parts.join(", "))
        };
        Ok(spec.parse::<AgentSpec>()?)
    }

    /// Returns the agent at a point of the space.
    ///
    /// # Errors
    /// If a value is refused: the message lists the accepted ones.
    pub fn fill(&self, space: &Space, point: &Point) -> Result<AgentSpec, Error> {
        let value = |name: &str| {
            let at = space.dimensions().iter().position(|one| one.name == name);
            at.map(|at| point.texts()[at].clone())
        };
        let close = |hole: &Hole<'_>| value(hole.name).unwrap_or_else(|| hole.start().to_owned());
        let mut settings: Vec<(String, String)> =
            self.fixed.iter().map(|(name, text)| (name.clone(), closed(text, &close))).collect();
        let holes: Vec<&str> = self.holes().map(|hole| hole.name).collect();
        for (one, text) in space.dimensions().iter().zip(point.texts()) {
            if !holes.contains(&one.name.as_str()) {
                settings.push((one.name.clone(), text.clone()));
            }
        }
        self.agent(&settings)
    }

    /// Returns the name of the agents in tables: the label, if there is one.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    fn holes(&self) -> impl Iterator<Item = Hole<'_>> {
        self.fixed.iter().flat_map(|(_, text)| holes(text))
    }

    /// Returns the open dimensions, in the order of the text; `base` is the agent without them, with the texts of its
    /// files.
    ///
    /// # Errors
    /// If a parameter does not exist, or its range is invalid.
    pub fn dimensions(&self, game: &OfGame, base: &AgentSpec) -> Result<Vec<Dimension>, Error> {
        let mut dimensions = Vec::new();
        for (name, written) in &self.open {
            dimensions.push(self.dimension(game, base, name, written)?);
        }
        for hole in self.holes() {
            let start = hole.start().to_owned();
            let range = match read_range(hole.name, hole.range(), None)? {
                // A start with a decimal point means that the range is one of real numbers.
                Range::Whole { low, high, is_log } if start.contains('.') => {
                    Range::Number { low: low as f64, high: high as f64, is_log }
                }
                range => range,
            };
            dimensions.push(Dimension {
                name: hole.name.to_owned(),
                range,
                start,
                prior: None,
                beyond: Beyond::default(),
            });
        }
        Ok(dimensions)
    }

    /// Returns the dimension of a parameter or weight; `written` is the text behind the question mark.
    ///
    /// # Errors
    /// If the parameter does not exist, or its range is invalid.
    pub fn dimension(
        &self,
        game: &OfGame,
        base: &AgentSpec,
        name: &str,
        written: &str,
    ) -> Result<Dimension, Error> {
        let param = param(game, self.kind, name).map_err(|message| bad(&self.whole, &message))?;
        if name == TIME {
            let message = "time is not tuned: more of it is better, and no two runs are alike; fix it, or tune iterations";
            return Err(Error::Usage(format!("{name}: {message}")));
        }
        let (range, start) = written.split_once('=').unwrap_or((written, ""));
        let is_usual = range.trim().is_empty();
        let mut range = read_range(name, range.trim(), Some(param))?;
        let start = match start.trim() {
            "" => now(game, base, name, param)
                .map(|value| value.to_string())
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| range.text_at(0.5)),
            start => start.to_owned(),
        };
        if is_usual {
            range = match name.starts_with(WEIGHT) {
                true => near(range, &start),
                false => tried(range, self.kind, name),
            };
        }
        let beyond = Beyond { accepted: Some(param.domain), is_usual };
        Ok(Dimension { name: name.to_owned(), range, start, prior: None, beyond })
    }

    /// Returns the names of the weights that match one of `globs`, which commas separate, as in a spec.
    ///
    /// # Errors
    /// If no weight matches one of them.
    pub fn weights(&self, game: &OfGame, globs: &str) -> Result<Vec<String>, Error> {
        let Rows { params, .. } = game.weights_of(self.kind);
        let read = params.iter().filter(|param| game.reads(self.kind, param.name));
        let names: Vec<&str> = read.map(|param| param.name).collect();
        let is_open = |name: &&&str| !self.says(&format!("{WEIGHT}{name}"));
        let globs: Vec<&str> = globs.split(',').map(str::trim).collect();
        for glob in &globs {
            if !names.iter().filter(is_open).any(|name| is_meant(glob, name)) {
                let what = format!("weight of {} in {}", self.kind.name(), game.name);
                return Err(Error::value("weights", *glob, unknown(&what, glob, &names)));
            }
        }
        let is_any = |name: &&&str| globs.iter().any(|glob| is_meant(glob, name));
        let meant = names.iter().filter(is_open).filter(is_any);
        Ok(meant.map(|name| format!("{WEIGHT}{name}")).collect())
    }
}

/// Returns the default search range of a weight: from its smallest value to `NEAR` times its current one, or by that
/// factor in both directions on a logarithmic scale. Its domain is far wider, since it has all possible values.
fn near(mut range: Range, start: &str) -> Range {
    let now = start.parse().unwrap_or(0.0);
    if let Range::Number { low, high, is_log } = &mut range
        && now > 0.0
    {
        *high = high.min(NEAR * now);
        *low = if *is_log { low.max(now / NEAR) } else { *low };
    }
    range
}

/// Returns the default search range of a parameter, as its search declares it.
fn tried(range: Range, kind: Kind, name: &str) -> Range {
    let tried = kind.search().and_then(|_| Config::tried(name));
    let Some(Tried { low, high, is_log }) = tried else { return range };
    match range {
        Range::Number { .. } => Range::Number { low, high, is_log },
        Range::Whole { .. } => Range::Whole { low: low as u64, high: high as u64, is_log },
        Range::Words(_) => range,
    }
}

fn bad(spec: &str, message: &str) -> Error {
    BadSpec { spec: spec.to_owned(), message: message.to_owned() }.into()
}

/// Returns the parameter or weight called `name` of agents of this kind in this game.
fn param(game: &OfGame, kind: Kind, name: &str) -> Result<&'static Param, String> {
    if let Some(weight) = name.strip_prefix(WEIGHT) {
        return game.weights_of(kind).weight(game.name, weight);
    }
    let all: Vec<&'static Param> = kind.params().iter().chain(game.params_of(kind)).collect();
    let names: Vec<&str> = all.iter().map(|param| param.name).collect();
    all.iter().find(|param| param.name == name).copied().ok_or_else(|| {
        let is_weight = game.weights_of(kind).params.iter().any(|weight| weight.name == name);
        match is_weight {
            true => format!("{name} is a weight of the evaluation: write {WEIGHT}{name}"),
            false => unknown("parameter", name, &names),
        }
    })
}

/// Returns the current value of a parameter, from the spec, a file, a preset, the game or the default.
fn now(game: &OfGame, base: &AgentSpec, name: &str, param: &'static Param) -> Option<Value> {
    if let Some(weight) = name.strip_prefix(WEIGHT) {
        let rows = game.weights_of(base.kind());
        let layers = game.weight_layers_of(base.kind(), base.settings());
        let value = layers.iter().find_map(|layer| {
            let values = rows.document(game.name, layer.text).ok()?;
            values.into_iter().find(|(known, _)| known.name == weight).map(|(_, value)| value)
        });
        return value.or_else(|| param.default_value());
    }
    let resolved = Layers::of(base.kind(), Some(game), base.settings()).resolved().ok()?;
    resolved.iter().find(|one| one.name() == name)?.value().cloned()
}

/// Parses a range, within that of the parameter if there is one.
///
/// # Errors
/// If the text is not a range, or exceeds the accepted values of the parameter.
pub fn read_range(name: &str, written: &str, param: Option<&Param>) -> Result<Range, Error> {
    let refused = |message: String| Error::Usage(format!("{name}: {message}"));
    let own = param.map(|param| (param, Range::of(param.domain)));
    if written.is_empty() {
        let none = || {
            refused("it has no values to try (accepted: a parameter that is a number, a word or a switch)".to_owned())
        };
        return own.and_then(|(_, range)| range).ok_or_else(none);
    }
    let (bounds, scale) = written.split_once(':').unwrap_or((written, ""));
    let is_log = match scale.trim() {
        "" => None,
        "log" => Some(true),
        "linear" => Some(false),
        other => return Err(refused(format!("unknown scale \"{other}\" (accepted: log, linear)"))),
    };
    let range = match bounds.split_once("..") {
        None if bounds.contains('|') => {
            Range::Words(bounds.split('|').map(|word| word.trim().to_owned()).collect())
        }
        None => {
            return Err(refused(format!(
                "\"{written}\" is not a range (accepted: LOW..HIGH, or words as in a|b)"
            )));
        }
        Some((low, high)) => {
            let own = own.as_ref().map(|(_, range)| range);
            if let Some(Some(Range::Whole { .. })) = own {
                whole(name, [low, high])?;
            }
            numbers(low.trim(), high.trim(), is_log, own).ok_or_else(|| {
                refused(format!("\"{written}\" is not a range of numbers (accepted: LOW..HIGH)"))
            })?
        }
    };
    if let Some((param, _)) = own {
        check_ends(name, &range, param)?;
    }
    range.check(name)?;
    Ok(range)
}

/// Refuses fractions as ends of a range of integers.
///
/// # Errors
/// If one of them is a number and not an integer.
pub(super) fn whole(name: &str, ends: [&str; 2]) -> Result<(), Error> {
    let is_part = |end: &&str| end.trim().parse::<f64>().is_ok_and(|end| end.fract() != 0.0);
    let part = ends.into_iter().find(is_part);
    part.map_or(Ok(()), |part| {
        let message = format!(
            "{name}: {} is not a whole number, and only whole numbers are accepted",
            part.trim()
        );
        Err(Error::Usage(message))
    })
}

/// Returns a range of numbers. It has integers if the parameter is one, or if the parameter is unknown and both ends
/// are integers.
fn numbers(
    low: &str,
    high: &str,
    is_log: Option<bool>,
    own: Option<&Option<Range>>,
) -> Option<Range> {
    let (is_whole, usual) = match own {
        Some(Some(Range::Whole { is_log, .. })) => (true, *is_log),
        Some(Some(Range::Number { is_log, .. })) => (false, *is_log),
        Some(_) => return None,
        None => (!low.contains('.') && !high.contains('.') && low.parse::<u64>().is_ok(), false),
    };
    let is_log = is_log.unwrap_or(usual);
    if is_whole {
        return Some(Range::Whole { low: low.parse().ok()?, high: high.parse().ok()?, is_log });
    }
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    Some(Range::Number { low: number(low)?, high: number(high)?, is_log })
}

/// Refuses a range with an end or a word that the parameter does not accept.
fn check_ends(name: &str, range: &Range, param: &Param) -> Result<(), Error> {
    let ends: Vec<String> = match range {
        Range::Number { low, high, .. } => vec![low.to_string(), high.to_string()],
        Range::Whole { low, high, .. } => vec![low.to_string(), high.to_string()],
        Range::Words(words) => words.clone(),
    };
    let refused = ends.iter().find(|text| param.domain.read(text).is_none());
    refused.map_or(Ok(()), |text| {
        let accepted = param.domain.range_text();
        Err(Error::Usage(format!("{name}: {text} is out of its range (accepted: {accepted})")))
    })
}

/// Returns true if a name matches a glob: `*` stands for any text.
fn is_meant(glob: &str, name: &str) -> bool {
    match glob.split_once('*') {
        None => glob == name,
        Some((before, rest)) => name.strip_prefix(before).is_some_and(|name| {
            (0..=name.len()).any(|at| name.is_char_boundary(at) && is_meant(rest, &name[at..]))
        }),
    }
}

/// Splits settings at commas, except those inside double quotes.
fn split(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(|c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    parts.map(str::trim).filter(|setting| !setting.is_empty()).collect()
}

/// An open value within a text.
struct Hole<'a> {
    name: &'a str,
    written: &'a str,
}

impl Hole<'_> {
    fn range(&self) -> &str {
        self.written.split_once('=').map_or(self.written, |(range, _)| range).trim()
    }

    /// Returns the start: the given value, or the smallest one.
    fn start(&self) -> &str {
        let start = self.written.split_once('=').map(|(_, start)| start);
        start.unwrap_or_else(|| self.written.split("..").next().unwrap_or_default()).trim()
    }
}

/// Returns the holes of a text: `{NAME:RANGE}`.
fn holes(text: &str) -> Vec<Hole<'_>> {
    let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
    parts
        .filter_map(|(inside, _)| inside.split_once(':'))
        .filter(|(name, range)| {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
                && range.contains("..")
        })
        .map(|(name, written)| Hole { name, written })
        .collect()
}

/// Returns the text with its holes filled by `value`.
fn closed(text: &str, value: &dyn Fn(&Hole<'_>) -> String) -> String {
    let mut closed = text.to_owned();
    for hole in holes(text) {
        closed = closed.replace(&format!("{{{}:{}}}", hole.name, hole.written), &value(&hole));
    }
    closed
}

/// Returns the prior of a dimension: around the value `text`, with a standard deviation of `spread` of the range.
///
/// # Errors
/// If the text is not a value, or the spread is not a fraction in (0, 1].
pub fn prior(name: &str, range: &Range, text: &str, spread: f64) -> Result<Prior, Error> {
    let place = range.place_of(text).ok_or_else(|| {
        Error::Usage(format!("{name}: the prior {text} is outside of its range {}", range.text()))
    })?;
    if !(spread > 0.0 && spread <= 1.0) {
        return Err(Error::Usage(format!(
            "{name}: the spread {spread} is out of range (accepted: above 0, to 1, a part of the range)"
        )));
    }
    Ok(Prior { place, spread })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> OfGame {
        *agents::games::GAMES.iter().find(|game| game.name == name).unwrap()
    }

    fn space(text: &str) -> Result<(Template, Space), Error> {
        let template = Template::parse(text)?;
        let space = Space::new(template.dimensions(&game("pig"), &template.base()?)?)?;
        Ok((template, space))
    }

    #[test]
    fn what_is_open_is_a_dimension_and_is_filled() {
        let (template, space) =
            space("a=mcts(c=?0.1..2=0.7, iterations=20, select=?ucb1|puct)").unwrap();
        let names: Vec<_> = space.dimensions().iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["c", "select"]);
        let spec = template.fill(&space, &space.start()).unwrap().to_string();
        assert!(spec.contains("c=0.7") && spec.contains("iterations=20"), "{spec}");
        assert_eq!(template.label(), Some("a"));
        let command = "external(command=\"bot --risk {risk:0..1=0.25} --deep {deep:1..8}\")";
        let (template, space) = self::space(command).unwrap();
        assert_eq!(space.start().texts(), ["0.25", "1"]);
        let moved = space.with(&space.start(), 1, 1.0);
        let spec = template.fill(&space, &moved).unwrap().to_string();
        assert_eq!(spec, "external(command=\"bot --risk 0.25 --deep 8\")");
    }

    #[test]
    fn what_is_no_space_is_refused_by_its_name() {
        let refused = |text: &str| space(text).unwrap_err().to_string();
        assert!(
            refused("mcts(iteration=?)")
                .contains("unknown parameter \"iteration\" (nearest: iterations)")
        );
        assert!(refused("mct(c=?)").contains("unknown kind \"mct\" (nearest: mcts)"));
        assert!(refused("mcts(c=?2..1)").contains("c: the range 2..1 is reversed"));
        assert!(refused("mcts(c=?1..1)").contains("c: the range 1..1 is one point"));
        assert!(refused("mcts(c=?0..1e9)").contains("is out of its range (accepted: "));
        assert!(refused("mcts(c=?x..y)").contains("is not a range of numbers"));
        assert!(refused("mcts(c=?5)").contains("is not a range (accepted: LOW..HIGH"));
        assert!(
            refused("mcts(c=?0.1..2=5)").contains("it starts at 5, outside of its range 0.1..2")
        );
        assert!(refused("mcts(c=?0.1..2:cubic)").contains("unknown scale \"cubic\""));
        assert!(refused("mcts(select=?ucb1|pukt)").contains("select: pukt is out of its range"));
        assert!(refused("mcts(c=?, c=1)").contains("c is given twice"));
        assert!(refused("mcts(c=?").contains("the closing \")\" is missing"));
        assert!(refused("mcts(c=0.5)").contains("no value is open: put ? instead of a value"));
    }

    #[test]
    fn a_star_means_any_text() {
        for (glob, name) in
            [("*", "city"), ("c*", "city"), ("*ty", "city"), ("c*t*", "city"), ("city", "city")]
        {
            assert!(is_meant(glob, name), "{glob}");
        }
        assert!(!is_meant("t*", "city") && !is_meant("cit", "city"));
    }
}
