//! Replays as parts of a page: the board, the holdings and the story beside it, and the chances to win below it.
//!
//! [`replay_html`] returns one replay, and [`replay_page`] a page of several. The reader moves through the game with
//! the chart of the chances and with buttons.

use std::fmt::Write;

use crate::html::{element, escape, json_in_script};
use crate::page::{Layout, Section, page_of};
use crate::replay::{Mistake, Replay};
use crate::story::seated;

/// Buttons: action, label, and tooltip.
const BUTTONS: [(&str, &str, &str); 13] = [
    ("first", "start", "the start (Home)"),
    ("last-stage", "− stage", "the stage before"),
    ("last-round", "− round", "the round before (Page Up)"),
    ("back", "− ply", "one event back (←)"),
    ("play", "play", "play or pause (p)"),
    ("next", "ply +", "one event on (→)"),
    ("next-round", "round +", "the next round (Page Down)"),
    ("next-stage", "stage +", "the next stage"),
    ("last", "end", "the end (End)"),
    ("fight", "battle +", "the next battle (b)"),
    ("scoring", "score +", "the next change of a score (s)"),
    ("swing", "turning point", "the moment that decides the game (d)"),
    ("zoom", "zoom", "the board from near, or the whole of it (z)"),
];
/// The pauses between events while a replay plays, in milliseconds, with their names.
const SPEEDS: [(u32, &str); 4] =
    [(1200, "slow"), (350, "normal"), (120, "fast"), (30, "very fast")];
/// The shapes that mark seats beside their colours, around the origin, as the script draws them on boards.
const SHAPES: [&str; 6] = [
    "M-1 0A1 1 0 1 1 1 0 1 1 0 1 1-1 0z",
    "M-.9-.9H.9V.9H-.9z",
    "M0-1.25 1.25 0 0 1.25-1.25 0z",
    "M-.55-.96H.55L1.1 0 .55.96H-.55L-1.1 0z",
    "M0-1.2 1.2.85H-1.2z",
    "M-.45-1H.45v.55H1V.45H.45V1H-.45V.45H-1V-.45H-.45z",
];
/// The word of records for a person.
const PERSON: &str = "human";
/// Most moves in the list of the costliest.
const COSTLIEST: usize = 8;
/// The help text of the keys that move through a replay.
const KEYS: &str = "Left and right: one event. Page up and page down: one round. Home and end. p: play or pause. b: next \
                    battle. s: next change of a score. d: the moment that decides. z: zoom. A link to what is shown stands in the \
                    address: #game=1&ply=20.";

/// Returns the board at the start, for browsers without a script.
fn picture(replay: &Replay) -> String {
    let board = replay.board.as_ref().map_or_else(String::new, |board| {
        let title = format!("board of {}; what lies on it is told beside it", replay.game);
        board.svg(&title, &|_| None)
    });
    format!("<div class=\"picture\">\n{board}<pre class=\"text-board\"></pre>\n</div>\n")
}

/// Returns the shape of a seat in its colour.
pub(crate) fn seat_shape(seat: usize) -> String {
    let shape = SHAPES[seat % SHAPES.len()];
    format!(
        "<svg class=\"seat-shape\" viewBox=\"-1.4 -1.4 2.8 2.8\" aria-hidden=\"true\"><path class=\"f{}\" d=\"{shape}\"/></svg>",
        seat % 6
    )
}

