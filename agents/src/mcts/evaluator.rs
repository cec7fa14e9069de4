//! Utilities of a position for each player, and the credit that a mover takes from them.

use engine::{ByPlayer, Game, Player, PlayerSet, Turn};

use super::config::{Config, OpponentModel, Utility};
use super::select::softmax;
use crate::guide::Evaluator;

/// Returns the utilities of all players, each in `[0, 1]`. The position is the end of a game or the horizon of an
/// iteration. At the end the winner is known, with tie-breaks, so no estimate is used.
pub(crate) fn utilities<G: Game, H: Evaluator<G>>(
    game: &G,
    world: &G::State,
    config: &Config,
    guide: &mut H,
) -> ByPlayer<f32> {
    let is_over = game.turn(world) == Turn::Over;
    match config.utility {
        Utility::Share if is_over => shares(game, world),
        _ if is_over => game.payoffs(world),
        Utility::Points | Utility::Share => chances(game, world, config, guide),
        Utility::Logistic if H::CAN_ESTIMATE => {
            let scale = config.scale * guide.logistic_scale(game, world);
            leads(&guide.estimate(game, world), game.n_players(), |lead| logistic(lead / scale))
        }
        Utility::Logistic => game.payoffs(world),
    }
}

/// Returns a function of each player's lead over the best rival.
fn leads(values: &ByPlayer<f32>, n: usize, of: impl Fn(f32) -> f32) -> ByPlayer<f32> {
    let mut all = ByPlayer::default();
    for player in Player::all(n) {
        let rivals = Player::all(n).filter(|&rival| rival != player).map(|rival| values[rival]);
        all[player] = of(values[player] - rivals.fold(f32::MIN, f32::max));
    }
    all
}

/// Returns `1 / (1 + e^-x)`.
pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// Returns each player's share of the sum of scores, none below zero; points if there are no scores.
fn shares<G: Game>(game: &G, world: &G::State) -> ByPlayer<f32> {
    let n = game.n_players();
    let Some(scores) = game.scores(world) else { return game.payoffs(world) };
    let least = scores.first(n).iter().copied().min().unwrap_or(0).min(0);
    let sum: i32 = scores.first(n).iter().map(|score| score - least).sum();
    if sum == 0 {
        return game.payoffs(world);
    }
    ByPlayer(scores.0.map(|score| (score - least).max(0) as f32 / sum as f32))
}

/// Returns estimated win probabilities, which add up to one.
fn chances<G: Game, H: Evaluator<G>>(
    game: &G,
    world: &G::State,
    config: &Config,
    guide: &mut H,
) -> ByPlayer<f32> {
    let scale = config.scale * guide.softmax_scale(game, world);
    let mut values = guide.estimate(game, world);
    softmax(&mut values.0[..game.n_players()], scale);
    values
}

/// Returns the value of an iteration for the mover of a node, in `[0, 1]`, under the opponent model of the searching
/// player `me`.
pub(super) fn credit(
    utilities: &ByPlayer<f32>,
    mover: Player,
    me: Player,
    allies: PlayerSet,
    config: &Config,
) -> f32 {
    match config.opponent_model {
        OpponentModel::MaxN | OpponentModel::SelfOnly => utilities[mover],
        OpponentModel::Paranoid if mover == me => utilities[me],
        OpponentModel::Paranoid => 1.0 - utilities[me],
        OpponentModel::Alliance => {
            let theirs: f32 = allies.iter().map(|ally| utilities[ally]).sum();
            (utilities[mover] + config.ally * theirs) / (1.0 + config.ally * allies.len() as f32)
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Configure, Rules, Walk};

    use super::*;
    use crate::of_game::OfGame;
    use crate::param::Settings;
    use crate::playable::Playable;

    /// Returns the end of a random game.
    fn end<G: Game>(game: &G, index: u64) -> G::State {
        let mut walk = Walk::new(game, 1, index);
        walk.by_ref().for_each(drop);
        *walk.state()
    }

    /// Checks that an agent that maximizes points or the lead gets the points at the end of `game`.
    fn check_end<G: Playable>(game: &G, world: &G::State) {
        let mut guide = game.guide(&Settings::default()).expect("the plain guide");
        let usual = Config::default().with(&OfGame::of::<G>().search_settings());
        for utility in [Utility::Points, Utility::Logistic] {
            let config = Config { utility, ..usual };
            let found = utilities(game, world, &config, &mut guide);
            assert_eq!(found, game.payoffs(world), "{} by {}", G::about().name, utility.word());
        }
    }

    macro_rules! every_game {
        ($($name:literal => $game:ty),* $(,)?) => {
            #[test]
            fn the_end_of_any_game_is_worth_its_points() {
                $(
                    let players = *<$game>::about().players.start();
                    let game = <$game>::configure(players, &Rules::of::<$game>()).expect($name);
                    (0..5).for_each(|index| check_end(&game, &end(&game, index)));
                )*
            }
        };
    }
    engine::catalogue!(every_game);

    #[test]
    fn the_paranoid_see_enemies_everywhere() {
        let utilities = ByPlayer([0.2, 0.5, 0.3, 0.0, 0.0, 0.0]);
        let [me, other, ally] = [0, 1, 2].map(Player::new);
        let credit = |opponent_model, mover, allies| {
            let config = Config { opponent_model, ally: 0.5, ..Config::default() };
            credit(&utilities, mover, me, allies, &config)
        };
        let nobody = PlayerSet::default();
        assert!((credit(OpponentModel::MaxN, other, nobody) - 0.5).abs() < 1e-6);
        assert!((credit(OpponentModel::Paranoid, other, nobody) - 0.8).abs() < 1e-6);
        assert!((credit(OpponentModel::Paranoid, me, nobody) - 0.2).abs() < 1e-6);
        let mut allies = PlayerSet::default();
        allies.insert(ally);
        assert!((credit(OpponentModel::Alliance, other, allies) - 0.65 / 1.5).abs() < 1e-6);
        assert!((credit(OpponentModel::Alliance, other, nobody) - 0.5).abs() < 1e-6);
    }
}
