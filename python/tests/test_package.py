"""The package as a whole: its name, and other processes."""

from __future__ import annotations

import copy
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import caesar
from conftest import positions


def test_another_package_of_the_name_is_named(tmp_path: Path) -> None:
    shutil.copytree(Path(caesar.__file__).parent, tmp_path / "caesar")
    words = [sys.executable, "-c", "import caesar; print(caesar.__file__)"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    alone = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert str(tmp_path) in alone.stdout, alone.stderr
    (tmp_path / "caesar-9.1.dist-info").mkdir()
    beside = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert beside.returncode == 1 and f"the package caesar 9.1 in {tmp_path}" in beside.stderr


def choice(position: tuple[caesar.Bot, caesar.State]) -> tuple[int, str]:
    bot, state = position
    return bot.choose(state.view()), state.to_json()


def test_spawned_processes_choose_alike() -> None:
    game = caesar.load_game("goofspiel", players=3)
    bot = game.agent("mcts(iterations=50)", seed=4)
    # `positions` plays on with one state.
    states = [copy.copy(state) for state in positions(game, 1) if state.is_simultaneous_node()][:8]
    # A pickled agent has the random numbers of a new one.
    here = [choice((game.agent(bot.spec, seed=4), state)) for state in states]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(choice, [(bot, state) for state in states]) == here
    assert len(here) > 3