/// Returns the holdings of each seat: numbers in columns, lists below them.
fn gauges(replay: &Replay) -> String {
    let has_chances = replay.frames.iter().any(|frame| !frame.chances.is_empty());
    let numbers = replay.gauges.len().saturating_sub(replay.lists);
    let (columns, lists) = replay.gauges.split_at(numbers);
    let mut head = "<th scope=\"col\">seat</th>".to_owned();
    for gauge in columns {
        let _ = write!(head, "<th scope=\"col\" class=\"number\">{}</th>", escape(gauge));
    }
    if has_chances {
        head += "<th scope=\"col\" class=\"number\">to win</th>";
    }
    let all_columns = columns.len() + 1 + usize::from(has_chances);
    let mut rows = String::new();
    for (seat, agent) in replay.agents.iter().enumerate() {
        let agent = escape(agent);
        let _ = write!(rows, "<tbody><tr><th scope=\"row\">{}{}</th>", seat_shape(seat), seat + 1,);
        rows += &"<td class=\"number\" data-gauge></td>".repeat(columns.len());
        rows += if has_chances { "<td class=\"number\" data-win></td></tr>\n" } else { "</tr>\n" };
        let _ = write!(
            rows,
            "<tr class=\"lists\"><td colspan=\"{all_columns}\"><span class=\"agent\" title=\"{agent}\">{agent}</span>"
        );
        for list in lists {
            let _ = write!(
                rows,
                "<span class=\"list\"><span class=\"soft\">{}</span> <span data-gauge data-cards></span></span> ",
                escape(list)
            );
        }
        rows += "</td></tr>\n";
        rows += "</tbody>\n";
    }
    let mut displays = String::new();
    for display in &replay.displays {
        let _ = writeln!(
            displays,
            "<p class=\"display\"><span class=\"soft\">{}</span> <span data-gauge data-cards></span></p>",
            escape(display)
        );
    }
    format!("<table class=\"gauges\">\n<thead><tr>{head}</tr></thead>\n{rows}</table>\n{displays}")
}

fn controls(replay: &Replay, id: &str) -> String {
    let last = replay.frames.len().saturating_sub(1);
    let mut out = "<div class=\"controls\" role=\"group\" aria-label=\"steps\">\n".to_owned();
    for (go, text, title) in BUTTONS {
        let _ = writeln!(
            out,
            "<button type=\"button\" data-go=\"{go}\" title=\"{title}\">{text}</button>"
        );
    }
    out += "<label>speed <select data-speed>";
    for (pause, name) in SPEEDS {
        let selected = if name == "normal" { " selected" } else { "" };
        let _ = write!(out, "<option value=\"{pause}\"{selected}>{name}</option>");
    }
    let _ = writeln!(
        out,
        "</select></label>\n<label><input type=\"checkbox\" data-loop> loop</label>\n\
         <output for=\"{id}-at\">0 of {last}</output>\n</div>"
    );
    out
}

/// Returns the chart of the chances to win over the game. The script draws it, and the reader moves through the game
/// with it.
fn race(replay: &Replay, id: &str) -> String {
    let last = replay.frames.len().saturating_sub(1);
    let has_chances = replay.frames.iter().any(|frame| !frame.chances.is_empty());
    let has_scores = replay.frames.iter().any(|frame| !frame.view.scores.is_empty());
    let choice = match (has_scores, has_chances) {
        (true, true) => format!(
            "<label class=\"line\">line <select data-line><option value=\"scores\">{}</option>\
             <option value=\"chances\">chance to win</option></select></label>\n",
            escape(&replay.score)
        ),
        _ => String::new(),
    };
    let chart = if has_scores || has_chances {
        "<svg class=\"race\" viewBox=\"0 0 1200 110\" role=\"img\" aria-label=\"scores or chances of the seats, event by event; \
         the table has the numbers of the event that is shown\"></svg>\n"
    } else {
        ""
    };
    format!(
        "{choice}{chart}<input type=\"range\" id=\"{id}-at\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"event\">\n"
    )
}

/// Returns the choices that cost most, each with a button that shows its position: those of people, or of all seats where
/// nobody is one. Empty without any.
fn costliest(replay: &Replay) -> String {
    let is_person = |seat: usize| {
        replay.agents.get(seat).is_some_and(|agent| agent.rsplit('=').next() == Some(PERSON))
    };
    let has_people = (0..replay.agents.len()).any(is_person);
    let mut all: Vec<&Mistake> =
        replay.mistakes.iter().filter(|mistake| !has_people || is_person(mistake.seat)).collect();
    all.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let lines: String = all.iter().take(COSTLIEST).map(|mistake| costly(mistake)).collect();
    if lines.is_empty() {
        return lines;
    }
    let whose = if has_people { "of people" } else { "of all seats" };
    format!(
        "<details class=\"costliest\" open><summary>Costliest moves {whose}, by the values of the search</summary>\n\
         <ol>{lines}</ol></details>\n"
    )
}

fn costly(mistake: &Mistake) -> String {
    let Mistake { frame, seat, cost, chosen, better } = mistake;
    format!(
        "<li><button type=\"button\" data-frame=\"{frame}\">event {frame}</button> {}{}: {} ({:.2} less than {})</li>\n",
        seat_shape(*seat),
        seated(*seat),
        escape(chosen),
        cost,
        escape(better),
    )
}

