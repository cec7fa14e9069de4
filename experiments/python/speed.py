"""Measures the speed of the Python package on one core: `python experiments/python/speed.py`.

Needs `caesar` of a release build, and open_spiel, pettingzoo and pettingzoo[classic] for comparisons; what is missing is left out.
"""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import caesar
import caesar.pettingzoo

SECONDS = 3.0
ROUNDS = 3


def rate(play: Callable[[], int]) -> float:
    """Return steps per second, the median of some rounds."""
    rates = []
    for _ in range(ROUNDS):
        steps, since = 0, time.perf_counter()
        while time.perf_counter() - since < SECONDS:
            steps += play()
        rates.append(steps / (time.perf_counter() - since))
    return sorted(rates)[ROUNDS // 2]


def stepping(new: Callable[[], Any]) -> Callable[[], int]:
    """Return a function that plays a random game by the names of OpenSpiel."""
    choose = random.Random(1).choice

    def play() -> int:
        state, steps = new(), 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            steps += 1
        return steps

    return play


def turns(env: Any) -> Callable[[], int]:
    """Return a function that plays a random game of PettingZoo, with observation and mask."""
    choose = random.Random(1).choice

    def play() -> int:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else choose(seen["action_mask"].nonzero()[0].tolist()))
            steps += 1
        return steps

    return play


def vector(name: str, n: int) -> Callable[[], int]:
    """Return a function that steps many games at once."""
    games = caesar.VectorEnv(name, n, seed=1)

    def play() -> int:
        games.step(games.sample())
        return n

    return play


def against(name: str, ours: float, label: str, theirs: float) -> None:
    print(f"| {name} | {ours:,.0f} | {label} {theirs:,.0f} | {ours / theirs:.1f} |")


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print("| steps a second on one core | caesar | other | ratio |\n| --- | ---: | ---: | ---: |")
    for ours, theirs in [("connect-four", "connect_four"), ("tic-tac-toe", "tic_tac_toe")]:
        here = rate(stepping(caesar.load_game(ours).new_initial_state))
        try:
            spiel = importlib.import_module("pyspiel")
        except ModuleNotFoundError:
            print(f"| {ours}, stepping | {here:,.0f} | | |")
            continue
        against(f"{ours}, stepping", here, "pyspiel", rate(stepping(spiel.load_game(theirs).new_initial_state)))
    here = rate(turns(caesar.pettingzoo.env("connect-four")))
    try:
        classic = importlib.import_module("pettingzoo.classic").connect_four_v3
        for label in ("env", "raw_env"):
            against("connect-four, in turns", here, f"pettingzoo {label}", rate(turns(getattr(classic, label)())))
    except (ImportError, AttributeError):
        print(f"| connect-four, in turns | {here:,.0f} | | |")
    print(f"| conquest2, VectorEnv of 4,096 | {rate(vector('conquest2', 4096)):,.0f} | | |")

    run = ["tournament", "--game=conquest2", "--agent=greedy", "--agent=random", "--players=2", "--blocks=400", "--threads=1"]
    code = [sys.executable, "-c", f"import caesar._native as n; n.command({run!r})"]
    for label, words in [("from Python", code), ("the command", [sys.executable, "-m", "caesar", *run])]:
        since = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        print(f"a tournament, {label}: {time.perf_counter() - since:.2f} s")
    since = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    bare = time.perf_counter() - since
    since = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import caesar"], check=True)
    print(f"import caesar: {1000 * (time.perf_counter() - since - bare):.0f} ms over numpy")


main()
