"""Environments of PettingZoo: `env` in turns, and `parallel_env` for all players at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo.utils.env import AECEnv, ParallelEnv

from caesar import Error, Game, State, load_game
from caesar._runs import Rules


class _Table:
    """What both environments share: a game, its spaces and its position."""

    render_mode: str | None
    _state: State

    def _open(self, game: str | Game, players: int | None, rules: Rules, mode: str | None, more: int) -> None:
        self.game = game if isinstance(game, Game) else load_game(game, players, rules)
        if mode not in (None, "ansi", "human"):
            raise ValueError(f"render_mode {mode!r}: None, 'ansi' or 'human'")
        self.render_mode = mode
        self.metadata = {
            "name": f"caesar_{self.game.name.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players())]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        n = self.game.num_distinct_actions() + more
        numbers = spaces.Box(-np.inf, np.inf, self.game.observation_tensor_shape(), np.float32)
        mask = spaces.Box(0, 1, (n,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(n) for agent in self.possible_agents}
        self._rng, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def _restart(self, seed: int | None) -> None:
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        # A seed is that of the command; without one, games follow from the last seed.
        self._state = self.game.new_initial_state(int(self._rng.integers(2**32)) if seed is None else seed)
        self._state.play_chance()
        self.agents = list(self.possible_agents)

    def render(self) -> str | None:
        """Return the position as text, or print it in the mode 'human'."""
        if self.render_mode == "human":
            print(self._state)
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class AEC(_Table, AECEnv):  # type: ignore[misc]
    """A game in turns. Choices made at once are asked for one after the other, and stay secret until the last."""

    def __init__(self, game: str | Game, players: int | None, rules: Rules, render_mode: str | None) -> None:
        super().__init__()
        self._open(game, players, rules, render_mode, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; its dice follow from `seed`."""
        self._restart(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[max(self._state.next_player(), 0)]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees."""
        seat = self._seats[agent]
        is_due = self._state.next_player() == seat
        mask = self._state.legal_actions_mask(seat) if is_due else np.zeros(self.action_spaces[agent].n, np.int8)
        return {"observation": self._state.observation_tensor(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Apply an action of the agent selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to choose an action")
        self._cumulative_rewards[agent] = 0.0
        self._state.apply_action(int(action), self._seats[agent])
        self._state.play_chance()
        if self._state.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self._state.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        else:
            # Rewards are those of the end: until then they are zero, and nothing is to add.
            self._select()


class Parallel(_Table, ParallelEnv):  # type: ignore[misc]
    """A game in which all agents act in each step. Whoever has no choice has one action, the last: to do nothing. An action
    that is not legal forfeits the game, which ends."""

    def __init__(self, game: str | Game, players: int | None, rules: Rules, render_mode: str | None) -> None:
        self._open(game, players, rules, render_mode, 1)
        self.noop = self.game.num_distinct_actions()

    def _observed(self) -> dict[str, dict[str, Any]]:
        observed = {}
        for agent, seat in self._seats.items():
            mask = np.append(self._state.legal_actions_mask(seat), np.int8(0))
            mask[self.noop] = not mask.any()
            observed[agent] = {"observation": self._state.observation_tensor(seat), "action_mask": mask}
        return observed

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin a game; its dice follow from `seed`."""
        self._restart(seed)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Apply the actions of all agents who have a choice; those of the others are not looked at."""
        if not self.agents:
            raise Error("no game is under way: reset")
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        legal = {agent: self._state.legal_actions(seat) for agent, seat in self._seats.items()}
        missing = [agent for agent in self.agents if legal[agent] and agent not in actions]
        if missing:
            raise Error(f"no action of {', '.join(missing)}: whoever has a choice has to choose")
        wrong = [agent for agent in self.agents if legal[agent] and actions[agent] not in legal[agent]]
        if wrong:
            # As everywhere, others share the point.
            rewards = {agent: float(agent not in wrong) for agent in self.agents}
            rewards = {agent: point / max(sum(rewards.values()), 1.0) for agent, point in rewards.items()}
            for agent in wrong:
                infos[agent]["forfeit"] = f"illegal action {actions[agent]}"
        else:
            if self._state.is_simultaneous_node():
                self._state.apply_actions([int(actions[agent]) for agent in self.possible_agents])
            else:
                self._state.apply_action(int(actions[self.possible_agents[self._state.current_player()]]))
            self._state.play_chance()
            rewards = dict(zip(self.possible_agents, self._state.returns()))
        is_over = bool(wrong) or self._state.is_terminal()
        over = dict.fromkeys(self.agents, is_over)
        seen = self._observed()
        truncations = dict.fromkeys(self.agents, False)
        if is_over:
            self.agents = []
        return seen, rewards, over, truncations, infos


def env(game: str | Game, players: int | None = None, rules: Rules = None, render_mode: str | None = None) -> AEC:
    """Return the environment of a game in turns."""
    return AEC(game, players, rules, render_mode)


def parallel_env(
    game: str | Game, players: int | None = None, rules: Rules = None, render_mode: str | None = None
) -> Parallel:
    """Return the environment of a game in which all agents act in each step."""
    return Parallel(game, players, rules, render_mode)
