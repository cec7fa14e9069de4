//! The card list: ids, families and their effects. Counts and costs are configuration.

use crate::bits::numbered;
use crate::data::data;

/// Number of card kinds.
pub const N_CARDS: usize = 43;

/// Card ids in the order of the configuration and of the numbers of [`Card`].
pub const CARD_IDS: [&str; N_CARDS] = [
    "senator-1",
    "senator-2",
    "senator-3",
    "senator-4",
    "merchant-egypt",
    "merchant-sicilia",
    "merchant-hispania",
    "merchant-italia",
    "merchant-achaia",
    "merchant-asia",
    "assassin",
    "loot",
    "vote-emergency-tax",
    "vote-bread-and-circuses",
    "vote-hail-caesar",
    "vote-new-legions",
    "vote-influence-in-rome",
    "diplomacy-italia",
    "diplomacy-mesopotamia",
    "diplomacy-numidia",
    "diplomacy-egypt",
    "diplomacy-achaia",
    "diplomacy-pirates",
    "fleet-aegaeum",
    "fleet-alexandria",
    "city-egypt-numidia",
    "city-hispania-sicilia",
    "city-italia-neapolis",
    "city-italia-mesopotamia",
    "city-narbonensis-achaia",
    "city-asia-galatia",
    "barbarians-moesia",
    "barbarians-dacia",
    "barbarians-armenia",
    "barbarians-pannonia",
    "barbarians-germania",
    "barbarians-britannia",
    "politician",
    "bribe-senator",
    "slave-revolt",
    "army-training",
    "naval-training",
    "favorable-wind",
];

// The first number of each family, in the order of the ids.
const MERCHANT: u8 = 4;
const ASSASSIN: u8 = 10;
const LOOT: u8 = 11;
const VOTE: u8 = 12;
const DIPLOMACY: u8 = 17;
const FLEET: u8 = 23;
const CITY: u8 = 25;
const BARBARIANS: u8 = 31;
const POLITICIAN: u8 = 37;
const BRIBE: u8 = 38;
const REVOLT: u8 = 39;
const ARMY_TRAINING: u8 = 40;
const NAVAL_TRAINING: u8 = 41;
const WIND: u8 = 42;

/// Number of merchants.
pub const N_MERCHANTS: usize = 6;
/// Number of Senate Votes.
pub const N_VOTES: usize = 5;
/// Number of Diplomacy cards, pirates included.
pub const N_DIPLOMACY: usize = 6;
/// Number of Build City cards.
pub(crate) const N_CITY_CARDS: usize = 6;
/// Number of Barbarians cards.
pub(crate) const N_BARBARIANS: usize = 6;

/// The effect of a card when it is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Goes to the hidden hand.
    Senator,
    /// Can be used once per season in the owner's turn.
    MultiUse,
    /// Owned until the season ends, then back to the display.
    Diplomacy,
    /// Happens at once and leaves the game.
    Immediate,
    /// Works for the rest of the game.
    Passive,
}

numbered! {
    /// A kind of card; its number is that of its id in [`CARD_IDS`].
    Card,
    /// A set of kinds of cards.
    CardSet;
}

/// The kind of a card, with its number within its family where the family has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardKind {
    /// A Senator of value I to IV, as 0 to 3.
    Senator(u8),
    /// A merchant, in the order of the ids.
    Merchant(u8),
    /// The Assassin.
    Assassin,
    /// Loot the Countryside.
    Loot,
    /// A Senate Vote.
    Vote(Vote),
    /// Diplomacy, in the order of the ids; the last is the pirates.
    Diplomacy(u8),
    /// Commandeer a Fleet.
    Fleet(u8),
    /// Build City.
    City(u8),
    /// Barbarians at the Gate.
    Barbarians(u8),
    /// Politician.
    Politician,
    /// Bribe Senator.
    Bribe,
    /// Slave Revolt.
    Revolt,
    /// Army Training.
    ArmyTraining,
    /// Naval Training.
    NavalTraining,
    /// Favorable Wind.
    Wind,
}

/// The counter for copies of a card in front of a player: a slot of the multi-use cards, or of passive and Diplomacy
/// cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Multi(u8),
    Passive(u8),
}

