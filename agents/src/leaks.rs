//! Tools that test honesty: positions that a player cannot distinguish, and an agent's decision in each of them.
//!
//! An agent gets a [`View`](engine::View). Its decision may depend only on the knowledge of its seat and on its random
//! numbers. So it must decide equally in any two [`determinizations`] of one information state, with equal random
//! numbers and without memory ([`decide`]).

use engine::{Game, Player, Randomness, Stream};

use crate::agent::{Agent, Fault, SearchReport, view_for};
use crate::game_end::GameEnd;

/// Draws `n` worlds from the posterior of `player` and returns the distinct ones other than `state`, in the order of
/// drawing. The list is empty if the player has full information.
pub fn determinizations<G: Game, R: Randomness + ?Sized>(
    game: &G,
    state: &G::State,
    player: Player,
    n: usize,
    rng: &mut R,
) -> Vec<G::State> {
    let mut found = Vec::new();
    for _ in 0..n {
        let mut world = *state;
        game.determinize(&mut world, player, rng);
        if world != *state && !found.contains(&world) {
            found.push(world);
        }
    }
    found
}

/// An agent's decision, with the report of its search.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// The chosen action.
    pub action: A,
    /// The report of the search; `None` for agents that do not search.
    pub report: Option<SearchReport>,
}

/// Returns the decision of `agent` for `player` in `state`, as a newly seated agent.
///
/// # Errors
/// If the agent cannot play on.
pub fn decide<G: Game>(
    agent: &mut dyn Agent<G>,
    game: &G,
    state: &G::State,
    player: Player,
    rng: &mut Stream,
) -> Result<Decision<G::Action>, Fault> {
    agent.start(game, player);
    can_go_on(agent)?;
    let action = agent.choose(view_for(&*agent, game, state, player), rng);
    can_go_on(agent)?;
    let report = agent.report(game);
    agent.end(GameEnd::new(game, state, None));
    can_go_on(agent)?;
    Ok(Decision { action, report })
}

fn can_go_on<G: Game>(agent: &mut dyn Agent<G>) -> Result<(), Fault> {
    agent.fault().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use engine::games::kuhn_poker::KuhnPoker;
    use engine::rng::stream;
    use engine::{Configure, Purpose, Rules, Walk};

    use super::*;

    #[test]
    fn determinizations_are_those_that_the_player_cannot_tell_from_the_state_each_once() {
        let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
        let mut walk = Walk::new(&game, 1, 0);
        walk.next().unwrap();
        let (state, mut rng) = (*walk.state(), stream(1, 0, Purpose::Analysis));
        for player in Player::all(2) {
            // The player sees one of three cards, so the opponent holds one of the other two.
            let found = determinizations(&game, &state, player, 40, &mut rng);
            assert_eq!(found.len(), 1);
            assert_eq!(game.info_state_key(&found[0], player), game.info_state_key(&state, player));
            assert_ne!(found[0], state);
        }
        assert!(determinizations(&game, &game.start(), Player::new(0), 40, &mut rng).is_empty());
    }
}
