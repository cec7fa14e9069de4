#!/usr/bin/env python3
"""Independent referee for records of circus, and a random player of it. See README.md.

Clauses (C1 to C6, G1 to G5) are those of the rules page.
"""

import signal
import sys

import rome
from rome import RulesError, ask

NAME, SEATS = "circus", (2, 5)
DEFAULTS = {"straight-only": False, "two-cards": False, "play-on": False, "max-rounds": 100}
FINISH = None       # the leg change of a step into the finish


class Board:
    """The cells, and the way along every direction from each of them."""

    def __init__(self, data, options):
        self.straight_only, self.play_on = options["straight-only"], options["play-on"]
        self.max_rounds = options["max-rounds"]
        components, sections = data["components"], data["sections"]
        self.chariots, self.cards = components["chariots_per_player"], sorted(components["cards"])
        self.limit = 2 if options["two-cards"] else components["max_cards_per_chariot"]
        self.start, self.finish = data["start"]["cells"], set(data["finish"]["cells"])
        self.first_leg, self.last_leg = sections["start_leg"], sections["finish_leg"]
        self.directions = [name.lower() for name in data["directions"]]
        self.entry = {name.lower() for name in data["finish"]["entry_directions"]}
        self.cells = data["board"]["cells"]
        self.section = [sections["order"].index(c["section"]) if c["id"] not in self.finish else None for c in self.cells]
        self.rank = [c.get("rank") for c in self.cells]
        if [c["id"] for c in self.cells] != list(range(len(self.cells))):
            raise RulesError("board: cells must be listed by id")
        self.rays = [[self.ray(c["id"], d) for d in range(len(self.directions))] for c in self.cells]
        self.steps = {}
        self.dealt, self.missing = {}, set()
        for path, value in options["treatments"]:
            seat, what = rome.seat_of(path), path[2:]
            if path[0] == "deal" and what == ("cells",):
                self.dealt[seat] = value
            elif path[0] == "ban" and len(what) == 2 and what[0] == "card" and what[1].isdigit():
                self.missing.add((seat, int(what[1])))
            else:
                raise rome.unknown(path)

    def hand(self, seat):
        """All cards of a driver."""
        return [card for card in self.cards if (seat, card) not in self.missing]

    def ray(self, cell, d):
        """[(next cell, change of the leg by this step)] along a direction, as far as a card can reach."""
        result = []
        for _ in range(self.cards[-1]):
            ahead = self.cells[cell]["nbr"][d]
            if ahead < 0:
                break
            result.append((ahead, self.leg_change(cell, ahead)))
            if cell in self.finish or ahead in self.finish:
                break
            cell = ahead
        return result

    def leg_change(self, cell, ahead):
        """1 into the next section, -1 into the one before (C2b); FINISH into the finish."""
        if ahead in self.finish or cell in self.finish:
            return FINISH
        return {0: 0, 1: 1, 3: -1}[(self.section[ahead] - self.section[cell]) % 4]

    def enters(self, d, leg):
        """Whether a step in direction d takes a chariot with this leg into the finish (C4a)."""
        return leg >= self.last_leg and self.directions[d] in self.entry

    def to_go(self, cell, leg):
        """Fewest steps to any finish cell on a board without chariots (C5b)."""
        key = (cell, leg)
        if key not in self.steps:
            self.steps[key] = self.search(cell, leg)
        return self.steps[key]

    def search(self, cell, leg):
        if cell in self.finish:
            return 0
        seen, ring, steps = {(cell, leg)}, [(cell, leg)], 0
        while True:
            steps += 1
            behind, ring = ring, []
            for place in behind:
                for after in self.around(*place):
                    if after is FINISH:
                        return steps
                    if after not in seen:
                        seen.add(after)
                        ring.append(after)

    def around(self, cell, leg):
        """What one step can reach: (cell, leg), or FINISH."""
        for d, ray in enumerate(self.rays[cell]):
            for ahead, change in ray[:1]:
                if change is not FINISH:
                    yield ahead, leg + change
                elif self.enters(d, leg):
                    yield FINISH


class Chariot:
    __slots__ = ("cell", "leg", "home")

    def __init__(self, cell, leg):
        self.cell, self.leg, self.home = cell, leg, False


