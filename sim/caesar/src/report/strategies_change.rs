//! Tables, sentences and document of the strategies of two rule sets.

use engine::rules::Change as RuleChange;
use serde_json::{Value as Json, json};

use super::names::Names;
use super::panel::sides;
use super::rules;
use super::strategies::{NAMES, cell, end, estimate};
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::compare::verdict::Word;
use lab::strategies::change::{Change, Effects, Fate, Shift};
use lab::strategies::run::is_closed;
use lab::strategies::study::StrategiesStudy;
use sim::catalogue::checked_rules;
use sim::document::document;
use sim::error::Error;
use sim::units;

/// The table of the weights.
const WEIGHTS: &str = "weights";
/// The table of the metrics of the mixture.
const PANEL: &str = "panel";
/// All tables.
pub const TABLES: [&str; 2] = [PANEL, WEIGHTS];
/// The arms of the panel, for the words of its metrics.
const ARMS: usize = 2;
/// The names of both rule sets.
const SIDES: [&str; 2] = ["A", "B"];

/// The results of a run under two rule sets, with the strategies as specs.
#[derive(Debug)]
pub struct Results<'a> {
    study: &'a StrategiesStudy,
    change: &'a Change,
    effects: &'a Effects,
    specs: Vec<String>,
    merged: Vec<(String, usize)>,
    rules: Vec<Vec<RuleChange>>,
}

impl<'a> Results<'a> {
    /// Spells the strategies of a run.
    ///
    /// # Errors
    /// If a point is no agent or a rule set is refused, both of which were checked before.
    pub fn of(
        study: &'a StrategiesStudy,
        change: &'a Change,
        effects: &'a Effects,
    ) -> Result<Self, Error> {
        let merged = change.merged.iter().map(|(one, of)| Ok((study.spelled(one)?, *of)));
        let rules = study.setups().map(|setup| Ok(checked_rules(setup)?.changes()));
        Ok(Self {
            study,
            change,
            effects,
            specs: change
                .strategies
                .iter()
                .map(|one| study.spelled(one))
                .collect::<Result<_, _>>()?,
            merged: merged.collect::<Result<_, Error>>()?,
            rules: rules.collect::<Result<_, Error>>()?,
        })
    }

    /// Returns the result as tables, with names of at most `longest` characters.
    #[must_use]
    pub fn page(&self, longest: usize) -> Page {
        let names = Names::of_specs(&self.specs, "strategy", longest.clamp(NAMES.0, NAMES.1));
        let mut answer = Table::new("answer", String::new(), Vec::new()).only(Readers::People);
        answer.notes = self.sentences(&|i| names.shown(&self.specs[i]).to_owned());
        Page { tables: vec![answer, self.panel(), self.weights(&names)], footer: self.footer() }
    }

    /// Returns the metrics with their names.
    fn metrics(&self) -> [(&'static str, &'static str, &Shift); 2] {
        let Effects { effective, top, .. } = self.effects;
        [
            ("effective_strategies", "effective strategies", effective),
            ("top_weight", "top weight", top),
        ]
    }

    /// Returns the first sentence: the strategies that die and come, or that none is shown to.
    fn answer(&self, name: &dyn Fn(usize) -> String) -> String {
        let named = |fate: Fate| -> Vec<String> {
            let all = (0..self.specs.len()).filter(|&i| self.effects.fates[i] == fate);
            all.map(name).collect()
        };
        let part = |fate: Fate, words: &str| {
            let all = named(fate);
            (!all.is_empty()).then(|| format!("{words}: {}", all.join(", ")))
        };
        let moved = [part(Fate::Dies, "dies under B"), part(Fate::Comes, "comes under B")];
        let mut parts: Vec<String> = moved.into_iter().flatten().collect();
        if parts.is_empty() {
            parts.push("no strategy is shown to die or to come".to_owned());
        }
        parts.extend(part(Fate::Stays, "stays"));
        parts.extend(part(Fate::Absent, "survives under neither"));
        parts.extend(part(Fate::Undecided, "undecided (this does not mean equal)"));
        parts.join("; ")
    }

    fn sentences(&self, name: &dyn Fn(usize) -> String) -> Vec<Note> {
        let is_open = self.effects.fates.contains(&Fate::Undecided);
        let mark = if is_open { Mark::Open } else { Mark::Plain };
        let mut notes = vec![Note::new(self.answer(name)).marked(mark)];
        for (side, rounds) in SIDES.iter().zip(&self.change.rounds) {
            let end = end(rounds, self.study.plan.epsilon);
            notes.push(Note { text: format!("Rules {side}: {}", end.text), ..end });
        }
        for (spec, of) in &self.merged {
            notes.push(Note::new(format!("The games of {spec} are those of {}", name(*of))));
        }
        if self.change.left_out > 0 {
            let left = units::counted(self.change.left_out as u64, "survivor");
            let text = format!(
                "{left} of the smallest weights were left out: their tables would be too many"
            );
            notes.push(Note::new(text).marked(Mark::Caveat));
        }
        notes
    }

