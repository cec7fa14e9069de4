"""Empire tiles of rise: placing cubes and battles (clauses 9 and 10 of the rules page)."""

from rome import ask


class Action:
    """What stays the same while an empire tile is carried out: who, the face, its areas, and what he held at the start."""

    def __init__(self, player, face, areas, water, held):
        self.player, self.face, self.areas, self.water = player, face, areas, water
        self.held, self.must = held, False
        self.chosen = []                 # regions that got cubes, in file order


class Empire:
    """The part of `Game` that knows the map."""

    def cubes(self, region, player):
        return self.map[region][player]

    def held_by(self, player):
        return [r for r in self.b.region if self.cubes(r, player)]

    def old_world(self, region):
        return self.b.region[region]["zone"] not in self.b.zones

    def effects(self, player, key, kind="empire"):
        """The sum of a number over the player's progress tiles of a kind (6.2)."""
        mine = (self.b.effect[x] for x in self.progress[player])
        return sum(effect.get(key, 0) for effect in mine if effect["kind"] == kind)

    def navigates(self, player):
        return any(self.b.effect[x]["kind"] == "navigation" for x in self.progress[player])

    # ---- where cubes may go (9.2, 9.3)

    def is_open(self, region, player, water):
        """9.2: `water` says whether it is there."""
        rules, entry = self.b.cfg["map_rules"], self.b.region[region]
        if self.old_world(region):
            return entry["era"] <= self.era and (water or not entry.get("sea", False))
        if not water or self.era < rules["zones_open_from_era"]:
            return False
        if self.era != rules["zones_need_navigation_in_era"]:
            return True
        who = [player] if rules["navigation_scope"] == "owner" else range(self.n)
        return any(self.navigates(q) for q in who)

    def open_for(self, action, region):
        stays = self.b.cfg["map_rules"]["reinforce_without_water"] and region in action.held
        return self.is_open(region, action.player, action.water or stays)

    def may_get(self, action, region):
        """9.3, without the limits of a newcomer's root and of the zones of one action."""
        if not self.open_for(action, region):
            return False
        if not self.old_world(region):
            return True
        settled = [r for r in action.held if self.old_world(r)]
        if settled:
            return region in settled or any(region in self.b.near[r] for r in settled)
        return action.water or not action.held

    # ---- placing (9.4, 9.5)

    def carry_out_empire(self, player, tile):
        face = self.b.empire[tile]["front" if self.era == 1 else "back"]
        areas = face["areas"] + self.effects(player, "extra_areas")
        water = face["water"] or self.navigates(player)
        action = Action(player, face, areas, water, self.held_by(player))
        yield from self.place_cubes(action)
        yield from self.fight(action)

    def place_cubes(self, action):
        player = action.player
        answer = yield from ask(player, self.first_options(action))
        if answer == "abandon":
            for region in action.held:
                self.take_off(region, player, self.cubes(region, player))
            action.held, action.must = [], True
            answer = yield from ask(player, self.placing_options(action))
        while answer != "done":
            region = answer.split()[1]
            action.chosen.append(region)
            most = self.pool[player] - (not self.rooted(action, action.chosen))
            count = yield from ask(player, ["count %d" % k for k in range(1, most + 1)])
            self.put_on(region, player, int(count.split()[1]))
            answer = yield from ask(player, self.placing_options(action))

    def first_options(self, action):
        options = self.placing_options(action)
        anew = Action(action.player, action.face, action.areas, action.water, [])
        if action.held and self.goals(anew):
            return ["abandon"] + options
        return options

    def placing_options(self, action):
        goals = ["to %s" % r for r in self.goals(action)]
        needed = action.must or not self.b.cfg["empire_rules"]["zero_cubes_allowed"]
        if goals and (needed and not action.chosen or not self.rooted(action, action.chosen)):
            return goals
        return goals + ["done"]

    def goals(self, action):
        left = action.areas - len(action.chosen)
        if not left or not self.pool[action.player]:
            return []
        last = self.b.rank[action.chosen[-1]] if action.chosen else -1
        later = [r for r in self.b.region if self.b.rank[r] > last and self.may_get(action, r)]
        return [r for r in later if self.zone_fits(action, r) and self.root_fits(action, r, left)]

    def zone_fits(self, action, region):
        """9.3: zone regions of so many zones only."""
        if self.old_world(region):
            return True
        zones = {self.b.region[r]["zone"] for r in action.chosen + [region] if not self.old_world(r)}
        return len(zones) <= self.b.cfg["map_rules"]["zones_per_action"]

    def is_newcomer(self, action):
        return not any(self.old_world(r) for r in action.held)

    def rooted(self, action, chosen):
        """Has a newcomer's set of Old World regions one with all others as neighbours? Who is settled needs none."""
        if not self.is_newcomer(action):
            return True
        old = [r for r in chosen if self.old_world(r)]
        return not old or any(all(other == root or other in self.b.near[root] for other in old) for root in old)

    def root_fits(self, action, region, left):
        """9.5 for newcomers."""
        old = [r for r in action.chosen + [region] if self.old_world(r)]
        if self.rooted(action, old):
            return True
        if not self.old_world(region) or left < 2 or self.pool[action.player] < 2:
            return False
        return any(self.b.rank[x] > self.b.rank[region] and self.old_world(x) and self.open_for(action, x)
                   and self.b.near[x].issuperset(old) for x in self.b.region)

    def put_on(self, region, player, number):
        assert 0 < number <= self.pool[player]
        self.pool[player] -= number
        self.map[region][player] += number

    def take_off(self, region, player, number):
        assert 0 <= number <= self.map[region][player]
        self.map[region][player] -= number
        self.stock[player] += number

    # ---- battles (10)

    def fight(self, action):
        player, rules = action.player, self.b.cfg["empire_rules"]
        fought, before = None, None
        for line in action.face["battles"][:rules["battle_lines_by_era"][self.era - 1]]:
            mine = max(rules["attacker_loss_min"], line[0] + self.effects(player, "attacker_loss"))
            his = max(rules["defender_loss_min"], line[1] + self.effects(player, "defender_loss"))
            regions = [r for r in self.b.region if r != fought]
            if (mine, his) == before:                                       # 10.4
                regions = [r for r in regions if fought and self.b.rank[r] > self.b.rank[fought]]
            before = mine, his
            fought = yield from self.battle(player, mine, his, regions)

    def battle(self, player, mine, his, regions):
        """One line; the region of the battle, or None."""
        options = ["battle %s %d" % (r, q) for r in regions if self.cubes(r, player) >= max(mine, 1)
                   for q in range(self.n) if self.can_lose(player, q, r, his)]
        answer = yield from ask(player, options + ["no-battle"])
        if answer == "no-battle":
            return None
        _, region, seat = answer.split()
        enemy = int(seat)
        self.take_off(region, player, mine)
        self.take_off(region, enemy, min(self.defended(enemy, his), self.cubes(region, enemy)))
        return region

    def can_lose(self, player, enemy, region, number):
        return (enemy != player and self.cubes(region, enemy) > 0 and self.alliance[enemy] != region
                and self.defended(enemy, number) > 0)

    def defended(self, enemy, number):
        least = self.b.cfg["empire_rules"]["defender_loss_min"]
        return max(least, number - self.effects(enemy, "loss_reduction", "defence"))
