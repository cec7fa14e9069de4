//! The treatments of one configuration, by season and seat, in the form that the rules use.

use crate::games::conquest2::model::cards::{Card, CardKind, CardSet};
use crate::games::conquest2::model::place::{Key, MAX_KEYS, Place, Site, Zone};
use crate::games::conquest2::model::units::Unit;
use crate::player::{ByPlayer, Player, PlayerSet};

/// A gift to a seat at a season's start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gift {
    pub(crate) seat: Player,
    pub(crate) what: Given,
    pub(crate) number: i64,
}

/// The content of a gift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// A card that lies in front of its owner, or a Senator.
    Card(Card),
    Talents,
    Vp,
    Chaos,
    Influence(Key),
    /// Land units of a kind.
    Units(Unit, Place),
    Galleys(Zone),
    City(Site),
}

/// The acts that a seat cannot choose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bans {
    /// Words of a turn, by their bits among its options.
    pub(crate) words: u64,
    pub(crate) cards: CardSet,
}

/// The treatments of one season.
#[derive(Clone, Default, Debug)]
pub(crate) struct Season {
    pub(crate) is_null: bool,
    pub(crate) gifts: Vec<Gift>,
    /// Immediate-use cards that a seat may take for free in its first turn.
    pub(crate) free: ByPlayer<Vec<Card>>,
    /// Number of actions added to the first turn of each seat, or taken from it.
    pub(crate) actions: ByPlayer<i8>,
    pub(crate) bans: ByPlayer<Bans>,
    pub(crate) opener: Option<Player>,
    /// The forced turn order; without it there is an auction.
    pub(crate) order: Option<Vec<Player>>,
    /// With a forced order: the players of alliance B.
    pub(crate) alliance_b: PlayerSet,
}

/// The treatments of a game.
#[derive(Clone, Debug)]
pub(crate) struct Treatments {
    pub(super) seasons: Vec<Season>,
    /// The influence of a seat by key province after the set-up, where a treatment sets it.
    pub(crate) deal: ByPlayer<Option<[u8; MAX_KEYS]>>,
    /// Cards that are in neither deck nor display.
    pub(crate) no_cards: CardSet,
}

impl Treatments {
    /// Returns the treatments of a season, counted from 0.
    pub(crate) fn season(&self, season: u8) -> &Season {
        &self.seasons[usize::from(season)]
    }

    /// Returns all gifts, season by season.
    fn gifts(&self) -> impl Iterator<Item = &Gift> {
        self.seasons.iter().flat_map(|season| &season.gifts)
    }

    /// Returns the number of copies of `card` given to all seats up to the start of season `last` (counted from 0), or
    /// in all seasons.
    pub(crate) fn copies(&self, card: Card, last: usize) -> i64 {
        let seasons = &self.seasons[..self.seasons.len().min(last.saturating_add(1))];
        let gifts = seasons.iter().flat_map(|season| &season.gifts);
        gifts.filter(|gift| gift.what == Given::Card(card)).map(|gift| gift.number).sum()
    }

    /// Returns the number of free copies of an immediate-use card in all seasons.
    pub(crate) fn free_copies(&self, card: Card) -> i64 {
        let free = self.seasons.iter().flat_map(|season| &season.free.0).flatten();
        free.filter(|&&free| free == card).count() as i64
    }

    /// Returns the number of copies of `card` that `seat` was given in `season`, counted from 0.
    pub(crate) fn copies_of(&self, season: u8, seat: Player, card: Card) -> u8 {
        let gifts = self.season(season).gifts.iter();
        let of_seat = gifts.filter(|gift| gift.seat == seat && gift.what == Given::Card(card));
        of_seat.map(|gift| gift.number as u8).sum()
    }

    /// Returns the amounts of talents that are given.
    pub(crate) fn talents(&self) -> impl Iterator<Item = i64> {
        self.gifts().filter(|gift| gift.what == Given::Talents).map(|gift| gift.number)
    }

    /// Returns the number of cities that are given, or can be built with a free card.
    pub(crate) fn cities(&self) -> usize {
        let free = self.seasons.iter().flat_map(|season| &season.free.0).flatten();
        self.gifts().filter(|gift| matches!(gift.what, Given::City(_))).count()
            + free.filter(|card| matches!(card.kind(), CardKind::City(_))).count()
    }

    /// Returns the number of actions of a player's turn in a season and round.
    pub(crate) fn actions(&self, season: u8, round: u8, player: Player, usual: u8) -> u8 {
        if round > 1 {
            return usual;
        }
        usual.saturating_add_signed(self.season(season).actions[player])
    }
}
