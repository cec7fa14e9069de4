"""The package beside numpy alone: a script that `check` runs on every CPython that it finds, in an empty environment and
without cargo on the PATH."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.metadata import distributions
from pathlib import Path

SINCE = time.process_time()

import caesar

MILLISECONDS = 1000 * (time.process_time() - SINCE)
assert "numpy" not in sys.modules, "numpy takes longer than all of caesar, and not every program needs it"

import numpy as np


class Last(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        return view.legal_actions()[-1]


def play(game: caesar.Game) -> None:
    """Play a random game by the names of OpenSpiel, and carry it through a pickle on the way."""
    state, rng = game.new_initial_state(seed=7), random.Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
        elif state.is_simultaneous_node():
            choices = [state.legal_actions(player) for player in range(game.num_players())]
            state.apply_actions([rng.choice(legal) if legal else -1 for legal in choices])
        else:
            view = state.view()
            assert np.flatnonzero(view.legal_actions_mask()).tolist() == state.legal_actions()
            assert view.observation_tensor().shape == tuple(game.observation_tensor_shape())
            state.apply_action(rng.choice(state.legal_actions()))
        if state.move_number() == 5:
            state = pickle.loads(pickle.dumps(copy.deepcopy(state)))
    assert abs(sum(state.returns()) - 1) < 1e-6, (game.name, state.returns())


def same_files(folder: Path) -> None:
    """Play a tournament here and by the command, and compare what they write."""
    agents = ["greedy", "random", "mcts(iterations=20)"]
    here = caesar.tournament(agents, "conquest2", players=3, blocks=2, seed=5, out=folder / "here")
    command = Path(sysconfig.get_path("scripts")) / "caesar"
    words = [f"--agent={agent}" for agent in agents]
    options = ["--game=conquest2", "--players=3", "--blocks=2", "--seed=5", f"--out={folder / 'there'}"]
    subprocess.run([command, "tournament", *words, *options], check=True, stdout=subprocess.DEVNULL)
    for name in ("games.csv", "summary.json", "manifest.json"):
        assert (folder / "here" / name).read_bytes() == (folder / "there" / name).read_bytes(), name
    assert len(here.games) == here.summary["games"] == 6
    wrong = subprocess.run([command, "tournament", "--game=chess"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "unknown game" in wrong.stderr


def main() -> None:
    others = {found.metadata["Name"] for found in distributions()} - {"pip", "setuptools", "caesar-lab", "numpy"}
    assert not others, f"the environment is not empty: {others}"
    for name in caesar.registered_names():
        play(caesar.load_game(name))
    report = caesar.load_game("connect-four").agent("mcts(iterations=200)", seed=1).search(
        caesar.load_game("connect-four").new_initial_state().view()
    )
    assert sum(report.visits.values()) == 200
    run = caesar.tournament([Last, "random"], "pig", blocks=4, seed=1)
    assert run.code == 0 and len(run.games) == 8 and "Last" in run.text, run.notes
    with tempfile.TemporaryDirectory() as folder:
        same_files(Path(folder))
    try:
        caesar.pettingzoo
    except ModuleNotFoundError as fault:
        assert fault.name in ("gymnasium", "pettingzoo"), fault
    else:
        raise AssertionError("PettingZoo is not installed here")
    try:
        caesar.load_game("chess")
    except caesar.Error as fault:
        assert "unknown game" in str(fault)
    else:
        raise AssertionError("chess is no game here")
    print(f"CPython {sys.version.split()[0]} with numpy {np.__version__}: passed; import {MILLISECONDS:.0f} ms")


main()
