//! Whole actions as options of a search: a line of a menu with all its counts — a march with its group, a convoy, a
//! purchase — where single plies would count kind by kind.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{Game, Notation, Player, Turn};

/// How many go along, or are bought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    /// All leaders and all whom they take along; all that can be bought.
    All,
    /// One leader, a general before the caesar, and all whom he takes along; half of what can be bought.
    Some,
    /// One leader and one of the troops, or none where none is needed; one unit.
    Least,
}

impl Size {
    /// Which of `n` counts it takes, that are listed from the least to the most.
    const fn nth(self, n: u16) -> u16 {
        match self {
            Self::All => n - 1,
            Self::Some => (n - 1) / 2,
            Self::Least => 0,
        }
    }
}

const SIZES: [Size; 3] = [Size::All, Size::Some, Size::Least];

/// A whole action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MacroAction {
    /// A line of a menu with all its counts.
    Line(MacroLine),
    /// All that is bought in a market, as it is composed there.
    Round,
    /// The same, composed quickly: in rollouts only, which see a market once.
    QuickRound,
}

/// A line of a menu with all its counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroLine {
    /// Its round and player: what is due in another turn is none of its business.
    moment: (u8, Player),
    /// The line.
    line: Action,
    /// Where those who board go; nothing for all others.
    goal: Option<Action>,
    size: Size,
}

const fn moment(s: &State) -> (u8, Player) {
    (s.round(), s.turn())
}

/// Whether an action is under way whose counts are due.
const fn is_begun(phase: Phase) -> bool {
    matches!(phase, Phase::Group | Phase::SailCount | Phase::BoardTo | Phase::Buy)
}

impl MacroLine {
    /// What it says to a decision that is due once it has begun; nothing when it is at its end.
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

    /// Carries it out.
    pub(super) fn carry_out(self, game: &Classic, s: &mut State) {
        game.apply(s, self.line);
        while let Some(action) = self.reply(game, s) {
            game.apply(s, action);
        }
    }

    /// The line that it begins with.
    pub(super) const fn line(self) -> Action {
        self.line
    }

    /// How many units it buys in an open market; nothing if it is about something else.
    pub(super) fn units(self, game: &Classic, s: &State) -> Option<u8> {
        let is_about_units = s.phase() == Phase::Market && self.line.verb() == Verb::BuyUnit;
        is_about_units.then(|| self.size.nth(game.most_of(s, self.line).into()) as u8 + 1)
    }

    /// What it says to the decision that is due.
    pub(super) fn ply(self, game: &Classic, s: &State, is_first: bool) -> Option<Action> {
        if is_first { Some(self.line) } else { self.reply(game, s) }
    }

    /// The action for people.
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

/// Lists whole actions, with memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroActionList {
    lines: Vec<Action>,
    goals: Vec<Action>,
    ends: Vec<State>,
}

impl MacroActionList {
    /// Tells every whole action of the player who is due at a menu, of several that lead to the same only the first.
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

    /// Tells those that differ from `macro_action` in size alone.
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
