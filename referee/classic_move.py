"""classic: movement of the player in turn (5)."""

from collections import Counter

from classic_board import CAE, GAL, GEN, TROOPS
from rome import ask

SAIL, CONVOY, BOARD, MARCH = range(4)
LAST = (9,)         # the key of `done`, after every other


class Orders:
    """What the pieces of the player in turn may still do; whatever has used up its move is not in here."""

    def __init__(self, game, player):
        b = game.b
        full = b.steps[GAL]
        self.wave = 1
        # Leaders who may march in this wave and the next, as [generals, caesar], by province.
        self.ready = {p: game.at[p][player][GEN:] for p in range(b.np)}
        self.next = {p: [0, 0] for p in range(b.np)}
        # Troops by steps left, by province and type.
        self.troops = {p: [Counter({b.steps[t]: game.at[p][player][t]}) for t in TROOPS] for p in range(b.np)}
        # Cargo aboard since before this turn, as in game.at; its galleys have not moved.
        self.aboard = {z: list(game.at[z][player]) for z in range(b.np, b.n)}
        # Empty galleys by steps left, by place.
        self.empty = {x: Counter({full: game.at[x][player][GAL] - (x >= b.np) * game.leaders(x, player)}) for x in range(b.n)}

    def with_steps(self, place, least):
        """Empty galleys of a place with at least so many steps."""
        return sum(n for steps, n in self.empty[place].items() if steps >= least)


