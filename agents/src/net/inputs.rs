//! The inputs of a net: what a game counts of each seat and of the table, sparse and in whole numbers.

use engine::{Game, MAX_PLAYERS, Player, PlayerSet};

/// Group of inputs of one kind, one input for each item of a list, for example the units in each place of a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputGroup {
    /// The name of the group.
    pub name: &'static str,
    /// The meaning of an input of the group, with its unit.
    pub meaning: &'static str,
    /// Number of inputs, one for each item.
    pub count: usize,
    /// Typical count, by which a trainer divides.
    pub usual: f32,
    /// Largest count; larger counts are cut to it.
    pub most: i8,
    /// Flag for inputs that the other seats also receive: the seat's allies as of an ally, all others as of an enemy.
    pub is_shared: bool,
}

impl InputGroup {
    /// Creates a group that the seat alone receives: the typical count is `usual`, the largest `most`.
    #[must_use]
    pub const fn own(
        name: &'static str,
        count: usize,
        usual: f32,
        most: i8,
        meaning: &'static str,
    ) -> Self {
        Self { name, meaning, count, usual, most, is_shared: false }
    }

    /// Creates a group that the other seats also receive.
    #[must_use]
    pub const fn shared(
        name: &'static str,
        count: usize,
        usual: f32,
        most: i8,
        meaning: &'static str,
    ) -> Self {
        Self { is_shared: true, ..Self::own(name, count, usual, most, meaning) }
    }

    /// Returns the group called `name`.
    ///
    /// # Panics
    /// If no group has this name (a bug of the game, which appears at compile time).
    #[must_use]
    pub const fn named<'a>(groups: &'a [Self], name: &str) -> &'a Self {
        let mut i = 0;
        while i < groups.len() {
            if is_same(groups[i].name, name) {
                return &groups[i];
            }
            i += 1;
        }
        panic!("no group is called so")
    }
}

/// The inputs of a game, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Inputs of a seat.
    pub seat: &'static [InputGroup],
    /// Inputs of the table, common to all seats.
    pub table: &'static [InputGroup],
    /// Inputs of an option of a decision, for priors; none if the game counts none.
    pub options: &'static [InputGroup],
    /// Number of phases of a game, each with its own last layer.
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
    /// If no group has this name (a bug of the game, which appears at compile time).
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

    /// Returns the input of item `i`.
    #[inline]
    #[must_use]
    pub const fn at(self, i: usize) -> Self {
        Self { first: self.first + i as u16, most: self.most }
    }

    /// Returns the number of the input.
    #[inline]
    #[must_use]
    pub const fn number(self) -> usize {
        self.first as usize
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
    /// Returns the group of each input, in order.
    pub(crate) fn each(groups: &[InputGroup]) -> impl Iterator<Item = &InputGroup> {
        groups.iter().flat_map(|group| std::iter::repeat_n(group, group.count))
    }

    /// Returns the beginning of the BLAKE3 hash of all that a net has to agree with: groups, their sizes and greatest
    /// counts, and the number of phases.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let parts = [("seat", self.seat), ("table", self.table)];
        hash_of(format!("phases {}\n", self.phases), &parts)
    }

    /// Returns the beginning of the BLAKE3 hash of all that a policy head has to agree with: the groups of an option.
    #[must_use]
    pub fn options_fingerprint(&self) -> String {
        hash_of(String::new(), &[("option", self.options)])
    }
}

/// Returns the first digits of the hash of groups, by what they are of, below `head`.
fn hash_of(head: String, parts: &[(&str, &[InputGroup])]) -> String {
    let mut text = head;
    for (of, groups) in parts {
        for group in *groups {
            let InputGroup { name, meaning, count, usual, most, is_shared } = group;
            text += &format!("{of} {name} {count} {usual} {most} {is_shared} {meaning}\n");
        }
    }
    let hash = blake3::hash(text.as_bytes()).to_hex();
    hash[..16].to_owned()
}

/// Input that is not 0, as its number and count.
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
    /// Inputs of the seat itself, those that are not 0.
    pub own: Vec<Entry>,
    /// Part of `own` that the other seats also receive.
    pub shared: Vec<Entry>,
    /// The allies of the seat, itself not included.
    pub allies: PlayerSet,
}

/// Inputs of a position. A caller with many positions keeps one and refills it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Seats at the table.
    pub n_players: usize,
    /// The phase of the game.
    pub phase: usize,
    /// Inputs of each seat.
    pub seats: [SeatInputs; MAX_PLAYERS],
    /// Inputs of the table.
    pub table: Vec<Entry>,
}

impl Inputs {
    /// Returns empty inputs, with room for `of_seat` entries of a seat and `of_table` entries of the table.
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

    /// Clears the inputs for a position of `n_players` at `phase`.
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
    /// Adds an input that only the seat itself receives.
    #[inline]
    pub fn add(&mut self, slot: Slot, count: impl Into<i32>) {
        if let Some(entry) = slot.entry(count.into()) {
            self.own.push(entry);
        }
    }

    /// Adds an input that the other seats also receive.
    #[inline]
    pub fn share(&mut self, slot: Slot, count: impl Into<i32>) {
        if let Some(entry) = slot.entry(count.into()) {
            self.own.push(entry);
            self.shared.push(entry);
        }
    }
}

/// Counter of the inputs of a game's positions.
///
/// Inputs depend on the given position alone. A search gives its determinized worlds, so the net receives nothing that
/// the player cannot know. Renaming the other seats renames the inputs and changes nothing else.
pub trait NetInputs<G: Game>: Send + Sync {
    /// Returns the inputs of the game.
    fn layout(&self) -> Layout;

    /// Fills `inputs` with those of a position; false when the game is over, and then they are of nothing.
    fn count(&self, game: &G, state: &G::State, inputs: &mut Inputs) -> bool;
}
