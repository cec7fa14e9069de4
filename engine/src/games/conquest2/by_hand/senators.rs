//! Hands of Senators as seats know them, in a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_seat};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::detail::{Cause, Detail};
use crate::games::conquest2::model::log::{Knowledge, MAX_BRIBES, MAX_KILLS, NO_FLOOR, Signed};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;

/// Largest number of Senators of a value, or of missing ones, that a log can name: sums stay within their type.
const MOST: i8 = 60;

/// Returns whether these are counts of Senators, or no floor at all.
fn are_counts(counts: Signed) -> bool {
    counts == NO_FLOOR || counts.iter().all(|n| (-MOST..=MOST).contains(n))
}

impl Conquest2 {
    pub(super) fn check_knowledge(&self, s: &State) -> Finding {
        for player in self.players() {
            let fits = s.senators[player].iter().all(|&n| n <= MOST as u8);
            let fault = format_args!("at most {MOST} of a value");
            demand(fits, format_args!("senators.{}", player.number()), fault)?;
        }
        self.check_bribes(s)?;
        self.check_kills(s)?;
        self.check_hands(s)
    }

    fn check_bribes(&self, s: &State) -> Finding {
        let log = &s.knowledge;
        let n = usize::from(log.n_bribes);
        let (card, empty) = (Card::BRIBE.idx(), Knowledge::EMPTY);
        let is_due = match s.detail {
            Detail::Senator { cause: Cause::Bribe, .. } => true,
            _ => s.phase() == Phase::BribeTarget,
        };
        let to_come =
            usize::from(s.deck[card]) + usize::from(s.display[card]) + usize::from(is_due);
        let given = self.board.treated.as_ref().map_or(0, |t| t.free_copies(Card::BRIBE) as usize);
        let most = (usize::from(self.board.card_count[card]) + given).min(MAX_BRIBES);
        let fault = format_args!("{n} bribes, and {to_come} to come, of {most}");
        demand(n + to_come <= most, "knowledge.n_bribes", fault)?;
        let fits = log.bribes[n..] == empty.bribes[n..];
        demand(fits, "knowledge.bribes", "nothing behind the bribes that count")?;
        for (i, bribe) in log.bribes().iter().enumerate() {
            let place = format!("knowledge.bribes.{i}");
            demand_seat(bribe.thief, self.n_players, &place)?;
            demand_seat(bribe.victim, self.n_players, &place)?;
            demand(bribe.thief != bribe.victim, &place, "nobody bribes themselves")?;
            demand(bribe.value < 4, &place, format_args!("{} is no value (0 to 3)", bribe.value))?;
            let fits = bribe.base != NO_FLOOR
                && are_counts(bribe.base)
                && bribe.floor.into_iter().all(are_counts);
            demand(fits, &place, format_args!("numbers of Senators from -{MOST} to {MOST}"))?;
        }
        Ok(())
    }

    fn check_kills(&self, s: &State) -> Finding {
        let log = &s.knowledge;
        let n = usize::from(log.n_kills);
        let place = "knowledge.n_kills";
        demand(n <= MAX_KILLS, place, format_args!("{n} is more than {MAX_KILLS}"))?;
        let fits = log.kills[n..] == Knowledge::EMPTY.kills[n..];
        demand(fits, "knowledge.kills", "nothing behind the kills that count")?;
        for (i, kill) in log.kills[..n].iter().enumerate() {
            let place = format!("knowledge.kills.{i}");
            demand_seat(kill.victim, self.n_players, &place)?;
            demand(kill.value < 4, &place, format_args!("{} is no value (0 to 3)", kill.value))?;
            let fits = (-MOST..=MOST).contains(&kill.base) && kill.after <= log.n_bribes;
            demand(fits, &place, "a number of Senators, and of bribes before")?;
        }
        Ok(())
    }

    /// Checks that the bribes can have been as they are, and that no seat infers a hand that nobody can hold.
    fn check_hands(&self, s: &State) -> Finding {
        let log = &s.knowledge;
        let n = usize::from(log.n_bribes);
        let hands: Vec<Signed> = self.players().map(|player| s.base_hand(player)).collect();
        for observer in self.players() {
            let (mut is_possible, mut is_whole) = (false, true);
            log.visit(0, observer, &mut log.values(), 1.0, &mut |values, _| {
                is_possible |= *values == log.values();
                for (player, base) in self.players().zip(&hands) {
                    let brought = log.brought(player, n, values);
                    is_whole &= (0..4).all(|v| base[v] + brought[v] >= 0);
                }
                !is_whole
            });
            let seat = observer.number();
            demand(is_whole, "knowledge", format_args!("seat {seat} infers less than no Senator"))?;
            demand(is_possible, "knowledge", "the bribes cannot have been as they are")?;
        }
        Ok(())
    }
}
