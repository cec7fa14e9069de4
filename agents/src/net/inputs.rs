//! The inputs of a net: what a game counts of each seat and of the table, sparse and in whole numbers.

use engine::{Game, MAX_PLAYERS, Player, PlayerSet};

/// Some inputs of the same kind, one for each of a list of things, as the units in each place of a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputGroup {
    /// The name of the group.
    pub name: &'static str,
    /// The meaning of an input of the group, with its unit.
    pub meaning: &'static str,
    /// Number of inputs: of the things that the group has one for.
    pub count: usize,
    /// A typical count, by which a trainer divides.
    pub usual: f32,
    /// The greatest count; what is more counts as this.
    pub most: i8,
    /// Whether the other seats are told it, too: their allies as of an ally, all others as of an enemy.
    pub is_shared: bool,
}

/// The inputs of a game, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Of a seat.
    pub seat: &'static [InputGroup],
    /// Of the table, which all seats have in common.
    pub table: &'static [InputGroup],
    /// Moments of a game, each with a last layer of its own.
    pub phases: usize,
}

/// Returns the number of inputs of some groups.
#[must_use]
pub const fn inputs_of(groups: &[InputGroup]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < groups.len() {
        sum += groups[i].count;
        i += 1;
    }
    sum
}

/// The input of a group: its number, and its greatest count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    first: u16,
    most: i8,
}

impl Slot {
    /// Returns the first input of the group called `name`.
    ///
    /// # Panics
    /// If no group is called so (a bug of the game, which shows when it is compiled).
    #[must_use]
    pub const fn of(groups: &[InputGroup], name: &str) -> Self {
        let (mut sum, mut i) = (0, 0);
        while i < groups.len() {
            if is_same(groups[i].name, name) {
                return Self { first: sum as u16, most: groups[i].most };
            }
            sum += groups[i].count;
            i += 1;
        }
        panic!("no group is called so")
    }

    /// Returns the input of the thing number `i`.
    #[inline]
    #[must_use]
    pub const fn at(self, i: usize) -> Self {
        Self { first: self.first + i as u16, most: self.most }
    }

    /// Returns the entry with this count, unless it is 0.
    #[inline]
    #[must_use]
    pub fn entry(self, count: i32) -> Option<Entry> {
        let most = i32::from(self.most);
        let entry = Entry { input: self.first, count: count.clamp(-most, most) as i8 };
        (count != 0).then_some(entry)
    }
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl Layout {
    /// Returns the group of each input, one after the other.
    pub(crate) fn each(groups: &[InputGroup]) -> impl Iterator<Item = &InputGroup> {
        groups.iter().flat_map(|group| std::iter::repeat_n(group, group.count))
    }

    /// Returns the beginning of the BLAKE3 hash of all that a net has to agree with: groups, their sizes and greatest counts, and the
    /// number of phases.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut text = format!("phases {}\n", self.phases);
        for (of, groups) in [("seat", self.seat), ("table", self.table)] {
            for group in groups {
                let InputGroup { name, meaning, count, usual, most, is_shared } = group;
                text += &format!("{of} {name} {count} {usual} {most} {is_shared} {meaning}\n");
            }
        }
        let hash = blake3::hash(text.as_bytes()).to_hex();
        hash[..16].to_owned()
    }
}

/// An input that is not 0: its number, and its count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the input.
    pub input: u16,
    /// The count.
    pub count: i8,
}

/// The inputs of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatInputs {
    /// All that are not 0, which the seat itself is told.
    pub own: Vec<Entry>,
    /// Those of them that the other seats are told.
    pub shared: Vec<Entry>,
    /// The allies of the seat, itself not included.
    pub allies: PlayerSet,
}

/// The inputs of a position. Whoever asks for many keeps one and fills it again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Seats at the table.
    pub n_players: usize,
    /// The phase of the game.
    pub phase: usize,
    /// Those of each seat.
    pub seats: [SeatInputs; MAX_PLAYERS],
    /// Those of the table.
    pub table: Vec<Entry>,
}

impl Inputs {
    /// Returns inputs of nothing yet, with room for `of_seat` of a seat and `of_table` of the table that are not 0.
    #[must_use]
    pub fn with_room(of_seat: usize, of_table: usize) -> Self {
        let seat = || SeatInputs {
            own: Vec::with_capacity(of_seat),
            shared: Vec::with_capacity(of_seat),
            allies: PlayerSet::default(),
        };
        Self {
            n_players: 0,
            phase: 0,
            seats: std::array::from_fn(|_| seat()),
            table: Vec::with_capacity(of_table),
        }
    }

    /// Begins anew with a position of `n_players` at `phase`.
    pub fn begin(&mut self, n_players: usize, phase: usize) {
        self.n_players = n_players;
        self.phase = phase;
        self.table.clear();
        for seat in &mut self.seats[..n_players] {
            seat.own.clear();
            seat.shared.clear();
            seat.allies = PlayerSet::default();
        }
    }

    /// Returns the inputs of a player.
    #[inline]
    #[must_use]
    pub fn of(&mut self, player: Player) -> &mut SeatInputs {
        &mut self.seats[player.idx()]
    }
}

impl SeatInputs {
    /// Adds an input that the seat alone is told.
    #[inline]
    pub fn add(&mut self, slot: Slot, count: impl Into<i32>) {
        if let Some(entry) = slot.entry(count.into()) {
            self.own.push(entry);
        }
    }

    /// Adds an input that the other seats are told, too.
    #[inline]
    pub fn share(&mut self, slot: Slot, count: impl Into<i32>) {
        if let Some(entry) = slot.entry(count.into()) {
            self.own.push(entry);
            self.shared.push(entry);
        }
    }
}

/// Counts the inputs of positions of a game. They are counted of the position that is given and of nothing else, so that a
/// search, which gives its worlds, tells the net nothing that its player cannot know; and renaming the other seats renames
/// the inputs and changes nothing else.
pub trait NetInputs<G: Game>: Send + Sync {
    /// Returns the inputs of the game.
    fn layout(&self) -> Layout;

    /// Fills `inputs` with those of a position; false when the game is over, and then they are of nothing.
    fn count(&self, game: &G, state: &G::State, inputs: &mut Inputs) -> bool;
}
