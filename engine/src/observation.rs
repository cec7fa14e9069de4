//! Observations of a seat as numbers: the named fields of a tensor, for networks and other learners.
//!
//! [`ObservationTensor::observe`] writes the fields of a [`View`] one after the other, each with its axes and its unit.
//! This function also lists the fields ([`layout`]), so that list and numbers agree. Seats are *relative*: on an axis
//! `seat`, place 0 is the observer and the others follow clockwise, so that one network can play all seats.
//! Every game begins with the fields `observer` and `to_act`. All fields show what the observer may know;
//! [`conformance::check_tensors`](crate::conformance::check_tensors) refuses a game whose numbers differ between worlds
//! that the observer cannot tell apart.
//!
//! # Example
//! ```
//! use engine::games::kuhn_poker::KuhnPoker;
//! use engine::{Configure, Game, Player, Rules, View, observation};
//!
//! let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>())?;
//! let fields = observation::layout(&game);
//! assert_eq!((fields[0].name, fields[0].len()), ("observer", 2));
//! let mut numbers = vec![0.0; observation::len(&fields)];
//! observation::write(View::new(&game, &game.start(), Player::new(1)), &mut numbers);
//! assert_eq!(numbers[..2], [0.0, 1.0]);
//! # Ok::<(), engine::BadRules>(())
//! ```

use crate::game::Turn;
use crate::notation::Notation;
use crate::player::{Player, PlayerSet};
use crate::view::View;

/// An axis of a field: its name and its length.
pub type Axis = (&'static str, usize);

/// A field of an observation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The name, unique in its game.
    pub name: &'static str,
    /// The axes, the last of which varies fastest; none for a single number.
    pub axes: Vec<Axis>,
    /// The unit of its numbers, or `0/1`.
    pub unit: &'static str,
    /// The index of its first number.
    pub offset: usize,
}

impl Field {
    /// Returns how many numbers the field has.
    #[must_use]
    pub fn len(&self) -> usize {
        count(&self.axes)
    }

    /// Returns whether the field has no number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[inline]
fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.1).product()
}

/// A receiver of fields: one lists them, the other keeps their numbers.
pub trait Fields {
    /// Takes a field. `fill` gets its numbers, all of them 0, and writes those that differ.
    fn field(
        &mut self,
        name: &'static str,
        axes: &[Axis],
        unit: &'static str,
        fill: impl FnOnce(&mut [f32]),
    );
}

/// A game whose positions can be observed as numbers.
pub trait ObservationTensor: Notation {
    /// Writes the fields of a view. Names, axes and units must not depend on the position or the observer.
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F);
}

/// Lists fields.
struct Listed(Vec<Field>);

impl Fields for Listed {
    fn field(
        &mut self,
        name: &'static str,
        axes: &[Axis],
        unit: &'static str,
        _fill: impl FnOnce(&mut [f32]),
    ) {
        let offset = len(&self.0);
        self.0.push(Field { name, axes: axes.to_vec(), unit, offset });
    }
}

/// Keeps numbers; holds those that are still to be written.
struct Written<'n>(&'n mut [f32]);

impl Fields for Written<'_> {
    #[inline]
    fn field(
        &mut self,
        _name: &'static str,
        axes: &[Axis],
        _unit: &'static str,
        fill: impl FnOnce(&mut [f32]),
    ) {
        let (own, rest) = std::mem::take(&mut self.0).split_at_mut(count(axes));
        fill(own);
        self.0 = rest;
    }
}

/// Returns the place of `player` on an axis `seat`: the number of seats clockwise from the observer.
#[inline]
#[must_use]
pub const fn seat_from(observer: Player, player: Player, n_players: usize) -> usize {
    (player.idx() + n_players - observer.idx()) % n_players
}

/// Returns the players of a table in the order of an axis `seat`.
#[inline]
pub fn seats_from(observer: Player, n_players: usize) -> impl Iterator<Item = Player> + Clone {
    (0..n_players).map(move |place| Player::new((observer.idx() + place) % n_players))
}

/// Returns 1 for true and 0 for false.
#[inline]
pub(crate) const fn flag(is_so: bool) -> f32 {
    if is_so { 1.0 } else { 0.0 }
}

#[inline]
fn observe_all<G: ObservationTensor, F: Fields>(view: View<'_, G>, fields: &mut F) {
    let (n, observer) = (view.game().n_players(), view.observer());
    fields.field("observer", &[("absolute seat", n)], "0/1", |out| out[observer.idx()] = 1.0);
    fields.field("to_act", &[("seat", n)], "0/1", |out| {
        let players = match view.turn() {
            Turn::Player(player) => PlayerSet::of(player),
            Turn::Simultaneous(players) => players,
            Turn::Chance | Turn::Over => PlayerSet::EMPTY,
        };
        players.iter().for_each(|player| out[seat_from(observer, player, n)] = 1.0);
    });
    G::observe(view, fields);
}

/// Returns the fields of the observations of a game, in their order.
#[must_use]
pub fn layout<G: ObservationTensor>(game: &G) -> Vec<Field> {
    let mut listed = Listed(Vec::new());
    observe_all(View::new(game, &game.start(), Player::new(0)), &mut listed);
    listed.0
}

/// Returns how many numbers an observation with these fields has.
#[must_use]
pub fn len(fields: &[Field]) -> usize {
    fields.last().map_or(0, |last| last.offset + last.len())
}

/// Writes the numbers of an observation.
///
/// # Panics
/// If `numbers` is not as long as the [`layout`] demands.
pub fn write<G: ObservationTensor>(view: View<'_, G>, numbers: &mut [f32]) {
    numbers.fill(0.0);
    let mut written = Written(numbers);
    observe_all(view, &mut written);
    let n_left = written.0.len();
    assert_eq!(n_left, 0, "{n_left} numbers more than the observation has");
}
