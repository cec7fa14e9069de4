//! Replays: the board after each event of a game, stored as changes from one frame to the next.
//!
//! A frame is a list of texts, one for each slot: the event, each area of the board, each number of each seat, and the
//! board as text. The document holds each text once, and each frame as the slots that differ from the frame before.
//!
//! [`Replay`] holds the game, and [`Replay::document`] returns it for the script of the page.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::board::Board;
use crate::chip::Chip;
use crate::highlight::Highlight;

/// The visible content of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardView {
    /// The point of the game that it shows, in a few words.
    pub heading: String,
    /// The pieces in each area of the board.
    pub areas: Vec<Vec<Chip>>,
    /// By seat: a text for each gauge.
    pub gauges: Vec<Vec<String>>,
    /// The public displays beside the board, as lists.
    pub displays: Vec<String>,
    /// The board as text, for games without a drawing.
    pub text: String,
    /// The score of each seat; empty in games without a score.
    pub scores: Vec<i64>,
    /// The fights under way.
    pub fights: Vec<Fight>,
}

/// A fight that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fight {
    /// The number of its area in the list of the board.
    pub area: usize,
    /// The sides and the odds, in lines.
    pub text: String,
}

/// The part of the game that begins with a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Mark {
    /// No new part.
    #[default]
    Nothing,
    /// A new round.
    Round,
    /// A new stage.
    Stage,
}

/// A frame and the event that led to it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frame {
    /// The view of the position.
    pub view: BoardView,
    /// The part of the game that begins with it.
    pub mark: Mark,
    /// The name of the stage that begins with it, if one does.
    pub stage: String,
    /// The marks on the board.
    pub highlights: Vec<Highlight>,
    /// The event as records write it.
    pub event: String,
    /// The sentences of the story about it.
    pub sentences: Vec<String>,
    /// The evaluation of the choice by a search.
    pub thought: String,
    /// Each seat's chance to win, from 0 to 1; empty without a model.
    pub chances: Vec<f64>,
}

/// A choice that cost its seat something, by the values of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mistake {
    /// The frame that shows the position before the choice.
    pub frame: usize,
    /// The seat, from 0.
    pub seat: usize,
    /// The value of the best option for the seat less that of the chosen one.
    pub cost: f64,
    /// The chosen option.
    pub chosen: String,
    /// The best option.
    pub better: String,
}

/// A game as a sequence of frames.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replay {
    /// The title of the game.
    pub title: String,
    /// The game's name.
    pub game: String,
    /// The agent in each seat.
    pub agents: Vec<String>,
    /// The board; `None` in games without a drawing.
    pub board: Option<Board>,
    /// The names of the gauges: the numbers and lists that the page shows for each seat.
    pub gauges: Vec<String>,
    /// The number of gauges that are lists; these stand last.
    pub lists: usize,
    /// The names of the public displays beside the board.
    pub displays: Vec<String>,
    /// The name of the scores.
    pub score: String,
    /// The frames; the first shows the position before the first event.
    pub frames: Vec<Frame>,
    /// The choices that cost their seats something; empty without a search.
    pub mistakes: Vec<Mistake>,
    /// The meaning of letters and shapes on the board.
    pub legend: String,
    /// Notes for the reader: changed rules, the end of the game, the model or search behind the evaluations.
    pub notes: Vec<String>,
}

/// Texts, each stored once.
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

/// Returns the texts of a frame by slot: heading, event, sentences, evaluation, text board, highlights, areas, gauges,
/// displays.
fn slots(frame: &Frame) -> Vec<String> {
    let Frame { view, event, sentences, thought, highlights, .. } = frame;
    let joined = |all: Vec<String>| all.join("\u{1e}");
    let fixed = [
        view.heading.clone(),
        event.clone(),
        sentences.join("\n"),
        thought.clone(),
        view.text.clone(),
        joined(highlights.iter().map(Highlight::code).collect()),
    ];
    let areas = view.areas.iter().map(|chips| joined(chips.iter().map(Chip::code).collect()));
    let cells = view.gauges.iter().flatten().chain(&view.displays).cloned();
    fixed.into_iter().chain(areas).chain(cells).collect()
}

