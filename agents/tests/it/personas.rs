//! Tests that personas of conquest2 behave as named: each against three balanced ones, on the same games.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::heuristics::conquest2::{GreedyConquest2, PERSONAS, Weights};
use agents::random::Random;
use agents::{Agent, AgentSpec};
use engine::games::conquest2::{CardKind, Conquest2, Phase, State, Verb};
use engine::games::tic_tac_toe::TicTacToe;
use engine::{ChanceStreams, Game, Player, Purpose, Turn, View, rng};

const N_PLAYERS: usize = 4;
const GAMES: u64 = 200;

/// The behaviour of a player, summed over games.
#[derive(Clone, Copy, Default, Debug)]
struct Behaviour {
    /// Own influence at the end, and the part of it in the environs of the capital.
    influence: f64,
    near: f64,
    /// Actions; votes in the hand before each action; key provinces with own influence, and those of them with an own
    /// army.
    actions: f64,
    votes: f64,
    held: f64,
    guarded: f64,
    battles: f64,
    /// Battles begun; votes won that cost Senators.
    won: f64,
    /// Merchants and cities at the end.
    merchants: f64,
    cities: f64,
}

impl Behaviour {
    fn see(&mut self, game: &Conquest2, state: &State, seat: Player, verb: Verb) {
        self.battles += f64::from(u8::from(verb == Verb::Battle));
        if state.phase() != Phase::Top {
            return;
        }
        let situation = game.situation(state);
        self.actions += 1.0;
        self.votes += f64::from(situation.votes(seat));
        for key in situation.all_keys().filter(|&key| situation.influence_in(seat, key) > 0) {
            self.held += 1.0;
            self.guarded += f64::from(situation.armies(seat).contains(situation.place_of(key)));
        }
    }

    fn see_end(&mut self, game: &Conquest2, state: &State, seat: Player) {
        let situation = game.situation(state);
        for key in situation.all_keys() {
            let influence = f64::from(situation.influence_in(seat, key));
            self.influence += influence;
            self.near +=
                influence * f64::from(situation.environs().contains(situation.place_of(key)));
        }
        let cards = situation.held_cards(seat);
        let merchants = cards.filter(|(card, _)| matches!(card.kind(), CardKind::Merchant(_)));
        self.merchants += merchants.count() as f64;
        self.cities += f64::from(situation.cities(seat).len());
    }

    /// Returns the share of own influence at the end that lies in the environs of the capital.
    fn nearness(&self) -> f64 {
        self.near / self.influence
    }

    /// Returns the share of provinces with own influence that have a garrison.
    fn guard(&self) -> f64 {
        self.guarded / self.held
    }

    fn mean_votes(&self) -> f64 {
        self.votes / self.actions
    }
}

/// Plays one game to its end. `watch` sees every event of a player, with the states before and after it.
fn play<A: Agent<Conquest2> + ?Sized>(
    game: &Conquest2,
    seed: u64,
    index: u64,
    seats: &mut [Box<A>],
    watch: &mut dyn FnMut(&State, Player, Verb, &State),
) -> State {
    let mut chance = ChanceStreams::new(seed, index);
    let mut minds: Vec<_> =
        (0..seats.len()).map(|q| rng::stream(seed, index, Purpose::Agent(q as u8))).collect();
    let mut state = game.start();
    loop {
        let before = state;
        match game.turn(&state) {
            Turn::Over => return state,
            Turn::Player(player) => {
                let q = player.idx();
                let action = seats[q].choose(View::new(game, &state, player), &mut minds[q]);
                game.apply(&mut state, action);
                watch(&before, player, action.verb(), &state);
            }
            _ => {
                let event = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, event);
            }
        }
    }
}

/// Returns the behaviour of one persona against three balanced ones, seats in turn, at seed 11.
fn behaviour_of(persona: &str) -> Behaviour {
    let game = Conquest2::new(N_PLAYERS);
    let agent = |name: &str| Box::new(GreedyConquest2::new(0.0, Weights::persona(name).unwrap()));
    let mut behaviour = Behaviour::default();
    for index in 0..GAMES {
        let seat = Player::new(index as usize % N_PLAYERS);
        let name = |q| if q == seat { persona } else { "balanced" };
        let mut seats: Vec<_> = Player::all(N_PLAYERS).map(|q| agent(name(q))).collect();
        let end = play(&game, 11, index, &mut seats, &mut |before, q, verb, after| {
            if q == seat {
                behaviour.see(&game, before, seat, verb);
            }
            if before.phase() == Phase::Vote {
                let votes = |state| game.situation(state).votes(seat);
                behaviour.won += f64::from(u8::from(votes(after) < votes(before)));
            }
        });
        behaviour.see_end(&game, &end, seat);
    }
    behaviour
}

