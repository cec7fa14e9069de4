//! Invariants of positions, which must hold after every event of any game.
//!
//! The audit counts everything anew from the board. It shares no code with the rules that keep the counts, so that a
//! slip in either shows. Tests and `cargo run --example audit` call it after every event of random games.

use crate::games::conquest2::model::battle::Battle;
use crate::games::conquest2::model::board::N_CITY_SITES;
use crate::games::conquest2::model::cards::{
    Card, CardKind, Family, N_BARBARIANS, N_CITY_CARDS, N_MERCHANTS, N_VOTES, Vote,
};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::packed::lane;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{MAX_KEYS, N_PROVINCES, N_ZONES, Place, Site};
use crate::games::conquest2::model::state::{Ballot, MOST_TALENTS, State};
use crate::games::conquest2::model::treated::Treatments;
use crate::games::conquest2::model::treatments::MOST_ACTIONS;
use crate::games::conquest2::model::units::Unit;
use crate::games::conquest2::{Conquest2, Situation};
use crate::player::{MAX_PLAYERS, Player, PlayerSet};

type Finding = Result<(), String>;

/// Returns a finding unless `is_fine`.
fn ensure(is_fine: bool, finding: impl FnOnce() -> String) -> Finding {
    if is_fine { Ok(()) } else { Err(finding()) }
}

impl Situation<'_> {
    /// Checks the invariants of the state, see [`Conquest2::audit`].
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn audit(&self) -> Result<(), String> {
        self.game.audit(self.state)
    }
}

impl Conquest2 {
    /// Checks the invariants of `state`: units, influence, cards, tokens and money are conserved. Masks and the cached
    /// options agree with the board. Order and alliances divide the players. A battle has the army that stands there.
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn audit(&self, state: &State) -> Result<(), String> {
        self.audit_board(state)?;
        self.audit_battle(state)?;
        self.audit_choice(state)
    }

    /// Checks all of [`Self::audit`] that is apart from the decision that is due.
    pub(crate) fn audit_board(&self, state: &State) -> Finding {
        for player in Player::all(MAX_PLAYERS) {
            self.audit_units(state, player)?;
            Self::audit_masks(state, player)?;
            self.audit_influence(state, player)?;
            self.audit_money(state, player)?;
            Self::audit_held(state, player)?;
        }
        self.audit_lanes(state)?;
        Card::all().try_for_each(|card| self.audit_card(state, card))?;
        self.audit_tokens(state)?;
        self.audit_cities(state)?;
        self.audit_order(state)?;
        self.audit_clock(state)
    }

    /// Checks the limits of one event: cards and tokens never come into the game, time goes forward.
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn audit_step(&self, before: &State, after: &State) -> Result<(), String> {
        for card in Card::all() {
            let (was, is) = (self.in_game(before, card), self.in_game(after, card));
            ensure(is <= was, || format!("{} grows from {was} to {is}", card.id()))?;
            ensure(before.deck[card.idx()] >= after.deck[card.idx()], || {
                format!("{} goes back into the deck", card.id())
            })?;
        }
        for key in 0..MAX_KEYS {
            let tokens = |s: &State| u16::from(s.bag[key]) + u16::from(s.tokens[key]);
            let (was, is) = (tokens(before), tokens(after));
            ensure(is <= was, || format!("tokens of key {key} grow from {was} to {is}"))?;
            ensure(after.bag[key] <= before.bag[key], || format!("bag of key {key} grows"))?;
        }
        let time = |s: &State| (s.season, s.milestone);
        ensure(time(before) <= time(after), || "time goes backwards".to_owned())?;
        ensure(after.milestone - before.milestone <= 1, || "a milestone is left out".to_owned())
    }

