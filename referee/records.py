"""Reading and writing records (caesar-record/1) of any game against its simulator.

A game is told by a kind: `name`; `seats`, the fewest and the most players; `board(rules)`, which lays the overrides of a
header over the rules, and `game(board, seats)`, a new game, both of which raise ValueError where they refuse; and
`choose(rng, game, player, options)`, the random player. A game has `run()`, a generator of requests ("ply", player,
options), ("chance", kind, who, outcomes) and ("state",), which is sent the answers; `state()`; `check_invariants()`; and
`result()`, the scores and the winners.
"""

import json
import random
import sys

FORMAT = "caesar-record/1"
HEADER_KEYS = ("format", "game", "seats", "rules", "agents", "seed")


class Fault(Exception):
    """A line of a record is wrong."""


class Line:
    __slots__ = ("number", "value", "error")

    def __init__(self, number, text):
        self.number, self.value, self.error = number, None, None
        try:
            value = json.loads(text, object_pairs_hook=unique, parse_constant=reject)
            if not isinstance(value, dict):
                raise ValueError("not an object")
            self.value = value
        except ValueError as error:
            self.error = "not a JSON object: %s" % error

    def is_header(self):
        return self.value is not None and "format" in self.value


def unique(pairs):
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def reject(name):
    raise ValueError("%s is no JSON number" % name)


def canonical(value):
    return json.dumps(value, sort_keys=True)


