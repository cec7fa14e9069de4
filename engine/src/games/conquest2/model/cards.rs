//! The card list: ids, families and what a family is good for. Counts and costs are configuration.

/// Number of card kinds.
pub const N_CARDS: usize = 43;

/// Card ids in the order of the configuration; a card is its index here.
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

/// The first of six merchants; the cards before are the Senators of value I to IV.
pub const MERCHANT: u8 = 4;
/// The assassin.
pub const ASSASSIN: u8 = 10;
/// Loot the Countryside.
pub const LOOT: u8 = 11;
/// The first of five Senate Votes, in the order of [`Vote`].
pub const VOTE: u8 = 12;
/// The first of six Diplomacy cards; the last is the pirates.
pub const DIPLOMACY: u8 = 17;
/// The pirates among the Diplomacy cards.
pub const PIRATES: u8 = 22;
/// The first of two Commandeer a Fleet.
pub const FLEET: u8 = 23;
/// The first of six Build City.
pub const CITY: u8 = 25;
/// The first of six Barbarians at the Gate.
pub const BARBARIANS: u8 = 31;
/// Politician.
pub const POLITICIAN: u8 = 37;
/// Bribe Senator.
pub const BRIBE: u8 = 38;
/// Slave Revolt.
pub const REVOLT: u8 = 39;
/// Army Training.
pub const ARMY_TRAINING: u8 = 40;
/// Naval Training.
pub const NAVAL_TRAINING: u8 = 41;
/// Favorable Wind.
pub const WIND: u8 = 42;

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

/// What a card does when it is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Goes to the hidden hand.
    Senator,
    /// Once per season in one's own turn.
    MultiUse,
    /// Owned until the season ends, then back to the display.
    Diplomacy,
    /// Happens at once and leaves the game.
    Immediate,
    /// Works for the rest of the game.
    Passive,
}

/// The family of `card`.
#[must_use]
pub const fn family(card: u8) -> Family {
    match card {
        0..MERCHANT => Family::Senator,
        MERCHANT..DIPLOMACY => Family::MultiUse,
        DIPLOMACY..FLEET => Family::Diplomacy,
        FLEET..ARMY_TRAINING => Family::Immediate,
        _ => Family::Passive,
    }
}

/// The five Senate Votes; the card is `VOTE` plus this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// Talents.
    EmergencyTax,
    /// Less chaos.
    BreadAndCircuses,
    /// Victory points.
    HailCaesar,
    /// Infantry in or near the capital.
    NewLegions,
    /// Influence in the capital.
    InfluenceInRome,
}

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

/// The part of a card's id after its family: `egypt` of `merchant-egypt`.
#[must_use]
pub fn short_id(card: u8) -> &'static str {
    let id = CARD_IDS[card as usize];
    id.split_once('-').map_or(id, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_name_the_cards_they_should() {
        let id = |card: u8| CARD_IDS[card as usize];
        assert_eq!(id(ASSASSIN), "assassin");
        assert_eq!(id(PIRATES), "diplomacy-pirates");
        assert_eq!(id(POLITICIAN), "politician");
        assert_eq!(id(REVOLT), "slave-revolt");
        assert_eq!(id(WIND), "favorable-wind");
        assert_eq!(id(VOTE + Vote::InfluenceInRome as u8), "vote-influence-in-rome");
        assert_eq!(short_id(VOTE + 2), "hail-caesar");
        let count = |f| (0..N_CARDS as u8).filter(|&c| family(c) == f).count();
        assert_eq!(count(Family::MultiUse), 13);
        assert_eq!(count(Family::Immediate), 17);
    }
}
