//! A game as a replay: what stands where after each event, told as what changes from one frame to the next.
//!
//! A frame is a list of texts, one for each slot: what happened, one for each area of the board, one for each number of
//! each seat, and a board as text. A text is kept once, a frame as the slots that differ from the frame before.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::board::Board;
use crate::chip::Chip;

/// What can be seen of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardView {
    /// Where in the game it is, in a few words.
    pub heading: String,
    /// What lies in each area of the board.
    pub areas: Vec<Vec<Chip>>,
    /// By seat: a text for each gauge.
    pub gauges: Vec<Vec<String>>,
    /// The board as text, for games without a drawn one.
    pub text: String,
}

/// What begins with a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    Nothing,
    /// A round.
    Round,
    /// A stage.
    Stage,
}

/// A frame with what led to it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frame {
    /// What is seen.
    pub view: BoardView,
    /// What begins with it.
    pub mark: Mark,
    /// The event as records write it.
    pub event: String,
    /// The sentences that are told of it.
    pub told: Vec<String>,
    /// What a search thought of the choice.
    pub thought: String,
    /// How likely each seat is to win, from 0 to 1; empty where nobody says so.
    pub chances: Vec<f64>,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replay {
    /// What the game is called.
    pub title: String,
    /// The game's name.
    pub game: String,
    /// The agent in each seat.
    pub agents: Vec<String>,
    /// Where it is played, if that is drawn.
    pub board: Option<Board>,
    /// What is counted of each seat.
    pub gauges: Vec<String>,
    /// Beginning with the position before the first event.
    pub frames: Vec<Frame>,
    /// What must be known of it: changed rules, how it ended, who thought.
    pub notes: Vec<String>,
}

/// Texts, each kept once.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: String) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(text.clone(), number);
        self.all.push(text);
        number
    }
}

/// The texts of a frame by slot: heading, event, sentences, thought, text board, areas, gauges.
fn slots(frame: &Frame) -> Vec<String> {
    let Frame { view, event, told, thought, .. } = frame;
    let fixed =
        [view.heading.clone(), event.clone(), told.join("\n"), thought.clone(), view.text.clone()];
    let chips = |chips: &Vec<Chip>| chips.iter().map(Chip::code).collect::<Vec<_>>().join("\u{1e}");
    let areas = view.areas.iter().map(chips);
    fixed.into_iter().chain(areas).chain(view.gauges.iter().flatten().cloned()).collect()
}

impl Replay {
    /// The replay as a document: `texts`; `frames`, each a list of slot and number of text in turn for all slots that differ
    /// from the frame before (of the first frame, from empty texts); the places of the frames in which a stage or a round
    /// begins; and chances in thousandths.
    #[must_use]
    pub fn document(&self) -> Json {
        let mut texts = Texts::default();
        let empty = texts.number(String::new());
        let mut last: Vec<usize> = Vec::new();
        let mut frames: Vec<Vec<usize>> = Vec::new();
        for frame in &self.frames {
            let now: Vec<usize> = slots(frame).into_iter().map(|text| texts.number(text)).collect();
            last.resize(now.len(), empty);
            let differs = now.iter().zip(&last).enumerate().filter(|(_, (now, last))| now != last);
            frames.push(differs.flat_map(|(slot, (now, _))| [slot, *now]).collect());
            last = now;
        }
        let places = |mark: Mark| -> Vec<usize> {
            let is = |&i: &usize| self.frames[i].mark >= mark;
            (0..self.frames.len()).filter(is).collect()
        };
        let thousandths = |frame: &Frame| -> Vec<i64> {
            frame.chances.iter().map(|chance| (1000.0 * chance).round() as i64).collect()
        };
        let has_chances = self.frames.iter().any(|frame| !frame.chances.is_empty());
        let chances: Vec<Vec<i64>> =
            if has_chances { self.frames.iter().map(thousandths).collect() } else { Vec::new() };
        json!({
            "agents": self.agents,
            "gauges": self.gauges,
            "areas": self.board.as_ref().map_or(0, |board| board.areas.len()),
            "texts": texts.all,
            "frames": frames,
            "stages": places(Mark::Stage),
            "rounds": places(Mark::Round),
            "chances": chances,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(event: &str, money: &str, mark: Mark) -> Frame {
        let view = BoardView { gauges: vec![vec![money.to_owned()]], ..BoardView::default() };
        Frame { view, mark, event: event.to_owned(), ..Frame::default() }
    }

    #[test]
    fn a_frame_holds_only_what_has_changed() {
        let frames = vec![
            frame("", "5", Mark::Stage),
            frame("buy", "3", Mark::Nothing),
            frame("", "5", Mark::Round),
            frame("", "5", Mark::Nothing),
        ];
        let replay = Replay { frames, ..Replay::default() };
        let document = replay.document();
        assert_eq!(document["texts"], json!(["", "5", "buy", "3"]));
        assert_eq!(document["frames"], json!([[5, 1], [1, 2, 5, 3], [1, 0, 5, 1], []]));
        assert_eq!((&document["stages"], &document["rounds"]), (&json!([0]), &json!([0, 2])));
        assert_eq!(document["chances"], json!([]));
    }
}
