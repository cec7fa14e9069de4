#!/usr/bin/env python3
"""Independent referee for records of classic, and a random player of it. See README.md.

The board and its configuration are in `classic_board.py`, the simulator in `classic_game.py`, `classic_move.py` and
`classic_battle.py`.
"""

import signal
import sys

import classic_board
import records
import rome
from classic_game import Game

NAME, SEATS = "classic", (2, 6)


class Kind(rome.Kind):
    """classic as a kind of game; see `records`. `data` is that of the board file."""

    def __init__(self, module, data=None, eager=False):
        super().__init__(module, data, eager)
        self.cfg = classic_board.normalise(self.data)

    def board(self, rules):
        key = records.canonical(rules)
        if key not in self.boards:
            self.boards[key] = classic_board.Board(classic_board.override(self.cfg, rules))
        return self.boards[key]


# Words that eager players like more (or less) than the rest, so that battles, captives and cargo come up.
EAGER = {"done": 0.15, "stay": 6, "attack": 10, "march": 2, "sail": 0.4, "convoy": 2, "board": 2, "raze": 0.1,
         "ransom": 1, "exchange": 3, "accept": 2, "buy": 1}


def weight(game, player, option):
    """Eager players fight, march with all they have to where somebody is, and buy troops and galleys."""
    first, *rest = option.split()
    if first == "count":
        return (1 + int(rest[0])) ** 2
    if first == "march":
        goal = game.b.index[rest[1]]
        return 8 if game.guard[goal] or game.has_foreign_land_pieces(goal, player) else 2
    if first == "to":
        goal = game.b.index[rest[0]]
        return 4 if goal < game.b.np and game.owner[goal] not in (None, player) else 1
    if first == "buy" and rest[0] in ("infantry", "cavalry", "catapult", "galley"):
        return 4
    return EAGER.get(first, 1)


def command(argv=None):
    return rome.command(sys.modules[__name__], argv, Kind)


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(command())
