//! Menus, boards and holdings of all games: each legal action stands in exactly one option, and every view is drawn.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use draw::play::{Asked, DrawnGame, Menu, ask, board, changed, panel};
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

#[test]
fn every_view_is_drawn_and_names_what_changed() {
    for (game, drawn, names) in games() {
        let mut before = None;
        let mut changes = 0;
        visit(&game, VIEWS, |state, seat| {
            let view = state.view_json(seat);
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let marked = changed(&asked, before.as_ref().unwrap_or(&view));
            changes += marked.len();
            let svg = board(&asked, &marked);
            assert_eq!(svg.matches(" data-marked").count(), marked.len(), "{}", game.name());
            let html = panel(&asked);
            assert!(!html.contains("null"), "{}: {html}", game.name());
            before = Some(view);
        });
        let has_board = !["goofspiel", "kuhn-poker", "pig"].contains(&game.name());
        assert_eq!(changes > 0, has_board, "{}", game.name());
    }
}