/// The test plays 200 games of four, one persona against three balanced ones, seats in turn, seed 11:
///
/// | persona | points | influence near Rome | votes in hand | votes won | with garrison | battles | merchants | cities |
/// | --- | --- | --- | --- | --- | --- | --- | --- | --- |
/// | balanced | 0.290 | 0.423 | 3.82 | 1.56 | 0.926 | 3.13 | 0.20 | 0.53 |
/// | central | 0.253 | **0.568** | **4.67** | 1.91 | 0.927 | 3.54 | 0.19 | 0.46 |
/// | provincial | 0.268 | **0.340** | 3.86 | 1.34 | 0.915 | 3.10 | 0.16 | 0.47 |
/// | senate | 0.290 | 0.498 | 3.82 | **3.23** | 0.918 | 2.58 | 0.17 | 0.42 |
/// | raider | 0.280 | 0.445 | 3.60 | 1.46 | 0.919 | **4.25** | 0.15 | 0.54 |
/// | turtle | 0.195 | 0.418 | 3.49 | 2.14 | **0.950** | **2.01** | 0.32 | 0.57 |
/// | merchant | 0.210 | 0.428 | 3.30 | 1.54 | 0.920 | 2.96 | **1.25** | 0.74 |
///
/// Votes, battles, merchants and cities are per game. A merchant or city counts if it is held at the end. The bold
/// figures belong to a persona's name and are checked; seeds 21 and 22 pass as well. (At seed 21 the merchant has less
/// than a fifth more cities than the balanced persona, so cities are not checked. A share of points varies by 0.03
/// here.)
#[test]
fn every_persona_does_what_it_is_called_after() {
    let balanced = behaviour_of("balanced");
    let central = behaviour_of("central");
    assert!(central.nearness() > balanced.nearness() + 0.1, "{central:?}");
    assert!(central.mean_votes() > balanced.mean_votes() + 0.4, "{central:?}");
    let provincial = behaviour_of("provincial");
    assert!(provincial.nearness() < balanced.nearness() - 0.05, "{provincial:?}");
    let senate = behaviour_of("senate");
    assert!(senate.won > 1.6 * balanced.won, "{senate:?}");
    let raider = behaviour_of("raider");
    assert!(raider.battles > 1.2 * balanced.battles, "{raider:?}");
    let turtle = behaviour_of("turtle");
    assert!(turtle.battles < 0.75 * balanced.battles, "{turtle:?}");
    assert!(turtle.guard() > balanced.guard() + 0.015, "{turtle:?}");
    let merchant = behaviour_of("merchant");
    assert!(merchant.merchants > 3.0 * balanced.merchants, "{merchant:?}");
}

#[test]
fn a_spec_takes_a_persona_where_there_are_any() {
    let spec: AgentSpec = "greedy(persona=senate)".parse().unwrap();
    assert_eq!(spec.to_string(), "greedy(persona=senate)");
    assert!(spec.build(&Conquest2::new(3)).is_ok());
    let refusal = spec.build(&TicTacToe).err().unwrap().to_string();
    assert!(refusal.contains("tic-tac-toe has no parameter \"persona\" ("), "{refusal}");
    let balanced: AgentSpec = "greedy(persona=balanced)".parse().unwrap();
    assert_eq!(balanced.to_string(), "greedy");
    assert!(balanced.build(&TicTacToe).is_ok());
    let refusal = "greedy(persona=turtel)".parse::<AgentSpec>().unwrap_err().to_string();
    assert!(refusal.contains("nearest: turtle"), "{refusal}");
}

#[test]
fn a_file_of_weights_is_laid_over_a_persona() {
    let over = Weights::persona("turtle").unwrap().overlay("fair = 2\n").unwrap();
    assert_eq!(over, Weights { fair: 2.0, ..Weights::persona("turtle").unwrap() });
}

/// Returns the end of a game of four greedy agents with the weights that hold at every table.
fn plain_end() -> State {
    let plain = || Box::new(GreedyConquest2::new(0.0, Weights::default()));
    let mut seats: Vec<_> = (0..N_PLAYERS).map(|_| plain()).collect();
    play(&Conquest2::new(N_PLAYERS), 13, 0, &mut seats, &mut |_, _, _, _| {})
}

/// Returns the end of a game of four agents of one spec.
fn end_of(spec: &str) -> State {
    let game = Conquest2::new(N_PLAYERS);
    let spec: AgentSpec = spec.parse().unwrap();
    let mut seats: Vec<_> = (0..N_PLAYERS).map(|_| spec.build(&game).unwrap()).collect();
    play(&game, 13, 0, &mut seats, &mut |_, _, _, _| {})
}

/// A persona with every weight overridden by the spec must play with the weights beneath it.
#[test]
fn single_weights_speak_over_a_persona() {
    let plain = plain_end();
    for (name, text) in &PERSONAS[1..] {
        let weights = text.lines().filter_map(|line| line.split_once(" = "));
        let settings: Vec<String> = weights
            .filter(|(weight, _)| !weight.starts_with('#'))
            .map(|(weight, _)| (weight, Weights::default().value(weight).unwrap()))
            .map(|(weight, default)| format!("weights.{weight}={default}"))
            .collect();
        assert!(end_of(&format!("greedy(persona={name})")) != plain, "{name} plays like none");
        let without = format!("greedy(persona={name}, {})", settings.join(", "));
        assert!(end_of(&without) == plain, "{without}");
    }
}

/// Each persona plays twelve games, seats in turn, against three random players, at seed 12. The aim is 40 % of the
/// points; they win everything.
#[test]
fn every_persona_beats_three_random() {
    let game = Conquest2::new(N_PLAYERS);
    for (name, _) in PERSONAS {
        let spec: AgentSpec = format!("greedy(persona={name})").parse().unwrap();
        let mut points = 0.0;
        for index in 0..12 {
            let seat = index as usize % N_PLAYERS;
            let mut seats: Vec<Box<dyn Agent<Conquest2>>> =
                (0..N_PLAYERS).map(|_| Box::new(Random::default()) as Box<_>).collect();
            seats[seat] = spec.build(&game).unwrap();
            let end = play(&game, 12, index, &mut seats, &mut |_, _, _, _| {});
            points += game.payoffs(&end).0[seat];
        }
        assert!(points > 0.9 * 12.0, "{name}: {points} of 12 points");
    }
}
