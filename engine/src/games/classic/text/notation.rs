//! The notation of classic: the words of the decision protocol, and events and states of records (15).

use std::fmt;

use serde_json::{Map, Value, json};

use crate::games::classic::Classic;
use crate::games::classic::flow::setup::PLACED;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::battle::{Fallen, Side};
use crate::games::classic::model::detail::{Detail, Kind};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place};
use crate::games::classic::model::state::{State, counts};
use crate::games::shared::dice::{face_name, faces_of};
use crate::games::shared::units::Unit;
use crate::notation::{ChanceEvent, Notation, ParseActionError};
use crate::player::Player;

/// Returns the words of an action that stand before its numbers.
const fn word(verb: Verb) -> &'static str {
    match verb {
        Verb::Claim => "claim",
        Verb::PlacePair | Verb::PlaceOne => "place",
        Verb::Sail => "sail",
        Verb::Convoy => "convoy",
        Verb::Board => "board",
        Verb::March => "march",
        Verb::Done => "done",
        Verb::To => "to",
        Verb::Count => "count",
        Verb::Attack => "attack",
        Verb::Retreat => "retreat",
        Verb::Stay => "stay",
        Verb::Crown => "crown",
        Verb::Ransom => "ransom",
        Verb::Exchange => "exchange",
        Verb::Accept => "accept",
        Verb::Refuse => "refuse",
        Verb::Raze => "raze",
        Verb::BuyCity => "buy city",
        Verb::BuyFort => "buy fort",
        Verb::BuyRoad => "buy road",
        Verb::BuyUnit => "buy",
        Verb::Dice => "dice",
        Verb::EndDie => "end-die",
    }
}

impl Classic {
    /// Returns the name of a province or sea zone in texts.
    #[must_use]
    pub fn place_id(&self, place: Place) -> &str {
        &self.board.ids[place.idx()]
    }

    fn id(&self, number: u8) -> &str {
        self.place_id(Place::new(number))
    }

    /// Writes what follows the word of an action; seats count from `first_seat`.
    fn write_argument(
        &self,
        action: Action,
        first_seat: u8,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let [a, b, c, d, _] = action.args;
        let piece = |kind: u8| PLACED[usize::from(kind)].name();
        match action.verb {
            Verb::PlaceOne => write!(f, " {} {}", piece(a), self.id(b)),
            Verb::PlacePair => {
                write!(f, " {} {} {} {}", piece(a), self.id(b), piece(c), self.id(d))
            }
            Verb::Claim
            | Verb::To
            | Verb::Retreat
            | Verb::Crown
            | Verb::Raze
            | Verb::BuyCity
            | Verb::BuyFort => write!(f, " {}", self.id(a)),
            Verb::Sail | Verb::Convoy | Verb::Board | Verb::March | Verb::BuyRoad => {
                write!(f, " {} {}", self.id(a), self.id(b))
            }
            Verb::Attack => write!(f, " {} {}", self.id(a), b + first_seat),
            Verb::BuyUnit => {
                write!(f, " {} {}", Unit::MILITARY[usize::from(a)].name(), self.id(b))
            }
            Verb::Ransom => {
                let talents = self.board.config.income.ransom_offers[usize::from(b)];
                write!(f, " {} {talents}", a + first_seat)
            }
            Verb::Count => write!(f, " {a}"),
            Verb::Exchange => write!(f, " {}", a + first_seat),
            Verb::Dice => faces_of(action.args).try_for_each(|face| write!(f, " {face}")),
            Verb::EndDie => write!(f, " {}", face_name(a.into())),
            Verb::Done | Verb::Stay | Verb::Accept | Verb::Refuse => Ok(()),
        }
    }

    /// Returns the round for a record: the one just ended, or the one under way.
    pub(crate) const fn round_in_record(s: &State) -> u8 {
        if s.is_fresh { s.milestone - 1 } else { s.round }
    }

    /// Returns the number that is asked for: the action under way and the kind that is counted. Records do without.
    fn asked(state: &State) -> Option<Value> {
        let troops = || Unit::MILITARY[usize::from(state.battle.due)].name();
        let (action, kind) = match (state.phase, state.detail) {
            (Phase::SailCount, _) => ("sail", Unit::Galley.name()),
            (Phase::Group, Detail::Group(group)) => {
                ("go", Kind::ALL[usize::from(group.due)].name())
            }
            (Phase::Legion, _) => ("fight", troops()),
            (Phase::Losses, _) => ("lose", troops()),
            (Phase::PursuitLosses, _) => ("lose to the pursuit", troops()),
            (Phase::Keep, _) => ("keep", Unit::General.name()),
            (Phase::Buy, Detail::Units { unit, .. }) => ("buy", unit.name()),
            _ => return None,
        };
        Some(json!({ "action": action, "kind": kind }))
    }

    /// Returns the land battle in which a side is to choose. Armies, legions of the round and hits to be taken are by
    /// side, the attacker's first. Records do without.
    fn battle_json(&self, state: &State) -> Option<Value> {
        let phase = match state.phase {
            Phase::Legion => "legion",
            Phase::Losses => "losses",
            Phase::Retreat => "retreat",
            Phase::PursuitLosses => "pursuit",
            _ => return None,
        };
        let battle = &state.battle;
        Some(json!({
            "phase": phase,
            "place": self.place_id(battle.place),
            "round": battle.round,
            "attacker": state.turn.number(),
            "defender": battle.defender.map(Player::number),
            "armies": Side::ALL.map(|side| Self::force(state, side)),
            "legions": battle.legion,
            "hits": battle.hits,
        }))
    }

