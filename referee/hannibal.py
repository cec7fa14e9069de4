#!/usr/bin/env python3
"""Independent referee for records of hannibal, and a random player of it. See README.md.

Clauses (H1 to H6, G1 to G5) are those of the rules page.
"""

import signal
import sys

import rome
from rome import RulesError, ask, text_id, together

NAME, SEATS = "hannibal", (2, 2)
DEFAULTS = {"map": "balanced", "max-turns": 400}
CARTHAGE, ROME = 0, 1
SIDES = ("carthage", "rome")


class Board:
    """The map and the set-up; whatever has two values has them as [carthage, rome]."""

    def __init__(self, data, options):
        self.max_turns = options["max-turns"]
        chart = self.chart(data, options["map"])
        self.island = {text_id(a["id"]): a["island"] for a in data["area"]}
        self.island.update({text_id(a): False for a in chart["extra_areas"]})
        self.areas = list(self.island)
        self.land = {a: set() for a in self.areas}
        for ends in chart["borders"]:
            a, b = map(text_id, ends)
            self.land[a].add(b)
            self.land[b].add(a)
        self.routes = {text_id(r["id"]): tuple(map(text_id, r["ends"])) for r in data["route"]}
        self.cards = sorted(data["cards"]["values"])
        setup = [data["setup"][side] for side in SIDES]
        self.capital = [text_id(s["capital"]) for s in setup]
        self.legions = [s["legions"] for s in setup]
        self.fleets = [s["fleets"] for s in setup]
        self.port = [text_id(s["fleet_route"]) for s in setup]
        self.domination = [[list(map(text_id, group)) for group in data["domination"][side]] for side in SIDES]
        self.bonus = data["rules"]["hannibal_bonus"]
        self.first, self.has_hannibal = CARTHAGE, True
        for path, value in options["treatments"]:
            self.treat(path, value)

    def treat(self, path, value):
        if path == ("ban", "hannibal"):
            self.has_hannibal = False
        elif path == ("forced", "first"):
            self.first = value
        elif path[0] == "gift" and path[2:] == ("legions",):
            self.legions[rome.seat_of(path)] += value
        elif path[0] == "gift" and path[2:] == ("fleets",):
            self.fleets[rome.seat_of(path)] += value
        else:
            raise rome.unknown(path)

    @staticmethod
    def chart(data, name):
        for chart in data["map"]:
            if text_id(chart["id"]) == name:
                return chart
        raise RulesError("rules: unknown map %s" % name)