    /// Checks that the units on the board and in the pool add up to those of the colour.
    fn audit_units(&self, s: &State, player: Player) -> Finding {
        let q = player;
        let mut found = s.pool[q].map(u16::from);
        for troops in s.land[q] {
            Unit::ALL.into_iter().for_each(|unit| found[unit] += u16::from(troops.count(unit)));
        }
        let words = s.sea.iter().chain(&s.battle.committed);
        found[Unit::Galley] += words.map(|&word| u16::from(lane(word, player))).sum::<u16>();
        for unit in Unit::ALL {
            let due = if q.idx() < self.n_players { u16::from(self.board.pool[unit]) } else { 0 };
            ensure(found[unit] == due, || {
                format!("player {q} has {} {} of {due}", found[unit], unit.name())
            })?;
        }
        let may_be = q.idx() < self.n_players && self.board.config.start.caesar > 0;
        ensure(s.caesar[q].is_none_or(|place| may_be && place.idx() < N_PROVINCES), || {
            format!("the caesar of player {q} is in {:?}", s.caesar[q])
        })
    }

    fn audit_masks(s: &State, player: Player) -> Finding {
        let q = player;
        for place in Place::first(N_PROVINCES) {
            let troops = s.land[q][place.idx()];
            let has_leader = troops.generals() > 0 || s.caesar[q] == Some(place);
            ensure(s.army[q].contains(place) == (troops.military() > 0), || {
                format!("army mask of player {q} in province {}", place.number())
            })?;
            ensure(s.leaders[q].contains(place) == has_leader, || {
                format!("leader mask of player {q} in province {}", place.number())
            })?;
        }
        ensure((s.army[q] | s.leaders[q]).bits() >> N_PROVINCES == 0, || {
            format!("masks of player {q} beyond the map")
        })
    }

    fn audit_influence(&self, s: &State, player: Player) -> Finding {
        let q = player;
        let on_board: u16 = s.influence.iter().map(|&word| u16::from(lane(word, player))).sum();
        let found = on_board + u16::from(s.supply[q]);
        let due = if q.idx() < self.n_players { self.board.config.pools.influence } else { 0 };
        ensure(i64::from(found) == due, || format!("player {q} has {found} influence of {due}"))
    }

    fn audit_money(&self, s: &State, player: Player) -> Finding {
        let q = player;
        let (money, most) = (i64::from(s.money[q]), self.most_money());
        ensure(money <= most, || format!("player {q} has {money} talents, at most {most}"))?;
        let (unit, may_be_capped) = (self.coin(), most > i64::from(MOST_TALENTS));
        ensure(may_be_capped || money % unit == 0, || {
            format!("player {q} has {money} talents, no multiple of {unit}")
        })
    }

    /// Returns the largest number that divides every amount of talents in the rules.
    fn coin(&self) -> i64 {
        let c = &self.board.config;
        let prices = self.board.price.iter().chain(&self.board.card_cost);
        let amounts = [
            c.prices.influence,
            c.options.money,
            c.auction.step,
            c.tax.special_talents,
            c.tax.influence,
            c.tax.city,
            c.loot.talents,
            c.vote.emergency_tax,
        ];
        let rewards = self.board.barbarian_reward.map(|reward| i64::from(reward.talents));
        let others = prices.chain(&self.board.merchant_talents).map(|&n| i64::from(n));
        let given = self.board.treated.iter().flat_map(|treatments| treatments.talents());
        others.chain(amounts).chain(rewards).chain(given).fold(0, gcd).max(1)
    }

    /// Returns a number of talents that no player can ever exceed.
    fn most_money(&self) -> i64 {
        let c = &self.board.config;
        let count = |card: Card| {
            let given = self.board.treated.as_ref().map_or(0, |t| t.copies(card, usize::MAX));
            i64::from(self.board.card_count[card.idx()]) + given
        };
        let given: i64 = self.board.treated.iter().flat_map(|t| t.talents()).sum();
        let more_actions = if self.board.treated.is_some() { MOST_ACTIONS } else { 0 };
        let merchants: i64 = (0..N_MERCHANTS)
            .map(|i| count(Card::merchant(i as u8)) * i64::from(self.board.merchant_talents[i]))
            .sum();
        let taxes = c.pools.influence * (c.tax.influence + c.tax.city);
        let special = (c.options.rounds * c.options.actions + more_actions)
            * c.tax.special_steps
            * c.tax.special_talents;
        let season = taxes
            + special
            + merchants * c.pools.influence
            + count(Card::LOOT) * c.loot.talents
            + count(Card::vote(Vote::EmergencyTax)) * c.vote.emergency_tax;
        let rewards: i64 = (0..N_BARBARIANS)
            .map(|i| {
                count(Card::barbarians(i as u8)) * i64::from(self.board.barbarian_reward[i].talents)
            })
            .sum();
        c.options.money + c.options.seasons * season + rewards + given
    }

