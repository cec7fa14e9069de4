//! Search spaces: dimensions with their ranges, and points, both as texts of a spec and as places in a cube.
//!
//! Methods work in the unit cube. The scale of a number determines its place; an integer or a word is in the middle of
//! an equal part of the edge. Games use the texts. A number has four significant digits, since no tuner can resolve
//! more. Two points are therefore equal exactly if they are the same agent.

use agents::param::Domain;
use engine::Randomness;

use sim::error::Error;

/// The values of a dimension.
#[derive(Clone, PartialEq, Debug)]
pub enum Range {
    /// A real number.
    Number {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
        /// True for a logarithmic scale.
        is_log: bool,
    },
    /// An integer.
    Whole {
        /// The smallest value.
        low: u64,
        /// The largest value.
        high: u64,
        /// True for a logarithmic scale.
        is_log: bool,
    },
    /// One of several words, without order.
    Words(Vec<String>),
}

/// The significant digits of a number: games cannot resolve a part in ten thousand.
const DIGITS: usize = 4;

const BELOW_LOG: &str =
    "begins at or below 0, but its scale is log: begin above 0, or make it linear";

impl Range {
    /// Returns the range of a parameter; `None` if it cannot be tuned.
    #[must_use]
    pub fn of(domain: Domain) -> Option<Self> {
        match domain {
            Domain::Number { low, high, is_log } => Some(Self::Number { low, high, is_log }),
            Domain::Whole { low, high } => Some(Self::Whole { low, high, is_log: false }),
            Domain::Choice(words) => {
                Some(Self::Words(words.iter().map(|&word| word.to_owned()).collect()))
            }
            Domain::Switch => Some(Self::Words(vec!["off".to_owned(), "on".to_owned()])),
            Domain::Text | Domain::File => None,
        }
    }

