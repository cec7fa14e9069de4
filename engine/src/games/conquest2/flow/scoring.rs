//! Taxes, scoring, season end and the end of the game (clauses 17 to 20).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::cards::{Card, CardKind, N_DIPLOMACY};
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::packed::{counts, nibbles};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Key;
use crate::games::conquest2::model::state::State;
use crate::player::{ByPlayer, Player, share_the_point};

impl Conquest2 {
    pub(crate) fn end_season(&self, s: &mut State) {
        self.collect_taxes(s);
        self.score_provinces(s);
        self.punish_chaos(s);
        self.clear_season(s);
        s.season += 1;
        s.milestone += 1;
        if s.season == self.board.config.options.seasons as u8 {
            s.detail = Detail::None;
            s.go(Phase::Over);
        } else {
            self.start_season(s);
        }
    }

    /// Collects taxes for each influence token, with more beside an own city (17).
    fn collect_taxes(&self, s: &mut State) {
        let tax = &self.board.config.tax;
        for key in Key::first(self.board.n_keys) {
            let place = self.board.key_province[key.idx()];
            let owner = s.city_owner(self.board.city_site[place.idx()]);
            for (player, tokens) in counts(s.influence[key.idx()]) {
                let each = tax.influence + if owner == Some(player) { tax.city } else { 0 };
                s.gain_money(player, u16::from(tokens) * each as u16);
            }
        }
    }

    /// Returns the points that the influence on the board scores, by player (18.1).
    pub(crate) fn province_points(&self, s: &State) -> ByPlayer<i16> {
        let mut points = ByPlayer::default();
        for key in Key::first(self.board.n_keys) {
            let influence = s.influence[key.idx()];
            // The counts that occur, as bits: those above a count are the ranks before it.
            let seen = counts(influence).fold(0u32, |seen, (_, tokens)| seen | 1 << tokens);
            for (q, tokens) in counts(influence) {
                let rank = (seen >> tokens >> 1).count_ones() as usize;
                points[q] += self.board.vp[key.idx()][rank];
            }
        }
        points
    }

    fn score_provinces(&self, s: &mut State) {
        let points = self.province_points(s);
        self.players().for_each(|q| s.gain_vp(q, points[q]));
    }

    /// Returns the chaos of all players as the comparison counts it: after the relief by cities.
    pub(crate) fn relieved_chaos(&self, s: &State) -> ByPlayer<u16> {
        let mut chaos = s.chaos;
        if s.cities == 0 {
            return chaos;
        }
        for (_, owner) in nibbles(s.cities) {
            let relieved = &mut chaos[Player::of(owner - 1)];
            *relieved = relieved.saturating_sub(self.board.config.chaos.city_relief as u16);
        }
        chaos
    }

    /// Returns the victory points that chaos costs each player (18.2).
    pub(crate) fn chaos_penalties(&self, chaos: &ByPlayer<u16>) -> ByPlayer<i16> {
        let n = self.n_players;
        let rules = &self.board.config.chaos;
        let ranks = ranks(chaos, n);
        ByPlayer::from_fn(|q| {
            if q.idx() >= n || rules.zero_is_safe && chaos[q] == 0 {
                return 0;
            }
            rules.penalties.get(usize::from(ranks[q])).map_or(0, |&vp| vp as i16)
        })
    }

    fn punish_chaos(&self, s: &mut State) {
        let chaos = self.relieved_chaos(s);
        let penalties = self.chaos_penalties(&chaos);
        for q in self.players() {
            s.gain_vp(q, -penalties[q]);
            if !self.board.config.options.vp_below_zero {
                s.vp[q] = s.vp[q].max(0);
            }
        }
        if self.board.config.chaos.relief_is_permanent {
            s.chaos = chaos;
        }
    }

    /// Ends the season (19): cards are ready again, Diplomacy goes back to the display, alliances are cleared, no round
    /// is under way.
    fn clear_season(&self, s: &mut State) {
        (s.round, s.turn, s.actions_left) = (0, 0, 0);
        s.set_taken(false);
        s.unallied = self.everyone();
        if !self.board.config.options.untaken_cards_stay {
            for card in Card::all().filter(|c| !matches!(c.kind(), CardKind::Vote(_))) {
                s.display[card.idx()] = 0;
                s.displayed.remove(card);
            }
        }
        for player in self.players() {
            s.used[player] = 0;
            let rest = u64::MAX << (4 * N_DIPLOMACY);
            for (slot, copies) in nibbles(s.passive[player] & !rest) {
                let card = Card::diplomacy(slot);
                s.add_to_display(card, copies - self.given_copies(s, player, card));
            }
            s.passive[player] &= rest;
        }
    }

    /// Returns the payoffs (20): most victory points win, then most influence; players who are still tied share the
    /// win.
    pub(crate) fn points(&self, s: &State) -> ByPlayer<f32> {
        let standing = ByPlayer::from_fn(|q| (s.vp[q], s.total_influence(q)));
        share_the_point(standing.first(self.n_players))
    }
}

/// Returns the number of different counts above that of each player at a table of `n`; seats beyond it have none.
fn ranks(counts: &ByPlayer<u16>, n: usize) -> ByPlayer<u8> {
    let mut ranks = ByPlayer::default();
    for (i, &other) in counts.0.iter().enumerate().take(n) {
        let is_new = !counts.0[..i].iter().fold(false, |is_old, &known| is_old | (known == other));
        for (rank, &count) in ranks.0.iter_mut().zip(&counts.0) {
            *rank += u8::from(is_new & (other > count));
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_score_alike_and_push_nobody_down() {
        assert_eq!(ranks(&ByPlayer([3, 1, 3, 2, 0, 0]), 4).first(4), [0, 2, 0, 1]);
        assert_eq!(ranks(&ByPlayer([0, 7, 0, 4, 9, 7]), 6).0, [3, 1, 3, 2, 0, 1]);
    }
}