    /// Returns the metrics of both mixtures, in the form of the panel of a comparison.
    fn panel(&self) -> Table {
        let mut columns = vec![Column::plain("metric", Content::Key)];
        columns.extend(sides(Content::Estimate(Scale::Fixed(3))));
        columns.push(Column::plain("verdict", Content::Text));
        let caption = format!(
            "Effect of the rules on the strategies, {} with {}",
            self.study.setup.game,
            units::counted(self.study.players as u64, "player")
        );
        let rows = self.metrics().into_iter().map(|(name, shown, shift)| {
            let first = Cell::Name { shown: shown.to_owned(), name: name.to_owned() };
            let cells = std::iter::once(first).chain(shifted(shift));
            cells.chain([Cell::text(word(shift).name(ARMS))]).collect()
        });
        Table::new(PANEL, caption, columns).with(rows).noted(Note::new(
            "effective strategies: e to the entropy of the mixture. Intervals: 95 %, by a bootstrap that draws the same \
             blocks under A and B",
        ))
    }

    fn weights(&self, names: &Names) -> Table {
        let mut columns = vec![Column::plain("strategy", Content::Key)];
        columns.extend(sides(Content::Estimate(Scale::Fixed(3))));
        columns.push(Column::plain("fate", Content::Text));
        let caption =
            format!("Weights of the survivors of both, mixed by {}", self.study.plan.solver.name());
        let mut table = Table::new(WEIGHTS, caption, columns);
        let all = self.specs.iter().zip(&self.effects.weights).zip(&self.effects.fates);
        for ((spec, shift), fate) in all {
            let cells = std::iter::once(names.cell(spec)).chain(shifted(shift));
            let cells = cells.chain([Cell::text(fate.name())]).collect();
            let mark = if *fate == Fate::Undecided { Mark::Open } else { Mark::Plain };
            table.rows.push(Row { cells, mark });
        }
        table.notes.extend(names.legend());
        table.noted(Note::new(
            "A strategy survives with 1 % or more. A fate is undecided if 1 % lies in an interval of its weight; each \
             interval has 95 %, and those at 0 or 1 are approximate",
        ))
    }

    fn footer(&self) -> Vec<Note> {
        let games = units::counted(self.change.blocks * self.study.players as u64, "game");
        let mut notes = vec![Note::new(games)];
        for (side, changes) in SIDES.iter().zip(&self.rules) {
            let line = rules::line(&self.study.setup.game, changes);
            notes.extend(line.map(|line| Note::new(format!("rules {side}: {line}"))));
        }
        let seed = format!("seed {}", self.study.plan.seed);
        notes.push(Note::new(seed).before(self.study.request.command()));
        notes
    }

    /// Returns the result as one JSON document.
    #[must_use]
    pub fn json(&self) -> String {
        let name = |i: usize| self.specs[i].clone();
        let sentences: Vec<String> =
            self.sentences(&name).into_iter().skip(1).map(|note| note.text).collect();
        let all = self.specs.iter().zip(&self.effects.weights).zip(&self.effects.fates);
        let strategy = |((spec, shift), fate): ((&String, &Shift), &Fate)| json!({"agent": spec, "weight": shift_json(shift), "fate": fate.name()});
        let members = self.metrics().into_iter().map(|(name, _, shift)| {
            let mut member = shift_json(shift);
            member["metric"] = json!(name);
            member["verdict"] = json!(word(shift).name(ARMS));
            member
        });
        let side = |rounds: &Vec<_>| json!({"closed": is_closed(rounds), "rounds": rounds.len()});
        document(&json!({
            "game": self.study.setup.game,
            "players": self.study.players,
            "solver": self.study.plan.solver.name(),
            "epsilon": self.study.plan.epsilon,
            "blocks": self.change.blocks,
            "games": self.change.blocks * self.study.players as u64,
            "answer": self.answer(&name),
            "content": sentences,
            "loops": self.change.rounds.iter().map(side).collect::<Vec<_>>(),
            "members": members.collect::<Vec<_>>(),
            "strategies": all.map(strategy).collect::<Vec<_>>(),
            "merged": self.merged.iter().map(|(spec, of)| json!({"agent": spec, "copy_of": self.specs[*of]})).collect::<Vec<_>>(),
            "left_out": self.change.left_out,
            "command": self.study.request.command(),
            "seed": self.study.plan.seed,
        }))
    }
}

/// Returns the cells of a number under A, under B, and of their difference.
fn shifted(shift: &Shift) -> impl Iterator<Item = Cell> + use<> {
    let [a, b] = shift.sides;
    [a, b, shift.difference].into_iter().map(cell)
}

fn word(shift: &Shift) -> Word {
    shift.difference.1.map_or(Word::Undecided, |interval| Word::of_interval(interval, None))
}

fn shift_json(shift: &Shift) -> Json {
    let [a, b] = shift.sides;
    json!({"a": estimate(a), "b": estimate(b), "difference": estimate(shift.difference)})
}
