"""A learner of others on our environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import caesar.gymnasium

WHY = "MaskablePPO needs torch, some gigabytes that requirements-test.txt leaves out: pip install sb3-contrib"


def share(model: Any, games: int) -> float:
    """Return the mean points of a policy against random play, from both seats."""
    env: Any = gymnasium.make("caesar/tic-tac-toe-v0", opponents=["random"], seat="random")
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
    env = gymnasium.make("caesar/tic-tac-toe-v0", opponents=["random"], seat="random")
    # A game is three or four steps long. 70 s of processor time in all.
    model = learners.MaskablePPO("MultiInputPolicy", env, seed=1, gamma=1.0, n_steps=1024, batch_size=256, learning_rate=1e-3)
    before = share(model, 400)
    model.learn(40_000)
    after = share(model, 1_000)
    print(f"MaskablePPO: {before:.3f} before, {after:.3f} after 40,000 steps")
    assert np.isfinite(after) and before < 0.8 and after >= 0.9
