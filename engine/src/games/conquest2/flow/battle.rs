//! Battles on land and at sea (clauses 15 and 15N): armies, dice and losses. `campaign.rs` has the start and the end of
//! a battle.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::battle::{Count, Lent, Loan, Loss, Side, SideSet};
use crate::games::conquest2::model::board::MAX_COAST;
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::packed::{add_lane, lane};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{N_MILITARY, Unit};
use crate::games::shared::dice::Roll;
use crate::player::{MAX_PLAYERS, Player, PlayerSet};

impl Conquest2 {
    /// Returns the side for which a unit of `player` fights, or `None`.
    pub(crate) fn side_of(s: &State, player: Player) -> Option<Side> {
        if s.battle.defender.is_some_and(|defender| s.are_allied(player, defender)) {
            Some(Side::Defender)
        } else if s.battle.is_revolt {
            None
        } else {
            Some(Side::Attacker)
        }
    }

    // --- commitment (15.2) and lending (15.3, 15N.3) ---

    /// Returns the zone of a commitment or loan, or `None` if the province has fewer zones.
    pub(crate) fn zone_at(&self, s: &State, index: u8) -> Option<Zone> {
        let coast = self.board.coast[s.battle.province().idx()];
        (u32::from(index) < coast.len()).then(|| coast.nth(index.into()))
    }

    /// Goes to the first commitment with a galley to commit, starting at the one that is due.
    pub(crate) fn seek_commitment(&self, s: &mut State) {
        let mut commitment = s.battle.count.commitment();
        let has_fleets = self.commanders_have_fleets(s);
        while has_fleets && !commitment.is_over() {
            if let Some(owner) = s.battle.commander(commitment.side())
                && let Some(zone) = self.zone_at(s, commitment.zone())
                && s.galleys(owner, zone) > 0
            {
                s.actor = Some(owner);
                s.battle.count = Count::Commitment(commitment);
                s.go(Phase::Commit);
                return;
            }
            commitment = commitment.next();
        }
        s.battle.count = Count::Loan(Loan::FIRST);
        self.seek_loan(s);
    }

    /// Returns whether a commander has galleys beside the province.
    fn commanders_have_fleets(&self, s: &State) -> bool {
        let commanders = [s.battle.attacker, s.battle.defender].into_iter().flatten().collect();
        let mut coast = self.board.coast[s.battle.province().idx()].iter();
        coast.any(|zone| s.has_fleet(commanders, zone))
    }

    #[inline]
    pub(crate) fn commit(&self, s: &mut State, count: u8) {
        let commitment = s.battle.count.commitment();
        self.engage_galleys(s, s.actor(), commitment.zone(), count);
        s.battle.count = Count::Commitment(commitment.next());
        self.seek_commitment(s);
    }

    /// Takes galleys of `owner` out of their zone into the battle; they block no strait meanwhile.
    pub(crate) fn engage_galleys(&self, s: &mut State, owner: Player, index: u8, count: u8) {
        s.add_galleys(owner, self.battle_zone(s, index), -(count as i8));
        add_lane(&mut s.battle.committed[usize::from(index)], owner, count as i8);
        s.battle.engaged[owner][Unit::Galley] += count;
    }

    /// Returns the zone from which the galleys at `index` were committed.
    pub(crate) fn battle_zone(&self, s: &State, index: u8) -> Zone {
        s.battle.zone.unwrap_or_else(|| self.zone_beside(s.battle.province(), index))
    }

    /// Sends galleys back to their zones (15.8).
    pub(crate) fn return_galleys(&self, s: &mut State) {
        for index in 0..MAX_COAST as u8 {
            let galleys = std::mem::take(&mut s.battle.committed[usize::from(index)]);
            if galleys != 0 {
                s.sea[self.battle_zone(s, index).idx()] += galleys;
            }
        }
    }

    pub(crate) fn is_participant(s: &State, player: Player) -> bool {
        [s.battle.attacker, s.battle.defender].contains(&Some(player))
    }

    /// Returns the largest number of units that can be lent.
    pub(crate) fn most_lent(&self, s: &State, loan: Loan) -> u8 {
        let lender = s.order[loan.lender()];
        match loan.lent() {
            Lent::Land(unit) => s.troops(lender, s.battle.province()).count(unit),
            Lent::Galleys(index) => {
                self.zone_at(s, index).map_or(0, |zone| s.galleys(lender, zone))
            }
        }
    }

    pub(crate) fn can_lend(s: &State, lender: Player) -> bool {
        !Self::is_participant(s, lender) && Self::side_of(s, lender).is_some()
    }

