#!/usr/bin/env python3
"""Independent referee for records of rise, and a random player of it. See README.md.

Clause numbers are those of the rules page.
"""

import signal
import sys
import tomllib
from collections import Counter

import records
import rome
from rise_empire import Empire
from rise_rules import Board
from rise_upkeep import Upkeep
from rome import RulesError, ask

NAME, SEATS = "rise", (2, 5)


class Game(Empire, Upkeep):
    def __init__(self, board, seats):
        self.b, self.n = board, seats
        start = board.cfg["start"]
        if start["resource_discs"] * seats > board.cfg["stock"]["resource_discs"]:
            raise RulesError("start.resource_discs: there are not so many")
        if not board.treatments.fits(seats):
            raise RulesError("a treatment of a seat that nobody has, or an order of other seats")
        self.gold, self.food = [start["gold"]] * seats, [start["food"]] * seats
        self.resource, self.vp = [start["resource_discs"]] * seats, [start["vp"]] * seats
        self.pool, self.stock = [start["cubes_in_pool"]] * seats, [start["cubes_in_general_stock"]] * seats
        self.progress = [set() for _ in range(seats)]
        self.territory = [Counter() for _ in range(seats)]
        self.city = [set() for _ in range(seats)]
        self.map = {region: [0] * seats for region in board.region}
        self.alliance = [None] * seats                              # the region of the piece
        self.used = [set() for _ in range(seats)]                   # free actions of this turn
        self.chosen = [Counter() for _ in range(seats)]             # 12.2: what is received in 13.2
        self.discs = {row: [] for row in board.rows}                # seats by circle, None where one was taken back
        self.boxes = {}                                             # occupied trade boxes: discs paid there
        self.empires = []
        self.shown = {"progress": Counter(), "territory": Counter(), "city": Counter()}
        self.stacks = {"progress": Counter({x: e["count"] for x, e in board.progress.items()}),
                       "territory": Counter({t: e["count"] for t, e in board.territory.items()})}
        self.gone, self.given = Counter(), Counter()                # (pile, tile): out of the game; from outside
        for pile, tile in board.treatments.no_tiles:
            self.gone[pile, tile] = self.stacks[pile].pop(tile) if pile in self.stacks else 1
        self.order = []
        self.finished, self.era = 0, 1

    # ---- course of the game (3, 4)

    def run(self):
        yield from self.set_up()
        self.treat()
        yield ("state",)
        for number, name in enumerate(self.b.turns):
            self.era = self.b.eras[number]
            yield from self.new_tiles(name)
            yield from self.actions(self.b.placing[number])
            yield from self.food_phase()
            yield from self.income_phase()
            self.score()
            if number + 1 < len(self.b.turns):
                self.order = yield from self.new_order()
            else:
                self.final_points()
            if name in self.b.cfg["phases"]["era_end_after"]:
                yield from self.end_of_era()
            self.finished += 1
            self.treat()
            yield ("state",)

    def set_up(self):
        seats = list(range(self.n))
        while len(seats) > 1:
            self.order.append((yield "chance", "order", None, dict.fromkeys(seats, 1)))
            seats.remove(self.order[-1])
        self.order += seats

    def treat(self):
        """What comes from outside before a turn, and before the state that a record shows then."""
        gifts = self.b.treatments.gifts.get(self.finished + 1, ())
        for seat, what, name, amount in sorted(gifts, key=lambda gift: gift[1] == "region"):
            if what == "region":
                cubes = min(amount, self.stock[seat])
                self.stock[seat] -= cubes
                self.map[name][seat] += cubes
            elif name:
                self.give_tile(seat, what, name, amount)
            elif what == "food":
                track = self.b.cfg["food_track"]
                self.food[seat] = min(max(self.food[seat] + amount, track["min"]), track["max"])
            elif amount > 0 or what == "vp":
                self.receive(seat, {what: amount})
            else:
                self.spend(seat, what, min(-amount, self.has(seat, what)))
        self.order = list(self.b.treatments.orders.get(self.finished + 1, self.order))

    def give_tile(self, seat, pile, tile, number):
        mine = getattr(self, pile)[seat]
        if pile == "territory":
            mine[tile] += number
            self.given[pile, tile] += number
        elif tile not in mine:
            mine.add(tile)
            self.given[pile, tile] += 1

    def new_tiles(self, turn):
        """4.2"""
        self.boxes = {}
        self.used = [set() for _ in range(self.n)]
        self.leftovers()
        due = self.b.cfg["display"]
        young = {x: k for x, k in self.stacks["progress"].items() if self.b.progress[x]["era"] == self.era}
        yield from self.draw("progress", young, due["progress_per_turn"])
        if turn in due["territory_turns"]:
            yield from self.draw("territory", self.stacks["territory"], due["territory_per_turn"])
        banned = self.b.treatments.no_tiles
        self.shown["city"].update(c for c, entry in self.b.city.items() if entry["slot"] == turn and ("city", c) not in banned)
        self.empires = list(self.b.empire)

    def leftovers(self):
        everything = self.b.cfg["display"]["leftovers_by_players"][str(self.n)] == "all"
        for pile, tiles in self.shown.items():
            for tile in list(tiles):
                if pile == "city" and self.b.city[tile]["kind"] == "wonder":
                    stays = False
                else:
                    stays = everything or pile == "progress" and self.b.progress[tile].get("red", False)
                if not stays:
                    self.gone[pile, tile] += tiles.pop(tile)

    def draw(self, pile, stack, due):
        stack = +Counter(stack)
        if stack.total() <= due:
            drawn = list(stack.elements())
        else:
            drawn = []
            for _ in range(due):
                tile = yield "chance", pile, None, dict(stack)
                stack = stack - Counter([tile])
                drawn.append(tile)
        self.shown[pile].update(drawn)
        self.stacks[pile].subtract(drawn)

    # ---- actions (5)

    def actions(self, placing):
        for number in range(self.b.cfg["stock"]["actions_per_turn"]):
            for player in self.order:
                if number >= self.b.treatments.rests.get((self.finished + 1, player), 0):
                    yield from self.action(player, placing)
        self.alliance = [None] * self.n
        if not placing:
            self.discs = {row: [] for row in self.b.rows}

    def action(self, player, placing):
        """5.1"""
        if not self.disc_options(player, placing):
            return
        answer = yield from self.free_actions(player, lambda: self.disc_options(player, placing), None)
        words = answer.split()
        if placing:
            self.discs[words[1]].append(player)
            taken = yield from self.object(player, words[1], placing)
        else:
            taken = yield from self.take_back(player, words[1], int(words[2]))
        yield from self.free_actions(player, lambda: ["end"], taken)

    def free_actions(self, player, others, taken):
        """5.6: one window; returns the first answer that is no `use`."""
        first = 0
        while True:
            answer = yield from ask(player, self.uses(player, first, taken) + others())
            if not answer.startswith("use "):
                return answer
            _, tile, *region = answer.split()
            first = self.b.free.index(tile) + 1
            self.use(player, tile, *region)

    def disc_options(self, player, placing):
        rows = self.b.rows
        if not placing:
            return ["remove %s %d" % (row, i + 1) for row in rows
                    for i, seat in enumerate(self.discs[row]) if seat == player]
        free = [row for row in rows if len(self.discs[row]) < self.b.open_row(row, self.n)]
        able = [row for row in free if self.objects(player, row)]
        if self.b.cfg["action_display"]["a_turn_may_skip_action"]:
            able = free
        return ["place %s" % row for row in able or free]

    def take_back(self, player, row, circle):
        """5.4"""
        display = self.b.cfg["action_display"]
        self.discs[row][circle - 1] = None
        ahead = sum(seat is not None for seat in self.discs[row][circle:])
        due = ahead * display["b_turn_cost_per_disc_to_the_left"]
        if display["b_turn_pay_before_action"]:
            yield from self.pay(player, due)
            return (yield from self.object(player, row, False))
        taken = yield from self.object(player, row, False)
        yield from self.pay(player, due)
        return taken

    def object(self, player, row, placing):
        """5.5: the object is chosen and carried out; returns the text of it."""
        options = self.objects(player, row)
        may_skip = self.b.cfg["action_display"]["%s_turn_may_skip_action" % ("a" if placing else "b")]
        if may_skip or not options:
            options.append("skip")
        answer = yield from ask(player, options)
        if answer != "skip":
            yield from self.carry_out(player, *answer.split())
        return answer

    def objects(self, player, row):
        found = ["%s %s" % (row, name) for name in self.offered(player, row)]
        return [text for text in found if not self.b.treatments.is_banned(self.finished + 1, player, text)]

    def offered(self, player, row):
        if row == "empire":
            return list(self.empires)
        if row == "trade":
            return [box for box, entry in self.b.trade.items()
                    if self.era in entry["eras"] and box not in self.boxes and entry["discs"] <= self.resource[player]]
        tiles = [tile for tile in getattr(self.b, row) if self.shown[row][tile]]
        if row == "progress":
            return [x for x in tiles if x not in self.progress[player] and self.age_price(x) <= self.gold[player]]
        # A city of the same name can only have come from outside.
        return [tile for tile in tiles if row == "territory"
                or tile not in self.city[player] and self.city_price(player, tile) <= self.gold[player]]

    def age_price(self, tile):
        """6.1"""
        return self.b.cfg["costs"]["progress_gold_by_eras_old"][self.era - self.b.progress[tile]["era"]]

    def city_price(self, player, tile):
        """8.1"""
        entry = self.b.city[tile]
        mine = (self.b.effect[x] for x in self.progress[player])
        less = sum(e["gold"] for e in mine if e["kind"] == "city_discount" and entry["kind"] in e["of"])
        return max(0, entry["gold"] - less)

    def carry_out(self, player, row, name):
        if row == "empire":
            self.empires.remove(name)
            yield from self.carry_out_empire(player, name)
        elif row == "trade":
            self.trade(player, name)
        else:
            self.shown[row][name] -= 1
            getattr(self, "take_" + row)(player, name)

    def take_progress(self, player, tile):
        self.spend(player, "gold", self.age_price(tile))
        self.progress[player].add(tile)

    def take_territory(self, player, tile):
        self.territory[player][tile] += 1

    def take_city(self, player, tile):
        self.spend(player, "gold", self.city_price(player, tile))
        if self.b.city[tile]["kind"] == "wonder":
            self.vp[player] += self.b.city[tile]["vp"]
            self.gone["city", tile] += 1
        else:
            self.city[player].add(tile)

    def trade(self, player, box):
        """11"""
        entry = self.b.trade[box]
        self.spend(player, "resource", entry["discs"])
        self.boxes[box] = entry["discs"]
        self.receive(player, {"gold": entry.get("gold", 0), "vp": entry.get("vp", 0)})
        for tile in self.b.progress:
            if tile in self.progress[player] and self.b.effect[tile]["kind"] == "trade_bonus":
                self.receive(player, self.b.effect[tile]["gain"])

    # ---- free actions (5.6, 6.3)

    def uses(self, player, first, taken):
        options = []
        for tile in self.b.free[first:]:
            ready = tile in self.progress[player] and tile not in self.used[player] and taken != "progress " + tile
            if ready and all(k <= self.has(player, kind) for kind, k in self.b.effect[tile]["cost"].items()):
                options += self.ways(player, tile)
        return options

    def ways(self, player, tile):
        effect = self.b.effect[tile]
        if effect["act"] == "gain":
            return ["use %s" % tile]
        if effect["act"] == "place":
            cubes = self.stock[player] + effect["cost"].get("cubes", 0)
            goals = [r for r in self.b.region if cubes >= effect["cubes"] and self.is_open(r, player, effect["water"])]
        else:
            goals = self.held_by(player) if self.alliance[player] is None else []
        return ["use %s %s" % (tile, r) for r in goals]

    def use(self, player, tile, region=None):
        effect = self.b.effect[tile]
        self.used[player].add(tile)
        for kind, number in effect["cost"].items():
            self.spend(player, kind, number)
        if effect["act"] == "gain":
            self.receive(player, effect["gain"])
        elif effect["act"] == "place":
            self.stock[player] -= effect["cubes"]
            self.map[region][player] += effect["cubes"]
        else:
            self.alliance[player] = region

    # ---- end and state (17, 20)

    def result(self):
        best = max(zip(self.vp, self.gold))
        return list(self.vp), [q for q in range(self.n) if (self.vp[q], self.gold[q]) == best]

    def state(self):
        return {
            "turn": self.finished, "order": list(self.order),
            "players": [self.player_state(q) for q in range(self.n)],
            "map": {r: list(there) for r, there in self.map.items() if any(there)},
            "discs": [list(self.discs[row]) for row in self.b.rows],
            "display": {"progress": self.counts("progress", self.shown["progress"]),
                        "territory": self.counts("territory", self.shown["territory"]),
                        "city": [c for c in self.b.city if self.shown["city"][c]]},
            "stacks": {pile: self.counts(pile, stack) for pile, stack in self.stacks.items()}}

    def player_state(self, q):
        return {"gold": self.gold[q], "resource": self.resource[q], "food": self.food[q], "vp": self.vp[q],
                "pool": self.pool[q], "stock": self.stock[q],
                "progress": [x for x in self.b.progress if x in self.progress[q]],
                "territory": self.counts("territory", self.territory[q]),
                "city": [c for c in self.b.city if c in self.city[q]]}

    def counts(self, pile, tiles):
        return {tile: tiles[tile] for tile in getattr(self.b, pile) if tiles[tile]}

    def check_invariants(self):
        cfg = self.b.cfg
        for q in range(self.n):
            there = [self.map[r][q] for r in self.map]
            assert min(self.pool[q], self.stock[q], *there) >= 0, "cubes of %d" % q
            assert self.pool[q] + self.stock[q] + sum(there) == cfg["stock"]["player_cubes_per_colour"], "cubes of %d" % q
            assert self.gold[q] >= 0 and self.resource[q] >= 0, "gold or discs of %d" % q
            assert cfg["food_track"]["min"] <= self.food[q] <= cfg["food_track"]["max"], "food of %d" % q
        assert self.supply() >= 0, "resource discs"
        assert sorted(self.order) == list(range(self.n)), "the turn order"
        waiting = [c for c, entry in self.b.city.items()
                   if entry["slot"] in self.b.turns[self.finished:] and ("city", c) not in self.b.treatments.no_tiles]
        for pile, table in (("progress", self.b.progress), ("territory", self.b.territory), ("city", self.b.city)):
            owners = Counter()
            for mine in getattr(self, pile):
                owners.update(mine)
            for tile, entry in table.items():
                stack = self.stacks[pile][tile] if pile in self.stacks else int(tile in waiting)
                assert min(stack, self.shown[pile][tile]) >= 0, tile
                total = entry.get("count", 1) + self.given[pile, tile]
                assert owners[tile] + stack + self.shown[pile][tile] + self.gone[pile, tile] == total, tile


