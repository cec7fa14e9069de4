//! The position: [`State`], the updates that keep its parts consistent, and the words of its packed counts.

use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Bits, Each};
use crate::games::classic::model::battle::Battle;
use crate::games::classic::model::board::Board;
use crate::games::classic::model::detail::Detail;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, PROVINCES, Place, PlaceSet};
use crate::games::classic::model::rows::Last;
use crate::games::shared::options::Options;
use crate::games::shared::units::{N_LAND_MILITARY, N_MILITARY, Troops, Unit};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};

/// Largest number of talents of a player: further talents are lost.
pub(crate) const MOST_TALENTS: u32 = u16::MAX as u32;

/// Six counts of four bits, one for each seat, and two more above them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Nibbles(u32);

/// The slot of galleys that have not moved this turn.
const FRESH: u32 = MAX_PLAYERS as u32;
/// The slot of galleys that have one of two steps left.
const HALF: u32 = FRESH + 1;
/// Number of slots.
#[cfg(feature = "data")]
const N_SLOTS: usize = HALF as usize + 1;

impl Nibbles {
    #[inline]
    const fn slot(self, slot: u32) -> u8 {
        (self.0 >> (4 * slot) & 15) as u8
    }

    #[inline]
    const fn add_to(&mut self, slot: u32, number: i8) {
        self.0 = self.0.wrapping_add((number as i32 as u32) << (4 * slot));
    }

    /// Returns the count of a seat.
    #[inline]
    pub(crate) const fn of(self, player: Player) -> u8 {
        self.slot(player.number() as u32)
    }

    /// Adds to the count of a seat.
    #[inline]
    pub(crate) const fn add(&mut self, player: Player, number: i8) {
        self.add_to(player.number() as u32, number);
    }

    /// Returns the number of galleys of the player in turn that have not moved.
    #[inline]
    pub(crate) const fn fresh(self) -> u8 {
        self.slot(FRESH)
    }

    /// Returns the number of galleys of the player in turn with one step left of two.
    #[inline]
    pub(crate) const fn half(self) -> u8 {
        self.slot(HALF)
    }

    #[inline]
    pub(crate) const fn add_fresh(&mut self, number: i8) {
        self.add_to(FRESH, number);
    }

    #[inline]
    pub(crate) const fn add_half(&mut self, number: i8) {
        self.add_to(HALF, number);
    }

    /// Clears the record of moved galleys.
    pub(crate) const fn rest(&mut self) {
        self.0 &= (1 << (4 * FRESH)) - 1;
    }

    /// Returns whether any seat but this one has a positive count.
    #[inline]
    pub(crate) const fn has_other(self, player: Player) -> bool {
        self.0 & ((1 << (4 * FRESH)) - 1) & !(15 << (4 * player.number() as u32)) != 0
    }
}

/// The right of the caesar of the player in turn to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Mobility {
    /// In the wave that is due.
    #[default]
    Now,
    /// In the next one.
    Next,
    /// Never again in this turn.
    Spent,
}

/// A position of the game; 1,504 bytes without heap memory (the table stands in `docs/rules/classic.md`).
///
/// Land pieces except the caesar are packed by seat and place; at sea they are aboard. Moved pieces are recorded for
/// the player in turn only, and cleared when their movement is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) troops: ByPlayer<[Troops; N_PLACES]>,
    /// Galleys in zones, and in the ports of provinces.
    pub(crate) galleys: [Nibbles; N_PLACES],
    /// Land pieces of the player in turn that do nothing more this turn; in the market, units recruited there.
    pub(crate) spent: [Troops; N_PLACES],
    /// Troops of the player in turn with one step left of two, and their generals who march in the next wave.
    pub(crate) half: [Troops; N_PROVINCES],
    /// Places with troops.
    pub(crate) army: ByPlayer<PlaceSet>,
    /// Places with generals or the caesar.
    pub(crate) leaders: ByPlayer<PlaceSet>,
    pub(crate) owned: ByPlayer<PlaceSet>,
    /// Provinces with a guard at full number.
    pub(crate) guards: PlaceSet,
    pub(crate) cities: PlaceSet,
    /// Fortified cities.
    pub(crate) forts: PlaceSet,
    /// Cities bought in this turn.
    pub(crate) new_cities: PlaceSet,
    /// Roads, by the number of the border.
    pub(crate) roads: [u64; 2],
    pub(crate) options: Options,
    pub(crate) talents: ByPlayer<u16>,
    /// Talents when the last round ended, until a ply is made.
    pub(crate) closing: ByPlayer<u16>,
    /// Number of generals held, by captor, of each owner.
    pub(crate) captives: ByPlayer<Nibbles>,
    /// Units left to buy.
    pub(crate) pool: ByPlayer<[u8; N_MILITARY]>,
    /// Pieces to place at the start: infantry, generals.
    pub(crate) to_place: ByPlayer<[u8; 2]>,
    pub(crate) caesar: ByPlayer<Option<Place>>,
    pub(crate) battle: Battle,
    pub(crate) detail: Detail,
    pub(crate) last: Last,
    pub(crate) mobility: Mobility,
    pub(crate) phase: Phase,
    /// The player whose turn it is.
    pub(crate) turn: Player,
    /// The player who decides.
    pub(crate) actor: Player,
    pub(crate) out: PlayerSet,
    pub(crate) winners: PlayerSet,
    /// The round under way; 0 during setup.
    pub(crate) round: u8,
    /// The wave of marches, 1 to 3; 0 outside movement.
    pub(crate) wave: u8,
    /// The first province not yet examined for land battles; in setup, the number of claims of each player.
    pub(crate) cursor: u8,
    /// Number of price rises.
    pub(crate) level: u8,
    /// Number of snapshots passed: setup, and rounds that are over.
    pub(crate) milestone: u8,
    /// True if a round has just ended and no ply was made since.
    pub(crate) is_fresh: bool,
    /// [`Self::level`] at that time.
    pub(crate) closing_level: u8,
}

