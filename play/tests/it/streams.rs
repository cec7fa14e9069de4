//! Leaks over whole games: a seat that is sent moment after moment gets the same bytes in a world that it cannot tell
//! apart, as long as it cannot.
//!
//! At several moments of a game all that a seat cannot see is dealt anew. The other world goes on with the same choices
//! and with chance that looks the same to the seat, until one of them is impossible there or the seat learns more.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{ChanceStreams, Player, Purpose, Randomness, Stream, rng};
use play::memory::Memory;
use play::story::SeatStory;
use play::words::understood;
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{NAMES, Setup, about};
use sim::session::Happening;

use crate::sender::{Moment, Sender};

/// Messages that are compared in each game, those of the log alone, and most games for them.
const MESSAGES: usize = 400;
const LOGS: usize = 4_000;
const GAMES: u64 = 200;
/// Draws of chance among which one is sought that looks the same to the seat.
const DRAWS: u64 = 100;
/// Drafts that are tried out and taken back at each choice, and most choices of one.
const TRIES: u32 = 1;
const DEPTH: u32 = 3;
/// Places of a whole game at which all that a seat cannot see is dealt anew, and worlds dealt at each.
const PLACES: usize = 40;
const WORLDS: usize = 4;
/// Events of each place that the quick test sends.
const QUICK: usize = 8;
/// Candidates for each choice of a whole game, of which the one that hides most is taken: random games hide little.
const CANDIDATES: u32 = 12;
/// Share of the choices of others, one of so many, whose drafts are tried out.
const OTHERS: u32 = 8;

/// Plays a game at random; returns each event with the position after it. Each choice is that of `candidates` random
/// ones after which most seats do not see all.
fn course(game: &AnyGame, seed: u64, candidates: u32) -> Vec<(Happening, AnyState)> {
    let (mut state, mut all) = (game.start(), Vec::new());
    let mut chance = ChanceStreams::new(seed, 0);
    let mut draws = rng::stream(seed, 0, Purpose::Analysis);
    loop {
        let event = match state.due() {
            Due::Over => return all,
            Due::Chance => Happening::Chance(state.draw(&mut chance).seen),
            Due::Player(seat) => {
                let [actions, labels] = [state.action_texts(seat), state.labels(seat)];
                let numbers = (0..candidates).map(|_| draws.below(labels.len() as u32) as usize);
                let number = match candidates {
                    1 => numbers.last(),
                    _ => numbers.max_by_key(|number| hidden_after(game, &state, seat, *number)),
                };
                let number = number.unwrap();
                state.apply(seat, number).unwrap();
                let [action, label] = [actions, labels].map(|mut all| all.swap_remove(number));
                Happening::Choice { seat, action, label }
            }
        };
        all.push((event, state.clone()));
    }
}

/// Returns the number of seats that do not see all after a choice: another world differs.
fn hidden_after(game: &AnyGame, state: &AnyState, seat: Player, number: usize) -> usize {
    let mut after = state.clone();
    after.apply(seat, number).unwrap();
    let mut draws = rng::stream(0, after.plies().into(), Purpose::Analysis);
    let mut is_hidden = |seat: &Player| {
        !after.is_open_to(*seat) && after.determinized(*seat, &mut draws).json() != after.json()
    };
    Player::all(game.players()).filter(|seat| is_hidden(seat)).count()
}

/// Lets an event that led to `true_state` happen in another world so that `seat` cannot tell the worlds apart; `None`
/// where it cannot.
fn again(
    state: &mut AnyState,
    event: &Happening,
    true_state: &AnyState,
    seat: Player,
) -> Option<Happening> {
    let is_alike = |other: &AnyState| other.info_state_key(seat) == true_state.info_state_key(seat);
    match event {
        Happening::Choice { seat: chooser, label, .. } => {
            let is_due = state.due() == Due::Player(*chooser);
            let labels = if is_due { state.labels(*chooser) } else { Vec::new() };
            let number = labels.iter().position(|other| other == label)?;
            state.apply(*chooser, number).unwrap();
            is_alike(state).then(|| event.clone())
        }
        Happening::Chance(seen) if state.due() == Due::Chance => (0..DRAWS).find_map(|block| {
            let mut after = state.clone();
            let drawn = after.draw(&mut ChanceStreams::new(block, 1));
            (drawn.seen[seat.idx()] == seen[seat.idx()] && is_alike(&after)).then(|| {
                *state = after;
                Happening::Chance(drawn.seen)
            })
        }),
        Happening::Chance(_) => None,
    }
}

