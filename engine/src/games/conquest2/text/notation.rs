//! The notation of conquest2: the words of the decision protocol, and the events and states of records.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::{Card, Family, Vote};
use crate::games::conquest2::model::counts::{Mover, N_MOVERS};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, N_PROVINCES, N_ZONES, Place, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::shared::dice::faces_of;
use crate::notation::{ChanceEvent, Notation, ParseActionError};
use crate::player::Player;
use crate::rng::Purpose;

/// Returns the stream of a number of the null treatment.
const fn stream_name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Setup => "setup",
        Purpose::Decks => "decks",
        _ => "dice",
    }
}

/// Returns the plain words, which need no number.
const fn word(verb: Verb) -> &'static str {
    match verb {
        Verb::Pass | Verb::PassAction => "pass",
        Verb::Bid => "bid",
        Verb::Take => "take",
        Verb::Recruit => "recruit",
        Verb::Buy => "buy",
        Verb::Tax => "tax",
        Verb::Move => "move",
        Verb::Battle => "battle",
        Verb::Sail => "sail",
        Verb::Use => "use",
        Verb::End => "end",
        Verb::Stop => "stop",
        Verb::Done => "done",
        Verb::NoAttack => "no-attack",
        Verb::Stay => "stay",
        Verb::WindYes => "wind yes",
        Verb::WindNo => "wind no",
        Verb::Loot => "loot",
        Verb::Propose => "propose",
        Verb::Amount => "amount",
        Verb::PlaceCaesar => "place caesar",
        Verb::PlaceGeneral => "place general",
        Verb::PlaceGalley => "place galley",
        Verb::Count => "count",
        Verb::Card | Verb::Drawn => "card",
        Verb::In => "in",
        Verb::Source => "source",
        Verb::From | Verb::FromZone => "from",
        Verb::To | Verb::ToZone => "to",
        Verb::Against => "against",
        Verb::Target => "target",
        Verb::Attack => "attack",
        Verb::Retreat => "retreat",
        Verb::Withdraw => "withdraw",
        Verb::Merchant => "merchant",
        Verb::AssassinGeneral => "assassin general",
        Verb::AssassinSenator => "assassin senator",
        Verb::Vote => "vote",
        Verb::Show => "show",
        Verb::First => "first-player",
        Verb::Token => "token",
        Verb::Dice => "dice",
        Verb::Senator => "senator",
        Verb::Null => "null",
    }
}

impl Conquest2 {
    /// Returns the name of a province in texts.
    #[must_use]
    pub fn province_id(&self, place: Place) -> &str {
        &self.board.province_ids[place.idx()]
    }

    /// Returns the name of a sea zone in texts.
    #[must_use]
    pub fn zone_id(&self, zone: Zone) -> &str {
        &self.board.zone_ids[zone.idx()]
    }

    fn key_id(&self, key: Key) -> &str {
        self.province_id(self.board.key_province[key.idx()])
    }

    /// Writes what follows the word of an action; seats count from `first_seat`.
    fn write_argument(
        &self,
        action: Action,
        first_seat: u8,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let [a, b, c, d, _] = action.args;
        match action.verb {
            Verb::Propose => {
                let seat = |q: Option<Player>| {
                    q.map_or_else(|| "-".to_owned(), |q| (q.number() + first_seat).to_string())
                };
                let [a, b] = action.boxes().map(seat);
                write!(f, " {a} {b}")
            }
            Verb::Amount => {
                write!(f, " {}", i64::from(action.steps()) * self.board.config.auction.step)
            }
            Verb::PlaceCaesar
            | Verb::PlaceGeneral
            | Verb::In
            | Verb::From
            | Verb::To
            | Verb::Retreat
            | Verb::Withdraw => write!(f, " {}", self.province_id(Place::new(a))),
            Verb::PlaceGalley | Verb::FromZone | Verb::ToZone => {
                write!(f, " {}", self.zone_id(Zone::new(a)))
            }
            Verb::Count | Verb::Null => write!(f, " {a}"),
            Verb::Against | Verb::Target | Verb::Attack | Verb::AssassinSenator | Verb::First => {
                write!(f, " {}", a + first_seat)
            }
            Verb::Source if a == 0 => f.write_str(" token"),
            Verb::Source => write!(f, " {}", a - 1 + first_seat),
            Verb::Card | Verb::Drawn => write!(f, " {}", Card::new(a).id()),
            Verb::Merchant => write!(f, " {}", Card::merchant(a).short_id()),
            Verb::AssassinGeneral => {
                write!(f, " {} {}", a + first_seat, self.province_id(Place::new(b)))
            }
            Verb::Vote => write!(f, " {}", Card::vote(Vote::ALL[usize::from(a)]).short_id()),
            Verb::Show => write!(f, " {a} {b} {c} {d}"),
            Verb::Token => write!(f, " {}", self.key_id(Key::new(a))),
            Verb::Senator => write!(f, " {}", a + 1),
            Verb::Dice => faces_of(action.args).try_for_each(|face| write!(f, " {face}")),
            _ => Ok(()),
        }
    }
}

