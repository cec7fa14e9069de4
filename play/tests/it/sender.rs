//! Messages of one moment and answers to wishes, as a seat is sent them, as text for tests of leaks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::RefCell;

use draw::play::DrawnGame;
use draw::story::Sentence;
use engine::Player;
use play::advice::Hint;
use play::memory::Memory;
use play::odds::Odds;
use play::rolls::rolls;
use play::sight::Sight;
use play::words::understood;
use sim::any::{AnyAgent, AnyGame, AnyState, Due};
use sim::session::Happening;

/// A word that fits no option of any game: its refusal lists the options.
const NO_OPTION: &str = "xyzzy";

/// A moment of a seat.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    /// The memory of the seat.
    pub(crate) memory: &'a Memory,
    /// The position with the draft of whoever chooses.
    pub(crate) now: &'a AnyState,
    /// The position before the draft.
    pub(crate) settled: &'a AnyState,
    /// The labels of the draft.
    pub(crate) draft: &'a [String],
    /// The events that became public.
    pub(crate) new: &'a [Happening],
    /// Sentences about them, by seat.
    pub(crate) told: &'a [Vec<Sentence>],
}

impl<'a> Moment<'a> {
    /// The moment of a position without a draft and without news.
    pub(crate) fn still(state: &'a AnyState, memory: &'a Memory) -> Self {
        Self { memory, now: state, settled: state, draft: &[], new: &[], told: &[] }
    }

    /// Returns the seat.
    pub(crate) fn seat(&self) -> Player {
        self.memory.seat()
    }

    /// Returns whether the seat is asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.now.due() == Due::Player(self.seat())
    }
}

/// A server without a network.
pub(crate) struct Sender {
    drawn: DrawnGame,
    names: Vec<String>,
    adviser: RefCell<AnyAgent>,
}

impl Sender {
    pub(crate) fn new(game: &AnyGame) -> Self {
        let players = game.players();
        Self {
            drawn: DrawnGame::new(game.name(), &game.rules().to_json(), players),
            names: (0..players).map(|seat| format!("seat {}", seat + 1)).collect(),
            adviser: RefCell::new(game.agent(&"mcts(iterations=4)".parse().unwrap()).unwrap()),
        }
    }

    /// Returns the moment, the log and the result, and what each wish is answered with: words that are no option, alone
    /// and after each option, odds and a hint.
    pub(crate) fn sent(&self, moment: &Moment<'_>) -> String {
        let Moment { memory, now, settled, draft, .. } = *moment;
        let (seat, sight) = (memory.seat(), self.sight(memory));
        let result = now.points().map(|points| (points, now.scores()));
        let mut text =
            format!("{} {} {result:?}", sight.of(now, settled, draft), self.log(moment, seat));
        if moment.is_asked() {
            let labels = now.labels(seat);
            let after = labels.iter().map(|label| [label.as_str(), NO_OPTION]);
            let wishes = after.map(|line| understood(now, seat, &line));
            let wishes: Vec<_> =
                std::iter::once(understood(now, seat, &[NO_OPTION])).chain(wishes).collect();
            let hint = Hint::of(&mut self.adviser.borrow_mut(), now, seat).unwrap();
            text += &format!(" {wishes:?} {:?} {hint:?}", Odds::seen(now, seat));
        }
        text
    }

    fn sight<'a>(&'a self, memory: &'a Memory) -> Sight<'a> {
        Sight { game: &self.drawn, names: &self.names, memory }
    }

    /// Lets a seat remember a final position.
    pub(crate) fn follow(&self, memory: &mut Memory, state: &AnyState) {
        memory.follow(&self.drawn, &self.names, state);
    }

    /// Returns the events of a moment as `reader` is told them.
    pub(crate) fn log(&self, moment: &Moment<'_>, reader: Player) -> String {
        let Moment { memory, new, told, .. } = *moment;
        let sight = self.sight(memory);
        let told = told.get(reader.idx()).into_iter().flatten();
        let lines: Vec<String> = told.map(|said| sight.line(said).to_string()).collect();
        format!("{lines:?} {:?}", rolls(new, reader))
    }
}
