"""The simulator: a game of conquest2 as a generator of requests.

`Game.run()` yields, and is answered with `send`:

* ("ply", player, options)      options: texts, at least two; the answer is one of them
* ("chance", kind, who, dist)   dist: {value: weight}, or the number of dice; the answer is the value
* ("state",)                    a state line belongs here; no answer

A decision with one option is taken here and never yielded. Clause numbers are those of the rules page.
"""

from collections import Counter
from itertools import product

from battle import CAE, CAT, CAV, GALLEY, GEN, INF, LAND_POOL, POOL, Battles
from board import BARBARIANS, CITIES, FLEETS, SENATORS, UNITS, VOTES

IMMEDIATE = frozenset(
    list(FLEETS) + list(CITIES) + ["barbarians-" + b for b in BARBARIANS]
    + ["politician", "bribe-senator", "slave-revolt"]
)

# Readings of clauses that allow two (AMBIGUITIES.md); the value here is the choice.
READINGS = {
    "committed-galleys-block": False,   # 15.7/13.3: do committed galleys close a strait during the battle?
    "show-keeps-shown": False,          # 16.4: must a new show contain what the player showed before?
    "raise-cap-on-opening": False,      # 6.4: does the largest raise bound the opening bid too?
    "real-opener-counts": False,        # 6.2: does the next opening pass on from him who opened in an allied seat's place?
}


