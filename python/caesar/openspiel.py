"""Games for the algorithms of OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from caesar import Game, State


class Wrapped:
    """A game with the type that OpenSpiel's algorithms ask for."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def get_type(self) -> Any:
        """Return the type of the game, as pyspiel has it."""
        kind = pyspiel.GameType
        game = self._game
        return kind(
            short_name=game.name,
            long_name=game.title,
            dynamics=kind.Dynamics.SIMULTANEOUS if game.chooses_at_once else kind.Dynamics.SEQUENTIAL,
            chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else kind.ChanceMode.DETERMINISTIC,
            information=kind.Information.IMPERFECT_INFORMATION if game.hides else kind.Information.PERFECT_INFORMATION,
            utility=kind.Utility.CONSTANT_SUM,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=game.num_players(),
            min_num_players=game.num_players(),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )

    def new_initial_state(self, seed: int = 0) -> State:
        """Return the position before the first event."""
        return self._game.new_initial_state(seed)

    def new_initial_states(self) -> list[State]:
        """Return the positions that a game can begin from: there is one."""
        return [self._game.new_initial_state()]


def wrap(game: Game) -> Wrapped:
    """Return a game as OpenSpiel's algorithms want it."""
    return Wrapped(game)
