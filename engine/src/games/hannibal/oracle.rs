//! A naive model of the rules, written from the rules page without bits, tables or speed. Random games of [`Hannibal`]
//! are compared with it, decision by decision.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Hannibal;
use crate::game::{Game, Turn};
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};
use crate::walk::{Event, Walk};

/// Pieces of each side by place.
type Pieces = [BTreeMap<String, u64>; 2];

#[derive(Clone, PartialEq, Debug)]
struct Conflict {
    place: String,
    fighter: Option<String>,
}

/// A game in words.
struct Naive {
    rules: Value,
    legions: Pieces,
    hannibal: Option<String>,
    fleets: Pieces,
    hands: [BTreeSet<u64>; 2],
    turns: u64,
    passes: u64,
    mover: usize,
    conflict: Option<Conflict>,
    scores: Option<[f64; 2]>,
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|x| x.as_str().unwrap().to_owned()).collect()
}

const NAMES: [&str; 2] = ["carthage", "rome"];

impl Naive {
    fn new(rules: Value) -> Self {
        let mut game = Self {
            legions: Pieces::default(),
            hannibal: None,
            fleets: Pieces::default(),
            hands: [BTreeSet::new(), BTreeSet::new()],
            turns: 0,
            passes: 0,
            mover: usize::from(rules["rules"]["first-player"] == "rome"),
            conflict: None,
            scores: None,
            rules,
        };
        for (seat, side) in NAMES.into_iter().enumerate() {
            let side = game.rules[side].clone();
            let name = |key: &str| side[key].as_str().unwrap().to_owned();
            let number = |key: &str| side[key].as_u64().unwrap();
            game.legions[seat].insert(name("capital"), number("legions"));
            game.fleets[seat].insert(name("fleet-route"), number("fleets"));
            if side["hannibal"] == true {
                game.hannibal = Some(name("capital"));
            }
            game.fill_hand(seat);
        }
        game.tidy();
        game
    }

    fn fill_hand(&mut self, seat: usize) {
        let values = self.rules["cards"]["values"].as_array().unwrap();
        self.hands[seat] = values.iter().map(|v| v.as_u64().unwrap()).collect();
    }

    fn tidy(&mut self) {
        self.legions.iter_mut().chain(&mut self.fleets).for_each(|p| p.retain(|_, n| *n > 0));
    }

    fn variant(&self) -> &Value {
        let variants = self.rules["variant"].as_array().unwrap();
        variants.iter().find(|v| v["id"] == self.rules["map"]).unwrap()
    }

    fn areas(&self) -> Vec<String> {
        let named = self.rules["area"].as_array().unwrap();
        let named = named.iter().map(|area| area["id"].as_str().unwrap().to_owned());
        named.chain(texts(&self.variant()["extra-areas"])).collect()
    }

    fn is_island(&self, id: &str) -> bool {
        let areas = self.rules["area"].as_array().unwrap();
        areas.iter().any(|area| area["id"] == id && area["island"] == true)
    }

    fn routes(&self) -> Vec<(String, Vec<String>)> {
        let routes = self.rules["route"].as_array().unwrap();
        routes.iter().map(|r| (r["id"].as_str().unwrap().to_owned(), texts(&r["ends"]))).collect()
    }

    fn is_way(&self, seat: usize, from: &str, to: &str) -> bool {
        let joins = |ends: &[String]| {
            ends.contains(&from.to_owned()) && ends.contains(&to.to_owned()) && from != to
        };
        let borders = self.variant()["borders"].as_array().unwrap();
        borders.iter().any(|border| joins(&texts(border)))
            || self
                .routes()
                .iter()
                .any(|(id, ends)| joins(ends) && self.fleets[seat].contains_key(id))
    }