class Game(Battles):
    def __init__(self, board, seats, readings=None):
        self.b = board
        self.n = seats
        self.readings = dict(READINGS, **(readings or {}))
        self.cfg = cfg = board.cfg
        n, provinces = seats, len(board.provinces)
        self.completed = 0
        self.order = []
        self.alliance = []               # by turn position
        self.ally = [None] * n           # by seat
        self.money = [cfg["options"]["money"]] * n
        self.chaos = [0] * n
        self.vp = [0] * n
        self.senators = [list(cfg["start"]["senators"]) for _ in range(n)]
        self.cards = [[] for _ in range(n)]
        self.used = [Counter() for _ in range(n)]
        self.land = [[[0] * 5 for _ in range(n)] for _ in range(provinces)]
        self.sea = [[0] * n for _ in board.zones]
        self.committed = [[0] * n for _ in board.zones]
        self.pool = [[cfg["pools"][u] for u in UNITS] for _ in range(n)]
        self.supply = [cfg["pools"]["influence"]] * n
        self.infl = [[0] * n for _ in range(provinces)]
        self.tokens = [0] * provinces
        self.city = [None] * provinces
        self.display = Counter()
        self.deck = Counter({c: v["count"] for c, v in cfg["cards"].items() if v["count"]})
        for vote in VOTES:
            if self.deck.pop("vote-" + vote, 0):
                self.display["vote-" + vote] = cfg["cards"]["vote-" + vote]["count"]
        for v in range(4):
            card = "senator-%d" % (v + 1)
            if not cfg["start"]["senators_from_deck"]:
                continue
            self.deck[card] -= cfg["start"]["senators"][v] * n
            if self.deck[card] < 0:
                raise ValueError("not enough %s for the starting hands" % card)
            if not self.deck[card]:
                del self.deck[card]
        self.bag = Counter({p: t for p, t in enumerate(board.tokens) if t})
        self.treatments = board.treatments
        for card in self.treatments.no_cards:
            self.deck.pop(card, None)
            self.display.pop(card, None)
        self.given = Counter()           # cards that came from outside
        self.free = []                   # immediate cards that the player in turn may take for nothing
        self.first = None
        self.gone_cards = Counter()      # cards that have left the game, for the conservation check
        self.gone_tokens = 0

    # ---- requests ---------------------------------------------------------------------------------------------

    def ask(self, player, options):
        assert options, "a decision without an option"
        if len(options) == 1:
            return options[0]
        return (yield ("ply", player, options))

    def count(self, player, lo, hi):
        assert lo <= hi, "an empty count range"
        if lo == hi:
            return lo
        answer = yield ("ply", player, ["count %d" % k for k in range(lo, hi + 1)])
        return int(answer[6:])

    def counts_at_least_one(self, player, size, hi, apply, needed=True):
        """A group of counts that must come to one unit; hi(i) is the present upper end of count i."""
        total = 0
        for i in range(size):
            top = hi(i)
            lo = 0
            if needed and total == 0 and top > 0 and all(hi(j) == 0 for j in range(i + 1, size)):
                lo = 1
            k = yield from self.count(player, lo, top)
            if k:
                apply(i, k)
                total += k
        assert total or not needed
        return total

    def counts_exact(self, player, sizes, total):
        """Counts of the categories that come to `total`; each range is what still allows it."""
        rest = sum(sizes)
        assert total <= rest
        result = []
        for size in sizes:
            rest -= size
            k = yield from self.count(player, max(0, total - rest), min(size, total))
            total -= k
            result.append(k)
        return result

    def draw(self, kind, dist, who=None):
        return (yield ("chance", kind, who, dist))

    # ---- small questions --------------------------------------------------------------------------------------

    def allied(self, p, q):
        return self.ally[p] == self.ally[q]

    def military(self, p, q):
        """Land military of q in province p."""
        units = self.land[p][q]
        return units[0] + units[1] + units[2]

    def has_leader(self, p, q):
        units = self.land[p][q]
        return units[GEN] + units[CAE] > 0

    def strait_open(self, zone, player):
        galleys, away = self.sea[zone], self.committed[zone]
        blocks = self.readings["committed-galleys-block"]
        for q in range(self.n):
            if self.ally[q] != self.ally[player] and (galleys[q] or (blocks and away[q])):
                return False
        return True

    def neighbours(self, p, player):
        """Provinces adjacent to p for this player, straits included (13.3), in board order."""
        straits = self.b.straits[p]
        if not straits:
            return self.b.land[p]
        found = set(self.b.land[p])
        found.update(q for q, zone in straits if self.strait_open(zone, player))
        return sorted(found)

    def enemy_military(self, p, player):
        """Is there land military of a player not allied to this one in p?"""
        mine = self.ally[player]
        for q, units in enumerate(self.land[p]):
            if (units[0] or units[1] or units[2]) and self.ally[q] != mine:
                return True
        return False

    def by_land(self, p, player):
        """13.2: the provinces that can be reached by land from p."""
        seen = {p}
        todo = [p]
        while todo:
            for q in self.neighbours(todo.pop(), player):
                if q not in seen:
                    seen.add(q)
                    if not self.enemy_military(q, player):
                        todo.append(q)
        seen.discard(p)
        return seen

    def galleys_off(self, p, player):
        """Own galleys in the sea zones bordering p."""
        return sum(self.sea[z][player] for z in self.b.sea[p])

    def destinations(self, p, player):
        """13.2, 13.4, 13.5: {destination: capacity for land military, None without a limit}, in board order."""
        land = self.by_land(p, player)
        result = {}
        coastal = bool(self.b.sea[p])
        for d in range(len(self.b.provinces)):
            if d == p:
                continue
            if d in land:
                result[d] = None
            elif coastal:
                galleys = self.galleys_off(d, player)
                if galleys:
                    result[d] = self.cfg["move"]["galley_capacity"] * galleys
        return result

    def leader_provinces(self, player):
        return [p for p, units in enumerate(self.land) if units[player][GEN] or units[player][CAE]]

    def gain_influence(self, player, p, number):
        number = min(number, self.supply[player])
        self.supply[player] -= number
        self.infl[p][player] += number

    def gain_land(self, player, p, unit, number):
        number = min(number, self.pool[player][LAND_POOL[unit]])
        self.pool[player][LAND_POOL[unit]] -= number
        self.land[p][player][unit] += number

    def gain_galleys(self, player, zone, number):
        number = min(number, self.pool[player][GALLEY])
        self.pool[player][GALLEY] -= number
        self.sea[zone][player] += number

    def holds(self, player, card):
        return self.cards[player].count(card)

    def province(self, text):
        """The province that an answer names in its last word."""
        return self.b.pid[text.rsplit(" ", 1)[1]]

    def zone(self, text):
        return self.b.zid[text.rsplit(" ", 1)[1]]

    # ---- the course of the game -------------------------------------------------------------------------------

    def run(self):
        yield from self.setup()
        yield ("state",)
        for season in range(self.cfg["options"]["seasons"]):
            yield from self.draw_tokens()
            yield from self.draw_cards()
            yield from self.from_outside(season + 1)
            yield from self.auctions(season)
            if season == 0:
                for player in self.order:
                    yield from self.place_start(player)
            for number in range(self.cfg["options"]["rounds"]):
                for player in self.order:
                    yield from self.turn(player, number == 0)
            self.taxes()
            self.scoring()
            self.season_end()
            self.completed += 1
            yield ("state",)

    def setup(self):
        self.first = yield from self.draw("first-player", {p: 1 for p in range(self.n)})
        for i in range(self.n):
            player = (self.first + i) % self.n
            for _ in range(self.cfg["start"]["influence"]):
                if not set(self.bag) - self.b.no_influence:
                    break
                while True:
                    p = yield from self.draw_token(player)
                    if p not in self.b.no_influence:
                        break
                self.take_token(p)
                self.gone_tokens += 1
                self.gain_influence(player, p, 1)
        for player, names in self.treatments.deal.items():
            for p in self.b.key:
                self.supply[player] += self.infl[p][player]
                self.infl[p][player] = 0
            for name in names:
                self.gain_influence(player, self.b.pid[name], 1)

    def from_outside(self, season):
        """Treatments of a season's start: the null treatment's numbers, then gifts."""
        if season in self.treatments.null:
            for stream in ("setup", "decks", "dice"):
                yield from self.draw("null", {0: 1, 1: 1}, stream)
        for player, what, name, number in self.treatments.gifts.get(season, ()):
            if what == "talents":
                self.money[player] += number
            elif what == "vp":
                self.vp[player] += number
            elif what == "chaos":
                self.chaos[player] = max(0, self.chaos[player] + number)
            elif what == "influence":
                self.gain_influence(player, self.b.pid[name], number)
            elif what == "galley":
                self.gain_galleys(player, self.b.zid[name], number)
            elif what == "city":
                self.city[self.b.pid[name]] = player
            elif what == "card" and name not in IMMEDIATE:
                self.given[name] += number
                if name in SENATORS:
                    self.senators[player][SENATORS.index(name)] += number
                else:
                    self.cards[player] += [name] * number
            elif what in UNITS:
                self.gain_land(player, self.b.pid[name], (INF, CAV, CAT, GEN)[
                    ("infantry", "cavalry", "catapult", "general").index(what)], number)

    def is_banned(self, player, what, name):
        return self.treatments.is_banned(self.completed + 1, player, what, name)

    def draw_token(self, who=None):
        names = self.b.provinces
        value = yield from self.draw("token", {names[p]: k for p, k in self.bag.items()}, who)
        return self.b.pid[value]

    def take_token(self, p):
        self.bag[p] -= 1
        if not self.bag[p]:
            del self.bag[p]

    def draw_tokens(self):
        for _ in range(self.cfg["options"]["tokens"] * self.n):
            if not self.bag:
                break
            p = yield from self.draw_token()
            self.take_token(p)
            self.tokens[p] += 1

    def draw_cards(self):
        for _ in range(self.cfg["options"]["cards"] * self.n):
            if not self.deck:
                break
            card = yield from self.draw("card", dict(self.deck))
            self.deck[card] -= 1
            if not self.deck[card]:
                del self.deck[card]
            self.display[card] += 1

    # ---- 6 auctions -------------------------------------------------------------------------------------------

    def auctions(self, season):
        opener = self.first if season == 0 else self.order[-1]
        opener = self.treatments.opener.get(season + 1, opener)
        forced = self.treatments.order.get(season + 1)
        if forced is not None:
            self.order = list(forced)
            self.alliance = list(self.treatments.alliance.get(season + 1, "ABABAB"[:self.n]))
            for seat, box in zip(self.order, self.alliance):
                self.ally[seat] = box
            return
        self.ally = [None] * self.n
        self.order = []
        self.alliance = []
        for _ in range((self.n + 1) // 2):
            bidders, real = self.bidders(), opener
            while real not in bidders:
                real = (real + 1) % self.n
            yield from self.auction(real, bidders)
            opener = ((real if self.readings["real-opener-counts"] else opener) + 1) % self.n

    def bidders(self):
        unallied = [p for p in range(self.n) if self.ally[p] is None]
        if self.cfg["auction"]["allied_may_bid"] or len(unallied) == 1:
            return list(range(self.n))
        return unallied

    def auction(self, opener, bidders):
        unallied = [p for p in range(self.n) if self.ally[p] is None]
        if len(unallied) == 1:
            proposals = ["propose %d -" % unallied[0], "propose - %d" % unallied[0]]
        else:
            proposals = ["propose %d %d" % (a, b) for a in unallied for b in unallied if a != b]
        cap, step = self.cfg["auction"]["largest_raise"], self.cfg["auction"]["step"]
        standing = winner = proposal = None
        passes, player = 0, opener
        while winner is None or passes < len(bidders) - 1:
            if winner is None:
                low, high = 0, self.money[player]
                if cap and self.readings["raise-cap-on-opening"]:
                    high = min(high, cap)
                options = ["bid"]
            else:
                low, high = standing + step, self.money[player]
                if cap:
                    high = min(high, standing + cap)
                options = ["pass", "bid"] if low <= high else ["pass"]
            if (yield from self.ask(player, options)) == "pass":
                passes += 1
            else:
                passes, winner = 0, player
                proposal = yield from self.ask(player, proposals)
                amount = yield from self.ask(player, ["amount %d" % k for k in range(low, high + 1, step)])
                standing = int(amount.split()[1])
            player = bidders[(bidders.index(player) + 1) % len(bidders)]
        self.money[winner] -= standing
        for box, seat in zip("AB", proposal.split()[1:]):
            if seat != "-":
                self.order.append(int(seat))
                self.alliance.append(box)
                self.ally[int(seat)] = box

    # ---- 7 starting units -------------------------------------------------------------------------------------

    def place_start(self, player):
        start, names = self.cfg["start"], self.b.provinces
        places = [p for p in self.b.key if self.infl[p][player]]
        if not places:
            return
        for unit, index in (("caesar", CAE), ("general", GEN)):
            for _ in range(min(start[unit], self.pool[player][POOL[unit]])):
                answer = yield from self.ask(player, ["place %s %s" % (unit, names[p]) for p in places])
                self.gain_land(player, self.province(answer), index, 1)
        zones = sorted({z for p in places for z in self.b.sea[p]})
        if zones:
            for _ in range(min(start["galley"], self.pool[player][GALLEY])):
                answer = yield from self.ask(player, ["place galley %s" % self.b.zones[z] for z in zones])
                self.gain_galleys(player, self.zone(answer), 1)
        for unit in (INF, CAV, CAT):
            left = min(start[UNITS[unit]], self.pool[player][unit])
            for p in places[:-1]:
                k = yield from self.count(player, 0, left)
                self.gain_land(player, p, unit, k)
                left -= k
            self.gain_land(player, places[-1], unit, left)

    # ---- 8 a turn ---------------------------------------------------------------------------------------------

    def turn(self, player, is_first=False):
        actions, taken = self.cfg["options"]["actions"], False
        self.free = []
        if is_first:
            season = self.completed + 1
            extra = [k for seat, _, k in self.treatments.of_season(season, "actions") if seat == player]
            actions = max(0, actions + sum(extra))
            self.free = [c for seat, c, _ in self.treatments.of_season(season, "card")
                         if seat == player and c in IMMEDIATE]
        while True:
            can_use = bool(self.uses(player)) and not self.is_banned(player, "action", "use")
            if actions == 0:
                options = (["take"] if self.free_takes(player) else []) + (["use"] if can_use else [])
                if not options:
                    return
                kind = yield from self.ask(player, options + ["end"])
                if kind == "end":
                    return
            else:
                options = []
                may_take = not taken and not self.is_banned(player, "action", "take")
                if self.free_takes(player) or may_take and self.takeable(player):
                    options.append("take")
                if self.recruit_places(player):
                    options.append("recruit")
                if self.buy_places(player):
                    options.append("buy")
                if self.cfg["tax"]["special_steps"]:
                    options.append("tax")
                if self.move_places(player):
                    options.append("move")
                if self.battle_places(player):
                    options.append("battle")
                if self.sail_zones(player):
                    options.append("sail")
                options = [word for word in options if word == "take" or not self.is_banned(player, "action", word)]
                options.append("pass")
                if can_use:
                    options.append("use")
                kind = yield from self.ask(player, options)
            if kind == "use":
                yield from self.use(player)
                continue
            if kind == "take":
                may_pay = actions > 0 and not taken and not self.is_banned(player, "action", "take")
                if (yield from self.take(player, may_pay)):
                    actions, taken = actions - 1, True
                continue
            actions -= 1
            if kind == "recruit":
                yield from self.recruit(player)
            elif kind == "buy":
                yield from self.buy(player)
            elif kind == "tax":
                tax = self.cfg["tax"]
                k = yield from self.count(player, 1, tax["special_steps"])
                self.money[player] += tax["special_talents"] * k
                self.chaos[player] += tax["special_chaos"] * k
            elif kind == "move":
                yield from self.move(player)
            elif kind == "battle":
                yield from self.battle(player)
            elif kind == "sail":
                yield from self.sail(player)

    # ---- 9 take a card ----------------------------------------------------------------------------------------

    def takeable(self, player):
        money = self.money[player]
        return [
            card for card in sorted(self.display)
            if self.b.cost[card] <= money and not self.is_banned(player, "card", card) and (card not in IMMEDIATE or self.usable_now(player, card))
        ]

    def usable_now(self, player, card):
        """9.2: has the first ply of this immediate-use card an option?"""
        if card in FLEETS:
            return bool(self.fleet_sources(player, card))
        if card in CITIES:
            return bool(self.city_sites(player, card))
        if card.startswith("barbarians-"):
            return bool(self.barbarian_sources(player, card))
        if card == "politician":
            return self.supply[player] > 0 and self.caesar_key_province(player) is not None
        if card == "bribe-senator":
            return bool(self.bribe_targets(player))
        return bool(self.revolt_sites())

    def free_takes(self, player):
        return [card for card in self.free if self.usable_now(player, card)]

    def take(self, player, may_pay):
        """Whether it cost an action: a card from outside costs nothing, and comes before one of the display."""
        free = self.free_takes(player)
        cards = sorted(set(free) | set(self.takeable(player) if may_pay else []))
        answer = yield from self.ask(player, ["card " + c for c in cards])
        card = answer[5:]
        if card in free:
            self.free.remove(card)
            yield from self.immediate(player, card)
            return False
        self.display[card] -= 1
        if not self.display[card]:
            del self.display[card]
        self.money[player] -= self.b.cost[card]
        if card.startswith("senator-"):
            self.senators[player][int(card[8:]) - 1] += 1
        elif card in IMMEDIATE:
            self.gone_cards[card] += 1
            yield from self.immediate(player, card)
        else:
            self.cards[player].append(card)
        return True

    # ---- 14 immediate-use cards -------------------------------------------------------------------------------

    def fleet_sources(self, player, card):
        to = self.b.zid[FLEETS[card]]
        return [z for z in range(len(self.b.zones)) if z != to and self.sea[z][player]]

    def city_sites(self, player, card):
        sites = [self.b.pid[p] for p in CITIES[card]]
        influence = not self.cfg["city"]["needs_unit"]
        return [
            p for p in sites
            if self.city[p] is None and (any(self.land[p][player]) or (influence and self.infl[p][player]))
        ]

    def barbarian_sources(self, player, card):
        to = self.b.pid[card[len("barbarians-"):]]
        units = self.cfg["barbarians"]["units"]
        result = []
        for p in self.leader_provinces(player):
            if p != to and self.military(p, player) >= units:
                galleys = self.galleys_off(to, player) if self.b.sea[p] else 0
                by_sea = galleys and self.cfg["move"]["galley_capacity"] * galleys >= units
                if by_sea or to in self.by_land(p, player):
                    result.append(p)
        return result

    def caesar_key_province(self, player):
        for p in self.b.key:
            if self.land[p][player][CAE]:
                return p
        return None

    def bribe_targets(self, player):
        return [q for q in range(self.n) if q != player and any(self.senators[q])]

    def revolt_sites(self):
        return [p for p in range(len(self.b.provinces)) if any(self.military(p, q) for q in range(self.n))]

    def immediate(self, player, card):
        names = self.b.provinces
        if card in FLEETS:
            to = self.b.zid[FLEETS[card]]
            answer = yield from self.ask(player, ["from " + self.b.zones[z] for z in self.fleet_sources(player, card)])
            self.sea[self.zone(answer)][player] -= 1
            self.sea[to][player] += 1
            self.gain_galleys(player, to, self.cfg["fleet"]["galleys"])
        elif card in CITIES:
            answer = yield from self.ask(player, ["in " + names[p] for p in self.city_sites(player, card)])
            self.city[self.province(answer)] = player
        elif card.startswith("barbarians-"):
            yield from self.barbarians(player, card)
        elif card == "politician":
            self.gain_influence(player, self.caesar_key_province(player), self.cfg["politician"]["influence"])
        elif card == "bribe-senator":
            answer = yield from self.ask(player, ["target %d" % q for q in self.bribe_targets(player)])
            value = yield from self.random_senator(int(answer[7:]))
            self.senators[player][value - 1] += 1
        else:
            answer = yield from self.ask(player, ["in " + names[p] for p in self.revolt_sites()])
            yield from self.slave_revolt(player, self.province(answer))

    def random_senator(self, player):
        """One random Senator leaves this player's hand."""
        hand = self.senators[player]
        value = yield from self.draw("senator", {v + 1: k for v, k in enumerate(hand) if k})
        hand[value - 1] -= 1
        return value

    def barbarians(self, player, card):
        name = card[len("barbarians-"):]
        to = self.b.pid[name]
        answer = yield from self.ask(
            player, ["from " + self.b.provinces[p] for p in self.barbarian_sources(player, card)])
        p = self.province(answer)
        here = self.land[p][player]
        going = yield from self.counts_exact(player, here[:3], self.cfg["barbarians"]["units"])
        for unit in (GEN, CAE):
            going.append((yield from self.count(player, 0, here[unit])))
        for unit, k in enumerate(going):
            here[unit] -= k
            self.land[to][player][unit] += k
        self.arrive(player, to)
        gain = self.cfg["barbarians"][name]
        self.gain_land(player, to, INF, gain["infantry"])
        self.gain_land(player, to, CAV, gain["cavalry"])
        self.money[player] += gain["talents"]
        self.vp[player] += gain["vp"]

    # ---- 10, 11 recruit, buy ----------------------------------------------------------------------------------

    def affordable(self, player, unit):
        """How many of this unit (a name) the player can pay and has in the pool."""
        left, price = self.pool[player][POOL[unit]], self.cfg["prices"][unit]
        return min(left, self.money[player] // price) if price else left

    def recruit_places(self, player):
        places = [p for p in self.leader_provinces(player) if self.infl[p][player]]
        if not places:
            return []
        if any(self.affordable(player, u) for u in ("infantry", "cavalry", "catapult", "general")):
            return places
        if self.affordable(player, "galley"):
            return [p for p in places if self.b.sea[p]]
        return []

    def recruit(self, player):
        answer = yield from self.ask(player, ["in " + self.b.provinces[p] for p in self.recruit_places(player)])
        p = self.province(answer)
        kinds = [("infantry", INF), ("cavalry", CAV), ("catapult", CAT), ("general", GEN)]
        kinds += [("galley", z) for z in self.b.sea[p]]

        def apply(i, k):
            unit, where = kinds[i]
            self.money[player] -= k * self.cfg["prices"][unit]
            if unit == "galley":
                self.gain_galleys(player, where, k)
            else:
                self.gain_land(player, p, where, k)

        yield from self.counts_at_least_one(
            player, len(kinds), lambda i: self.affordable(player, kinds[i][0]), apply)
        self.chaos[player] += self.cfg["chaos"]["recruit"]

    def sources(self, player, p):
        """11.2: sources of influence in p, as -1 for a province token and seats, in order."""
        found = [-1] if self.tokens[p] else []
        for q in range(self.n):
            if self.infl[p][q] and not self.allied(player, q) and not self.military(p, q):
                found.append(q)
        return found

    def buy_places(self, player):
        if self.money[player] < self.cfg["prices"]["influence"] or not self.supply[player]:
            return []
        return [
            p for p in self.leader_provinces(player)
            if self.b.is_key[p] and self.buy_limit(player, p) and self.sources(player, p)
        ]

    def buy_limit(self, player, p):
        """11.1: the tokens one action may buy in p."""
        buy = self.cfg["buy"]
        return buy["with_caesar"] if self.land[p][player][CAE] else buy["with_general"]

    def buy(self, player):
        answer = yield from self.ask(player, ["in " + self.b.provinces[p] for p in self.buy_places(player)])
        p = self.province(answer)
        price = self.cfg["prices"]["influence"]

        def text(source):
            return "source token" if source < 0 else "source %d" % source

        def purchase(answer):
            word = answer[7:]
            source = -1 if word == "token" else int(word)
            self.money[player] -= price
            if source < 0:
                self.tokens[p] -= 1
                self.gone_tokens += 1
            else:
                self.infl[p][source] -= 1
                self.supply[source] += 1
            self.gain_influence(player, p, 1)
            return source

        last = purchase((yield from self.ask(player, [text(s) for s in self.sources(player, p)])))
        for _ in range(self.buy_limit(player, p) - 1):
            if self.money[player] < price or not self.supply[player]:
                return
            left = [s for s in self.sources(player, p) if s >= last]
            answer = yield from self.ask(player, [text(s) for s in left] + ["stop"])
            if answer == "stop":
                return
            last = purchase(answer)

    # ---- 13 move ----------------------------------------------------------------------------------------------

    def move_places(self, player):
        reach = any(z[player] for z in self.sea)
        return [
            p for p in self.leader_provinces(player)
            if self.neighbours(p, player) or (reach and self.b.sea[p] and self.destinations(p, player))
        ]

    def move(self, player):
        names = self.b.provinces
        answer = yield from self.ask(player, ["from " + names[p] for p in self.move_places(player)])
        p = self.province(answer)
        here = self.land[p][player]
        destinations = self.destinations(p, player)
        last = None
        while True:
            options = []
            if any(here):
                options = [
                    "to " + names[d] for d, capacity in destinations.items()
                    if (last is None or d > last) and (capacity != 0 or here[GEN] or here[CAE])
                ]
            if last is not None:
                options.append("done")
            answer = yield from self.ask(player, options)
            if answer == "done":
                return
            last = self.province(answer)
            yield from self.move_units(player, here, last, destinations[last])

    def move_units(self, player, here, to, capacity):
        room = [capacity]
        there = self.land[to][player]

        def hi(i):
            if i < 3 and room[0] is not None:
                return min(here[i], room[0])
            return here[i]

        def apply(i, k):
            here[i] -= k
            there[i] += k
            if i < 3 and room[0] is not None:
                room[0] -= k

        yield from self.counts_at_least_one(player, 5, hi, apply)
        self.arrive(player, to)

    def arrive(self, player, to):
        """13.6: land units of the player have arrived in a destination of a move."""
        owner = self.city[to]
        if owner is not None and not any(self.land[to][owner]):
            self.city[to] = player

    # ---- 16 multi-use cards -----------------------------------------------------------------------------------

    def uses(self, player):
        """The options of the ply after `use`."""
        options = []
        for card in sorted(set(self.cards[player])):
            if self.holds(player, card) <= self.used[player][card]:
                continue
            if card.startswith("merchant-"):
                if self.infl[self.b.pid[card[9:]]][player] or not self.cfg["merchant"]["needs_influence"]:
                    options.append("merchant " + card[9:])
            elif card == "assassin":
                options += self.victims(player)
            elif card == "loot":
                options.append("loot")
            elif card.startswith("vote-"):
                options.append("vote " + card[5:])
        return options

    def victims(self, player):
        options = []
        for q in range(self.n):
            if q != player:
                options += [
                    "assassin general %d %s" % (q, self.b.provinces[p])
                    for p in range(len(self.b.provinces)) if self.land[p][q][GEN]
                ]
                if any(self.senators[q]):
                    options.append("assassin senator %d" % q)
        return options

    def use(self, player):
        answer = yield from self.ask(player, self.uses(player))
        words = answer.split()
        if words[0] in ("merchant", "vote"):
            self.used[player]["%s-%s" % (words[0], words[1])] += 1
        else:
            self.used[player][words[0]] += 1
        if words[0] == "merchant":
            p = self.b.pid[words[1]]
            self.money[player] += self.cfg["merchant"][words[1]] * self.infl[p][player]
        elif words[0] == "loot":
            self.money[player] += self.cfg["loot"]["talents"]
            self.chaos[player] += self.cfg["loot"]["chaos"]
        elif words[0] == "assassin":
            victim = int(words[2])
            if words[1] == "general":
                self.land[self.b.pid[words[3]]][victim][GEN] -= 1
                self.pool[victim][POOL["general"]] += 1
            else:
                value = yield from self.random_senator(victim)
                self.gone_cards["senator-%d" % value] += 1
        else:
            yield from self.vote(player, words[1])

    def vote(self, caller, name):
        standing, winner, shown = 0, None, None
        before = [[0] * 4 for _ in range(self.n)]
        passes, player = 0, caller
        while passes < (self.n if winner is None else self.n - 1):
            hand = self.senators[player]
            low = before[player] if self.readings["show-keeps-shown"] else (0, 0, 0, 0)
            options = [
                "show %d %d %d %d" % show
                for show in product(*(range(l, k + 1) for l, k in zip(low, hand)))
                if show[0] + 2 * show[1] + 3 * show[2] + 4 * show[3] > standing
            ]
            answer = yield from self.ask(player, options + ["pass"])
            if answer == "pass":
                passes += 1
            else:
                shown = [int(word) for word in answer.split()[1:]]
                before[player] = shown
                standing = sum((v + 1) * k for v, k in enumerate(shown))
                winner, passes = player, 0
            player = (player + 1) % self.n
        if winner is None:
            return
        yield from self.benefit(winner, name)
        for v, k in enumerate(shown):
            self.senators[winner][v] -= k
            self.gone_cards["senator-%d" % (v + 1)] += k
        influence = self.infl[self.b.capital]
        most = max(influence)
        if most and influence.count(most) == 1:
            value = yield from self.draw("senator", {v + 1: k for v, k in enumerate(shown) if k})
            self.senators[influence.index(most)][value - 1] += 1
            self.gone_cards["senator-%d" % value] -= 1

    def benefit(self, player, name):
        gain = self.cfg["vote"][name.replace("-", "_")]
        if name == "emergency-tax":
            self.money[player] += gain
        elif name == "bread-and-circuses":
            self.chaos[player] = max(0, self.chaos[player] - gain)
        elif name == "hail-caesar":
            self.vp[player] += gain
        elif name == "new-legions":
            if self.pool[player][INF] and self.b.legions:
                answer = yield from self.ask(player, ["in " + self.b.provinces[p] for p in self.b.legions])
                self.gain_land(player, self.province(answer), INF, gain)
        else:
            if self.b.is_key[self.b.capital]:
                self.gain_influence(player, self.b.capital, gain)

    # ---- 17 to 20 ---------------------------------------------------------------------------------------------

    def taxes(self):
        plain, city = self.cfg["tax"]["influence"], self.cfg["tax"]["city"]
        for p in self.b.key:
            for q in range(self.n):
                self.money[q] += self.infl[p][q] * (plain + city if self.city[p] == q else plain)

    def scoring(self):
        for p in self.b.key:
            ranks = sorted({k for k in self.infl[p] if k}, reverse=True)
            for rank, points in zip(ranks, self.b.vp[p]):
                for q in range(self.n):
                    if self.infl[p][q] == rank:
                        self.vp[q] += points
        rules = self.cfg["chaos"]
        chaos = [max(0, k - rules["city_relief"] * self.city.count(q)) for q, k in enumerate(self.chaos)]
        if rules["relief_is_permanent"]:
            self.chaos = chaos
        ranks = sorted({k for k in chaos if k or not rules["zero_is_safe"]}, reverse=True)
        for rank, points in zip(ranks, rules["penalties"]):
            for q in range(self.n):
                if chaos[q] == rank:
                    self.vp[q] -= points
        if not self.cfg["options"]["vp_below_zero"]:
            self.vp = [max(0, points) for points in self.vp]

    def season_end(self):
        if not self.cfg["options"]["untaken_cards_stay"]:
            for card in [c for c in self.display if not c.startswith("vote-")]:     # these stay until taken
                self.gone_cards[card] += self.display.pop(card)
        for q in range(self.n):
            self.used[q].clear()
            given = Counter()
            for seat, card, number in self.treatments.of_season(self.completed + 1, "card"):
                if seat == q and card.startswith("diplomacy-"):
                    given[card] += number
            self.given -= given
            for card in self.cards[q]:
                if given[card]:
                    given[card] -= 1      # from outside: it leaves the game
                elif card.startswith("diplomacy-"):
                    self.display[card] += 1
            self.cards[q] = [c for c in self.cards[q] if not c.startswith("diplomacy-")]
        self.ally = [None] * self.n

    def winners(self):
        totals = [sum(infl[q] for infl in self.infl) for q in range(self.n)]
        best = max(zip(self.vp, totals))
        return [q for q in range(self.n) if (self.vp[q], totals[q]) == best]

    def result(self):
        return self.vp, self.winners()

    # ---- the state line and the conservation checks -----------------------------------------------------------

    def state(self):
        names = self.b.provinces
        return {
            "season": self.completed,
            "order": list(self.order),
            "alliance": list(self.alliance),
            "players": [
                {
                    "money": self.money[q], "chaos": self.chaos[q], "vp": self.vp[q],
                    "senators": list(self.senators[q]), "cards": sorted(self.cards[q]),
                }
                for q in range(self.n)
            ],
            "land": {
                names[p]: [list(u) if any(u) else None for u in units]
                for p, units in enumerate(self.land) if any(map(any, units))
            },
            "sea": {self.b.zones[z]: list(g) for z, g in enumerate(self.sea) if any(g)},
            "influence": {names[p]: list(k) for p, k in enumerate(self.infl) if any(k)},
            "tokens": {names[p]: k for p, k in enumerate(self.tokens) if k},
            "cities": {names[p]: owner for p, owner in enumerate(self.city) if owner is not None},
            "display": sorted(self.display.elements()),
            "deck": {c: self.deck[c] for c in sorted(self.deck) if self.deck[c]},
            "bag": {names[p]: self.bag[p] for p in sorted(self.bag) if self.bag[p]},
        }

    def check_invariants(self):
        cfg, n = self.b.cfg, self.n
        for q in range(n):
            board = [sum(units[q][u] for units in self.land) for u in range(5)]
            galleys = sum(z[q] for z in self.sea) + sum(z[q] for z in self.committed)
            found = board[:3] + [galleys] + board[3:]
            for u, unit in enumerate(UNITS):
                assert self.pool[q][u] >= 0 and found[u] + self.pool[q][u] == cfg["pools"][unit], (q, unit)
            influence = sum(k[q] for k in self.infl)
            assert self.supply[q] >= 0 and influence + self.supply[q] == cfg["pools"]["influence"], q
            assert self.money[q] >= 0 and self.chaos[q] >= 0 and min(self.senators[q]) >= 0, q
        for units in self.land:
            assert all(k >= 0 for u in units for k in u)
        assert all(k >= 0 for z in self.sea + self.committed for k in z)
        for p in range(len(self.b.provinces)):
            assert self.b.is_key[p] or not (any(self.infl[p]) or self.tokens[p])
        cards = Counter(self.deck)
        cards.update(self.display)
        cards.update(self.gone_cards)
        for q in range(n):
            cards.update(self.cards[q])
            for v, k in enumerate(self.senators[q]):
                cards["senator-%d" % (v + 1)] += k
        for card, entry in cfg["cards"].items():
            extra = self.given[card]
            if card in SENATORS and not cfg["start"]["senators_from_deck"]:
                extra += cfg["start"]["senators"][SENATORS.index(card)] * n
            count = entry["count"]
            if card in self.treatments.no_cards:
                count = 0
                if card in SENATORS and cfg["start"]["senators_from_deck"]:
                    count = cfg["start"]["senators"][SENATORS.index(card)] * n
            assert cards[card] == count + extra, card
        assert sum(self.bag.values()) + sum(self.tokens) + self.gone_tokens == sum(self.b.tokens)
