"""What the order of placing and the start cells are worth in circus, counted from records.

    caesar tournament --game circus … --schedule fixed --records - | python3 experiments/scripts/circus_starts.py

Prints points a game with 95 % intervals by block, for the order of placing, for each start cell (its rank in racing
order, 73 is ahead) and for the rank of a player's foremost chariot, and for each of them a test that all are worth
the same. A block is one game, so use the schedule `fixed`, whose games share no chance.

Where all agents are `greedy(start=random)` chance alone decides who starts where, and the numbers are effects: what a
cell gives to whoever holds it, as these drivers race. With any other agent they are associations, because the agents
chose the cells.

The test is Wald's: with z = (1 if the seat holds it, else 0) · (points − 1/players), summed over the seats of a game,
the sums over all games are zero on average for each cell if no cell matters; their covariance is measured game by
game. The sums of a game add up to zero, so one of them is left out; things that fewer than 100 seats held are one.
"""

import json
import math
import pathlib
import signal
import sys
import tomllib
from collections import defaultdict

Z = 1.959964
FEW = 100  # seats below which things are tested as one
BOARD = pathlib.Path(__file__).parents[2] / "engine" / "data" / "circus.toml"


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


class Question:
    """Points by something that seats hold: one entry of `blocks` a game, what is held → (points, seats)."""

    def __init__(self, title):
        self.title = title
        self.blocks = []
        self.players = 0

    def add(self, holdings, points):
        """Notes a game: what each seat holds, a list, and its points."""
        held = defaultdict(lambda: [0.0, 0])
        for things, point in zip(holdings, points):
            for thing in things:
                held[thing][0] += point
                held[thing][1] += 1
        self.players = len(points)
        self.blocks.append(dict(held))

    def share(self, thing):
        """Points a seat that holds `thing`, and half the width of its interval: a ratio, linearised block by block."""
        pairs = [block[thing] for block in self.blocks if thing in block]
        seats = sum(n for _, n in pairs)
        share = sum(points for points, _ in pairs) / seats
        spread = sum((points - share * n) ** 2 for points, n in pairs)
        few = len(pairs) / (len(pairs) - 1) if len(pairs) > 1 else math.inf
        return share, Z * math.sqrt(few * spread) / seats, seats

    def test(self):
        """Says how likely such differences are if all things are worth the same; None with too few games to tell."""
        seats = defaultdict(int)
        for block in self.blocks:
            for thing, (_, n) in block.items():
                seats[thing] += n
        common = sorted(thing for thing, n in seats.items() if n >= FEW)
        rare = [thing for thing, n in seats.items() if n < FEW]
        if len(common) + bool(rare) < 2:
            return None
        # The commonest is left out.
        common.remove(max(common, key=seats.get))
        row = {thing: i for i, thing in enumerate(common)} | {thing: len(common) for thing in rare}
        things = common + rare[:1]
        sums = [0.0] * len(things)
        squares = [[0.0] * len(things) for _ in things]
        for block in self.blocks:
            z = [(row[t], points - n / self.players) for t, (points, n) in block.items() if t in row]
            for i, a in z:
                sums[i] += a
                for j, b in z:
                    squares[i][j] += a * b
        n = len(self.blocks)
        covariance = [[q - a * b / n for q, b in zip(line, sums)] for line, a in zip(squares, sums)]
        solved = solve(covariance, sums)
        statistic = sum(a * b for a, b in zip(sums, solved))
        p = chi_square_tail(statistic, len(things))
        chance = f"p = {p:.2g}" if p > 1e-10 else "p < 1e-10"
        return f"chi-square {statistic:.1f} with {len(things)} degrees of freedom, {chance}"

    def show(self):
        """Prints everything."""
        print(self.title)
        for thing in sorted({thing for block in self.blocks for thing in block}):
            share, half, seats = self.share(thing)
            print(f"  {thing:3}  {share:.4f} [{max(0.0, share - half):.4f}, {min(1.0, share + half):.4f}]  {seats}")
        print(f"  all the same: {self.test() or 'too few games for a test'}")


def solve(matrix, right):
    """The x with matrix · x = right, by elimination with pivots."""
    rows = [line[:] + [value] for line, value in zip(matrix, right)]
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def chi_square_tail(x, freedom):
    """P(chi-square with `freedom` degrees of freedom > x), by the recurrence of the incomplete gamma function."""
    half = x / 2
    s, tail = (0.5, math.erfc(math.sqrt(half))) if freedom % 2 else (1.0, math.exp(-half))
    while s < freedom / 2:
        tail += math.exp(s * math.log(half) - half - math.lgamma(s + 1)) if half > 0 else 0.0
        s += 1
    return tail


def main() -> None:
    """Counts and prints."""
    board = tomllib.loads(BOARD.read_text(encoding="utf-8"))
    rank = {cell["id"]: cell.get("rank") for cell in board["board"]["cells"]}
    starts = set(board["start"]["cells"])
    order, cells, foremost = map(
        Question, ["order of placing", "start cell", "start cell of the foremost chariot"]
    )
    for seats, first, placed, winners in games(sys.stdin):
        points = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
        # With five players the first placer's last placement is forced, and no line of the record.
        if sum(map(len, placed.values())) < len(starts) == 3 * seats:
            placed[first] += starts - {cell for own in placed.values() for cell in own}
        taken = [[rank[cell] for cell in placed[seat]] for seat in range(seats)]
        order.add([[(seat - first) % seats + 1] for seat in range(seats)], points)
        cells.add(taken, points)
        foremost.add([[min(own)] for own in taken], points)
    for question in (order, cells, foremost):
        question.show()


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
