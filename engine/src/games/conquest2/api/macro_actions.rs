//! Whole actions, or their beginnings, without the decisions in between: for evaluations of their results.
//!
//! Each leaves the position that [`Conquest2::try_out`] leaves after the equivalent decisions.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::movement::Movers;
use crate::games::conquest2::model::action::{Action, Source, Verb};
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::counts::Mover;
use crate::games::conquest2::model::detail::Leg;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet};
use crate::games::conquest2::model::state::State;
use crate::player::Player;

impl Conquest2 {
    /// Spends an action without effect. Returns false, and changes nothing, if the player in turn has no action.
    pub fn try_pass(&self, state: &mut State) -> bool {
        self.begin(state, Verb::PassAction) && self.end(state)
    }

    /// Levies the largest special tax. Returns false, and changes nothing, if the player in turn has no action.
    pub fn try_tax(&self, state: &mut State) -> bool {
        if !self.begin(state, Verb::Tax) {
            return false;
        }
        self.tax(state, self.board.config.tax.special_steps as u8);
        self.end(state)
    }

    /// Takes a card that the player in turn can take by an action. Returns false, and changes nothing, if they have no
    /// action for it. Decisions that the card requires are due afterwards.
    pub fn try_take(&self, state: &mut State, card: Card) -> bool {
        let is_paid = state.free() == 0
            && !state.has_taken()
            && state.displayed.contains(card)
            && self.board.card_cost[card.idx()] <= state.money[state.actor()];
        if !is_paid || state.phase() != Phase::Top || state.actions_left == 0 {
            return false;
        }
        debug_assert!(self.takeable(state).contains(card), "{card:?} cannot be taken");
        self.begin(state, Verb::Take);
        self.take(state, card);
        self.end(state)
    }

    /// Gives battle on land. Returns false, and changes nothing, if the player in turn cannot. The battle's decisions
    /// are due afterwards.
    pub fn try_battle(&self, state: &mut State, place: Place, against: Player) -> bool {
        let can_attack = self.battlefields(state).contains(place)
            && self.enemies_in(state, place).contains(against);
        if !can_attack || !self.begin(state, Verb::Battle) {
            return false;
        }
        Self::battle_in(state, place);
        self.battle_against(state, against);
        self.end(state)
    }

    /// Buys influence in a place: from the first source, then from the second as long as that is possible. Returns
    /// false, and changes nothing, if the player in turn cannot buy there from the first.
    pub fn try_purchase(
        &self,
        state: &mut State,
        place: Place,
        first: Source,
        second: Option<Source>,
    ) -> bool {
        let is_market = (state.leaders[state.actor()] & self.board.keys).contains(place)
            && self.can_pay_influence(state)
            && self.most_bought(state, place) > 0
            && self.sources(state, place) >> first.number() & 1 == 1;
        if !is_market || !self.begin(state, Verb::Buy) {
            return false;
        }
        let from = |source: Source| Action::with(Verb::Source, source.number());
        Self::buy_in(state, place);
        self.buy(state, from(first));
        while state.phase() == Phase::BuyMore {
            let sold = self.source_options(state).set();
            let more = second.filter(|source| sold >> source.number() & 1 == 1);
            self.buy(state, more.map_or(Action::plain(Verb::Stop), from));
        }
        self.end(state)
    }

    /// Moves land units from a place to those of `to` that can be reached, in board order. For each count (infantry,
    /// cavalry, catapults, generals, caesar) it moves the number in `wanted` for the destination, or the nearest
    /// possible number. `by_land` are the destinations that the player reaches from there by land. Returns false, and
    /// changes nothing, if no unit can leave for any destination.
    pub fn try_march(
        &self,
        state: &mut State,
        from: Place,
        by_land: PlaceSet,
        to: PlaceSet,
        wanted: impl Fn(Place, Mover) -> u8,
    ) -> bool {
        let player = state.actor();
        if !state.leaders[player].contains(from) {
            return false;
        }
        let mut open = to & (by_land | self.reach_by_sea(state, player, from));
        if open.is_empty() || !self.begin(state, Verb::Move) {
            return false;
        }
        while let Some(next) = self.destinations(state, from, open, by_land).first() {
            let is_by_land = by_land.contains(next);
            let room = (!is_by_land).then(|| self.sea_capacity(state, player, next));
            let leg = Leg { to: next, count: Some(Mover::Infantry), room, has_any: false };
            Self::march_leg(state, from, leg, |mover| wanted(next, mover));
            self.arrive(state, player, next);
            open = open.above(next);
        }
        state.go(Phase::MoveTo);
        self.back_to_top(state);
        self.end(state)
    }

