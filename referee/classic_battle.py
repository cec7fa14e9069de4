"""classic: battles at sea and on land, fallen leaders, elimination, taking a province (6 to 9)."""

from classic_board import BOUGHT, CAE, CAV, FORT, GAL, GEN, TROOPS, UNITS
from rome import ask


class TurnOver(Exception):
    """The player in turn is out (8.6)."""


class GameOver(Exception):
    """The game has ended; the argument is the winners, None where the points decide."""


class Battles:
    """Mixed into the game."""

    # ---- at sea (6)

    def naval_battles(self, player):
        last = (-1, -1)
        while True:
            fights = [(z, q) for z in range(self.b.np, self.b.n) for q in range(self.n)
                      if (z, q) > last and q != player and self.at[z][player][GAL] and self.at[z][q][GAL]]
            texts = ["attack %s %d" % (self.b.names[z], q) for z, q in fights]
            answer = yield from ask(player, texts + ["done"])
            if answer == "done":
                return
            last = fights[texts.index(answer)]
            yield from self.naval_battle(player, *reversed(last))

    def naval_battle(self, attacker, defender, zone):
        ships = [self.at[zone][attacker], self.at[zone][defender]]
        for _ in range(self.b.cfg["battle"]["naval_rounds"]):
            sunk = []
            for who, own in zip(("attacker", "defender"), ships):
                faces = yield "chance", "dice", who, own[GAL]
                sunk.append(faces.count(UNITS[GAL]))
            for own, number in zip(ships, reversed(sunk)):
                own[GAL] -= min(own[GAL], number)
            if not (ships[0][GAL] and ships[1][GAL]):
                break
        fallen = [self.drowned(own) for own in ships]
        winners = [q for q in (attacker, defender) if self.at[zone][q][GAL]]
        for loser, enemy, leaders in ((defender, attacker, fallen[1]), (attacker, defender, fallen[0])):
            if any(leaders):
                yield from self.fall(loser, *leaders, enemy if enemy in winners and not self.out[enemy] else None)

    @staticmethod
    def drowned(own):
        """Takes off what the galleys left can no longer carry (6.3); returns the fallen, (generals, caesar)."""
        leaders = own[GEN] + own[CAE]
        falling = max(0, leaders - own[GAL])
        if not falling:
            return 0, 0
        troops = sum(own[t] for t in TROOPS)
        lost = -(-troops * falling // leaders)
        for t in TROOPS:
            dead = min(own[t], lost)
            own[t] -= dead
            lost -= dead
        generals = min(own[GEN], falling)
        own[GEN] -= generals
        own[CAE] -= falling - generals
        return generals, falling - generals

    # ---- on land (7)

    def land_battles(self, player):
        for p in range(self.b.np):
            if not self.has_troops(p, player):
                continue
            if self.guard[p] or self.foe(p, player) is not None:
                yield from self.battle(player, p)
            if self.has_troops(p, player) and not self.guard[p] and self.foe(p, player) is None:
                yield from self.conquer(player, p)

    def conquer(self, player, p):
        """7.1(b)."""
        for q in range(self.n):
            own = self.at[p][q]
            if q != player and own[GEN] + own[CAE]:
                fallen, own[GEN:] = own[GEN:], [0, 0]
                yield from self.fall(q, *fallen, player)
        self.take(player, p)

    def battle(self, attacker, p):
        """7.3 to 7.10; `defender` is None for a guard."""
        has_guard, defender = self.guard[p] > 0, self.foe(p, attacker)
        assert not (has_guard and defender is not None), "a guard beside troops"
        yield from self.rounds(attacker, defender, p)
        attackers = self.has_troops(p, attacker)
        is_lost = not attackers and self.strength(p, defender) > 0 and not self.has_retreated
        if has_guard and (self.guard[p] or not attackers):
            self.guard[p] = self.b.guard[p]
        if is_lost:
            own = self.at[p][attacker]
            fallen, own[GEN:] = own[GEN:], [0, 0]
            if any(fallen):
                yield from self.fall(attacker, *fallen, defender)

    def rounds(self, attacker, defender, p):
        self.has_retreated = False
        most = self.b.cfg["battle"]["land_rounds"]
        for number in range(1, most + 1):
            yield from self.fight_round(attacker, defender, p)
            if not (self.has_troops(p, attacker) and self.strength(p, defender)):
                return
            is_last = number == most
            for side, other, name in ((defender, attacker, "attacker"), (attacker, defender, "defender")):
                if side is None:
                    continue
                goal = yield from self.decide_retreat(side, p, is_last and side == attacker)
                if goal is not None:
                    self.has_retreated = True
                    yield from self.pursuit(other, side, p, name)
                    self.retreat(side, p, goal)
                    return
        for t in TROOPS:                # 7.8: he can neither stay nor go
            self.at[p][attacker][t] = 0

    def strength(self, p, side):
        """Troops of a side of a battle, the guard's too."""
        return self.guard[p] if side is None else self.has_troops(p, side)

    def legion_size(self, p, side):
        size = self.b.cfg["battle"]["legion"]
        if side is not None:
            own = self.at[p][side]
            size += self.b.cfg["battle"]["legion_per_general"] * own[GEN] + self.b.v["caesar_legion"] * own[CAE]
        return min(size, self.strength(p, side))

    def fight_round(self, attacker, defender, p):
        sides = (attacker, defender)
        legions, dice = [], []
        for side in sides:
            size = self.legion_size(p, side)
            troops = [self.guard[p], 0, 0] if side is None else self.at[p][side][:GAL]
            legions.append((yield from self.exactly(side, troops, size)))
        for side, legion, who in zip(sides, legions, ("attacker", "defender")):
            extra = 0
            if who == "defender" and side is not None and self.owner[p] == side and self.city[p] == FORT:
                extra = self.b.cfg["battle"]["fort_dice"]
            dice.append((yield "chance", "dice", who, sum(legion) + extra))
        hits = [sum(min(faces.count(UNITS[t]), legion[t]) for t in TROOPS) for faces, legion in zip(dice, legions)]
        for side, legion, number in zip(sides, legions, reversed(hits)):
            yield from self.lose(side, p, legion, min(number, sum(legion)))

    def lose(self, side, p, troops, number):
        """So many of these troops of a side are eliminated, by its own choice."""
        dead = yield from self.exactly(side, troops, number)
        if side is None:
            self.guard[p] -= number
            return
        for t in TROOPS:
            self.at[p][side][t] -= dead[t]

    def exactly(self, player, troops, total):
        """Counts infantry, cavalry, catapult that come to `total`."""
        rest, result = sum(troops), []
        assert total <= rest
        for number in troops:
            rest -= number
            result.append((yield from self.pick(player, range(max(0, total - rest), min(number, total) + 1))))
            total -= result[-1]
        return result

    # ---- retreat (7.5 to 7.8)

    def retreats(self, player, p):
        b = self.b
        return [d for d in sorted(set(b.land[p]) | self.over_straits(player, p))
                if self.owner[d] in (None, player) and not self.guard[d] and not self.has_foreign_land_pieces(d, player)]

    def decide_retreat(self, player, p, is_forced):
        goals = self.retreats(player, p)
        texts = ["retreat " + self.b.names[d] for d in goals]
        if not is_forced:
            texts.append("stay")
        if not texts:
            return None
        answer = yield from ask(player, texts)
        return None if answer == "stay" else goals[texts.index(answer)]

    def pursuit(self, pursuer, fleeing, p, who):
        """7.7; a guard has no cavalry."""
        if pursuer is None or not self.at[p][pursuer][CAV]:
            return
        size = self.legion_size(p, pursuer)
        riders = min(self.at[p][pursuer][CAV], size)
        faces = yield "chance", "dice", who, size
        hits = min(faces.count(UNITS[CAV]), riders)
        troops = self.at[p][fleeing][:GAL]
        yield from self.lose(fleeing, p, troops, min(hits, sum(troops)))

    def retreat(self, player, p, goal):
        own, there = self.at[p][player], self.at[goal][player]
        if self.has_troops(p, player) and self.owner[goal] is None:
            self.owner[goal] = player
        for u in TROOPS + (GEN, CAE):
            there[u] += own[u]
            own[u] = 0

    # ---- fallen leaders (8)

    def fall(self, owner, generals, caesar, captor):
        """Leaders of one owner, already off the board, fall at one place."""
        if generals and captor is not None:
            kept = yield from self.pick(captor, range(generals + 1))
            self.captives[captor][owner] += kept
        if not caesar:
            return
        places = [x for x in range(self.b.n) if self.at[x][owner][GEN]]
        if not self.b.v["caesar_replaced"] or not places:
            self.eliminate(owner, captor)
            return
        texts = ["crown " + self.b.names[x] for x in places]
        answer = yield from ask(owner, texts)
        heir = self.at[places[texts.index(answer)]][owner]
        heir[GEN] -= 1
        heir[CAE] += 1
        if captor is not None:
            self.pay(owner, captor, self.b.v["caesar_payment"])

    def pay(self, payer, taker, amount):
        amount = min(amount, self.talents[payer])
        self.talents[payer] -= amount
        self.talents[taker] += amount

    def eliminate(self, player, heir):
        """8.5, and what follows at once from it (8.6, 12.1)."""
        self.out[player] = True
        if heir is not None:
            self.talents[heir] += self.talents[player]
        self.talents[player] = 0
        for x in range(self.b.n):
            self.bequeath(player, heir, x)
        self.owner = [heir if q == player else q for q in self.owner]
        for held in self.captives:
            held[player] = 0
        for q in range(self.n):
            number, self.captives[player][q] = self.captives[player][q], 0
            if heir is not None and q != heir:
                self.captives[heir][q] += number
            elif self.owner[self.home[q]] == q:
                self.at[self.home[q]][q][GEN] += number
        alive = [q for q in range(self.n) if not self.out[q]]
        if len(alive) == 1:
            raise GameOver(alive)
        if player == self.turn:
            raise TurnOver

    def bequeath(self, player, heir, x):
        """What stands at one place when its owner is out."""
        units, self.at[x][player] = self.at[x][player], [0] * 6
        if heir is None:
            return
        passing = BOUGHT if x < self.b.np and self.owner[x] == player else (GAL,) if x >= self.b.np else ()
        for u in passing:
            self.at[x][heir][u] += min(units[u], self.pool(heir, u))

    # ---- taking a province (9)

    def take(self, player, p):
        before, self.owner[p] = self.owner[p], player
        if before == player:
            return
        for q in range(self.n):
            if q != player:
                self.at[p][q][GAL] = 0
        if before is not None and self.home[before] == p:
            self.pay(before, player, self.b.v["home_lost_payment"])