data!(struct State { troops, galleys, spent, half, army, leaders, owned, guards, cities, forts, new_cities, roads in Each<Bits>, options, talents, closing, captives, pool, to_place, caesar, battle, detail, last, mobility, phase, turn, actor, out, winners, round, wave, cursor, level, milestone, is_fresh, closing_level });
#[cfg(feature = "data")]
impl crate::data::Data for Nibbles {
    fn to_data(&self) -> serde_json::Value {
        std::array::from_fn::<_, N_SLOTS, _>(|slot| self.slot(slot as u32)).to_data()
    }
    fn from_data(json: &serde_json::Value) -> Result<Self, crate::data::BadData> {
        let counts = <[u8; N_SLOTS]>::from_data(json)?;
        if let Some(n) = counts.iter().find(|&&n| n > 15) {
            return Err(crate::data::BadData::of(format_args!("{n} is not a number from 0 to 15")));
        }
        Ok(Self(counts.iter().rev().fold(0, |word, &n| word << 4 | u32::from(n))))
    }
}

data!(
    enum Mobility {
        Now,
        Next,
        Spent,
    }
);

impl State {
    /// Returns the board before the first claim: homes with caesars and cities (2.1 to 2.3).
    pub(crate) fn new(board: &Board, n_players: usize) -> Self {
        let start = &board.config.start;
        let mut s = Self::empty();
        for player in Player::all(n_players) {
            let home = board.home[player].expect("every seat has a home");
            s.pool[player] = board.pool;
            s.to_place[player] = [start.infantry as u8, start.general as u8];
            s.caesar[player] = Some(home);
            s.owned[player].insert(home);
            s.talents[player] = start.talents as u16;
            s.refresh(player, home);
            if start.city != "none" {
                s.cities.insert(home);
            }
            if start.city == "fort" {
                s.forts.insert(home);
            }
        }
        s.guards = Place::first(N_PROVINCES).filter(|p| board.guard[p.idx()] > 0).collect();
        s
    }

    fn empty() -> Self {
        Self {
            troops: ByPlayer([[Troops(0); N_PLACES]; MAX_PLAYERS]),
            galleys: [Nibbles(0); N_PLACES],
            spent: [Troops(0); N_PLACES],
            half: [Troops(0); N_PROVINCES],
            army: ByPlayer::default(),
            leaders: ByPlayer::default(),
            owned: ByPlayer::default(),
            guards: PlaceSet::EMPTY,
            cities: PlaceSet::EMPTY,
            forts: PlaceSet::EMPTY,
            new_cities: PlaceSet::EMPTY,
            roads: [0; 2],
            options: Options::NONE,
            talents: ByPlayer::default(),
            closing: ByPlayer::default(),
            captives: ByPlayer::default(),
            pool: ByPlayer::default(),
            to_place: ByPlayer::default(),
            caesar: ByPlayer::default(),
            battle: Battle::NONE,
            detail: Detail::Nothing,
            last: Last::NONE,
            mobility: Mobility::Now,
            phase: Phase::Claim,
            turn: Player::new(0),
            actor: Player::new(0),
            out: PlayerSet::EMPTY,
            winners: PlayerSet::EMPTY,
            round: 0,
            wave: 0,
            cursor: 0,
            level: 0,
            milestone: 0,
            is_fresh: false,
            closing_level: 0,
        }
    }

    // --- pieces ---

    /// Returns the land pieces of a player in a place, the caesar apart.
    #[inline]
    #[must_use]
    pub const fn troops(&self, player: Player, place: Place) -> Troops {
        self.troops.0[player.idx()][place.idx()]
    }

