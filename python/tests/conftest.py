"""Helpers of the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import caesar


def positions(game: caesar.Game, seed: int, n: int = 1) -> Iterator[caesar.State]:
    """Play random games and return every position."""
    rng = random.Random(seed)
    for number in range(n):
        state = game.new_initial_state(seed + number)
        while True:
            yield state
            if state.is_terminal():
                break
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            elif state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p) or [-1]) for p in range(state.num_players())])
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def rolled() -> caesar.View:
    """Return the view of a choice in pig."""
    state = caesar.load_game("pig").new_initial_state(seed=2)
    state.play_chance()
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
        state.play_chance()
    return state.view()
