"""What the order of placing and the start column are worth in circus, counted from records.

    caesar tournament --game circus … --records - | python3 experiments/scripts/circus_starts.py

Prints, for the order of placing and for the column of the foremost chariot, the points a game with a 95 % interval
(Wilson's, each game and seat an observation: use it on games of the schedule `fixed`, which share no chance).
These are associations, not effects: who sits where was chosen by the agents.
"""

import json
import pathlib
import sys
import tomllib
from collections import defaultdict

Z = 1.959964
BOARD = pathlib.Path(__file__).parents[2] / "engine" / "data" / "circus.toml"


def wilson(points: float, n: int) -> str:
    """A share with its interval."""
    p = points / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * (p * (1 - p) / n + Z * Z / (4 * n * n)) ** 0.5
    return f"{p:.4f} [{max(0.0, centre - half):.4f}, {min(1.0, centre + half):.4f}]  {n} games and seats"


def games(lines):
    """Yields number of seats, first placer, start cells by seat, winners."""
    for line in lines:
        line = json.loads(line)
        if "format" in line:
            seats, first, cells = line["seats"], None, defaultdict(list)
        elif line.get("chance") == "first-player":
            first = line["value"]
        elif line.get("action", "").startswith("start "):
            cells[line["player"]].append(int(line["action"].split()[1]))
        elif "end" in line:
            yield seats, first, cells, line["end"]["winners"]


def main() -> None:
    """Counts and prints."""
    board = tomllib.loads(BOARD.read_text(encoding="utf-8"))
    at = {cell["id"]: cell for cell in board["board"]["cells"]}
    counts = {"placed": defaultdict(lambda: [0.0, 0]), "column": defaultdict(lambda: [0.0, 0])}
    for seats, first, cells, winners in games(sys.stdin):
        for seat in range(seats):
            points = 1 / len(winners) if seat in winners else 0.0
            rank = min(at[cell]["rank"] for cell in cells[seat]) if cells[seat] else None
            for kind, key in [("placed", (seat - first) % seats + 1), ("column", rank)]:
                if key is not None:
                    counts[kind][key][0] += points
                    counts[kind][key][1] += 1
    for kind, what in [("placed", "order of placing"), ("column", "place in racing order of the foremost chariot")]:
        print(what)
        for key, (points, n) in sorted(counts[kind].items()):
            print(f"  {key:3}  {wilson(points, n)}")


if __name__ == "__main__":
    main()
