//! A naive walker as a check of the tables: single steps on coordinates and names of sections.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;

use super::limits::{DIRECTION_IDS, MAX_CHARIOTS, NOWHERE, TEAM};
use super::moves::Action;
use super::position::Race;
use super::state::State;
use super::{Circus, config::Cell};
use crate::game::{Game, Turn};
use crate::rules::{Configure, Rules};
use crate::walk::Walk;

/// The steps in the words of the rules page, not read from the configuration.
const STEPS: [(&str, i64, i64); 6] =
    [("e", 1, 0), ("ne", 1, -1), ("nw", 0, -1), ("w", -1, 0), ("sw", -1, 1), ("se", 0, 1)];
const RACING_ORDER: [&str; 4] = ["top", "left", "bottom", "right"];

struct Naive<'a> {
    cells: &'a [Cell],
}

impl<'a> Naive<'a> {
    fn new(game: &'a Circus) -> Self {
        Self { cells: &game.board.config.board.cells }
    }

    fn step(&self, cell: u8, direction: &str) -> Option<u8> {
        let (_, dq, dr) = STEPS.into_iter().find(|(name, ..)| *name == direction).unwrap();
        let Cell { q, r, .. } = self.cells[usize::from(cell)];
        self.cells.iter().find(|c| (c.q, c.r) == (q + dq, r + dr)).map(|c| c.id as u8)
    }

    fn is_finish(&self, cell: u8) -> bool {
        self.cells[usize::from(cell)].section.is_none()
    }

    fn leg_after(&self, leg: i16, from: u8, to: u8) -> i16 {
        let place = |cell: u8| {
            let name = self.cells[usize::from(cell)].section.as_deref().unwrap();
            RACING_ORDER.iter().position(|s| *s == name).unwrap()
        };
        match (place(to) + 4 - place(from)) % 4 {
            0 => leg,
            1 => leg + 1,
            3 => leg - 1,
            _ => panic!("a step over two sections"),
        }
    }

    /// Returns the result of a card: cell, leg, and whether it is home; `None` if it cannot be moved in full.
    fn go(&self, s: &State, chariot: usize, value: u8, direction: &str) -> Option<(u8, i16, bool)> {
        let (mut cell, mut leg) = (s.cells[chariot], s.legs[chariot]);
        for _ in 0..value {
            let next = self.step(cell, direction)?;
            if s.cells.contains(&next) {
                return None;
            }
            if self.is_finish(next) {
                let is_open = leg >= 4 && ["sw", "se"].contains(&direction);
                return is_open.then_some((next, leg, true));
            }
            leg = self.leg_after(leg, cell, next);
            cell = next;
        }
        Some((cell, leg, false))
    }

    /// Returns the fewest steps to the finish for legs within `least..=most`, by relaxation from the finish.
    fn steps_to_go(&self, least: i16, most: i16) -> BTreeMap<(u8, i16), u32> {
        let mut found = BTreeMap::new();
        let mut queue = VecDeque::new();
        let track: Vec<u8> = (0..self.cells.len() as u8).filter(|&c| !self.is_finish(c)).collect();
        for &cell in &track {
            let enters = |d: &&str| self.step(cell, d).is_some_and(|next| self.is_finish(next));
            if ["sw", "se"].iter().any(enters) {
                for leg in (4..=most).filter(|leg| leg % 4 == 0) {
                    found.insert((cell, leg), 1);
                    queue.push_back((cell, leg));
                }
            }
        }
        while let Some((cell, leg)) = queue.pop_front() {
            let steps = found[&(cell, leg)] + 1;
            for (name, ..) in STEPS {
                let Some(from) = self.step(cell, name).filter(|&c| !self.is_finish(c)) else {
                    continue;
                };
                // A step has a way back, which changes the leg by as much.
                let before = self.leg_after(leg, cell, from);
                if (least..=most).contains(&before) && !found.contains_key(&(from, before)) {
                    found.insert((from, before), steps);
                    queue.push_back((from, before));
                }
            }
        }
        found
    }
}

/// Returns a race of five players with chariots at the given spots, as far as there is room.
fn scattered(spots: &[(u8, i16)]) -> Race {
    let mut race = Race::new(5, &[]);
    for (i, &(cell, lap)) in spots.iter().enumerate() {
        let section = race.game.board.section[usize::from(cell)];
        let leg = if section == NOWHERE { 4 } else { 4 * lap + i16::from(section) };
        if !race.state.cells.contains(&cell) {
            race = race.put(i / TEAM, i % TEAM, cell, leg);
        }
    }
    race
}

