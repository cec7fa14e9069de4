"""What hannibal, imperium and circus share: board files, the rules of a header, decisions, the command line."""

import argparse
import json
import os
import tomllib

import records

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class RulesError(ValueError):
    """A board file or the rules of a header are not usable."""


def load(name, path=None):
    """The board data of a game: a TOML file with the keys of `data/NAME.toml`."""
    with open(path or os.path.join(DATA, name + ".toml"), "rb") as handle:
        return tomllib.load(handle)


def text_id(name):
    """An id of a board file as it stands in records."""
    return name.replace("_", "-")


TREATMENTS = ("gift", "ban", "forced", "deal")


def leaves(value, path):
    """The treatments of a header that do something, as (steps of the key, amount)."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key], path + (key,))]
    return [] if value is False or value == [] or type(value) is int and value == 0 and path[0] != "forced" else [(path, value)]


def seat_of(path):
    """The seat that a treatment names in its second step."""
    digits = path[1][4:]
    if not path[1].startswith("seat") or not digits.isdigit():
        raise RulesError("rules: unknown key %s" % ".".join(path))
    return int(digits)


def unknown(path):
    return RulesError("rules: unknown key %s" % ".".join(path))


def options(defaults, rules):
    """The defaults with the header's rules laid over them; an unknown key or a value of another type is refused."""
    result = dict(defaults, treatments=[])
    for key, value in rules.items():
        if key in TREATMENTS:
            result["treatments"] += leaves(value, (key,))
            continue
        if key not in defaults:
            raise RulesError("rules: unknown key %s" % key)
        if type(value) is not type(defaults[key]) or (type(value) is int and value < 1):
            raise RulesError("rules: bad value for %s: %s" % (key, json.dumps(value)))
        result[key] = value
    return result


def ask(player, choices):
    """A decision: yields the request and returns the answer; a forced one is answered here."""
    if len(choices) == 1:
        return choices[0]
    return (yield "ply", player, choices)


def together(choices):
    """A simultaneous node: {player: options}, all known before anybody answers. Returns {player: answer}."""
    answers = {}
    for player in sorted(choices):
        answers[player] = yield from ask(player, choices[player])
    return answers


class Kind:
    """A game of Rome as a kind of game; see `records`. `module` holds NAME, SEATS, DEFAULTS, Board, Game and weight."""

    def __init__(self, module, data=None, eager=False):
        self.module, self.eager = module, eager
        self.name, self.seats = module.NAME, module.SEATS
        self.data = data or load(module.NAME)
        self.boards = {}

    def board(self, rules):
        """The board under the rules of a header; the same one for the same rules, as it remembers what it has counted."""
        key = records.canonical(rules)
        if key not in self.boards:
            self.boards[key] = self.module.Board(self.data, options(self.module.DEFAULTS, rules))
        return self.boards[key]

    def game(self, board, seats):
        return self.module.Game(board, seats)

    def choose(self, rng, game, player, choices):
        """Uniform, or eager: by the weights of the game, which bring up rare clauses and ends."""
        if not self.eager:
            return rng.choice(choices)
        weights = [self.module.weight(game, player, choice) for choice in choices]
        return rng.choices(choices, weights)[0]


def parse(module, argv):
    parser = argparse.ArgumentParser(description=module.__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", help="a file of records, - for standard input")
    parser.add_argument("--board", metavar="FILE", help="board data (TOML); default referee/data/%s.toml" % module.NAME)
    parser.add_argument("--max-faults", type=int, metavar="N", help="stop after N faulty games")
    parser.add_argument("--play", metavar="SEED", help="write random games instead")
    parser.add_argument("--games", type=int, default=1, metavar="N", help="number of random games; default 1")
    parser.add_argument("--players", type=int, default=module.SEATS[0], metavar="P",
                        help="players of random games, %d to %d; default %d" % (*module.SEATS, module.SEATS[0]))
    parser.add_argument("--eager", action="store_true",
                        help="random games: players who like what is rare, instead of uniform choice")
    parser.add_argument("--overrides", type=json.loads, default={}, metavar="JSON",
                        help="random games: the header's rules")
    args = parser.parse_args(argv)
    if (args.file is None) == (args.play is None):
        parser.error("either a file of records or --play")
    if not module.SEATS[0] <= args.players <= module.SEATS[1]:
        parser.error("--players must be %d to %d" % module.SEATS)
    return parser, args


def play(kind, args):
    for index in range(args.games):
        agent = "eager" if kind.eager else "random"
        for line in records.generate(kind, args.players, args.play, index, args.overrides, agent=agent):
            print(line)
    return 0


def command(module, argv=None, make=Kind):
    """The command of a game's referee; returns the exit code: 0, or 1 where a record is faulty. `make`: its kind."""
    parser, args = parse(module, argv)
    try:
        kind = make(module, load(module.NAME, args.board), args.eager)
        kind.board(args.overrides)
        if args.play is not None:
            return play(kind, args)
        return records.check_file(records.Referee(kind, args.max_faults), args.file)
    except OSError as error:
        parser.error("%s: %s" % (error.filename, error.strerror))
    except (RulesError, tomllib.TOMLDecodeError, KeyError) as error:
        parser.error("board or rules: %s" % error)
