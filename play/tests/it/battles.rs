//! Battles as people see them: whoever chooses in one is told where it is, and has a row for each side.

use draw::play::{Asked, DrawnGame, ask, standing};
use engine::{ChanceStreams, Purpose, Randomness, rng};
use sim::any::{AnyGame, Due};
use sim::catalogue::Setup;

#[test]
fn whoever_chooses_in_a_battle_of_classic_sees_its_place_and_both_sides() {
    let game = AnyGame::new(&Setup::new("classic").for_players(3)).unwrap();
    let drawn = DrawnGame::new(game.name(), &game.rules().to_json(), 3);
    let names: Vec<String> = ["Ada", "Bo", "Cy"].map(str::to_owned).to_vec();
    let (mut retreats, mut losses) = (0, 0);
    for block in 0..6 {
        let (mut state, mut chance) = (game.start(), ChanceStreams::new(3, block));
        let mut draws = rng::stream(3, block, Purpose::Analysis);
        loop {
            let seat = match state.due() {
                Due::Over => break,
                Due::Chance => {
                    drop(state.draw(&mut chance));
                    continue;
                }
                Due::Player(seat) => seat,
            };
            let (view, labels) = (state.view_json(seat), state.labels(seat));
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            let (menu, seen) = (ask(&asked, &labels, &[]), standing(&asked));
            assert_eq!(seen.is_some(), view["battle"].is_object(), "{view}");
            if let Some(seen) = seen {
                let title = seen.title.strip_prefix("Battle of ").unwrap();
                let (place, _) = title.split_once(", round ").unwrap();
                let seats: Vec<_> = seen.rows.iter().map(|row| row.seat).collect();
                let named = ["attacker", "defender"]
                    .map(|side| view["battle"][side].as_u64().map(|q| q as usize));
                assert_eq!(seats, named);
                assert!(seats.contains(&Some(seat.idx())), "{seen:?}");
                let cells = seen.rows[0].cells.len();
                assert!(seen.rows.iter().all(|row| row.cells.len() == cells), "{seen:?}");
                match view["battle"]["phase"].as_str().unwrap() {
                    "retreat" => {
                        assert!(menu.question.ends_with(&format!(" retreat from {place}?")));
                        let may_stay = labels.contains(&"stay".to_owned());
                        assert_eq!(menu.repeat.is_some(), may_stay);
                        retreats += 1;
                    }
                    "losses" => {
                        let own = seats.iter().position(|other| *other == Some(seat.idx()));
                        let due = seen.rows[own.unwrap()].cells.last().unwrap();
                        assert!(due.ends_with(" due") && due != "no hits due", "{due}");
                        losses += 1;
                    }
                    _ => {}
                }
            }
            let number = draws.below(labels.len() as u32) as usize;
            state.apply(seat, number).unwrap();
        }
    }
    assert!(retreats > 10 && losses > 5, "{retreats} retreats, {losses} losses");
}
