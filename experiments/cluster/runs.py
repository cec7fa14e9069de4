"""The runs that the tests play with and without a cluster, and the comparison of their bytes."""

import pathlib
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """A run of some seconds, so that there is a middle."""

    # The command with its arguments.
    words: list[str]
    # The arguments that one process needs beside them to play the same.
    alone: list[str]
    # The file that grows while it plays.
    rows: str


def runs(parts: int) -> list[Run]:
    """A run of each kind that is divided in a way of its own."""
    game = ["--game", "conquest2", "--players", "4", "--seed", "7"]
    return [
        Run(["tournament", *game, *["--agent", "greedy"] * 4, "--blocks", "500"], [], "games.csv"),
        Run(["balance", "seats", *game, "--agent", "random", "--blocks", "300"], [], "cells.csv"),
        Run(
            ["tune", *game, "--agent", "greedy(epsilon=?0..0.9)", "--against", "random", "--games", "2800"],
            ["--runs", str(parts)],
            "log.csv",
        ),
        Run(
            ["strategies", "--game", "hannibal", "--agent", "greedy(weights.group=?0..3)", "--rounds", "2", "--seed", "7"],
            ["--runs", str(parts)],
            "log.csv",
        ),
    ]


def play_whole(caesar: str, run: Run, out: pathlib.Path) -> None:
    """Plays the run in one process."""
    command = [caesar, *run.words, *run.alone, "--quiet", "--out", out]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def different(whole: pathlib.Path, merged: pathlib.Path) -> list[str]:
    """The names of files that are not in both directories with the same bytes."""
    read = lambda folder: {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}
    one, other = read(whole), read(merged)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
