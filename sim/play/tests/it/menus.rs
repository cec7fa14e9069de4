//! Menus, boards and holdings of all games: each legal action stands in exactly one option, and every view is drawn.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use draw::play::{Amount, Asked, DrawnGame, Menu, ask, changed, panel, pieces};
use engine::{ChanceStreams, Player, Purpose, rng};
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{NAMES, Setup};

/// Menus that are compared with the legal actions, and views that are drawn, in each game.
const MENUS: usize = 1000;
const VIEWS: usize = 200;

/// Calls `visit` with the first `n` positions in which a seat chooses, of games of random agents. Each third position
/// counts, so that they come from several games.
fn visit(game: &AnyGame, n: usize, mut visit: impl FnMut(&AnyState, Player)) {
    let mut agent = game.agent(&"random".parse().unwrap()).unwrap();
    let mut left = 3 * n;
    for seed in 0.. {
        let (mut state, mut chance) = (game.start(), ChanceStreams::new(seed, 0));
        let mut thoughts = rng::stream(seed, 0, Purpose::Analysis);
        loop {
            match state.due() {
                Due::Player(seat) => {
                    if left.is_multiple_of(3) {
                        visit(&state, seat);
                    }
                    left -= 1;
                    if left == 0 {
                        return;
                    }
                    let number = agent.choose(&state, seat, &mut thoughts).unwrap();
                    state.apply(seat, number).unwrap();
                }
                Due::Chance => drop(state.draw(&mut chance)),
                Due::Over => break,
            }
        }
    }
}

fn games() -> impl Iterator<Item = (AnyGame, DrawnGame, Vec<String>)> {
    NAMES.iter().map(|name| {
        let game = AnyGame::new(&Setup::new(name)).unwrap();
        let names = (1..=game.players()).map(|seat| format!("P{seat}")).collect();
        let drawn = DrawnGame::new(name, &game.rules().to_json(), game.players());
        (game, drawn, names)
    })
}

/// Returns the texts that a menu offers, with the number of options that offer each.
fn offered(menu: &Menu) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for words in menu.options().flat_map(draw::play::Choice::actions) {
        assert_eq!(words.len(), 1, "{words:?}: an option is one choice");
        *all.entry(words[0].clone()).or_default() += 1;
    }
    all
}

#[test]
fn each_legal_action_stands_in_exactly_one_option_of_its_menu() {
    for (game, drawn, names) in games() {
        visit(&game, MENUS, |state, seat| {
            let (view, labels) = (state.view_json(seat), state.labels(seat));
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let menu = ask(&asked, &labels, &[]);
            let legal: BTreeMap<String, usize> =
                labels.iter().map(|label| (label.clone(), 1)).collect();
            assert_eq!(offered(&menu), legal, "{}", game.name());
            let labels: Vec<&str> = menu.options().map(|option| option.label.as_str()).collect();
            let distinct: std::collections::BTreeSet<&str> = labels.iter().copied().collect();
            assert_eq!(distinct.len(), labels.len(), "{}: equal labels in {labels:?}", game.name());
        });
    }
}

/// Plays the amounts of a form as they are set at first, as the page does; returns how many were asked.
fn play_form(state: &mut AnyState, seat: Player, drawn: &DrawnGame, names: &[String]) -> usize {
    let mut form: Option<BTreeMap<String, Amount>> = None;
    for asked in 0.. {
        if state.due() != Due::Player(seat) {
            return asked;
        }
        let view = state.view_json(seat);
        let table = Asked { game: drawn, names, view: &view, seat: seat.idx() };
        let menu = ask(&table, &state.labels(seat), &[]);
        let options: Vec<_> = menu.options().collect();
        let [draw::play::Choice { count: Some(count), .. }] = options[..] else { return asked };
        let form = form.get_or_insert_with(|| {
            assert_eq!(menu.form[0].of, count.of, "the first amount is the one that is due");
            menu.form.iter().map(|amount| (amount.of.clone(), amount.clone())).collect()
        });
        let Some(Amount { preset, sum, .. }) = form.remove(&count.of) else { return asked };
        let set = preset.clamp(count.values[0], *count.values.last().unwrap());
        assert!(set == preset || sum.is_none(), "{} {preset} of {:?}", count.of, count.values);
        let label = format!("count {set}");
        let number = state.labels(seat).iter().position(|other| *other == label).unwrap();
        state.apply(seat, number).unwrap();
    }
    unreachable!("a form ends");
}

#[test]
fn the_amounts_of_a_form_are_legal_one_after_another_and_add_up() {
    let (mut forms, mut sums, mut longest) = (0, 0, 0);
    for (game, drawn, names) in games() {
        visit(&game, 3 * MENUS, |state, seat| {
            let labels = state.labels(seat);
            if !labels[0].starts_with("count ") {
                return;
            }
            let view = state.view_json(seat);
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let menu = ask(&asked, &labels, &[]);
            if menu.form.is_empty() {
                return;
            }
            let mut totals = BTreeMap::new();
            for amount in &menu.form {
                assert!((0..=amount.high).contains(&amount.preset), "{amount:?}");
                if let Some(sum) = &amount.sum {
                    *totals.entry((&sum.of, sum.is)).or_insert(0) += amount.preset;
                }
            }
            assert!(totals.iter().all(|((_, is), total)| is == total), "{:?}", menu.form);
            forms += 1;
            sums += totals.len();
            longest = longest.max(play_form(&mut state.clone(), seat, &drawn, &names));
        });
    }
    assert!(forms > 200 && sums > 20 && longest > 5, "{forms} {sums} {longest}");
}

#[test]
fn every_view_is_drawn_and_names_what_changed() {
    for (game, drawn, names) in games() {
        let areas = drawn.board().matches(" data-id=").count();
        let (mut before, mut changes) = (None, 0);
        visit(&game, VIEWS, |state, seat| {
            let view = state.view_json(seat);
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let table = asked.table();
            assert_eq!(pieces(&table).len(), areas, "{}", game.name());
            let html = panel(&asked, &table);
            assert!(!html.contains("null"), "{}: {html}", game.name());
            changes += changed(&drawn, before.as_ref().unwrap_or(&table), &table).len();
            before = Some(table);
        });
        let has_board = !["goofspiel", "kuhn-poker", "pig"].contains(&game.name());
        assert_eq!([changes > 0, areas > 0], [has_board; 2], "{}", game.name());
    }
}

/// Things without a plural.
const SINGULAR: [&str; 3] = ["infantry", "cavalry", "caesar"];

#[test]
fn a_question_for_a_number_has_a_plural() {
    let mut questions = 0;
    for (game, drawn, names) in games() {
        visit(&game, MENUS, |state, seat| {
            let view = state.view_json(seat);
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let question = ask(&asked, &state.labels(seat), &[]).question;
            if let Some(things) = question.strip_prefix("How many ") {
                let thing = things.split(' ').next().unwrap();
                assert!(thing.ends_with('s') || SINGULAR.contains(&thing), "{question}");
                questions += 1;
            }
        });
    }
    assert!(questions > 50, "{questions}");
}
