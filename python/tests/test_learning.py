"""A learner of others on our environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import caesar.gymnasium

WHY = "MaskablePPO needs torch, some gigabytes: LEARNING_TESTS=1 python/check installs requirements-learning.txt"


# Environments that a policy is asked about in one call, which costs as much as one.
TOGETHER = 16


def game() -> Any:
    """Return tic-tac-toe against random play, from both seats."""
    return gymnasium.make("caesar/tic-tac-toe-v0", opponents=["random"], seat="random")


def share(model: Any, games: int) -> float:
    """Return the mean points of a policy."""
    env = game()
    points = 0.0
    for seed in range(games):
        seen, _ = env.reset(seed=10_000 + seed)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=True)
            seen, reward, over, *_ = env.step(int(action))
            points += float(reward)
    return points / games


def test_maskable_ppo_learns_tic_tac_toe() -> None:
    learners = pytest.importorskip("sb3_contrib", reason=WHY)
    several = pytest.importorskip("stable_baselines3.common.env_util").make_vec_env
    # Nets as small as these are slower on several threads.
    pytest.importorskip("torch").set_num_threads(1)
    env = several(game, n_envs=TOGETHER, seed=1)
    # A game is three or four steps long.
    model = learners.MaskablePPO(
        "MultiInputPolicy", env, seed=1, gamma=1.0, n_steps=1024 // TOGETHER, batch_size=256, learning_rate=1e-3
    )
    before = share(model, 400)
    model.learn(80_000)
    after = share(model, 1_000)
    print(f"MaskablePPO: {before:.3f} before, {after:.3f} after 80,000 steps")
    assert np.isfinite(after) and before < 0.8 and after >= 0.9
