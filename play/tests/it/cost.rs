//! The cost of input: what an agent chose in whole games, entered at the page with as few gestures as it takes. A gesture
//! is a click, a drag or a key.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use draw::play::{Amount, Asked, Choice, Drag, DrawnGame, Menu, ask};
use engine::{ChanceStreams, Player, Purpose, rng};
use sim::any::{AnyGame, Due};
use sim::catalogue::Setup;

/// Games that are entered.
const GAMES: u64 = 20;

/// A choice: the label of what was chosen, and the menu that the page showed.
struct Ply {
    label: String,
    menu: Menu,
}

/// The choices of one seat that are a draft together.
type Draft = Vec<Ply>;

/// Plays a game of agents; returns the drafts of each seat.
fn drafts(game: &AnyGame, drawn: &DrawnGame, seed: u64) -> Vec<Vec<Draft>> {
    let players = game.players();
    let names: Vec<String> = (1..=players).map(|seat| format!("P{seat}")).collect();
    let mut agents: Vec<_> =
        (0..players).map(|_| game.agent(&"greedy".parse().unwrap()).unwrap()).collect();
    for (seat, agent) in Player::all(players).zip(&mut agents) {
        agent.start(seat).unwrap();
    }
    let (mut state, mut chance) = (game.start(), ChanceStreams::new(seed, 0));
    let mut all: Vec<Vec<Draft>> = (0..players).map(|_| Vec::new()).collect();
    let mut last = None;
    loop {
        match state.due() {
            Due::Over => return all,
            Due::Chance => {
                state.draw(&mut chance);
                last = None;
            }
            Due::Player(seat) => {
                let mut thoughts = rng::stream(seed, state.plies().into(), Purpose::Agent(0));
                let number = agents[seat.idx()].choose(&state, seat, &mut thoughts).unwrap();
                let (view, labels) = (state.view_json(seat), state.labels(seat));
                let asked = Asked { game: drawn, names: &names, view: &view, seat: seat.idx() };
                let ply = Ply { label: labels[number].clone(), menu: ask(&asked, &labels, &[]) };
                let own = &mut all[seat.idx()];
                if last != Some(seat) || state.has_secret_choices() {
                    own.push(Vec::new());
                }
                own.last_mut().unwrap().push(ply);
                last = Some(seat);
                state.apply(seat, number).unwrap();
            }
        }
    }
}

impl Ply {
    /// The option that has what was chosen.
    fn option(&self) -> &Choice {
        let has = |option: &&Choice| option.actions().contains(&vec![self.label.clone()]);
        self.menu.options().find(has).unwrap()
    }

    /// The options of an area.
    fn of_area(&self, area: &str) -> Vec<&Choice> {
        let has = |option: &&Choice| option.areas.iter().any(|other| other == area);
        self.menu.options().filter(has).collect()
    }

    /// The number of what was chosen, in the form of the page.
    fn value(&self) -> i64 {
        self.label.rsplit(' ').next().unwrap().parse().unwrap()
    }
}

/// Ways to enter the first choices of a draft: how many choices, and gestures.
fn ways(draft: &[Ply]) -> Vec<(usize, usize)> {
    let first = &draft[0];
    let option = first.option();
    if option.count.is_some() {
        let rows = if first.menu.may_only { first.menu.form.len().max(1) } else { 0 };
        let only = std::iter::once(None).chain((0..rows).map(Some));
        return only
            .flat_map(|only| [true, false].map(|is_closed| form(draft, only, is_closed)))
            .flatten()
            .collect();
    }
    // A click on the option, or its digit.
    let mut ways = vec![(1, 1)];
    // A click on an area that belongs to no other option; the next question is answered by it, too.
    for area in &option.areas {
        if first.of_area(area).len() == 1 {
            let next = draft.get(1).map(|next| (next, next.of_area(area)));
            match next {
                Some((next, only)) if only.len() == 1 && only[0].count.is_none() => {
                    if only[0].words == [next.label.as_str()] {
                        ways.push((2, 1));
                    }
                }
                _ => ways.push((1, 1)),
            }
        }
    }
    let dragged = first.menu.drags.iter().filter(|drag| is_dragged(drag, draft));
    ways.extend(dragged.map(|drag| (drag.words.len(), 1)));
    ways
}

/// Returns whether a drag plays the first choices of a draft.
fn is_dragged(drag: &Drag, draft: &[Ply]) -> bool {
    let fits = |(template, ply): (&String, &Ply)| match template.split_once('{') {
        None => *template == ply.label,
        Some((before, end)) => ply
            .label
            .strip_prefix(before)
            .is_some_and(|area| end != "from}" || drag.from.iter().any(|from| from == area)),
    };
    draft.len() >= drag.words.len() && drag.words.iter().zip(draft).all(fits)
}

/// The value of a list that is nearest to a wish.
fn nearest(values: &[i64], wish: i64) -> i64 {
    *values.iter().min_by_key(|&&value| (value - wish).abs()).unwrap()
}

/// A row of a form: its amount, and whether the game asks for it no more.
struct Row {
    amount: Amount,
    is_asked: bool,
}