impl Card {
    /// The Assassin.
    pub const ASSASSIN: Self = Self::new(ASSASSIN);
    /// Loot the Countryside.
    pub const LOOT: Self = Self::new(LOOT);
    /// The pirates among the Diplomacy cards.
    pub const PIRATES: Self = Self::diplomacy(PIRATES);
    /// Army Training.
    pub const ARMY_TRAINING: Self = Self::new(ARMY_TRAINING);
    /// Naval Training.
    pub const NAVAL_TRAINING: Self = Self::new(NAVAL_TRAINING);
    /// Favorable Wind.
    pub const WIND: Self = Self::new(WIND);
    /// Bribe Senator.
    pub const BRIBE: Self = Self::new(BRIBE);
    /// The Senators of all values.
    pub const SENATORS: CardSet = CardSet::from_bits((1 << MERCHANT) - 1);
    /// The cards that happen at once and leave the game.
    pub(crate) const IMMEDIATE: CardSet = CardSet::from_bits((1 << ARMY_TRAINING) - (1 << FLEET));

    /// Returns all kinds of cards, in order.
    #[inline]
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::first(N_CARDS)
    }

    /// Returns a merchant, by its number in the family.
    #[must_use]
    pub const fn merchant(i: u8) -> Self {
        Self::new(MERCHANT + i)
    }

    /// Returns a Senate Vote.
    #[must_use]
    pub const fn vote(vote: Vote) -> Self {
        Self::new(VOTE + vote as u8)
    }

    /// Returns a Diplomacy card, by its number in the family.
    #[must_use]
    pub const fn diplomacy(i: u8) -> Self {
        Self::new(DIPLOMACY + i)
    }

    /// Returns a Commandeer a Fleet, by its number in the family.
    pub(crate) const fn fleet(i: u8) -> Self {
        Self::new(FLEET + i)
    }

    /// Returns a Build City, by its number in the family.
    pub(crate) const fn city(i: u8) -> Self {
        Self::new(CITY + i)
    }

    /// Returns a Barbarians at the Gate, by its number in the family.
    pub(crate) const fn barbarians(i: u8) -> Self {
        Self::new(BARBARIANS + i)
    }

    /// Returns the kind of the card.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> CardKind {
        KINDS[self.idx()]
    }

    const fn kind_of(n: u8) -> CardKind {
        match n {
            0..MERCHANT => CardKind::Senator(n),
            MERCHANT..ASSASSIN => CardKind::Merchant(n - MERCHANT),
            ASSASSIN => CardKind::Assassin,
            LOOT => CardKind::Loot,
            VOTE..DIPLOMACY => CardKind::Vote(Vote::ALL[(n - VOTE) as usize]),
            DIPLOMACY..FLEET => CardKind::Diplomacy(n - DIPLOMACY),
            FLEET..CITY => CardKind::Fleet(n - FLEET),
            CITY..BARBARIANS => CardKind::City(n - CITY),
            BARBARIANS..POLITICIAN => CardKind::Barbarians(n - BARBARIANS),
            POLITICIAN => CardKind::Politician,
            BRIBE => CardKind::Bribe,
            REVOLT => CardKind::Revolt,
            ARMY_TRAINING => CardKind::ArmyTraining,
            NAVAL_TRAINING => CardKind::NavalTraining,
            WIND => CardKind::Wind,
            _ => panic!("there is no such card"),
        }
    }

    /// Returns the family of the card.
    #[inline]
    #[must_use]
    pub const fn family(self) -> Family {
        match self.number() {
            0..MERCHANT => Family::Senator,
            MERCHANT..DIPLOMACY => Family::MultiUse,
            DIPLOMACY..FLEET => Family::Diplomacy,
            FLEET..ARMY_TRAINING => Family::Immediate,
            _ => Family::Passive,
        }
    }

    /// Returns the id of the card in records.
    #[must_use]
    pub const fn id(self) -> &'static str {
        CARD_IDS[self.idx()]
    }

    /// Returns the part of the id after the family: `egypt` of `merchant-egypt`.
    #[must_use]
    pub fn short_id(self) -> &'static str {
        self.id().split_once('-').map_or(self.id(), |(_, rest)| rest)
    }

    /// Returns the slot of a card that lies in front of players.
    #[inline]
    pub(crate) const fn slot(self) -> Slot {
        let n = self.number();
        match n {
            MERCHANT..DIPLOMACY => Slot::Multi(n - MERCHANT),
            DIPLOMACY..FLEET => Slot::Passive(n - DIPLOMACY),
            _ => Slot::Passive(n - (WIND - WIND_SLOT)),
        }
    }

    /// Returns the slot of a multi-use card.
    #[inline]
    pub(crate) const fn multi_slot(self) -> u8 {
        self.number() - MERCHANT
    }

    /// Returns the card in a slot.
    #[inline]
    pub(crate) const fn in_slot(slot: Slot) -> Self {
        Self::new(match slot {
            Slot::Multi(i) => MERCHANT + i,
            Slot::Passive(i) if i < FLEET - DIPLOMACY => DIPLOMACY + i,
            Slot::Passive(i) => i + (WIND - WIND_SLOT),
        })
    }
}