impl Notation for Conquest2 {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        f.write_str(word(action.verb))?;
        self.write_argument(action, 0, f)
    }

    fn write_action_for_people(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        f.write_str(word(action.verb))?;
        self.write_argument(action, 1, f)
    }

    fn chance_event(&self, state: &State, outcome: Action) -> ChanceEvent {
        let arg = outcome.args[0];
        let (value, who) = match outcome.verb {
            Verb::First => (json!(arg), None),
            Verb::Token if state.phase() == Phase::SetupToken => {
                (json!(self.key_id(Key::new(arg))), Some(json!(self.setup_drawer(state).number())))
            }
            Verb::Token => (json!(self.key_id(Key::new(arg))), None),
            Verb::Drawn => (json!(Card::new(arg).id()), None),
            Verb::Senator => (json!(arg + 1), None),
            Verb::Null => (json!(arg), Some(json!(stream_name(Self::null_purpose(state))))),
            _ => (faces_of(outcome.args).collect(), Some(json!(state.battle.side.word()))),
        };
        ChanceEvent { chance: word(outcome.verb).to_owned(), who, value }
    }

    /// A bribed Senator is seen by thief and victim alone.
    fn seen_chance(&self, state: &State, outcome: Action, observer: Player) -> ChanceEvent {
        let event = self.chance_event(state, outcome);
        match outcome.verb {
            Verb::Senator if self.is_secret_bribe(state, observer) => {
                ChanceEvent { value: Value::Null, ..event }
            }
            _ => event,
        }
    }

    /// Reads rolls directly, in any order of faces: listing all of them would be slow for many dice.
    fn parse_chance(&self, state: &State, event: &ChanceEvent) -> Result<Action, ParseActionError> {
        if state.phase() == Phase::Dice
            && let Some(roll) = self.parse_roll(state, event)
        {
            return Ok(roll);
        }
        let mut outcomes = Vec::new();
        self.list_events(state, &mut outcomes);
        let written = |&(outcome, _): &(Action, f64)| self.chance_event(state, outcome);
        if let Some(found) = outcomes.iter().find(|o| written(o) == *event) {
            return Ok(found.0);
        }
        let json = |e: &ChanceEvent| serde_json::to_string(e).unwrap_or_default();
        let expected = outcomes.iter().map(|o| json(&written(o))).collect();
        Err(ParseActionError::new(&json(event), expected))
    }

    fn state_json(&self, state: &State) -> Value {
        let has_order = state.milestone > 1;
        let order = if has_order { &state.order[..self.n_players] } else { &[] };
        let alliance: Vec<&str> =
            order.iter().map(|&q| if state.alliance_b.contains(q) { "B" } else { "A" }).collect();
        json!({
            "season": state.season,
            "order": order.iter().map(|q| q.number()).collect::<Vec<_>>(),
            "alliance": alliance,
            "players": self.players().map(|q| player_json(state, q)).collect::<Vec<_>>(),
            "land": self.land_json(state),
            "sea": self.sea_json(state),
            "influence": self.influence_json(state),
            "tokens": self.keys_json(&state.tokens),
            "cities": self.cities_json(state),
            "display": sorted_cards(|card| state.display[card.idx()]),
            "deck": deck_json(state),
            "bag": self.keys_json(&state.bag),
        })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        self.write_table(state, None, f)
    }

    fn view_json(&self, state: &State, observer: Player) -> Value {
        self.observation_json(state, observer)
    }

    fn write_view(&self, state: &State, observer: Player, f: &mut dyn fmt::Write) -> fmt::Result {
        self.write_table(state, Some(observer), f)
    }
}