    /// Returns the word for the scale.
    #[must_use]
    pub const fn scale(&self) -> &'static str {
        match self {
            Self::Number { is_log: false, .. } => "linear",
            Self::Number { is_log: true, .. } => "log",
            Self::Whole { is_log: false, .. } => "integer",
            Self::Whole { is_log: true, .. } => "integer, log",
            Self::Words(_) => "choice",
        }
    }

    /// Returns the smallest and largest value; `None` for words.
    #[must_use]
    pub const fn ends(&self) -> Option<(f64, f64)> {
        match self {
            Self::Number { low, high, .. } => Some((*low, *high)),
            Self::Whole { low, high, .. } => Some((*low as f64, *high as f64)),
            Self::Words(_) => None,
        }
    }

    /// Returns the values for people: `0.1..2`, `uniform|mast`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Number { low, high, .. } => format!("{low}..{high}"),
            Self::Whole { low, high, .. } => format!("{low}..{high}"),
            Self::Words(words) => words.join("|"),
        }
    }

    /// Returns the number of values; `None` for real numbers.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        match self {
            Self::Number { .. } => None,
            Self::Whole { low, high, .. } => Some((*high - *low).saturating_add(1)),
            Self::Words(words) => Some(words.len() as u64),
        }
    }

    /// Returns true if the values have an order, with places between two of them.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        !matches!(self, Self::Words(_))
    }

    /// Returns the value at `place` in `[0, 1]`, as text of a spec.
    #[must_use]
    pub fn text_at(&self, place: f64) -> String {
        let place = place.clamp(0.0, 1.0);
        match self {
            Self::Number { low, high, is_log } => {
                let value = between(*low, *high, *is_log, place);
                rounded(value).clamp(*low, *high).to_string()
            }
            Self::Whole { low, high, is_log } => {
                let value = between(*low as f64 - 0.5, *high as f64 + 0.5, *is_log, place);
                (value.round().max(0.0) as u64).clamp(*low, *high).to_string()
            }
            Self::Words(words) => {
                let n = words.len();
                words[((place * n as f64) as usize).min(n - 1)].clone()
            }
        }
    }

    /// Returns the place of the value `text` in `[0, 1]`; `None` if it is not in the range.
    #[must_use]
    pub fn place_of(&self, text: &str) -> Option<f64> {
        match self {
            Self::Number { low, high, is_log } => {
                let value = text.parse::<f64>().ok().filter(|x| (*low..=*high).contains(x))?;
                Some(part(*low, *high, *is_log, value))
            }
            Self::Whole { low, high, is_log } => {
                let value = text.parse::<u64>().ok().filter(|n| (*low..=*high).contains(n))?;
                Some(part(*low as f64 - 0.5, *high as f64 + 0.5, *is_log, value as f64))
            }
            Self::Words(words) => {
                let at = words.iter().position(|word| word == text)?;
                Some((at as f64 + 0.5) / words.len() as f64)
            }
        }
    }

    /// Returns the places of at most `most` values, evenly spread; those of all values if there are no more.
    #[must_use]
    pub fn levels(&self, most: usize) -> Vec<f64> {
        match self.size() {
            Some(n) if n <= most as u64 => (0..n).map(|i| (i as f64 + 0.5) / n as f64).collect(),
            None => (0..most).map(|i| i as f64 / (most - 1) as f64).collect(),
            Some(_) => (0..most).map(|i| (i as f64 + 0.5) / most as f64).collect(),
        }
    }

    /// Refuses a range that is empty, reversed or a single point; `name` is the dimension's name.
    ///
    /// # Errors
    /// If the range is one of these.
    pub fn check(&self, name: &str) -> Result<(), Error> {
        let bad =
            |what: &str| Err(Error::Usage(format!("{name}: the range {} {what}", self.text())));
        match self {
            Self::Number { low, high, .. } if low > high => {
                bad("is reversed: the least value stands first")
            }
            Self::Whole { low, high, .. } if low > high => {
                bad("is reversed: the least value stands first")
            }
            Self::Number { low, high, .. } if low >= high => {
                bad("is one point: fix it in the spec, or widen it")
            }
            Self::Whole { low, high, .. } if low == high => {
                bad("is one point: fix it in the spec, or widen it")
            }
            Self::Words(words) if words.len() < 2 => {
                bad("is one point: fix it in the spec, or name two words")
            }
            Self::Number { low, is_log: true, .. } if *low <= 0.0 => bad(BELOW_LOG),
            Self::Whole { low: 0, is_log: true, .. } => bad(BELOW_LOG),
            Self::Words(words) => {
                let twice = words.iter().enumerate().find(|&(i, word)| words[..i].contains(word));
                twice.map_or(Ok(()), |(_, word)| {
                    bad(&format!("names {word} twice: keep one of them"))
                })
            }
            _ => Ok(()),
        }
    }
}

/// Returns a number with [`DIGITS`] significant digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x)
}

/// Returns the number at fraction `part` of the way.
fn between(low: f64, high: f64, is_log: bool, part: f64) -> f64 {
    if is_log {
        let (from, to) = (libm::log(low), libm::log(high));
        return libm::exp(from + part * (to - from));
    }
    low + part * (high - low)
}

/// Returns the fraction of the way at which a number is.
fn part(low: f64, high: f64, is_log: bool, value: f64) -> f64 {
    if is_log {
        let (from, to) = (libm::log(low), libm::log(high));
        return (libm::log(value) - from) / (to - from);
    }
    (value - low) / (high - low)
}

/// A prior on the best values: a normal distribution around a place, cut at the ends of the range.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prior {
    /// The place in `[0, 1]`.
    pub place: f64,
    /// The standard deviation, as a fraction of the range.
    pub spread: f64,
}

/// A dimension of the space.
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    /// The name: the parameter, or the weight as in `weights.city`.
    pub name: String,
    /// Its values.
    pub range: Range,
    /// The start of the search, as text of a spec.
    pub start: String,
    /// The prior on its best value, if any.
    pub prior: Option<Prior>,
    /// The values accepted beyond the range.
    pub beyond: Beyond,
}

/// The values accepted beyond a search range.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Beyond {
    /// All accepted values; `None` if they are unknown.
    pub accepted: Option<Domain>,
    /// True if the range is a default. The search may then start outside of it, and the start counts as the nearer
    /// end.
    pub is_usual: bool,
}