class Game:
    def __init__(self, board, seats):
        self.b, self.n = board, seats
        self.teams = [[] for _ in range(seats)]
        self.taken = set()
        self.cards = [board.hand(seat) for seat in range(seats)]
        self.to_move, self.arrived, self.rounds = [], [], 0
        self.moving = None

    def run(self):
        yield from self.placing()
        while not self.over():
            yield from self.round()
            yield ("state",)

    # ---- placing (C1)

    def placing(self):
        first = yield "chance", "first-player", None, {seat: 1 for seat in range(self.n)}
        order = [(first + i) % self.n for i in range(self.n)]
        for turn in (order, order[::-1], order[::-1])[:self.b.chariots]:
            for seat in turn:
                reserved = [c for cells in self.b.dealt.values() for c in cells]
                empty = ["start %d" % c for c in self.b.start if c not in self.taken and c not in reserved]
                if seat in self.b.dealt:
                    empty = ["start %d" % self.b.dealt[seat][len(self.teams[seat])]]
                cell = int((yield from ask(seat, empty)).split()[1])
                self.teams[seat].append(Chariot(cell, self.b.first_leg))
                self.taken.add(cell)

    # ---- a round (C2)

    def round(self):
        self.rounds += 1
        self.cards = [self.b.hand(seat) for seat in range(self.n)]
        self.to_move = self.order()
        while self.to_move and not self.finished():
            seat, number = self.to_move.pop(0)
            yield from self.turn(seat, self.teams[seat][number])

    def order(self):
        """[seat, chariot] of all that are not home: by section from the leader's backwards, then by leg and rank (C2a)."""
        racing = [(seat, k, c) for seat, team in enumerate(self.teams) for k, c in enumerate(team) if not c.home]
        leader = min(racing, key=lambda entry: (-entry[2].leg, self.b.rank[entry[2].cell]))[2]
        lead = self.b.section[leader.cell]

        def place(entry):
            chariot = entry[2]
            behind = (lead - self.b.section[chariot.cell]) % 4
            return behind, -chariot.leg, self.b.rank[chariot.cell]

        return [[seat, k] for seat, k, _ in sorted(racing, key=place)]

    # ---- a chariot's turn (C3)

    def turn(self, seat, chariot):
        self.moving = chariot
        hand, last = self.cards[seat], None
        stay = sum(other == seat for other, _ in self.to_move)
        for played in range(self.b.limit):
            options = self.further(chariot, hand, stay, last) if played else self.first(chariot, hand)
            what, *words = (yield from ask(seat, options)).split()
            if what == "stop":
                return
            hand.remove(int(words[0]))
            if what == "waste":
                return
            last = words[1]
            if words[2:]:
                hand.remove(int(words[2]))
            self.move(chariot, int(words[0]), self.b.directions.index(last))
            if chariot.home:
                self.arrive(seat)
                return

    def first(self, chariot, hand):
        return ["go %d %s" % move for move in self.moves(chariot, hand)] + ["waste %d" % v for v in hand]

    def further(self, chariot, hand, stay, last):
        """The options after the first card, `last` the direction before."""
        spare = len(hand) - stay
        if spare < 1:
            return ["stop"]
        result = ["stop"]
        for value, direction in self.moves(chariot, hand):
            if not self.b.straight_only or direction == last:
                result.append("go %d %s" % (value, direction))
            elif spare >= 2:
                result += ["go %d %s %d" % (value, direction, w) for w in hand if w != value]
        return result

    def moves(self, chariot, hand):
        """(value, direction) of every card of the hand that can be moved in full."""
        result = []
        for d, direction in enumerate(self.b.directions):
            least, most = self.room(chariot, d)
            result += [(value, direction) for value in hand if value <= most or least and value >= least]
        return result

    def room(self, chariot, d):
        """(distance to a finish cell that can be entered, or None; empty cells before whatever is in the way)."""
        free, leg = 0, chariot.leg
        for cell, change in self.b.rays[chariot.cell][d]:
            if cell in self.taken:
                break
            if change is FINISH:
                return (free + 1 if self.b.enters(d, leg) else None), free
            leg += change
            free += 1
        return None, free

    def move(self, chariot, value, d):
        self.taken.remove(chariot.cell)
        for cell, change in self.b.rays[chariot.cell][d][:value]:
            chariot.cell = cell
            if change is FINISH:
                chariot.home = True
            else:
                chariot.leg += change
        self.taken.add(chariot.cell)

    # ---- the end (C5)

    def arrive(self, seat):
        if all(c.home for c in self.teams[seat]):
            self.arrived.append(seat)

    def finished(self):
        """Whether the race is over, be it within a round (C5, C5c)."""
        if not self.b.play_on:
            return bool(self.arrived)
        return len(self.arrived) >= self.n - 1 or self.b.finish <= self.taken

    def over(self):
        return self.finished() or self.rounds >= self.b.max_rounds

    def ranking(self):
        """A key per seat, smaller is better, equal is level."""
        return [(self.arrived.index(seat),) if seat in self.arrived else self.behind(seat) for seat in range(self.n)]

    def behind(self, seat):
        """The key of a seat that is not home: with the first home the game is over and all others are level (C5a)."""
        if self.arrived and not self.b.play_on:
            return (self.n,)
        home = sum(c.home for c in self.teams[seat])
        return self.n, -home, sum(self.b.to_go(c.cell, c.leg) for c in self.teams[seat] if not c.home)

    def result(self):
        keys = self.ranking()
        return [sum(other > key for other in keys) for key in keys], [s for s, key in enumerate(keys) if key == min(keys)]

    # ---- the state (C6)

    def state(self):
        return {
            "round": self.rounds,
            "players": [{"chariots": [{"cell": c.cell, "leg": c.leg} for c in team], "cards": sorted(hand)}
                        for team, hand in zip(self.teams, self.cards)],
            "to_move": self.to_move, "arrived": self.arrived}

    def check_invariants(self):
        cells = [c.cell for team in self.teams for c in team]
        assert len(cells) == len(set(cells)) and set(cells) == self.taken, "two chariots on a cell"
        for seat, team in enumerate(self.teams):
            for c in team:
                assert c.home == (c.cell in self.b.finish), "home off the finish"
                assert c.home or c.leg % 4 == self.b.section[c.cell], "leg %d on %d" % (c.leg, c.cell)
            assert (seat in self.arrived) == (bool(team) and all(c.home for c in team)), "arrived"
            waiting = sum(other == seat for other, _ in self.to_move)
            assert len(self.cards[seat]) >= waiting, "no card for the last chariot"


def weight(game, player, option):
    """Eager players race: the nearer to the finish a card takes the chariot, the better."""
    what, *words = option.split()
    if what != "go":
        return {"start": 1, "stop": 0.3, "waste": 0.05}[what]
    chariot = game.moving
    cell, leg = chariot.cell, chariot.leg
    for ahead, change in game.b.rays[cell][game.b.directions.index(words[1])][:int(words[0])]:
        cell, leg = ahead, leg + (change or 0)
    return 3 ** (game.b.to_go(chariot.cell, chariot.leg) - game.b.to_go(cell, leg))


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(rome.command(sys.modules[__name__]))
