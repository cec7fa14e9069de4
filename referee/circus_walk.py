#!/usr/bin/env python3
"""A naive second program for circus: replays records, or counts lines of play from the states in them.

    python3 referee/circus_walk.py FILE|-                  every line of every game is checked; the first fault ends it
    python3 referee/circus_walk.py --perft DEPTH FILE|-    lines: `KEY=VALUE … TAB STATE`, as in records, between two turns

It walks cell by cell and shares nothing with the engine but the board file.
"""

import json
import os
import signal
import sys
import tomllib
from collections import deque

BOARD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "data", "circus.toml")
with open(BOARD, "rb") as file:
    RULES = tomllib.load(file)
CELLS = {cell["id"]: cell for cell in RULES["board"]["cells"]}
AT = {(cell["q"], cell["r"]): cell["id"] for cell in CELLS.values()}
FINISH = set(RULES["finish"]["cells"])
ORDER = RULES["sections"]["order"]
STEPS = RULES["directions"]
ALL = set(RULES["cards"]["values"])


def step(cell, direction):
    dq, dr = STEPS[direction]
    return AT.get((CELLS[cell]["q"] + dq, CELLS[cell]["r"] + dr))


def section(cell):
    return ORDER.index(CELLS[cell]["section"])


def leg_after(leg, cell, following):
    return leg + {0: 0, 1: 1, 3: -1}[(section(following) - section(cell)) % 4]


class Race:
    """A position between two plies; chariots are pairs of cell and leg."""

    def __init__(self, chariots, overrides):
        self.chariots, self.overrides = chariots, overrides
        self.most = RULES["cards"]["two-cards" if self.option("two-cards") else "per-chariot"]
        self.round, self.over, self.arrived, self.closing = 0, False, [], None
        self.begin()

    def option(self, key):
        return self.overrides.get(key, RULES[key])

    def copy(self):
        other = Race.__new__(Race)
        other.__dict__.update(self.__dict__)
        other.chariots = [list(team) for team in self.chariots]
        other.cards = [set(cards) for cards in self.cards]
        other.to_move, other.arrived = list(self.to_move), list(self.arrived)
        return other

    def begin(self):
        self.cards = [set(ALL) for _ in self.chariots]
        racing = [(seat, n) for seat, team in enumerate(self.chariots)
                  for n, (cell, _) in enumerate(team) if cell not in FINISH]
        rank = lambda who: (-self.at(who)[1], CELLS[self.at(who)[0]]["rank"])
        leader = section(self.at(min(racing, key=rank))[0])
        behind = lambda who: (leader - section(self.at(who)[0])) % len(ORDER)
        self.to_move = sorted(racing, key=lambda who: (behind(who), rank(who)))
        self.used, self.heading = 0, None

    def at(self, who):
        return self.chariots[who[0]][who[1]]

    def walk(self, who, value, direction):
        (cell, leg), taken = self.at(who), {cell for team in self.chariots for cell, _ in team}
        for _ in range(value):
            following = step(cell, direction)
            if following is None or following in taken:
                return None
            if following in FINISH:
                opens = leg >= RULES["chariots"]["finish-leg"] and direction in RULES["finish"]["directions"]
                return (following, leg) if opens else None
            cell, leg = following, leg_after(leg, cell, following)
        return cell, leg

    def options(self):
        who = self.to_move[0]
        cards = sorted(self.cards[who[0]])
        spare = len(cards) - sum(seat == who[0] for seat, _ in self.to_move[1:])
        texts = []
        for value in cards if spare > 0 else []:
            for direction in STEPS:
                if self.walk(who, value, direction) is None:
                    continue
                if self.used and self.option("straight-only") and direction != self.heading:
                    if spare > 1:
                        texts += [f"go {value} {direction} {w}" for w in cards if w != value]
                else:
                    texts.append(f"go {value} {direction}")
        return texts + (["stop"] if self.used else [f"waste {value}" for value in cards])

    def play(self, text):
        verb, *rest = text.split()
        who = self.to_move[0]
        if verb == "waste":
            self.cards[who[0]].remove(int(rest[0]))
        if verb != "go":
            return self.end_turn()
        place = self.walk(who, int(rest[0]), rest[1])
        self.cards[who[0]] -= {int(word) for word in rest[::2]}
        self.chariots[who[0]][who[1]] = place
        self.used, self.heading = self.used + 1, rest[1]
        if place[0] in FINISH:
            self.come_home(who[0])
        elif self.used == self.most:
            self.end_turn()

    def come_home(self, seat):
        if all(cell in FINISH for cell, _ in self.chariots[seat]):
            self.arrived.append(seat)
        taken = sum(cell in FINISH for team in self.chariots for cell, _ in team)
        n = len(self.arrived)
        if self.option("play-on"):
            self.over = n + 1 >= len(self.chariots) or taken == len(FINISH)
        else:
            self.over = n > 0
        if self.over:
            self.to_move.pop(0)
        else:
            self.end_turn()

    def end_turn(self):
        self.to_move.pop(0)
        self.used, self.heading = 0, None
        if not self.to_move:
            self.round += 1
            self.closing = [sorted(cards) for cards in self.cards]
            if self.round >= self.option("max-rounds"):
                self.over = True
            else:
                self.begin()

    def settle(self):
        while not self.over and len(options := self.options()) == 1:
            self.play(options[0])

    def state(self, between):
        cards = self.closing if between else [sorted(cards) for cards in self.cards]
        return {
            "round": self.round if between else self.round + 1,
            "players": [{"chariots": [{"cell": cell, "leg": leg} for cell, leg in team], "cards": own}
                        for team, own in zip(self.chariots, cards)],
            "to_move": [] if between else [list(who) for who in self.to_move],
            "arrived": self.arrived,
        }

    def standing(self, seat):
        if seat in self.arrived:
            return 0, self.arrived.index(seat), 0
        if self.arrived and not self.option("play-on"):
            return 1, 0, 0
        team = self.chariots[seat]
        return 1, -sum(cell in FINISH for cell, _ in team), sum(steps_to_go(*chariot) for chariot in team)


