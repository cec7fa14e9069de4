"""Treatments of classic: what a header's rules do to a game from outside, by seat.

`gift.seatP…` comes before the first state, `deal.seatP.territories` before the first claim, `ban.seatP…` counts in every
turn. An amount of 0, `false` or an empty list does nothing.
"""

import rome
from rome import RulesError

BOUGHT_UNITS = ("infantry", "cavalry", "catapult", "galley")
BUILDINGS = ("city", "fort", "road")
ACTIONS = ("sail", "convoy", "board", "attack", "ransom", "exchange", "raze")


class Treatments:
    """`talents` and `units` are gifts by seat; `deal` has provinces by seat; `banned` has first words of actions by seat."""

    def __init__(self, rules, board):
        self.board = board
        self.talents, self.units, self.deal, self.banned = {}, {}, {}, set()
        for section, value in sorted(rules.items()):
            for path, amount in rome.leaves(value, (section,)):
                if len(path) < 3:
                    raise rome.unknown(path)
                getattr(self, "add_" + section)(path, rome.seat_of(path), amount)

    def add_gift(self, path, seat, amount):
        self.require(path, len(path) == 3 and type(amount) is int)
        if path[2] == "talents":
            self.talents[seat] = amount
        else:
            self.require(path, path[2] in BOUGHT_UNITS and amount > 0)
            self.units.setdefault(seat, []).append((BOUGHT_UNITS.index(path[2]), amount))

    def add_ban(self, path, seat, amount):
        self.require(path, len(path) == 4 and amount is True)
        names = {"unit": BOUGHT_UNITS, "building": BUILDINGS, "action": ACTIONS}.get(path[2], ())
        self.require(path, path[3] in names)
        self.banned.add((seat, path[3]))

    def add_deal(self, path, seat, names):
        b = self.board
        self.require(path, path[2:] == ("territories",) and isinstance(names, list))
        places = [b.index.get(name) if isinstance(name, str) else None for name in names]
        taken = [p for dealt in self.deal.values() for p in dealt] + b.homes
        self.require(path, all(p is not None and p < b.np for p in places))
        self.require(path, len(set(places)) == len(places) and not set(places) & set(taken))
        self.deal[seat] = places

    @staticmethod
    def require(path, is_right):
        if not is_right:
            raise RulesError("rules: no such treatment, or no such amount of it: %s" % ".".join(path))

    def seats(self):
        """The seats that are named."""
        return {*self.talents, *self.units, *self.deal, *(seat for seat, _ in self.banned)}

    def allows(self, seat, text):
        """Is an option of the menus open to a seat?"""
        words = text.split()
        return (seat, words[1] if words[0] == "buy" else words[0]) not in self.banned
