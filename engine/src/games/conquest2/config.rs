//! The rules configuration as Rust values, and the checks that a configuration must pass.
//!
//! The shape of these types is the shape of `engine/data/conquest2.toml`; what each value means stands there.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::cards::{BRIBE, CARD_IDS, N_CARDS};
use crate::player::MAX_PLAYERS;
use crate::rules::{BadRules, Rules};

macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name { $($(#[$attr])* pub(super) $field: $kind),* }
    };
}

section! { /// The whole configuration.
Config {
    pools: Pools, die: Die, options: Options, prices: Prices, start: Start, cards: BTreeMap<String, Card>,
    diplomacy: BTreeMap<String, Troops>, auction: Auction, chaos: Chaos, tax: Tax, buy: Buy,
    #[serde(rename = "move")] movement: Movement, battle: Battle, merchant: Merchant, loot: Loot, vote: Votes,
    fleet: Fleet, city: City, barbarians: Barbarians, politician: Politician, revolt: Revolt,
    province: Vec<Province>, strait: Vec<Strait>, sea: Vec<Sea>,
}}
section! { /// Units of one colour.
Pools { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, caesar: i64, influence: i64 } }
section! { /// The battle die.
Die { faces: Vec<String> } }
section! { /// Lengths and starting money.
Options { seasons: i64, rounds: i64, actions: i64, money: i64, tokens: i64, cards: i64, untaken_cards_stay: bool,
    vp_below_zero: bool } }
section! { /// Prices in talents.
Prices { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, influence: i64 } }
section! { /// What every player starts with.
Start { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, caesar: i64, influence: i64,
    senators: Vec<i64>, senators_from_deck: bool, no_influence: Vec<String> } }
section! { /// One kind of card.
Card { count: i64, cost: i64 } }
section! { /// Neutral troops of a Diplomacy card.
Troops { infantry: i64, cavalry: i64, catapult: i64, galley: i64 } }
section! { /// Alliance auctions.
Auction { step: i64, largest_raise: i64, allied_may_bid: bool } }
section! { /// Chaos gains and penalties.
Chaos { recruit: i64, battle: i64, city_relief: i64, relief_is_permanent: bool, penalties: Vec<i64>, zero_is_safe: bool } }
section! { /// Special tax and season taxes.
Tax { special_steps: i64, special_talents: i64, special_chaos: i64, influence: i64, city: i64 } }
section! { /// Tokens per buying action.
Buy { with_general: i64, with_caesar: i64 } }
section! { /// Movement by sea.
Movement { galley_capacity: i64 } }
section! { /// Dice and rounds of battles.
Battle { dice: i64, leader_dice: i64, any_leader_counts: bool, city_dice: i64, training_dice: i64, max_rounds: i64,
    both_lose: bool, naval_rounds: i64, naval_dice: i64, naval_training_dice: i64 } }
section! { /// Talents per influence token.
Merchant { egypt: i64, sicilia: i64, hispania: i64, italia: i64, achaia: i64, asia: i64, needs_influence: bool } }
section! { /// Loot the Countryside.
Loot { talents: i64, chaos: i64 } }
section! { /// Benefits of the Senate Votes.
Votes { capital: String, emergency_tax: i64, bread_and_circuses: i64, hail_caesar: i64, new_legions: i64,
    new_legions_in: Vec<String>, influence_in_rome: i64 } }
section! { /// Commandeer a Fleet.
Fleet { galleys: i64 } }
section! { /// Build City.
City { needs_unit: bool } }
section! { /// Barbarians at the Gate.
Barbarians { units: i64, moesia: Reward, dacia: Reward, armenia: Reward, pannonia: Reward, germania: Reward,
    britannia: Reward } }
section! { /// What a Barbarians card brings.
Reward { infantry: i64, cavalry: i64, talents: i64, vp: i64 } }
section! { /// Politician.
Politician { influence: i64 } }
section! { /// Slave Revolt.
Revolt { infantry: i64, dice: i64 } }
section! { /// An open or closed double arrow of the map.
Strait { id: String, between: Vec<String>, zone: String, open: bool } }

/// A sea zone; its name and place on the map are for drawing only.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Sea {
    pub(super) id: String,
    pub(super) coasts: Vec<String>,
    pub(super) sea: Vec<String>,
}

/// A province; its name and place on the map are for drawing only.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Province {
    pub(super) id: String,
    pub(super) land: Vec<String>,
    pub(super) sea: Vec<String>,
    /// Points by rank; provinces that have them are the key provinces.
    #[serde(default)]
    pub(super) vp: Vec<i64>,
    #[serde(default)]
    pub(super) tokens: i64,
}

impl Config {
    /// Reads and checks `rules` for a table of `n_players`.
    pub(super) fn read(rules: &Rules, n_players: usize) -> Result<Self, BadRules> {
        let config: Self = rules.read()?;
        let check = Check { rules, config: &config };
        check.ranges()?;
        check.cards(n_players)?;
        check.lists()?;
        check.map()?;
        check.tokens(n_players)?;
        Ok(config)
    }
}

struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    fn within(&self, key: &str, value: i64, range: RangeInclusive<i64>) -> Result<(), BadRules> {
        if range.contains(&value) {
            return Ok(());
        }
        Err(self
            .rules
            .bad(key, format!("{value} is not within {}..={}", range.start(), range.end())))
    }

    /// Every plain number has a range: by its key, or by default `0..=1000`.
    fn ranges(&self) -> Result<(), BadRules> {
        let json = self.rules.to_json();
        let sections =
            json.as_object().into_iter().flatten().filter(|(name, _)| !name.starts_with("cards"));
        for (section, values) in sections {
            for (name, value) in values.as_object().into_iter().flatten() {
                let key = format!("{section}.{name}");
                if let Some(number) = value.as_i64() {
                    self.within(&key, number, range_of(&key))?;
                }
                for (inner, value) in value.as_object().into_iter().flatten() {
                    let key = format!("{key}.{inner}");
                    if let Some(number) = value.as_i64() {
                        self.within(&key, number, range_of(&key))?;
                    }
                }
            }
        }
        let (pools, start) = (&self.config.pools, &self.config.start);
        for (name, pool, start) in [
            ("infantry", pools.infantry, start.infantry),
            ("cavalry", pools.cavalry, start.cavalry),
            ("catapult", pools.catapult, start.catapult),
            ("galley", pools.galley, start.galley),
            ("general", pools.general, start.general),
            ("caesar", pools.caesar, start.caesar),
            ("influence", pools.influence, start.influence),
        ] {
            self.within(&format!("start.{name}"), start, 0..=pool)?;
        }
        Ok(())
    }

    fn cards(&self, n_players: usize) -> Result<(), BadRules> {
        for (id, card) in &self.config.cards {
            let most = if id == CARD_IDS[BRIBE as usize] { 8 } else { 15 };
            self.within(&format!("cards.{id}.count"), card.count, 0..=most)?;
            self.within(&format!("cards.{id}.cost"), card.cost, 0..=1000)?;
        }
        debug_assert_eq!(self.config.cards.len(), N_CARDS);
        let start = &self.config.start;
        if start.senators.len() != 4 {
            return Err(self
                .rules
                .bad("start.senators", "expected four numbers, for the values I to IV"));
        }
        for (value, &each) in start.senators.iter().enumerate() {
            self.within("start.senators", each, 0..=8)?;
            let id = CARD_IDS[value];
            let needed = each * n_players as i64;
            if start.senators_from_deck && needed > self.config.cards[id].count {
                let count = self.config.cards[id].count;
                let message =
                    format!("{n_players} players need {needed} of {id}, the deck has {count}");
                return Err(self.rules.bad("start.senators", message));
            }
        }
        Ok(())
    }

    fn lists(&self) -> Result<(), BadRules> {
        const FACES: [&str; 5] = ["infantry", "cavalry", "catapult", "galley", "blank"];
        let faces = &self.config.die.faces;
        self.within("die.faces (number of faces)", faces.len() as i64, 1..=100)?;
        if let Some(face) = faces.iter().find(|f| !FACES.contains(&f.as_str())) {
            let message = format!("unknown face \"{face}\" (known: {})", FACES.join(", "));
            return Err(self.rules.bad("die.faces", message));
        }
        self.within(
            "chaos.penalties (how many)",
            self.config.chaos.penalties.len() as i64,
            0..=MAX_PLAYERS as i64,
        )?;
        for &penalty in &self.config.chaos.penalties {
            self.within("chaos.penalties", penalty, 0..=1000)?;
        }
        let step = self.config.auction.step;
        let money = [
            ("options.money", self.config.options.money),
            ("auction.largest_raise", self.config.auction.largest_raise),
        ];
        for (key, value) in money {
            if value % step != 0 {
                return Err(self
                    .rules
                    .bad(key, format!("{value} is no multiple of auction.step = {step}")));
            }
        }
        Ok(())
    }

    fn province(&self, key: &str, id: &str) -> Result<&Province, BadRules> {
        self.config.province.iter().find(|p| p.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.config.province.iter().map(|p| p.id.as_str()).collect();
            let hint = crate::rules::nearest(id, &ids)
                .map_or(String::new(), |near| format!(" (nearest: {near})"));
            self.rules.bad(key, format!("there is no province \"{id}\"{hint}"))
        })
    }

    fn zone(&self, key: &str, id: &str) -> Result<&Sea, BadRules> {
        self.config.sea.iter().find(|z| z.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.config.sea.iter().map(|z| z.id.as_str()).collect();
            let hint = crate::rules::nearest(id, &ids)
                .map_or(String::new(), |near| format!(" (nearest: {near})"));
            self.rules.bad(key, format!("there is no sea zone \"{id}\"{hint}"))
        })
    }

    fn map(&self) -> Result<(), BadRules> {
        for province in &self.config.province {
            self.borders(province)?;
        }
        for zone in &self.config.sea {
            let coasts = format!("sea.{}.coasts", zone.id);
            for id in &zone.coasts {
                if !self.province(&coasts, id)?.sea.contains(&zone.id) {
                    let message = format!("{id} does not list {}: borders go both ways", zone.id);
                    return Err(self.rules.bad(&coasts, message));
                }
            }
            let seas = format!("sea.{}.sea", zone.id);
            for id in &zone.sea {
                if !self.zone(&seas, id)?.sea.contains(&zone.id) {
                    let message = format!("{id} does not list {}: borders go both ways", zone.id);
                    return Err(self.rules.bad(&seas, message));
                }
            }
        }
        for strait in &self.config.strait {
            let key = format!("strait.{}.between", strait.id);
            if strait.between.len() != 2 || strait.between[0] == strait.between[1] {
                return Err(self.rules.bad(&key, "expected two different provinces"));
            }
            for id in &strait.between {
                self.province(&key, id)?;
            }
            self.zone(&format!("strait.{}.zone", strait.id), &strait.zone)?;
        }
        self.province("vote.capital", &self.config.vote.capital)?;
        for id in &self.config.vote.new_legions_in {
            self.province("vote.new_legions_in", id)?;
        }
        for id in &self.config.start.no_influence {
            self.province("start.no_influence", id)?;
        }
        Ok(())
    }

    fn borders(&self, province: &Province) -> Result<(), BadRules> {
        const MOST_ZONES: usize = super::board::MAX_COAST;
        let land = format!("province.{}.land", province.id);
        for id in &province.land {
            if !self.province(&land, id)?.land.contains(&province.id) {
                let message = format!("{id} does not list {}: borders go both ways", province.id);
                return Err(self.rules.bad(&land, message));
            }
        }
        let sea = format!("province.{}.sea", province.id);
        for id in &province.sea {
            if !self.zone(&sea, id)?.coasts.contains(&province.id) {
                let message = format!("{id} does not list {}: borders go both ways", province.id);
                return Err(self.rules.bad(&sea, message));
            }
        }
        if province.sea.len() > MOST_ZONES {
            return Err(self
                .rules
                .bad(&sea, format!("a province has at most {MOST_ZONES} sea zones")));
        }
        let vp = format!("province.{}.vp", province.id);
        self.within(&format!("{vp} (how many)"), province.vp.len() as i64, 0..=MAX_PLAYERS as i64)?;
        for &points in &province.vp {
            self.within(&vp, points, 0..=1000)?;
        }
        self.within(&format!("province.{}.tokens", province.id), province.tokens, 0..=200)?;
        if province.vp.is_empty() && province.tokens > 0 {
            let message = "tokens lie in key provinces only: give it vp too";
            return Err(self.rules.bad(&format!("province.{}.tokens", province.id), message));
        }
        Ok(())
    }

    fn tokens(&self, n_players: usize) -> Result<(), BadRules> {
        const MOST_KEYS: usize = super::board::MAX_KEYS;
        let keys = self.config.province.iter().filter(|p| !p.vp.is_empty()).count();
        if keys > MOST_KEYS {
            let message = format!("{keys} provinces have vp, at most {MOST_KEYS} can");
            return Err(self.rules.bad("province", message));
        }
        let start = &self.config.start;
        let is_drawable = |p: &&Province| !start.no_influence.contains(&p.id);
        let drawable: i64 = self.config.province.iter().filter(is_drawable).map(|p| p.tokens).sum();
        let needed = start.influence * n_players as i64;
        if needed > drawable {
            let message = format!(
                "{n_players} players draw {needed} tokens at set-up, the bag has {drawable}"
            );
            return Err(self.rules.bad("start.influence", message));
        }
        Ok(())
    }
}

/// The range of a number of the configuration.
fn range_of(key: &str) -> RangeInclusive<i64> {
    match key {
        "pools.infantry"
        | "pools.cavalry"
        | "pools.galley"
        | "pools.influence"
        | "fleet.galleys"
        | "politician.influence"
        | "vote.influence_in_rome"
        | "vote.new_legions" => 0..=31,
        "pools.catapult" | "pools.general" => 0..=7,
        "pools.caesar" | "start.caesar" => 0..=1,
        "options.seasons" | "options.rounds" | "options.actions" | "tax.special_steps" => 1..=20,
        "auction.step" | "battle.max_rounds" | "battle.naval_rounds" => 1..=100,
        "buy.with_general" | "buy.with_caesar" => 0..=10,
        "move.galley_capacity" => 0..=60,
        "revolt.infantry" => 1..=60,
        "options.tokens" | "options.cards" | "barbarians.units" => 0..=20,
        key if key.starts_with("diplomacy.") || key.ends_with("dice") => 0..=20,
        _ => 0..=1000,
    }
}