/// A page of a seat that is sent the events of a world one after another.
struct Page<'a, Sent> {
    table: &'a Table<'a, Sent>,
    /// The memory of the seat.
    memory: Memory,
    /// Events that are not public yet.
    secret: Vec<Happening>,
    /// The stories of all seats.
    stories: Vec<SeatStory>,
}

impl<Sent: Fn(&Moment<'_>) -> String> Page<'_, Sent> {
    /// Returns the message of an event that led to `state`.
    fn message(&mut self, event: Happening, state: &AnyState) -> String {
        let own = self.memory.seat();
        let is_own = matches!(event, Happening::Choice { seat, .. } if seat == own);
        self.secret.push(event);
        let is_secret = state.has_secret_choices();
        let public = if is_secret { Vec::new() } else { std::mem::take(&mut self.secret) };
        let tell = |story: &mut SeatStory| {
            let told = story.sentences().len();
            story.narrate(&public, state);
            story.sentences()[told..].to_vec()
        };
        let told: Vec<_> = self.stories.iter_mut().map(tell).collect();
        if is_own {
            self.memory.acted(state);
        }
        self.table.sender.follow(&mut self.memory, state);
        let moment = Moment { new: &public, told: &told, ..Moment::still(state, &self.memory) };
        (self.table.sent)(&moment)
    }

    /// Returns the message of `now`, to which the choices of `draft` led from `settled`.
    fn drafted(&self, now: &AnyState, settled: &AnyState, draft: &[String]) -> String {
        let still = Moment::still(now, &self.memory);
        (self.table.sent)(&Moment { settled, draft, ..still })
    }
}

/// The page of a seat in two worlds that it cannot tell apart, and how often it was sent what.
struct Pair<'a, Sent> {
    pages: [Page<'a, Sent>; 2],
    count: Count,
}

/// Messages that were compared.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    /// Number of all messages.
    messages: usize,
    /// Number of messages of drafts.
    drafts: usize,
    /// Number of messages to a seat that is asked: they have hints and odds.
    asked: usize,
    /// Number of messages with marches of others.
    marched: usize,
    /// Number of messages of a game that is over.
    over: usize,
}