    fn march_leg(s: &mut State, from: Place, mut leg: Leg, wanted: impl Fn(Mover) -> u8) {
        while let Some(mover) = leg.count {
            let movers = Movers::of(s, from);
            match movers.most(&leg, mover) {
                0 => leg.count = mover.next(),
                most => {
                    let least = movers.must_go(&leg).into();
                    let number = wanted(mover).clamp(least, most);
                    leg = Self::carry(s, from, leg, number);
                }
            }
        }
    }

    /// Begins the action `verb`. Returns false if the player in turn has no action.
    fn begin(&self, s: &mut State, verb: Verb) -> bool {
        let can_begin = s.phase() == Phase::Top && s.actions_left > 0;
        if can_begin {
            self.top(s, Action::plain(verb));
        }
        can_begin
    }

    /// Goes on after an action. Returns true.
    fn end(&self, s: &mut State) -> bool {
        let is_last = s.phase() == Phase::Top && s.actions_left == 0;
        if is_last && s.free() == 0 && s.multi[s.actor()] == s.used[s.actor()] {
            // Only ending the turn is left: no search for options.
            self.end_turn(s);
        }
        self.go_on(s, Self::is_turn_going_on);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::each;
    use crate::rng::{Purpose, Randomness, stream};
    use crate::rules::{Configure, Rules};
    use crate::walk::Walk;

    /// Returns the decisions of a player in turn, one by one, until their action is over.
    fn step_by_step(
        game: &Conquest2,
        mut state: State,
        answer: impl Fn(&State) -> Action,
    ) -> State {
        loop {
            let action = answer(&state);
            game.try_out(&mut state, action);
            if !matches!(
                state.phase(),
                Phase::BuyIn
                    | Phase::BuySource
                    | Phase::BuyMore
                    | Phase::Tax
                    | Phase::MoveFrom
                    | Phase::MoveTo
                    | Phase::MoveCount
            ) {
                return state;
            }
        }
    }

    fn member(game: &Conquest2, s: &State, bit: u8) -> Action {
        let set = s.options.set();
        assert!(set >> bit & 1 == 1, "{bit} is no option in {:?}", s.phase());
        game.option(s, (set & ((1 << bit) - 1)).count_ones() as u16)
    }

    fn number(game: &Conquest2, s: &State, number: u16) -> Action {
        let (lo, n) = (s.options.lo(), s.options.n());
        game.option(s, number.clamp(lo, lo + n - 1) - lo)
    }

    /// The last option is `done` or `stop`.
    const LAST: u8 = 63;

    fn check_pass_and_tax(game: &Conquest2, state: &State) {
        let mut whole = *state;
        assert!(game.try_pass(&mut whole));
        let passed = step_by_step(game, *state, |_| Action::plain(Verb::PassAction));
        assert_eq!(whole, passed);
        let mut whole = *state;
        assert!(game.try_tax(&mut whole));
        let taxed = step_by_step(game, *state, |s| match s.phase() {
            Phase::Top => Action::plain(Verb::Tax),
            _ => number(game, s, u16::MAX),
        });
        assert_eq!(whole, taxed);
    }

    /// Checks all purchases of up to two tokens, and returns their number.
    fn check_purchases(game: &Conquest2, state: &State) -> u32 {
        let mut n_purchases = 0;
        for place in game.markets(state).iter() {
            for first in each(game.sources(state, place)) {
                let seconds = [None].into_iter().chain(Source::ALL.map(Some));
                for second in seconds.filter(|s| s.is_none_or(|s| s.number() >= first)) {
                    let mut whole = *state;
                    assert!(game.try_purchase(&mut whole, place, Source::of(first), second));
                    let bought = step_by_step(game, *state, |s| match s.phase() {
                        Phase::Top => Action::plain(Verb::Buy),
                        Phase::BuyIn => member(game, s, place.number()),
                        Phase::BuySource => member(game, s, first),
                        _ => {
                            let can_go_on = |s2: &Source| s.options.set() >> s2.number() & 1 == 1;
                            member(game, s, second.filter(can_go_on).map_or(LAST, Source::number))
                        }
                    });
                    assert_eq!(whole, bought);
                    n_purchases += 1;
                }
            }
        }
        n_purchases
    }

    /// Checks every card that can be taken and every battle, and returns their number; the decisions that follow are
    /// left open.
    fn check_takes_and_battles(game: &Conquest2, state: &State) -> u32 {
        let mut n_begun = 0;
        let mut check = |whole: Option<State>, verb: Verb, members: &[(Phase, u8)]| {
            let mut state = *state;
            game.try_out(&mut state, Action::plain(verb));
            for &(phase, bit) in members {
                if phase == state.phase() {
                    let action = member(game, &state, bit);
                    game.try_out(&mut state, action);
                }
            }
            assert_eq!(whole, Some(state));
            n_begun += 1;
        };
        let whole = |begin: &dyn Fn(&mut State) -> bool| {
            let mut whole = *state;
            if begin(&mut whole) {
                return Some(whole);
            }
            assert_eq!(whole, *state);
            None
        };
        let offers = |bit: u8| state.options.set() >> bit & 1 == 1;
        if offers(0) && state.free() == 0 {
            for card in game.takeable(state).iter() {
                let taken = whole(&|s| game.try_take(s, card));
                check(taken, Verb::Take, &[(Phase::TakeCard, card.number())]);
            }
        }
        for place in game.battlefields(state).iter() {
            for against in game.players() {
                let fought = whole(&|s| game.try_battle(s, place, against));
                if game.enemies_in(state, place).contains(against) {
                    let members = [
                        (Phase::BattleIn, place.number()),
                        (Phase::BattleAgainst, against.number()),
                    ];
                    check(fought, Verb::Battle, &members);
                } else {
                    assert_eq!(fought, None);
                }
            }
        }
        n_begun
    }

    /// Checks marches to random places with random numbers, and returns their number.
    fn check_marches(game: &Conquest2, state: &State, rng: &mut impl Randomness) -> u32 {
        let mut n_marches = 0;
        for from in game.departures(state).iter() {
            let reach = game.reach(state, state.actor(), from);
            let draw = rng.next_u64() & rng.next_u64();
            let to = PlaceSet::from_bits(draw & ((1 << 42) - 1));
            let units = rng.next_u64();
            let wanted =
                |place: Place, mover: Mover| (units >> (place.idx() + mover.idx()) & 3) as u8;
            let mut whole = *state;
            let by_land = game.reach_by_land(state, state.actor(), from);
            if (to & reach).is_empty() {
                assert!(!game.try_march(&mut whole, from, by_land, to, wanted) && whole == *state);
                continue;
            }
            assert!(game.try_march(&mut whole, from, by_land, to, wanted));
            let marched = step_by_step(game, *state, |s| match s.phase() {
                Phase::Top => Action::plain(Verb::Move),
                Phase::MoveFrom => member(game, s, from.number()),
                Phase::MoveTo => {
                    let next = (to & PlaceSet::from_bits(s.options.set() & !(1 << LAST))).first();
                    member(game, s, next.map_or(LAST, Place::number))
                }
                _ => {
                    let leg = s.detail.leg().expect("a destination");
                    number(game, s, wanted(leg.to, leg.mover()).into())
                }
            });
            assert_eq!(whole, marched);
            n_marches += 1;
        }
        n_marches
    }

    #[test]
    fn what_is_carried_out_whole_is_what_its_decisions_do() {
        let mut rng = stream(3, 0, Purpose::Analysis);
        let (mut n_turns, mut n_purchases, mut n_marches, mut n_begun) = (0, 0, 0, 0);
        for (index, setting) in
            [None, Some("move.galley_capacity=0"), Some("buy.with_caesar=3")].iter().enumerate()
        {
            let mut rules = Rules::of::<Conquest2>();
            setting.iter().for_each(|setting| rules.set(setting).expect("a setting"));
            for n_players in 2..=6 {
                let game = Conquest2::configure(n_players, &rules).expect("good rules");
                let mut walk = Walk::new(&game, 9, (10 * index + n_players) as u64);
                while walk.next().is_some() {
                    let state = walk.state();
                    if state.phase() != Phase::Top || state.actions_left == 0 {
                        assert!(!game.try_pass(&mut { *state }) && !game.try_tax(&mut { *state }));
                        continue;
                    }
                    check_pass_and_tax(&game, state);
                    n_begun += check_takes_and_battles(&game, state);
                    n_purchases += check_purchases(&game, state);
                    n_marches += check_marches(&game, state, &mut rng);
                    n_turns += 1;
                }
            }
        }
        assert!(n_turns > 1_000 && n_purchases > 1_000 && n_marches > 1_000 && n_begun > 1_000);
    }
}
