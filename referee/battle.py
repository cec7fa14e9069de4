"""Land battles, slave revolts, sailing and naval battles (15, 15N) of the simulator."""

from board import UNITS

INF, CAV, CAT, GEN, CAE = range(5)          # land units of a province
GALLEY = 3                                  # battle types: INF, CAV, CAT, GALLEY
BATTLE_TYPES = ("infantry", "cavalry", "catapult", "galley")
POOL = {u: i for i, u in enumerate(UNITS)}  # pool order: canonical
LAND_POOL = (0, 1, 2, 4, 5)                 # pool index of a land unit
DIPLOMACY_TROOPS = -1                       # owners of battle units that are no player
SLAVES = -2


class Army:
    """One side of a battle: its commander and units[(owner, type)] = number, in the order of losses."""

    def __init__(self, commander, role):
        self.commander = commander      # a seat, or SLAVES
        self.role = role
        self.units = {}

    def add(self, owner, kind, number):
        if number:
            self.units[owner, kind] = self.units.get((owner, kind), 0) + number

    def size(self):
        return sum(self.units.values())

    def of_type(self, kind):
        return sum(n for (_, k), n in self.units.items() if k == kind)


class Battles:
    """The part of `Game` that fights."""

    # ---- 15 land battle ---------------------------------------------------------------------------------------

    def battle_targets(self, player, p):
        return [q for q in range(self.n) if not self.allied(player, q) and any(self.land[p][q])]

    def battle_places(self, player):
        return [
            p for p in range(len(self.b.provinces))
            if self.military(p, player) and self.battle_targets(player, p)
        ]

    def battle(self, player):
        answer = yield from self.ask(player, ["in " + self.b.provinces[p] for p in self.battle_places(player)])
        p = self.province(answer)
        answer = yield from self.ask(player, ["against %d" % q for q in self.battle_targets(player, p)])
        defender = int(answer[8:])
        if not self.military(p, defender):
            yield from self.withdraw(defender, p)
            if self.city[p] == defender:
                self.city[p] = player
            return
        attackers = Army(player, "attacker")
        yield from self.fight(p, attackers, defender)

    def withdraw(self, player, p):
        """15.8: the leaders left in p go together to one adjacent province."""
        here = self.land[p][player]
        if not (here[GEN] or here[CAE]):
            return
        around = self.neighbours(p, player)
        if not around:
            return
        answer = yield from self.ask(player, ["withdraw " + self.b.provinces[d] for d in around])
        to = self.land[self.province(answer)][player]
        for unit in (GEN, CAE):
            to[unit] += here[unit]
            here[unit] = 0

    def commit(self, player, zone, army, number):
        self.sea[zone][player] -= number
        self.committed[zone][player] += number
        army.add(player, GALLEY, number)

    def fight(self, p, attack, defender):
        """15.2 to 15.8 between an attacking army (the slaves' is full already) and a defender."""
        zones = self.b.sea[p]
        attacker = attack.commander
        slaves = attacker == SLAVES
        defence = Army(defender, "defender")
        sides = [defence] if slaves else [attack, defence]
        for army in sides:                                              # 15.2
            for z in zones:
                k = yield from self.count(army.commander, 0, self.sea[z][army.commander])
                self.commit(army.commander, z, army, k)
        for q in self.order:                                            # 15.3
            if q in (attacker, defender):
                continue
            army = next((a for a in sides if self.allied(q, a.commander)), None)
            if army is None:
                continue
            for unit in (INF, CAV, CAT):
                army.add(q, unit, (yield from self.count(q, 0, self.land[p][q][unit])))
            for z in zones:
                k = yield from self.count(q, 0, self.sea[z][q])
                self.commit(q, z, army, k)
        name = self.b.provinces[p]
        for army in sides:                                              # 15.4
            own = self.land[p][army.commander]
            for unit in (INF, CAV, CAT):
                army.add(army.commander, unit, own[unit])
            times = self.holds(army.commander, "diplomacy-" + name)
            if times and self.military(p, army.commander):
                for kind, k in enumerate(self.b.diplomacy[name]):
                    army.add(DIPLOMACY_TROOPS, kind, k * times)
        city = self.city[p] == defender
        losers, eliminated = set(), set()
        for _ in range(self.cfg["battle"]["max_rounds"]):
            dice = [self.dice(p, attack, False), self.dice(p, defence, city)]
            if city:
                hits = self.hits(defence, (yield from self.roll(defence, dice[1])))
                yield from self.losses(p, attack, hits)
                hits = self.hits(attack, (yield from self.roll(attack, dice[0])))
                yield from self.losses(p, defence, hits)
            else:
                first = self.hits(attack, (yield from self.roll(attack, dice[0])))
                second = self.hits(defence, (yield from self.roll(defence, dice[1])))
                yield from self.losses(p, attack, second)
                yield from self.losses(p, defence, first)
            for army in (attack, defence):                              # 15.7
                if army.size() == 0:
                    losers.add(army)
                    eliminated.add(army)
            if eliminated:
                if len(losers) == 2 and not self.cfg["battle"]["both_lose"]:
                    losers.clear()
                break
            for army in (defence, attack):
                if army.commander != SLAVES and (yield from self.retreat(army.commander, p)):
                    losers.add(army)
                    break
            if losers:
                break
        for z in zones:                                                 # 15.8
            for q in range(self.n):
                self.sea[z][q] += self.committed[z][q]
                self.committed[z][q] = 0
        for army in (attack, defence):
            if army in losers and army.commander != SLAVES:
                self.chaos[army.commander] += self.cfg["chaos"]["battle"]
        for army in (attack, defence):
            if army in losers and army in eliminated and army.commander != SLAVES:
                yield from self.withdraw(army.commander, p)
        if city and defence in losers and attack not in losers and not slaves:
            self.city[p] = attacker

    def dice(self, p, army, city):
        rules, me = self.cfg["battle"], army.commander
        if me == SLAVES:
            return self.cfg["revolt"]["dice"]
        number = rules["dice"]
        led = [q for q in range(self.n) if self.has_leader(p, q) and self.allied(q, me)]
        if led if rules["any_leader_counts"] else me in led:
            number += rules["leader_dice"]
        if city:
            number += rules["city_dice"]
        return number + rules["training_dice"] * self.holds(me, "army-training")

    def roll(self, army, dice):
        return (yield from self.draw("dice", dice, army.role))

    def hits(self, army, faces):
        return sum(min(faces.count(t), army.of_type(k)) for k, t in enumerate(BATTLE_TYPES))

    def losses(self, p, army, hits):
        """15.6; p is None in a naval battle, where self.arena is the sea zone."""
        keys = sorted(key for key, k in army.units.items() if k)
        sizes = [army.units[key] for key in keys]
        if hits >= sum(sizes):
            gone = sizes
        else:
            gone = yield from self.counts_exact(army.commander, sizes, hits)
        for (owner, kind), k in zip(keys, gone):
            if not k:
                continue
            army.units[owner, kind] -= k
            if owner < 0:
                continue
            self.pool[owner][kind] += k
            if kind != GALLEY:
                self.land[p][owner][kind] -= k
                assert self.land[p][owner][kind] >= 0
            elif p is None:
                self.sea[self.arena][owner] -= k
            else:
                for z in self.b.sea[p]:
                    lost = min(k, self.committed[z][owner])
                    self.committed[z][owner] -= lost
                    k -= lost
                assert k == 0

    def retreat(self, player, p):
        here = self.land[p][player]
        if not any(here):
            return False
        around = [d for d in self.neighbours(p, player) if not self.enemy_military(d, player)]
        answer = yield from self.ask(player, ["retreat " + self.b.provinces[d] for d in around] + ["stay"])
        if answer == "stay":
            return False
        to = self.land[self.province(answer)][player]
        for unit in range(5):
            to[unit] += here[unit]
            here[unit] = 0
        return True

    def slave_revolt(self, player, p):
        slaves = Army(SLAVES, "attacker")
        slaves.add(SLAVES, INF, self.cfg["revolt"]["infantry"])
        fought = set()
        while slaves.size():
            targets = [q for q in range(self.n) if q not in fought and self.military(p, q)]
            if not targets:
                return
            if targets != [player]:
                targets = [q for q in targets if q != player]
            answer = yield from self.ask(player, ["target %d" % q for q in targets])
            defender = int(answer[7:])
            fought.add(defender)
            yield from self.fight(p, slaves, defender)

    # ---- 15N sail ---------------------------------------------------------------------------------------------

    def contact(self, player, zone):
        """Own and non-allied galleys are in the zone."""
        galleys = self.sea[zone]
        return bool(galleys[player] and self.naval_targets(player, zone))

    def naval_targets(self, player, zone):
        return [q for q in range(self.n) if self.sea[zone][q] and not self.allied(player, q)]

    def sail_zones(self, player):
        own = [z for z in range(len(self.b.zones)) if self.sea[z][player]]
        if not own:
            return []
        return [
            z for z in range(len(self.b.zones))
            if len(own) > 1 or own[0] != z or self.contact(player, z)
        ]

    def sail(self, player):
        answer = yield from self.ask(player, ["to " + self.b.zones[z] for z in self.sail_zones(player)])
        to = self.zone(answer)
        others = [z for z in range(len(self.b.zones)) if z != to and self.sea[z][player]]

        def apply(i, k):
            self.sea[others[i]][player] -= k
            self.sea[to][player] += k

        moved = yield from self.counts_at_least_one(
            player, len(others), lambda i: self.sea[others[i]][player], apply, not self.contact(player, to))
        if not self.contact(player, to):
            return
        options = ["attack %d" % q for q in self.naval_targets(player, to)]
        if moved:
            options.append("no-attack")
        answer = yield from self.ask(player, options)
        if answer == "no-attack":
            return
        defender = int(answer[7:])
        if self.holds(defender, "favorable-wind"):
            if (yield from self.ask(defender, ["wind yes", "wind no"])) == "wind yes":
                return
        yield from self.naval_battle(player, defender, to)

    def naval_battle(self, attacker, defender, zone):
        self.arena = zone
        sides = [Army(attacker, "attacker"), Army(defender, "defender")]
        for army in sides:
            q = army.commander
            army.add(q, GALLEY, self.sea[zone][q])
            army.add(DIPLOMACY_TROOPS, GALLEY, self.b.diplomacy["pirates"][GALLEY] * self.holds(q, "diplomacy-pirates"))
        for q in self.order:
            if q in (attacker, defender):
                continue
            army = sides[0] if self.allied(q, attacker) else sides[1]
            army.add(q, GALLEY, (yield from self.count(q, 0, self.sea[zone][q])))
        rules = self.cfg["battle"]
        for _ in range(rules["naval_rounds"]):
            hits = []
            for army in sides:
                dice = rules["naval_dice"] * army.size()
                dice += rules["naval_training_dice"] * self.holds(army.commander, "naval-training")
                faces = yield from self.roll(army, dice)
                hits.append(min(faces.count("galley"), army.size()))
            yield from self.losses(None, sides[0], hits[1])
            yield from self.losses(None, sides[1], hits[0])
            losers = [army for army in sides if army.size() == 0]
            if losers:
                if len(losers) == 1 or rules["both_lose"]:
                    for army in losers:
                        self.chaos[army.commander] += self.cfg["chaos"]["battle"]
                return