KNOWN = {}


def steps_to_go(cell, leg):
    """Breadth first, forwards, from this chariot alone."""
    if cell in FINISH:
        return 0
    if (cell, leg) not in KNOWN:
        seen, queue = {(cell, leg)}, deque([(cell, leg, 0)])
        while (cell, leg) not in KNOWN:
            at, now, steps = queue.popleft()
            for direction in STEPS:
                following = step(at, direction)
                if following in FINISH:
                    if now >= RULES["chariots"]["finish-leg"] and direction in RULES["finish"]["directions"]:
                        KNOWN.setdefault((cell, leg), steps + 1)
                elif following is not None:
                    place = (following, leg_after(now, at, following))
                    if place not in seen:
                        seen.add(place)
                        queue.append((*place, steps + 1))
    return KNOWN[cell, leg]


def expect(what, found, wanted):
    if found != wanted:
        raise ValueError(f"{what} is {json.dumps(found)}, expected {json.dumps(wanted)}")


def check(lines):
    """Replays one game; an iterator of its lines after the header, which is the first."""
    header = next(lines)
    n = header["seats"]
    chance = next(lines)
    first = chance["value"]
    expect("the first event", chance, {"chance": "first-player", "value": first})
    chariots, free, plies = [[] for _ in range(n)], set(RULES["start"]["cells"]), 0
    round_one = [(first + k) % n for k in range(n)]
    for seat in round_one + 2 * round_one[::-1]:
        if len(free) > 1:
            line, plies = next(lines), plies + 1
            expect("the ply", [line["player"], line["legal"]], [seat, len(free)])
            cell = int(line["action"].removeprefix("start "))
        else:
            [cell] = free
        free.remove(cell)
        chariots[seat].append((cell, RULES["chariots"]["start-leg"]))
    race = Race(chariots, header["rules"])
    while not race.over:
        options, rounds = race.options(), race.round
        if len(options) == 1:
            race.play(options[0])
        else:
            line, plies = next(lines), plies + 1
            expect("the ply", [line["player"], line["legal"]], [race.to_move[0][0], len(options)])
            expect(f"whether {line['action']} is possible", line["action"] in options, True)
            race.play(line["action"])
        if race.round > rounds or race.over:
            expect("the state", next(lines), {"state": race.state(race.round > rounds)})
    standings = [race.standing(seat) for seat in range(n)]
    scores = [sum(other > own for other in standings) for own in standings]
    winners = [seat for seat in range(n) if standings[seat] == min(standings)]
    expect("the end", next(lines), {"end": {"scores": scores, "winners": winners, "plies": plies}})


def check_all(stream):
    games, failed, ahead = 0, 0, None
    numbered = ((number, json.loads(text)) for number, text in enumerate(stream, 1))
    ahead = next(numbered, None)
    while ahead is not None:
        game = [ahead]
        while (ahead := next(numbered, None)) is not None and "format" not in ahead[1]:
            game.append(ahead)
        games, at = games + 1, iter(game)
        last = [0]

        def lines():
            for last[0], line in at:
                yield line

        try:
            rest = lines()
            check(rest)
            expect("the number of lines left", len(list(rest)), 0)
        except (ValueError, KeyError, IndexError, StopIteration) as fault:
            failed += 1
            print(f"line {last[0]}: game {games}: {fault or 'the record breaks off'}")
    print(f"games {games} failed {failed}")
    return int(failed > 0)


def count(race, depth):
    race.settle()
    options = [] if race.over else race.options()
    if depth == 1:
        return len(options)
    total = 0
    for text in options:
        after = race.copy()
        after.play(text)
        total += count(after, depth - 1)
    return total


def perft(stream, depth):
    for line in stream:
        settings, _, state = line.partition("\t")
        overrides = {key: json.loads(value) for key, value in (word.split("=") for word in settings.split())}
        state = json.loads(state)
        race = Race([[(c["cell"], c["leg"]) for c in p["chariots"]] for p in state["players"]], overrides)
        race.round, race.arrived = state["round"], state["arrived"]
        if state["to_move"]:
            race.round -= 1
            race.cards = [set(player["cards"]) for player in state["players"]]
            race.to_move = [tuple(who) for who in state["to_move"]]
        print(*(count(race.copy(), d) for d in range(1, depth + 1)))
    return 0


def main(words):
    depth = int(words[1]) if words[:1] == ["--perft"] else None
    name = words[-1] if words else "-"
    stream = sys.stdin if name == "-" else open(name, encoding="utf-8")
    with stream:
        return check_all(stream) if depth is None else perft(stream, depth)


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