impl Dimension {
    /// Returns the place of the value `text` in `[0, 1]`; `None` if it is neither in the range nor the start.
    #[must_use]
    pub fn place_of(&self, text: &str) -> Option<f64> {
        self.range.place_of(text).or_else(|| {
            let (low, high) = self.range.ends()?;
            let start: f64 = text.parse().ok()?;
            let is_outside = start < low || start > high;
            let is_start = self.beyond.is_usual && text == self.start && is_outside;
            is_start.then(|| f64::from(u8::from(start > high)))
        })
    }

    /// Returns the end of the range at which `text` is, in words, if values beyond it are accepted or the accepted
    /// values are unknown.
    #[must_use]
    pub fn edge(&self, text: &str) -> Option<&'static str> {
        let (low, high) = self.range.ends()?;
        let value: f64 = text.parse().ok()?;
        let (least, most) = match self.beyond.accepted {
            Some(Domain::Number { low, high, .. }) => (low, high),
            Some(Domain::Whole { low, high }) => (low as f64, high as f64),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        match value {
            value if value <= low && least < low => Some("lower"),
            value if value >= high && most > high => Some("upper"),
            _ => None,
        }
    }
}

/// A search space.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    dimensions: Vec<Dimension>,
}

/// A point of a space: the values as text of a spec, and their places in the unit cube.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    texts: Vec<String>,
    places: Vec<f64>,
}

impl Point {
    /// Returns the values, as text of a spec.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns the places of the values in the unit cube.
    #[must_use]
    pub fn places(&self) -> &[f64] {
        &self.places
    }
}

impl Space {
    /// Creates the space of these dimensions.
    ///
    /// # Errors
    /// If there is no dimension, a range is empty, reversed or a single point, or a start is outside of its range.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, Error> {
        if dimensions.is_empty() {
            return Err(Error::Usage(
                "no value is open: put ? instead of a value, as in mcts(c=?), or name weights"
                    .to_owned(),
            ));
        }
        for dimension @ Dimension { name, range, start, .. } in &dimensions {
            range.check(name)?;
            let is_part = start.parse::<f64>().is_ok_and(|start| start.fract() != 0.0);
            if is_part && matches!(range, Range::Whole { .. }) {
                let message =
                    format!("{name}: it starts at {start}, and only whole numbers are accepted");
                return Err(Error::Usage(message));
            }
            if dimension.place_of(start).is_none() {
                return Err(Error::Usage(format!(
                    "{name}: it starts at {start}, outside of its range {}: widen the range, or give a start, as in \
                     ?{}={}",
                    range.text(),
                    range.text(),
                    range.text_at(0.5)
                )));
            }
        }
        Ok(Self { dimensions })
    }

    /// Returns the dimensions.
    #[must_use]
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Returns the number of dimensions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.dimensions.len()
    }

    /// Returns false: every space has a dimension.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// Returns the number of points; `None` if it is infinite or too large.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.dimensions
            .iter()
            .try_fold(1_u64, |n, dimension| n.checked_mul(dimension.range.size()?))
    }

    /// Returns the start of the search.
    ///
    /// # Panics
    /// Never: starts were checked.
    #[must_use]
    pub fn start(&self) -> Point {
        let texts = self.dimensions.iter().map(|dimension| dimension.start.clone());
        self.point(texts.collect()).expect("starts were checked")
    }

    /// Returns the point with these values; `None` if one is outside of its range.
    #[must_use]
    pub fn point(&self, texts: Vec<String>) -> Option<Point> {
        let places = self.dimensions.iter().zip(&texts);
        let places = places.map(|(dimension, text)| dimension.place_of(text));
        let places = places.collect::<Option<Vec<f64>>>()?;
        (texts.len() == self.len()).then_some(Point { texts, places })
    }

    /// Returns the point nearest to these places.
    ///
    /// # Panics
    /// If the numbers of places and dimensions differ.
    #[must_use]
    pub fn at(&self, places: &[f64]) -> Point {
        assert_eq!(places.len(), self.len(), "a place for each dimension");
        let each = self.dimensions.iter().zip(places);
        let texts = each.map(|(dimension, &place)| dimension.range.text_at(place)).collect();
        self.point(texts).expect("what stands in a range is in it")
    }

    /// Draws a point from the prior, uniform in dimensions without one.
    pub fn draw(&self, rng: &mut impl Randomness) -> Point {
        let place = |dimension: &Dimension| match dimension.prior {
            None => rng.unit(),
            Some(Prior { place, spread }) => truncated(place, spread, rng),
        };
        let places: Vec<f64> = self.dimensions.iter().map(place).collect();
        self.at(&places)
    }

    /// Returns the point with another value in one dimension.
    #[must_use]
    pub fn with(&self, point: &Point, dimension: usize, place: f64) -> Point {
        let mut places = point.places.clone();
        places[dimension] = place;
        let mut moved = self.at(&places);
        // The other values keep their text.
        for (i, text) in point.texts.iter().enumerate().filter(|&(i, _)| i != dimension) {
            moved.texts[i].clone_from(text);
            moved.places[i] = point.places[i];
        }
        moved
    }
}

