//! Clause 21: a player's information. The posterior over bribed Senators is compared with brute force: every line of
//! chance is played forward from the public hands, and lines that contradict the observations are dropped.

use super::Position;
use crate::game::Game;
use crate::games::conquest2::model::action::Verb;
use crate::games::conquest2::model::detail::{Cause, Detail};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;
use crate::player::{ByPlayer, MAX_PLAYERS, Player};
use crate::rng::{Purpose, Randomness, stream};
use crate::walk::{Event, Walk};

type Hands = [[u8; 4]; MAX_PLAYERS];
type Worlds = Vec<(Hands, f64)>;

/// An event of Senators; values are 0 to 3 for I to IV.
#[derive(Clone, Copy, Debug)]
enum Step {
    Bribe {
        thief: u8,
        victim: u8,
        value: u8,
    },
    Kill {
        victim: u8,
        value: u8,
    },
    Show {
        player: u8,
        shown: [u8; 4],
    },
    /// A public change: taken from the display, spent in a vote, given by Rome.
    Public {
        player: u8,
        change: [i8; 4],
    },
}
use Step::{Bribe, Kill, Public, Show};

/// Plays `steps` forward from `hands` in every way that agrees with what `observer` sees.
fn forward(hands: &Hands, steps: &[Step], observer: u8, chance: f64, found: &mut Worlds) {
    let Some((step, rest)) = steps.split_first() else {
        match found.iter_mut().find(|(known, _)| known == hands) {
            Some((_, weight)) => *weight += chance,
            None => found.push((*hands, chance)),
        }
        return;
    };
    let likelihood = |player: u8, value: u8| {
        let hand = hands[usize::from(player)];
        f64::from(hand[usize::from(value)]) / f64::from(hand.iter().sum::<u8>())
    };
    let mut next = *hands;
    match *step {
        Bribe { thief, victim, value } => {
            let sees = observer == thief || observer == victim;
            for value in (0..4).filter(|&v| !sees || v == value) {
                let p = likelihood(victim, value);
                if p > 0.0 {
                    let mut next = *hands;
                    next[usize::from(victim)][usize::from(value)] -= 1;
                    next[usize::from(thief)][usize::from(value)] += 1;
                    forward(&next, rest, observer, chance * p, found);
                }
            }
        }
        Kill { victim, value } => {
            let p = likelihood(victim, value);
            if p > 0.0 {
                next[usize::from(victim)][usize::from(value)] -= 1;
                forward(&next, rest, observer, chance * p, found);
            }
        }
        Show { player, shown } => {
            if (0..4).all(|v| shown[v] <= hands[usize::from(player)][v]) {
                forward(&next, rest, observer, chance, found);
            }
        }
        Public { player, change } => {
            let hand = &mut next[usize::from(player)];
            let is_possible = (0..4).all(|v| hand[v].checked_add_signed(change[v]).is_some());
            if is_possible {
                (0..4).for_each(|v| hand[v] = hand[v].wrapping_add_signed(change[v]));
                forward(&next, rest, observer, chance, found);
            }
        }
    }
}

/// Returns the posterior by brute force, sorted.
fn enumerated(hands: &Hands, steps: &[Step], observer: u8) -> Worlds {
    let mut found = Vec::new();
    forward(hands, steps, observer, 1.0, &mut found);
    let total: f64 = found.iter().map(|(_, p)| p).sum();
    found.iter_mut().for_each(|(_, p)| *p /= total);
    found.sort_by_key(|(hands, _)| *hands);
    found
}

/// Returns the posterior of the tracker, sorted, with equal hands merged.
fn tracked(state: &State, observer: u8) -> Worlds {
    let mut found: Worlds = Vec::new();
    for (ByPlayer(hands), p) in state.posterior(Player::of(observer)) {
        match found.iter_mut().find(|(known, _)| *known == hands) {
            Some((_, weight)) => *weight += p,
            None => found.push((hands, p)),
        }
    }
    found.sort_by_key(|(hands, _)| *hands);
    found
}

fn assert_same(tracked: &Worlds, enumerated: &Worlds, context: &str) {
    let hands = |worlds: &Worlds| worlds.iter().map(|(hands, _)| *hands).collect::<Vec<_>>();
    assert_eq!(hands(tracked), hands(enumerated), "{context}");
    for ((hands, p), (_, due)) in tracked.iter().zip(enumerated) {
        assert!((p - due).abs() < 1e-9, "{context}: {hands:?} has {p}, enumeration {due}");
    }
}