    /// Checks that no more copies of a multi-use card are used than are held.
    fn audit_held(s: &State, player: Player) -> Finding {
        let q = player;
        for slot in 0..16 {
            let nibble = |word: u64| word >> (4 * slot) & 15;
            let (used, held) = (nibble(s.used[q]), nibble(s.multi[q]));
            ensure(used <= held, || format!("player {q} used {used} of {held} cards {slot}"))?;
        }
        ensure(s.multi[q] >> (4 * (N_MERCHANTS + 2 + N_VOTES)) == 0, || {
            format!("player {q} has unknown cards")
        })
    }

    /// Checks that empty seats have nothing at sea and no influence.
    fn audit_lanes(&self, s: &State) -> Finding {
        let words = s.sea.iter().chain(&s.influence).chain(&s.battle.committed);
        let is_clean = words.copied().all(|word| u64::from(word) >> (5 * self.n_players) == 0);
        ensure(is_clean, || "galleys or influence of an empty seat".to_owned())
    }

    /// Returns the number of cards of one kind that are still in the game.
    fn in_game(&self, s: &State, card: Card) -> u16 {
        let kind = card.idx();
        let lies = u16::from(s.display[kind]) + u16::from(s.deck[kind]);
        let held = self.players().map(|q| match card.family() {
            Family::Senator => u16::from(s.senators[q][kind]),
            Family::Immediate => 0,
            Family::MultiUse | Family::Diplomacy | Family::Passive => u16::from(s.held(q, card)),
        });
        // Between the end of a vote and the draw for Rome, the shown cards are in no hand.
        let is_spent = s.phase() == Phase::SenatorDraw && card.family() == Family::Senator;
        let spent = if is_spent { u16::from(s.vote.shown[kind]) } else { 0 };
        lies + spent + held.sum::<u16>()
    }

    /// Returns the number of copies that came from outside and are present now; those of Diplomacy cards stay for their
    /// season.
    fn given(treatments: &Treatments, s: &State, card: Card) -> u16 {
        use Phase::{FirstPlayer, NullDraw, Over, SeasonCard, SeasonToken, SetupToken};
        let is_before = matches!(
            s.phase(),
            FirstPlayer | SetupToken | SeasonToken | SeasonCard | NullDraw | Over
        );
        let last = usize::from(s.season).checked_sub(usize::from(is_before));
        let copies = match (card.family(), last) {
            (_, None) => 0,
            (Family::Diplomacy, Some(_)) if is_before => 0,
            (Family::Diplomacy, Some(last)) => {
                let before =
                    last.checked_sub(1).map_or(0, |before| treatments.copies(card, before));
                treatments.copies(card, last) - before
            }
            (_, Some(last)) => treatments.copies(card, last),
        };
        copies as u16
    }

    fn audit_card(&self, s: &State, card: Card) -> Finding {
        let config = &self.board.config;
        let mut due = u16::from(self.board.card_count[card.idx()]);
        let dealt = match card.family() {
            Family::Senator => (config.start.senators[card.idx()] as usize * self.n_players) as u16,
            _ => 0,
        };
        let treated = self.board.treated.as_deref();
        if treated.is_some_and(|treatments| treatments.no_cards.contains(card)) {
            due = dealt;
        } else if !config.start.senators_from_deck {
            due += dealt;
        }
        due += treated.map_or(0, |treatments| Self::given(treatments, s, card));
        let found = self.in_game(s, card);
        ensure(found <= due, || format!("{found} of {due} {}", card.id()))?;
        let may_leave = matches!(card.family(), Family::Senator | Family::Immediate)
            || !config.options.untaken_cards_stay;
        let is_vote = matches!(card.kind(), CardKind::Vote(_));
        ensure(found == due || may_leave && !is_vote, || {
            format!("only {found} of {due} {}", card.id())
        })?;
        let is_shown = s.displayed.contains(card);
        ensure(is_shown == (s.display[card.idx()] > 0), || format!("display mask of {}", card.id()))
    }

