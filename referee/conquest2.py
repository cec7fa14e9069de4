#!/usr/bin/env python3
"""Independent referee for records of conquest2, and a generator of random games. See README.md."""

import argparse
import json
import os
import signal
import sys

import board as boards
import records
from game import READINGS, Game

DEFAULT_RULES = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "data", "conquest2.toml")


class Conquest2:
    """conquest2 as a kind of game; see `records`."""

    name, seats = "conquest2", (2, 6)

    def __init__(self, cfg, readings=None, eager=False):
        self.cfg, self.readings, self.eager = cfg, readings, eager

    def board(self, rules):
        return boards.Board(boards.override(self.cfg, rules))

    def game(self, board, seats):
        return Game(board, seats, self.readings)

    def choose(self, rng, game, player, options):
        return choose(rng, game, player, options, self.eager)


def referee(cfg, readings=None, max_faults=None):
    return records.Referee(Conquest2(cfg, readings), max_faults)


def generate(cfg, seats, seed, index, rules=None, readings=None, watch=None, eager=False):
    """The lines of one game of random players; see `records.generate`."""
    return records.generate(Conquest2(cfg, readings, eager), seats, seed, index, rules, watch, "eager" if eager else "random")


# First words of actions that "eager" players like more (or less) than the rest, so that cards and battles come up.
EAGER = {"take": 8, "battle": 12, "sail": 3, "recruit": 3, "use": 8, "tax": 0.5, "bid": 0.3, "stay": 6, "stop": 0.3,
         "show": 3, "no-attack": 0.3}


def choose(rng, game, player, options, eager):
    """Uniform, or eager: weights by kind, small bids, Diplomacy and immediate cards, moves to key and manned provinces."""
    if not eager:
        return rng.choice(options)
    weights = []
    for rank, option in enumerate(options):
        first, _, rest = option.partition(" ")
        weight = EAGER.get(first, 1)
        if option == "pass" and "tax" in options:
            weight = 0.1
        elif first == "amount":
            weight = 1 / (1 + rank) ** 3
        elif first == "card":
            weight = 4 if rest.startswith(("diplomacy", "barbarians", "city", "fleet", "slave", "favorable")) else 1
        elif first == "to" and rest in game.b.pid:
            p = game.b.pid[rest]
            weight = 1 + 4 * game.enemy_military(p, player) + 4 * ("diplomacy-" + rest in game.cards[player])
        weights.append(weight)
    return rng.choices(options, weights)[0]


def reading(text):
    name, _, value = text.partition("=")
    if name not in READINGS or value not in ("yes", "no"):
        raise argparse.ArgumentTypeError("NAME=yes|no with NAME one of %s" % ", ".join(READINGS))
    return name, value == "yes"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", help="a file of records, - for standard input")
    parser.add_argument("--rules", default=DEFAULT_RULES, help="rules file (TOML); default engine/data/conquest2.toml")
    parser.add_argument("--max-faults", type=int, metavar="N", help="stop after N faulty games")
    parser.add_argument("--reading", type=reading, action="append", default=[], metavar="NAME=yes|no",
                        help="another reading of an ambiguous clause: %s" % ", ".join(READINGS))
    parser.add_argument("--generate", type=int, metavar="N", help="write N random games instead")
    parser.add_argument("--players", type=int, default=4, metavar="P", help="players of generated games, 2 to 6")
    parser.add_argument("--seed", default="0", metavar="S", help="seed of generated games")
    parser.add_argument("--eager", action="store_true",
                        help="generated games: players who like cards and battles, instead of uniform choice")
    parser.add_argument("--overrides", type=json.loads, default={}, metavar="JSON",
                        help="the header's rules of generated games")
    args = parser.parse_args(argv)
    try:
        cfg = boards.load(args.rules)
    except OSError as error:
        parser.error("rules file: %s (give one with --rules)" % error.strerror)
    except (boards.ConfigError, ValueError) as error:
        parser.error(str(error))
    readings = dict(args.reading)
    if args.generate is not None:
        if args.file or not 2 <= args.players <= 6:
            parser.error("--generate takes no file and 2 to 6 players")
        try:
            for index in range(args.generate):
                for line in generate(cfg, args.players, args.seed, index, args.overrides, readings,
                                     eager=args.eager):
                    print(line)
        except boards.ConfigError as error:
            parser.error(str(error))
        return 0
    if not args.file:
        parser.error("a file of records or --generate")
    try:
        return records.check_file(referee(cfg, readings, args.max_faults), args.file)
    except OSError as error:
        parser.error("%s: %s" % (args.file, error.strerror))


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
