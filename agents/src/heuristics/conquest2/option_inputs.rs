//! The inputs of the options of a turn, for the policy head of a net: what is done, where, and what lies there.

use engine::Player;
use engine::games::conquest2::{Action, Place, Situation, Source};

use super::input_groups::{LAYOUT, LOCAL, MOST_ACTIONS, OPTIONS};
use super::inputs::STRENGTHS;
use super::macro_actions::MacroAction;
use crate::guide::{Choice, Prospects};
use crate::net::{Inputs, OptionInputs, Slot, inputs_of};

/// Number of the inputs of a seat.
const OF_SEAT: usize = inputs_of(LAYOUT.seat);

const fn slot(name: &str) -> Slot {
    Slot::of(OPTIONS, name)
}

const KIND: Slot = slot("kind");
const ACTIONS: Slot = slot("actions");
const BEHIND: Slot = slot("behind");
const LIKED: Slot = slot("liked");
const TAKEN: Slot = slot("taken");
const RECRUITED_AT: Slot = slot("recruited_at");
const RECRUITED: Slot = slot("recruited");
const BOUGHT_AT: Slot = slot("bought_at");
const FROM_BOARD: Slot = slot("from_board");
const FROM_RIVALS: Slot = slot("from_rivals");
const ROBBED_LEAD: Slot = slot("robbed_lead");
const LEFT: Slot = slot("left");
const ENTERED: Slot = slot("entered");
const MARCHING: Slot = slot("marching");
const GUARDS: Slot = slot("guards");
const FOUGHT_AT: Slot = slot("fought_at");
const FIGHTING: Slot = slot("fighting");
const FOUGHT_LEAD: Slot = slot("fought_lead");
const SAILED_TO: Slot = slot("sailed_to");

/// The local inputs: where they are among those of a seat, and among those of an option.
const LOCALS: [(Slot, Slot); LOCAL.len()] = {
    let mut all = [(KIND, KIND); LOCAL.len()];
    let mut i = 0;
    while i < LOCAL.len() {
        all[i] = (Slot::of(LAYOUT.seat, LOCAL[i]), slot(LOCAL[i]));
        i += 1;
    }
    all
};

/// The roles of a key province.
const RECRUITING: usize = 0;
const BUYING: usize = 1;
const LEAVING: usize = 2;
const ENTERING: usize = 3;
const FIGHTING_IN: usize = 4;

/// Returns the number of an option's kind.
const fn kind_of(option: &Choice<Action, MacroAction>) -> usize {
    match option {
        Choice::Macro(macro_action) => match macro_action {
            MacroAction::Pass => 0,
            MacroAction::End => 1,
            MacroAction::Tax => 2,
            MacroAction::Take(_) => 3,
            MacroAction::Use(_) => 4,
            MacroAction::Recruit { .. } => 5,
            MacroAction::Buy { .. } => 6,
            MacroAction::Move { to: Some(_), .. } => 7,
            MacroAction::Move { to: None, .. } => 8,
            MacroAction::Battle { .. } => 9,
            MacroAction::Sail { .. } => 10,
        },
        Choice::Ply(_) => 11,
    }
}

/// Counter of the inputs of options.
struct Counter<'a> {
    situation: &'a Situation<'a>,
    mover: Player,
    /// Counts of the mover's inputs, by number.
    seat: [i8; OF_SEAT],
    out: &'a mut OptionInputs,
}