    /// Returns whether a player may lend to this land battle and has a unit there to lend.
    fn has_loan(&self, s: &State, lender: Player) -> bool {
        let place = s.battle.province();
        let mut coast = self.board.coast[place.idx()].iter();
        Self::can_lend(s, lender)
            && (s.army[lender].contains(place) || coast.any(|z| s.galleys(lender, z) > 0))
    }

    pub(crate) fn seek_loan(&self, s: &mut State) {
        let mut loan = s.battle.count.loan();
        while !loan.is_over(self.n_players) {
            let lender = s.order[loan.lender()];
            if loan.is_first_of_lender() && !self.has_loan(s, lender) {
                loan = loan.next_lender();
                continue;
            }
            if self.most_lent(s, loan) > 0 {
                s.actor = Some(lender);
                s.battle.count = Count::Loan(loan);
                s.go(Phase::Lend);
                return;
            }
            loan = loan.next();
        }
        s.battle.count = Count::Loan(loan);
        self.start_round(s);
    }

    #[inline]
    pub(crate) fn lend(&self, s: &mut State, count: u8) {
        let (lender, loan) = (s.actor(), s.battle.count.loan());
        match loan.lent() {
            Lent::Land(unit) => s.battle.engaged[lender][unit] += count,
            Lent::Galleys(index) => self.engage_galleys(s, lender, index, count),
        }
        s.battle.count = Count::Loan(loan.next());
        self.seek_loan(s);
    }

    pub(crate) fn seek_naval_loan(&self, s: &mut State) {
        let mut loan = s.battle.count.naval_loan();
        while loan.lender() < self.n_players {
            let lender = s.order[loan.lender()];
            if Self::can_lend(s, lender) && s.galleys(lender, self.battle_zone(s, 0)) > 0 {
                s.actor = Some(lender);
                s.battle.count = Count::NavalLoan(loan);
                s.go(Phase::NavalLend);
                return;
            }
            loan = loan.next();
        }
        s.battle.count = Count::NavalLoan(loan);
        self.start_round(s);
    }

    #[inline]
    pub(crate) fn naval_lend(&self, s: &mut State, count: u8) {
        self.engage_galleys(s, s.actor(), 0, count);
        s.battle.count = Count::NavalLoan(s.battle.count.naval_loan().next());
        self.seek_naval_loan(s);
    }

    pub(crate) fn force_options(&self, s: &State) -> Options {
        let most = match s.phase() {
            Phase::Commit => {
                let zone = self.zone_at(s, s.battle.count.commitment().zone());
                s.galleys(s.actor(), zone.expect("a zone to commit from"))
            }
            Phase::Lend => self.most_lent(s, s.battle.count.loan()),
            _ => s.galleys(s.actor(), self.battle_zone(s, 0)),
        };
        Options::range(0, u16::from(most))
    }

    // --- rounds (15.5, 15N.3) ---

    /// Returns the units of a side by kind.
    pub(crate) fn army(s: &State, side: Side) -> [u8; N_MILITARY] {
        // Adds four counts at once as the bytes of a word; none comes near 256.
        let mut army = u32::from_le_bytes(s.battle.neutral[side]);
        for player in Player::all(MAX_PLAYERS) {
            let engaged = u32::from_le_bytes(s.battle.engaged[player]);
            if engaged != 0 && Self::side_of(s, player) == Some(side) {
                army += engaged;
            }
        }
        army.to_le_bytes()
    }

    fn size(army: [u8; N_MILITARY]) -> u16 {
        army.iter().map(|&n| u16::from(n)).sum()
    }

    /// Returns whether the defender owns the city in the province, and so rolls first (15.6).
    pub(crate) fn is_siege(&self, s: &State) -> bool {
        s.battle.place.is_some_and(|place| {
            let owner = s.city_owner(self.board.city_site[place.idx()]);
            owner.is_some() && owner == s.battle.defender
        })
    }

    /// Returns the side whose roll begins a round.
    pub(crate) fn first_to_roll(&self, s: &State) -> Side {
        if self.is_siege(s) { Side::Defender } else { Side::Attacker }
    }

    pub(crate) fn start_round(&self, s: &mut State) {
        s.battle.round += 1;
        s.battle.side = self.first_to_roll(s);
        s.actor = None;
        s.go(Phase::Dice);
    }

    /// Returns the number of dice of the side that is about to roll.
    pub(crate) fn n_dice(&self, s: &State) -> u8 {
        self.dice_of(s, s.battle.side)
    }