/// Returns the state with another chariot to move, and a chariot after it.
fn with_mover(s: &State, chariot: usize) -> State {
    let mut s = *s;
    (s.order[0], s.order[1], s.n_order, s.at) = (chariot as u8, 14, 2, 0);
    (s.later, s.cards) = ([9; 5], [0xff; 5]);
    s
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_and_landings_are_those_of_a_naive_walker(
        spots in proptest::collection::vec((0u8..201, -2i16..3), MAX_CHARIOTS),
    ) {
        let race = scattered(&spots);
        let naive = Naive::new(&race.game);
        for chariot in (0..MAX_CHARIOTS).filter(|i| race.state.home >> i & 1 == 0) {
            let mask = race.game.reach(&race.state, chariot);
            for (d, name) in DIRECTION_IDS.iter().enumerate() {
                for value in 1..=8u8 {
                    let expected = naive.go(&race.state, chariot, value, name);
                    let is_legal = mask >> (8 * d + usize::from(value) - 1) & 1 == 1;
                    prop_assert_eq!(is_legal, expected.is_some(), "chariot {} {} {}", chariot, value, name);
                    let Some((cell, leg, is_home)) = expected else { continue };
                    let mut s = with_mover(&race.state, chariot);
                    race.game.step(&mut s, Action::Go { value, direction: d as u8, thrown: 0 });
                    let got = (s.cells[chariot], s.legs[chariot], s.home >> chariot & 1 == 1);
                    prop_assert_eq!(got, (cell, leg, is_home));
                }
            }
        }
    }
}

/// Typical errors in a value.
const SLIPS: &[&str] =
    &["0", "1", "-1", "7", "99999", "[]", "[0]", "[1, 1]", "true", "\"left\"", "\"\"", "nan"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_rules_file_is_refused_or_played(
        place in 0.0..1.0f64, slip in 0..SLIPS.len(), n_players in 2usize..=5,
    ) {
        let text = Circus::default_rules();
        let marks: Vec<usize> = text.match_indices("= ").map(|(at, _)| at + 2).collect();
        let start = marks[(place * marks.len() as f64) as usize];
        let end = start + text[start..].find([',', ' ', '\n']).unwrap();
        let mut rules = Rules::of::<Circus>();
        let damaged = format!("{}{}{}", &text[..start], SLIPS[slip], &text[end..]);
        let game = rules
            .overlay("damaged.toml", &damaged)
            .and_then(|()| Circus::configure(n_players, &rules));
        match game {
            Ok(game) => prop_assert!(Walk::new(&game, 1, 0).take(300).count() > 0),
            Err(refusal) => prop_assert!(!refusal.message.is_empty()),
        }
    }
}

#[test]
fn neighbours_are_those_of_the_published_table() {
    let game = Circus::new(2);
    let naive = Naive::new(&game);
    let table = include_str!("../../../tests/circus/board.txt");
    let mut n_cells = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let numbers: Vec<Option<u8>> = line.split(' ').map(|word| word.parse().ok()).collect();
        let cell = numbers[0].unwrap();
        for (d, (name, ..)) in STEPS.iter().enumerate() {
            assert_eq!(naive.step(cell, name), numbers[1 + d], "{name} of {cell}");
        }
        n_cells += 1;
    }
    assert_eq!(n_cells, 201);
}

#[test]
fn steps_to_go_are_exact_at_every_leg() {
    let game = Circus::new(2);
    let exact = Naive::new(&game).steps_to_go(-44, 28);
    let mut n_compared = 0;
    for (&(cell, leg), &steps) in exact.iter().filter(|((_, leg), _)| (-36..=20).contains(leg)) {
        assert_eq!(game.board.steps_to_go(cell, leg), steps, "cell {cell} at leg {leg}");
        n_compared += 1;
    }
    assert!(n_compared > 2500, "{n_compared}");
}

/// Checks that duplicated facts agree, and that legs fit their sections, after every event of random races.
#[test]
fn every_position_of_a_random_race_is_sound() {
    for n_players in 2..=5 {
        let game = Circus::new(n_players);
        let mut walk = Walk::new(&game, 3, n_players as u64);
        while walk.next().is_some() {
            audit(&game, walk.state());
        }
        assert_eq!(game.turn(walk.state()), Turn::Over);
    }
}

fn audit(game: &Circus, s: &State) {
    let mut lines = game.board.empty;
    let placed: Vec<usize> = (0..MAX_CHARIOTS).filter(|&i| s.cells[i] != NOWHERE).collect();
    for &i in &placed {
        let is_alone = placed.iter().all(|&j| i == j || s.cells[i] != s.cells[j]);
        assert!(is_alone, "two chariots in cell {}", s.cells[i]);
        let is_home = s.home >> i & 1 == 1;
        assert_eq!(is_home, game.board.is_finish(s.cells[i]));
        if !is_home {
            game.board.toggle(&mut lines, s.cells[i]);
            let section = i16::from(game.board.section[usize::from(s.cells[i])]);
            assert_eq!(s.legs[i].rem_euclid(4), section, "leg {} in {}", s.legs[i], s.cells[i]);
        }
    }
    assert_eq!(lines, s.lines);
    assert_eq!(s.taken.count_ones(), s.home.count_ones());
    if let Some((seat, _)) = s.driver() {
        let later = s.order[usize::from(s.at) + 1..usize::from(s.n_order)].iter();
        let own = later.filter(|&&i| usize::from(i) / TEAM == seat).count();
        assert_eq!(s.still_to_move(seat), own);
        assert!(s.cards[seat].count_ones() as usize >= own, "a card stays for each");
    }
}