    fn audit_tokens(&self, s: &State) -> Finding {
        let mut left = 0;
        for key in 0..MAX_KEYS {
            let found = u16::from(s.bag[key]) + u16::from(s.tokens[key]);
            let due = u16::from(self.board.tokens[key]);
            let placed: u16 =
                Player::all(MAX_PLAYERS).map(|q| u16::from(lane(s.influence[key], q))).sum();
            let is_setup = matches!(s.phase(), Phase::FirstPlayer | Phase::SetupToken);
            ensure(if is_setup { found + placed == due } else { found <= due }, || {
                format!("{found} of {due} tokens of key {key}")
            })?;
            left += i64::from(found);
        }
        let all: i64 = self.board.tokens.iter().map(|&n| i64::from(n)).sum();
        let drawn = self.board.config.start.influence * self.n_players as i64;
        let most = if s.milestone == 0 { all } else { all - drawn };
        ensure(left <= most, || format!("{left} tokens, at most {most}"))
    }

    /// Checks that there are no more cities than cards taken, and that each belongs to one player.
    fn audit_cities(&self, s: &State) -> Finding {
        let sites = self.board.city_site.iter().flatten().count();
        ensure(sites <= usize::from(N_CITY_SITES) && s.cities >> (4 * sites) == 0, || {
            "a city beyond the sites".to_owned()
        })?;
        let mut n_cities = 0;
        for site in Site::first(sites) {
            let Some(owner) = s.city_owner(Some(site)) else { continue };
            n_cities += 1;
            ensure(owner.idx() < self.n_players, || format!("a city of player {owner}"))?;
        }
        let cards = (0..N_CITY_CARDS as u8).map(Card::city);
        let gone: u16 = cards
            .map(|c| u16::from(self.board.card_count[c.idx()]).saturating_sub(self.in_game(s, c)))
            .sum();
        let given = self.board.treated.as_ref().map_or(0, |t| t.cities());
        ensure(n_cities <= gone + given as u16, || {
            format!("{n_cities} cities, but {gone} cards were taken")
        })
    }

    /// Checks order and alliances: half-built while auctions run, a permutation and a partition afterwards.
    fn audit_order(&self, s: &State) -> Finding {
        let n = self.n_players;
        let all = PlayerSet::first(n);
        ensure((s.alliance_b | s.unallied) - all == PlayerSet::EMPTY, || {
            "alliance of an empty seat".to_owned()
        })?;
        let n_placed = n - s.unallied.len();
        let placed: PlayerSet = s.order[..n_placed].iter().copied().collect();
        ensure(s.milestone == 0 || placed == all - s.unallied, || {
            let order = s.order.map(Player::number);
            format!("order {:?} with unallied {:b}", &order[..n], s.unallied.bits())
        })?;
        let is_between = matches!(
            s.phase(),
            Phase::SeasonToken | Phase::SeasonCard | Phase::NullDraw | Phase::Over
        );
        if s.milestone == 0 || is_between {
            return ensure(s.unallied == all, || format!("allied in {:?}", s.phase()));
        }
        let season = self.board.treated.as_deref().map(|treatments| treatments.season(s.season));
        let is_forced = season.is_some_and(|season| season.order.is_some());
        let pairs = if is_forced { 0 } else { n_placed & !1 };
        for (position, &q) in s.order[..pairs].iter().enumerate() {
            let is_b = s.alliance_b.contains(q);
            ensure(is_b == (position % 2 == 1), || format!("position {position} of player {q}"))?;
        }
        let is_auction = matches!(s.phase(), Phase::Bid | Phase::Propose | Phase::Amount);
        ensure(is_auction || s.unallied.is_empty(), || format!("unallied in {:?}", s.phase()))
    }

