//! Reading a rules configuration, and the checks that it must pass, each complaint with place, value and remedy.

use std::ops::RangeInclusive;

use crate::games::conquest2::model::board::{MAX_COAST, MAX_KEYS};
use crate::games::conquest2::model::cards::{CARD_IDS, Card, N_CARDS};
use crate::games::conquest2::model::config::{Config, Province, Sea};
use crate::player::MAX_PLAYERS;
use crate::rules::{BadRules, Rules};

/// Reads and checks `rules` for a table of `n_players`.
pub(crate) fn read(rules: &Rules, n_players: usize) -> Result<Config, BadRules> {
    let config: Config = rules.read()?;
    Check { rules, config: &config }.all(n_players)?;
    Ok(config)
}

/// Ways to show some of the Senators of one hand, at most: so many options can be counted.
pub(crate) const MOST_WAYS: i64 = 60_000;

/// The checks of one configuration.
struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    /// Everything that [`read`] promises.
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

    /// The number of elements of a list, and each of them.
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
        Ok(())
    }

    /// Nobody starts with more than there is.
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

    /// One hand could hold all Senators; the ways to show some of them must be few enough to count.
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

    /// All copies of a Diplomacy card in one hand make an army that can be counted.
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
        const FACES: [&str; 5] = ["infantry", "cavalry", "catapult", "galley", "blank"];
        let faces = &self.config.die.faces;
        self.length("die.faces", faces.len(), 1..=100)?;
        if let Some(face) = faces.iter().find(|f| !FACES.contains(&f.as_str())) {
            let message = format!("unknown face \"{face}\" (known: {})", FACES.join(", "));
            return Err(self.rules.bad("die.faces", message));
        }
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

    /// A border that stands on one side only, of the list `here` and the list `there`.
    fn one_way(&self, (here, a): (&str, &str), (there, b): (&str, &str)) -> BadRules {
        let message =
            format!("{here} names \"{b}\", but {there} lacks \"{a}\": borders go both ways");
        self.rules.bad_among(&[here, there], message)
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

    /// Every place that is named exists; seen first, since a wrong name also leaves a border one-way.
    fn names(&self) -> Result<(), BadRules> {
        for Province { id, land, sea, .. } in &self.config.province {
            let key = format!("province.{id}.land");
            land.iter().try_for_each(|name| self.province(&key, name).map(drop))?;
            let key = format!("province.{id}.sea");
            sea.iter().try_for_each(|name| self.zone(&key, name).map(drop))?;
        }
        for Sea { id, coasts, sea } in &self.config.sea {
            let key = format!("sea.{id}.coasts");
            coasts.iter().try_for_each(|name| self.province(&key, name).map(drop))?;
            let key = format!("sea.{id}.sea");
            sea.iter().try_for_each(|name| self.zone(&key, name).map(drop))?;
        }
        Ok(())
    }

    fn map(&self) -> Result<(), BadRules> {
        self.names()?;
        for province in &self.config.province {
            let (land, sea) =
                (format!("province.{}.land", province.id), format!("province.{}.sea", province.id));
            province.land.iter().try_for_each(|id| self.province(&land, id).map(|_| ()))?;
            province.sea.iter().try_for_each(|id| self.zone(&sea, id).map(|_| ()))?;
        }
        for province in &self.config.province {
            self.borders(province)?;
        }
        for zone in &self.config.sea {
            self.shores(zone)?;
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

    fn shores(&self, zone: &Sea) -> Result<(), BadRules> {
        let own = &zone.id;
        let coasts = format!("sea.{own}.coasts");
        for id in &zone.coasts {
            if !self.province(&coasts, id)?.sea.contains(own) {
                return Err(self.one_way((&coasts, own), (&format!("province.{id}.sea"), id)));
            }
        }
        let sea = format!("sea.{own}.sea");
        for id in &zone.sea {
            if !self.zone(&sea, id)?.sea.contains(own) {
                return Err(self.one_way((&sea, own), (&format!("sea.{id}.sea"), id)));
            }
        }
        Ok(())
    }

    fn borders(&self, province: &Province) -> Result<(), BadRules> {
        const MOST_ZONES: usize = MAX_COAST;
        let own = &province.id;
        let land = format!("province.{own}.land");
        for id in &province.land {
            if !self.province(&land, id)?.land.contains(own) {
                return Err(self.one_way((&land, own), (&format!("province.{id}.land"), id)));
            }
        }
        let sea = format!("province.{own}.sea");
        for id in &province.sea {
            if !self.zone(&sea, id)?.coasts.contains(own) {
                return Err(self.one_way((&sea, own), (&format!("sea.{id}.coasts"), id)));
            }
        }
        if province.sea.len() > MOST_ZONES {
            return Err(self
                .rules
                .bad(&sea, format!("a province has at most {MOST_ZONES} sea zones")));
        }
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
        key if key.starts_with("barbarians.")
            && (key.ends_with(".infantry") || key.ends_with(".cavalry")) =>
        {
            0..=31
        }
        key if key.starts_with("diplomacy.") || key.ends_with("dice") => 0..=20,
        _ => 0..=1000,
    }
}
