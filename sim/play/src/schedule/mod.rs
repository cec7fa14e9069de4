//! Schedules: the seating of every game, by pure arithmetic on the game's index.
//!
//! A *block* is the unit of chance and of statistics: all its games have the same dice and decks, and intervals treat
//! it as one observation. Blocks are numbered from 0 without end. After a *cycle* of blocks all pairs of entrants have
//! met equally often. In every whole block each entrant of the table has each seat equally often (except with
//! [`Schedule::Fixed`]).

pub mod rounds;
mod tables;

use engine::MAX_PLAYERS;

use crate::error::Error;

/// The largest number of entrants of a tournament.
pub const MAX_ENTRANTS: usize = 64;

/// The rule that turns line-ups into games.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Each block is the line-up rotated through all seats, under the same chance.
    Balanced,
    /// All tables that the entrants can form, in an order that lets every pair meet equally often as soon as
    /// possible; each block is one table rotated through all seats.
    RoundRobin,
    /// The first entrant, the candidate, against all tables that the others can form; each block is one table
    /// rotated through all seats, so that the candidate sits in each of them.
    Gauntlet,
    /// Each block is one table in every different seating, not only the rotations: neighbours also change.
    Exhaustive,
    /// The seating as given; each game is a block of its own.
    Fixed,
    /// Blocks are dealt while it is played, to the pairs that are undecided ([`crate::adaptive`]); each block is one
    /// table rotated through all seats.
    Adaptive,
    /// Rounds in which agents of nearly equal points meet ([`crate::rounds`]); each block is one pair in both seats.
    Swiss,
    /// Rounds in which the loser of each pair is out ([`crate::rounds`]); each block is one pair in both seats.
    KnockOut,
}

impl Schedule {
    /// Returns whether tables are dealt while the run is played, from the results before.
    #[must_use]
    pub const fn is_dealt(self) -> bool {
        match self {
            Self::Adaptive | Self::Swiss | Self::KnockOut => true,
            Self::Balanced | Self::RoundRobin | Self::Gauntlet | Self::Exhaustive | Self::Fixed => {
                false
            }
        }
    }

    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Exhaustive => "exhaustive",
            Self::Fixed => "fixed",
            Self::Adaptive => "adaptive",
            Self::Swiss => "swiss",
            Self::KnockOut => "knock-out",
        }
    }

    /// Returns the number of entrants of the schedule when `given` are requested.
    ///
    /// A gauntlet repeats the field until it fills the table.
    #[must_use]
    pub const fn n_entrants(self, given: usize, players: usize) -> usize {
        match self {
            Self::Gauntlet if given > 1 && given < players => {
                let field = given - 1;
                1 + field * (players - 1).div_ceil(field)
            }
            _ => given,
        }
    }
}

/// The seating of every game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timetable {
    schedule: Schedule,
    players: usize,
    n_entrants: usize,
    /// The tables by block, repeated in a cycle.
    tables: Vec<Seating>,
    /// The orders of the agents at a table; the order changes after each cycle through all tables.
    orders: Vec<Seating>,
    /// For each game of a block, the place of the table in each seat.
    seatings: Vec<Seating>,
    cycle: u64,
    /// The block of the first table.
    first: u64,
}

/// Numbers by seat; those beyond the table are unused.
pub type Seating = [u8; MAX_PLAYERS];

