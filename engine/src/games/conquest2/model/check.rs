//! Reading a rules configuration, and the checks that it must pass; each complaint has place, value and remedy.

use std::ops::RangeInclusive;

use crate::games::conquest2::model::board::MAX_COAST;
use crate::games::conquest2::model::cards::{CARD_IDS, Card, N_CARDS};
use crate::games::conquest2::model::config::{Config, Province};
use crate::games::conquest2::model::place::MAX_KEYS;
use crate::games::shared::dice::check_faces;
use crate::games::shared::map::{Area, Map};
use crate::player::MAX_PLAYERS;
use crate::rules::{BadRules, Rules};

/// Reads and checks `rules` for a table of `n_players`.
pub(crate) fn read(rules: &Rules, n_players: usize) -> Result<Config, BadRules> {
    let config: Config = rules.read()?;
    Check { rules, config: &config }.all(n_players)?;
    Ok(config)
}

/// Largest number of ways to show some of the Senators of one hand: this many options can be counted.
pub(crate) const MOST_WAYS: i64 = 60_000;

/// The checks of one configuration.
struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    /// Makes all checks of [`read`].
    fn all(&self, n_players: usize) -> Result<(), BadRules> {
        self.ranges()?;
        self.stocks()?;
        self.cards(n_players)?;
        self.hands(n_players)?;
        self.diplomacy()?;
        self.lists()?;
        self.map()?;
        self.tokens(n_players)
    }

    fn within(&self, key: &str, value: i64, range: RangeInclusive<i64>) -> Result<(), BadRules> {
        if range.contains(&value) {
            return Ok(());
        }
        let (least, most) = (range.start(), range.end());
        Err(self.rules.bad(key, format!("{value} is out of range ({least} to {most})")))
    }

    /// Checks the number of elements of a list, and each of them.
    fn elements(
        &self,
        key: &str,
        list: &[i64],
        most: usize,
        range: &RangeInclusive<i64>,
    ) -> Result<(), BadRules> {
        self.length(key, list.len(), 0..=most)?;
        let Some(place) = list.iter().position(|n| !range.contains(n)) else { return Ok(()) };
        let (value, number) = (list[place], place + 1);
        let (least, most) = (range.start(), range.end());
        let message = format!("element {number}, {value}, is out of range ({least} to {most})");
        Err(self.rules.bad(key, message))
    }

    fn length(&self, key: &str, n: usize, range: RangeInclusive<usize>) -> Result<(), BadRules> {
        if range.contains(&n) {
            return Ok(());
        }
        let (least, most) = (range.start(), range.end());
        Err(self.rules.bad(key, format!("{n} elements, expected {least} to {most}")))
    }

    /// Checks that every plain number is in its range: that of its key, or `0..=1000` by default.
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
        Ok(())
    }

    /// Checks that no player starts with more than there is.
    fn stocks(&self) -> Result<(), BadRules> {
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
            let (own, other) = (format!("start.{name}"), format!("pools.{name}"));
            self.within(&own, start, 0..=1000)?;
            if start > pool {
                let message = format!("{own} = {start} is more than {other} = {pool}");
                return Err(self.rules.bad_among(&[&own, &other], message));
            }
        }
        Ok(())
    }

    fn cards(&self, n_players: usize) -> Result<(), BadRules> {
        for (id, card) in &self.config.cards {
            let most = if id == Card::BRIBE.id() { 8 } else { 15 };
            self.within(&format!("cards.{id}.count"), card.count, 0..=most)?;
            self.within(&format!("cards.{id}.cost"), card.cost, 0..=1000)?;
        }
        debug_assert_eq!(self.config.cards.len(), N_CARDS);
        let start = &self.config.start;
        if start.senators.len() != 4 {
            let message = "expected four numbers, for the values I to IV";
            return Err(self.rules.bad("start.senators", message));
        }
        self.elements("start.senators", &start.senators, 4, &(0..=8))?;
        for (value, &each) in start.senators.iter().enumerate() {
            let (id, needed) = (CARD_IDS[value], each * n_players as i64);
            let count = self.config.cards[id].count;
            if start.senators_from_deck && needed > count {
                let message =
                    format!("{n_players} players start with {needed} {id}, the deck has {count}");
                let keys = ["start.senators", &format!("cards.{id}.count")];
                return Err(self.rules.bad_among(&keys, message));
            }
        }
        Ok(())
    }

    /// Checks a hand of all Senators: the ways to show some of them must be few enough to count.
    fn hands(&self, n_players: usize) -> Result<(), BadRules> {
        let start = &self.config.start;
        let in_game = |value: usize| {
            let dealt = start.senators[value] * n_players as i64;
            let extra = if start.senators_from_deck { 0 } else { dealt };
            self.config.cards[CARD_IDS[value]].count + extra
        };
        let ways: i64 = (0..4).map(|value| in_game(value) + 1).product();
        if ways <= MOST_WAYS {
            return Ok(());
        }
        let counts: Vec<String> = (0..4).map(|value| in_game(value).to_string()).collect();
        let keys: Vec<String> =
            CARD_IDS[..4].iter().map(|id| format!("cards.{id}.count")).collect();
        let keys: Vec<&str> =
            keys.iter().map(String::as_str).chain(["start.senators_from_deck"]).collect();
        let message = format!(
            "{} Senators of value I to IV are too many to vote with: take fewer of one value",
            counts.join(" + ")
        );
        Err(self.rules.bad_among(&keys, message))
    }

    /// Checks that all copies of a Diplomacy card in one hand make an army that can be counted.
    fn diplomacy(&self) -> Result<(), BadRules> {
        const MOST_TROOPS: i64 = 60;
        for (name, troops) in &self.config.diplomacy {
            let (count_key, own) =
                (format!("cards.diplomacy-{name}.count"), format!("diplomacy.{name}"));
            let count = self.config.cards[&format!("diplomacy-{name}")].count;
            let kinds = [troops.infantry, troops.cavalry, troops.catapult, troops.galley];
            let most = count * kinds.into_iter().max().unwrap_or(0);
            if most > MOST_TROOPS {
                let message = format!(
                    "{count} cards bring {most} units of a kind, at most {MOST_TROOPS} can"
                );
                return Err(self.rules.bad_among(&[&count_key, &own], message));
            }
        }
        Ok(())
    }

    fn lists(&self) -> Result<(), BadRules> {
        check_faces(self.rules, "die.faces", &self.config.die.faces)?;
        let penalties = &self.config.chaos.penalties;
        self.elements("chaos.penalties", penalties, MAX_PLAYERS, &(0..=1000))?;
        let step = self.config.auction.step;
        let money = [
            ("options.money", self.config.options.money),
            ("auction.largest_raise", self.config.auction.largest_raise),
        ];
        for (key, value) in money {
            if value % step != 0 {
                let message = format!("{key} = {value} is no multiple of auction.step = {step}");
                return Err(self.rules.bad_among(&[key, "auction.step"], message));
            }
        }
        Ok(())
    }

    /// Returns the map in the form of the rules file.
    fn written_map(&self) -> Map<'_> {
        const fn area(province: &Province) -> Area<'_> {
            let Province { id, land, sea, .. } = province;
            Area { id: id.as_str(), land: land.as_slice(), sea: sea.as_slice() }
        }
        Map {
            rules: self.rules,
            areas: self.config.province.iter().map(area).collect(),
            zones: &self.config.sea,
            straits: &self.config.strait,
        }
    }

    fn map(&self) -> Result<(), BadRules> {
        let map = self.written_map();
        map.check(MAX_COAST)?;
        self.config.province.iter().try_for_each(|province| self.worth(province))?;
        map.province("vote.capital", &self.config.vote.capital)?;
        for id in &self.config.vote.new_legions_in {
            map.province("vote.new_legions_in", id)?;
        }
        for id in &self.config.start.no_influence {
            map.province("start.no_influence", id)?;
        }
        Ok(())
    }

    /// Checks a province's points and the tokens that lie there.
    fn worth(&self, province: &Province) -> Result<(), BadRules> {
        let vp = format!("province.{}.vp", province.id);
        self.elements(&vp, &province.vp, MAX_PLAYERS, &(0..=1000))?;
        self.within(&format!("province.{}.tokens", province.id), province.tokens, 0..=200)?;
        if province.vp.is_empty() && province.tokens > 0 {
            let message =
                "tokens lie in key provinces only: give it both vp and tokens, or neither";
            let tokens = format!("province.{}.tokens", province.id);
            return Err(self.rules.bad_among(&[&tokens, &vp], message));
        }
        Ok(())
    }

    fn tokens(&self, n_players: usize) -> Result<(), BadRules> {
        const MOST_KEYS: usize = MAX_KEYS;
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
                "{n_players} players draw {needed} tokens at set-up, the bag has {drawable} that count"
            );
            let keys = ["start.influence", "start.no_influence", "province"];
            return Err(self.rules.bad_among(&keys, message));
        }
        Ok(())
    }
}

/// Returns the range of a number of the configuration.
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
        key if key.starts_with("barbarians.")
            && (key.ends_with(".infantry") || key.ends_with(".cavalry")) =>
        {
            0..=31
        }
        key if key.starts_with("diplomacy.") || key.ends_with("dice") => 0..=20,
        _ => 0..=1000,
    }
}
