//! Properties of the oracle games under random play: bit tricks against naive loops, symmetries, text.

use engine::games::connect_four::{COLUMNS, ConnectFour, Drop, ROWS, State};
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::{Action, KuhnPoker, State as Kuhn};
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::{Mark, TicTacToe};
use engine::perft::position_after;
use engine::{Configure, Event, Game, Notation, Player, Rules, Turn, Walk};
use proptest::prelude::*;

/// Returns whether `player` has four in a row, square by square.
fn has_four_naively(state: &State, player: Player) -> bool {
    let is_his = |column: isize, row: isize| {
        (0..COLUMNS as isize).contains(&column)
            && (0..ROWS as isize).contains(&row)
            && state.disc(column as usize, row as usize) == Some(player)
    };
    let is_line = |c: isize, r: isize, (dc, dr): (isize, isize)| {
        (0..4).all(|i| is_his(c + i * dc, r + i * dr))
    };
    let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
    (0..COLUMNS as isize)
        .flat_map(|c| (0..ROWS as isize).map(move |r| (c, r)))
        .any(|(c, r)| directions.iter().any(|&d| is_line(c, r, d)))
}

fn choices<G: Game>(game: &G, seed: u64) -> Vec<G::Action> {
    let choice = |event| match event {
        Event::Action(_, action) => Some(action),
        Event::Joint(_) | Event::Chance(_) => None,
    };
    Walk::new(game, seed, 0).filter_map(choice).collect()
}

fn reads_what_it_writes<G: Configure + Notation>(seed: u64, n_events: usize) {
    let about = G::about();
    let n_players = about.players.start() + seed as usize % about.players.clone().count();
    let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
    let state = position_after(&game, seed, n_events);
    let movers: Vec<Player> = match game.turn(&state) {
        Turn::Player(player) => vec![player],
        Turn::Simultaneous(players) => players.iter().collect(),
        Turn::Chance | Turn::Over => Vec::new(),
    };
    for player in movers {
        let mut actions = Vec::new();
        game.actions(&state, player, &mut actions);
        for action in actions {
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&state, player, &text), Ok(action));
            assert!(game.parse_action(&state, player, &format!("{text} ")).is_err());
        }
    }
}

proptest! {
    #[test]
    fn four_in_a_row_is_seen_exactly_when_it_is_there(seed: u64) {
        let mut walk = Walk::new(&ConnectFour, seed, 0);
        while walk.next().is_some() {
            let state = walk.state();
            let wins = [0, 1].map(|seat| has_four_naively(state, Player::new(seat)));
            let is_full = (0..COLUMNS).all(|column| state.disc(column, ROWS - 1).is_some());
            let is_over = ConnectFour.turn(state) == Turn::Over;
            prop_assert_eq!(is_over, wins[0] || wins[1] || is_full);
            if is_over {
                let expected = match wins {
                    [true, false] => [1.0, 0.0],
                    [false, true] => [0.0, 1.0],
                    _ => [0.5, 0.5],
                };
                prop_assert_eq!(ConnectFour.payoffs(state).0[..2].to_vec(), expected);
            }
        }
    }

    #[test]
    fn a_mirrored_game_of_connect_four_has_the_mirrored_end(seed: u64) {
        let mut state = ConnectFour.start();
        let mut mirror = state;
        for Drop(column) in choices(&ConnectFour, seed) {
            ConnectFour.apply(&mut state, Drop(column));
            ConnectFour.apply(&mut mirror, Drop(COLUMNS as u8 - 1 - column));
            prop_assert_eq!(ConnectFour.turn(&state), ConnectFour.turn(&mirror));
            for (column, row) in (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r))) {
                prop_assert_eq!(state.disc(column, row), mirror.disc(COLUMNS - 1 - column, row));
            }
        }
    }

    #[test]
    fn a_turned_game_of_tic_tac_toe_has_the_same_result(seed: u64) {
        let mut state = TicTacToe.start();
        let mut turned = state;
        for Mark(square) in choices(&TicTacToe, seed) {
            let (column, row) = (square % 3, square / 3);
            TicTacToe.apply(&mut state, Mark(square));
            TicTacToe.apply(&mut turned, Mark(3 * (2 - column) + row));
            prop_assert_eq!(TicTacToe.turn(&state), TicTacToe.turn(&turned));
        }
        prop_assert_eq!(TicTacToe.payoffs(&state), TicTacToe.payoffs(&turned));
    }

    #[test]
    fn goofspiel_hands_out_every_prize_or_discards_it(seed: u64, cards in 2u8..=13) {
        let mut rules = Rules::of::<Goofspiel>();
        rules.set(&format!("cards={cards}")).unwrap();
        let game = Goofspiel::configure(2, &rules).unwrap();
        let mut walk = Walk::new(&game, seed, 0);
        prop_assert_eq!(walk.by_ref().count(), 2 * usize::from(cards));
        let total: i32 = game.scores(walk.state()).unwrap().0.iter().sum();
        prop_assert!(total <= i32::from(cards) * (i32::from(cards) + 1) / 2);
    }

    #[test]
    fn a_text_is_accepted_exactly_if_an_action_is_written_so(seed: u64, n_events in 0usize..60) {
        reads_what_it_writes::<ConnectFour>(seed, n_events);
        reads_what_it_writes::<Goofspiel>(seed, n_events);
        reads_what_it_writes::<KuhnPoker>(seed, n_events % 4);
        reads_what_it_writes::<Pig>(seed, n_events);
        reads_what_it_writes::<TicTacToe>(seed, n_events % 9);
    }
}

/// Returns the probability that the player to act bets in one of Kuhn's equilibria; `line` holds the actions so far,
/// cards are 1 to 3.
fn bets(line: &[Action], card: u8) -> f64 {
    match (line, card) {
        ([_, ..], 3) => 1.0,
        ([Action::Pass], 1) | ([Action::Bet] | [Action::Pass, Action::Bet], 2) => 1.0 / 3.0,
        _ => 0.0,
    }
}

fn value(game: &KuhnPoker, state: &Kuhn, cards: [u8; 2], line: &[Action]) -> f64 {
    let Turn::Player(player) = game.turn(state) else {
        return f64::from(game.payoffs(state).0[0]);
    };
    let betting = bets(line, cards[player.idx()]);
    let branches = [(Action::Bet, betting), (Action::Pass, 1.0 - betting)];
    let after = |action| {
        let mut next = *state;
        game.apply(&mut next, action);
        value(game, &next, cards, &[line, &[action]].concat())
    };
    branches.into_iter().map(|(action, probability)| probability * after(action)).sum()
}

#[test]
fn the_equilibrium_of_kuhn_poker_has_the_published_value() {
    let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
    let mut deals = Vec::new();
    game.outcomes(&game.start(), &mut deals);
    let value_of = |deal| {
        let Action::Deal(cards) = deal else { unreachable!("{deal:?} is no deal") };
        let mut state = game.start();
        game.apply(&mut state, deal);
        value(&game, &state, cards, &[])
    };
    let total: f64 =
        deals.into_iter().map(|(deal, probability)| probability * value_of(deal)).sum();
    assert!((total - 35.0 / 72.0).abs() < 1e-6, "{total}");
}