/// Returns the rows of the form that a choice begins.
fn rows(first: &Ply) -> Vec<Row> {
    let count = first.option().count.as_ref().unwrap();
    let mut amounts = first.menu.form.clone();
    if amounts.is_empty() {
        let (of, high, preset) = (count.of.clone(), *count.values.last().unwrap(), count.preset);
        amounts.push(Amount { of, high, preset, ..Amount::default() });
    }
    amounts.into_iter().map(|amount| Row { amount, is_asked: false }).collect()
}

/// Drags the slider of a row; the others of its sum make up for it, the last first.
fn drag(rows: &mut [Row], row: usize, value: i64) {
    rows[row].amount.preset = value;
    let Some(sum) = rows[row].amount.sum.clone() else { return };
    let is_part = |other: &Row| other.amount.sum.as_ref() == Some(&sum);
    let parts = rows.iter().filter(|other| is_part(other));
    let mut over = parts.map(|other| other.amount.preset).sum::<i64>() - sum.is;
    for (_, Row { amount, .. }) in
        rows.iter_mut().enumerate().rev().filter(|(i, other)| *i != row && is_part(other))
    {
        let after = (amount.preset - over).clamp(0, amount.high);
        over -= amount.preset - after;
        amount.preset = after;
    }
}

/// Enters the form at the beginning of a draft: a drag of the slider for each amount that is not set, and OK, which
/// closes the action or not; or the button of the row `only`, which leaves the others out. `None` if that plays something
/// else.
fn form(draft: &[Ply], only: Option<usize>, is_closed: bool) -> Option<(usize, usize)> {
    let menu = &draft[0].menu;
    let mut rows = rows(&draft[0]);
    let (mut plies, mut gestures) = (0, 1);
    for ply in draft {
        let options: Vec<&Choice> = ply.menu.options().collect();
        let [Choice { count: Some(count), .. }] = options[..] else { break };
        let row = rows.iter().position(|row| !row.is_asked && row.amount.of == count.of);
        match (row, only) {
            (None, None) => break,
            (Some(i), _) if only.is_none() || row == only => {
                rows[i].is_asked = true;
                if nearest(&count.values, rows[i].amount.preset) != ply.value() {
                    gestures += 1;
                    drag(&mut rows, i, ply.value());
                }
            }
            _ if nearest(&count.values, 0) != ply.value() => return None,
            _ => {}
        }
        plies += 1;
    }
    if let (Some(closing), Some(next), true) = (&menu.closing, draft.get(plies), is_closed)
        && next.menu.options().any(|option| option.words == [closing.as_str()])
    {
        if next.label != *closing {
            return None;
        }
        plies += 1;
    }
    Some((plies, gestures))
}

/// The fewest gestures that enter a draft.
fn cost(draft: &[Ply]) -> usize {
    let mut costs = vec![0; draft.len() + 1];
    for i in (0..draft.len()).rev() {
        let total = |(plies, gestures): (usize, usize)| gestures + costs[i + plies];
        costs[i] = ways(&draft[i..]).into_iter().map(total).min().unwrap();
    }
    costs[0]
}

/// The moves of a draft, each to one place.
fn moves(draft: &Draft) -> Vec<&[Ply]> {
    let is = |i: usize, words: &[&str]| {
        words.iter().any(|word| draft[i].label.split(' ').next() == Some(word))
    };
    let begins =
        (0..draft.len()).filter(|&i| is(i, &["move"]) || (is(i, &["to"]) && is(i - 1, &["count"])));
    let end = |i: usize| {
        let mut end = i + 1;
        while end < draft.len()
            && is(end, &["from", "to", "count", "done"])
            && !(is(end, &["to"]) && is(end - 1, &["count"]))
        {
            end += 1;
        }
        end
    };
    begins.map(|i| &draft[i..end(i)]).collect()
}

/// Most gestures of a seat in a game, in the median.
const OF_A_SEAT: usize = 110;
/// Most gestures of a move, in 95 of 100.
const OF_A_MOVE: usize = 3;

#[test]
fn a_game_of_conquest2_is_entered_with_fewer_gestures_than_choices() {
    let game = AnyGame::new(&Setup::new("conquest2").for_players(4)).unwrap();
    let drawn = DrawnGame::new("conquest2", &game.rules().to_json(), 4);
    let (mut of_seats, mut of_moves, mut plies) = (Vec::new(), Vec::new(), 0);
    for seed in 1..=GAMES {
        for seat in drafts(&game, &drawn, seed) {
            plies += seat.iter().map(Vec::len).sum::<usize>();
            of_seats.push(seat.iter().map(|draft| cost(draft)).sum::<usize>());
            of_moves.extend(seat.iter().flat_map(moves).map(cost));
        }
    }
    of_seats.sort_unstable();
    of_moves.sort_unstable();
    let (median, choices) = (of_seats[of_seats.len() / 2], plies / of_seats.len());
    let most = of_moves[of_moves.len() * 95 / 100];
    println!("{median} gestures a seat for {choices} choices, {most} a move in 95 of 100");
    assert!(median <= OF_A_SEAT && median < choices, "{median} of {choices}: {of_seats:?}");
    assert!(most <= OF_A_MOVE, "{of_moves:?}");
}
