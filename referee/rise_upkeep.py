"""The phases of a turn of rise after its actions, and what they share (clauses 2, 12 to 16 of the rules page)."""

from collections import Counter

from rome import ask


class Upkeep:
    """The part of `Game` that pays, keeps, receives and scores."""

    # ---- goods (1, 2.1)

    def has(self, player, kind):
        """How much he can pay; 1.5: food down to the start of its track."""
        if kind == "food":
            return max(0, self.food[player] - self.b.cfg["food_track"]["min"])
        return {"gold": self.gold, "cubes": self.pool, "resource": self.resource}[kind][player]

    def spend(self, player, kind, number):
        assert kind == "vp" or 0 <= number <= self.has(player, kind), kind
        if kind == "gold":
            self.gold[player] -= number
        elif kind == "cubes":
            self.pool[player] -= number
            self.stock[player] += number
        elif kind == "resource":
            self.resource[player] -= number
        elif kind == "food":
            self.food[player] -= number
        else:
            self.vp[player] -= number

    def supply(self):
        """1.4: resource discs that nobody holds."""
        free = self.b.cfg["stock"]["resource_discs"] - sum(self.resource)
        if not self.b.cfg["stock"]["resource_discs_on_trade_track_are_in_supply"]:
            free -= sum(self.boxes.values())
        return free

    def receive(self, player, goods):
        """1.2, 1.4: what stock and supply cannot give is lost. Food is no matter of this."""
        self.gold[player] += goods.get("gold", 0)
        self.vp[player] += goods.get("vp", 0)
        cubes = min(goods.get("cubes", 0), self.stock[player])
        self.stock[player] -= cubes
        self.pool[player] += cubes
        self.resource[player] += min(goods.get("resource", 0), self.supply())

    def pay(self, player, due):
        """2.1: a price in mixed currencies."""
        currencies, first = self.b.currencies, 0
        while due:
            options = ["pay %s %d" % (kind, k) for kind in currencies[first:-1]
                       for k in range(1, min(due, self.has(player, kind)) + 1)]
            answer = yield from ask(player, options + ["pay %s %d" % (currencies[-1], due)])
            _, kind, number = answer.split()
            self.spend(player, kind, int(number))
            due -= int(number)
            first = currencies.index(kind) + 1

    # ---- keeping and choosing (2.2, 2.3)

    def keep(self, player, tiles, price, kind, give_up):
        """2.2: `tiles` in file order, `price` of each in `kind`; `give_up(tile)` for those dropped."""
        left, first = list(tiles), 0
        while left:
            options, cost = [], 0
            for tile in left:
                if tiles.index(tile) >= first and cost <= self.has(player, kind):
                    options.append("drop %s" % tile)
                cost += price(tile)
            if cost <= self.has(player, kind):
                options.append("keep")
            answer = yield from ask(player, options)
            if answer == "keep":
                self.spend(player, kind, cost)
                return
            tile = answer.split()[1]
            first = tiles.index(tile) + 1
            left.remove(tile)
            give_up(tile)

    def give_up_city(self, player):
        def give_up(tile):
            self.city[player].remove(tile)
            self.gone["city", tile] += 1
        return give_up

    def give_up_progress(self, player):
        def give_up(tile):
            self.progress[player].remove(tile)
            self.gone["progress", tile] += 1
        return give_up

    def choose(self, player, number, kinds):
        """2.3: so many units out of a list of kinds."""
        first, result = 0, Counter()
        while number:
            options = ["take %s %d" % (kind, k) for kind in kinds[first:-1] for k in range(1, number + 1)]
            answer = yield from ask(player, options + ["take %s %d" % (kinds[-1], number)])
            _, kind, units = answer.split()
            result[kind] += int(units)
            number -= int(units)
            first = kinds.index(kind) + 1
        return result

    def choose_all(self, player, with_food):
        """12.2, 13.1: the choices whose list holds food, or those whose list does not."""
        result = Counter()
        for source, kinds in self.b.choices.items():
            if ("food" in kinds) == with_food:
                result += yield from self.choose(player, self.units(player, source), kinds)
        return result

    def units(self, player, source):
        if source in self.b.territory:
            return self.territory[player][source]
        if source not in self.progress[player]:
            return 0
        effect = self.b.effect[source]
        return effect["amount"] * self.territory[player][self.tile_of(effect)]

    @staticmethod
    def tile_of(effect):
        return effect["tile"].replace("_", "-")

    # ---- what a player gets every turn

    def tiles_give(self, player, kind):
        """Territory tiles, cities and progress tiles, choices and 6.3 `per_region` apart."""
        total = sum(n * self.b.territory[t].get("income", {}).get(kind, 0) for t, n in self.territory[player].items())
        for tile in self.city[player]:
            entry = self.b.city[tile]
            total += entry.get(kind, 0) if kind in ("food", "vp") else entry.get("income", {}).get(kind, 0)
        for tile in self.progress[player]:
            effect = self.b.effect[tile]
            gain = effect.get("gain", {}).get(kind, 0)
            if effect["kind"] == "income":
                total += gain
            elif effect["kind"] == "per_tile" and "choice" not in effect:
                total += gain * self.territory[player][self.tile_of(effect)]
        return total

    def standing(self, region):
        """2.4: those in the first place, and those in the second."""
        there = self.map[region]
        numbers = sorted({k for k in there if k}, reverse=True)
        ranks = [[q for q in range(self.n) if there[q] == k] for k in numbers[:2]] + [[], []]
        return ranks[0], ranks[1] if len(ranks[0]) == 1 else []

    def regions_give(self, player, kind):
        """13.2: symbols of the regions that he controls or shares."""
        total = 0
        for region, entry in self.b.region.items():
            leaders, _ = self.standing(region)
            if player in leaders:
                total += entry.get("symbol", {}).get(kind, 0) // len(leaders)
        return total

    # ---- phases

    def food_phase(self):
        for player in self.order:
            hungry = [c for c in self.b.city if c in self.city[player] and self.b.city[c]["food"] < 0]
            yield from self.keep(player, hungry, lambda _: 0, "gold", self.give_up_city(player))
            chosen = yield from self.choose_all(player, True)
            total = self.tiles_give(player, "food") + self.regions_give(player, "food") + chosen.pop("food", 0)
            self.chosen[player] = chosen
            last = self.finished + 1 == len(self.b.turns)
            self.move_food(player, total * (self.b.cfg["food_track"]["final_turn_multiplier"] if last else 1))

    def move_food(self, player, total):
        """12.4"""
        track = self.b.cfg["food_track"]
        goal = self.food[player] + total
        self.vp[player] -= max(0, track["min"] - goal) * track["vp_lost_per_food_below_min"]
        self.gold[player] += max(0, goal - track["max"]) // track["food_above_max_per_gold"]
        self.food[player] = min(max(goal, track["min"]), track["max"])

    def income_phase(self):
        for player in self.order:
            goods = self.chosen[player] + (yield from self.choose_all(player, False))
            for kind in ("gold", "resource", "cubes"):
                goods[kind] += self.tiles_give(player, kind) + self.regions_give(player, kind)
            self.receive(player, goods)
            self.chosen[player] = Counter()
            poor = [c for c in self.b.city if c in self.city[player] and self.b.city[c]["resource"] > 0]
            yield from self.keep(player, poor, lambda c: self.b.city[c]["resource"], "resource", self.give_up_city(player))

    def score(self):
        """14"""
        for player in range(self.n):
            self.vp[player] += self.tiles_give(player, "vp") + self.per_region(player)
        for region, entry in self.b.region.items():
            leaders, seconds = self.standing(region)
            first, second = entry["vp"]
            if self.n == 2 and not self.b.cfg["map_rules"]["second_place_in_2p_game"]:
                second = 0
            for player in leaders:
                self.vp[player] += first if len(leaders) == 1 else (first + second) // len(leaders)
            for player in seconds:
                self.vp[player] += second // len(seconds)

    def per_region(self, player):
        total = 0
        for tile in self.progress[player]:
            effect = self.b.effect[tile]
            if effect["kind"] == "per_region":
                alone = effect["condition"] == "controlled"
                counted = [r for r in self.held_by(player) if not alone or self.standing(r)[0] == [player]]
                total += min(effect["vp"] * len(counted), effect["max"])
        return total

    def new_order(self):
        """15"""
        wealth = [self.gold[q] + self.pool[q] + self.resource[q] for q in range(self.n)]
        seats = [None] * self.n
        for player in sorted(self.order, key=lambda q: (self.vp[q], wealth[q], -self.order.index(q))):
            free = ["seat %d" % (k + 1) for k, q in enumerate(seats) if q is None]
            answer = yield from ask(player, free)
            seats[int(answer.split()[1]) - 1] = player
        return seats

    def end_of_era(self):
        """16"""
        costs = self.b.cfg["costs"]
        for player in self.order:
            mine = [x for x in self.b.progress if x in self.progress[player]]
            price = costs["era_end_gold_per_progress_kept"]
            yield from self.keep(player, mine, lambda _: price, "gold", self.give_up_progress(player))
            mine = [c for c in self.b.city if c in self.city[player]]
            toll = costs["era_end_cubes_per_city_kept"]
            yield from self.keep(player, mine, lambda _: toll, "cubes", self.give_up_city(player))
        for region, there in self.map.items():
            for player, number in enumerate(there):
                self.take_off(region, player, -(-number // costs["decline_divisor"]))

    def final_points(self):
        """17"""
        costs = self.b.cfg["costs"]
        for player in range(self.n):
            self.vp[player] += self.gold[player] // costs["end_gold_per_vp"]
            self.vp[player] += self.resource[player] // costs["end_resource_per_vp"]
