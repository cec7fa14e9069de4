//! The rules configuration as Rust values, and its checks before a board is built from it.
//!
//! The shape of these types is the shape of `engine/data/circus.toml`, which explains each value.

use serde::Deserialize;

use super::limits::{DIRECTION_IDS, MAX_CARD, MAX_CELLS, MAX_FINISH, MAX_SEATS, TEAM};
use crate::games::check_range;
use crate::rules::{BadRules, Rules};

macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub(super) struct $name { $($(#[$attr])* pub(super) $field: $kind),* }
    };
}

section! { /// The whole configuration.
Config { max_rounds: i64, straight_only: bool, two_cards: bool, play_on: bool, cards: Cards, chariots: Chariots,
    directions: Directions, sections: Sections, start: Start, finish: Finish, board: Table } }
section! { /// The cards of a player, and their numbers for a chariot.
Cards { values: Vec<i64>, per_chariot: i64, two_cards: i64, must_stay: i64 } }
section! { /// Chariots and their legs.
Chariots { per_player: i64, start_leg: i64, finish_leg: i64 } }
section! { /// Steps in q and r.
Directions { e: [i64; 2], ne: [i64; 2], nw: [i64; 2], w: [i64; 2], sw: [i64; 2], se: [i64; 2] } }
section! { /// Sections in racing order.
Sections { order: Vec<String> } }
section! { /// Cells on which chariots are placed.
Start { cells: Vec<i64> } }
section! { /// Cells in which chariots are home, and their entry.
Finish { directions: Vec<String>, cells: Vec<i64> } }
section! { /// The cells.
Table { cells: Vec<Cell> } }
section! { /// A cell; those of the finish have neither section nor rank.
Cell { id: i64, q: i64, r: i64, section: Option<String>, rank: Option<i64> } }

impl Directions {
    /// Returns the steps in the order of [`DIRECTION_IDS`].
    pub(super) const fn steps(&self) -> [[i64; 2]; 6] {
        [self.e, self.ne, self.nw, self.w, self.sw, self.se]
    }
}

impl Config {
    /// Reads and checks `rules` for a table of `n_players`.
    pub(super) fn read(rules: &Rules, n_players: usize) -> Result<Self, BadRules> {
        let config: Self = rules.read()?;
        config.check_numbers(rules)?;
        config.check_cards(rules)?;
        config.check_cells(rules)?;
        config.check_places(rules, n_players)?;
        Ok(config)
    }

    /// Returns the largest number of cards of a chariot in a round.
    pub(super) const fn most_cards(&self) -> i64 {
        if self.two_cards { self.cards.two_cards } else { self.cards.per_chariot }
    }

    /// Returns the number of sections.
    pub(super) const fn n_sections(&self) -> i64 {
        self.sections.order.len() as i64
    }

    fn check_numbers(&self, rules: &Rules) -> Result<(), BadRules> {
        check_range(rules, "max-rounds", self.max_rounds, &(1..=1000))?;
        check_range(rules, "chariots.per-player", self.chariots.per_player, &(1..=TEAM as i64))?;
        check_range(rules, "chariots.start-leg", self.chariots.start_leg, &(0..=0))?;
        check_range(rules, "chariots.finish-leg", self.chariots.finish_leg, &(1..=40))?;
        check_range(rules, "cards.per-chariot", self.cards.per_chariot, &(1..=8))?;
        check_range(rules, "cards.two-cards", self.cards.two_cards, &(1..=8))?;
        check_range(rules, "cards.must-stay", self.cards.must_stay, &(1..=8))?;
        if !(3..=8).contains(&self.n_sections()) {
            return Err(rules.bad("sections.order", "a lap has 3 to 8 sections"));
        }
        if self.chariots.finish_leg % self.n_sections() != 0 {
            let keys = ["chariots.finish-leg", "sections.order"];
            return Err(rules.bad_among(&keys, "a race ends after whole laps"));
        }
        let steps = self.directions.steps();
        for d in 0..3 {
            let [q, r] = steps[d];
            if steps[d + 3] != [-q, -r] || q.abs() > 1 || r.abs() > 1 || [q, r] == [0, 0] {
                let (one, other) = (DIRECTION_IDS[d], DIRECTION_IDS[d + 3]);
                return Err(rules
                    .bad("directions", format_args!("{one} and {other} are no opposite steps")));
            }
        }
        let twice = (0..6).any(|d| steps[..d].contains(&steps[d]));
        if twice { Err(rules.bad("directions", "two of them are alike")) } else { Ok(()) }
    }

    fn check_cards(&self, rules: &Rules) -> Result<(), BadRules> {
        let key = "cards.values";
        let values = &self.cards.values;
        for &value in values {
            check_range(rules, key, value, &(1..=MAX_CARD as i64))?;
        }
        if has_twice(values) {
            return Err(rules.bad(key, "a card stands twice"));
        }
        let needed = 2.max(self.chariots.per_player * self.cards.must_stay);
        if (values.len() as i64) < needed {
            let keys = [key, "chariots.per-player", "cards.must-stay"];
            return Err(rules.bad_among(&keys, format_args!("{needed} cards are needed at least")));
        }
        Ok(())
    }

    fn check_cells(&self, rules: &Rules) -> Result<(), BadRules> {
        let cells = &self.board.cells;
        let keys = ["board.cells", "finish.cells", "sections.order"];
        let bad = |message: String| Err(rules.bad_among(&keys, message));
        if cells.len() > MAX_CELLS {
            return bad(format!("more than {MAX_CELLS} cells"));
        }
        for (i, cell) in cells.iter().enumerate() {
            let id = cell.id;
            if id != i as i64 {
                return bad(format!("cell {id} stands in place {i}: ids count from 0"));
            }
            if cell.q.abs() > 100 || cell.r.abs() > 100 {
                return bad(format!("cell {id} lies out of reach"));
            }
            if cells[..i].iter().any(|other| (other.q, other.r) == (cell.q, cell.r)) {
                return bad(format!("cell {id} lies on another one"));
            }
            let is_finish = self.finish.cells.contains(&id);
            match (&cell.section, cell.rank) {
                (None, None) if is_finish => {}
                (Some(section), Some(rank)) if !is_finish => {
                    if !self.sections.order.contains(section) {
                        return bad(format!("cell {id}: there is no section \"{section}\""));
                    }
                    if !(0..256).contains(&rank) {
                        return bad(format!("cell {id}: rank {rank} is out of range (0 to 255)"));
                    }
                    if cells[..i].iter().any(|o| o.section == cell.section && o.rank == cell.rank) {
                        return bad(format!("cell {id}: rank {rank} stands twice in its section"));
                    }
                }
                _ => {
                    return bad(format!("cell {id} has a section and a rank, or is of the finish"));
                }
            }
        }
        Ok(())
    }

    fn check_places(&self, rules: &Rules, n_players: usize) -> Result<(), BadRules> {
        debug_assert!(n_players <= MAX_SEATS);
        let n_cells = self.board.cells.len() as i64;
        for (key, cells) in
            [("start.cells", &self.start.cells), ("finish.cells", &self.finish.cells)]
        {
            if cells.iter().any(|id| !(0..n_cells).contains(id)) || has_twice(cells) {
                let keys = [key, "board.cells"];
                return Err(rules.bad_among(&keys, "the ids of different cells are needed"));
            }
        }
        let first = self.sections.order.first();
        let section = |id: &i64| self.board.cells[*id as usize].section.as_ref();
        if self.start.cells.iter().any(|id| section(id) != first) {
            let keys = ["start.cells", "sections.order", "board.cells"];
            return Err(rules.bad_among(&keys, "the cells of the start lie in the first section"));
        }
        let needed = n_players * self.chariots.per_player as usize;
        if self.start.cells.len() < needed {
            let message =
                format_args!("{needed} cells of the start are needed for {n_players} players");
            return Err(rules.bad_among(&["start.cells", "chariots.per-player"], message));
        }
        let (n_finish, team) = (self.finish.cells.len(), self.chariots.per_player as usize);
        if !(team..=MAX_FINISH).contains(&n_finish) {
            let message = format_args!(
                "{n_finish} cells of the finish are out of range ({team} to {MAX_FINISH})"
            );
            return Err(rules.bad_among(&["finish.cells", "chariots.per-player"], message));
        }
        let unknown = |d: &&String| !DIRECTION_IDS.contains(&d.as_str());
        match self.finish.directions.iter().find(unknown) {
            Some(d) => {
                let known = DIRECTION_IDS.join(", ");
                Err(rules
                    .bad("finish.directions", format_args!("unknown \"{d}\" (known: {known})")))
            }
            None => Ok(()),
        }
    }
}

fn has_twice(values: &[i64]) -> bool {
    values.iter().enumerate().any(|(i, value)| values[..i].contains(value))
}