impl<Sent: Fn(&Moment<'_>) -> String> Pair<'_, Sent> {
    /// Returns whether an event that led to `states` is told alike.
    fn is_alike(&mut self, events: [Happening; 2], states: [&AnyState; 2]) -> bool {
        self.count.messages += 1;
        let is_asked = states[0].due() == Due::Player(self.pages[0].memory.seat());
        self.count.asked += usize::from(is_asked);
        self.count.over += usize::from(states[0].due() == Due::Over);
        let [here, there] = &mut self.pages;
        let [event, other] = events;
        let sent = [here.message(event, states[0]), there.message(other, states[1])];
        self.count.marched += usize::from(!here.memory.trail().is_empty());
        sent[0] == sent[1]
    }

    /// Returns whether all that the seat or another can try out and take back is alike: drafts of random choices, as
    /// long as they can be taken back. Nobody may learn from a draft, so it must not tell the worlds apart.
    fn is_draft_alike(&mut self, settled: [&AnyState; 2], draws: &mut Stream) -> bool {
        let Due::Player(chooser) = settled[0].due() else { return true };
        let is_own = chooser == self.pages[0].memory.seat();
        if !is_own && draws.below(OTHERS) > 0 {
            return true;
        }
        for _ in 0..TRIES {
            let (mut now, mut draft) = (settled.map(AnyState::clone), Vec::new());
            for _ in 0..DEPTH {
                let number = draws.below(now[0].n_actions(chooser) as u32) as usize;
                let label = now[0].labels(chooser).swap_remove(number);
                // The options of another seat can differ between the worlds.
                if now[1].labels(chooser).get(number) != Some(&label) {
                    break;
                }
                draft.push(label);
                if now.iter().any(|state| state.may_reveal(chooser, number)) {
                    break;
                }
                now.iter_mut().for_each(|state| state.apply(chooser, number).unwrap());
                let is_final = |state: &AnyState| {
                    state.due() != Due::Player(chooser) || state.has_secret_choices()
                };
                if now.iter().any(is_final) {
                    break;
                }
                self.count.drafts += 1;
                let sent = |i: usize| self.pages[i].drafted(&now[i], settled[i], &draft);
                if sent(0) != sent(1) {
                    return false;
                }
            }
        }
        true
    }
}

/// Returns what a seat remembers after the first events of a game.
fn remembered(
    sender: &Sender,
    game: &AnyGame,
    course: &[(Happening, AnyState)],
    seat: Player,
) -> Memory {
    let is_own = |(event, _): &(Happening, AnyState)| matches!(event, Happening::Choice { seat: chooser, .. } if *chooser == seat);
    let last = course.iter().rposition(is_own);
    let mut memory = Memory::new(&game.start(), seat);
    if let Some(last) = last {
        memory.acted(&course[last].1);
    }
    for (_, state) in &course[last.unwrap_or_default()..] {
        sender.follow(&mut memory, state);
    }
    memory
}

/// Sends the `rest` of a game to a seat, and to the seat in another world that it cannot tell apart. Counts the messages;
/// returns the number of choices before the first one that differs.
fn followed(
    table: &Table<'_, impl Fn(&Moment<'_>) -> String>,
    [known, rest]: [&[(Happening, AnyState)]; 2],
    seat: Player,
    draws: &mut Stream,
    count: &mut Count,
) -> Result<(), u32> {
    let Table { game, sender, .. } = *table;
    let start = game.start();
    let state = known.last().map_or(&start, |(_, state)| state);
    if state.has_secret_choices() {
        return Ok(());
    }
    let mut world = state.determinized(seat, draws);
    // At the start the worlds are the same until chance makes them differ.
    let may_differ = known.is_empty() && !rest.iter().all(|(_, s)| s.is_open_to(seat));
    if !may_differ && world.json() == state.json() {
        return Ok(());
    }
    let memory = remembered(sender, game, known, seat);
    let page = |start: &AnyState| {
        let story = |reader| SeatStory::new(game.name(), reader, start);
        let stories = Player::all(game.players()).map(story).collect();
        Page { table, memory: memory.clone(), secret: Vec::new(), stories }
    };
    let mut pair = Pair { pages: [page(state), page(&world)], count: *count };
    for (event, state) in rest {
        let Some(other) = again(&mut world, event, state, seat) else { break };
        let states = [state, &world];
        let is_alike =
            pair.is_alike([event.clone(), other], states) && pair.is_draft_alike(states, draws);
        *count = pair.count;
        if !is_alike {
            return Err(state.plies());
        }
    }
    Ok(())
}

/// A game with what sends it.
#[derive(Clone, Copy)]
struct Table<'a, Sent> {
    game: &'a AnyGame,
    sender: &'a Sender,
    sent: &'a Sent,
}