    /// Returns the texts of all options of a turn.
    fn turn_options(&self) -> BTreeSet<String> {
        let seat = self.mover;
        let mut options = BTreeSet::from(["pass".to_owned()]);
        for to in self.areas() {
            for from in self.legions[seat].keys().filter(|from| self.is_way(seat, from, &to)) {
                options.insert(format!("legion {from} {to}"));
            }
            if let (0, Some(from)) = (seat, &self.hannibal)
                && self.is_way(seat, from, &to)
                && (!self.is_island(&to) || self.rules["rules"]["hannibal-enters-islands"] == true)
            {
                options.insert(format!("hannibal {from} {to}"));
            }
        }
        for from in self.fleets[seat].keys() {
            for (to, _) in self.routes().iter().filter(|(to, _)| to != from) {
                options.insert(format!("fleet {from} {to}"));
            }
        }
        let is_free = self.rules["rules"]["rebuild-without-fleets"] == false;
        if self.fleets[seat].is_empty() || is_free {
            options.extend(self.legions[seat].keys().map(|area| format!("raise {area}")));
            if let (0, Some(area)) = (seat, &self.hannibal)
                && self.rules["rules"]["hannibal-pays-for-fleet"] == true
            {
                options.insert(format!("raise-hannibal {area}"));
            }
        }
        options
    }

    /// Returns the options of each side in the decision that is due.
    fn options(&self) -> [BTreeSet<String>; 2] {
        let mut options = [BTreeSet::new(), BTreeSet::new()];
        if self.scores.is_some() {
            return options;
        }
        match &self.conflict {
            None => options[self.mover] = self.turn_options(),
            Some(_) if self.must_choose_fighter() => {
                options[0] = BTreeSet::from(["fight legion".into(), "fight hannibal".into()]);
            }
            Some(_) => {
                for (options, hand) in options.iter_mut().zip(&self.hands) {
                    options.extend(hand.iter().map(|card| format!("card {card}")));
                }
            }
        }
        options
    }

    fn must_choose_fighter(&self) -> bool {
        self.conflict.as_ref().is_some_and(|conflict| {
            conflict.fighter.is_none()
                && self.legions[0].contains_key(&conflict.place)
                && self.hannibal.as_ref() == Some(&conflict.place)
        })
    }

    fn change(pieces: &mut BTreeMap<String, u64>, place: &str, by: i64) {
        let n = pieces.entry(place.to_owned()).or_default();
        *n = n.checked_add_signed(by).unwrap();
    }

    fn make_turn(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let seat = self.mover;
        self.passes = if text == "pass" { self.passes + 1 } else { 0 };
        let mut entered = None;
        match words[..] {
            ["legion", from, to] => {
                Self::change(&mut self.legions[seat], from, -1);
                Self::change(&mut self.legions[seat], to, 1);
                entered = Some((to.to_owned(), "legion"));
            }
            ["hannibal", _, to] => {
                self.hannibal = Some(to.to_owned());
                entered = Some((to.to_owned(), "hannibal"));
            }
            ["fleet", from, to] => {
                Self::change(&mut self.fleets[seat], from, -1);
                Self::change(&mut self.fleets[seat], to, 1);
                entered = Some((to.to_owned(), "fleet"));
            }
            ["raise" | "raise-hannibal", area] => {
                if words[0] == "raise" {
                    Self::change(&mut self.legions[seat], area, -1);
                } else {
                    self.hannibal = None;
                }
                let route = self.rules[NAMES[seat]]["fleet-route"].as_str().unwrap().to_owned();
                Self::change(&mut self.fleets[seat], &route, 1);
                entered = Some((route, "fleet"));
            }
            _ => assert_eq!(text, "pass"),
        }
        self.tidy();
        if let Some((place, piece)) = entered {
            let enemy_capital = &self.rules[NAMES[1 - seat]]["capital"];
            if piece != "fleet"
                && *enemy_capital == *place
                && self.rules["rules"]["capital-entry-wins"] == true
            {
                self.turns += 1;
                return self.win(seat);
            }
            let fighter = (seat == 0 && piece != "fleet").then(|| piece.to_owned());
            self.conflict = Some(Conflict { place, fighter });
        }
    }

    fn win(&mut self, seat: usize) {
        let mut scores = [0.0; 2];
        scores[seat] = 1.0;
        self.scores = Some(scores);
    }

    fn is_at_sea(&self, place: &str) -> bool {
        self.routes().iter().any(|(id, _)| id == place)
    }

