"""The simulator of classic, as a generator of requests; see `records`. Clause numbers are those of the rules page."""

from collections import Counter

from classic_battle import Battles, GameOver, TurnOver
from classic_board import BOUGHT, CAE, CITIES, CITY, FORT, GAL, GEN, INF, NOTHING, TROOPS, UNITS
from classic_move import Movement
from rome import ask

RANSOM, RAZE, BUY_CITY, BUY_FORT, BUY_ROAD, BUY_UNIT = range(6)


class Game(Movement, Battles):
    def __init__(self, board, seats):
        self.b = b = board
        self.n = seats
        self.home = b.seats(seats)
        self.talents = [b.cfg["start"]["talents"]] * seats
        self.out = [False] * seats
        self.captives = [[0] * seats for _ in range(seats)]         # by holder, then by owner
        self.at = [[[0] * 6 for _ in range(seats)] for _ in range(b.n)]
        self.owner = [None] * b.np
        self.city = [NOTHING] * b.np
        self.guard = [0 if p in self.home else b.guard[p] for p in range(b.np)]
        self.roads = set()
        self.factor = b.factors[0]
        self.round, self.turn = 0, None
        self.winners = None
        for player, home in enumerate(self.home):
            self.owner[home] = player
            self.city[home] = b.start_city
            self.at[home][player][CAE] = 1

    # ---- requests

    def pick(self, player, numbers):
        """A count ply."""
        answer = yield from ask(player, ["count %d" % k for k in numbers])
        return int(answer[6:])

    # ---- questions about places

    def leaders(self, x, player):
        return self.at[x][player][GEN] + self.at[x][player][CAE]

    def has_troops(self, p, player):
        """The number of troops of a player there."""
        return sum(self.at[p][player][:GAL])

    def foe(self, p, player):
        """Who else has troops in a province; None: nobody."""
        found = [q for q in range(self.n) if q != player and self.has_troops(p, q)]
        assert len(found) <= 1, "troops of three players"
        return found[0] if found else None

    def has_foreign_land_pieces(self, p, player):
        return any(q != player and (self.has_troops(p, q) or self.leaders(p, q)) for q in range(self.n))

    def over_straits(self, player, p):
        """The other ends of straits that are open for a player (1.10)."""
        return {q for q, zone in self.b.straits[p]
                if not any(self.at[zone][other][GAL] for other in range(self.n) if other != player)}

    def is_own_road(self, player, p, q):
        return (min(p, q), max(p, q)) in self.roads and self.owner[p] == player == self.owner[q]

    def pool(self, player, unit):
        return self.b.pools[unit] - sum(here[player][unit] for here in self.at)

    def own(self, player):
        return [p for p in range(self.b.np) if self.owner[p] == player]

    def homes(self, player):
        return sum(self.owner[p] == player for p in self.b.homes)

    # ---- the course of play (2, 3)

    def run(self):
        yield from self.claims()
        yield from self.placing()
        yield ("state",)
        while self.winners is None:
            self.round += 1
            self.gifts()
            try:
                yield from self.play_round()
            except GameOver as end:
                self.winners = self.by_points() if end.args[0] is None else end.args[0]
            yield ("state",)

    def gifts(self):
        """Treatments of the round that begins."""
        for what, player, p, amount in self.b.treatments.of_round(self.round):
            if self.out[player]:
                continue
            if what == "talents":
                self.talents[player] = max(0, self.talents[player] + amount)
            elif what == "province":
                if self.owner[p] is None and not self.guard[p]:
                    self.owner[p] = player
            elif what == "city":
                if self.owner[p] == player and not self.city[p] and sum(map(bool, self.city)) < self.b.cfg["stock"]["city"]:
                    self.city[p] = CITY
            else:
                self.give(player, UNITS.index(what), amount)

    def give(self, player, unit, number):
        """Units appear where the player recruits without limit, if that is his."""
        home = self.home[player]
        places = [home] if unit != GAL or self.b.sea[home] else self.b.galleys_at[home]
        for p in [p for p in places if self.owner[p] == player][:1]:
            self.at[p][player][unit] += min(number, self.pool(player, unit))

    def claims(self):
        for _ in range(self.b.v["start_territories"]):
            for player in range(self.n):
                free = [p for p in range(self.b.np) if self.owner[p] is None and p not in self.b.homes
                        and all(q == self.home[player] or q not in self.b.homes for q in self.b.land[p])]
                if free:
                    texts = ["claim " + self.b.names[p] for p in free]
                    answer = yield from ask(player, texts)
                    self.owner[free[texts.index(answer)]] = player

    def placing(self):
        left = [{INF: self.b.cfg["start"]["infantry"], GEN: self.b.cfg["start"]["general"]} for _ in range(self.n)]
        if self.b.v["start_placement"] == "home":
            for player, home in enumerate(self.home):
                for unit, number in left[player].items():
                    self.at[home][player][unit] += number
            return
        while any(sum(units.values()) for units in left):
            for player, units in enumerate(left):
                if sum(units.values()):
                    yield from self.place(player, units)

    def place(self, player, units):
        single = [(unit, p) for unit in (INF, GEN) if units[unit] for p in self.own(player)]
        if sum(units.values()) == 1:
            choices = [(one,) for one in single]
        else:
            choices = [(one, two) for i, one in enumerate(single) for two in single[i:]
                       if one[0] != two[0] or units[one[0]] >= 2]
        texts = [" ".join(["place"] + ["%s %s" % (UNITS[u], self.b.names[p]) for u, p in choice]) for choice in choices]
        answer = yield from ask(player, texts)
        for unit, p in choices[texts.index(answer)]:
            units[unit] -= 1
            self.at[p][player][unit] += 1

    def play_round(self):
        for player in range(self.n):
            if self.out[player]:
                continue
            self.turn = player
            try:
                yield from self.actions(player)
            except TurnOver:
                self.check_homes()
            yield from self.end_of_turn(player)

    def actions(self, player):
        self.talents[player] += self.prestige(player)
        yield from self.movement(player)
        yield from self.naval_battles(player)
        yield from self.land_battles(player)
        self.check_homes()
        self.tribute_phase(player)
        yield from self.purchases(player)

    def check_homes(self):
        """12.2."""
        needed = self.b.victory.get(self.n)
        if needed is not None:
            winners = [q for q in range(self.n) if not self.out[q] and self.homes(q) >= needed]
            if winners:
                raise GameOver(winners)

    def end_of_turn(self, player):
        """13.1, 13.2."""
        j = self.round - self.b.cfg["options"]["final_round"]        # from 0
        if j < 0:
            return
        if all(self.out[player + 1:]):
            j += 1
        if j == len(self.b.ladder):
            raise GameOver(None)
        if self.b.ladder[j]:
            face = yield "chance", "end-die", player, Counter(self.b.faces)
            if face in self.b.ladder[j]:
                raise GameOver(None)

    # ---- prestige (4)

    def counts(self, player):
        """The four counts of prestige."""
        zones = 0
        for z in range(self.b.np, self.b.n):
            mine = self.at[z][player][GAL]
            zones += mine > max(self.at[z][q][GAL] for q in range(self.n) if q != player)
        own = self.own(player)
        return len(own), zones, sum(self.is_own_road(player, p, q) for p, q in self.roads), sum(self.city[p] > 0 for p in own)

    def prestige(self, player):
        mine = self.counts(player)
        others = [self.counts(q) for q in range(self.n) if q != player and not self.out[q]]
        total = 0
        for i, number in enumerate(mine):
            theirs = [other[i] for other in others]
            if number == 0 or any(other > number for other in theirs):
                continue
            total += {0: self.b.v["prestige"], 1: self.b.v["prestige_tie"]}.get(theirs.count(number), 0)
        return total

    # ---- tribute (10)

    def tribute(self, player):
        if not self.b.v["home_lost_tribute"] and self.owner[self.home[player]] != player:
            return 0
        return sum(self.b.value[p] + (self.city[p] > 0) * self.b.cfg["income"]["city"] for p in self.own(player))

    def tribute_phase(self, player):
        self.talents[player] += self.tribute(player)
        highest = max(self.tribute(q) for q in range(self.n) if not self.out[q])
        for limit, factor in zip(self.b.inflation, self.b.factors[1:]):
            if highest >= limit:
                self.factor = max(self.factor, factor)

    # ---- captives, razing, purchase (11)

    def purchases(self, player):
        self.new_or_razed = set()               # provinces whose city gives no unit in this turn
        self.recruited = Counter()              # units bought by the F places, by province
        key = (-1,)
        while True:
            menu = {k: text for k, text in sorted(self.wares(player).items()) if k > key}
            texts = list(menu.values()) + ["done"]
            answer = yield from ask(player, texts)
            if answer == "done":
                return
            key = list(menu)[texts.index(answer)]
            yield from self.buy(player, key)
            if key[0] == RANSOM:
                key = (RANSOM, key[1], 99)      # once per captor

    def has_home(self, player):
        return self.owner[self.home[player]] == player

    def price(self, key):
        return self.b.cfg["prices"][key] * self.factor

    def wares(self, player):
        menu = {}
        if not self.b.v["home_lost_purchase"] and not self.has_home(player):
            self.add_razing(player, menu)
            return menu
        self.add_ransoms(player, menu)
        self.add_razing(player, menu)
        self.add_buildings(player, menu)
        for unit in BOUGHT:
            most = self.purse(player, unit)
            for p in self.own(player) if most else ():
                if self.affordable(player, unit, p, most):
                    menu[BUY_UNIT, unit, p] = "buy %s %s" % (UNITS[unit], self.b.names[p])
        return menu

    def add_ransoms(self, player, menu):
        if not self.has_home(player):
            return
        for q in range(self.n):
            if not self.captives[q][player]:
                continue
            for i, amount in enumerate(self.b.offers):
                if amount <= self.talents[player]:
                    menu[RANSOM, q, 0, i] = "ransom %d %d" % (q, amount)
            if self.captives[player][q] and self.has_home(q):
                menu[RANSOM, q, 1] = "exchange %d" % q

    def add_razing(self, player, menu):
        menu.update(((RAZE, p), "raze " + self.b.names[p]) for p in self.own(player) if self.city[p])

    def add_buildings(self, player, menu):
        own, names, stock = self.own(player), self.b.names, self.b.cfg["stock"]
        talents = self.talents[player]
        if talents >= self.price("city") and sum(map(bool, self.city)) < stock["city"]:
            menu.update(((BUY_CITY, p), "buy city " + names[p]) for p in own if not self.city[p])
        if talents >= self.price("fort") and self.city.count(FORT) < stock["fort"]:
            menu.update(((BUY_FORT, p), "buy fort " + names[p]) for p in own if self.city[p] == CITY)
        if talents >= self.price("road") and len(self.roads) < stock["road"]:
            menu.update(((BUY_ROAD, p, q), "buy road %s %s" % (names[p], names[q]))
                        for p in own for q in self.b.land[p]
                        if p < q and self.owner[q] == player and self.city[p] and self.city[q] and (p, q) not in self.roads)

    def limit(self, player, unit, p):
        """How many units of a type may appear in an own province; None: no limit but that of pool and talents."""
        home = self.home[player]
        if unit == GAL and not self.b.sea[p]:
            return 0
        if self.has_home(player) and (p == home or unit == GAL and p in self.b.galleys_at[home]):
            return None
        v = self.b.v
        places = v["recruit_caesar"] * (self.at[p][player][CAE] > 0)
        places += v["recruit_city"] * (self.city[p] > 0 and p not in self.new_or_razed)
        places += v["recruit_territory"] * self.b.recruiting[p]
        return places - self.recruited[p]

    def purse(self, player, unit):
        """The most units of a type that pool and talents allow."""
        price = self.price(UNITS[unit])
        most = self.pool(player, unit)
        return min(most, self.talents[player] // price) if price else most

    def affordable(self, player, unit, p, most):
        """How many of them may appear there."""
        limit = self.limit(player, unit, p)
        return most if limit is None else min(most, limit)

    def buy(self, player, key):
        what = key[0]
        if what == RANSOM:
            yield from self.redeem(player, key)
        elif what == RAZE:
            self.city[key[1]] = NOTHING
            self.new_or_razed.add(key[1])
            self.roads = {road for road in self.roads if key[1] not in road}
        elif what == BUY_UNIT:
            _, unit, p = key
            number = yield from self.pick(player, range(1, self.affordable(player, unit, p, self.purse(player, unit)) + 1))
            if self.limit(player, unit, p) is not None:
                self.recruited[p] += number
            self.at[p][player][unit] += number
            self.talents[player] -= number * self.price(UNITS[unit])
        elif what == BUY_ROAD:
            self.roads.add(key[1:])
            self.talents[player] -= self.price("road")
        else:
            self.city[key[1]] = CITY if what == BUY_CITY else FORT
            self.talents[player] -= self.price("city" if what == BUY_CITY else "fort")
            if what == BUY_CITY:
                self.new_or_razed.add(key[1])

    def redeem(self, player, key):
        """11.3."""
        captor = key[1]
        if (yield from ask(captor, ["accept", "refuse"])) == "refuse":
            return
        if key[2] == 0:
            self.pay(player, captor, self.b.offers[key[3]])
        else:
            self.free(player, captor)
        self.free(captor, player)

    def free(self, holder, owner):
        self.captives[holder][owner] -= 1
        self.at[self.home[owner]][owner][GEN] += 1

    # ---- the end (13)

    def points(self, player):
        """The talents of 13.3."""
        return self.tribute(player) + self.prestige(player)

    def on_board(self, player, units):
        return sum(here[player][u] for here in self.at for u in units)

    def by_points(self):
        def rank(q):
            return self.homes(q), self.points(q), self.on_board(q, (GEN, CAE)), self.on_board(q, BOUGHT)
        alive = [q for q in range(self.n) if not self.out[q]]
        best = max(map(rank, alive))
        return [q for q in alive if rank(q) == best]

    def result(self):
        scores = [0 if self.out[q] else 1000 * self.homes(q) + self.points(q) for q in range(self.n)]
        return scores, self.winners

    # ---- the state (15)

    def state(self):
        b = self.b
        names = b.names
        players = [{"home": names[self.home[q]], "out": self.out[q], "talents": self.talents[q],
                    "captives": list(self.captives[q])} for q in range(self.n)]
        pieces = {names[x]: [list(units) if any(units) else None for units in here]
                  for x, here in enumerate(self.at) if any(map(any, here))}
        return {
            "round": self.round, "factor": self.factor, "players": players,
            "owner": {names[p]: q for p, q in enumerate(self.owner) if q is not None},
            "guard": {names[p]: number for p, number in enumerate(self.guard) if number},
            "city": {names[p]: CITIES[what] for p, what in enumerate(self.city) if what},
            "roads": [[names[p], names[q]] for p, q in sorted(self.roads)],
            "land": {x: here for x, here in pieces.items() if b.index[x] < b.np},
            "sea": {x: here for x, here in pieces.items() if b.index[x] >= b.np}}

    def check_invariants(self):
        """What holds whenever a state is written."""
        for q in range(self.n):
            leaders = self.on_board(q, (GEN, CAE)) + sum(held[q] for held in self.captives)
            assert leaders <= self.b.cfg["start"]["general"] + 1, "more leaders than at the start"
            assert self.on_board(q, (CAE,)) == (0 if self.out[q] else 1), "caesars of %d" % q
            assert all(self.pool(q, u) >= 0 for u in range(6)), "pool of %d" % q
            assert self.talents[q] >= 0 and self.captives[q][q] == 0, "talents or captives of %d" % q
            if self.out[q]:
                assert not self.on_board(q, range(6)) and not any(self.captives[q]), "pieces of %d, who is out" % q
                assert not self.talents[q] and q not in self.owner, "property of %d, who is out" % q
            for x in range(self.b.n):
                self.check_place(x, q)
        stock = self.b.cfg["stock"]
        assert sum(map(bool, self.city)) <= stock["city"] and self.city.count(FORT) <= stock["fort"], "stock"
        assert len(self.roads) <= stock["road"] and all(self.city[p] and self.city[q] for p, q in self.roads), "roads"

    def check_place(self, x, q):
        units = self.at[x][q]
        assert min(units) >= 0, "fewer than no pieces"
        if x < self.b.np:
            is_own = self.owner[x] == q
            assert is_own or not (sum(units[t] for t in TROOPS) or units[GAL]), "troops of %d in %s" % (q, self.b.names[x])
            assert not self.guard[x] or self.owner[x] is None, "a guard of somebody"
        else:
            leaders = self.leaders(x, q)
            assert leaders <= units[GAL] and sum(units[:GAL]) <= self.b.cap * leaders, "cargo of %d" % q