    /// Returns the number of dice of a side.
    pub(crate) fn dice_of(&self, s: &State, side: Side) -> u8 {
        let rules = &self.board.config.battle;
        let Some(commander) = s.battle.commander(side) else {
            return self.board.config.revolt.dice as u8;
        };
        let dice = if s.battle.is_naval() {
            let galleys = Self::army(s, side)[Unit::Galley];
            rules.naval_dice * i64::from(galleys)
                + rules.naval_training_dice * i64::from(s.held(commander, Card::NAVAL_TRAINING))
        } else {
            let has_leader = i64::from(self.has_leader(s, commander));
            let has_city = i64::from(side == Side::Defender && self.is_siege(s));
            rules.dice
                + rules.leader_dice * has_leader
                + rules.city_dice * has_city
                + rules.training_dice * i64::from(s.held(commander, Card::ARMY_TRAINING))
        };
        dice.min(i64::from(u8::MAX)) as u8
    }

    fn has_leader(&self, s: &State, commander: Player) -> bool {
        let counts = |q: Player| {
            if self.board.config.battle.any_leader_counts {
                s.are_allied(q, commander)
            } else {
                q == commander
            }
        };
        let place = s.battle.province();
        self.players().any(|q| counts(q) && s.leaders[q].contains(place))
    }

    #[inline]
    pub(crate) fn rolled(&self, s: &mut State, faces: Roll) {
        let side = s.battle.side;
        let army = Self::army(s, side);
        self.struck(s, faces.iter().zip(army).map(|(&shown, n)| shown.min(n)).sum());
    }

    /// Applies `hits` that the side that is due has scored.
    pub(crate) fn struck(&self, s: &mut State, hits: u8) {
        let side = s.battle.side;
        s.battle.hits[side.other()] = hits;
        if self.is_siege(s) {
            self.start_losses(s, side.other());
        } else if side == Side::Attacker {
            s.battle.side = Side::Defender;
        } else {
            self.start_losses(s, Side::Attacker);
        }
    }

    // --- losses (15.6) ---

    fn start_losses(&self, s: &mut State, side: Side) {
        s.battle.side = side;
        s.battle.count = Count::Loss(Loss::FIRST);
        let hits = s.battle.hits[side];
        if u16::from(hits) >= Self::size(Self::army(s, side)) {
            self.remove_all(s, side);
            s.battle.hits[side] = 0;
        }
        self.seek_loss(s);
    }

    /// Returns the number of units of entry `loss` that the side has to lose.
    #[inline]
    pub(crate) fn at_stake(s: &State, loss: Loss) -> u8 {
        match loss.owner() {
            None => s.battle.neutral[s.battle.side][loss.unit()],
            Some(owner) => {
                let count = s.battle.engaged[owner][loss.unit()];
                let is_his = count > 0 && Self::side_of(s, owner) == Some(s.battle.side);
                if is_his { count } else { 0 }
            }
        }
    }

    /// Returns the entries of the list of losses where the side has a unit to lose, as bits.
    pub(crate) fn all_at_stake(s: &State) -> u64 {
        let there = |counts: [u8; N_MILITARY]| -> u64 {
            counts.iter().enumerate().map(|(i, &n)| u64::from(n > 0) << i).sum()
        };
        let mut found = there(s.battle.neutral[s.battle.side]);
        for owner in Player::all(MAX_PLAYERS) {
            let engaged = s.battle.engaged[owner];
            if engaged != [0; N_MILITARY] && Self::side_of(s, owner) == Some(s.battle.side) {
                found |= there(engaged) << Loss::first_of(Some(owner));
            }
        }
        found
    }

    fn seek_loss(&self, s: &mut State) {
        if s.battle.hits[s.battle.side] == 0 {
            self.losses_taken(s);
            return;
        }
        let left = Self::all_at_stake(s) & s.battle.count.loss().and_later();
        let next = Loss::of_bits(left).next().expect("who has more units than hits has units left");
        s.battle.count = Count::Loss(next);
        s.actor = s.battle.commander(s.battle.side);
        s.go(Phase::Losses);
        if s.actor.is_none() {
            // Slaves are all alike: there is no choice.
            let hits = s.battle.hits[s.battle.side];
            self.lose(s, hits);
        }
    }

    pub(crate) fn loss_options(&self, s: &State) -> Options {
        let hits = s.battle.hits[s.battle.side];
        let loss = s.battle.count.loss();
        let here = Self::at_stake(s, loss);
        let mut later = 0u8;
        for loss in Loss::of_bits(Self::all_at_stake(s) & loss.next().and_later()) {
            later = later.saturating_add(Self::at_stake(s, loss));
            if later >= hits {
                break;
            }
        }
        Options::range(u16::from(hits.saturating_sub(later)), u16::from(here.min(hits)))
    }