/// Compares draws of `determinize`, at a fixed seed, with the posterior `due`: chi-square within five deviations.
fn assert_sampled(position: &Position, observer: u8, due: &Worlds, context: &str) {
    const N_DRAWS: u32 = 20_000;
    let mut rng = stream(21, u64::from(observer), Purpose::Analysis);
    let mut counts = vec![0u32; due.len()];
    let player = Player::of(observer);
    let known = position.game.info_state_key(&position.state, player);
    for _ in 0..N_DRAWS {
        let mut world = position.state;
        position.game.determinize(&mut world, player, &mut rng);
        assert_eq!(position.game.info_state_key(&world, player), known, "{context}");
        assert_eq!(world.senators[player], position.state.senators[player]);
        let place = due.iter().position(|(hands, _)| *hands == world.senators.0);
        counts[place.unwrap_or_else(|| panic!("{context}: impossible {:?}", world.senators))] += 1;
    }
    let chi2: f64 = counts
        .iter()
        .zip(due)
        .map(|(&n, (_, p))| {
            let expected = p * f64::from(N_DRAWS);
            (f64::from(n) - expected).powi(2) / expected
        })
        .sum();
    let freedom = (due.len() - 1) as f64;
    let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(chi2 <= limit, "{context}: chi-square {chi2:.1} above {limit:.1}: {counts:?} {due:?}");
}

/// Carries out `steps` with the code of the game where chance decides, and with its notes elsewhere.
fn happen(position: &mut Position, steps: &[Step]) {
    for step in steps {
        match *step {
            Bribe { thief, victim, value } => {
                position.state.turn = thief;
                draw(position, victim, Cause::Bribe, value);
            }
            Kill { victim, value } => {
                draw(position, victim, Cause::Assassin, value);
            }
            Show { player, shown } => position.state.note_shown(Player::of(player), shown),
            Public { player, change } => {
                let hand = &mut position.state.senators[Player::of(player)];
                let deck = &mut position.state.deck;
                for v in 0..4 {
                    hand[v] = hand[v].checked_add_signed(change[v]).expect("he holds them");
                    deck[v] = deck[v].wrapping_add_signed(-change[v].max(0));
                }
            }
        }
    }
}

fn draw(position: &mut Position, victim: u8, cause: Cause, value: u8) {
    position.state.detail = Detail::Senator { player: Player::of(victim), cause };
    position.state.stand_at(Phase::SenatorDraw);
    position.game.settle(&mut position.state);
    position.draw_senator(value + 1);
}

/// Checks an observer's view of each hand: its Senators in every world, and the number of others.
fn assert_sure(state: &State, observer: u8, due: &Worlds, context: &str) {
    let known = state.senators_known_to(Player::of(observer));
    for (q, (sure, unseen)) in known.0.into_iter().enumerate() {
        let least = |v: usize| due.iter().map(|(hands, _)| hands[q][v]).min();
        assert!((0..4).all(|v| Some(sure[v]) == least(v)), "{context}: {sure:?} of seat {q}");
        let size = state.hand_size(Player::new(q));
        assert_eq!(sure.iter().sum::<u8>() + unseen, size, "{context}: hand of seat {q}");
    }
}

/// Compares tracker, enumeration and samples for every observer; returns the posterior of the last one.
fn check(hands: &[[u8; 4]], steps: &[Step]) -> Worlds {
    let mut position = Position::new(hands.len());
    for (q, &hand) in hands.iter().enumerate() {
        position = position.senators(q as u8, hand);
    }
    let mut position = position.ready();
    let before = position.state.senators.0;
    happen(&mut position, steps);
    let mut last = Vec::new();
    for observer in 0..hands.len() as u8 {
        let context = format!("observer {observer} of {steps:?}");
        let due = enumerated(&before, steps, observer);
        assert_same(&tracked(&position.state, observer), &due, &context);
        assert_sampled(&position, observer, &due, &context);
        assert_sure(&position.state, observer, &due, &context);
        last = due;
    }
    last
}

const I: u8 = 0;
const II: u8 = 1;
const III: u8 = 2;

