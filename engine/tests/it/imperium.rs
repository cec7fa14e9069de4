//! Imperium against a slow second implementation that uses names of cards and provinces, and no bits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use engine::games::imperium::Imperium;
use engine::{Event, Game, Notation, Player, Turn, Walk};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Name, points by place and neighbours of each province, by number.
const BOARD: [(&str, &[u32], [&str; 2]); 8] = [
    ("africa", &[1, 1, 1], ["aegyptus", "hispania"]),
    ("syria", &[2, 2, 1], ["asia", "aegyptus"]),
    ("illyricum", &[3, 2, 1, 1], ["gallia", "macedonia"]),
    ("gallia", &[4, 3, 2, 1], ["hispania", "illyricum"]),
    ("asia", &[5, 4, 2, 1], ["macedonia", "syria"]),
    ("hispania", &[6, 4, 3, 2], ["africa", "gallia"]),
    ("macedonia", &[7, 5, 3, 2], ["illyricum", "asia"]),
    ("aegyptus", &[8, 6, 4, 2], ["syria", "africa"]),
];
const CARDS: [&str; 3] = ["bread-and-circuses", "ear-of-the-emperor", "oracle"];

/// A player in the words of the rulebook.
#[derive(Clone, Default)]
struct Seat {
    points: u32,
    pieces: BTreeMap<String, usize>,
    played: BTreeSet<String>,
}

impl Seat {
    fn free(&self) -> usize {
        14 - self.pieces.values().sum::<usize>()
    }

    fn in_province(&self, name: &str) -> usize {
        self.pieces.get(name).copied().unwrap_or(0)
    }

    /// Returns all canonical stacks, found by trying every sequence of different cards.
    fn stacks(&self, is_second: bool) -> BTreeSet<String> {
        let n = self.free().min(3);
        if n == 0 {
            return BTreeSet::new();
        }
        let hand: Vec<&str> = BOARD.iter().map(|p| p.0).chain(CARDS).collect();
        let hand: Vec<&str> = hand.into_iter().filter(|c| !self.played.contains(*c)).collect();
        let mut sequences: Vec<Vec<&str>> = vec![Vec::new()];
        for _ in 0..n {
            let longer = |s: &Vec<&'static str>| {
                let more = hand.iter().filter(|c| !s.contains(c)).map(|&c| [&s[..], &[c]].concat());
                more.collect::<Vec<_>>()
            };
            sequences = sequences.iter().flat_map(longer).collect();
        }
        let texts = sequences.iter().filter(|s| is_canonical(s)).map(|s| s.join(" "));
        let oracle = (!is_second && hand.contains(&"oracle")).then(|| "oracle".to_owned());
        texts.chain(oracle).collect()
    }
}

fn is_canonical(cards: &[&str]) -> bool {
    let order = |card: &&str| BOARD.iter().position(|p| p.0 == *card).unwrap_or(8);
    let free_part = match cards.iter().position(|c| *c == "bread-and-circuses") {
        Some(last) if last + 1 < cards.len() => return false,
        Some(last) => &cards[..last.saturating_sub(1)],
        None => cards,
    };
    !cards.contains(&"oracle") && free_part.is_sorted_by_key(order)
}

struct Naive {
    seats: Vec<Seat>,
    proconsul: BTreeMap<String, usize>,
    stacks: BTreeMap<usize, Vec<String>>,
    mark: usize,
    round: usize,
    is_second: bool,
    over: bool,
}

impl Naive {
    fn new(n: usize) -> Self {
        Self {
            seats: vec![Seat::default(); n],
            proconsul: BTreeMap::new(),
            stacks: BTreeMap::new(),
            mark: 0,
            round: 0,
            is_second: false,
            over: false,
        }
    }

    /// Applies the revealed stacks, by seat, as texts without `stack`.
    fn reveal(&mut self, revealed: &BTreeMap<usize, String>) {
        let is_oracle = |text: &&String| *text == "oracle";
        for (&seat, text) in revealed.iter().filter(|(_, text)| !is_oracle(text)) {
            self.stacks.insert(seat, text.split_whitespace().map(str::to_owned).collect());
        }
        for (&seat, _) in revealed.iter().filter(|(_, text)| is_oracle(text)) {
            self.seats[seat].played.insert("oracle".to_owned());
            self.is_second = true;
        }
        if !revealed.values().any(|text| text == "oracle") {
            self.play();
        }
    }

    fn play(&mut self) {
        let mut n_scored = 1;
        for (seat, cards) in std::mem::take(&mut self.stacks) {
            for (i, card) in cards.iter().enumerate() {
                if BOARD.iter().any(|p| p.0 == card) {
                    let is_doubled = cards.get(i + 1).is_some_and(|c| c == "bread-and-circuses");
                    let n = if is_doubled { 2 } else { 1 };
                    *self.seats[seat].pieces.entry(card.clone()).or_default() += n;
                }
                if card == "ear-of-the-emperor" {
                    self.seats[seat].played.insert(card.clone());
                    n_scored += 1;
                }
            }
        }
        for _ in 0..n_scored {
            self.score();
            self.mark = (self.mark + 1) % 8;
        }
        self.round += 1;
        self.is_second = false;
        let most = self.seats.iter().map(|s| s.points).max().unwrap();
        let is_alone = self.seats.iter().filter(|s| s.points == most).count() == 1;
        self.over = most >= 40 && is_alone || self.round == 200;
    }

