//! Maps of provinces and sea zones as rules files have them, and the requirements on such a map.

use serde::Deserialize;

use crate::rules::{BadRules, Rules};

/// A double arrow of the map, open or closed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strait {
    pub(crate) id: String,
    pub(crate) between: Vec<String>,
    pub(crate) zone: String,
    pub(crate) open: bool,
}

/// A sea zone; its name and place on the map are for drawing only.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Sea {
    pub(crate) id: String,
    pub(crate) coasts: Vec<String>,
    pub(crate) sea: Vec<String>,
}

/// A province with its borders.
#[derive(Clone, Copy)]
pub(crate) struct Area<'a> {
    pub(crate) id: &'a str,
    pub(crate) land: &'a [String],
    pub(crate) sea: &'a [String],
}

/// The map of a rules file.
pub(crate) struct Map<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) areas: Vec<Area<'a>>,
    pub(crate) zones: &'a [Sea],
    pub(crate) straits: &'a [Strait],
}

/// Returns the number of `id` in a checked map.
pub(crate) fn index(ids: &[String], id: &str) -> u8 {
    ids.iter()
        .position(|i| i == id)
        .unwrap_or_else(|| panic!("a checked configuration has \"{id}\"")) as u8
}

impl Map<'_> {
    /// Returns the province `id`, which `key` names.
    pub(crate) fn province(&self, key: &str, id: &str) -> Result<Area<'_>, BadRules> {
        self.areas.iter().find(|p| p.id == id).copied().ok_or_else(|| {
            let ids: Vec<&str> = self.areas.iter().map(|p| p.id).collect();
            let hint = crate::rules::nearest(id, &ids)
                .map_or(String::new(), |near| format!(" (nearest: {near})"));
            self.rules.bad(key, format!("there is no province \"{id}\"{hint}"))
        })
    }

    /// Returns the sea zone `id`, which `key` names.
    pub(crate) fn zone(&self, key: &str, id: &str) -> Result<&Sea, BadRules> {
        self.zones.iter().find(|z| z.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.zones.iter().map(|z| z.id.as_str()).collect();
            let hint = crate::rules::nearest(id, &ids)
                .map_or(String::new(), |near| format!(" (nearest: {near})"));
            self.rules.bad(key, format!("there is no sea zone \"{id}\"{hint}"))
        })
    }

    /// Checks that every named place exists, that every border goes both ways, and that no province has more than
    /// `most_zones`.
    pub(crate) fn check(&self, most_zones: usize) -> Result<(), BadRules> {
        self.names()?;
        self.areas.iter().try_for_each(|&area| self.borders(area, most_zones))?;
        self.zones.iter().try_for_each(|zone| self.shores(zone))?;
        for strait in self.straits {
            let key = format!("strait.{}.between", strait.id);
            if strait.between.len() != 2 || strait.between[0] == strait.between[1] {
                return Err(self.rules.bad(&key, "expected two different provinces"));
            }
            for id in &strait.between {
                self.province(&key, id)?;
            }
            self.zone(&format!("strait.{}.zone", strait.id), &strait.zone)?;
        }
        Ok(())
    }

    /// Checks that every named place exists; this comes first, since a wrong name also leaves a border one-way.
    fn names(&self) -> Result<(), BadRules> {
        for Area { id, land, sea } in &self.areas {
            let key = format!("province.{id}.land");
            land.iter().try_for_each(|name| self.province(&key, name).map(drop))?;
            let key = format!("province.{id}.sea");
            sea.iter().try_for_each(|name| self.zone(&key, name).map(drop))?;
        }
        for Sea { id, coasts, sea } in self.zones {
            let key = format!("sea.{id}.coasts");
            coasts.iter().try_for_each(|name| self.province(&key, name).map(drop))?;
            let key = format!("sea.{id}.sea");
            sea.iter().try_for_each(|name| self.zone(&key, name).map(drop))?;
        }
        Ok(())
    }

    /// Returns the complaint about a border on one side only: the list `here` names `other`, whose list `there` lacks
    /// `own`.
    fn one_way(&self, own: &str, here: &str, other: &str, there: &str) -> BadRules {
        let message =
            format!("{here} names \"{other}\", but {there} lacks \"{own}\": borders go both ways");
        self.rules.bad_among(&[here, there], message)
    }

    fn shores(&self, zone: &Sea) -> Result<(), BadRules> {
        let own = &zone.id;
        let coasts = format!("sea.{own}.coasts");
        for id in &zone.coasts {
            if !self.province(&coasts, id)?.sea.contains(own) {
                return Err(self.one_way(own, &coasts, id, &format!("province.{id}.sea")));
            }
        }
        let sea = format!("sea.{own}.sea");
        for id in &zone.sea {
            if !self.zone(&sea, id)?.sea.contains(own) {
                return Err(self.one_way(own, &sea, id, &format!("sea.{id}.sea")));
            }
        }
        Ok(())
    }

    fn borders(&self, area: Area<'_>, most_zones: usize) -> Result<(), BadRules> {
        let own = area.id;
        let land = format!("province.{own}.land");
        for id in area.land {
            if !self.province(&land, id)?.land.iter().any(|back| back == own) {
                return Err(self.one_way(own, &land, id, &format!("province.{id}.land")));
            }
        }
        let sea = format!("province.{own}.sea");
        for id in area.sea {
            if !self.zone(&sea, id)?.coasts.iter().any(|back| back == own) {
                return Err(self.one_way(own, &sea, id, &format!("sea.{id}.coasts")));
            }
        }
        if area.sea.len() > most_zones {
            let message = format!("a province has at most {most_zones} sea zones");
            return Err(self.rules.bad(&sea, message));
        }
        Ok(())
    }
}
