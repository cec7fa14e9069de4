//! Advice of a search for a person: [`Hint`].

use engine::{Player, Purpose, rng};
use sim::any::{AnyAgent, AnyState};
use sim::error::Error;

/// An option as a search values it.
#[derive(Clone, PartialEq, Debug)]
pub struct Advised {
    /// The option, in words for people.
    pub label: String,
    /// Visits of the search.
    pub visits: u64,
    /// Share of the points that the seat gets, on average.
    pub value: f64,
    /// True for the option that the search would choose.
    pub is_chosen: bool,
}

/// The choice of an adviser, with its options if it searched, the most visited first.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The choice, in words for people.
    pub chosen: String,
    /// The options.
    pub options: Vec<Advised>,
}

impl Hint {
    /// Returns the hint of `adviser` for `seat`, which has to choose in `state`, from its view.
    ///
    /// # Errors
    /// If the adviser fails.
    pub fn of(adviser: &mut AnyAgent, state: &AnyState, seat: Player) -> Result<Self, Error> {
        adviser.start(seat)?;
        let (ply, place) = (state.plies().into(), seat.number().into());
        let mut thoughts = rng::stream(ply, place, Purpose::Analysis);
        let number = adviser.choose(state, seat, &mut thoughts)?;
        let report = adviser.report();
        let (texts, mut labels) = (state.action_texts(seat), state.labels(seat));
        let options = report.as_ref().map_or(&[][..], |report| &report.options);
        let advised = options.iter().map(|option| {
            // Searches name actions as in records, where seats count from 0.
            let known = texts.iter().position(|action| *action == option.text);
            Advised {
                label: known.map_or_else(|| option.text.clone(), |i| labels[i].clone()),
                visits: option.visits,
                value: option.values.get(seat.idx()).copied().unwrap_or_default(),
                is_chosen: option.is_chosen,
            }
        });
        Ok(Self { options: advised.collect(), chosen: labels.swap_remove(number) })
    }
}
