#!/usr/bin/env python3
"""Independent referee for records of conquest2, and a generator of random games. See README.md."""

import argparse
import json
import os
import sys

import board as boards
import records
from game import READINGS

DEFAULT_RULES = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "data", "conquest2.toml")


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
                for line in records.generate(cfg, args.players, args.seed, index, args.overrides, readings,
                                             eager=args.eager):
                    print(line)
        except boards.ConfigError as error:
            parser.error(str(error))
        return 0
    if not args.file:
        parser.error("a file of records or --generate")
    referee = records.Referee(cfg, readings, args.max_faults)
    if args.file == "-":
        referee.check(open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False))
    else:
        try:
            with open(args.file, encoding="utf-8", errors="replace") as handle:
                referee.check(handle)
        except OSError as error:
            parser.error("%s: %s" % (args.file, error.strerror))
    for number, game, message in referee.faults:
        print("line %d: game %d: %s" % (number, game, message))
    print("games %d failed %d" % (referee.games, len(referee.faults)))
    return 1 if referee.faults else 0


if __name__ == "__main__":
    sys.exit(main())
