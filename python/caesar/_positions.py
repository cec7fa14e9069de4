"""Positions of recorded games, as data to learn from."""

from __future__ import annotations

import os
from typing import Any

from caesar import _native
from caesar._tables import Table


def _text(path: str | os.PathLike[str]) -> str:
    # Not at the top: the command starts sooner without.
    import gzip
    import zlib

    name = os.fspath(path)
    if name.endswith(".zst"):
        raise _native.Error(f"{name}: Python has no Zstandard: write records as .jsonl or .jsonl.gz")
    try:
        with gzip.open(name, "rt", encoding="utf-8") if name.endswith(".gz") else open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise _native.Error(f"{name}: {error}") from None


def positions(path: str | os.PathLike[str], labels: str | None = None, *, seed: int = 0) -> Table:
    """Return a table of the choices in recorded games: what the player saw, a policy, and the points in the end.

    `labels` is the spec of a search, as "mcts(iterations=500)". The policy is its share of visits for each action, and
    the column `search_value` is what it expects for the player. Without it the policy is the action that was chosen.
    Games that were broken off are left out.
    """
    # Not at the top: it takes longer than the rest of `import caesar`.
    import numpy as np

    columns: dict[str, list[Any]] = {}

    def add(**row: Any) -> None:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)

    for number, record in enumerate(_native.records(_text(path)), 1):
        try:
            choices, points = _native.replay(record)
        except _native.Error as error:
            raise _native.Error(f"{os.fspath(path)}: game {number}: {error}") from None
        if points is None or not choices:
            continue
        game = choices[0][0].get_game()
        bot = game.agent(labels, seed=seed + number) if labels is not None else None
        for ply, (state, player, action) in enumerate(choices, 1):
            view = state.view(player)
            policy = np.zeros(game.num_distinct_actions(), np.float32)
            searched = {}
            if bot is None:
                policy[action] = 1
            else:
                report = bot.search(view)
                total = sum(option["visits"] for option in report.options)
                for option in report.options:
                    policy[view.string_to_action(option["action"])] += option["visits"] / total
                value = sum(option["visits"] * option["values"][player] for option in report.options)
                searched["search_value"] = value / total
            add(
                game=number,
                ply=ply,
                player=player,
                action=action,
                features=view.observation_tensor(),
                mask=view.legal_actions_mask(),
                policy=policy,
                value=np.array(points, np.float32),
                **searched,
            )
    return Table(columns)
