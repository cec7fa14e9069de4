//! A naive model of the hard parts of movement: every piece is an object with its own steps, every group is tried out.
//!
//! The rules keep counts by place. Here each leader, troop and galley is an entry of a list. The model finds legal
//! options by building all groups that could be named. In random games the two must offer equal options at every
//! decision.

use crate::games::classic::Classic;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place};
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;
use crate::player::Player;

/// Kinds in the order of group counts; a galley is 5.
const GALLEY: usize = 5;

#[derive(Clone, Copy, Debug)]
struct Piece {
    kind: usize,
    place: usize,
    steps: u8,
    /// Number of march steps made this turn.
    marched: u8,
    is_stopped: bool,
    /// True if it was carried, landed, sailed or was a carrier.
    has_shipped: bool,
}

/// The pieces of the player in turn, and the key of the last choice.
pub(super) struct Naive<'a> {
    game: &'a Classic,
    pieces: Vec<Piece>,
    last: (u8, Vec<usize>),
    pub(super) wave: u8,
    /// The words chosen so far in the action under way.
    verb: String,
    key: Vec<usize>,
    counts: Vec<usize>,
}

impl<'a> Naive<'a> {
    pub(super) fn new(game: &'a Classic, s: &State) -> Self {
        let mut pieces = Vec::new();
        let steps = game.board.steps;
        let player = s.turn;
        for place in 0..N_PLACES {
            let troops = s.troops[player][place];
            let mut add = |kind: usize, number: u8, steps: u8| {
                let piece =
                    Piece { kind, place, steps, marched: 0, is_stopped: false, has_shipped: false };
                pieces.extend((0..number).map(|_| piece));
            };
            add(0, troops.generals(), steps.general);
            add(1, u8::from(s.caesar[player] == Some(Place::new(place as u8))), steps.caesar);
            for unit in Unit::LAND_MILITARY {
                add(2 + unit.idx(), troops.count(unit), steps.troops[unit.idx()]);
            }
            add(GALLEY, s.galleys[place].of(player), steps.galley);
        }
        Self {
            game,
            pieces,
            last: (0, Vec::new()),
            wave: 1,
            verb: String::new(),
            key: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn touches(&self, zone: usize, place: usize) -> bool {
        let config = &self.game.board.config;
        let (zone, id) = (&config.sea[zone - N_PROVINCES], &self.game.board.ids[place]);
        zone.coasts.contains(id) || zone.sea.contains(id)
    }

    /// Returns the number of steps of a galley from one place to another, or `None` if it is too far.
    fn way(&self, s: &State, from: usize, to: usize) -> Option<u8> {
        let own = |p: usize| p >= N_PROVINCES || s.owned[s.turn].contains(Place::new(p as u8));
        let near = |a: usize, b: usize| {
            (a >= N_PROVINCES && self.touches(a, b)) || (b >= N_PROVINCES && self.touches(b, a))
        };
        if from == to || !own(to) {
            return None;
        }
        let over = |z: usize| near(from, z) && near(z, to);
        let most = self.game.board.steps.galley;
        let way = if near(from, to) {
            1
        } else if (N_PROVINCES..N_PLACES).any(over) {
            2
        } else {
            return None;
        };
        (way <= most).then_some(way)
    }

    fn is_defended(s: &State, place: usize) -> bool {
        let at = Place::new(place as u8);
        let foreign = |q: Player| q != s.turn && s.troops(q, at).military() > 0;
        place < N_PROVINCES && (s.guards.contains(at) || Player::all(6).any(foreign))
    }

    fn march_goals(&self, s: &State, from: usize) -> Vec<usize> {
        let config = &self.game.board.config;
        let ids = &self.game.board.ids;
        let own = |p: usize| s.owned[s.turn].contains(Place::new(p as u8));
        let index = |id: &String| ids.iter().position(|other| other == id).expect("a place");
        let mut goals: Vec<usize> = config.province[from].land.iter().map(index).collect();
        for strait in config.strait.iter().filter(|s| s.open) {
            let ends = [index(&strait.between[0]), index(&strait.between[1])];
            let zone = index(&strait.zone);
            let is_free = Player::all(6).all(|q| q == s.turn || s.galleys[zone].of(q) == 0);
            if is_free && ends.contains(&from) {
                goals.push(if ends[0] == from { ends[1] } else { ends[0] });
            }
        }
        let mut joined = vec![from];
        let mut i = 0;
        while i < joined.len() {
            for (bit, (p, q)) in self.game.board.borders.iter().enumerate() {
                let (p, q) = (p.idx(), q.idx());
                if s.road_bits() >> bit & 1 == 1 && own(p) && own(q) {
                    for (a, b) in [(p, q), (q, p)] {
                        if joined[i] == a && !joined.contains(&b) {
                            joined.push(b);
                        }
                    }
                }
            }
            i += 1;
        }
        goals.extend(joined);
        goals.sort_unstable();
        goals.dedup();
        goals.retain(|&goal| goal != from);
        goals
    }

    /// Returns the numbers of pieces that could go along, by kind.
    fn there(&self, verb: &str, from: usize) -> [usize; 5] {
        let can = |p: &&Piece| {
            let rested = p.place == from && !p.has_shipped && !p.is_stopped;
            match (verb, p.kind) {
                (_, GALLEY) => false,
                ("march", 0 | 1) => rested && p.marched + 1 == self.wave && p.steps > 0,
                ("march", _) => rested && p.steps > 0,
                _ => rested && p.marched == 0,
            }
        };
        let mut there = [0; 5];
        self.pieces.iter().filter(can).for_each(|p| there[p.kind] += 1);
        there
    }

    fn empty_fresh(&self, place: usize) -> usize {
        let all = self.pieces.iter().filter(|p| p.place == place && !p.has_shipped);
        let (galleys, others): (Vec<&Piece>, Vec<&Piece>) = all.partition(|p| p.kind == GALLEY);
        let fresh = galleys.iter().filter(|p| p.steps == self.game.board.steps.galley).count();
        let laden = others.iter().filter(|p| p.kind < 2 && place >= N_PROVINCES).count();
        fresh - laden
    }

    /// Returns the number of galleys that a group boarding at `from` into `zone` for `to` can take.
    fn ferries(&self, from: usize, zone: usize, to: usize) -> usize {
        let full = self.game.board.steps.galley;
        let empty: usize = [from, zone].map(|p| self.empty_fresh(p)).iter().sum();
        let half = self.pieces.iter().filter(|p| {
            p.kind == GALLEY
                && [from, zone].contains(&p.place)
                && !p.has_shipped
                && p.steps == 1
                && full == 2
        });
        match (to == zone, full) {
            (_, 0) | (false, 1) => 0,
            (true, _) => empty + half.count(),
            (false, _) => empty,
        }
    }

    /// Returns all lawful groups, as counts by kind.
    fn groups(&self, s: &State, verb: &str, key: &[usize]) -> Vec<[usize; 5]> {
        let from = key[0];
        let to = *key.last().expect("a goal");
        let there = self.there(verb, from);
        let per_leader = self.game.board.config.movement.troops_per_leader as usize;
        let aboard = |is_leader: bool| {
            self.pieces
                .iter()
                .filter(|p| p.place == from && p.kind < GALLEY && (p.kind < 2) == is_leader)
                .count()
        };
        let mut found = Vec::new();
        for g in 0..=there[0] {
            for c in 0..=there[1] {
                for i in 0..=there[2] {
                    for v in 0..=there[3] {
                        for k in 0..=there[4] {
                            let (leaders, troops) = (g + c, i + v + k);
                            let fits = leaders > 0
                                && troops <= per_leader * leaders
                                && (troops > 0 || !Self::is_defended(s, to))
                                && (verb != "board" || leaders <= self.ferries(from, key[1], to))
                                && (verb != "convoy"
                                    || aboard(false) - troops
                                        <= per_leader * (aboard(true) - leaders));
                            if fits {
                                found.push([g, c, i, v, k]);
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// Returns the words and keys of all actions that can begin, in order.
    fn menu(&self, s: &State) -> Vec<(String, Vec<usize>)> {
        let mut all: Vec<(u8, &str, Vec<usize>)> = Vec::new();
        let rank =
            |verb: &str| ["", "sail", "convoy", "board", "march"].iter().position(|v| *v == verb);
        let mut push = |verb: &'static str, key: Vec<usize>| {
            all.push((rank(verb).expect("a word") as u8, verb, key));
        };
        if self.wave == 1 {
            for x in 0..N_PLACES {
                for y in 0..N_PLACES {
                    if self.empty_fresh(x) > 0 && self.way(s, x, y).is_some() {
                        push("sail", vec![x, y]);
                    }
                }
            }
            let most = self.game.board.steps.galley;
            for zone in N_PROVINCES..N_PLACES {
                for y in (0..N_PLACES).filter(|&y| y != zone) {
                    let over = |z: usize| self.touches(zone, z) && self.touches(z, y);
                    let way = if self.touches(zone, y) {
                        1
                    } else if (N_PROVINCES..N_PLACES).any(over) {
                        2
                    } else {
                        9
                    };
                    if way <= most && !self.groups(s, "convoy", &[zone, y]).is_empty() {
                        push("convoy", vec![zone, y]);
                    }
                }
            }
            for p in 0..N_PROVINCES {
                for zone in (N_PROVINCES..N_PLACES).filter(|&z| self.touches(z, p)) {
                    for y in
                        (0..N_PLACES).filter(|&y| y == zone || (self.touches(zone, y) && y != p))
                    {
                        if !self.groups(s, "board", &[p, zone, y]).is_empty() {
                            push("board", vec![p, zone, y]);
                        }
                    }
                }
            }
        }
        for p in 0..N_PROVINCES {
            for d in self.march_goals(s, p) {
                if !self.groups(s, "march", &[p, d]).is_empty() {
                    push("march", vec![p, d]);
                }
            }
        }
        let (rank, key) = &self.last;
        all.retain(|(r, _, k)| (*r, k) > (*rank, key));
        all.into_iter().map(|(_, verb, key)| (verb.to_owned(), key)).collect()
    }

    fn id(&self, place: usize) -> &str {
        &self.game.board.ids[place]
    }

    /// Returns the texts of all options of a decision in movement.
    pub(super) fn options(&self, s: &State) -> Vec<String> {
        let mut texts: Vec<String> = match s.phase {
            Phase::Move => {
                let pair = |(verb, key): (String, Vec<usize>)| {
                    format!("{verb} {} {}", self.id(key[0]), self.id(key[1]))
                };
                let all = self.menu(s).into_iter().map(pair);
                all.chain(std::iter::once("done".to_owned())).collect()
            }
            Phase::SailCount => {
                (1..=self.empty_fresh(self.key[0])).map(|n| format!("count {n}")).collect()
            }
            Phase::BoardTo => {
                let is_due = |k: &Vec<usize>| k[..2] == self.key[..];
                let all = self.menu(s).into_iter().filter(|(verb, k)| verb == "board" && is_due(k));
                all.map(|(_, k)| format!("to {}", self.id(k[2]))).collect()
            }
            _ => {
                let n = self.forced(s);
                let groups = self.groups(s, &self.verb, &self.key);
                let fitting = groups.iter().filter(|g| g[..n.len()] == n[..]);
                fitting.map(|g| format!("count {}", g[n.len()])).collect()
            }
        };
        texts.dedup();
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    /// Returns the counts so far, extended by those with a single possible value.
    fn forced(&self, s: &State) -> Vec<usize> {
        let mut counts = self.counts.clone();
        let groups = self.groups(s, &self.verb, &self.key);
        while counts.len() < 5 {
            let mut next: Vec<usize> = groups
                .iter()
                .filter(|g| g[..counts.len()] == counts[..])
                .map(|g| g[counts.len()])
                .collect();
            next.sort_unstable();
            next.dedup();
            if next.len() != 1 {
                break;
            }
            counts.push(next[0]);
        }
        counts
    }

    /// Follows a choice, and every forced step after it.
    pub(super) fn follow(&mut self, before: &State, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let index = |id: &str| self.game.board.ids.iter().position(|other| other == id);
        match words[0] {
            "done" => return,
            "to" => self.key.push(index(words[1]).expect("a place")),
            "count" if self.verb == "sail" => {
                return self.sail(before, words[1].parse().expect("a number"));
            }
            "count" => {
                self.counts = self.forced(before);
                self.counts.push(words[1].parse().expect("a number"));
            }
            verb => {
                self.verb = verb.to_owned();
                self.key = words[1..].iter().map(|id| index(id).expect("a place")).collect();
                self.counts.clear();
            }
        }
        if self.verb == "sail" {
            if self.empty_fresh(self.key[0]) == 1 {
                self.sail(before, 1);
            }
            return;
        }
        if self.verb == "board" && self.key.len() == 2 {
            let is_due =
                |(verb, k): &(String, Vec<usize>)| verb == "board" && k[..2] == self.key[..];
            let goals: Vec<_> = self.menu(before).into_iter().filter(is_due).collect();
            if goals.len() > 1 {
                return;
            }
            self.key = goals[0].1.clone();
        }
        let counts = self.forced(before);
        if counts.len() == 5 {
            self.go(before, [counts[0], counts[1], counts[2], counts[3], counts[4]]);
        }
    }

    pub(super) fn next_wave(&mut self) {
        (self.wave, self.last) = (self.wave + 1, (0, Vec::new()));
    }

    fn sail(&mut self, s: &State, number: usize) {
        let (from, to) = (self.key[0], self.key[1]);
        let steps = self.way(s, from, to).expect("a way");
        let full = self.game.board.steps.galley;
        for _ in 0..number {
            let galley = self
                .pieces
                .iter_mut()
                .find(|p| p.kind == GALLEY && p.place == from && !p.has_shipped && p.steps == full);
            let galley = galley.expect("a galley");
            (galley.place, galley.steps) = (to, full - steps);
            galley.has_shipped = galley.steps == 0;
        }
        self.last = (1, self.key.clone());
    }

    fn go(&mut self, s: &State, counts: [usize; 5]) {
        let verb = self.verb.clone();
        let (from, to) = (self.key[0], *self.key.last().expect("a goal"));
        let at = Place::new(to as u8);
        let meets = to < N_PROVINCES
            && (s.guards.contains(at)
                || Player::all(6).any(|q| {
                    q != s.turn && (s.n_leaders(q, at) > 0 || s.troops(q, at).military() > 0)
                }));
        for (kind, &number) in counts.iter().enumerate() {
            for _ in 0..number {
                let wave = self.wave;
                let fits = |p: &&mut Piece| {
                    let rested =
                        p.kind == kind && p.place == from && !p.has_shipped && !p.is_stopped;
                    match (verb.as_str(), kind) {
                        ("march", 0 | 1) => rested && p.marched + 1 == wave && p.steps > 0,
                        ("march", _) => rested && p.steps > 0,
                        _ => rested && p.marched == 0,
                    }
                };
                let piece =
                    self.pieces.iter_mut().filter(fits).min_by_key(|p| p.steps).expect("a piece");
                piece.place = to;
                if verb == "march" {
                    piece.marched += 1;
                    piece.steps -= 1;
                    piece.is_stopped = meets;
                } else {
                    piece.has_shipped = true;
                }
            }
        }
        let leaders = counts[0] + counts[1];
        if verb != "march" {
            self.ship(leaders, from, to);
        }
        let rank = ["", "sail", "convoy", "board", "march"].iter().position(|v| *v == verb);
        self.last = (rank.expect("a word") as u8, self.key.clone());
    }

    /// Marks the galleys of carried leaders.
    fn ship(&mut self, leaders: usize, from: usize, to: usize) {
        let full = self.game.board.steps.galley;
        let zone = if self.verb == "board" { self.key[1] } else { from };
        let goal = if to >= N_PROVINCES {
            to
        } else if self.verb == "board" || self.touches(from, to) {
            zone
        } else {
            let over = |z: &usize| self.touches(*z, from) && self.touches(*z, to);
            (N_PROVINCES..N_PLACES).find(over).expect("a zone between")
        };
        for _ in 0..leaders {
            let order: Vec<(usize, u8)> = if self.verb == "convoy" {
                vec![(from, full)]
            } else if to == zone {
                vec![(zone, 1), (from, 1), (zone, 2), (from, 2)]
            } else {
                vec![(zone, full), (from, full)]
            };
            let free = |&(place, steps): &(usize, u8)| {
                let all = self.pieces.iter().filter(|p| {
                    p.kind == GALLEY && p.place == place && !p.has_shipped && p.steps == steps
                });
                let is_laden = steps == full && self.verb == "board";
                all.count() > if is_laden { self.laden(place) } else { 0 }
            };
            let (place, steps) = order.into_iter().find(free).expect("a galley for every leader");
            let galley = self.pieces.iter_mut().find(|p| {
                p.kind == GALLEY && p.place == place && !p.has_shipped && p.steps == steps
            });
            let galley = galley.expect("a galley");
            (galley.place, galley.has_shipped) = (goal, true);
        }
    }

    /// Returns the number of galleys that leaders who have not moved need.
    fn laden(&self, place: usize) -> usize {
        let all = self.pieces.iter().filter(|p| p.place == place && p.kind < 2 && !p.has_shipped);
        if place >= N_PROVINCES { all.count() } else { 0 }
    }

    /// Checks that the pieces in every place are those of the position.
    pub(super) fn check_pieces(&self, s: &State) {
        let other = Self::new(self.game, s);
        let sorted = |pieces: &[Piece]| {
            let mut all: Vec<(usize, usize)> = pieces.iter().map(|p| (p.place, p.kind)).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(sorted(&self.pieces), sorted(&other.pieces));
    }
}
