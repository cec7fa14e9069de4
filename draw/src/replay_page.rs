//! A replay as a part of a page: the board, what each seat has, what happened, and buttons to step through it.

use std::fmt::Write;

use crate::html::{element, escape, json_in_script};
use crate::page::{Section, page};
use crate::replay::Replay;

/// Buttons: where each goes, what it is called, and what it says to those who hear it.
const BUTTONS: [(&str, &str, &str); 9] = [
    ("first", "start", "to the start"),
    ("last-stage", "− stage", "to the stage before"),
    ("last-round", "− round", "to the round before"),
    ("back", "− ply", "one event back"),
    ("play", "play", "play or pause"),
    ("next", "ply +", "one event on"),
    ("next-round", "round +", "to the next round"),
    ("next-stage", "stage +", "to the next stage"),
    ("last", "end", "to the end"),
];

/// What the board looks like at the start, for those without a script.
fn picture(replay: &Replay) -> String {
    let board = replay.board.as_ref().map_or_else(String::new, |board| {
        let title = format!("board of {}; what lies on it is told beside it", replay.game);
        board.svg(&title, &|_| None)
    });
    format!("<div class=\"picture\">\n{board}<pre class=\"text-board\"></pre>\n</div>\n")
}

/// What each seat has.
fn gauges(replay: &Replay) -> String {
    let has_chances = replay.frames.iter().any(|frame| !frame.chances.is_empty());
    let mut head = "<th scope=\"col\">seat</th><th scope=\"col\">agent</th>".to_owned();
    for gauge in &replay.gauges {
        let _ = write!(head, "<th scope=\"col\">{}</th>", escape(gauge));
    }
    if has_chances {
        head += "<th scope=\"col\">to win</th>";
    }
    let mut rows = String::new();
    for (seat, agent) in replay.agents.iter().enumerate() {
        let color = seat % 6;
        let _ = write!(
            rows,
            "<tr><th scope=\"row\" class=\"seat c{color}\">{}</th><td>{}</td>",
            seat + 1,
            escape(agent)
        );
        rows += &"<td data-gauge></td>".repeat(replay.gauges.len());
        rows += if has_chances { "<td class=\"number\" data-win></td></tr>\n" } else { "</tr>\n" };
    }
    format!(
        "<div class=\"scroll\"><table class=\"gauges\">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn controls(replay: &Replay, id: &str) -> String {
    let last = replay.frames.len().saturating_sub(1);
    let mut out = "<div class=\"controls\" role=\"group\" aria-label=\"steps\">\n".to_owned();
    for (go, text, title) in BUTTONS {
        let _ = writeln!(
            out,
            "<button type=\"button\" data-go=\"{go}\" aria-label=\"{title}\">{text}</button>"
        );
    }
    let _ = writeln!(
        out,
        "<input type=\"range\" id=\"{id}-at\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"event\">\n\
         <output for=\"{id}-at\">0 of {last}</output>\n</div>"
    );
    out
}

/// The chances to win over the game, to be filled by the script.
fn chances(replay: &Replay) -> String {
    if replay.frames.iter().all(|frame| frame.chances.is_empty()) {
        return String::new();
    }
    let lines: String = [0, 50, 100]
        .map(|percent| {
            let y = 150.0 - 1.4 * f64::from(percent);
            format!(
                "<line class=\"grid\" x1=\"40\" x2=\"980\" y1=\"{y}\" y2=\"{y}\"/>\n\
                 <text class=\"tick\" x=\"36\" y=\"{}\" text-anchor=\"end\">{percent} %</text>\n",
                y + 4.0
            )
        })
        .concat();
    format!(
        "<figure>\n<svg class=\"chances\" viewBox=\"0 0 1000 160\" role=\"img\" aria-label=\"chance of each seat to win, event by \
         event; the table has the numbers of the event that is shown\">\n{lines}</svg>\n\
         <figcaption>Chance of each seat to win, by the model named below; drag to move through the game.</figcaption>\n</figure>\n"
    )
}

/// A replay as HTML; `id` tells it from others on the page.
#[must_use]
pub fn replay_html(replay: &Replay, id: &str) -> String {
    let json = json_in_script(&replay.document().to_string());
    let notes: String = replay.notes.iter().map(|note| element("p", "note", note)).collect();
    let told = "<p class=\"heading\"></p>\n<p class=\"event soft\"></p>\n<ul class=\"told\" aria-live=\"polite\"></ul>\n\
                <pre class=\"thought\"></pre>\n";
    format!(
        "<div class=\"replay\" id=\"{id}\" role=\"region\" aria-labelledby=\"{id}-title\" tabindex=\"0\">\n\
         <h3 id=\"{id}-title\">{}</h3>\n{}{}{}{told}{}{notes}\
         <p class=\"note\">Keys: left and right for one event, page up and page down for a round, home and end, p to \
         play.</p>\n<noscript><p class=\"caveat\">Stepping through the game needs scripts.</p></noscript>\n\
         <script type=\"application/json\" class=\"replay-data\">{json}</script>\n</div>\n",
        escape(&replay.title),
        picture(replay),
        controls(replay, id),
        chances(replay),
        gauges(replay),
    )
}

/// A page of replays.
#[must_use]
pub fn replay_page(title: &str, introduction: &str, replays: &[Replay]) -> String {
    let section = |(i, replay): (usize, &Replay)| {
        let body = replay_html(replay, &format!("replay-{}", i + 1));
        Section { title: format!("Game {}", i + 1), anchor: format!("game-{}", i + 1), body }
    };
    let sections: Vec<Section> = replays.iter().enumerate().map(section).collect();
    page(title, introduction, &sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Frame;

    #[test]
    fn what_comes_from_elsewhere_is_escaped_and_every_button_is_there() {
        let bad = "<script>alert(1)</script>";
        let replay = Replay {
            title: bad.to_owned(),
            agents: vec![bad.to_owned()],
            frames: vec![Frame { told: vec![bad.to_owned()], ..Frame::default() }],
            notes: vec![bad.to_owned()],
            ..Replay::default()
        };
        let html = replay_html(&replay, "one");
        assert_eq!(html.matches("<script").count(), 1, "{html}");
        assert_eq!(html.matches("</script>").count(), 1, "{html}");
        assert_eq!(html.matches("<button").count(), BUTTONS.len());
    }
}