/// The number of attempts at a draw from a prior before it is uniform: a prior far outside would never end.
const TRIES: usize = 64;

fn truncated(place: f64, spread: f64, rng: &mut impl Randomness) -> f64 {
    for _ in 0..TRIES {
        let drawn = place + spread * normal(rng);
        if (0.0..=1.0).contains(&drawn) {
            return drawn;
        }
    }
    rng.unit()
}

/// Draws a standard normal number (Box and Muller 1958), equal on every machine.
pub fn normal(rng: &mut impl Randomness) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - rng.unit()));
    radius * libm::cos(std::f64::consts::TAU * rng.unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(low: f64, high: f64, is_log: bool) -> Range {
        Range::Number { low, high, is_log }
    }

    #[test]
    fn a_value_stands_where_it_is_found_again() {
        let whole = |low, high, is_log| Range::Whole { low, high, is_log };
        let words = Range::Words(["a", "b", "c"].map(str::to_owned).to_vec());
        let ranges = [
            number(-2.0, 3.0, false),
            number(0.01, 100.0, true),
            whole(0, 7, false),
            whole(1, 4_000, true),
            words,
        ];
        for range in ranges {
            let mut seen = Vec::new();
            for i in 0..=1_000 {
                let text = range.text_at(f64::from(i) / 1_000.0);
                let place = range.place_of(&text).unwrap();
                assert_eq!(range.text_at(place), text, "{range:?}");
                seen.push(text);
            }
            seen.dedup();
            let size = range.size().map_or(900, |n| n.min(100));
            assert!(seen.len() as u64 >= size, "{range:?}: {}", seen.len());
            assert_eq!(range.place_of("x"), None);
        }
        assert_eq!(number(0.01, 100.0, true).text_at(0.5), "1");
        assert_eq!(whole(0, 7, false).levels(8).len(), 8);
        assert_eq!(number(0.0, 1.0, false).levels(5), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn ranges_that_are_none_are_refused() {
        let refused = |range: Range| range.check("c").unwrap_err().to_string();
        assert_eq!(
            refused(number(2.0, 1.0, false)),
            "c: the range 2..1 is reversed: the least value stands first"
        );
        assert!(refused(number(1.0, 1.0, false)).contains("1..1 is one point: fix it"));
        assert!(refused(number(0.0, 1.0, true)).contains("begins at or below 0"));
        assert!(refused(Range::Words(vec!["a".to_owned()])).contains("a is one point"));
        assert!(refused(Range::Whole { low: 3, high: 2, is_log: false }).contains("reversed"));
    }

    #[test]
    fn a_point_moves_in_one_dimension_and_a_prior_draws_near_it() {
        let dimension = |name: &str, prior| Dimension {
            name: name.to_owned(),
            range: number(0.0, 1.0, false),
            start: "0.123456".to_owned(),
            prior,
            beyond: Beyond::default(),
        };
        let prior = Some(Prior { place: 0.9, spread: 0.02 });
        let space = Space::new(vec![dimension("a", None), dimension("b", prior)]).unwrap();
        let moved = space.with(&space.start(), 1, 0.5);
        assert_eq!(moved.texts(), ["0.123456", "0.5"]);
        let mut rng = engine::rng::stream(1, 0, engine::Purpose::Analysis);
        for _ in 0..200 {
            let place = space.draw(&mut rng).places()[1];
            assert!((0.8..=1.0).contains(&place), "{place}");
        }
    }
}
