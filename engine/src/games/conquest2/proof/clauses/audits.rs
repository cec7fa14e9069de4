//! Tests of the audit: it finds every kind of slip.

use super::Position;
use crate::games::conquest2::PlaceSet;
use crate::player::Player;

type Slip<'a> = &'a dyn Fn(&mut Position);

#[test]
fn a_slip_in_any_account_is_found() {
    let finding = |slip: Slip<'_>| {
        let mut position =
            Position::new(3).units(0, "egypt", [2, 0, 0, 1]).influence(1, "asia", 1).ready();
        slip(&mut position);
        position.game.audit(&position.state).expect_err("a slip")
    };
    let cases: [(Slip<'_>, &str); 9] = [
        (&|p| p.state.pool.0[0][0] += 1, "player 0 has 21 infantry of 20"),
        (&|p| p.state.army.0[0] = PlaceSet::EMPTY, "army mask of player 0 in province 19"),
        (
            &|p| p.state.leaders.0[1] = PlaceSet::from_bits(1),
            "leader mask of player 1 in province 0",
        ),
        (&|p| p.state.supply.0[1] -= 1, "player 1 has 17 influence of 18"),
        (&|p| p.state.money.0[2] = 65_531, "player 2 has 65531 talents, at most 5640"),
        (&|p| p.state.money.0[2] = 83, "player 2 has 83 talents, no multiple of 5"),
        (&|p| p.state.senators.0[0][1] = 7, "14 of 8 senator-2"),
        (&|p| p.state.order[0] = Player::new(2), "order [2, 1, 2] with unallied 0"),
        (&|p| p.state.money.0[0] = 0, "stale options in Top"),
    ];
    for (slip, complaint) in cases {
        assert_eq!(finding(slip), complaint);
    }
}