impl Replay {
    /// Returns the replay as a JSON document. It holds `texts` and `frames`. A frame lists slot and text number in
    /// turn, for all slots that differ from the frame before; the first frame starts from empty texts. The document
    /// also holds the frames in which a stage, a round or a fight begins, or in which a score changes. It ends with the
    /// names of the stages, the frame to open, the scores, and the chances in thousandths.
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
            "bands": self.bands(),
            "fights": self.fights(),
            "scorings": self.scorings(),
            "open": self.decisive(),
            "score": self.score,
            "scores": self.scores(),
            "chances": chances,
        })
    }

    /// Returns the first frame and the name of each stage.
    fn bands(&self) -> Vec<(usize, &str)> {
        let all = self.frames.iter().enumerate();
        all.filter(|(_, frame)| !frame.stage.is_empty())
            .map(|(i, frame)| (i, frame.stage.as_str()))
            .collect()
    }

    /// Returns the frames in which fights begin.
    fn fights(&self) -> Vec<usize> {
        let areas = |i: usize| -> Vec<usize> {
            self.frames[i].view.fights.iter().map(|fight| fight.area).collect()
        };
        (1..self.frames.len())
            .filter(|&i| areas(i).iter().any(|area| !areas(i - 1).contains(area)))
            .collect()
    }

    /// Returns the scores of all seats by frame; empty in games without a score.
    fn scores(&self) -> Vec<&[i64]> {
        let has_scores = self.frames.iter().any(|frame| !frame.view.scores.is_empty());
        let all = self.frames.iter().filter(|_| has_scores);
        all.map(|frame| frame.view.scores.as_slice()).collect()
    }

    /// Returns the frames in which a score changes.
    fn scorings(&self) -> Vec<usize> {
        let scores = |i: usize| &self.frames[i].view.scores;
        (1..self.frames.len()).filter(|&i| scores(i) != scores(i - 1)).collect()
    }

    /// Returns the frame that decides the game: the frame in which the winner's chance rises most. Without chances it
    /// is the frame of the last change of the lead, or else of the last score.
    #[must_use]
    pub fn decisive(&self) -> usize {
        let Some(last) = self.frames.len().checked_sub(1) else { return 0 };
        let chances = |i: usize| &self.frames[i].chances;
        let most = |values: &[f64]| {
            (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]).then(b.cmp(&a)))
        };
        if let Some(winner) = most(chances(last)) {
            let rise = |i: usize| {
                let at = |i: usize| chances(i).get(winner).copied().unwrap_or_default();
                at(i) - at(i - 1)
            };
            let best = (1..=last).max_by(|&a, &b| rise(a).total_cmp(&rise(b)).then(b.cmp(&a)));
            return best.unwrap_or(last);
        }
        let leader = |i: usize| {
            let scores = &self.frames[i].view.scores;
            let high = scores.iter().max()?;
            let mut all = (0..scores.len()).filter(|&seat| scores[seat] == *high);
            let first = all.next();
            if all.next().is_some() { None } else { first }
        };
        let changes = (1..=last).rfind(|&i| leader(i) != leader(i - 1));
        changes.or_else(|| self.scorings().last().copied()).unwrap_or(last)
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
        assert_eq!(document["frames"], json!([[6, 1], [1, 2, 6, 3], [1, 0, 6, 1], []]));
        assert_eq!((&document["stages"], &document["rounds"]), (&json!([0]), &json!([0, 2])));
        assert_eq!((&document["chances"], &document["scores"]), (&json!([]), &json!([])));
    }

    #[test]
    fn a_replay_opens_where_the_winner_gains_most_or_the_lead_changes_last() {
        let with = |chances: [f64; 2], scores: [i64; 2]| Frame {
            view: BoardView { scores: scores.to_vec(), ..BoardView::default() },
            chances: chances.iter().copied().filter(|&chance| chance >= 0.0).collect(),
            ..Frame::default()
        };
        let of = |frames: Vec<Frame>| Replay { frames, ..Replay::default() };
        let chances = [[0.5, 0.5], [0.6, 0.4], [0.9, 0.1], [1.0, 0.0]];
        let by_chance = of(chances.map(|chances| with(chances, [0; 2])).to_vec());
        assert_eq!(by_chance.decisive(), 2);
        let scores = [[0, 0], [5, 0], [5, 9], [5, 12], [8, 12]];
        let by_score = of(scores.map(|scores| with([-1.0; 2], scores)).to_vec());
        assert_eq!((by_score.decisive(), by_score.scorings()), (2, vec![1, 2, 3, 4]));
        assert_eq!((of(Vec::new()).decisive(), of(vec![Frame::default()]).decisive()), (0, 0));
    }
}