impl Conquest2 {
    fn parse_roll(&self, state: &State, event: &ChanceEvent) -> Option<Action> {
        let roll = self.board.die.read(&event.value, self.n_dice(state))?;
        let roll = Action { verb: Verb::Dice, args: roll };
        let same = self.chance_event(state, roll);
        (same.chance == event.chance && same.who == event.who).then_some(roll)
    }

    fn land_json(&self, s: &State) -> Value {
        let mut land = Map::new();
        for p in Place::first(N_PROVINCES) {
            let units = |q: Player| -> Value {
                let troops = s.troops(q, p);
                let caesar = u8::from(s.caesar[q] == Some(p));
                let count = |unit| troops.count(unit);
                let counts = Mover::ALL.map(|mover| mover.unit().map_or(caesar, count));
                if counts == [0; N_MOVERS] { Value::Null } else { json!(counts) }
            };
            if self.players().any(|q| s.units_of(q).contains(p)) {
                land.insert(self.province_id(p).to_owned(), self.players().map(units).collect());
            }
        }
        Value::Object(land)
    }

    fn sea_json(&self, s: &State) -> Value {
        let zones = Zone::first(N_ZONES).filter(|&z| s.sea[z.idx()] != 0);
        let galleys = |z: Zone| self.players().map(|q| json!(s.galleys(q, z))).collect::<Value>();
        Value::Object(zones.map(|z| (self.zone_id(z).to_owned(), galleys(z))).collect())
    }

    fn influence_json(&self, s: &State) -> Value {
        let keys = Key::first(self.board.n_keys).filter(|&key| s.influence[key.idx()] != 0);
        let tokens =
            |key: Key| self.players().map(|q| json!(s.influence_of(q, key))).collect::<Value>();
        Value::Object(keys.map(|key| (self.key_id(key).to_owned(), tokens(key))).collect())
    }

    fn keys_json(&self, counts: &[u8]) -> Value {
        let keys = Key::first(self.board.n_keys).filter(|&key| counts[key.idx()] > 0);
        Value::Object(
            keys.map(|key| (self.key_id(key).to_owned(), json!(counts[key.idx()]))).collect(),
        )
    }

    fn cities_json(&self, s: &State) -> Value {
        let owner = |p: Place| s.city_owner(self.board.city_site[p.idx()]);
        let cities = Place::first(N_PROVINCES).filter_map(|p| Some((p, owner(p)?)));
        Value::Object(
            cities.map(|(p, q)| (self.province_id(p).to_owned(), json!(q.number()))).collect(),
        )
    }
}

fn player_json(s: &State, player: Player) -> Value {
    json!({
        "money": s.money[player],
        "chaos": s.chaos[player],
        "vp": s.vp[player],
        "senators": s.senators[player],
        "cards": held_cards(s, player),
    })
}

/// Returns the cards in front of a player by id, with a repeat for each copy.
pub(crate) fn held_cards(s: &State, player: Player) -> Vec<&'static str> {
    sorted_cards(|card| match card.family() {
        Family::MultiUse | Family::Diplomacy | Family::Passive => s.held(player, card),
        Family::Senator | Family::Immediate => 0,
    })
}

pub(crate) fn sorted_cards(count: impl Fn(Card) -> u8) -> Vec<&'static str> {
    let mut cards: Vec<&str> =
        Card::all().flat_map(|card| std::iter::repeat_n(card.id(), count(card).into())).collect();
    cards.sort_unstable();
    cards
}

fn deck_json(s: &State) -> Value {
    let kinds = Card::all().filter(|card| s.deck[card.idx()] > 0);
    Value::Object(kinds.map(|card| (card.id().to_owned(), json!(s.deck[card.idx()]))).collect())
}
