//! The marks of a frame, read off the views before and after it.

use std::collections::BTreeMap;

use crate::chip::ChipLook;
use crate::highlight::Highlight;
use crate::marches::marches;
use crate::replay::BoardView;

/// Number of pieces by seat, by units or other pieces, and by area.
type Counts = BTreeMap<(Option<usize>, bool, usize), i64>;

fn counts(view: &BoardView) -> Counts {
    let mut all = Counts::new();
    for (area, chips) in view.areas.iter().enumerate() {
        for chip in chips {
            let walks = matches!(chip.look, ChipLook::Units | ChipLook::Walker);
            *all.entry((chip.seat, walks, area)).or_default() += chip.count();
        }
    }
    all
}

/// Returns the differences between two views. Units of a seat that left one area and reached another count as a march.
pub(crate) fn highlights(before: &BoardView, after: &BoardView) -> Vec<Highlight> {
    let (then, now) = (counts(before), counts(after));
    let mut changes: BTreeMap<(Option<usize>, bool), [Vec<usize>; 2]> = BTreeMap::new();
    let mut keys: Vec<_> = then.keys().chain(now.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let change = now.get(&key).unwrap_or(&0) - then.get(&key).unwrap_or(&0);
        let (seat, walks, area) = key;
        if change != 0 {
            changes.entry((seat, walks)).or_default()[usize::from(change < 0)].push(area);
        }
    }
    let marches = marches(&before.areas, &after.areas);
    let fights = after.fights.iter();
    let mut out: Vec<Highlight> = fights
        .map(|fight| Highlight::Fight { area: fight.area, text: fight.text.clone() })
        .collect();
    for ((seat, walks), [more, fewer]) in changes {
        let has_marched = walks && marches.iter().any(|march| Some(march.seat) == seat);
        if !has_marched {
            out.extend(more.into_iter().map(|area| Highlight::Gain { seat, area }));
            out.extend(fewer.into_iter().map(|area| Highlight::Loss { seat, area }));
        }
    }
    out.extend(marches.into_iter().map(Highlight::March));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;
    use crate::replay::Fight;

    fn view(units: [&str; 2], tokens: [&str; 2]) -> BoardView {
        let chip = |look, text: &&str| {
            (!text.is_empty()).then(|| Chip::new(Some(0), look, (*text).to_owned(), String::new()))
        };
        let area = |i: usize| {
            let all = [chip(ChipLook::Units, &units[i]), chip(ChipLook::Token, &tokens[i])];
            all.into_iter().flatten().collect()
        };
        BoardView { areas: (0..2).map(area).collect(), ..BoardView::default() }
    }

    #[test]
    fn units_that_leave_and_arrive_have_marched_and_tokens_only_come_and_go() {
        let before = view(["i3 G", ""], ["2", "1"]);
        let after = view(["i", "i2 G"], ["1", "2"]);
        let found = highlights(&before, &after);
        let due = [
            Highlight::Gain { seat: Some(0), area: 1 },
            Highlight::Loss { seat: Some(0), area: 0 },
        ];
        assert_eq!(found[..2], due);
        assert_eq!(found[2].code().replace('\u{1f}', " "), "march 0 0 1 G i2");
        assert_eq!(highlights(&after, &after), []);
    }

    #[test]
    fn a_recruitment_is_a_gain_and_a_fight_is_seen_while_it_lasts() {
        let before = view(["i3", ""], ["", ""]);
        let fight = Fight { area: 1, text: "71 %".to_owned() };
        let after = BoardView { fights: vec![fight], ..view(["i5", ""], ["", ""]) };
        let codes: Vec<String> = highlights(&before, &after).iter().map(Highlight::code).collect();
        assert_eq!(codes, ["fight\u{1f}-\u{1f}1\u{1f}\u{1f}71 %", "gain\u{1f}0\u{1f}0"]);
    }
}