    #[inline(never)]
    pub(crate) fn lose(&self, s: &mut State, count: u8) {
        let loss = s.battle.count.loss();
        self.remove(s, loss, count);
        s.battle.hits[s.battle.side] -= count;
        s.battle.count = Count::Loss(loss.next());
        self.seek_loss(s);
    }

    fn remove_all(&self, s: &mut State, side: Side) {
        debug_assert_eq!(s.battle.side, side);
        for loss in Loss::of_bits(Self::all_at_stake(s)) {
            self.remove(s, loss, Self::at_stake(s, loss));
        }
    }

    /// Removes units; those of players go back to their pools.
    fn remove(&self, s: &mut State, loss: Loss, count: u8) {
        let unit = loss.unit();
        let Some(owner) = loss.owner() else {
            s.battle.neutral[s.battle.side][unit] -= count;
            return;
        };
        s.battle.engaged[owner][unit] -= count;
        s.pool[owner][unit] += count;
        if unit == Unit::Galley {
            (0..count).for_each(|_| Self::sink(s, owner));
        } else {
            s.add_troops(owner, s.battle.province(), unit, -(count as i8));
        }
    }

    /// Removes a lost galley from the first zone in board order that still has one committed.
    fn sink(s: &mut State, owner: Player) {
        let committed = s.battle.committed.iter_mut().find(|word| lane(**word, owner) > 0);
        add_lane(committed.expect("a galley that is lost was committed"), owner, -1);
    }

    fn losses_taken(&self, s: &mut State) {
        let is_siege = self.is_siege(s);
        if s.battle.side == Side::Attacker {
            if is_siege {
                s.actor = None;
                s.go(Phase::Dice);
            } else {
                self.start_losses(s, Side::Defender);
            }
        } else {
            self.round_fought(s);
        }
    }

    // --- end of a round (15.7, 15N.4) ---

    fn round_fought(&self, s: &mut State) {
        let is_gone = |side: Side| Self::size(Self::army(s, side)) == 0;
        let gone =
            Side::ALL.into_iter().fold(SideSet::EMPTY, |set, side| set.with(side, is_gone(side)));
        s.battle.gone = gone;
        s.battle.lost = gone;
        if gone == SideSet::BOTH && !self.board.config.battle.both_lose {
            s.battle.lost = SideSet::EMPTY;
        }
        if !gone.is_empty() {
            self.battle_over(s);
        } else if s.battle.is_naval() {
            self.next_round(s, self.board.config.battle.naval_rounds);
        } else {
            s.battle.side = Side::Defender;
            self.ask_retreat(s);
        }
    }

    fn next_round(&self, s: &mut State, rounds: i64) {
        if i64::from(s.battle.round) == rounds { self.battle_over(s) } else { self.start_round(s) }
    }

    fn ask_retreat(&self, s: &mut State) {
        s.actor = s.battle.commander(s.battle.side);
        s.go(Phase::Retreat);
        if s.actor.is_none_or(|q| !s.units_of(q).contains(s.battle.province())) {
            self.stay(s);
        }
    }

    pub(crate) fn retreat_options(&self, s: &State) -> Options {
        Options::of(self.retreats(s, s.actor()).bits() | LAST)
    }

    /// Returns the provinces beside the battle without an army hostile to `player`.
    pub(crate) fn retreats(&self, s: &State, player: Player) -> PlaceSet {
        let hostile = s.armies_of(s.enemies(player, self.n_players));
        self.neighbours(s, player, s.battle.province()) - hostile
    }

    pub(crate) fn retreat(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Stay {
            self.stay(s);
            return;
        }
        s.move_all(s.actor(), s.battle.province(), Place::new(action.args[0]));
        s.battle.lost = SideSet::of(s.battle.side);
        self.battle_over(s);
    }

    fn stay(&self, s: &mut State) {
        if s.battle.side == Side::Defender {
            s.battle.side = Side::Attacker;
            self.ask_retreat(s);
        } else {
            self.next_round(s, self.board.config.battle.max_rounds);
        }
    }

    /// Returns the enemies of the actor with land units in `place`.
    pub(crate) fn enemies_in(&self, s: &State, place: Place) -> PlayerSet {
        s.enemies(s.actor(), self.n_players)
            .iter()
            .filter(|&q| s.units_of(q).contains(place))
            .collect()
    }
}