/// Fills `out` with the inputs of options. `inputs` are those of the position.
pub(super) fn count_options(
    situation: &Situation<'_>,
    prospects: Prospects<'_, Choice<Action, MacroAction>>,
    inputs: &Inputs,
    out: &mut OptionInputs,
) {
    let Prospects { options, logits } = prospects;
    out.clear();
    let mover = situation.actor();
    let mut seat = [0; OF_SEAT];
    for entry in &inputs.seats[mover.idx()].own {
        seat[usize::from(entry.input)] = entry.count;
    }
    let best = logits.iter().copied().fold(f32::MIN, f32::max);
    let left = situation.actions_left().min(MOST_ACTIONS);
    let mut counter = Counter { situation, mover, seat, out };
    for (option, logit) in options.iter().zip(logits) {
        let (kind, behind) = (kind_of(option), best - logit);
        counter.out.add(KIND.at(kind), 1);
        if let Some(left) = left.checked_sub(1) {
            counter.out.add(ACTIONS.at(kind * MOST_ACTIONS + left), 1);
        }
        counter.out.add(BEHIND.at(kind), libm::roundf(4.0 * behind) as i32);
        counter.out.add(LIKED.at(kind), behind <= 0.0);
        if let Choice::Macro(macro_action) = option {
            counter.count(macro_action);
        }
        counter.out.end_option();
    }
}

impl Counter<'_> {
    fn count(&mut self, macro_action: &MacroAction) {
        match *macro_action {
            MacroAction::Pass | MacroAction::End | MacroAction::Tax | MacroAction::Use(_) => {}
            MacroAction::Take(card) => self.out.add(TAKEN.at(card.idx()), 1),
            MacroAction::Recruit { place, units } => {
                self.out.add(RECRUITED_AT.at(place.idx()), 1);
                units.iter().enumerate().for_each(|(i, &n)| self.out.add(RECRUITED.at(i), n));
                self.count_place(place, RECRUITING);
            }
            MacroAction::Buy { place, first, second } => self.count_purchase(place, first, second),
            MacroAction::Move { from, to, force, guards } => {
                self.out.add(LEFT.at(from.idx()), 1);
                self.count_place(from, LEAVING);
                if let Some(to) = to {
                    self.out.add(ENTERED.at(to.idx()), 1);
                    self.count_place(to, ENTERING);
                }
                force.iter().enumerate().for_each(|(i, &n)| self.out.add(MARCHING.at(i), n));
                self.out.add(GUARDS, guards.len() as i32);
            }
            MacroAction::Battle { place, against } => {
                self.out.add(FOUGHT_AT.at(place.idx()), 1);
                self.count_place(place, FIGHTING_IN);
                for (i, side) in [self.mover, against].into_iter().enumerate() {
                    let troops = self.situation.troops(side, place);
                    let each = troops.iter().zip(STRENGTHS).map(|(&n, each)| i32::from(n) * each);
                    self.out.add(FIGHTING.at(i), each.sum::<i32>());
                }
                self.out.add(FOUGHT_LEAD, self.lead_of(against));
            }
            MacroAction::Sail { to } => self.out.add(SAILED_TO.at(to.idx()), 1),
        }
    }

    fn count_purchase(&mut self, place: Place, first: Source, second: Option<Source>) {
        if let Some(key) = self.situation.key_at(place) {
            self.out.add(BOUGHT_AT.at(key.idx()), 1);
        }
        self.count_place(place, BUYING);
        let mut tokens = [0; 2];
        for source in [first].into_iter().chain(second) {
            match source {
                Source::Board => tokens[0] += 1,
                Source::Seat(_) => tokens[1] += 1,
            }
        }
        self.out.add(FROM_BOARD, tokens[0]);
        self.out.add(FROM_RIVALS, tokens[1]);
        if let Source::Seat(robbed) = second.unwrap_or(first) {
            self.out.add(ROBBED_LEAD, self.lead_of(robbed));
        }
    }

    /// Counts the mover's inputs of a key province in this role.
    fn count_place(&mut self, place: Place, role: usize) {
        let Some(key) = self.situation.key_at(place) else { return };
        for (of_seat, of_option) in LOCALS {
            let count = self.seat[of_seat.at(key.idx()).number()];
            self.out.add(of_option.at(role), count);
        }
    }

    /// Returns the victory points of `other` beyond those of the mover.
    fn lead_of(&self, other: Player) -> i32 {
        i32::from(self.situation.vp(other)) - i32::from(self.situation.vp(self.mover))
    }
}