    fn duel(&mut self, cards: [u64; 2]) {
        let Conflict { place, mut fighter } = self.conflict.clone().unwrap();
        let at_sea = self.is_at_sea(&place);
        if !at_sea && fighter.is_none() {
            let has_legion = self.legions[0].contains_key(&place);
            fighter = Some(if has_legion { "legion" } else { "hannibal" }.to_owned());
        }
        let is_hannibal = fighter.as_deref() == Some("hannibal");
        let bonus = self.rules["rules"]["hannibal-bonus"].as_u64().unwrap();
        let carthage = cards[0] + if is_hannibal { bonus } else { 0 };
        let ties_are_safe = self.rules["rules"]["hannibal-lost-on-tie"] == false;
        if carthage < cards[1] || (carthage == cards[1] && !(is_hannibal && ties_are_safe)) {
            match (at_sea, is_hannibal) {
                (true, _) => Self::change(&mut self.fleets[0], &place, -1),
                (false, true) => self.hannibal = None,
                (false, false) => Self::change(&mut self.legions[0], &place, -1),
            }
            fighter = None;
        }
        if cards[1] <= carthage {
            let pieces = if at_sea { &mut self.fleets } else { &mut self.legions };
            Self::change(&mut pieces[1], &place, -1);
        }
        for (seat, card) in cards.iter().enumerate() {
            assert!(self.hands[seat].remove(card));
            if self.hands[seat].is_empty() {
                self.fill_hand(seat);
            }
        }
        self.conflict = Some(Conflict { place, fighter: if at_sea { None } else { fighter } });
        self.tidy();
    }

    fn is_contested(&self, place: &str) -> bool {
        let holds = |seat: usize| {
            self.fleets[seat].contains_key(place)
                || self.legions[seat].contains_key(place)
                || (seat == 0 && self.hannibal.as_deref() == Some(place))
        };
        holds(0) && holds(1)
    }

    /// Goes on to the next decision with at least two options.
    fn go_on(&mut self) {
        while self.scores.is_none() {
            if let Some(Conflict { place, .. }) = self.conflict.clone() {
                if !self.is_contested(&place) {
                    self.conflict = None;
                    self.end_turn();
                } else if self.must_choose_fighter() || self.hands[0].len() > 1 {
                    return;
                } else {
                    let cards = [0, 1].map(|seat: usize| *self.hands[seat].first().unwrap());
                    self.duel(cards);
                }
            } else if self.turn_options().len() > 1 {
                return;
            } else {
                self.passes += 1;
                self.end_turn();
            }
        }
    }

    fn end_turn(&mut self) {
        self.turns += 1;
        let holds = |seat: usize, area: &String| {
            self.legions[seat].contains_key(area)
                || (seat == 0 && self.hannibal.as_ref() == Some(area))
        };
        let groups = self.rules[NAMES[self.mover]]["domination"].as_array().unwrap();
        let dominates =
            groups.iter().all(|group| texts(group).iter().any(|area| holds(self.mover, area)));
        let is_gone = [0, 1].map(|seat| self.areas().iter().all(|area| !holds(seat, area)));
        if dominates {
            return self.win(self.mover);
        }
        match is_gone {
            [true, true] => self.scores = Some([0.5, 0.5]),
            [true, false] => self.win(1),
            [false, true] => self.win(0),
            [false, false] => {
                let is_reached = |n: u64, key: &str| n >= self.rules[key].as_u64().unwrap();
                if is_reached(self.passes, "passes-to-draw") || is_reached(self.turns, "max-turns")
                {
                    self.scores = Some([0.5, 0.5]);
                }
            }
        }
        self.mover = 1 - self.mover;
    }

    fn json(&self) -> Value {
        let table = |pieces: &Pieces| {
            let places: BTreeSet<&String> = pieces.iter().flat_map(BTreeMap::keys).collect();
            let count = |seat: usize, place| pieces[seat].get(place).copied().unwrap_or(0);
            let rows = places.into_iter().map(|p| (p.clone(), json!([count(0, p), count(1, p)])));
            Value::Object(rows.collect())
        };
        json!({
            "turns": self.turns, "passes": self.passes, "legions": table(&self.legions),
            "hannibal": self.hannibal, "fleets": table(&self.fleets), "hands": self.hands,
        })
    }
}