/// Sends games to each seat, from a random moment on, and to the seat in another world. Returns the number of messages,
/// and the first place where they differ although the seat cannot tell the worlds apart.
fn compared(
    table: &Table<'_, impl Fn(&Moment<'_>) -> String>,
    messages: usize,
) -> (Count, Option<String>) {
    let (game, mut count) = (table.game, Count::default());
    for seed in 0..GAMES {
        // A game that hides something does so soon.
        if count.messages >= messages || (count.messages == 0 && seed > GAMES / 20) {
            break;
        }
        let course = course(game, seed, 1);
        let mut draws = rng::stream(seed, 1, Purpose::Analysis);
        for seat in Player::all(game.players()) {
            let known = draws.below(course.len() as u32) as usize;
            let (known, rest) = course.split_at(known);
            if let Err(ply) = followed(table, [known, rest], seat, &mut draws, &mut count) {
                return (count, Some(format!("game {seed}, seat {seat:?}, ply {ply}")));
            }
        }
    }
    (count, None)
}

/// Returns the game called `name` and what sends it.
fn served(name: &str) -> (AnyGame, Sender) {
    let players = about(name).unwrap().default_players;
    let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
    let sender = Sender::new(&game);
    (game, sender)
}

/// Returns the view of the neighbour of a seat: a planted leak.
fn neighbour(moment: &Moment<'_>, players: usize) -> String {
    moment.settled.view_json(moment.seat().next(players)).to_string()
}

#[test]
fn a_seat_is_sent_the_same_stream_in_worlds_that_it_cannot_tell_apart() {
    let mut hiding = Vec::new();
    for &name in NAMES {
        let (game, sender) = served(name);
        let sent = |moment: &Moment<'_>| sender.sent(moment);
        let (count, found) =
            compared(&Table { game: &game, sender: &sender, sent: &sent }, MESSAGES);
        assert_eq!(found, None, "{name}");
        let sent = |moment: &Moment<'_>| neighbour(moment, game.players());
        let (_, leak) = compared(&Table { game: &game, sender: &sender, sent: &sent }, MESSAGES);
        if leak.is_some() {
            assert!(count.messages > 100 && count.asked > 20, "{name}: {count:?}");
            hiding.push((name, count));
        }
    }
    let names: Vec<&str> = hiding.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["conquest2", "kuhn-poker"], "the planted leak is found");
    assert!(hiding[0].1.drafts > 100, "{:?}", hiding[0]);
}

#[test]
fn a_leak_in_the_log_a_hint_the_odds_or_a_draft_alone_is_found() {
    let (game, sender) = served("conquest2");
    let players = game.players();
    let found = |messages: usize, sent: &dyn Fn(&Moment<'_>) -> String| {
        compared(&Table { game: &game, sender: &sender, sent: &sent }, messages).1
    };
    let told = |moment: &Moment<'_>| sender.log(moment, moment.seat());
    assert_eq!(found(LOGS, &told), None, "the log");
    // The log of the other seats, and nothing else.
    let others = |moment: &Moment<'_>| -> String {
        let others = Player::all(players).filter(|&other| other != moment.seat());
        others.map(|other| sender.log(moment, other)).collect()
    };
    assert!(found(LOGS, &others).is_some(), "the log");
    // The neighbour's view where the seat is asked, as a hint from the wrong seat would have it, or in a draft.
    let asked = |moment: &Moment<'_>| moment.is_asked() && moment.draft.is_empty();
    let drafted = |moment: &Moment<'_>| !moment.draft.is_empty();
    for when in [asked, drafted] {
        let leak = |moment: &Moment<'_>| match when(moment) {
            true => neighbour(moment, players),
            false => String::new(),
        };
        assert!(found(MESSAGES, &leak).is_some());
    }
}

#[test]
fn a_choice_that_others_answer_unasked_is_final_and_no_words_are_tried_out_after_it() {
    // Voters who hold no Senator pass unasked, so whoever shows may be asked again at once: a game with such a vote.
    let seed = 3;
    let course = course(&served("conquest2").0, seed, CANDIDATES);
    let mut session = crate::sessions::session("conquest2", &[0, 1, 2, 3], seed);
    let mut answered = 0;
    for (event, _) in &course {
        let Happening::Choice { seat, action, .. } = event else {
            session.step().unwrap();
            continue;
        };
        let before = session.state().clone();
        let number = before.find(*seat, action).unwrap();
        let drafted = session.undoable();
        session.choose(number).unwrap();
        if !before.may_reveal(*seat, number) || session.state().due() != Due::Player(*seat) {
            continue;
        }
        answered += 1;
        assert!(session.undoable() == 0 && !session.undo(), "{drafted} choices before it");
        let words = [before.labels(*seat).swap_remove(number), "xyzzy".to_owned()];
        let found = understood(&before, *seat, &words.each_ref().map(String::as_str)).unwrap();
        assert_eq!((found.numbers, found.rest), (vec![number], Some("xyzzy".to_owned())));
    }
    assert!(answered > 0);
}