class Game:
    def __init__(self, board, seats):
        self.b = board
        self.legions = [{a: 0 for a in board.areas} for _ in SIDES]      # without Hannibal
        self.fleets = [{r: 0 for r in board.routes} for _ in SIDES]
        for side in (CARTHAGE, ROME):
            self.legions[side][board.capital[side]] = board.legions[side]
            self.fleets[side][board.port[side]] = board.fleets[side]
        self.hannibal = board.capital[CARTHAGE] if board.has_hannibal else None
        self.hands = [list(board.cards) for _ in SIDES]
        self.turns = self.passes = 0
        self.winners = None

    def run(self):
        player = self.b.first
        while self.winners is None:
            yield from self.turn(player)
            player = 1 - player
        yield ("state",)

    # ---- turns (H1, H2)

    def turn(self, player):
        action = yield from ask(player, self.options(player))
        self.turns += 1
        self.passes = self.passes + 1 if action == "pass" else 0
        yield from self.act(player, *action.split())
        if self.winners is None:
            self.winners = self.verdict(player)

    def options(self, player):
        result = ["legion %s %s" % (a, b) for a in self.held(player) for b in sorted(self.reach(player, a))]
        if player == CARTHAGE and self.hannibal:
            steps = sorted(self.reach(player, self.hannibal))
            result += ["hannibal %s %s" % (self.hannibal, b) for b in steps if not self.b.island[b]]
        if any(self.fleets[player].values()):
            ports = [r for r, n in self.fleets[player].items() if n]
            result += ["fleet %s %s" % (r, s) for r in ports for s in self.b.routes if s != r]
        else:
            result += ["raise %s" % a for a in self.held(player)]
            if player == CARTHAGE and self.hannibal:
                result.append("raise-hannibal %s" % self.hannibal)
        return result + ["pass"]

    def held(self, player):
        """Areas with legions of the player, Hannibal not counted."""
        return [a for a, n in self.legions[player].items() if n]

    def reach(self, player, area):
        """The areas one step away: over a border, or over a route with an own fleet (H2)."""
        result = set(self.b.land[area])
        for route, ends in self.b.routes.items():
            if area in ends and self.fleets[player][route]:
                result.add(ends[1] if ends[0] == area else ends[0])
        return result

    def act(self, player, what, start=None, goal=None):
        if what == "legion":
            self.legions[player][start] -= 1
            self.legions[player][goal] += 1
            yield from self.entered(player, goal)
        elif what == "hannibal":
            self.hannibal = goal
            yield from self.entered(player, goal)
        elif what == "fleet":
            self.fleets[player][start] -= 1
            yield from self.sail(player, goal)
        elif what in ("raise", "raise-hannibal"):
            if what == "raise":
                self.legions[player][start] -= 1
            else:
                self.hannibal = None
            yield from self.sail(player, self.b.port[player])

    def entered(self, player, area):
        """A legion or Hannibal has entered: the enemy capital (H3), a conflict, or neither."""
        if area == self.b.capital[1 - player]:
            self.winners = [player]
        else:
            yield from self.land_conflict(area)

    # ---- conflicts (H4)

    def strength(self, player, area):
        """Legions there, Hannibal counted."""
        return self.legions[player][area] + (player == CARTHAGE and self.hannibal == area)

    def land_conflict(self, area):
        fighter = None
        while self.strength(CARTHAGE, area) and self.strength(ROME, area):
            fighter = fighter or (yield from self.fighter(area))
            losers = yield from self.duel(self.b.bonus if fighter == "fight hannibal" else 0)
            if ROME in losers:
                self.legions[ROME][area] -= 1
            if CARTHAGE in losers:
                if fighter == "fight hannibal":
                    self.hannibal = None
                else:
                    self.legions[CARTHAGE][area] -= 1
                fighter = None

    def fighter(self, area):
        """The piece of Carthage that fights until it is lost; a choice only where both kinds are there."""
        choices = ["fight legion"] if self.legions[CARTHAGE][area] else []
        if self.hannibal == area:
            choices.append("fight hannibal")
        return (yield from ask(CARTHAGE, choices))

    def sail(self, player, route):
        """A fleet comes to a route, moved or raised (H4b)."""
        self.fleets[player][route] += 1
        while self.fleets[CARTHAGE][route] and self.fleets[ROME][route]:
            for loser in (yield from self.duel(0)):
                self.fleets[loser][route] -= 1

    def duel(self, bonus):
        """Both choose a card; returns who loses a piece. `bonus` is added to the card of Carthage."""
        answers = yield from together({p: ["card %d" % v for v in self.hands[p]] for p in (CARTHAGE, ROME)})
        values = [int(answers[p].split()[1]) for p in (CARTHAGE, ROME)]
        for hand, value in zip(self.hands, values):
            hand.remove(value)
        if not self.hands[CARTHAGE]:
            self.hands = [list(self.b.cards) for _ in SIDES]
        values[CARTHAGE] += bonus
        return [p for p in (CARTHAGE, ROME) if values[p] <= values[1 - p]]

    # ---- the end (H5)

    def verdict(self, player):
        """The winners when a turn without a capital entered is over (H5a), None while the game goes on."""
        if self.dominates(player):
            return [player]
        alive = [p for p in (CARTHAGE, ROME) if any(self.strength(p, a) for a in self.b.areas)]
        if len(alive) == 1:
            return alive
        if not alive or self.passes >= 2 or self.turns >= self.b.max_turns:
            return [CARTHAGE, ROME]
        return None

    def dominates(self, player):
        return all(any(self.strength(player, a) for a in group) for group in self.b.domination[player])

    def result(self):
        share = 1 if len(self.winners) == 1 else 0.5
        return [share if p in self.winners else 0 for p in (CARTHAGE, ROME)], self.winners

    # ---- the state (H6)

    def state(self):
        return {
            "turns": self.turns, "passes": self.passes, "legions": pairs(self.legions), "hannibal": self.hannibal,
            "fleets": pairs(self.fleets), "hands": [sorted(hand) for hand in self.hands]}

    def check_invariants(self):
        assert len(self.hands[CARTHAGE]) == len(self.hands[ROME]) > 0, "hands"
        for mine, theirs in (self.legions, self.fleets):
            assert min(*mine.values(), *theirs.values()) >= 0, "fewer than no pieces"
        for route in self.b.routes:
            assert not (self.fleets[CARTHAGE][route] and self.fleets[ROME][route]), "both on %s" % route
        for area in self.b.areas:
            mixed = self.strength(CARTHAGE, area) and self.strength(ROME, area)
            assert not mixed or area in self.b.capital, "both in %s" % area
        assert self.hannibal is None or not self.b.island[self.hannibal], "Hannibal on an island"


def pairs(both):
    """{place: [carthage, rome]} of the places with pieces."""
    mine, theirs = both
    return {place: [mine[place], theirs[place]] for place in mine if mine[place] or theirs[place]}


def weight(game, player, option):
    """Eager players fight, keep out of the capitals, and rarely pass."""
    what, *places = option.split()
    if what == "pass":
        return 0.2
    if what in ("card", "fight"):
        return 1
    if what in ("raise", "raise-hannibal"):
        return 3
    goal, enemy = places[1], 1 - player
    if what == "fleet":
        return 0.3 + 3 * bool(game.fleets[enemy][goal])
    if goal == game.b.capital[enemy]:
        return 0.02
    return 1 + 5 * bool(game.strength(enemy, goal))


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(rome.command(sys.modules[__name__]))