# What eager players like more, or less, than the rest, so that rare clauses come up.
EAGER = {"use": 6, "battle": 10, "no-battle": 0.2, "abandon": 2, "done": 0.3, "keep": 3, "skip": 0.3, "to": 2}
LIKED = ("navigation", "mercenaries", "diplomacy", "stock-exchange", "shipping", "mechanised-warfare", "railways",
         "ideology", "village-food-or-cube", "village-gold-or-resource", "island")


def weight(game, player, option):
    """Eager players like free actions, the choices among goods, crowds on the map and battles."""
    first, *rest = option.split()
    if first in ("place", "remove"):
        return 4 if rest[0] in ("empire", "trade") else 2
    if first == "to":
        there = game.map[rest[0]]
        return 2 + 4 * any(k for q, k in enumerate(there) if q != player)
    if first in ("progress", "territory") and rest[0] in LIKED:
        return 5
    return EAGER.get(first, 1)


class Kind:
    """rise as a kind of game; see `records`."""

    name, seats = NAME, SEATS

    def __init__(self, data=None, eager=False):
        self.data, self.eager = data or rome.load(NAME), eager

    def board(self, rules):
        return Board(self.data, rules)

    def game(self, board, seats):
        return Game(board, seats)

    def choose(self, rng, game, player, options):
        if not self.eager:
            return rng.choice(options)
        return rng.choices(options, [weight(game, player, option) for option in options])[0]


def main(argv=None):
    parser, args = rome.parse(sys.modules[__name__], argv)
    try:
        kind = Kind(rome.load(NAME, args.board), args.eager)
        kind.game(kind.board(args.overrides), args.players)
        if args.play is not None:
            return rome.play(kind, args)
        return records.check_file(records.Referee(kind, args.max_faults), args.file)
    except OSError as error:
        parser.error("%s: %s" % (error.filename, error.strerror))
    except (RulesError, tomllib.TOMLDecodeError, KeyError) as error:
        parser.error("board or rules: %s" % error)


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
