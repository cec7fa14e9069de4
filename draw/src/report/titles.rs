//! Titles, captions and column names of tables, in words.

use super::Sheet;

/// Tables with their titles and captions. A caption says how to read the picture.
const TABLES: [(&str, &str, &str); 31] = [
    (
        "standings",
        "Share of the points",
        "Each disc is the share of the points that an agent gets. Each interval belongs to one agent by itself.",
    ),
    (
        "by_seat",
        "Share of each agent by seat",
        "Each picture is one agent. An agent that depends on its seat has discs far from each other.",
    ),
    (
        "seats",
        "Seats",
        "A seat to the right of the line gets more than an equal share, whoever sits there.",
    ),
    (
        "seat_shares",
        "Share of each seat",
        "A seat to the right of the line gets more than an equal share, whoever sits there.",
    ),
    (
        "seats_alone",
        "Seats under a forced order",
        "The order of turns is forced here, so only the seat differs.",
    ),
    (
        "order",
        "Places in the turn order",
        "A place to the right of the line is worth having in that season.",
    ),
    (
        "auction",
        "Places among the bidders",
        "Players bid from the first place to the last. A place to the right of the line is worth having.",
    ),
    (
        "bought",
        "Places in the order, less their price",
        "Above zero a place is cheap, below zero it costs more than it is worth.",
    ),
    ("paid", "Prices paid", "Players pay these prices for each place in the order."),
    (
        "companions",
        "Alliances with the leader and with the last",
        "The figure shows an alliance with the leader. The table has the one with the last.",
    ),
    (
        "confirmed",
        "Confirmed on fresh seeds",
        "The best candidates of the screen were played again. Chance did not choose these estimates.",
    ),
    (
        "deal",
        "Worth of the start deal",
        "One token more at the start adds this much to the share of the points.",
    ),
    (
        "units",
        "Worth of an action and of money",
        "One unit more adds this much to the share of the points.",
    ),
    ("sweeps", "Changed payments", "The rules pay more or less here, and everything else stays."),
    (
        "moved",
        "Numbers that the new rules move",
        "The change is drawn beside the difference of two runs under the old rules.",
    ),
    (
        "verdict",
        "Gain over the start",
        "The winner's gain is measured on fresh games that played no part in choosing it.",
    ),
    (
        "play_off",
        "Finalists in the play-off",
        "The largest gain here is too large by chance, because it was chosen for its size.",
    ),
    (
        "effects",
        "Worth of each parameter",
        "The range is the gain from the worst to the best value of a parameter.",
    ),
    (
        "interactions",
        "Pairs of parameters",
        "An interaction is the extra gain when both parameters are high together, or low together.",
    ),
    ("steps", "Steps of the ladder", "A step to the right of the line beats the step before."),
    (
        "skill",
        "Skill: a stronger agent in one seat",
        "The stronger agent sits alone among weaker ones. Skill lifts its share above the line.",
    ),
    ("course", "Running mean of the effect", ""),
    ("changed_rules", "Changed rules", ""),
    ("game", "The game in figures", ""),
    ("kinds", "Kinds of action", ""),
    ("model", "The model in figures", ""),
    ("model_stages", "Errors of the model by stage", ""),
    ("power", "Power of the test", "The test finds a gain of this size with this probability."),
    ("streams", "Luck by stream of random numbers", ""),
    ("unused", "Actions that no agent chose", ""),
    ("ratings", "Ratings", ""),
];

/// Names of columns that need other words.
const COLUMNS: [(&str, &str); 19] = [
    ("plies", "choices"),
    ("token", "worth of a token"),
    ("city", "worth of a city"),
    ("pick_rate", "taken"),
    ("net", "gain minus price"),
    ("llr", "log-likelihood ratio"),
    ("tiers", "agreement of tiers"),
    ("tiers_gain", "agreement on the gain"),
    ("vp_per_talent", "VP per talent"),
    ("surplus", "worth minus price"),
    ("range", "gain from worst to best"),
    ("worth_finding", "smallest effect worth finding"),
    ("with_leader", "with the leader"),
    ("with_last", "with the last"),
    ("first", "first against last"),
    ("met_next", "met the next"),
    ("next_difference", "lead over the next"),
    ("next_p", "p of the lead"),
    ("worth", "worth of a token"),
];

fn known(sheet: &Sheet) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let name = sheet.name.replace('-', "_");
    TABLES.iter().find(|(known, ..)| *known == name)
}

/// Returns the title of a sheet: a known title, its caption, or its name in words.
pub(super) fn title(sheet: &Sheet) -> String {
    if let Some((_, title, _)) = known(sheet) {
        return (*title).to_owned();
    }
    if !sheet.caption.is_empty() {
        return sheet.caption.clone();
    }
    let mut words = sheet.name.replace(['_', '-'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Returns the caption of a sheet.
pub(super) fn caption(sheet: &Sheet) -> &'static str {
    let words = known(sheet).map_or("", |(.., caption)| caption);
    if words.is_empty() { "Discs are estimates, and lines are their intervals." } else { words }
}

/// Returns the name of a column in words.
pub(super) fn column_words(name: &str) -> String {
    let known = COLUMNS.iter().find(|(column, _)| *column == name);
    known.map_or_else(|| name.replace('_', " "), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Words that open half a sentence.
    const HALF: [&str; 8] = ["What", "How", "Whether", "Who", "That", "Those", "Which", "By"];

    /// Asserts that a caption is made of whole sentences.
    pub(in super::super) fn assert_reads(caption: &str) {
        let first = caption.split(' ').next().unwrap_or_default();
        assert!(!HALF.contains(&first), "{caption}");
        assert!(caption.is_empty() || caption.ends_with('.'), "{caption}");
        for sentence in caption.split(". ") {
            assert!(sentence.split(' ').count() <= 24, "{sentence}");
        }
    }

    #[test]
    fn captions_are_whole_sentences_and_titles_are_no_questions() {
        for (_, title, caption) in TABLES {
            assert_reads(caption);
            let first = title.split(' ').next().unwrap_or_default();
            assert!(!HALF.contains(&first), "{title}");
        }
    }
}
