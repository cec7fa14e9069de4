"""Treatments of conquest2: what a header's rules do to a game from outside, by season and seat.

The keys are those of docs/rules/conquest2.md, section "Treatments": `gift.sS.seatP…`, `ban.…`, `forced.sS.…`, `deal.seatP…`
and `null.sS`. An amount of 0, `false` or an empty list does nothing.
"""

SECTIONS = ("null", "gift", "ban", "forced", "deal")
UNITS = ("infantry", "cavalry", "catapult", "general", "galley")
PLAIN = ("talents", "actions", "vp", "chaos")
WORDS = ("take", "recruit", "buy", "tax", "move", "battle", "sail", "use")


class TreatmentError(ValueError):
    """A key that no treatment has, or an amount that it cannot have."""


def leaves(value, path):
    if isinstance(value, dict):
        for key, inner in sorted(value.items()):
            yield from leaves(inner, path + (key,))
    else:
        yield path, value


def numbered(step, word):
    digits = step[len(word):]
    if not step.startswith(word) or not digits.isdigit():
        raise TreatmentError("%s: expected %sN" % (step, word))
    return int(digits)


class Treatments:
    """What is done in each season (from 1); `rules` holds the sections of a header that are treatments."""

    def __init__(self, rules, cards, provinces, zones):
        self.names = {"card": cards, "influence": provinces, "city": provinces, "galley": zones}
        self.names.update({unit: provinces for unit in UNITS if unit != "galley"})
        self.null, self.gifts, self.order, self.alliance, self.opener = set(), {}, {}, {}, {}
        self.banned, self.no_cards, self.deal = set(), set(), {}
        for path, value in leaves(rules, ()):
            if value in (0, []) and type(value) is not int or value is False or value == 0 and path[0] == "gift":
                continue
            try:
                getattr(self, "add_" + path[0])(path[1:], value)
            except (IndexError, ValueError) as error:
                raise TreatmentError("rules: bad value for %s: %r (%s)" % (".".join(path), value, error))

    def add_null(self, path, value):
        season, = path
        self.null.add(numbered(season, "s"))
        require(value is True)

    def add_gift(self, path, value):
        season, seat, what = numbered(path[0], "s"), numbered(path[1], "seat"), path[2]
        name = path[3] if len(path) > 3 else None
        require(len(path) == (3 if what in PLAIN else 4) and (what in PLAIN or name in self.names.get(what, ())))
        require(value is True if what == "city" else type(value) is int)
        self.gifts.setdefault(season, []).append((seat, what, name, value))

    def add_ban(self, path, value):
        require(value is True)
        if path[0] == "deck":
            require(len(path) == 2 and path[1] in self.names["card"])
            self.no_cards.add(path[1])
            return
        season = None if path[0] == "always" else numbered(path[0], "s")
        _, seat, what, name = path
        require(name in {"card": self.names["card"], "action": WORDS}.get(what, ()))
        self.banned.add((season, numbered(seat, "seat"), what, name))

    def add_forced(self, path, value):
        season, what = numbered(path[0], "s"), path[1]
        require(len(path) == 2 and what in ("order", "alliance", "opener"))
        getattr(self, what)[season] = value

    def add_deal(self, path, value):
        seat, what = path
        require(what == "influence" and all(name in self.names["influence"] for name in value))
        self.deal[numbered(seat, "seat")] = value

    def is_banned(self, season, seat, what, name):
        return bool(self.banned) and not self.banned.isdisjoint(
            {(None, seat, what, name), (season, seat, what, name)})

    def of_season(self, season, what):
        """Gifts of one kind: (seat, name, amount)."""
        return [(seat, name, value) for seat, kind, name, value in self.gifts.get(season, ()) if kind == what]


def require(is_right):
    if not is_right:
        raise TreatmentError("no such treatment, or no such amount of it")
