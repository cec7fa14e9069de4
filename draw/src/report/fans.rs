//! Fans of chances to win: their distribution over the games, round by round.

use super::{Sheet, Source};
use crate::figure::Figure;
use crate::plot::{Fan, Spread, fans as plot};

/// The columns of the quantiles.
const QUANTILES: [&str; 5] = ["q05", "q25", "q50", "q75", "q95"];

/// Returns the figure of each seat's chance to win by round, as a fan.
pub(super) fn fans(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let mut all: Vec<Fan> = Vec::new();
    let mut marks: Vec<(f64, String)> = Vec::new();
    let mut games = 0.0f64;
    for row in &sheet.rows {
        let quantiles = QUANTILES.map(|name| sheet.number(row, name));
        let [Some(a), Some(b), Some(c), Some(d), Some(e)] = quantiles else { continue };
        let Some(at) = sheet.number(row, "round") else { continue };
        let spread = Spread { at, quantiles: [a, b, c, d, e] };
        let whose = sheet.text(row, "whose");
        match all.iter_mut().find(|fan| fan.name == whose) {
            Some(fan) => fan.spreads.push(spread),
            None => all.push(Fan { name: whose.to_owned(), spreads: vec![spread] }),
        }
        games = games.max(sheet.number(row, "n").unwrap_or_default());
        let stage = format!("stage {}", sheet.text(row, "stage"));
        if all.len() == 1 && marks.last().is_none_or(|(_, last)| *last != stage) {
            marks.push((at, stage));
        }
    }
    all.retain(|fan| fan.spreads.len() > 1);
    if all.is_empty() {
        return None;
    }
    if marks.len() < 2 {
        marks.clear();
    }
    let even = 1.0 / source.players.max(1) as f64;
    let alt = "median of the chance to win over the games, round by round, with bands of half and of nine tenths of the \
               games; the numbers stand in the table";
    let picture = plot(&all, "rounds that are over", &marks, Some(even), alt);
    let caption = format!(
        "The line is the median chance to win over {games} games, by the model of win probability. The inner band holds half of \
         the games, and the outer band nine tenths. The dashed line is an equal share. The leader has the highest chance at \
         that time, and the winner wins alone in the end. Late rounds belong to long games."
    );
    Some(source.figure("Chances to win, round by round", picture, caption, sheet))
}

#[cfg(test)]
mod tests {
    use super::super::sheet::tests::sheet;
    use super::super::tests::{BAD, source};
    use super::super::{Kind, figures};

    const FANS: &str = "whose round stage n q05 q25 q50 q75 q95\n\
                        leader 0 1 500 0.25 0.26 0.27 0.28 0.3\n\
                        leader 1 1 500 0.3 0.35 0.4 0.5 0.6\n\
                        leader 2 2 480 0.4 0.5 0.6 0.7 0.9\n\
                        <script>alert(1)</script> 0 1 500 0.1 0.2 0.25 0.3 0.4\n\
                        <script>alert(1)</script> 1 1 500 0.05 0.15 0.25 0.4 0.6\n\
                        alone 0 1 500 0.1 0.2 0.25 0.3 0.4";

    #[test]
    fn every_fan_has_a_picture_with_words_and_numbers_and_is_escaped() {
        let source = source(Kind::Dynamics, vec![sheet("fans", FANS)]);
        let all = figures::figures(&source);
        let [figure] = &all[..] else { panic!("{}", all.len()) };
        assert_eq!(figure.picture.matches("<svg").count(), 2, "a fan of one round is none");
        assert_eq!(figure.picture.matches("aria-label=\"").count(), 2);
        assert!(figure.picture.contains(">stage 2</text>") && !figure.picture.contains(BAD));
        assert!(figure.caption.contains("over 500 games") && figure.table.rows.len() == 6);
        let html = figure.html();
        assert!(!html.contains("<script") && html.contains("&lt;script&gt;"), "{html}");
        assert_eq!(html, figures::figures(&source)[0].html());
    }
}
