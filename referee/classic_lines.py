#!/usr/bin/env python3
"""Counts lines of play of classic as the referee sees it, against the engine's data.

`engine/tests/playthroughs/classic-*p.txt` are replayed: every ply with its number of options and the first of them, every
throw, the last state. From positions on their way, and from the start with any number of players, the lines of play are
counted and compared with `engine/tests/perft/classic.txt`, as deep as `--limit` allows: a forced ply is no event, every
multiset of faces is one.
"""

import argparse
import itertools
import json
import os
import re
import sys

import classic
import records
from classic_board import FACES

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "tests")
PLAYED = 2, 6  # seats of the playthroughs
POSITION = re.compile(r"position players=(\d) seed=1 events=(\d+)")
PLY = re.compile(r"player (\d): (.*?)(?: \(of (\d+): (.*)\))?$")


class Wrong(Exception):
    """The engine's data and the referee disagree."""


def events(text):
    """The events of a playthrough, and its last state."""
    found, state = [], None
    for line in text.splitlines():
        if line.startswith("state "):
            state = json.loads(line[6:])
        number, dot, event = line.partition(". ")
        if dot and number.isdigit():
            found.append(event)
    return found, state


def answer(event, request):
    """The answer that an event of a playthrough gives to a request."""
    if request[0] == "chance":
        value = json.loads(event)
        if value["chance"] != request[1] or value["who"] != request[2]:
            raise Wrong("%s, expected %s" % (event, request[1:]))
        return value["value"]
    _, player, options = request
    seat, action, number, shown = PLY.match(event).groups()
    shown = [text for text in shown.split(", ") if text != "…"]
    if int(seat) != player or int(number) != len(options) or shown != options[:len(shown)] or action not in options:
        raise Wrong("%s, expected %d: %s" % (event, player, records.shorten(options)))
    return action


def replay(kind, seats, told):
    """Answers the requests of a game by `told(number, request)`; returns the game and the request left open, None at the end."""
    game = kind.game(kind.board({}), seats)
    run, value = game.run(), None
    number = 0
    while True:
        try:
            request = run.send(value)
        except StopIteration:
            return game, None
        value = None
        if request[0] != "state":
            value = told(number, request)
            if value is None:
                return game, request
            number += 1


def playthrough(kind, seats):
    """Replays the engine's game; returns its answers."""
    with open(os.path.join(DATA, "playthroughs", "classic-%dp.txt" % seats), encoding="utf-8") as handle:
        lines, state = events(handle.read())
    answers = []

    def told(number, request):
        answers.append(answer(lines[number], request))
        return answers[-1]
    game, _ = replay(kind, seats, told)
    found = records.difference(game.state(), state)
    if found or len(answers) != len(lines):
        raise Wrong("%d players: %s" % (seats, found or "the game is shorter"))
    return answers


def branches(request):
    if request is None:
        return []
    if request[0] == "ply":
        return request[2]
    if request[1] == "dice":
        return [list(faces) for faces in itertools.combinations_with_replacement(FACES, request[3])]
    return list(request[3])


def count(kind, seats, start, limit):
    """Lines of play by depth, while a depth has no more than `limit`."""
    level, counts = [[]], []
    while 0 < len(level) <= limit:
        after = []
        for path in level:
            line = start + path
            _, request = replay(kind, seats, lambda number, _: line[number] if number < len(line) else None)
            after += [path + [branch] for branch in branches(request)]
        counts.append(len(after))
        level = after
    return counts


def positions():
    """(players, events, counts by depth) of the engine's data."""
    found = []
    with open(os.path.join(DATA, "perft", "classic.txt"), encoding="utf-8") as handle:
        for line in handle:
            match = POSITION.match(line)
            if match:
                found.append((int(match[1]), int(match[2]), []))
            elif line[0].isdigit():
                found[-1][2].append(int(line.split()[1]))
    return found


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=20, metavar="N",
                        help="lines of one depth that are followed further; default 20 (seconds), 400: minutes")
    args = parser.parse_args(argv)
    kind = classic.Kind(classic)
    try:
        games = {seats: playthrough(kind, seats) for seats in PLAYED}
    except Wrong as error:
        print("playthrough: %s" % error)
        return 1
    wrong = 0
    for seats, number, theirs in positions():
        if number and seats not in games:
            continue
        mine = count(kind, seats, games[seats][:number] if number else [], args.limit)
        is_right = mine == theirs[:len(mine)]
        wrong += not is_right
        print("players %d events %3d: %s %s" % (seats, number, mine, "" if is_right else "WRONG, the engine has %s" % theirs))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