/// [`Card::kind`] as a table.
const KINDS: [CardKind; N_CARDS] = {
    let mut kinds = [CardKind::Assassin; N_CARDS];
    let mut n = 0;
    while n < N_CARDS {
        kinds[n] = Card::kind_of(n as u8);
        n += 1;
    }
    kinds
};

/// The slot of the last passive card.
const WIND_SLOT: u8 = N_DIPLOMACY as u8 + (WIND - ARMY_TRAINING);

/// The number of the pirates among the Diplomacy cards.
pub(crate) const PIRATES: u8 = 5;

/// The five Senate Votes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// Grants talents.
    EmergencyTax,
    /// Removes chaos.
    BreadAndCircuses,
    /// Grants victory points.
    HailCaesar,
    /// Grants infantry in or near the capital.
    NewLegions,
    /// Grants influence in the capital.
    InfluenceInRome,
}

data!(
    enum Vote {
        EmergencyTax,
        BreadAndCircuses,
        HailCaesar,
        NewLegions,
        InfluenceInRome,
    }
);

impl Vote {
    /// All votes in card order.
    pub const ALL: [Self; N_VOTES] = [
        Self::EmergencyTax,
        Self::BreadAndCircuses,
        Self::HailCaesar,
        Self::NewLegions,
        Self::InfluenceInRome,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_name_the_cards_they_should() {
        assert_eq!(Card::ASSASSIN.id(), "assassin");
        assert_eq!(Card::PIRATES.id(), "diplomacy-pirates");
        assert_eq!(Card::new(POLITICIAN).id(), "politician");
        assert_eq!(Card::new(REVOLT).id(), "slave-revolt");
        assert_eq!(Card::WIND.id(), "favorable-wind");
        assert_eq!(Card::vote(Vote::InfluenceInRome).id(), "vote-influence-in-rome");
        assert_eq!(Card::vote(Vote::HailCaesar).short_id(), "hail-caesar");
        let count = |f| Card::all().filter(|c| c.family() == f).count();
        assert_eq!(count(Family::MultiUse), 13);
        assert_eq!(count(Family::Immediate), 17);
        let is_immediate = |c: &Card| c.family() == Family::Immediate;
        assert_eq!(Card::IMMEDIATE, Card::all().filter(is_immediate).collect());
    }
    #[test]
    fn a_card_is_of_the_kind_that_its_id_says() {
        for card in Card::all() {
            let (kind, id) = (card.kind(), card.id());
            let (word, again) = match kind {
                CardKind::Senator(i) => ("senator-", Card::new(i)),
                CardKind::Merchant(i) => ("merchant-", Card::merchant(i)),
                CardKind::Assassin => ("assassin", Card::ASSASSIN),
                CardKind::Loot => ("loot", Card::LOOT),
                CardKind::Vote(vote) => ("vote-", Card::vote(vote)),
                CardKind::Diplomacy(i) => ("diplomacy-", Card::diplomacy(i)),
                CardKind::Fleet(i) => ("fleet-", Card::fleet(i)),
                CardKind::City(i) => ("city-", Card::city(i)),
                CardKind::Barbarians(i) => ("barbarians-", Card::barbarians(i)),
                CardKind::Politician => ("politician", Card::new(POLITICIAN)),
                CardKind::Bribe => ("bribe-senator", Card::BRIBE),
                CardKind::Revolt => ("slave-revolt", Card::new(REVOLT)),
                CardKind::ArmyTraining => ("army-training", Card::ARMY_TRAINING),
                CardKind::NavalTraining => ("naval-training", Card::NAVAL_TRAINING),
                CardKind::Wind => ("favorable-wind", Card::WIND),
            };
            assert!(id.starts_with(word) && again == card, "{id} is {kind:?}");
        }
    }

    #[test]
    fn every_card_in_front_of_a_player_has_a_slot_of_its_own() {
        let is_held = |card: &Card| !matches!(card.family(), Family::Senator | Family::Immediate);
        let cards: Vec<Card> = Card::all().filter(is_held).collect();
        for (i, &card) in cards.iter().enumerate() {
            let (Slot::Multi(n) | Slot::Passive(n)) = card.slot();
            assert!(n < 16, "{} is in slot {n}", card.id());
            assert_eq!(Card::in_slot(card.slot()), card);
            assert!(cards[..i].iter().all(|other| other.slot() != card.slot()));
        }
    }
}