    /// Returns the rest of the guard of a province.
    pub(crate) fn guard_strength(&self, s: &State, place: Place) -> u8 {
        let battle = &s.battle;
        let is_fought = battle.round > 0 && battle.place == place && battle.defender.is_none();
        if is_fought { battle.guard } else { self.board.guard[place.idx()] }
    }

    fn players_json(&self, s: &State) -> Value {
        let talents = if s.is_fresh { s.closing } else { s.talents };
        let captives =
            |q: Player| self.players().map(|owner| s.captives[q].of(owner)).collect::<Vec<_>>();
        let player = |q: Player| {
            json!({
                "home": self.place_id(self.home(q)),
                "out": s.out.contains(q),
                "talents": talents[q],
                "captives": captives(q),
            })
        };
        self.players().map(player).collect()
    }

    /// Returns the leaders of a seat that stood in a place at the end of a round and fell before the first ply of the
    /// next.
    fn stood(s: &State, player: Player, place: Place) -> Fallen {
        let is_due = s.is_fresh && matches!(s.phase, Phase::Keep | Phase::Crown);
        let fall = s.battle.fall.filter(|fall| is_due && fall.owner == player);
        let here = fall.filter(|_| s.battle.place == place);
        here.map_or(Fallen { generals: 0, has_caesar: false }, |fall| fall.fallen)
    }

    /// Returns the pieces by seat: infantry, cavalry, catapults, galleys, generals, caesar.
    fn pieces_json(&self, s: &State, places: std::ops::Range<usize>) -> Value {
        let mut all = Map::new();
        for place in places.map(|p| Place::new(p as u8)) {
            let pieces = |q: Player| {
                let troops = s.troops(q, place);
                let [i, v, k] = counts(troops);
                let stood = Self::stood(s, q, place);
                let caesar = u8::from(s.caesar[q] == Some(place) || stood.has_caesar);
                [i, v, k, s.galleys(q, place), troops.generals() + stood.generals, caesar]
            };
            let by_seat: Vec<[u8; 6]> = self.players().map(pieces).collect();
            if by_seat.iter().all(|pieces| *pieces == [0; 6]) {
                continue;
            }
            let or_null = |p: [u8; 6]| if p == [0; 6] { Value::Null } else { json!(p) };
            all.insert(self.place_id(place).to_owned(), by_seat.into_iter().map(or_null).collect());
        }
        Value::Object(all)
    }

    /// Returns the values of provinces that have one, by name.
    fn by_province(&self, value: impl Fn(Place) -> Option<Value>) -> Value {
        let named = |p: Place| Some((self.place_id(p).to_owned(), value(p)?));
        Value::Object(Place::first(N_PROVINCES).filter_map(named).collect())
    }

    fn roads_json(&self, s: &State) -> Value {
        let built = s.road_bits();
        let borders = self.board.borders.iter().enumerate();
        let roads = borders.filter(|(i, _)| built >> i & 1 == 1);
        roads.map(|(_, &(p, q))| json!([self.place_id(p), self.place_id(q)])).collect()
    }
}

impl Notation for Classic {
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
        let (value, who) = if outcome.verb == Verb::EndDie {
            (json!(face_name(outcome.args[0].into())), json!(state.turn.number()))
        } else {
            (faces_of(outcome.args).collect(), json!(state.battle.side.word()))
        };
        ChanceEvent { chance: word(outcome.verb).to_owned(), who: Some(who), value }
    }

    /// Reads rolls directly, in any order of faces: listing all of them would be slow for many dice.
    fn parse_chance(&self, state: &State, event: &ChanceEvent) -> Result<Action, ParseActionError> {
        if state.phase != Phase::EndDie
            && let Some(roll) = self.board.die.read(&event.value, self.n_dice(state))
        {
            let roll = Action::dice(roll);
            let same = self.chance_event(state, roll);
            if same.chance == event.chance && same.who == event.who {
                return Ok(roll);
            }
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
        let level = if state.is_fresh { state.closing_level } else { state.level };
        let city = |p| {
            let word = if state.forts.contains(p) { "fort" } else { "city" };
            state.cities.contains(p).then(|| json!(word))
        };
        let guard = |p| state.guards.contains(p).then(|| json!(self.guard_strength(state, p)));
        json!({
            "round": Self::round_in_record(state),
            "factor": self.board.config.income.inflation_factor[usize::from(level)],
            "players": self.players_json(state),
            "owner": self.by_province(|p| state.owner(p).map(|q| json!(q.number()))),
            "guard": self.by_province(guard),
            "city": self.by_province(city),
            "roads": self.roads_json(state),
            "land": self.pieces_json(state, 0..N_PROVINCES),
            "sea": self.pieces_json(state, N_PROVINCES..N_PLACES),
        })
    }

    fn view_json(&self, state: &State, _observer: Player) -> Value {
        let mut view = self.state_json(state);
        if let Some(asked) = Self::asked(state) {
            view["asked"] = asked;
        }
        if let Some(battle) = self.battle_json(state) {
            view["battle"] = battle;
        }
        view
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        self.write_table(state, f)
    }
}