impl Timetable {
    /// Returns the timetable of a tournament at tables of `players`.
    ///
    /// `specs` has a text for each entrant. Entrants with equal texts are one agent, so that exchanging them makes no
    /// other seating.
    ///
    /// # Errors
    /// If the schedule does not fit the number of entrants: the message gives the required number.
    pub fn new(schedule: Schedule, specs: &[String], players: usize) -> Result<Self, Error> {
        let n = specs.len();
        check(schedule, n, players)?;
        let first = identity();
        let (tables, cycle) = match schedule {
            Schedule::Balanced | Schedule::Fixed => (vec![first], 1),
            Schedule::RoundRobin | Schedule::Exhaustive => tables::cyclic(n, players),
            Schedule::Gauntlet => tables::gauntlet(n, players),
            Schedule::Adaptive | Schedule::Swiss | Schedule::KnockOut => (Vec::new(), 1),
        };
        let (orders, seatings) = match schedule {
            Schedule::Fixed => (vec![first], vec![first]),
            Schedule::Exhaustive if n == players => (vec![first], distinct(specs)),
            Schedule::Exhaustive => (vec![first], permutations(players, 0)),
            Schedule::Balanced | Schedule::Adaptive | Schedule::Swiss | Schedule::KnockOut => {
                (vec![first], rotations(players))
            }
            // The first place is constant, since rotations move it through all seats anyway.
            Schedule::RoundRobin | Schedule::Gauntlet => {
                (permutations(players, 1), rotations(players))
            }
        };
        let first = 0;
        Ok(Self { schedule, players, n_entrants: n, tables, orders, seatings, cycle, first })
    }

    /// Returns this timetable with these tables from block `first` on, as a run dealt them.
    #[must_use]
    pub fn dealt(&self, first: u64, tables: Vec<Seating>) -> Self {
        Self { tables, first, ..self.clone() }
    }

    /// Returns the timetable of a single table, rotated through all seats.
    #[must_use]
    pub fn balanced(players: usize) -> Self {
        Self {
            schedule: Schedule::Balanced,
            players,
            n_entrants: players,
            tables: vec![identity()],
            orders: vec![identity()],
            seatings: rotations(players),
            cycle: 1,
            first: 0,
        }
    }

    /// Returns the timetable of a single table, in the seats as given.
    #[must_use]
    pub fn fixed(players: usize) -> Self {
        Self { schedule: Schedule::Fixed, seatings: vec![identity()], ..Self::balanced(players) }
    }

