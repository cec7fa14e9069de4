#!/usr/bin/env python3
"""Independent referee for records of imperium, and a random player of it. See README.md.

Clauses (I1 to I7, G1 to G5) are those of the rules page.
"""

import functools
import itertools
import signal
import sys

import rome
from rome import RulesError, text_id, together

NAME, SEATS = "imperium", (2, 5)
DEFAULTS = {"max-rounds": 200}
BREAD, EAR, ORACLE = "bread-and-circuses", "ear-of-the-emperor", "oracle"


class Board:
    def __init__(self, data, options):
        self.max_rounds = options["max-rounds"]
        rows = sorted(data["province"], key=lambda row: row["number"])
        self.provinces = [text_id(row["id"]) for row in rows]
        self.points = {text_id(row["id"]): row["points"] for row in rows}
        self.adjacent = {text_id(row["id"]): list(map(text_id, row["adjacent"])) for row in rows}
        for p, neighbours in self.adjacent.items():
            if any(p not in self.adjacent.get(q, ()) for q in neighbours):
                raise RulesError("board: a border of %s has one side" % p)
        self.pieces = data["players"]["influence_per_player"]
        self.win = data["players"]["win_score"]
        self.per_round = data["cards"]["per_round"]
        self.stacks = functools.cache(self.list_stacks)
        self.banned_cards, self.banned_stacks, self.laid = set(), set(), []
        for path, value in options["treatments"]:
            self.treat(path, value)

    def treat(self, path, value):
        seat, what = rome.seat_of(path), path[2:]
        if path[0] == "ban" and len(what) == 2 and what[0] == "card" and what[1] in self.provinces + [BREAD, EAR, ORACLE]:
            self.banned_cards.add((seat, what[1]))
        elif path[0] == "ban" and what == ("stack",):
            self.banned_stacks.add((seat, " ".join(("stack", *value))))
        elif path[0] == "deal" and len(what) == 2 and what[0] == "pieces" and what[1] in self.provinces:
            self.laid.append((seat, what[1], value))
        else:
            raise rome.unknown(path)

    def may_play(self, seat, ply):
        """Whether nobody has taken this stack from the seat."""
        return (seat, ply) not in self.banned_stacks and not any(
            (seat, card) in self.banned_cards for card in ply.split()[1:])

    def list_stacks(self, number, ear, oracle):
        """The plies of a player who must choose `number` cards, with or without an Ear and an Oracle in hand (I2)."""
        rest = self.provinces + [EAR] * ear
        stacks = list(itertools.combinations(rest, number))
        for chosen in itertools.combinations(rest, number - 1):
            stacks += [above_bread(chosen, last) for last in chosen] or [(BREAD,)]
        if oracle:
            stacks.append((ORACLE,))
        return [" ".join(("stack", *stack)) for stack in stacks]


def above_bread(chosen, last):
    """The chosen cards with `last` directly above Bread & Circuses, and the others in card order."""
    return (*(card for card in chosen if card != last), last, BREAD)


