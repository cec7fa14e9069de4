//! Treatments of a game: cards and stacks that a seat cannot play, and pieces laid at the start.

use super::board::Board;
use super::stacks::{Allowed, EAR, MOST_CARDS, ORACLE, PROVINCES};
use super::{Action, MOST_SEATS};
use crate::rules::{BadRules, Rules};
use crate::treatment::{Amount, Kind, Names, Step, Treated, Treatment};

/// The cards in the order of their numbers.
const CARDS: [&str; PROVINCES + 3] = [
    "africa",
    "syria",
    "illyricum",
    "gallia",
    "asia",
    "hispania",
    "macedonia",
    "aegyptus",
    "ear-of-the-emperor",
    "bread-and-circuses",
    "oracle",
];

const ANY: Names = Names::Words(&CARDS);

/// All treatments of imperium.
pub(super) const TREATMENTS: &[Treatment] = &[
    Treatment {
        id: "ban.card",
        kind: Kind::Ban,
        key: &[Step::Word("ban"), Step::Seat, Step::Word("card"), Step::Name(ANY)],
        amount: Amount::Switch,
        meaning: "no stack of theirs has the card",
    },
    Treatment {
        id: "ban.stack",
        kind: Kind::Ban,
        key: &[Step::Word("ban"), Step::Seat, Step::Word("stack")],
        amount: Amount::Names { of: ANY, least: 1, most: MOST_CARDS },
        meaning: "they cannot play this stack, top first",
    },
    Treatment {
        id: "deal.pieces",
        kind: Kind::Start,
        key: &[
            Step::Word("deal"),
            Step::Seat,
            Step::Word("pieces"),
            Step::Name(Names::IdsOf("province")),
        ],
        amount: Amount::Number { least: 1, most: 50, unit: "pieces" },
        meaning: "so many of their pieces lie there from the start",
    },
];

/// The cards and stacks that a seat cannot play.
#[derive(Clone, Default)]
struct Bans {
    cards: u16,
    stack: Option<Action>,
}

fn card(name: &str) -> u8 {
    CARDS.iter().position(|card| *card == name).expect("the names are those of the cards") as u8
}

/// Changes the board by the treatments of `rules`.
pub(super) fn treat(board: &mut Board, rules: &Rules, n_players: usize) -> Result<(), BadRules> {
    let mut bans: [Bans; MOST_SEATS] = Default::default();
    for treated in rules.treated(n_players)? {
        let player = treated.seat.expect("all of them name a seat");
        let seat = player.idx();
        match treated.treatment.id {
            "ban.card" => {
                let card = card(treated.name.as_deref().expect("the ban names a card"));
                bans[seat].cards |= 1 << card;
                match card {
                    EAR => board.ears.remove(player),
                    ORACLE => board.oracles.remove(player),
                    _ => {}
                }
            }
            "ban.stack" => bans[seat].stack = Some(named_stack(board, rules, &treated)?),
            _ => lay_out(board, rules, &treated, seat)?,
        }
    }
    let is_listed =
        |bans: &Bans| bans.stack.is_some() || bans.cards & !(1 << EAR | 1 << ORACLE) != 0;
    if bans.iter().any(is_listed) {
        board.allowed = Some(Box::new(allowed(board, rules, &bans, n_players)?));
    }
    Ok(())
}

/// Returns the stack of these cards.
fn named_stack(board: &Board, rules: &Rules, treated: &Treated) -> Result<Action, BadRules> {
    let cards: Vec<u8> = treated.names().map(card).collect();
    let stacks = &board.stacks;
    let mut all = (0..stacks.count(cards.len(), true)).map(|k| stacks.nth(cards.len(), k));
    all.find(|&action| stacks.get(action).cards() == cards).ok_or_else(|| {
        let message = "no such stack: the rest in card order, bread-and-circuses last; the oracle is a card to ban";
        rules.bad(&treated.key, message)
    })
}

fn lay_out(
    board: &mut Board,
    rules: &Rules,
    treated: &Treated,
    seat: usize,
) -> Result<(), BadRules> {
    let (id, number) =
        (treated.name.as_deref().expect("the deal names a province"), treated.number());
    let province = CARDS.iter().position(|card| *card == id).expect("a province is a card");
    board.laid[seat] += (number as u64) << (8 * province);
    let all: u64 = (0..PROVINCES).map(|p| board.laid[seat] >> (8 * p) & 0xff).sum();
    if all > board.influence.into() {
        let message = format!("seat {seat} has {} pieces, not {all}", board.influence);
        return Err(rules.bad(&treated.key, message));
    }
    Ok(())
}

fn allowed(
    board: &Board,
    rules: &Rules,
    bans: &[Bans; MOST_SEATS],
    n_players: usize,
) -> Result<Allowed, BadRules> {
    let may_play = |bans: &Bans, action: Action| {
        let cards = board.stacks.get(action).cards();
        bans.stack != Some(action) && cards.iter().all(|card| bans.cards >> card & 1 == 0)
    };
    let list = |seat: usize, n_cards: usize, has_ear: bool| -> Vec<Action> {
        let all = 0..board.stacks.count(n_cards, has_ear);
        let all = all.map(|k| board.stacks.nth(n_cards, k));
        all.filter(|&action| may_play(&bans[seat], action)).collect()
    };
    let lists = std::array::from_fn(|seat| {
        std::array::from_fn(|n_cards| [false, true].map(|has_ear| list(seat, n_cards, has_ear)))
    });
    let allowed = Allowed { lists };
    for seat in 0..n_players {
        for n_cards in 1..=usize::from(board.per_round) {
            if allowed.of(seat, n_cards, false).is_empty() {
                let message = format!("seat {seat} would have no stack of {n_cards} left to play");
                let (cards, stack) =
                    (format!("ban.seat{seat}.card"), format!("ban.seat{seat}.stack"));
                return Err(rules.bad_among(&[&cards, &stack], message));
            }
        }
    }
    Ok(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::imperium::Imperium;
    use crate::games::imperium::stacks::BREAD;

    #[test]
    fn the_cards_are_named_as_in_records() {
        let game = Imperium::new(3);
        assert_eq!(game.board.ids[..], CARDS[..PROVINCES]);
        assert_eq!((card("ear-of-the-emperor"), card("bread-and-circuses")), (EAR, BREAD));
        assert_eq!(card("oracle"), ORACLE);
    }
}