    fn score(&mut self) {
        let (name, points, _) = BOARD[self.mark];
        let n = self.seats.len();
        let mut by_count: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for seat in 0..n {
            by_count.entry(self.seats[seat].in_province(name)).or_default().push(seat);
        }
        by_count.remove(&0);
        let groups: Vec<&Vec<usize>> = by_count.values().rev().collect();
        let mut place = 1;
        for group in &groups {
            let taken = place + group.len() - 1;
            if taken < n && taken <= points.len() {
                group.iter().for_each(|&seat| self.seats[seat].points += points[taken - 1]);
            }
            place += group.len();
        }
        if let Some([leader]) = groups.first().map(|group| &group[..]) {
            self.proconsul.insert(name.to_owned(), *leader);
            self.seats[*leader].points += self.chain(name, *leader);
        }
        for seat in 0..n {
            self.seats[seat].pieces.remove(name);
        }
        if let Some(&holder) = self.proconsul.get(name) {
            self.seats[holder].pieces.insert(name.to_owned(), 1);
        }
    }

    fn chain(&self, from: &str, seat: usize) -> u32 {
        let mut seen = BTreeSet::from([from.to_owned()]);
        let mut open = vec![from.to_owned()];
        while let Some(name) = open.pop() {
            let neighbours = BOARD.iter().find(|p| p.0 == name).unwrap().2;
            for next in neighbours.map(str::to_owned) {
                if self.proconsul.get(&next) == Some(&seat) && seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen.len() as u32
    }

    fn choosing(&self) -> Vec<usize> {
        let can = |&seat: &usize| self.seats[seat].free() > 0;
        match () {
            () if self.over => Vec::new(),
            () if self.is_second => (0..self.seats.len())
                .filter(|seat| can(seat) && !self.stacks.contains_key(seat))
                .collect(),
            () => (0..self.seats.len()).filter(can).collect(),
        }
    }

    fn json(&self) -> Value {
        let mut pieces = serde_json::Map::new();
        let mut proconsul = serde_json::Map::new();
        for (name, ..) in BOARD {
            let counts: Vec<usize> = self.seats.iter().map(|s| s.in_province(name)).collect();
            if counts.iter().sum::<usize>() > 0 {
                pieces.insert(name.to_owned(), json!(counts));
            }
            if let Some(&seat) = self.proconsul.get(name) {
                proconsul.insert(name.to_owned(), json!(seat));
            }
        }
        let player = |s: &Seat| {
            let has = |card: &str| !s.played.contains(card);
            json!({"points": s.points, "free": s.free(), "ear": has("ear-of-the-emperor"), "oracle": has("oracle")})
        };
        json!({
            "round": self.round,
            "mark": BOARD[self.mark].0,
            "players": self.seats.iter().map(player).collect::<Vec<_>>(),
            "pieces": pieces,
            "proconsul": proconsul,
        })
    }
}

/// Compares the seats that are to choose, and their options.
fn compare(game: &Imperium, state: &<Imperium as Game>::State, naive: &Naive) {
    let choosing: Vec<usize> = match game.turn(state) {
        Turn::Simultaneous(players) => players.iter().map(Player::idx).collect(),
        _ => Vec::new(),
    };
    if naive.choosing().is_empty() && !naive.over {
        assert_eq!(choosing.len(), naive.seats.len(), "nobody has a choice, all stand by");
        return;
    }
    assert_eq!(choosing, naive.choosing());
    for seat in choosing {
        let mut actions = Vec::new();
        game.actions(state, Player::new(seat), &mut actions);
        let texts: BTreeSet<String> =
            actions.iter().map(|&a| game.action_text(a).replacen("stack ", "", 1)).collect();
        assert_eq!(texts, naive.seats[seat].stacks(naive.is_second), "seat {seat}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_those_of_a_slow_second_implementation(seed: u64, n_players in 2usize..=5) {
        let game = Imperium::new(n_players);
        let mut walk = Walk::new(&game, seed, 0);
        let mut naive = Naive::new(n_players);
        loop {
            compare(&game, walk.state(), &naive);
            let Some(event) = walk.next() else { break };
            let Event::Joint(joint) = event else { panic!("{event:?}") };
            let text = |player: Player| {
                let text = game.action_text(joint[player]?);
                Some((player.idx(), text.trim_start_matches("stack").trim().to_owned()))
            };
            naive.reveal(&Player::all(n_players).filter_map(text).collect());
            prop_assert_eq!(game.state_json(walk.state()), naive.json());
        }
        prop_assert!(naive.over);
    }
}
