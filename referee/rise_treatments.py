"""Treatments of rise: what a header's rules do to a game from outside, by turn and seat.

The keys are those of docs/rules/rise.md, section "Treatments": `gift.sS.seatP…`, `ban.sS|always.seatP…`, `ban.game…` and
`forced.sS.order`. An amount of 0, `false` or an empty list does nothing. The rules page has no treatments.
"""

from rome import RulesError, text_id

SECTIONS = ("gift", "ban", "forced")
GOODS = ("gold", "resource", "food", "cubes", "vp")
TILES = ("progress", "territory", "city")
OBJECTS = TILES + ("empire", "trade")
# Most actions that can be taken from a seat in a turn.
MOST_RESTS = 6


def numbered(step, word):
    """The number of a step like `seat2`; None where it is none."""
    digits = step[len(word):]
    return int(digits) if step.startswith(word) and digits.isdigit() else None


class Treatments:
    """By turn from 1: `gifts` (seat, what, name, amount), `orders`; `banned` (turn or None, seat, object); `no_tiles` (pile, tile);
    `rests`, by turn and seat how many actions lapse, the first of the turn."""

    def __init__(self, treated, board):
        self.board = board
        self.gifts, self.orders, self.banned, self.no_tiles, self.rests = {}, {}, set(), set(), {}
        for path, value in treated:
            if value is False or value == [] or type(value) is int and value == 0:
                continue
            if not getattr(self, "add_" + path[0])(path[1:], value):
                raise RulesError("rules: %s: no such treatment, or no such amount of it" % ".".join(path))

    def stage(self, path):
        """The turn of a path's first step; None where it names none."""
        turn = numbered(path[0], "s") if path else None
        return turn if turn and turn <= len(self.board.turns) else None

    def knows(self, what, name, kinds=OBJECTS):
        return what in kinds and name in getattr(self.board, what)

    def add_gift(self, path, value):
        turn, seat = self.stage(path), numbered(path[1], "seat") if len(path) > 2 else None
        if turn is None or seat is None:
            return False
        what, name = path[2], text_id(".".join(path[3:]))
        if what == "actions":
            self.rests[turn, seat] = -value if type(value) is int else 0
            return not name and 0 < self.rests[turn, seat] <= MOST_RESTS
        if what in GOODS:
            fits = not name and type(value) is int
        elif what == "region":
            fits = self.is_open(turn, name) and type(value) is int and value > 0
        elif what == "territory":
            fits = self.knows(what, name) and type(value) is int and value > 0
        else:
            fits = self.knows(what, name, TILES) and value is True
            fits = fits and (what != "city" or self.board.city[name]["kind"] == "city")
        self.gifts.setdefault(turn, []).append((seat, what, name, value))
        return fits

    def is_open(self, turn, region):
        """Can anybody get into the region in this turn?"""
        facts, rules = self.board.region.get(region), self.board.cfg["map_rules"]
        if facts is None:
            return False
        first = rules["zones_open_from_era"] if facts["zone"] in rules["zones"] else facts["era"]
        return self.board.cfg["meta"]["era_of_turn"][turn - 1] >= first

    def add_ban(self, path, value):
        if path[:1] == ("game",):
            what, name = path[1:2], text_id(".".join(path[2:]))
            self.no_tiles.add(what + (name,))
            return value is True and bool(what) and self.knows(*what, name, TILES)
        turn, seat = self.stage(path), numbered(path[1], "seat") if len(path) > 2 else None
        if seat is None or turn is None and path[0] != "always":
            return False
        what, name = path[2], text_id(".".join(path[3:]))
        self.banned.add((turn, seat, "%s %s" % (what, name)))
        return value is True and self.knows(what, name)

    def add_forced(self, path, value):
        turn = self.stage(path)
        self.orders[turn] = value
        seats = isinstance(value, list) and all(type(seat) is int for seat in value)
        return turn is not None and path[1:] == ("order",) and seats and sorted(value) == list(range(len(value)))

    def is_banned(self, turn, seat, text):
        return bool(self.banned) and not self.banned.isdisjoint({(None, seat, text), (turn, seat, text)})

    def fits(self, seats):
        """Are all seats that are named at the table, and are the orders those of all seats?"""
        named = [seat for gifts in self.gifts.values() for seat, *_ in gifts] + [seat for _, seat, _ in self.banned]
        named += [seat for _, seat in self.rests]
        return all(seat < seats for seat in named) and all(len(order) == seats for order in self.orders.values())