class Movement:
    """Mixed into the game, which has `b`, `at`, `owner`, `guard`, `roads` and the questions about places."""

    def movement(self, player):
        self.orders = Orders(self, player)
        key = (-1,)
        while key != LAST:
            key = yield from self.order(player, key, self.first_wave(player))
        for self.orders.wave in range(2, max(self.b.steps[GEN], self.b.steps[CAE]) + 1):
            self.orders.ready, self.orders.next = self.orders.next, {p: [0, 0] for p in range(self.b.np)}
            key = (-1,)
            while key != LAST:
                key = yield from self.order(player, key, self.marches(player))

    def order(self, player, key, menu):
        """One choice of the menu {key: text}, of what stands after `key`; it is carried out. Returns its key."""
        menu = {k: text for k, text in sorted(menu.items()) if k > key}
        menu[LAST] = "done"
        if len(set(menu.values())) == 1:
            return LAST
        text = yield from ask(player, list(dict.fromkeys(menu.values())))
        if text == "done":
            return LAST
        key = next(k for k, t in menu.items() if t == text)
        if key[0] == BOARD:
            goals = [k for k, t in menu.items() if t == text]
            goal = yield from ask(player, ["to " + self.b.names[k[3]] for k in goals])
            key = next(k for k in goals if goal == "to " + self.b.names[k[3]])
        yield from (self.sail, self.convoy, self.board, self.march)[key[0]](player, *key[1:])
        return key

    def first_wave(self, player):
        menu = {}
        names = self.b.names
        for x in range(self.b.n):
            if self.unmoved(x):
                menu.update(((SAIL, x, y), "sail %s %s" % (names[x], names[y])) for y in self.sailing(player, x))
        for zone in range(self.b.np, self.b.n):
            if any(self.orders.aboard[zone][GEN:]):
                goals = [y for y in self.carrying(zone) if self.convoy_span(player, zone, y)]
                menu.update(((CONVOY, zone, y), "convoy %s %s" % (names[zone], names[y])) for y in goals)
        for p in range(self.b.np):
            if any(self.orders.ready[p]):
                for zone in self.b.sea[p]:
                    if not (self.orders.with_steps(zone, 1) or self.orders.with_steps(p, 1)):
                        continue
                    goals = [y for y in self.boarding(p, zone) if self.board_span(player, p, zone, y)]
                    menu.update(((BOARD, p, zone, y), "board %s %s" % (names[p], names[zone])) for y in goals)
        menu.update(self.marches(player))
        return menu

    # ---- galleys without cargo (5.7)

    def unmoved(self, place):
        full = self.b.steps[GAL]
        return self.orders.empty[place][full] if full else 0

    def sailing(self, player, start):
        return self.b.ways(lambda p: self.owner[p] == player, start, self.b.steps[GAL])

    def sail(self, player, start, goal):
        full = self.b.steps[GAL]
        steps = self.sailing(player, start)[goal]
        number = yield from self.pick(player, range(1, self.unmoved(start) + 1))
        self.orders.empty[start][full] -= number
        self.orders.empty[goal][full - steps] += number
        self.at[start][player][GAL] -= number
        self.at[goal][player][GAL] += number

    # ---- groups (5.2)

    def needs_troops(self, player, place):
        """May a group without troops not enter (5.4)?"""
        return place < self.b.np and (self.guard[place] > 0 or self.foe(place, player) is not None)

    def spans(self, leaders, troops, span):
        """How many leaders a group may have, {leaders: (fewest, most) troops}; `span` says the limits for a number."""
        result = {}
        for number in range(1, leaders + 1):
            fewest, most = span(number)
            most = min(most, troops)
            if fewest <= most:
                result[number] = (fewest, most)
        return result

    def group(self, player, leaders, troops, spans):
        """The group counts. `leaders` and `troops`: who could go. Returns six numbers like those of `at`."""
        rest = sum(leaders)
        assert spans and sum(troops) >= min(fewest for fewest, _ in spans.values()) and max(spans) <= rest
        generals = yield from self.pick(
            player, [g for g in range(leaders[0] + 1) if any(g + c in spans for c in range(leaders[1] + 1))])
        caesar = yield from self.pick(player, [c for c in range(leaders[1] + 1) if generals + c in spans])
        fewest, most = spans[generals + caesar]
        counts, rest = [], sum(troops)
        for number in troops:
            rest -= number
            count = yield from self.pick(player, range(max(0, fewest - rest), min(number, most) + 1))
            counts.append(count)
            fewest, most = fewest - count, most - count
        return counts + [0, generals, caesar]

    # ---- cargo (5.8, 5.9)

    def carrying(self, zone):
        """Goals of a group aboard: {place: zone where its galleys end}."""
        b, full = self.b, self.b.steps[GAL]
        goals = {}
        if full >= 2:
            for near in b.sea[zone]:
                for p in b.coasts[near]:
                    goals.setdefault(p, near)
                for far in b.sea[near]:
                    goals[far] = far
        if full >= 1:
            goals.update((p, zone) for p in b.coasts[zone])
            goals.update((near, near) for near in b.sea[zone])
        goals.pop(zone, None)
        return goals

    def convoy_span(self, player, zone, goal):
        mine, cargo = self.at[zone][player], self.orders.aboard[zone]
        leaders, troops = sum(mine[GEN:]), sum(mine[:GAL])

        def span(number):
            staying = troops - self.b.cap * (leaders - number)
            return max(staying, int(self.needs_troops(player, goal))), self.b.cap * number
        return self.spans(sum(cargo[GEN:]), sum(cargo[:GAL]), span)

    def convoy(self, player, zone, goal):
        cargo = self.orders.aboard[zone]
        spans = self.convoy_span(player, zone, goal)
        going = yield from self.group(player, cargo[GEN:], cargo[:GAL], spans)
        end = self.carrying(zone)[goal]
        number = going[GEN] + going[CAE]
        for unit, count in enumerate(going):
            cargo[unit] -= count
        self.carry(player, going, zone, goal)
        self.at[zone][player][GAL] -= number
        self.at[end][player][GAL] += number

    def carry(self, player, going, start, goal):
        for unit, count in enumerate(going):
            self.at[start][player][unit] -= count
            self.at[goal][player][unit] += count

    def boarding(self, start, zone):
        """Goals of a group that boards from a province into a zone."""
        goals = {zone, *self.b.sea[zone], *self.b.coasts[zone]} - {start}
        return goals if self.b.steps[GAL] >= 2 else {zone}

    def board_span(self, player, start, zone, goal):
        least = 1 if goal == zone else 2
        galleys = self.orders.with_steps(zone, least) + self.orders.with_steps(start, least)
        leaders = min(galleys, sum(self.orders.ready[start]))
        least_troops = int(self.needs_troops(player, goal))
        return self.spans(leaders, sum(self.staying(start)), lambda number: (least_troops, self.b.cap * number))

    def staying(self, p):
        """Troops of a province that have not moved, by type."""
        return [sum(counter.values()) for counter in self.orders.troops[p]]

    def board(self, player, start, zone, goal):
        spans = self.board_span(player, start, zone, goal)
        going = yield from self.group(player, self.orders.ready[start], self.staying(start), spans)
        for i, unit in enumerate((GEN, CAE)):
            self.orders.ready[start][i] -= going[unit]
        for unit in TROOPS:
            self.orders.troops[start][unit][self.b.steps[unit]] -= going[unit]
        self.man(player, going[GEN] + going[CAE], start, zone, goal)
        self.carry(player, going, start, goal)

    def man(self, player, number, start, zone, goal):
        """The galleys of those who board: they end in the zone, or in that where their cargo stays."""
        least = 1 if goal == zone else 2
        for steps in range(least, self.b.steps[GAL] + 1):
            for place in (zone, start):
                used = min(number, self.orders.empty[place][steps])
                number -= used
                self.orders.empty[place][steps] -= used
                self.at[place][player][GAL] -= used
                self.at[goal if goal >= self.b.np else zone][player][GAL] += used
        assert number == 0, "leaders without a galley"

    # ---- marches (5.3 to 5.6)

    def marchers(self, p):
        """Leaders of a province who may march in this wave, as [generals, caesar]."""
        wave, steps = self.orders.wave, self.b.steps
        return [self.orders.ready[p][0] * (steps[GEN] >= wave), self.orders.ready[p][1] * (steps[CAE] >= wave)]

    def able(self, p):
        """Troops of a province with steps left, by type."""
        return [sum(n for steps, n in counter.items() if steps > 0) for counter in self.orders.troops[p]]

    def marches(self, player):
        names = self.b.names
        return {(MARCH, p, goal): "march %s %s" % (names[p], names[goal])
                for p in range(self.b.np) if any(self.marchers(p))
                for goal in self.marching(player, p) if self.march_span(player, p, goal)}

    def marching(self, player, start):
        """Goals of a march step."""
        goals = set(self.b.land[start]) | self.over_straits(player, start)
        todo = [start]
        seen = {start}
        while todo:
            here = todo.pop()
            for there in self.b.land[here]:
                if there not in seen and self.is_own_road(player, here, there):
                    seen.add(there)
                    todo.append(there)
        return (goals | seen) - {start}

    def march_span(self, player, start, goal):
        least_troops = int(self.needs_troops(player, goal))
        return self.spans(sum(self.marchers(start)), sum(self.able(start)),
                          lambda number: (least_troops, self.b.cap * number))

    def march(self, player, start, goal):
        spans = self.march_span(player, start, goal)
        going = yield from self.group(player, self.marchers(start), self.able(start), spans)
        is_stopped = self.guard[goal] > 0 or self.has_foreign_land_pieces(goal, player)
        for i, unit in enumerate((GEN, CAE)):
            self.orders.ready[start][i] -= going[unit]
            self.orders.next[goal][i] += 0 if is_stopped else going[unit]
        for unit in TROOPS:
            self.step(self.orders.troops[start][unit], self.orders.troops[goal][unit], going[unit], is_stopped)
        self.carry(player, going, start, goal)

    @staticmethod
    def step(source, target, number, is_stopped):
        """Troops of one type make a step, those with the fewest steps left first."""
        for steps in sorted(steps for steps in source if steps > 0):
            moved = min(number, source[steps])
            number -= moved
            source[steps] -= moved
            target[0 if is_stopped else steps - 1] += moved
        assert number == 0, "troops without steps"