/// Plays a random game with rules and model, and returns its number of decisions.
fn compare(settings: &[String], seed: u64) -> usize {
    let mut rules = Rules::of::<Hannibal>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    let game = Hannibal::configure(2, &rules).unwrap();
    let mut naive = Naive::new(rules.to_json());
    let mut walk = Walk::new(&game, seed, 0);
    let mut n_decisions = 0;
    loop {
        let state = *walk.state();
        let mut json = game.state_json(&state);
        json.as_object_mut().unwrap().retain(|key, _| key != "mover" && key != "conflict");
        assert_eq!(json, naive.json(), "{settings:?}, seed {seed}, decision {n_decisions}");
        let acts = match game.turn(&state) {
            Turn::Player(player) => [player.idx() == 0, player.idx() == 1],
            Turn::Simultaneous(_) => [true; 2],
            Turn::Chance | Turn::Over => [false; 2],
        };
        let expected = naive.options();
        for seat in 0..2 {
            let mut list = Vec::new();
            if acts[seat] {
                game.actions(&state, Player::new(seat), &mut list);
            }
            let found: BTreeSet<String> = list.iter().map(|&a| game.action_text(a)).collect();
            assert_eq!(found, expected[seat], "{settings:?}, seed {seed}, decision {n_decisions}");
        }
        let Some(event) = walk.next() else { break };
        match event {
            Event::Action(_, action) => match game.action_text(action).split_once(' ') {
                Some(("fight", who)) => naive.conflict.as_mut().unwrap().fighter = Some(who.into()),
                _ => naive.make_turn(&game.action_text(action)),
            },
            Event::Joint(joint) => {
                let card = |seat: usize| game.action_text(joint.0[seat].unwrap())[5..].parse();
                naive.duel([card(0).unwrap(), card(1).unwrap()]);
            }
            Event::Chance(_) => unreachable!(),
        }
        if naive.conflict.is_none() && naive.scores.is_none() {
            naive.end_turn();
        }
        naive.go_on();
        n_decisions += 1;
    }
    let scores = json!(naive.scores.unwrap());
    assert_eq!(game.end_scores(walk.state()), scores, "{settings:?}, seed {seed}");
    n_decisions
}

#[test]
fn random_games_go_as_the_rules_page_says() {
    for map in ["balanced", "by-names", "mirror"] {
        let n: usize = (0..60).map(|seed| compare(&[format!("map={map}")], seed)).sum();
        assert!(n > 1_000, "{map}: {n} decisions are too few to say anything");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_under_other_rules_do_so_too(
        seed: u64,
        map in prop::sample::select(vec!["balanced", "by-names", "mirror"]),
        cards in prop::sample::select(vec!["[3]", "[1, 2]", "[0, 5, 15]", "[1, 2, 3, 4, 5]"]),
        pieces in [0i64..4, 1i64..5, 0i64..3, 0i64..3],
        switches: [bool; 6],
        numbers in [1i64..120, 1i64..4, 0i64..4],
    ) {
        let [hannibal, rome_first, capital, tie, islands, free] = switches;
        let legions = if hannibal { pieces[0] } else { pieces[0] + 1 };
        compare(&[
            format!("map={map}"),
            format!("cards.values={cards}"),
            format!("carthage.legions={legions}"),
            format!("carthage.hannibal={hannibal}"),
            format!("rome.legions={}", pieces[1]),
            format!("carthage.fleets={}", pieces[2]),
            format!("rome.fleets={}", pieces[3]),
            format!("rules.first-player={}", if rome_first { "rome" } else { "carthage" }),
            format!("rules.capital-entry-wins={capital}"),
            format!("rules.hannibal-lost-on-tie={tie}"),
            format!("rules.hannibal-enters-islands={islands}"),
            format!("rules.rebuild-without-fleets={free}"),
            format!("rules.hannibal-pays-for-fleet={tie}"),
            format!("max-turns={}", numbers[0]),
            format!("passes-to-draw={}", numbers[1]),
            format!("rules.hannibal-bonus={}", numbers[2]),
        ], seed);
    }
}