class Game:
    def __init__(self, board, seats):
        self.b, self.n = board, seats
        self.points = [0] * seats
        self.free = [board.pieces] * seats
        self.ear, self.oracle = [True] * seats, [True] * seats
        self.pieces = {p: [0] * seats for p in board.provinces}
        self.proconsul = {p: None for p in board.provinces}
        self.mark = self.rounds = 0
        for seat, province, number in board.laid:
            self.pieces[province][seat] += number
            self.free[seat] -= number
        for seat, card in board.banned_cards:
            if card == EAR:
                self.ear[seat] = False
            elif card == ORACLE:
                self.oracle[seat] = False

    def run(self):
        while not self.over():
            stacks = yield from self.choose()
            for player, cards in stacks.items():
                self.place(player, cards)
            self.score(1 + sum(EAR in cards for cards in stacks.values()))
            self.rounds += 1
            yield ("state",)

    def over(self):
        """A sole leader with enough points, or the last round (I6)."""
        best = max(self.points)
        return self.rounds >= self.b.max_rounds or best >= self.b.win and self.points.count(best) == 1

    # ---- choice (I2, I3)

    def options(self, player, oracle):
        number = min(self.b.per_round, self.free[player])
        return [ply for ply in self.b.stacks(number, self.ear[player], oracle) if self.b.may_play(player, ply)]

    def choose(self):
        """Both nodes of a round; {player: the cards that count}."""
        stacks = yield from self.node({p: self.oracle[p] for p in range(self.n) if self.free[p]})
        asked = [p for p, cards in stacks.items() if cards == [ORACLE]]
        stacks.update((yield from self.node({p: False for p in asked})))
        for player, cards in stacks.items():
            self.oracle[player] &= player not in asked
            self.ear[player] &= EAR not in cards
        return stacks

    def node(self, players):
        """One simultaneous choice of `players`: {player: may he choose the Oracle}."""
        answers = yield from together({p: self.options(p, oracle) for p, oracle in players.items()})
        return {p: answer.split()[1:] for p, answer in answers.items()}

    def place(self, player, cards):
        """One piece per province, two for the one above Bread & Circuses (I4)."""
        if BREAD in cards:
            cards = cards[:-1] + cards[-2:-1]
        for card in cards:
            if card in self.pieces:
                self.pieces[card][player] += 1
                self.free[player] -= 1

    # ---- scoring (I5)

    def score(self, number):
        for _ in range(number):
            self.score_province(self.b.provinces[self.mark])
            self.mark = (self.mark + 1) % len(self.b.provinces)

    def score_province(self, province):
        there = self.pieces[province]
        for player, points in self.places(province).items():
            self.points[player] += points
        most = max(there)
        if most and there.count(most) == 1:
            leader = there.index(most)
            self.proconsul[province] = leader
            self.points[leader] += self.chain(province)
        for player in range(self.n):
            stays = player == self.proconsul[province]
            self.free[player] += there[player] - stays
            there[player] = int(stays)

    def places(self, province):
        """Points by rank: k players tied from place p take the number of place p + k - 1."""
        there, printed, result = self.pieces[province], self.b.points[province], {}
        for player in range(self.n):
            place = sum(other >= there[player] for other in there)       # p + k - 1
            if there[player] and place <= min(self.n - 1, len(printed)):
                result[player] = printed[place - 1]
        return result

    def chain(self, province):
        """Proconsuls of the same player in the connected group with this one."""
        owner, group, ahead = self.proconsul[province], {province}, [province]
        while ahead:
            for p in self.b.adjacent[ahead.pop()]:
                if p not in group and self.proconsul[p] == owner:
                    group.add(p)
                    ahead.append(p)
        return len(group)

    # ---- end and state

    def result(self):
        best = max(self.points)
        return self.points, [p for p in range(self.n) if self.points[p] == best]

    def state(self):
        return {
            "round": self.rounds, "mark": self.b.provinces[self.mark],
            "players": [{"points": self.points[p], "free": self.free[p], "ear": self.ear[p], "oracle": self.oracle[p]}
                        for p in range(self.n)],
            "pieces": {p: there for p, there in self.pieces.items() if any(there)},
            "proconsul": {p: owner for p, owner in self.proconsul.items() if owner is not None}}

    def check_invariants(self):
        for player in range(self.n):
            placed = [there[player] for there in self.pieces.values()]
            assert min(placed) >= 0 and 0 <= self.free[player] == self.b.pieces - sum(placed), "pieces of %d" % player
        for province, owner in self.proconsul.items():
            assert owner is None or self.pieces[province][owner], "no piece of the proconsul of %s" % province


def weight(game, player, option):
    """Eager players like special cards and the provinces that are scored late, so that pieces run out."""
    cards = option.split()[1:]
    if cards == [ORACLE]:
        return 30
    late = sum((game.b.provinces.index(c) - game.mark) % 8 >= 4 for c in cards if c in game.pieces)
    return (1 + 2 * late) * (3 if EAR in cards else 1)


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(rome.command(sys.modules[__name__]))