def difference(mine, theirs, path=""):
    """The first place where two JSON values differ."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in sorted(set(mine) | set(theirs)):
            if key not in mine:
                return "%s.%s: should be absent" % (path, key)
            if key not in theirs:
                return "%s.%s: missing, should be %s" % (path, key, json.dumps(mine[key]))
            found = difference(mine[key], theirs[key], path + "." + key)
            if found:
                return found
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for i, (a, b) in enumerate(zip(mine, theirs)):
            found = difference(a, b, "%s[%d]" % (path, i))
            if found:
                return found
    elif canonical(mine) != canonical(theirs):
        return "%s: should be %s, is %s" % (path.lstrip(".") or "value", json.dumps(mine), json.dumps(theirs))
    return None


class Referee:
    """Checks a stream of records; faults are (line, game, message)."""

    def __init__(self, kind, max_faults=None):
        self.kind = kind
        self.max_faults = max_faults
        self.boards = {}
        self.games = 0
        self.faults = []

    def check(self, lines):
        """`lines`: an iterable of texts."""
        self.source = iter(lines)
        self.number = 0
        self.ahead = None
        while self.peek() is not None:
            self.games += 1
            line = self.next()
            try:
                self.one_game(line)
            except (Fault, AssertionError) as fault:
                if isinstance(fault, AssertionError):       # the referee's own conservation checks
                    fault = Fault(self.number, "the referee contradicts itself here: %r" % fault)
                self.faults.append((fault.args[0], self.games, fault.args[1]))
                if self.max_faults and len(self.faults) >= self.max_faults:
                    break
                while self.peek() is not None and not self.ahead.is_header():
                    self.next()
        return self.faults

    def peek(self):
        if self.ahead is None:
            text = next(self.source, None)
            self.number += 1
            if text is not None:
                self.ahead = Line(self.number, text)
        return self.ahead

    def next(self):
        line, self.ahead = self.peek(), None
        return line

    def expect(self, what):
        """The next line of this game; the header of the next game stays where it is."""
        line = self.peek()
        if line is None:
            raise Fault(self.number, "the record ends, expected %s" % what)
        if line.is_header():
            raise Fault(line.number, "a header, expected %s" % what)
        self.next()
        if line.error:
            raise Fault(line.number, line.error)
        return line

    def board(self, line, rules):
        if not isinstance(rules, dict):
            raise Fault(line.number, "header: rules is not an object")
        key = canonical(rules)
        if key not in self.boards:
            try:
                self.boards[key] = self.kind.board(rules)
            except ValueError as error:
                raise Fault(line.number, str(error)) from None
        return self.boards[key]

    def header(self, line):
        if line.error:
            raise Fault(line.number, line.error)
        value = line.value
        if sorted(value) != sorted(HEADER_KEYS):
            raise Fault(line.number, "a header with exactly the keys %s expected" % ", ".join(HEADER_KEYS))
        if value["format"] != FORMAT:
            raise Fault(line.number, "unknown format %s" % json.dumps(value["format"]))
        if value["game"] != self.kind.name:
            raise Fault(line.number, "unknown game %s" % json.dumps(value["game"]))
        seats = value["seats"]
        least, most = self.kind.seats
        if type(seats) is not int or not least <= seats <= most:
            raise Fault(line.number, "seats must be %d to %d" % (least, most))
        agents = value["agents"]
        if not (isinstance(agents, list) and len(agents) == seats and all(isinstance(a, str) for a in agents)):
            raise Fault(line.number, "agents must be one text per seat")
        if not isinstance(value["seed"], str):
            raise Fault(line.number, "seed must be a text")
        return seats, self.board(line, value["rules"])

    def one_game(self, line):
        seats, board = self.header(line)
        first = self.peek()
        if first is not None and first.value is not None and list(first.value) == ["position"]:
            raise Fault(first.number, "the game begins at a position made by hand; the referee reads games from the start")
        try:
            game = self.kind.game(board, seats)
        except ValueError as error:
            raise Fault(line.number, "rules: %s" % error) from None
        run = game.run()
        plies, answer = 0, None
        while True:
            try:
                request = run.send(answer)
            except StopIteration:
                break
            kind = request[0]
            if kind == "ply":
                answer = self.ply(request)
                plies += 1
            elif kind == "chance":
                answer = self.chance(request, board)
            else:
                answer = None
                game.check_invariants()
                line = self.expect("a state")
                if list(line.value) != ["state"]:
                    raise Fault(line.number, "a state expected")
                found = difference(game.state(), line.value["state"], "state")
                if found:
                    raise Fault(line.number, found)
        self.end(game, plies)

    def end(self, game, plies):
        line = self.expect("the end")
        if list(line.value) != ["end"]:
            raise Fault(line.number, "the end expected")
        found = difference(result(game, plies), whole_scores(line.value["end"]), "end")
        if found:
            raise Fault(line.number, found)

    def ply(self, request):
        _, player, options = request
        wanted = "a ply by player %d, %d options [%s]" % (player, len(options), shorten(options))
        line = self.expect(wanted)
        value = line.value
        if sorted(value) != ["action", "legal", "player"]:
            raise Fault(line.number, "%s expected" % wanted)
        if type(value["player"]) is not int or value["player"] != player:
            raise Fault(line.number, "player %s, expected %s" % (json.dumps(value["player"]), wanted))
        action = value["action"]
        if not isinstance(action, str) or action not in options:
            raise Fault(line.number, "action %s is not legal, expected %s" % (json.dumps(action), wanted))
        if type(value["legal"]) is not int or value["legal"] != len(options):
            raise Fault(line.number, "legal %s at %s, expected %s" % (json.dumps(value["legal"]), action, wanted))
        return action

    def chance(self, request, board):
        _, kind, who, dist = request
        wanted = "chance %s%s" % (kind, "" if who is None else " of %s" % who)
        line = self.expect(wanted)
        value = line.value
        keys = ["chance", "value"] if who is None else ["chance", "value", "who"]
        if sorted(value) != keys or value["chance"] != kind:
            raise Fault(line.number, "%s expected" % wanted)
        if who is not None and canonical(value["who"]) != canonical(who):
            raise Fault(line.number, "who %s, expected %s" % (json.dumps(value["who"]), wanted))
        result = value["value"]
        if kind == "dice":
            if not isinstance(result, list) or len(result) != dist:
                raise Fault(line.number, "%s: %d dice expected" % (wanted, dist))
            for face in result:
                if not isinstance(face, str) or face not in board.faces:
                    raise Fault(line.number, "%s: no such face %s" % (wanted, json.dumps(face)))
        elif isinstance(result, (list, dict, bool, float)) or result not in dist:
            raise Fault(line.number, "%s: value %s is not possible" % (wanted, json.dumps(result)))
        return result


def shorten(options, limit=40):
    text = "; ".join(options[:limit])
    return text if len(options) <= limit else text + "; …"


def dump(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def result(game, plies):
    scores, winners = game.result()
    return {"scores": scores, "winners": winners, "plies": plies}


def whole_scores(end):
    """The end line with scores like 1.0 as 1: they are the same number; hints to people are no matter of the rules."""
    if isinstance(end, dict) and isinstance(end.get("scores"), list):
        whole = [int(s) if isinstance(s, float) and s.is_integer() else s for s in end["scores"]]
        end = {**end, "scores": whole}
    if isinstance(end, dict) and type(end.get("hints")) is int:
        end = {key: end[key] for key in end if key != "hints"}
    return end


def generate(kind, seats, seed, index, rules=None, watch=None, agent="random"):
    """The lines of one game of random players; `watch(game, request)` is called at every request."""
    board = kind.board(rules or {})
    game = kind.game(board, seats)
    name = "%s/%d" % (seed, index)
    rng = random.Random(name)
    yield dump({"format": FORMAT, "game": kind.name, "seats": seats, "rules": rules or {}, "agents": [agent] * seats,
                "seed": name})
    run = game.run()
    plies, answer = 0, None
    while True:
        try:
            request = run.send(answer)
        except StopIteration:
            break
        if watch:
            watch(game, request)
        if request[0] == "ply":
            _, player, options = request
            assert len(set(options)) == len(options) > 1, options
            answer = kind.choose(rng, game, player, options)
            plies += 1
            yield dump({"player": player, "legal": len(options), "action": answer})
        elif request[0] == "chance":
            _, name, who, dist = request
            if name == "dice":
                answer = [rng.choice(board.faces) for _ in range(dist)]
            else:
                answer = rng.choices(list(dist), list(dist.values()))[0]
            event = {"chance": name}
            if who is not None:
                event["who"] = who
            event["value"] = answer
            yield dump(event)
        else:
            answer = None
            game.check_invariants()
            yield dump({"state": game.state()})
    yield dump({"end": result(game, plies)})


def check_file(referee, path):
    """Checks a file, or standard input for `-`, says what came out and gives the exit code; raises OSError."""
    if path == "-":
        referee.check(open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False))
    else:
        with open(path, encoding="utf-8", errors="replace") as handle:
            referee.check(handle)
    for number, game, message in referee.faults:
        print("line %d: game %d: %s" % (number, game, message))
    print("games %d failed %d" % (referee.games, len(referee.faults)))
    return 1 if referee.faults else 0