    /// Updates the masks of a place.
    #[inline]
    pub(crate) fn refresh(&mut self, player: Player, place: Place) {
        let here = self.troops(player, place);
        let has_leader = here.generals() > 0 || self.caesar[player] == Some(place);
        self.army[player] = self.army[player].with(place, here.is_army());
        self.leaders[player] = self.leaders[player].with(place, has_leader);
    }

    /// Adds land units other than the caesar.
    #[inline]
    pub(crate) fn add_troops(&mut self, player: Player, place: Place, unit: Unit, number: i8) {
        let word = &mut self.troops[player][place.idx()].0;
        *word = word.wrapping_add(Troops::one(unit).wrapping_mul(number as i16 as u16));
        self.refresh(player, place);
    }

    /// Moves land units other than the caesar.
    #[inline]
    pub(crate) fn shift(&mut self, player: Player, from: Place, to: Place, pieces: Troops) {
        self.troops[player][from.idx()].0 -= pieces.0;
        self.troops[player][to.idx()].0 += pieces.0;
        self.refresh(player, from);
        self.refresh(player, to);
    }

    /// Takes land units other than the caesar off the board; troops go back to the pool.
    pub(crate) fn remove(&mut self, player: Player, place: Place, pieces: Troops) {
        self.troops[player][place.idx()].0 -= pieces.0;
        for unit in Unit::LAND_MILITARY {
            self.pool[player][unit] += pieces.count(unit);
        }
        self.refresh(player, place);
    }

    /// Moves the caesar, or takes it off the board.
    pub(crate) fn move_caesar(&mut self, player: Player, to: Option<Place>) {
        let from = std::mem::replace(&mut self.caesar[player], to);
        from.into_iter().chain(to).for_each(|place| self.refresh(player, place));
    }

    /// Returns the number of galleys of a player in a zone or port.
    #[inline]
    #[must_use]
    pub const fn galleys(&self, player: Player, place: Place) -> u8 {
        self.galleys[place.idx()].of(player)
    }

    /// Returns the places where a player has galleys.
    #[inline]
    pub(crate) fn fleets(&self, player: Player) -> PlaceSet {
        // Without a branch, so that places are tested side by side.
        let own = 15 << (4 * player.number() as u32);
        let bits = self.galleys.iter().enumerate();
        PlaceSet::from_bits(
            bits.fold(0, |set, (i, there)| set | u64::from(there.0 & own != 0) << i),
        )
    }

    /// Sinks galleys, which go back to the pool.
    pub(crate) fn sink(&mut self, player: Player, place: Place, number: u8) {
        self.galleys[place.idx()].add(player, -(number as i8));
        self.pool[player][Unit::Galley] += number;
    }

    /// Returns the number of leaders of a player in a place.
    #[inline]
    pub(crate) fn n_leaders(&self, player: Player, place: Place) -> u8 {
        self.troops(player, place).generals() + u8::from(self.caesar[player] == Some(place))
    }

    // --- sets of places ---

    /// Returns the places with troops of players other than `player`.
    #[inline]
    pub(crate) fn foreign_armies(&self, player: Player) -> PlaceSet {
        others(&self.army, player)
    }

    /// Returns the provinces that no group without troops may enter: those with a guard or foreign troops (5.4).
    #[inline]
    pub(crate) fn defended(&self, player: Player) -> PlaceSet {
        self.guards | (self.foreign_armies(player) & PROVINCES)
    }

    /// Returns the provinces with a guard or foreign land pieces (5.5).
    #[inline]
    pub(crate) fn foreign_pieces(&self, player: Player) -> PlaceSet {
        self.defended(player) | (others(&self.leaders, player) & PROVINCES)
    }

    /// Returns the provinces that have an owner.
    #[inline]
    pub(crate) fn all_owned(&self) -> PlaceSet {
        self.owned.0.into_iter().fold(PlaceSet::EMPTY, |all, own| all | own)
    }

    /// Returns the owner of a province.
    #[must_use]
    pub fn owner(&self, place: Place) -> Option<Player> {
        Player::all(MAX_PLAYERS).find(|&q| self.owned[q].contains(place))
    }

    // --- roads ---

    /// Returns all roads, as bits of borders.
    #[inline]
    pub(crate) fn road_bits(&self) -> u128 {
        u128::from(self.roads[1]) << 64 | u128::from(self.roads[0])
    }

    pub(crate) fn set_road_bits(&mut self, bits: u128) {
        self.roads = [bits as u64, (bits >> 64) as u64];
    }

    // --- purses ---

    /// Adds or takes talents, down to zero.
    pub(crate) fn pay(&mut self, player: Player, talents: i64) {
        let purse = i64::from(self.talents[player]) + talents;
        self.talents[player] = purse.clamp(0, i64::from(MOST_TALENTS)) as u16;
    }

