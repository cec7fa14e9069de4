//! Treatments of a race: start cells of a team, and missing cards of a driver.

use super::board::Board;
use super::limits::MAX_CARD;
use crate::rules::{BadRules, Rules};
use crate::treatment::{Amount, Kind, Names, Step, Treatment};

/// All treatments of a race.
pub(super) const TREATMENTS: &[Treatment] = &[
    Treatment {
        id: "deal.cells",
        kind: Kind::Start,
        key: &[Step::Word("deal"), Step::Seat, Step::Word("cells")],
        amount: Amount::Numbers { range: (0, 255), least: 1, most: 3 },
        meaning: "their chariots start in these cells, in the order of placing; no other player may take them",
    },
    Treatment {
        id: "ban.card",
        kind: Kind::Ban,
        key: &[
            Step::Word("ban"),
            Step::Seat,
            Step::Word("card"),
            Step::Name(Names::Words(&["1", "2", "3", "4", "5", "6", "7", "8"])),
        ],
        amount: Amount::Switch,
        meaning: "they have no card of this value",
    },
];

/// Changes the board by the treatments of `rules`.
pub(super) fn treat(board: &mut Board, rules: &Rules, n_players: usize) -> Result<(), BadRules> {
    const { assert!(MAX_CARD == 8) };
    for treated in rules.treated(n_players)? {
        let seat = treated.seat.expect("all of them name a seat").idx();
        let bad = |message: String| Err(rules.bad(&treated.key, message));
        if let Some(name) = &treated.name {
            let value: u8 = name.parse().expect("the names are numbers");
            let bit = 1 << (value - 1);
            if board.all_cards & bit == 0 {
                return bad(format!("there is no card {value}"));
            }
            board.missing[seat] |= bit;
            let left = (board.all_cards & !board.missing[seat]).count_ones() as usize;
            let needed = 2.max(board.team * usize::from(board.must_stay));
            if left < needed {
                return bad(format!("{left} cards are left, {needed} are needed at least"));
            }
            continue;
        }
        let cells: Vec<u8> = treated.numbers().map(|cell| cell as u8).collect();
        if cells.len() != board.team {
            return bad(format!(
                "{} cells, expected one for each of {} chariots",
                cells.len(),
                board.team
            ));
        }
        for cell in cells {
            if !board.start.contains(&cell) {
                return bad(format!("{cell} is no cell of the start ({:?})", board.start));
            }
            if board.reserved.contains(&cell) {
                return bad(format!("cell {cell} is given twice"));
            }
            board.reserved.push(cell);
            board.dealt[seat].push(cell);
        }
    }
    Ok(())
}