#[test]
fn c21_one_unseen_bribe_is_as_likely_as_the_cards() {
    let worlds = check(
        &[[1, 1, 1, 0], [2, 1, 0, 1], [0, 0, 0, 0]],
        &[Bribe { thief: 0, victim: 1, value: II }],
    );
    let chances: Vec<f64> = worlds.iter().map(|(_, p)| *p).collect();
    assert_eq!(worlds.len(), 3);
    assert!(chances.iter().any(|p| (p - 0.5).abs() < 1e-12), "{chances:?}");
}

#[test]
fn c21_what_the_thief_shows_tells_what_he_took() {
    let taken = Bribe { thief: 0, victim: 1, value: III };
    // Player 1 had no III: showing one proves the bribe. Showing their own I proves nothing.
    let proved = check(
        &[[1, 1, 0, 0], [1, 1, 2, 0], [0; 4]],
        &[taken, Show { player: 0, shown: [0, 0, 1, 0] }],
    );
    assert_eq!(proved.len(), 1);
    let open = check(
        &[[1, 1, 0, 0], [1, 1, 2, 0], [0; 4]],
        &[taken, Show { player: 0, shown: [1, 1, 0, 0] }],
    );
    assert_eq!(open.len(), 3);
}

#[test]
fn c21_what_the_victim_still_shows_was_not_taken() {
    let worlds = check(
        &[[0; 4], [1, 0, 1, 1], [0; 4]],
        &[Bribe { thief: 0, victim: 1, value: I }, Show { player: 1, shown: [0, 0, 0, 1] }],
    );
    assert_eq!(worlds.len(), 2);
}

#[test]
fn c21_chained_bribes() {
    // A steals from B, then C from A: the information of both passes through both bribes.
    let worlds = check(
        &[[1, 0, 0, 0], [1, 2, 1, 0], [0, 0, 1, 0], [0; 4]],
        &[
            Bribe { thief: 0, victim: 1, value: II },
            Bribe { thief: 2, victim: 0, value: II },
            Show { player: 2, shown: [0, 1, 0, 0] },
        ],
    );
    assert_eq!(worlds.len(), 1, "C had no II, so it came from B through A");
    check(
        &[[1, 0, 0, 0], [1, 2, 1, 0], [0, 0, 1, 0], [0; 4]],
        &[
            Bribe { thief: 0, victim: 1, value: II },
            Bribe { thief: 2, victim: 0, value: I },
            Bribe { thief: 1, victim: 2, value: III },
            Bribe { thief: 0, victim: 1, value: III },
        ],
    );
}

#[test]
fn c21_an_assassin_tells_of_the_hand_he_struck() {
    let bribe = Bribe { thief: 0, victim: 1, value: II };
    // A random kill of a I is more likely the more of them there are.
    check(&[[1, 0, 0, 0], [1, 2, 0, 0], [0; 4]], &[bribe, Kill { victim: 0, value: I }]);
    check(&[[1, 0, 0, 0], [1, 2, 0, 0], [0; 4]], &[bribe, Kill { victim: 0, value: II }]);
    check(&[[1, 0, 0, 0], [2, 2, 0, 0], [0; 4]], &[bribe, Kill { victim: 1, value: I }]);
    check(
        &[[1, 0, 1, 0], [2, 2, 1, 0], [1, 0, 0, 0], [0; 4]],
        &[
            bribe,
            Kill { victim: 1, value: II },
            Bribe { thief: 2, victim: 0, value: III },
            Kill { victim: 0, value: I },
        ],
    );
}

#[test]
fn c21_spending_a_bribed_senator_settles_it() {
    let worlds = check(
        &[[1, 0, 0, 0], [1, 1, 1, 0], [0; 4]],
        &[
            Bribe { thief: 0, victim: 1, value: III },
            Public { player: 0, change: [0, 1, 0, 0] },
            Show { player: 0, shown: [1, 0, 1, 0] },
            Public { player: 0, change: [-1, 0, -1, 0] },
        ],
    );
    assert_eq!(worlds.len(), 1);
    check(
        &[[1, 0, 0, 0], [1, 1, 1, 0], [0; 4]],
        &[
            Bribe { thief: 0, victim: 1, value: I },
            Show { player: 0, shown: [1, 0, 0, 0] },
            Public { player: 0, change: [-1, 0, 0, 0] },
        ],
    );
}

