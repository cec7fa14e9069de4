//! Macro-actions of classic: a menu line with all its counts, such as a march with its group, a convoy or a purchase.
//! Single plies would set each count separately.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{Game, Notation, Player, Turn};

/// The size of a group or a purchase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    /// All leaders with all the troops that they can take; all units that can be bought.
    All,
    /// One leader, a general before the caesar, with all the troops that they can take; half of the units that can be
    /// bought.
    Some,
    /// One leader with one of the troops, or none if none is needed; one unit.
    Least,
}

impl Size {
    /// Returns the chosen index among `n` counts, listed from the least to the most.
    const fn nth(self, n: u16) -> u16 {
        match self {
            Self::All => n - 1,
            Self::Some => (n - 1) / 2,
            Self::Least => 0,
        }
    }
}

const SIZES: [Size; 3] = [Size::All, Size::Some, Size::Least];

/// A macro-action of classic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MacroAction {
    /// A line of a menu with all its counts.
    Line(MacroLine),
    /// All purchases of a market, composed at the market.
    Round,
    /// All purchases of a market, composed quickly. It serves only rollouts, which see a market once.
    QuickRound,
}

/// A line of a menu with all its counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroLine {
    /// The round and player of the line. It decides nothing in other turns.
    moment: (u8, Player),
    /// The line.
    line: Action,
    /// The goal of a boarding; `None` for other lines.
    goal: Option<Action>,
    size: Size,
}

const fn moment(s: &State) -> (u8, Player) {
    (s.round(), s.turn())
}

/// Returns whether an action is under way and its counts are due.
const fn is_begun(phase: Phase) -> bool {
    matches!(phase, Phase::Group | Phase::SailCount | Phase::BoardTo | Phase::Buy)
}

impl MacroLine {
    /// Returns the reply to the due decision after the line has begun; `None` at its end.
    fn reply(self, game: &Classic, s: &State) -> Option<Action> {
        if moment(s) != self.moment || !is_begun(s.phase()) {
            return None;
        }
        if s.phase() == Phase::BoardTo {
            return self.goal;
        }
        Some(match (s.phase(), self.size) {
            (Phase::Group, Size::Some) => game.plain_reply(s, true),
            (Phase::Group, Size::Least) => game.plain_reply(s, false),
            (_, size) => game.nth_option(s, size.nth(game.n_options(s))),
        })
    }

    /// Plays the line to its end.
    pub(super) fn carry_out(self, game: &Classic, s: &mut State) {
        game.apply(s, self.line);
        while let Some(action) = self.reply(game, s) {
            game.apply(s, action);
        }
    }

    /// Returns the menu line with which the macro-action begins.
    pub(super) const fn line(self) -> Action {
        self.line
    }

    /// Returns the number of units that it buys in an open market; `None` for other lines.
    pub(super) fn units(self, game: &Classic, s: &State) -> Option<u8> {
        let is_about_units = s.phase() == Phase::Market && self.line.verb() == Verb::BuyUnit;
        is_about_units.then(|| self.size.nth(game.most_of(s, self.line).into()) as u8 + 1)
    }

    /// Returns the ply for the due decision.
    pub(super) fn ply(self, game: &Classic, s: &State, is_first: bool) -> Option<Action> {
        if is_first { Some(self.line) } else { self.reply(game, s) }
    }

    /// Returns the action as text for people.
    pub(super) fn text(self, game: &Classic) -> String {
        let words = [Some(self.line), self.goal].into_iter().flatten();
        let words: Vec<String> = words.map(|action| game.action_text(action)).collect();
        let size = match self.size {
            Size::All => "all",
            Size::Some => "some",
            Size::Least => "least",
        };
        format!("{}, {size}", words.join(", "))
    }
}

/// A lister of macro-actions with reusable memory.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroActionList {
    lines: Vec<Action>,
    goals: Vec<Action>,
    ends: Vec<State>,
}

impl MacroActionList {
    /// Calls `tell` with every macro-action of the player at a menu. Of several with equal results only the first
    /// counts.
    pub(super) fn list(&mut self, game: &Classic, s: &State, mut tell: impl FnMut(MacroLine)) {
        let Turn::Player(player) = game.turn(s) else { return };
        if !matches!(s.phase(), Phase::Move | Phase::Market) {
            return;
        }
        self.lines.clear();
        game.actions(s, player, &mut self.lines);
        for k in 0..self.lines.len() {
            let line = self.lines[k];
            let mut begun = *s;
            game.apply(&mut begun, line);
            self.goals.clear();
            if begun.phase() == Phase::BoardTo && moment(&begun) == moment(s) {
                game.actions(&begun, player, &mut self.goals);
            }
            self.ends.clear();
            let macro_action = MacroLine { moment: moment(s), line, goal: None, size: Size::All };
            if self.goals.is_empty() {
                self.add(game, s, macro_action, &begun, &mut tell);
            }
            for g in 0..self.goals.len() {
                let goal = Some(self.goals[g]);
                self.add(game, s, MacroLine { goal, ..macro_action }, &begun, &mut tell);
            }
        }
    }

    /// Calls `tell` with the macro-actions that differ from `macro_action` only in size.
    fn add(
        &mut self,
        game: &Classic,
        s: &State,
        macro_action: MacroLine,
        begun: &State,
        tell: &mut impl FnMut(MacroLine),
    ) {
        let is_open = moment(begun) == moment(s) && is_begun(begun.phase());
        for size in SIZES {
            let macro_action = MacroLine { size, ..macro_action };
            if !is_open {
                return tell(macro_action);
            }
            let mut end = *begun;
            while let Some(action) = macro_action.reply(game, &end) {
                game.apply(&mut end, action);
            }
            if !self.ends.contains(&end) {
                self.ends.push(end);
                tell(macro_action);
            }
        }
    }
}
