//! What honesty is tested with: positions that a player cannot tell apart, and what an agent decides in each of them.
//!
//! An agent gets a [`View`](engine::View), so what it decides may depend on what its seat knows and on its random
//! numbers, on nothing else. Asked in two [`determinizations`] of one information state, with the same numbers and as if it had just sat
//! down ([`decide`]), it must decide the same.

use engine::{Game, Player, Randomness, Stream};

use crate::agent::{Agent, Fault, SearchReport, view_for};

/// The worlds other than `state` among `n` that `player` holds possible there, drawn from the posterior: each once, in
/// the order in which they were drawn. None where he knows everything.
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

/// What an agent decided, and how it came to that.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// What it chose.
    pub action: A,
    /// What it says of its search; `None` for agents that do not search.
    pub report: Option<SearchReport>,
}

/// What `agent` decides for `player` in `state` as if it had just sat down, in a game that ends there.
///
/// # Errors
/// If it cannot play on.
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
    agent.end();
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
            // Of three cards a player sees one, so the other has one of two.
            let found = determinizations(&game, &state, player, 40, &mut rng);
            assert_eq!(found.len(), 1);
            assert_eq!(game.info_state_key(&found[0], player), game.info_state_key(&state, player));
            assert_ne!(found[0], state);
        }
        assert!(determinizations(&game, &game.start(), Player::new(0), 40, &mut rng).is_empty());
    }
}
