"""Treatments of classic: what a header's rules do to a game from outside, by round and seat.

The keys are those of docs/rules/classic.md, section "Treatments": `gift.sS.seatP…`, where `sS` is a round from `s1`. Gifts
come when a round begins, before its first turn, in the order of that section, then by seat, then in board order. An amount
of 0 or `false` does nothing.
"""

import rome
from rome import RulesError

UNITS = ("infantry", "cavalry", "catapult", "galley")
KINDS = ("talents",) + UNITS + ("province", "city")


class Treatments:
    """`gifts`: by round, sorted lists of (kind, seat, province or -1, amount); a kind is its place in KINDS."""

    def __init__(self, rules, board):
        self.gifts = {}
        for section, value in sorted(rules.items()):
            for path, amount in rome.leaves(value, (section,)):
                self.add(board, path, amount)
        for gifts in self.gifts.values():
            gifts.sort()

    def add(self, board, path, amount):
        require(path, path[0] == "gift" and len(path) in (4, 5) and path[3] in KINDS)
        stage = path[1][1:]
        require(path, path[1].startswith("s") and stage.isdigit())
        seat = rome.seat_of(path[1:])
        kind = KINDS.index(path[3])
        if path[3] in ("province", "city"):
            require(path, len(path) == 5 and amount is True and board.index.get(path[4], board.np) < board.np)
            gift = (kind, seat, board.index[path[4]], 1)
        else:
            require(path, len(path) == 4 and type(amount) is int and (amount > 0 or path[3] == "talents"))
            gift = (kind, seat, -1, amount)
        self.gifts.setdefault(int(stage), []).append(gift)

    def seats(self):
        """The seats that are named."""
        return {gift[1] for gifts in self.gifts.values() for gift in gifts}

    def of_round(self, number):
        """(kind's name, seat, province, amount) of the gifts of a round."""
        return [(KINDS[kind], seat, p, amount) for kind, seat, p, amount in self.gifts.get(number, ())]


def require(path, is_right):
    if not is_right:
        raise RulesError("rules: no such treatment, or no such amount of it: %s" % ".".join(path))