/// Coverage of whole games.
#[derive(Default, Debug)]
struct Whole {
    count: Count,
    /// Places with a seat to which other worlds were sent.
    places: usize,
    /// Moments that were compared in at least one world, and all from these places to the next.
    covered: usize,
    moments: usize,
}

impl Whole {
    /// Deals all that a seat cannot see anew at each place of a game, and sends the events from there to the next place to
    /// the seat in each world: to all seats, or the first `most` of them to one seat from which something is hidden.
    fn follow(
        &mut self,
        table: &Table<'_, impl Fn(&Moment<'_>) -> String>,
        course: &[(Happening, AnyState)],
        most: Option<usize>,
    ) -> Result<(), String> {
        let mut draws = rng::stream(0, 1, Purpose::Analysis);
        for place in 0..PLACES {
            let [from, next] = [place, place + 1].map(|place| place * course.len() / PLACES);
            let rest = &course[from..next];
            let rest = &rest[..most.unwrap_or(rest.len()).min(rest.len())];
            let parts = [&course[..from], rest];
            for seat in Player::all(table.game.players()) {
                let mut furthest = 0;
                for _ in 0..WORLDS {
                    let before = self.count.messages;
                    followed(table, parts, seat, &mut draws, &mut self.count)
                        .map_err(|ply| format!("seat {seat:?}, ply {ply}"))?;
                    furthest = furthest.max(self.count.messages - before);
                }
                if furthest > 0 {
                    self.places += 1;
                    self.covered += furthest;
                    self.moments += rest.len();
                    if most.is_some() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

#[test]
fn a_whole_game_of_conquest2_is_sent_alike_from_each_place_that_hides_something() {
    let (game, sender) = served("conquest2");
    let (sent, mut whole) = (|moment: &Moment<'_>| sender.sent(moment), Whole::default());
    // A game in which bribes hide Senators from its second season on.
    let course = course(&game, 12, CANDIDATES);
    assert_eq!(
        whole.follow(&Table { game: &game, sender: &sender, sent: &sent }, &course, Some(QUICK)),
        Ok(())
    );
    println!("{whole:?}");
    assert!(whole.places >= 20 && whole.count.messages >= 400, "{whole:?}");
    assert!(whole.count.marched >= 20, "{whole:?}");
    let leak = |moment: &Moment<'_>| moment.settled.json().to_string();
    let found = Whole::default().follow(
        &Table { game: &game, sender: &sender, sent: &leak },
        &course,
        Some(QUICK),
    );
    assert!(found.is_err(), "the planted leak is found");
}

#[test]
#[ignore = "slow: whole games, dealt anew at 40 places for each seat; `just play-leaks` runs it"]
fn whole_games_of_conquest2_are_sent_alike_to_each_seat() {
    let (game, sender) = served("conquest2");
    let (sent, mut whole) = (|moment: &Moment<'_>| sender.sent(moment), Whole::default());
    for seed in 0..16 {
        let course = course(&game, seed, CANDIDATES);
        let found =
            whole.follow(&Table { game: &game, sender: &sender, sent: &sent }, &course, None);
        assert_eq!(found, Ok(()), "game {seed}");
        println!("{seed}: {whole:?}");
    }
    assert!(whole.count.over > 0, "some world lasts to the end of its game: {whole:?}");
    assert!(2 * whole.covered > whole.moments, "{whole:?}");
}
