//! The options of the decision that is due as actions: counted, listed, and drawn by number.

use crate::bits::{each, nth};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::senate::{is_show, nth_show};
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::options::{
    LAST, TOP, USE_LOOT, USE_SENATOR, USE_VOTE, bit_of, member, named,
};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Place;
use crate::games::conquest2::model::state::State;
use crate::player::{Player, PlayerSet};

impl Conquest2 {
    /// Returns the `index`-th option of the decision that is due.
    #[inline]
    pub(crate) fn option(&self, s: &State, index: u16) -> Action {
        let (set, lo) = (s.options.set(), s.options.lo());
        debug_assert!(
            index < s.options.n(),
            "option {index} of {:?} in {:?}",
            s.options,
            s.phase()
        );
        let phase = s.phase();
        if phase == Phase::Top {
            return Action::plain(TOP[usize::from(nth(set, index.into()))]);
        }
        if phase.is_worded_by_itself() {
            return self.worded_option(s, index);
        }
        named(phase, if set == 0 { (lo + index) as u8 } else { nth(set, index.into()) })
    }

    /// Returns the `index`-th option in phases whose options are not a word with a number.
    #[inline(never)]
    fn worded_option(&self, s: &State, index: u16) -> Action {
        let (set, lo) = (s.options.set(), s.options.lo());
        match s.phase() {
            Phase::Amount => Action::amount(lo + index),
            Phase::Vote => nth_show(s, index),
            Phase::Use => nth_use(s, self.n_players, index),
            phase => member(phase, nth(set, index.into())),
        }
    }

    /// Returns whether `action` is among the options, without listing numbers.
    pub(crate) fn is_option(&self, s: &State, action: Action) -> bool {
        let (lo, n) = (s.options.lo(), s.options.n());
        match s.phase() {
            Phase::Use => (0..n).any(|i| self.option(s, i) == action),
            Phase::Vote => action == Action::plain(Verb::Pass) || is_show(s, action),
            Phase::Amount => {
                action == Action::amount(action.steps()) && within(lo, n, action.steps())
            }
            _ if s.options.set() == 0 => {
                action == Action::with(Verb::Count, action.args[0])
                    && within(lo, n, action.args[0].into())
            }
            phase => {
                let bit = bit_of(phase, action);
                bit < 64 && s.options.set() >> bit & 1 == 1 && member(phase, bit) == action
            }
        }
    }

    /// Appends all options in order.
    pub(crate) fn list_options(&self, s: &State, out: &mut Vec<Action>) {
        if s.options.set() != 0 && s.phase() != Phase::Use {
            out.extend(each(s.options.set()).map(|bit| member(s.phase(), bit)));
        } else {
            out.extend((0..s.options.n()).map(|i| self.option(s, i)));
        }
    }
}

fn within(lo: u16, n: u16, number: u16) -> bool {
    number >= lo && number - lo < n
}

fn nth_use(s: &State, n_players: usize, index: u16) -> Action {
    let set = s.options.set() & !LAST;
    let n_cards = set.count_ones() as u16;
    if index >= n_cards {
        let (q, p) =
            generals(s, n_players).nth(usize::from(index - n_cards)).expect("a general to strike");
        return Action::pair(Verb::AssassinGeneral, q.number(), p.number());
    }
    match nth(set, index.into()) {
        bit @ 0..USE_LOOT => Action::with(Verb::Merchant, bit),
        USE_LOOT => Action::plain(Verb::Loot),
        bit @ USE_VOTE..USE_SENATOR => Action::with(Verb::Vote, bit - USE_VOTE),
        bit => Action::with(Verb::AssassinSenator, bit - USE_SENATOR),
    }
}

/// Returns the places where players other than the actor have generals: by seat, then in board order.
pub(crate) fn generals(s: &State, n_players: usize) -> impl Iterator<Item = (Player, Place)> + '_ {
    let others = (PlayerSet::first(n_players) - PlayerSet::of(s.actor())).iter();
    others.flat_map(move |q| {
        s.leaders[q].iter().filter(move |&p| s.troops(q, p).generals() > 0).map(move |p| (q, p))
    })
}
