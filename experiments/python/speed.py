"""Measures the speed of the Python package on one core in processor time, and writes the table of README.md beside it.

    python experiments/python/speed.py [COMMAND]

COMMAND is a `caesar` of a release build, against which runs within Python are timed. The package `caesar` must be of a
release build, too. Needs open_spiel, pettingzoo and pygame.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel
from pettingzoo.classic import connect_four_v3

import caesar
import caesar.pettingzoo
from caesar import _native

SECONDS = 1.0
ROUNDS = 3
PAGE = Path(__file__).with_name("README.md")
TOURNAMENT = ["tournament", "--game=conquest2", "--agent=greedy", "--agent=random", "--players=2", "--blocks=3000"]


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def rates(*plays: Callable[[], int]) -> list[float]:
    """Return the steps per second of processor time of each function: the median of rounds in which all take turns."""
    found: list[list[float]] = [[] for _ in plays]
    for _ in range(ROUNDS):
        for play, rounds in zip(plays, found, strict=True):
            steps, since = 0, time.process_time()
            while time.process_time() - since < SECONDS:
                steps += play()
            rounds.append(steps / (time.process_time() - since))
    return [median(rounds) for rounds in found]


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


def within(*words: str) -> str:
    """Run the command within Python and return what it prints."""
    code, text, notes = _native.command([*words, "--threads=1"])
    assert code == 0, notes
    return text


def outside(command: str, *words: str) -> str:
    """Run the command as a process of its own and return what it prints."""
    return subprocess.run([command, *words, "--threads=1"], check=True, capture_output=True, text=True).stdout


def used() -> float:
    """Return the processor time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def seconds(act: Callable[[], Any]) -> float:
    since = used()
    act()
    return used() - since


def started(code: str) -> float:
    """Return the milliseconds of processor time in which an interpreter starts and runs `code`."""
    return 1000 * median([seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(15)])


def rows(command: str | None) -> list[tuple[str, str, str, str]]:
    """Return the rows of the table: what is measured, ours, theirs and the goal."""

    def against(what: str, ours: float, theirs: float, goal: str) -> tuple[str, str, str, str]:
        return what, f"{ours:,.0f} steps/s", f"{theirs:,.0f} steps/s", f"{ours / theirs:.2f} × ({goal})"

    table = []
    for name, other in [("connect-four", "connect_four"), ("tic-tac-toe", "tic_tac_toe")]:
        here, there = rates(stepping(caesar.load_game(name).new_initial_state), stepping(pyspiel.load_game(other).new_initial_state))
        table.append(against(f"{name}: stepping, against pyspiel", here, there, "≥ 3"))
    here, env, raw = rates(*(turns(one) for one in (caesar.pettingzoo.env("connect-four"), connect_four_v3.env(), connect_four_v3.raw_env())))
    table.append(against("connect-four: in turns, against `env()` of pettingzoo.classic", here, env, "≥ 15"))
    table.append(against("connect-four: in turns, against `raw_env()`", here, raw, "≥ 8"))
    (many,) = rates(vector("conquest2", 4096))
    table.append(("conquest2: `VectorEnv` of 4,096 with observation and mask", f"{many:,.0f} steps/s", "", "(≥ 1,000,000)"))
    if command is not None:
        speed = ["speed", "connect-four", f"--seconds={SECONDS}", "--json"]
        pairs = [(plies(within(*speed)), plies(outside(command, *speed))) for _ in range(ROUNDS)]
        here, there = (median([pair[side] for pair in pairs]) for side in (0, 1))
        table.append(against("connect-four: random games within Python, against the command", here, there, "≥ 0.95"))
        times = [(seconds(lambda: within(*TOURNAMENT)), seconds(lambda: outside(command, *TOURNAMENT))) for _ in range(2 * ROUNDS)]
        here, there = (median([pair[side] for pair in times]) for side in (0, 1))
        table.append(("a tournament from Python, against the command", f"{here:.2f} s", f"{there:.2f} s", f"{100 * (here / there - 1):+.1f} % (≤ +2 %)"))
    bare, numpy, whole = started("pass"), started("import numpy"), started("import caesar")
    table.append(("`import caesar`, over an interpreter that does nothing", f"{whole - bare:.0f} ms", f"numpy alone {numpy - bare:.0f} ms", "(≤ 100 ms)"))
    size = Path(_native.__file__).stat().st_size
    table.append(("the extension module, unpacked", f"{size / 1e6:.1f} MB", "", ""))
    return table


def plies(document: str) -> float:
    """Return the plies per second in a document of `caesar speed`."""
    (game,) = json.loads(document)["games"]
    return float(game["plies_per_second"])


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    head = ("measured on one core", "caesar", "other", "ratio (goal)")
    lines = [f"| {' | '.join(row)} |" for row in (head, ("---", "---:", "---:", "---:"), *rows(next(iter(sys.argv[1:]), None)))]
    before, _, after = PAGE.read_text().partition("<!-- table -->\n")
    _, _, after = after.partition("<!-- end -->\n")
    PAGE.write_text(before + "<!-- table -->\n" + "\n".join(lines) + "\n<!-- end -->\n" + after)
    print("\n".join(lines))


main()
