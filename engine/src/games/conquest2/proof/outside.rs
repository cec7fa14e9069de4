//! Tests of treatments: each has its documented effect and no other, in treated games beside their controls.

use expect_test::{Expect, expect};
use serde_json::Value as Json;

use crate::game::{Game, Turn};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;
use crate::notation::Notation;
use crate::player::Player;
use crate::rng::{Purpose, Randomness, Stream, stream};
use crate::rules::{Configure, Rules};
use crate::walk::{Event, Walk};

fn treated(n_players: usize, settings: &[&str]) -> Conquest2 {
    let mut rules = Rules::of::<Conquest2>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap_or_else(|bad| panic!("{bad}")));
    Conquest2::configure(n_players, &rules).unwrap_or_else(|bad| panic!("{bad}"))
}

/// Appends the differences between two values: place, control, treated.
fn differences(place: &str, control: &Json, treated: &Json, out: &mut Vec<String>) {
    match (control, treated) {
        _ if control == treated => {}
        (Json::Object(a), Json::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            let at = |map: &serde_json::Map<String, Json>, key: &String| {
                map.get(key).cloned().unwrap_or_default()
            };
            for key in keys {
                differences(&format!("{place}.{key}"), &at(a, key), &at(b, key), out);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate();
            pairs.for_each(|(i, (a, b))| differences(&format!("{place}[{i}]"), a, b, out));
        }
        _ => out.push(format!("{}: {control} -> {treated}", place.trim_start_matches('.'))),
    }
}

/// Returns the walk of `game` up to the first decision of a season (counted from 0) that is at `phase`.
fn walk_to(game: &Conquest2, season: u8, phase: Phase, before: &mut Vec<Event<Action>>) -> State {
    let mut walk = Walk::new(game, 7, 3);
    while !(walk.state().season == season && walk.state().phase() == phase) {
        before.push(walk.next().expect("the game comes there"));
    }
    *walk.state()
}

/// Compares the position in which the first auction of season 2 is opened with and without the treatment.
fn check(settings: &[&str], expected: &Expect) {
    let (control, treated) = (Conquest2::new(4), treated(4, settings));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let a = walk_to(&control, 1, Phase::Bid, &mut left);
    let b = walk_to(&treated, 1, Phase::Bid, &mut right);
    assert_eq!(left, right, "everything before is shared");
    treated.audit(&b).unwrap();
    let mut found = Vec::new();
    differences("", &control.state_json(&a), &treated.state_json(&b), &mut found);
    expected.assert_eq(&found.join("\n"));
}

#[test]
fn a_gift_is_what_it_says_and_nothing_else() {
    check(&["gift.s2.seat1.talents=20"], &expect!["players[1].money: 20 -> 40"]);
    check(&["gift.s2.seat1.vp=-5"], &expect!["players[1].vp: 40 -> 35"]);
    check(&["gift.s2.seat3.chaos=4"], &expect!["players[3].chaos: 6 -> 10"]);
    check(&["gift.s2.seat3.chaos=-400"], &expect!["players[3].chaos: 6 -> 0"]);
    check(
        &["gift.s2.seat0.card.merchant-italia=2"],
        &expect![[
            r#"players[0].cards: ["naval-training"] -> ["merchant-italia","merchant-italia","naval-training"]"#
        ]],
    );
    check(&["gift.s2.seat0.card.senator-4=1"], &expect!["players[0].senators[3]: 0 -> 1"]);
    check(
        &["gift.s2.seat0.card.favorable-wind=1"],
        &expect![[
            r#"players[0].cards: ["naval-training"] -> ["favorable-wind","naval-training"]"#
        ]],
    );
    check(&["gift.s2.seat2.influence.egypt=1"], &expect!["influence.egypt: null -> [0,0,1,0]"]);
    check(&["gift.s2.seat2.influence.italia=31"], &expect!["influence.italia: null -> [0,0,14,0]"]);
    check(
        &["gift.s2.seat2.infantry.germania=3"],
        &expect!["land.germania[2]: null -> [3,0,0,0,0]"],
    );
    check(&["gift.s2.seat2.general.italia=31"], &expect!["land.italia[2][3]: 1 -> 4"]);
    check(
        &["gift.s2.seat2.galley.mare-aegaeum=2"],
        &expect!["sea.mare-aegaeum: null -> [0,0,2,0]"],
    );
    check(&["gift.s2.seat2.city.egypt=true"], &expect!["cities.egypt: null -> 2"]);
}

#[test]
fn what_comes_in_turns_or_later_changes_nothing_at_once() {
    for setting in [
        "gift.s2.seat1.actions=1",
        "gift.s2.seat1.card.politician=1",
        "gift.s3.seat1.talents=20",
        "ban.s2.seat1.card.loot=true",
        "ban.s2.seat1.action.tax=true",
        "forced.s3.order=[3,2,1,0]",
        "null.s3=true",
        "gift.s2.seat1.talents=0",
    ] {
        check(&[setting], &expect![""]);
    }
}

/// Returns the draws of `purpose` in a random game. Chance and choices have separate streams, so that the choices of a
/// treated game and its control cannot shift the draws.
fn drawn_after(game: &Conquest2, purpose: Purpose) -> Vec<Action> {
    let walk = Walk::new(game, 5, 1);
    let mut drawn = Vec::new();
    let mut before = *walk.state();
    for_each_state(walk, |after, event| {
        let is_drawn = matches!(before.phase(), Phase::SeasonCard | Phase::SeasonToken);
        if let (Event::Chance(outcome), true) = (event, is_drawn && purpose == Purpose::Decks) {
            drawn.push(*outcome);
        }
        before = *after;
    });
    drawn
}

fn for_each_state(mut walk: Walk<'_, Conquest2>, mut visit: impl FnMut(&State, &Event<Action>)) {
    while let Some(event) = walk.next() {
        visit(walk.state(), &event);
    }
}

#[test]
fn decks_stay_paired_after_a_gift_and_part_after_the_null_treatment() {
    let control = drawn_after(&Conquest2::new(4), Purpose::Decks);
    for setting in [
        "gift.s2.seat1.talents=100",
        "gift.s1.seat1.card.merchant-asia=1",
        "gift.s2.seat1.card.diplomacy-egypt=1",
        "gift.s2.seat1.card.politician=1",
        "gift.s1.seat0.influence.egypt=3",
        "gift.s1.seat0.actions=-2",
        "ban.always.seat0.card.loot=true",
        "forced.s1.order=[3,2,1,0]",
        "deal.seat2.influence=[\"egypt\",\"egypt\",\"asia\",\"italia\"]",
    ] {
        assert_eq!(drawn_after(&treated(4, &[setting]), Purpose::Decks), control, "{setting}");
    }
    let nulled = drawn_after(&treated(4, &["null.s2=true"]), Purpose::Decks);
    let shared = 2 * (8 + 8);
    assert_eq!(nulled[..shared], control[..shared], "two seasons are drawn before");
    assert_ne!(nulled, control, "the third is not");
}

#[test]
fn the_null_treatment_draws_one_number_from_each_stream() {
    let game = treated(4, &["null.s1=true"]);
    let mut walk = Walk::new(&game, 1, 1);
    let mut purposes = Vec::new();
    loop {
        if walk.state().phase() == Phase::NullDraw {
            purposes.push(game.chance_purpose(walk.state()));
        }
        if walk.next().is_none() {
            break;
        }
    }
    assert_eq!(purposes, Purpose::OF_CHANCE);
    let mut dice = stream(1, 1, Purpose::Dice);
    let mut after = dice.clone();
    let _ = after.below(2);
    assert_ne!(dice.below(6 << 20), after.below(6 << 20), "one number further");
}

/// Plays random games under `settings`, audits every position, and passes each to `visit` before its event.
fn play(n_players: usize, settings: &[&str], mut visit: impl FnMut(&Conquest2, &State)) {
    let game = treated(n_players, settings);
    for index in 0..6 {
        let mut walk = Walk::new(&game, 11, index);
        loop {
            game.audit(walk.state())
                .unwrap_or_else(|bad| panic!("{settings:?}, game {index}: {bad}"));
            visit(&game, walk.state());
            if walk.next().is_none() {
                break;
            }
        }
    }
}

#[test]
fn a_position_that_was_treated_is_sound() {
    for n_players in [2, 3, 5] {
        play(
            n_players,
            &[
                "null.s1=true",
                "gift.s1.seat0.infantry.egypt=20",
                "gift.s1.seat0.galley.mare-aegaeum=8",
                "gift.s1.seat1.card.diplomacy-italia=1",
                "gift.s2.seat1.card.diplomacy-italia=1",
                "gift.s1.seat1.card.city-egypt-numidia=1",
                "gift.s1.seat1.card.politician=1",
                "gift.s1.seat1.card.bribe-senator=1",
                "gift.s3.seat0.card.slave-revolt=1",
                "gift.s3.seat0.card.assassin=2",
                "gift.s2.seat0.card.senator-4=2",
                "gift.s2.seat0.card.army-training=3",
                "gift.s2.seat1.actions=3",
                "gift.s3.seat1.actions=-4",
                "gift.s2.seat1.city.italia=true",
                "gift.s4.seat1.talents=1000",
                "ban.always.seat0.action.use=true",
                "ban.s2.seat1.action.take=true",
                "ban.s2.seat1.action.battle=true",
                "ban.always.seat1.card.senator-1=true",
                "ban.deck.loot=true",
                "ban.deck.senator-3=true",
                "ban.deck.vote-hail-caesar=true",
                "forced.s2.opener=1",
            ],
            |_, _| {},
        );
    }
}

#[test]
fn a_ban_takes_the_option_from_one_seat_only() {
    let mut seen = [[false; 2]; 2];
    let seat = Player::new(2);
    play(
        4,
        &["ban.s2.seat2.card.army-training=true", "ban.s3.seat2.action.tax=true"],
        |game, s| {
            let mut options = Vec::new();
            if game.turn(s) != Turn::Player(s.actor.unwrap_or(seat)) {
                return;
            }
            game.actions(s, s.actor(), &mut options);
            let mut look = |which: usize, season: u8, word: Verb, card: Option<&str>| {
                let is_it = |a: &Action| a.verb == word && card.is_none_or(|_| a.args[0] == 40);
                if options.iter().any(is_it) {
                    let is_banned = s.actor() == seat && s.season == season;
                    assert!(!is_banned, "{word:?} in season {}", s.season + 1);
                    seen[which][usize::from(s.actor() == seat)] = true;
                }
            };
            look(0, 1, Verb::Card, Some("army-training"));
            if s.phase() == Phase::Top {
                look(1, 2, Verb::Tax, None);
            }
        },
    );
    assert_eq!(seen, [[true; 2]; 2], "others, and the seat in other seasons, have it");
}

#[test]
fn a_banned_deck_has_no_copy_of_the_card() {
    play(4, &["ban.deck.politician=true", "ban.deck.vote-new-legions=true"], |game, s| {
        let state = game.state_json(s).to_string();
        assert!(!state.contains("politician") && !state.contains("new-legions"));
    });
}

#[test]
fn a_forced_order_is_played_without_an_auction() {
    let settings = [
        "forced.s2.order=[3,1,0,2]",
        "forced.s3.order=[0,1,2,3]",
        "forced.s3.alliance=[\"A\",\"A\",\"B\",\"B\"]",
    ];
    let mut seen = 0;
    play(4, &settings, |game, s| {
        let is_auction = matches!(s.phase(), Phase::Bid | Phase::Propose | Phase::Amount);
        assert!(!is_auction || ![1, 2].contains(&s.season));
        if s.phase() == Phase::Top && s.season == 1 {
            assert_eq!(s.order[..4], [3, 1, 0, 2].map(Player::new));
            assert!(s.are_allied(Player::new(3), Player::new(0)));
            assert!(!s.are_allied(Player::new(3), Player::new(1)));
            seen |= 1;
        }
        if s.phase() == Phase::Top && s.season == 2 {
            assert!(s.are_allied(Player::new(0), Player::new(1)));
            assert!(!s.are_allied(Player::new(1), Player::new(2)));
            assert_eq!(game.situation(s).position_of(Player::new(2)), Some(2));
            seen |= 2;
        }
    });
    assert_eq!(seen, 3);
}

#[test]
fn a_forced_opener_opens() {
    let mut seen = false;
    play(5, &["forced.s1.opener=4"], |_, s| {
        if s.season == 0
            && s.phase() == Phase::Propose
            && s.auction.number == 0
            && s.auction.bidder.is_none()
        {
            assert_eq!(s.actor(), Player::new(4));
            seen = true;
        }
    });
    assert!(seen);
}

#[test]
fn a_deal_moves_the_influence_of_one_seat_and_leaves_the_bag() {
    let game = treated(4, &["deal.seat2.influence=[\"egypt\",\"egypt\",\"asia\",\"italia\"]"]);
    let control = Conquest2::new(4);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let a = control.state_json(&walk_to(&control, 0, Phase::SeasonToken, &mut left));
    let b = game.state_json(&walk_to(&game, 0, Phase::SeasonToken, &mut right));
    assert_eq!(left, right);
    assert_eq!(a["bag"], b["bag"]);
    let of_seat = |state: &Json, seat: usize| -> Vec<(String, u64)> {
        let all = state["influence"].as_object().unwrap().iter();
        let own = all.map(|(id, by_seat)| (id.clone(), by_seat[seat].as_u64().unwrap()));
        own.filter(|(_, n)| *n > 0).collect()
    };
    let dealt = [("asia", 1), ("egypt", 2), ("italia", 1)].map(|(id, n)| (id.to_owned(), n));
    assert_eq!(of_seat(&b, 2), dealt);
    [0, 1, 3].iter().for_each(|&seat| assert_eq!(of_seat(&a, seat), of_seat(&b, seat)));
}

#[test]
fn more_or_fewer_actions_come_in_the_first_turn_only() {
    let mut seen = [false; 2];
    let is_fresh = |s: &State| s.phase() == Phase::Top && !s.has_taken();
    let mut turn = None;
    play(4, &["gift.s1.seat1.actions=1", "gift.s2.seat3.actions=-1"], |_, s| {
        let here = (s.season, s.round, s.turn);
        if !is_fresh(s) || turn == Some(here) {
            return;
        }
        turn = Some(here);
        let due = match (s.season, s.round, s.actor().number()) {
            (0, 1, 1) => {
                seen[0] = true;
                3
            }
            (1, 1, 3) => {
                seen[1] = true;
                1
            }
            _ => 2,
        };
        assert_eq!(s.actions_left, due, "{here:?}");
    });
    assert_eq!(seen, [true; 2]);
}

/// Plays the turn of a player who was given an immediate-use card.
#[test]
fn a_free_card_costs_nothing_and_lapses_after_the_first_turn() {
    let game =
        treated(4, &["gift.s2.seat1.card.politician=1", "gift.s2.seat1.card.slave-revolt=1"]);
    let (seat, mut taken, mut lapsed, mut rng) =
        (Player::new(1), 0, 0, stream(3, 0, Purpose::Analysis));
    for index in 0..12 {
        let mut walk = Walk::new(&game, 2, index);
        while !(walk.state().season == 1
            && walk.state().round == 1
            && walk.state().actor == Some(seat)
            && walk.state().phase() == Phase::Top)
        {
            walk.next().expect("his turn comes");
        }
        let mut s = *walk.state();
        assert_eq!(game.free_cards(&s).len(), 2);
        let before = s;
        let take = Action::plain(Verb::Take);
        if !game.is_option(&s, take) {
            continue;
        }
        game.apply(&mut s, take);
        let free = game.free_takes(&before);
        if let (Phase::TakeCard, Some(card)) = (s.phase(), free.first()) {
            game.apply(&mut s, Action::with(Verb::Card, card.number()));
        }
        if s.free() != before.free() {
            taken += 1;
            assert_eq!(s.money, before.money);
            assert_eq!(s.display, before.display);
            assert_eq!((s.actions_left, s.has_taken()), (before.actions_left, false));
        }
        finish_turn(&game, &mut s, &mut rng);
        lapsed += usize::from(s.free() == 0);
    }
    assert!(taken > 6 && lapsed == 12, "{taken} taken, {lapsed} lapsed");
}

/// Plays at random until the turn of the player in turn is over.
fn finish_turn(game: &Conquest2, s: &mut State, rng: &mut Stream) {
    let (here, mut scratch) = ((s.season, s.round, s.turn), Vec::new());
    while (s.season, s.round, s.turn) == here {
        let action = match game.turn(s) {
            Turn::Chance => game.draw(s, rng),
            _ => game.random_action(s, s.actor(), rng, &mut scratch),
        };
        game.apply(s, action);
    }
}

#[test]
fn a_diplomacy_card_from_outside_leaves_with_its_season() {
    let mut seen = false;
    play(3, &["gift.s1.seat0.card.diplomacy-pirates=1"], |game, s| {
        let pirates = |state: &Json| state.to_string().matches("diplomacy-pirates").count();
        let state = game.state_json(s);
        // One copy in the game, in any place, and one from outside during the first season.
        let is_first = s.season == 0 && s.phase() as u8 >= Phase::Bid as u8;
        assert_eq!(
            pirates(&state),
            1 + usize::from(is_first && s.milestone == 1),
            "{:?}",
            s.phase()
        );
        seen |= is_first;
    });
    assert!(seen);
}
