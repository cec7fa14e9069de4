//! Treatments of a game: other forces at the start, another first side, no Hannibal.

use super::board::Board;
use super::config::SIDES;
use super::limits::MAX_PIECES;
use super::state::{CARTHAGE, ROME};
use crate::player::Player;
use crate::rules::{BadRules, Rules};
use crate::treatment::{Amount, Kind, Step, Treatment};

const PIECES: i64 = MAX_PIECES as i64;

/// All treatments of hannibal; maps are a key of the rules.
pub(super) const TREATMENTS: &[Treatment] = &[
    Treatment {
        id: "ban.hannibal",
        kind: Kind::Ban,
        key: &[Step::Word("ban"), Step::Word("hannibal")],
        amount: Amount::Switch,
        meaning: "Hannibal is not there from the start",
    },
    Treatment {
        id: "forced.first",
        kind: Kind::Forced,
        key: &[Step::Word("forced"), Step::Word("first")],
        amount: Amount::Seat,
        meaning: "this seat moves first",
    },
    Treatment {
        id: "gift.legions",
        kind: Kind::Start,
        key: &[Step::Word("gift"), Step::Seat, Step::Word("legions")],
        amount: Amount::Number { least: -PIECES, most: PIECES, unit: "legions" },
        meaning: "they start with so many legions more, or fewer, in their capital",
    },
    Treatment {
        id: "gift.fleets",
        kind: Kind::Start,
        key: &[Step::Word("gift"), Step::Seat, Step::Word("fleets")],
        amount: Amount::Number { least: -PIECES, most: PIECES, unit: "fleets" },
        meaning: "they start with so many fleets more, or fewer",
    },
];

/// Changes the set-up on the board by the treatments of `rules`.
pub(super) fn treat(board: &mut Board, rules: &Rules) -> Result<(), BadRules> {
    for treated in rules.treated(SIDES.len())? {
        let bad = |n: i64, least: i64| {
            let message = format!("that makes {n}, out of range ({least} to {PIECES})");
            Err(rules.bad(&treated.key, message))
        };
        let number = treated.number();
        match (treated.treatment.id, treated.seat) {
            ("ban.hannibal", _) => board.sides[CARTHAGE].has_hannibal = false,
            ("forced.first", _) => board.first = Player::of(number as u8),
            ("gift.legions", Some(seat)) => {
                let side = &mut board.sides[seat.idx()];
                let legions = i64::from(side.legions) + number;
                if !(0..=PIECES).contains(&legions) {
                    return bad(legions, 0);
                }
                side.legions = legions as u8;
            }
            (_, Some(seat)) => {
                let side = &mut board.sides[seat.idx()];
                let fleets = i64::from(side.fleets) + number;
                if !(0..=PIECES).contains(&fleets) {
                    return bad(fleets, 0);
                }
                side.fleets = fleets as u8;
            }
            (id, None) => unreachable!("{id} names a seat"),
        }
    }
    let [carthage, rome] = &board.sides;
    let has_nothing = |seat: usize| {
        let side = &board.sides[seat];
        side.legions == 0 && !(side.has_hannibal && seat == CARTHAGE)
    };
    if let Some(seat) = [CARTHAGE, ROME].into_iter().find(|&seat| has_nothing(seat)) {
        let key = format!("gift.seat{seat}.legions");
        let keys = [key.as_str(), "ban.hannibal"];
        return Err(rules.bad_among(&keys, format!("{} has no legion to start with", SIDES[seat])));
    }
    if carthage.fleet_route == rome.fleet_route && carthage.fleets > 0 && rome.fleets > 0 {
        let keys = ["gift.seat0.fleets", "gift.seat1.fleets", "rome.fleet-route"];
        return Err(rules.bad_among(&keys, "fleets of both sides cannot start on one route"));
    }
    Ok(())
}