    /// Pays talents from one player to another, up to `most` or all that the payer has.
    pub(crate) fn pay_up_to(&mut self, from: Player, to: Player, most: i64) {
        let sum = most.min(self.talents[from].into());
        self.pay(from, -sum);
        self.pay(to, sum);
    }

    /// Returns the players of a table who are not out.
    #[inline]
    pub(crate) fn alive(&self, n_players: usize) -> PlayerSet {
        PlayerSet::first(n_players) - self.out
    }

    /// Goes to a decision of `actor`.
    #[inline]
    pub(crate) fn ask(&mut self, actor: Player, phase: Phase) {
        self.actor = actor;
        self.phase = phase;
    }

    /// Goes to an event of chance.
    #[inline]
    pub(crate) fn roll(&mut self, phase: Phase) {
        self.actor = self.turn;
        self.phase = phase;
    }
}

/// Returns the union over all seats other than `player`.
#[inline]
fn others(sets: &ByPlayer<PlaceSet>, player: Player) -> PlaceSet {
    let mut all = PlaceSet::EMPTY;
    for q in Player::all(MAX_PLAYERS) {
        if q != player {
            all |= sets[q];
        }
    }
    all
}

/// Counts of infantry, cavalry and catapults as packed troops.
#[inline]
pub(crate) const fn packed([infantry, cavalry, catapults]: [u8; N_LAND_MILITARY]) -> Troops {
    Troops(
        Troops::one(Unit::Infantry) * infantry as u16
            + Troops::one(Unit::Cavalry) * cavalry as u16
            + Troops::one(Unit::Catapult) * catapults as u16,
    )
}

/// Returns the infantry, cavalry and catapults of packed troops.
#[inline]
pub(crate) const fn counts(troops: Troops) -> [u8; N_LAND_MILITARY] {
    // Written out: mapping over an array is not inlined, and this is called everywhere.
    [troops.count(Unit::Infantry), troops.count(Unit::Cavalry), troops.count(Unit::Catapult)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the table of `docs/rules/classic.md` with its own sum, and with the parts that are large or change.
    #[test]
    fn a_state_keeps_to_its_bytes() {
        assert!(size_of::<State>() <= 1536, "{} bytes", size_of::<State>());
        let docs = include_str!("../../../../../docs/rules/classic.md");
        let table = docs.split("## The position in bytes").nth(1).expect("the table");
        let rows = table.lines().skip_while(|line| !line.starts_with("| `")).map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            cells.get(2).and_then(|bytes| bytes.parse().ok())
        });
        let sizes: Vec<usize> = rows.map_while(|bytes| bytes).collect();
        assert_eq!(sizes.iter().sum::<usize>(), size_of::<State>(), "{sizes:?}");
        let under_way = size_of::<Battle>() + size_of::<Detail>() + size_of::<Last>();
        let owners = size_of::<ByPlayer<Nibbles>>()
            + size_of::<ByPlayer<[u8; N_MILITARY]>>()
            + size_of::<ByPlayer<[u8; 2]>>()
            + size_of::<ByPlayer<Option<Place>>>();
        let parts = [
            size_of::<ByPlayer<[Troops; N_PLACES]>>(),
            size_of::<[Nibbles; N_PLACES]>(),
            size_of::<[Troops; N_PLACES]>(),
            size_of::<[Troops; N_PROVINCES]>(),
            3 * size_of::<ByPlayer<PlaceSet>>(),
            4 * size_of::<PlaceSet>() + size_of::<[u64; 2]>(),
            owners,
            2 * size_of::<ByPlayer<u16>>(),
            size_of::<Options>(),
            under_way,
        ];
        assert_eq!(sizes[..parts.len()], parts);
    }

    #[test]
    fn nibbles_do_not_disturb_each_other() {
        let [first, last] = [0, 5].map(Player::new);
        let mut word = Nibbles::default();
        word.add(last, 15);
        word.add(first, 7);
        word.add_fresh(9);
        word.add_half(15);
        word.add(last, -14);
        word.add_half(-5);
        assert_eq!([word.of(first), word.of(last), word.fresh(), word.half()], [7, 1, 9, 10]);
        assert!(word.has_other(first) && word.has_other(last));
        word.add(first, -7);
        word.rest();
        assert_eq!([word.fresh(), word.half(), word.of(last)], [0, 0, 1]);
        assert!(!word.has_other(last) && word.has_other(first));
    }

    #[test]
    fn packed_troops_come_back() {
        assert_eq!(counts(packed([31, 2, 7])), [31, 2, 7]);
        assert_eq!(packed([31, 31, 7]).generals(), 0);
    }
}
