//! The table as text for people: the whole position, or a seat's view of it.

use std::fmt;

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, N_PROVINCES, N_ZONES, Place, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::games::conquest2::text::notation::held_cards;
use crate::player::{ByPlayer, Player};

/// Returns a phase in words: `season token`.
pub(crate) fn words(phase: Phase) -> String {
    let mut text = String::new();
    for letter in format!("{phase:?}").chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

impl Conquest2 {
    /// Writes the table as `observer` sees it, or the whole table without an observer.
    pub(crate) fn write_table(
        &self,
        s: &State,
        observer: Option<Player>,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let whole = ByPlayer::from_fn(|q| (s.senators[q], 0));
        let hands = observer.map_or(whole, |observer| s.senators_known_to(observer));
        match s.round {
            _ if s.phase() == Phase::Over => write!(f, "after season {}", s.season)?,
            0 => write!(f, "season {} before round 1", s.season + 1)?,
            round => write!(f, "season {} round {round}", s.season + 1)?,
        }
        writeln!(f, " ({})", words(s.phase()))?;
        for player in self.players() {
            let (senators, unseen) = hands[player];
            self.write_player(s, player, senators, unseen, f)?;
        }
        self.write_keys(s, f)?;
        self.write_land(s, f)?;
        self.write_sea(s, f)
    }

    fn write_player(
        &self,
        s: &State,
        player: Player,
        senators: [u8; 4],
        unseen: u8,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let alliance = if s.unallied.contains(player) {
            "no alliance".to_owned()
        } else {
            let name = if s.alliance_b.contains(player) { 'B' } else { 'A' };
            let place = self.situation(s).position_of(player);
            format!("{name}, {}. in order", place.map_or(0, |i| i + 1))
        };
        write!(
            f,
            "  seat {} ({alliance}): {} VP, {} talents, {} chaos, {} influence, senators {:?}",
            player.ordinal(),
            s.vp[player],
            s.money[player],
            s.chaos[player],
            s.total_influence(player),
            senators,
        )?;
        if unseen > 0 {
            write!(f, " and {unseen} unseen")?;
        }
        let cards = held_cards(s, player);
        if cards.is_empty() { writeln!(f) } else { writeln!(f, ", {}", cards.join(" ")) }
    }

    fn write_keys(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        for key in Key::first(self.board.n_keys) {
            let place = self.board.key_province[key.idx()];
            let vp: Vec<String> = self.board.vp[key.idx()]
                .iter()
                .take_while(|&&v| v > 0)
                .map(ToString::to_string)
                .collect();
            let influence: Vec<String> =
                self.players().map(|q| s.influence_of(q, key).to_string()).collect();
            let id = &self.board.province_ids[place.idx()];
            write!(f, "  {id:<14} {:<8} influence {}", vp.join("/"), influence.join(" "))?;
            if s.tokens[key.idx()] > 0 {
                write!(f, ", tokens {}", s.tokens[key.idx()])?;
            }
            if let Some(owner) = s.city_owner(self.board.city_site[place.idx()]) {
                write!(f, ", city of seat {}", owner.ordinal())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn write_land(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        for place in Place::first(N_PROVINCES) {
            let there: Vec<String> = self
                .players()
                .filter(|&q| s.units_of(q).contains(place))
                .map(|q| format!("{}: {}", q.ordinal(), units_text(s, q, place)))
                .collect();
            if !there.is_empty() {
                writeln!(f, "  {:<14} {}", self.board.province_ids[place.idx()], there.join("; "))?;
            }
        }
        Ok(())
    }

    fn write_sea(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        for zone in Zone::first(N_ZONES) {
            let there: Vec<String> = self
                .players()
                .filter(|&q| s.galleys(q, zone) > 0)
                .map(|q| format!("{}: {}", q.ordinal(), s.galleys(q, zone)))
                .collect();
            if !there.is_empty() {
                writeln!(f, "  {} galleys {}", self.board.zone_ids[zone.idx()], there.join("; "))?;
            }
        }
        Ok(())
    }
}

fn units_text(s: &State, player: Player, place: Place) -> String {
    let troops = s.troops(player, place);
    let mut words: Vec<String> = Unit::ALL
        .into_iter()
        .map(|unit| (troops.count(unit), unit.name()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!("{n} {name}"))
        .collect();
    if s.caesar[player] == Some(place) {
        words.push("caesar".to_owned());
    }
    words.join(", ")
}