    fn audit_clock(&self, s: &State) -> Finding {
        let o = &self.board.config.options;
        let season = i64::from(s.season) + i64::from(s.phase() != Phase::Over);
        ensure(season <= o.seasons, || format!("season {season} of {}", o.seasons))?;
        let most = o.actions + if self.board.treated.is_some() { MOST_ACTIONS } else { 0 };
        ensure(i64::from(s.actions_left) <= most, || format!("{} actions", s.actions_left))?;
        ensure(usize::from(s.turn) <= self.n_players, || format!("turn {}", s.turn))?;
        let rounds = if s.phase().is_in_a_turn() { 1..=o.rounds } else { 0..=0 };
        ensure(rounds.contains(&s.round.into()), || {
            format!("round {} in {:?}", s.round, s.phase())
        })?;
        let is_idle = s.actions_left == 0 && !s.has_taken();
        ensure(s.round > 0 || is_idle, || format!("half a turn in {:?}", s.phase()))?;
        let is_placing =
            (Phase::PlaceCaesar as u8..=Phase::PlaceCount as u8).contains(&(s.phase() as u8));
        ensure(s.round > 0 || s.turn == 0 || is_placing, || format!("a turn in {:?}", s.phase()))?;
        let has_actor = s.actor.is_some_and(|actor| actor.idx() < self.n_players);
        ensure(has_actor || s.phase().is_chance() || s.phase() == Phase::Over, || {
            format!("nobody decides in {:?}", s.phase())
        })
    }

    /// Checks that the cached options are those of the position, and more than one. (In a world drawn for another seat
    /// a voter may hold nothing to show: a single option.)
    pub(crate) fn audit_choice(&self, s: &State) -> Finding {
        if s.phase().is_chance() || s.phase() == Phase::Over {
            return ensure(s.options == Options::NONE, || format!("options in {:?}", s.phase()));
        }
        let least = if s.phase() == Phase::Vote { 1 } else { 2 };
        ensure(s.options.n() >= least, || format!("{} options in {:?}", s.options.n(), s.phase()))?;
        ensure(s.options == self.options(s), || format!("stale options in {:?}", s.phase()))?;
        let is_vote = match s.phase() {
            Phase::Vote | Phase::LegionsIn => true,
            _ => s.vote == Ballot::EMPTY,
        };
        ensure(is_vote, || format!("a vote in {:?}", s.phase()))?;
        let holds = |bidder| (0..4).all(|v| s.vote.shown[v] <= s.senators[bidder][v]);
        ensure(s.vote.bidder.is_none_or(holds), || "shown without holding".to_owned())
    }

    /// Checks that fighting units stand in the place of the battle, and that a commander's army is all of theirs in the
    /// province.
    pub(crate) fn audit_battle(&self, s: &State) -> Finding {
        let (is_fought, is_pending) = match s.phase() {
            Phase::Commit
            | Phase::Lend
            | Phase::NavalLend
            | Phase::Dice
            | Phase::Losses
            | Phase::Retreat => (true, true),
            Phase::Withdraw | Phase::Wind | Phase::RevoltTarget => (false, true),
            _ => (false, false),
        };
        ensure(is_pending || s.battle == Battle::EMPTY, || format!("a battle in {:?}", s.phase()))?;
        if !is_fought {
            return ensure(s.battle.committed == Battle::EMPTY.committed, || {
                format!("galleys are still committed in {:?}", s.phase())
            });
        }
        for player in self.players() {
            let engaged = s.battle.engaged[player];
            let committed = s.battle.committed.iter().map(|&word| u16::from(lane(word, player)));
            ensure(u16::from(engaged[Unit::Galley]) == committed.sum::<u16>(), || {
                format!("player {player} engages {} galleys", engaged[Unit::Galley])
            })?;
            let commands = [s.battle.attacker, s.battle.defender].contains(&Some(player));
            let land = s.battle.place.map(|place| s.troops(player, place));
            for (unit, troops) in
                land.iter().flat_map(|&land| Unit::LAND_MILITARY.map(|u| (u, land)))
            {
                let there = troops.count(unit);
                let is_right =
                    if commands { engaged[unit] == there } else { engaged[unit] <= there };
                ensure(is_right, || {
                    format!("player {player} engages {} of {there} {}", engaged[unit], unit.name())
                })?;
            }
        }
        Ok(())
    }
}

const fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

const _: () = assert!(N_ZONES < 64, "zones are members of a set");
