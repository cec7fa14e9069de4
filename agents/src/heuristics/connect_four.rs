//! The guide of Connect Four: rollouts that take a win and prevent the opponent's win.

use std::convert::Infallible;

use engine::games::connect_four::{ConnectFour, Drop, State};
use engine::{Fast, Game, Player};

use crate::guide::{Choice, Evaluator, Guide, MacroActions, Prior, RolloutPolicy};
use crate::observable::Observable;
use crate::param::Settings;
use crate::playable::Playable;
use crate::search_built_here;
use crate::weighted::Weighted;

impl Playable for ConnectFour {
    /// The default search, with fast rollouts. At equal iterations their gain is much larger than their cost; see
    /// `experiments/search`.
    const SEARCH: &'static str = "rollout=fast";

    type Guide = ConnectFourGuide;

    search_built_here!();

    fn guide(&self, _settings: &Settings) -> Result<ConnectFourGuide, String> {
        Ok(ConnectFourGuide)
    }
}

impl Weighted for ConnectFour {}

impl Observable for ConnectFour {
    // Plain searches with rollouts as random as in other games. The second one takes the general code path, to measure
    // its cost.
    const MEASURED: &'static [&'static str] = &[
        "mcts(iterations=10000, rollout=uniform)",
        "mcts(iterations=10000, rollout=uniform, child_links=off)",
        "mcts(iterations=10000)",
    ];
}

/// A guide that plays decisive moves and anti-decisive moves (Teytaud & Teytaud 2010), and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ConnectFourGuide;

impl Evaluator<ConnectFour> for ConnectFourGuide {}

impl MacroActions<ConnectFour> for ConnectFourGuide {
    type Macro = Infallible;
}

impl Prior<ConnectFour> for ConnectFourGuide {}

impl RolloutPolicy<ConnectFour> for ConnectFourGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    #[inline]
    fn rollout_policy(
        &mut self,
        game: &ConnectFour,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Drop, Infallible> {
        let [win, block] = world.fours();
        let urgent = win.or(block);
        Choice::Ply(
            urgent.unwrap_or_else(|| game.random_action(world, player, rng, &mut Vec::new())),
        )
    }
}

impl Guide<ConnectFour> for ConnectFourGuide {}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Turn, Walk, rng};

    use super::*;

    fn choice(columns: &str) -> u8 {
        let mut state = ConnectFour.start();
        columns.bytes().for_each(|column| ConnectFour.apply(&mut state, Drop(column - b'1')));
        let Turn::Player(mover) = ConnectFour.turn(&state) else { panic!("over: {columns}") };
        let mut dice = rng::fast(&mut rng::stream(1, 0, Purpose::Analysis));
        let Choice::Ply(Drop(column)) =
            ConnectFourGuide.rollout_policy(&ConnectFour, &state, mover, &mut dice);
        column + 1
    }

    #[test]
    fn a_win_is_taken_before_one_is_prevented() {
        assert_eq!(choice("112233"), 4, "the first player wins in the bottom row");
        assert_eq!(choice("11223"), 4, "the second keeps him from it");
        assert_eq!(choice("121212"), 1, "upwards, though the other would win there too");
    }

    /// The bitboards must agree with playing every drop.
    #[test]
    fn fours_are_those_that_playing_finds() {
        let (mut n_mine, mut n_theirs) = (0, 0);
        for index in 0..2_000 {
            let mut walk = Walk::new(&ConnectFour, 12, index);
            while walk.next().is_some() {
                let state = *walk.state();
                let Turn::Player(mover) = ConnectFour.turn(&state) else { break };
                let [mine, theirs] = state.fours();
                let mut drops = Vec::new();
                ConnectFour.actions(&state, mover, &mut drops);
                let wins = |drop: &&Drop| {
                    let mut after = state;
                    ConnectFour.apply(&mut after, **drop);
                    // A full board may end the game without a four.
                    ConnectFour.turn(&after) == Turn::Over
                        && (ConnectFour.payoffs(&after)[mover] - 1.0).abs() < 1e-6
                };
                if drops.len() > 2 {
                    assert_eq!(mine, drops.iter().find(wins).copied(), "{state:?}");
                }
                n_mine += u32::from(mine.is_some());
                n_theirs += u32::from(theirs.is_some());
            }
        }
        assert!(n_mine > 2_000 && n_theirs > 2_000, "{n_mine} {n_theirs}");
    }
}