/// Returns a replay as HTML; `id` distinguishes it from other replays on the page.
#[must_use]
pub fn replay_html(replay: &Replay, id: &str) -> String {
    let json = json_in_script(&replay.document().to_string());
    let notes: String = replay.notes.iter().map(|note| element("p", "note", note)).collect();
    let legend = match replay.legend.as_str() {
        "" => String::new(),
        legend => format!("<dt>Board</dt><dd>{}</dd>", escape(legend)),
    };
    format!(
        "<div class=\"replay\" id=\"{id}\" role=\"region\" aria-labelledby=\"{id}-title\" tabindex=\"0\">\n\
         <h3 id=\"{id}-title\">{}</h3>\n<div class=\"table\">\n{}<div class=\"panel\" role=\"group\" aria-label=\"seats and events\" tabindex=\"0\">\n<p class=\"heading\"></p>\n\
         <ul class=\"told\" aria-live=\"polite\"></ul>\n{}<p class=\"event soft\"></p>\n\
         <details class=\"thinking\" hidden><summary>Thoughts of the search</summary><pre class=\"thought\" tabindex=\"0\"></pre></details>\n\
         </div>\n<div class=\"time\"{}>\n{}{}</div>\n</div>\n{}{notes}\
         <details class=\"how\"><summary>How to read this, and keys</summary><dl>{legend}<dt>Keys</dt><dd>{KEYS}</dd></dl></details>\n\
         <noscript><p class=\"caveat\">Stepping through the game needs scripts.</p></noscript>\n\
         <script type=\"application/json\" class=\"replay-data\">{json}</script>\n</div>\n",
        escape(&replay.title),
        picture(replay),
        gauges(replay),
        if replay.frames.len() > 1 { "" } else { " hidden" },
        race(replay, id),
        controls(replay, id),
        costliest(replay),
    )
}

/// Returns a page of replays.
#[must_use]
pub fn replay_page(title: &str, introduction: &str, replays: &[Replay]) -> String {
    let section = |(i, replay): (usize, &Replay)| {
        let body = replay_html(replay, &format!("replay-{}", i + 1));
        Section { title: format!("Game {}", i + 1), anchor: format!("game-{}", i + 1), body }
    };
    let sections: Vec<Section> = replays.iter().enumerate().map(section).collect();
    page_of(Layout::Replays, title, introduction, &sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Frame;

    #[test]
    fn the_costliest_moves_are_those_of_people_and_the_worst_comes_first() {
        let mistake = |seat, cost, frame| Mistake {
            frame,
            seat,
            cost,
            chosen: "<a>".to_owned(),
            better: "b".to_owned(),
        };
        let mistakes = vec![mistake(0, 0.1, 3), mistake(1, 0.9, 5), mistake(0, 0.25, 7)];
        let agents = ["Anna=human", "greedy"].map(str::to_owned).to_vec();
        let own = costliest(&Replay { agents, mistakes: mistakes.clone(), ..Replay::default() });
        let frames = |html: &str| -> Vec<String> {
            html.split("data-frame=\"").skip(1).map(|rest| rest[..1].to_owned()).collect()
        };
        assert_eq!(frames(&own), ["7", "3"], "{own}");
        assert!(own.contains("seat 1: &lt;a&gt; (0.25 less than b)"), "{own}");
        let agents = ["mcts", "greedy"].map(str::to_owned).to_vec();
        let all = costliest(&Replay { agents, mistakes, ..Replay::default() });
        assert_eq!(frames(&all), ["5", "7", "3"], "nobody is a person");
        assert_eq!(costliest(&Replay::default()), "");
    }

    #[test]
    fn what_comes_from_elsewhere_is_escaped_and_every_button_is_there() {
        let bad = "<script>alert(1)</script>";
        let replay = Replay {
            title: bad.to_owned(),
            agents: vec![bad.to_owned()],
            frames: vec![Frame { sentences: vec![bad.to_owned()], ..Frame::default() }],
            notes: vec![bad.to_owned()],
            ..Replay::default()
        };
        let html = replay_html(&replay, "one");
        assert_eq!(html.matches("<script").count(), 1, "{html}");
        assert_eq!(html.matches("</script>").count(), 1, "{html}");
        assert_eq!(html.matches("<button").count(), BUTTONS.len());
    }
}