    /// Returns the schedule.
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// Returns the number of entrants.
    #[must_use]
    pub const fn n_entrants(&self) -> usize {
        self.n_entrants
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub const fn games_per_block(&self) -> u64 {
        self.seatings.len() as u64
    }

    /// Returns the number of blocks after which all pairs that meet at all have met equally often.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Returns the number of whole lists of tables before `block`; blocks that are dealt are lists of their own.
    #[must_use]
    pub const fn pass(&self, block: u64) -> u64 {
        block / self.n_tables()
    }

    /// Returns the number of tables in the list, which are those of a pass.
    #[must_use]
    pub const fn n_tables(&self) -> u64 {
        if self.schedule.is_dealt() { 1 } else { self.tables.len() as u64 }
    }

    /// Returns the entrant in each seat of game `index`.
    ///
    /// # Panics
    /// If the schedule deals blocks and that of the game was not dealt.
    #[must_use]
    pub fn seating(&self, index: u64) -> Seating {
        assert!(!self.tables.is_empty(), "blocks are dealt before they are played");
        let per_block = self.games_per_block();
        let block = index / per_block - self.first;
        let n_tables = self.tables.len() as u64;
        let table = &self.tables[(block % n_tables) as usize];
        let order = &self.orders[(block / n_tables % self.orders.len() as u64) as usize];
        let seats = &self.seatings[(index % per_block) as usize];
        let mut seating = [0; MAX_PLAYERS];
        for (seat, entrant) in seating.iter_mut().enumerate().take(self.players) {
            *entrant = table[usize::from(order[usize::from(seats[seat])])];
        }
        seating
    }

    /// Returns the entrants at the table of `block`, in their usual order.
    ///
    /// # Panics
    /// If the schedule deals blocks and this one was not dealt.
    #[must_use]
    pub fn table(&self, block: u64) -> &[u8] {
        assert!(!self.tables.is_empty(), "blocks are dealt before they are played");
        &self.tables[((block - self.first) % self.tables.len() as u64) as usize][..self.players]
    }

    /// Returns the note on the imbalance of a run of `blocks` blocks; `None` if all is balanced.
    #[must_use]
    pub fn unevenness(&self, blocks: u64) -> Option<String> {
        if self.schedule == Schedule::Fixed && self.players > 1 {
            return Some("the seats are not balanced: with schedule fixed each agent keeps its seat, so the \
                         advantage of a seat counts for its agent".to_owned());
        }
        // Meetings that are dealt are unknown in advance, and no reported figure requires them to be balanced.
        if self.schedule.is_dealt() {
            return None;
        }
        let (least, most) = self.meetings(blocks);
        if least == most {
            return None;
        }
        let per_block = self.games_per_block();
        let who = match self.schedule {
            Schedule::Gauntlet => "the candidate does not meet everybody",
            _ => "pairs do not meet",
        };
        Some(format!(
            "{who} equally often: {} to {} games; a full cycle is {} blocks ({} games), this run has {blocks} blocks",
            least * per_block,
            most * per_block,
            self.cycle,
            self.cycle * per_block,
        ))
    }

    /// Returns the smallest and the largest number of blocks in which a pair meets, among the pairs that meet in a
    /// cycle.
    ///
    /// In a gauntlet only the pairs of the candidate count.
    fn meetings(&self, blocks: u64) -> (u64, u64) {
        let counts = |a: u8, b: u8| self.schedule != Schedule::Gauntlet || a.min(b) == 0;
        let n = self.n_entrants;
        let count = |blocks: u64| {
            let mut met = vec![0_u64; n * n];
            for block in 0..blocks {
                let table = self.table(block);
                for (i, &a) in table.iter().enumerate() {
                    for &b in table[i + 1..].iter().filter(|&&b| counts(a, b)) {
                        met[usize::from(a.min(b)) * n + usize::from(a.max(b))] += 1;
                    }
                }
            }
            met
        };
        let cycle = count(self.cycle);
        let rest = count(blocks % self.cycle);
        let times = blocks / self.cycle;
        let met = cycle.iter().zip(&rest).filter(|&(&all, _)| all > 0);
        let met: Vec<u64> = met.map(|(all, rest)| all * times + rest).collect();
        let least = met.iter().min().copied().unwrap_or_default();
        (least, met.iter().max().copied().unwrap_or_default())
    }
}

fn check(schedule: Schedule, given: usize, players: usize) -> Result<(), Error> {
    let name = schedule.name();
    let refuse = |needs: String| {
        Err(Error::Usage(format!(
            "{} given, but schedule {name} at tables of {players} needs {needs}",
            crate::units::counted(given as u64, "agent")
        )))
    };
    let is_paired = matches!(schedule, Schedule::Swiss | Schedule::KnockOut);
    match schedule {
        _ if is_paired && players != 2 => Err(Error::Usage(format!(
            "schedule {name} pairs agents at tables of 2, not of {players}: take schedule round-robin or adaptive"
        ))),
        _ if is_paired && given < 2 => refuse("a pool of at least 2".to_owned()),
        _ if given > MAX_ENTRANTS => refuse(format!("at most {MAX_ENTRANTS}")),
        Schedule::Balanced | Schedule::Fixed if given != players => {
            let more = "; schedule round-robin takes more";
            let hint = if given > players { more } else { "" };
            refuse(format!("{players}, one a seat{hint}"))
        }
        Schedule::RoundRobin | Schedule::Exhaustive if given < players => {
            refuse(format!("at least {players}, one a seat"))
        }
        Schedule::Adaptive if given < players.max(2) => {
            refuse(format!("a pool of at least {}", players.max(2)))
        }
        Schedule::Gauntlet if given < players.max(2) => {
            refuse("a candidate and at least one opponent".to_owned())
        }
        _ => Ok(()),
    }
}

fn identity() -> Seating {
    std::array::from_fn(|i| i as u8)
}

/// Returns the rotations of a table of `players`: in game `turn` place p sits in seat p + turn.
fn rotations(players: usize) -> Vec<Seating> {
    let turned = |turn: usize| {
        let mut seats = identity();
        for (seat, place) in seats.iter_mut().enumerate().take(players) {
            *place = ((seat + players - turn) % players) as u8;
        }
        seats
    };
    (0..players).map(turned).collect()
}

/// Returns all orders of a table of `players` in which the first `fixed` places stay, the usual order first.
fn permutations(players: usize, fixed: usize) -> Vec<Seating> {
    fn extend(order: &mut Seating, from: usize, players: usize, out: &mut Vec<Seating>) {
        if from >= players {
            out.push(*order);
            return;
        }
        for i in from..players {
            // A rotation, not a swap, keeps the rest in ascending order.
            order[from..=i].rotate_right(1);
            extend(order, from + 1, players, out);
            order[from..=i].rotate_left(1);
        }
    }
    let mut out = Vec::new();
    extend(&mut identity(), fixed.min(players), players, &mut out);
    out
}

/// Returns the orders with different seatings; entrants with equal specs are one agent.
fn distinct(specs: &[String]) -> Vec<Seating> {
    let mut seen = std::collections::BTreeSet::new();
    let seated = |order: &Seating| -> Vec<&str> {
        order[..specs.len()].iter().map(|&place| specs[usize::from(place)].as_str()).collect()
    };
    let mut orders = permutations(specs.len(), 0);
    orders.retain(|order| seen.insert(seated(order)));
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("agent-{i}")).collect()
    }

    fn timetable(schedule: Schedule, n: usize, players: usize) -> Timetable {
        Timetable::new(schedule, &specs(n), players).unwrap()
    }

    /// Returns the number of times that each entrant sat in each seat in the first `blocks` blocks.
    fn seats(timetable: &Timetable, blocks: u64) -> Vec<[u32; MAX_PLAYERS]> {
        let mut seen = vec![[0; MAX_PLAYERS]; timetable.n_entrants()];
        for index in 0..blocks * timetable.games_per_block() {
            let seating = timetable.seating(index);
            for seat in 0..timetable.players {
                seen[usize::from(seating[seat])][seat] += 1;
            }
        }
        seen
    }

    #[test]
    fn in_every_block_everybody_at_the_table_sits_everywhere_equally_often() {
        for schedule in
            [Schedule::Balanced, Schedule::RoundRobin, Schedule::Gauntlet, Schedule::Exhaustive]
        {
            for players in 2..=MAX_PLAYERS {
                let n = if schedule == Schedule::Balanced { players } else { players + 2 };
                let timetable = timetable(schedule, n, players);
                for block in 0..2 * timetable.cycle() + 3 {
                    let before = seats(&timetable, block);
                    let after = seats(&timetable, block + 1);
                    for &entrant in timetable.table(block) {
                        let (before, after) =
                            (before[usize::from(entrant)], after[usize::from(entrant)]);
                        let each = timetable.games_per_block() as u32 / players as u32;
                        assert!((0..players).all(|seat| after[seat] - before[seat] == each));
                    }
                    if block > 40 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn nobody_meets_himself() {
        for schedule in [Schedule::RoundRobin, Schedule::Gauntlet, Schedule::Exhaustive] {
            let timetable = timetable(schedule, 9, 4);
            for block in 0..timetable.cycle() {
                let mut table = timetable.table(block).to_vec();
                table.sort_unstable();
                table.dedup();
                assert_eq!(table.len(), 4);
            }
        }
    }

    #[test]
    fn after_a_cycle_all_pairs_have_met_equally_often() {
        for players in 2..=6 {
            for n in players..=13 {
                let timetable = timetable(Schedule::RoundRobin, n, players);
                let (least, most) = timetable.meetings(timetable.cycle());
                assert_eq!(least, most, "{n} entrants at tables of {players}");
                assert!(least > 0);
                assert_eq!(timetable.unevenness(timetable.cycle()), None);
                assert_eq!(timetable.meetings(3 * timetable.cycle()), (3 * least, 3 * most));
            }
        }
    }

    /// The projective plane of order 3: thirteen entrants, thirteen tables of four, each pair once.
    #[test]
    fn perfect_difference_sets_are_found() {
        for (players, n) in [(3, 7), (4, 13), (5, 21), (6, 31)] {
            let timetable = timetable(Schedule::RoundRobin, n, players);
            assert_eq!(timetable.cycle(), n as u64);
            assert_eq!(timetable.meetings(n as u64), (1, 1));
        }
    }

    #[test]
    fn a_run_that_is_no_whole_cycle_says_so() {
        let timetable = timetable(Schedule::RoundRobin, 6, 4);
        let text = timetable.unevenness(timetable.cycle() + 1).unwrap();
        assert!(text.starts_with("pairs do not meet equally often: "), "{text}");
        assert!(timetable.unevenness(2 * timetable.cycle()).is_none());
        let fixed = Timetable::new(Schedule::Fixed, &specs(3), 3).unwrap();
        assert!(fixed.unevenness(5).unwrap().contains("keeps its seat"));
    }

    #[test]
    fn the_candidate_of_a_gauntlet_is_always_there_and_meets_all_equally_often() {
        for (n, players) in [(2, 2), (5, 2), (4, 4), (8, 4), (9, 6)] {
            let timetable = timetable(Schedule::Gauntlet, n, players);
            let mut met = vec![0; n];
            for block in 0..timetable.cycle() {
                let table = timetable.table(block);
                assert_eq!(table[0], 0);
                table[1..].iter().for_each(|&entrant| met[usize::from(entrant)] += 1);
            }
            assert!(met[1..].iter().all(|&times| times == met[1] && times > 0), "{met:?}");
        }
        let gauntlet = timetable(Schedule::Gauntlet, 4, 3);
        assert_eq!(gauntlet.unevenness(2 * gauntlet.cycle()), None);
        let text = gauntlet.unevenness(gauntlet.cycle() + 1).unwrap();
        assert!(
            text.starts_with("the candidate does not meet everybody equally often: "),
            "{text}"
        );
        assert_eq!(Schedule::Gauntlet.n_entrants(2, 4), 4);
        assert_eq!(Schedule::Gauntlet.n_entrants(3, 6), 7);
        assert_eq!(Schedule::Gauntlet.n_entrants(5, 4), 5);
    }

    #[test]
    fn an_exhaustive_block_has_every_different_seating_once() {
        assert_eq!(timetable(Schedule::Exhaustive, 4, 4).games_per_block(), 24);
        let alike = ["a", "b", "b", "b"].map(str::to_owned);
        let timetable = Timetable::new(Schedule::Exhaustive, &alike, 4).unwrap();
        assert_eq!(timetable.games_per_block(), 4);
        let alike = ["a", "a", "b", "b", "b"].map(str::to_owned);
        assert_eq!(Timetable::new(Schedule::Exhaustive, &alike, 5).unwrap().games_per_block(), 10);
    }

    #[test]
    fn neighbours_change_from_cycle_to_cycle_in_a_round_robin() {
        let timetable = timetable(Schedule::RoundRobin, 5, 4);
        let cycle = timetable.tables.len() as u64 * timetable.games_per_block();
        let mut orders: Vec<Seating> = (0..6).map(|k| timetable.seating(k * cycle)).collect();
        orders.sort_unstable();
        orders.dedup();
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn the_wrong_number_of_entrants_is_refused_with_the_right_one() {
        let complaint = |schedule, n, players| {
            Timetable::new(schedule, &specs(n), players).unwrap_err().to_string()
        };
        assert_eq!(
            complaint(Schedule::Balanced, 5, 4),
            "5 agents given, but schedule balanced at tables of 4 needs 4, one a seat; \
             schedule round-robin takes more"
        );
        assert!(complaint(Schedule::RoundRobin, 3, 4).ends_with("needs at least 4, one a seat"));
        assert!(complaint(Schedule::Gauntlet, 1, 2).ends_with("and at least one opponent"));
        assert!(complaint(Schedule::RoundRobin, 65, 4).ends_with("needs at most 64"));
    }

    #[test]
    fn a_fixed_schedule_never_moves_anyone() {
        let fixed = timetable(Schedule::Fixed, 4, 4);
        assert_eq!(fixed.seating(7)[..4], [0, 1, 2, 3]);
        assert_eq!(fixed, Timetable::fixed(4));
        let balanced = Timetable::balanced(4);
        assert_eq!(balanced, timetable(Schedule::Balanced, 4, 4));
        assert_eq!(balanced.seating(0)[..4], [0, 1, 2, 3]);
        assert_eq!(balanced.seating(1)[..4], [3, 0, 1, 2]);
    }
}
