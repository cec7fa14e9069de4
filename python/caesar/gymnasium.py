"""Environments of Gymnasium: one seat, against agents of the toolkit or of Python. The import registers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from caesar import Game, State, load_game, registered_names
from caesar._agents import maker
from caesar._runs import Rules


class Seat(gymnasium.Env[dict[str, Any], np.int64]):
    """A seat of a game. An action that is not legal forfeits the game: it ends, and the reward is 0."""

    metadata = {"render_modes": ["ansi"]}
    _state: State

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[Any] = (),
        seat: int | str = "random",
        players: int | None = None,
        rules: Rules = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else load_game(game, players, rules)
        n = self.game.num_players()
        self._specs = [one if isinstance(one, str) else maker(one) for one in opponents] or ["random"] * (n - 1)
        if len(self._specs) != n - 1:
            raise ValueError(f"{len(self._specs)} opponents: {self.game.name} with {n} players has {n - 1}")
        if seat != "random" and seat not in range(n):
            raise ValueError(f"seat {seat!r}: 'random', or 0 to {n - 1}")
        self._asked = seat
        self.render_mode = render_mode
        n_actions = self.game.num_distinct_actions()
        self.action_space = spaces.Discrete(n_actions)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self.game.observation_tensor_shape(), np.float32),
                "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
            }
        )
        self.seat = 0

    def _agent(self, spec: Any, seed: int) -> Any:
        return self.game.agent(spec, seed) if isinstance(spec, str) else spec()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; its dice follow from `seed`, which is that of the command."""
        super().reset(seed=seed)
        dice = int(self.np_random.integers(2**32)) if seed is None else seed
        n = self.game.num_players()
        self.seat = int(self.np_random.integers(n)) if self._asked == "random" else int(self._asked)
        others = [other for other in range(n) if other != self.seat]
        self._others = {other: self._agent(spec, dice) for other, spec in zip(others, self._specs)}
        for other, agent in self._others.items():
            if hasattr(agent, "start"):
                agent.start(other)
        self._state = self.game.new_initial_state(dice)
        self._play_on()
        return self._seen(), {"seat": self.seat}

    def _play_on(self) -> None:
        """Play to the next choice of the seat."""
        self._state.play_chance()
        while (player := self._state.next_player()) >= 0 and player != self.seat:
            self._state.apply_action(self._others[player].choose(self._state.view(player)), player)
            self._state.play_chance()

    def _seen(self) -> dict[str, Any]:
        return {"observation": self._state.observation_tensor(self.seat), "action_mask": self.action_masks()}

    def action_masks(self) -> Any:
        """Return the mask of the legal actions, 1 for each."""
        return self._state.legal_actions_mask(self.seat)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Apply an action of the seat, and play to its next choice."""
        if int(action) not in self._state.legal_actions(self.seat):
            return self._seen(), 0.0, True, False, {"seat": self.seat, "forfeit": "illegal action"}
        self._state.apply_action(int(action), self.seat)
        self._play_on()
        reward = float(self._state.returns()[self.seat])
        return self._seen(), reward, self._state.is_terminal(), False, {"seat": self.seat}

    def render(self) -> Any:
        """Return what the seat sees as text."""
        return self._state.observation_string(self.seat) if self.render_mode == "ansi" else None


def register() -> None:
    """Register `caesar/GAME-v0` for every game."""
    for name in registered_names():
        if f"caesar/{name}-v0" in gymnasium.registry:
            continue
        gymnasium.register(
            f"caesar/{name}-v0", entry_point="caesar.gymnasium:Seat", kwargs={"game": name}, disable_env_checker=True
        )


register()
