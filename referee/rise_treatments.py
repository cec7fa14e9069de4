"""Treatments of rise: what a header's rules do to a game from outside, by seat; see README.md for their keys."""

from rome import RulesError, seat_of, text_id

SECTIONS = ("gift", "ban", "forced")
GOODS = ("gold", "resource", "food", "cubes", "vp")
TILES = ("progress", "territory", "city")
OBJECTS = TILES + ("empire", "trade")


class Treatments:
    """`goods` and `tiles` are gifts of the set-up, (seat, what, amount); `banned` holds (seat, object); `order` is forced."""

    def __init__(self, treated, board):
        self.board = board
        self.goods, self.tiles, self.banned, self.order = [], [], set(), None
        for path, value in treated:
            if value is False or value == [] or type(value) is int and value == 0:
                continue
            if not self.add(path, value):
                raise RulesError("rules: %s: no such treatment, or no such amount of it" % ".".join(path))

    def add(self, path, value):
        if path == ("forced", "order"):
            self.order = value
            return isinstance(value, list) and sorted(map(str, value)) == [str(k) for k in range(len(value))]
        if path[0] == "forced" or len(path) < 3:
            return False
        seat, what, name = seat_of(path), path[2], text_id(".".join(path[3:]))
        if path[0] == "gift" and what in GOODS and not name:
            self.goods.append((seat, what, value))
            return type(value) is int
        if name not in (getattr(self.board, what) if what in OBJECTS else ()):
            return False
        if path[0] == "ban":
            self.banned.add((seat, "%s %s" % (what, name)))
            return value is True
        if what not in TILES or not (type(value) is int and value > 0 if what == "territory" else value is True):
            return False
        self.tiles.append((seat, what, name, int(value)))
        return True

    def seats(self):
        """One more than the highest seat that is named."""
        return max([seat for seat, *_ in self.goods + self.tiles + list(self.banned)], default=-1) + 1