#[test]
fn c21_a_bribe_spent_in_a_vote_played_by_plies() {
    let mut position = Position::new(3)
        .senators(1, [0, 0, 2, 0])
        .shows("bribe-senator")
        .holds(0, "vote-hail-caesar")
        .ready();
    let hands = position.state.senators.0;
    position.play(&["take", "card bribe-senator", "target 1"]).draw_senator(3);
    position.play(&["use", "show 0 0 2 0", "pass", "pass"]);
    assert_eq!(position.state.senators.0[..2], [[1, 1, 0, 0], [0, 0, 1, 0]]);
    let steps = [
        Bribe { thief: 0, victim: 1, value: III },
        Show { player: 0, shown: [0, 0, 2, 0] },
        Public { player: 0, change: [0, 0, -2, 0] },
    ];
    for observer in 0..3 {
        assert_same(&tracked(&position.state, observer), &enumerated(&hands, &steps, observer), "");
    }
}

#[test]
fn c21_knowledge_differs_exactly_where_something_was_seen() {
    let after = |value: u8, shown: [u8; 4]| {
        let mut position = Position::new(4).ready();
        happen(&mut position, &[Bribe { thief: 0, victim: 1, value }, Show { player: 0, shown }]);
        [0, 1, 2, 3].map(|q| position.game.info_state_key(&position.state, Player::new(q)))
    };
    let (one, two) = (after(I, [1, 0, 0, 0]), after(II, [1, 0, 0, 0]));
    assert!(one[0] != two[0] && one[1] != two[1], "thief and victim saw the card");
    assert_eq!(one[2..], two[2..], "the others did not");
    let proof = after(I, [2, 0, 0, 0]);
    assert!((0..4).all(|q| proof[q] != one[q]), "what is shown is seen by all");
}

/// Returns the effect of an event of a real game on Senators, read from the hands.
fn steps_of(
    before: &State,
    event: &Event<crate::games::conquest2::Action>,
    after: &State,
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut hands = before.senators.0;
    match *event {
        Event::Chance(outcome) if outcome.verb() == Verb::Senator => {
            let Detail::Senator { player: victim, cause } = before.detail else {
                panic!("a Senator of nobody: {:?}", before.detail)
            };
            let value = outcome.arg();
            let (v, q) = (usize::from(value), victim.idx());
            match cause {
                Cause::Bribe => {
                    let thief = before.order[usize::from(before.turn)];
                    let (taker, giver) = (thief.number(), victim.number());
                    steps.push(Bribe { thief: taker, victim: giver, value });
                    hands[q][v] -= 1;
                    hands[thief.idx()][v] += 1;
                }
                Cause::Assassin => {
                    steps.push(Kill { victim: victim.number(), value });
                    hands[q][v] -= 1;
                }
                Cause::Vote => {}
            }
        }
        Event::Action(player, action) if action.verb() == Verb::Show => {
            steps.push(Show { player: player.number(), shown: action.senators() });
        }
        _ => {}
    }
    for (q, hand) in hands.iter().enumerate() {
        let change: [i8; 4] = std::array::from_fn(|v| after.senators.0[q][v] as i8 - hand[v] as i8);
        if change != [0; 4] {
            steps.push(Public { player: q as u8, change });
        }
    }
    steps
}

/// Compares the tracker with enumeration in real games with many bribes and votes, at every table.
#[test]
fn c21_the_posterior_is_exact_in_random_games() {
    let settings = [
        "cards.bribe-senator.count=6",
        "cards.bribe-senator.cost=0",
        "cards.assassin.count=4",
        "options.cards=4",
        "start.senators=[1, 1, 1, 0]",
    ];
    let mut n_compared = 0;
    for seed in 0..200 {
        let n_players = 2 + seed as usize % 5;
        let game = Position::with(n_players, &settings).game;
        let mut walk = Walk::new(&game, seed, 0);
        let start = walk.state().senators.0;
        let mut steps = Vec::new();
        loop {
            let before = *walk.state();
            let Some(event) = walk.next() else { break };
            let new = steps_of(&before, &event, walk.state());
            let is_worth_it = !new.is_empty() && walk.choices().below(4) == 0;
            steps.extend(new);
            for observer in (0..n_players as u8).filter(|_| is_worth_it) {
                let context = format!("seed {seed}, observer {observer}: {steps:?}");
                let due = enumerated(&start, &steps, observer);
                assert!(n_players > 2 || due.len() == 1, "two players hide nothing");
                assert_same(&tracked(walk.state(), observer), &due, &context);
                n_compared += usize::from(due.len() > 1);
            }
        }
    }
    assert!(n_compared > 500, "only {n_compared} positions hid something");
}
