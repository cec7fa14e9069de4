"""Tests of the referee: small positions for the tricky clauses, and generated games against the checker.

The rules file: environment variable CONQUEST2_RULES, else engine/data/conquest2.toml of the repository.
"""

import io
import contextlib
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import board as boards
import conquest2
import differential
import records
from battle import CAV, GALLEY, INF, LAND_POOL, Army
from game import Game

RULES = os.environ.get("CONQUEST2_RULES") or conquest2.DEFAULT_RULES
if not os.path.exists(RULES):
    raise unittest.SkipTest("no rules file: set CONQUEST2_RULES")
CFG = boards.load(RULES)
BOARD = boards.Board(CFG)


class Position:
    """A game in mid-season with an empty board: seats in turn order, alternating A and B unless given."""

    def __init__(self, seats, alliance=None, board=BOARD, readings=None):
        self.g = g = Game(board, seats, readings)
        g.order = list(range(seats))
        g.alliance = list(alliance or "ABABAB"[:seats])
        g.ally = list(g.alliance)
        g.money = [100] * seats

    def land(self, province, player, *units):
        units = list(units) + [0] * (5 - len(units))
        for unit, k in enumerate(units):
            self.g.land[BOARD.pid[province]][player][unit] += k
            self.g.pool[player][LAND_POOL[unit]] -= k
        return self

    def sea(self, zone, player, galleys):
        self.g.sea[BOARD.zid[zone]][player] += galleys
        self.g.pool[player][GALLEY] -= galleys
        return self

    def influence(self, province, player, number):
        self.g.gain_influence(player, BOARD.pid[province], number)
        return self

    def city(self, province, player):
        self.g.city[BOARD.pid[province]] = player
        return self

    def card(self, player, *cards):
        self.g.cards[player] += cards
        return self

    def at(self, province, player):
        return self.g.land[BOARD.pid[province]][player]

    def galleys(self, zone, player):
        return self.g.sea[BOARD.zid[zone]][player]


def count(lo, hi):
    return ["count %d" % k for k in range(lo, hi + 1)]


class Script(unittest.TestCase):
    def play(self, generator, *script):
        """Steps: (player, options or None, answer) for a ply, (kind, who, dist or None, value) for a chance event."""
        steps = list(script)
        try:
            request = next(generator)
            while True:
                self.assertTrue(steps, "unexpected request %r" % (request,))
                step = steps.pop(0)
                if request[0] == "ply":
                    self.assertEqual(len(step), 3, "got %r for step %r" % (request, step))
                    player, options, answer = step
                    self.assertEqual(request[1], player, request)
                    if options is not None:
                        self.assertEqual(sorted(request[2]), sorted(options))
                    self.assertIn(answer, request[2])
                else:
                    self.assertEqual(len(step), 4, "got %r for step %r" % (request, step))
                    kind, who, dist, answer = step
                    self.assertEqual(request[1:3], (kind, who), request)
                    if dist is not None:
                        self.assertEqual(request[3], dist)
                request = generator.send(answer)
        except StopIteration:
            pass
        self.assertEqual(steps, [], "steps that never came")


def dice(who, *faces):
    return ("dice", who, len(faces), list(faces))


BLANK3 = ("blank",) * 3
BLANK4 = ("blank",) * 4


class Auctions(Script):
    def start(self, seats, first=0):
        g = Game(BOARD, seats)
        g.first = first
        return g

    def test_two_players(self):
        g = self.start(2)
        self.play(
            g.auctions(0),
            # the opener's `bid` is forced
            (0, ["propose 0 1", "propose 1 0"], "propose 1 0"),
            (0, ["amount %d" % k for k in range(0, 81, 5)], "amount 75"),
            (1, ["pass", "bid"], "bid"),
            (1, None, "propose 0 1"),          # `amount 80` is forced
            # player 0 cannot raise: `pass` is forced
        )
        self.assertEqual((g.order, g.alliance, g.money), ([0, 1], ["A", "B"], [80, 0]))

    def test_odd_number_and_come_back(self):
        g = self.start(3, first=2)
        self.play(
            g.auctions(0),
            (2, None, "propose 2 0"), (2, None, "amount 0"),
            (0, None, "pass"),
            (1, None, "bid"), (1, ["propose %d %d" % (a, b) for a in range(3) for b in range(3) if a != b], "propose 2 0"),
            (1, ["amount %d" % k for k in range(5, 81, 5)], "amount 5"),
            (2, None, "pass"),
            (0, ["pass", "bid"], "bid"),       # passed before, comes back
            (0, None, "propose 0 1"), (0, None, "amount 10"),
            (1, None, "pass"), (2, None, "pass"),
            # second auction: opened by seat 0 (next clockwise of the opener 2), one player left
            (0, ["propose 2 -", "propose - 2"], "propose - 2"), (0, None, "amount 5"),
            (1, None, "pass"), (2, None, "pass"),
        )
        self.assertEqual((g.order, g.alliance), ([0, 1, 2], ["A", "B", "B"]))
        self.assertEqual(g.money, [65, 80, 80])

    def test_later_season_opener(self):
        g = self.start(2)
        g.order, g.alliance = [1, 0], ["A", "B"]
        generator = g.auctions(1)
        self.assertEqual(next(generator)[1], 0)

    def test_largest_raise(self):
        board = boards.Board(boards.override(CFG, {"auction": {"largest_raise": 10}}))
        g = Game(board, 2)
        g.first = 0
        self.play(
            g.auctions(0),
            (0, None, "propose 0 1"), (0, None, "amount 30"), (1, None, "bid"), (1, None, "propose 0 1"),
            (1, ["amount 35", "amount 40"], "amount 35"), (0, None, "pass"))


class Moves(Script):
    def test_strait_blocked_by_enemy_galley_only(self):
        p = Position(4)
        p.land("neapolis", 0, 2, 0, 0, 1)
        g, neapolis, sicilia = p.g, BOARD.pid["neapolis"], BOARD.pid["sicilia"]
        self.assertIn(sicilia, g.destinations(neapolis, 0))
        p.sea("mare-tyrrhenum", 2, 1)            # an ally's
        self.assertIn(sicilia, g.destinations(neapolis, 0))
        p.sea("mare-tyrrhenum", 1, 1)
        self.assertNotIn(sicilia, g.destinations(neapolis, 0))
        # italia-corsica is closed in the board file
        self.assertNotIn(BOARD.pid["corsica"], g.destinations(neapolis, 0))

    def test_ends_at_enemy_military_not_at_leaders(self):
        p = Position(2)
        p.land("numidia", 0, 1, 0, 0, 1).land("caesariensis", 1, 0, 0, 0, 1)
        reach = {BOARD.provinces[d] for d in p.g.destinations(BOARD.pid["numidia"], 0)}
        self.assertIn("tingitana", reach)
        self.assertIn("hispania", reach)         # over the strait of Gibraltar
        p.land("caesariensis", 1, 1)
        reach = {BOARD.provinces[d] for d in p.g.destinations(BOARD.pid["numidia"], 0)}
        self.assertIn("caesariensis", reach)
        self.assertIn("tingitana", reach)        # the long way, over the strait
        p.land("hispania", 1, 1)
        reach = {BOARD.provinces[d] for d in p.g.destinations(BOARD.pid["numidia"], 0)}
        self.assertIn("hispania", reach)
        self.assertFalse({"tingitana", "baetica", "lusitania"} & reach)

    def test_start_with_enemies_does_not_stop(self):
        p = Position(2)
        p.land("numidia", 0, 1, 0, 0, 1).land("numidia", 1, 5)
        self.assertIn(BOARD.pid["egypt"], p.g.destinations(BOARD.pid["numidia"], 0))

    def test_sea_capacity_and_counts(self):
        p = Position(2)
        p.land("sardinia", 0, 6, 1, 0, 1, 1).sea("oceanus-britannicus", 0, 1)
        self.play(
            p.g.move(0),
            # britannia by sea only, germania, belgica, lugdunensis by sea; corsica by the strait; all by sea need galleys
            (0, ["to corsica", "to belgica", "to britannia", "to germania", "to lugdunensis"], "to britannia"),
            (0, count(0, 4), "count 3"), (0, count(0, 1), "count 1"),   # catapult: none; capacity used up
            (0, count(0, 1), "count 0"), (0, count(0, 1), "count 1"),
            (0, None, "to corsica"),             # board order: corsica is after britannia
            (0, count(0, 3), "count 0"), # general must go: the last count that can be positive has lo 1 -> forced
            # nothing later than corsica but germania, lugdunensis
            (0, ["to germania", "to lugdunensis", "done"], "done"),
        )
        self.assertEqual(p.at("britannia", 0), [3, 1, 0, 0, 1])
        self.assertEqual(p.at("corsica", 0), [0, 0, 0, 1, 0])
        self.assertEqual(p.at("sardinia", 0), [3, 0, 0, 0, 0])

    def test_not_coastal_start(self):
        p = Position(2)
        p.land("mesopotamia", 0, 1, 0, 0, 1).land("syria", 0, 1, 0, 0, 1).sea("mare-narbo", 0, 2)
        self.assertNotIn(BOARD.pid["baleares"], p.g.destinations(BOARD.pid["mesopotamia"], 0))
        self.assertEqual(p.g.destinations(BOARD.pid["syria"], 0)[BOARD.pid["baleares"]], 8)
        self.assertIsNone(p.g.destinations(BOARD.pid["syria"], 0)[BOARD.pid["italia"]])

    def test_city_taken_on_arrival_only(self):
        p = Position(4)
        p.land("africa", 0, 1, 0, 0, 1).city("numidia", 2).land("numidia", 1, 3)
        p.city("caesariensis", 1)
        self.play(
            p.g.move(0), (0, None, "to numidia"), (0, count(0, 1), "count 1"), (0, count(0, 1), "count 0"),
            (0, None, "done"))
        self.assertEqual(p.g.city[BOARD.pid["numidia"]], 0)      # an ally's city, third player's units there
        self.assertEqual(p.g.city[BOARD.pid["caesariensis"]], 1)

    def test_city_kept_by_a_leader(self):
        p = Position(2)
        p.land("africa", 0, 0, 0, 0, 1).city("numidia", 1).land("numidia", 1, 0, 0, 0, 1)
        self.play(p.g.move(0), (0, None, "to numidia"))          # one general: all the rest is forced
        self.assertEqual(p.g.city[BOARD.pid["numidia"]], 1)


class Battles(Script):
    def test_simultaneous_round_losses_and_retreat_order(self):
        p = Position(2)
        p.land("galatia", 0, 2, 1, 0, 1).land("galatia", 1, 2)
        self.play(
            p.g.battle(0),
            dice("attacker", "infantry", "blank", "catapult", "galley"),
            dice("defender", "infantry", "infantry", "infantry"),
            # the attacker loses 2 of 3 (infantry 2, cavalry 1), the defender 1 of 2 (forced)
            (0, count(1, 2), "count 1"),
            (1, ["retreat asia", "retreat cappadocia", "retreat cilicia", "retreat pontus-bithynia", "stay"], "stay"),
            (0, None, "retreat asia"),
        )
        self.assertEqual(p.at("galatia", 1), [1, 0, 0, 0, 0])
        self.assertEqual(p.at("asia", 0), [1, 0, 0, 1, 0])
        self.assertEqual(p.g.chaos, [2, 0])

    def test_both_gone(self):
        p = Position(2)
        p.land("galatia", 0, 1, 0, 0, 1).land("galatia", 1, 1, 0, 0, 1)
        self.play(
            p.g.battle(0),
            dice("attacker", "infantry", *BLANK3), dice("defender", "infantry", *BLANK3),
            (0, None, "withdraw asia"), (1, None, "withdraw cilicia"))
        self.assertEqual(p.g.chaos, [2, 2])

    def test_city_defender_rolls_first(self):
        p = Position(2)
        p.land("galatia", 0, 1).land("galatia", 1, 1).city("galatia", 1)
        self.play(
            p.g.battle(0),
            dice("defender", "infantry", *BLANK3),               # 3 + the city die
            dice("attacker", "infantry", "infantry", "infantry"),  # no unit left: rolls, scores nothing
        )
        self.assertEqual((p.at("galatia", 1)[INF], p.at("galatia", 0)[INF]), (1, 0))
        self.assertEqual((p.g.chaos, p.g.city[BOARD.pid["galatia"]]), ([2, 0], 1))

    def test_city_changes_hands(self):
        p = Position(2)
        p.land("galatia", 0, 2).land("galatia", 1, 1).city("galatia", 1)
        self.play(p.g.battle(0), dice("defender", "infantry", *BLANK3), dice("attacker", "infantry", "blank", "blank"))
        self.assertEqual((p.g.chaos, p.g.city[BOARD.pid["galatia"]]), ([0, 2], 0))

    def test_city_taken_and_leader_withdraws(self):
        p = Position(2)
        p.land("galatia", 0, 2).land("galatia", 1, 1, 0, 0, 1).city("galatia", 1)
        self.play(
            p.g.battle(0), dice("defender", "infantry", *BLANK4), dice("attacker", "infantry", "blank", "blank"),
            (1, None, "withdraw asia"))
        self.assertEqual(p.g.city[BOARD.pid["galatia"]], 0)

    def test_leaders_only(self):
        p = Position(2)
        p.land("galatia", 0, 1).land("galatia", 1, 0, 0, 0, 1, 1).city("galatia", 1)
        self.play(p.g.battle(0), (1, None, "withdraw cappadocia"))
        self.assertEqual(p.at("cappadocia", 1), [0, 0, 0, 1, 1])
        self.assertEqual((p.g.city[BOARD.pid["galatia"]], p.g.chaos), (0, [0, 0]))

    def test_leaders_only_without_a_way_out(self):
        p = Position(2)
        p.land("baleares", 0, 1).land("baleares", 1, 0, 0, 0, 1)
        self.play(p.g.battle(0))
        self.assertEqual(p.at("baleares", 1), [0, 0, 0, 1, 0])

    def test_lending_galleys_diplomacy_and_loss_order(self):
        p = Position(4)                                          # A: 0, 2; B: 1, 3
        p.g.order = [1, 3, 2, 0]
        p.land("egypt", 0, 1).land("egypt", 1, 3).land("egypt", 2, 2, 0, 0, 1).land("egypt", 3, 0, 1)
        p.sea("mare-alexandria", 0, 1).sea("mare-pelusium", 2, 1).sea("mare-pelusium", 0, 1)
        p.card(0, "diplomacy-egypt", "army-training", "army-training").card(2, "army-training")
        self.play(
            p.g.battle(0),
            (0, ["against 1", "against 3"], "against 1"),
            (0, count(0, 1), "count 1"), (0, count(0, 1), "count 1"),   # alexandria, pelusium
            # the defender has no galleys; lending in turn order: 3 (defender's side), then 2 (attacker's)
            (3, count(0, 1), "count 1"),
            (2, count(0, 2), "count 2"), (2, count(0, 1), "count 1"),
            # attacker: 3 + the ally's leader + 2 own trainings
            dice("attacker", "galley", "galley", "galley", "galley", "galley", "galley"),
            dice("defender", "infantry", "infantry", "cavalry"),
            # army of 0: Diplomacy 2 inf 1 cav 1 galley, own 1 inf 2 galleys, lent 2 inf 1 galley = 10; 3 losses
            (0, count(0, 2), "count 0"), (0, count(0, 1), "count 0"), (0, count(0, 1), "count 0"),
            (0, count(0, 1), "count 0"), (0, count(0, 2), "count 1"),
            (0, count(1, 2), "count 2"),                         # lent infantry; the lent galley could take only 1
            # 4 galley hits (3 own or lent + 1 Diplomacy) kill the army of 4: 3 own infantry, 1 lent cavalry
        )
        self.assertEqual(p.galleys("mare-alexandria", 0), 0)     # the first zone in board order lost one
        self.assertEqual(p.galleys("mare-pelusium", 0), 1)
        self.assertEqual(p.galleys("mare-pelusium", 2), 1)
        self.assertEqual(p.at("egypt", 2), [0, 0, 0, 1, 0])
        self.assertEqual((p.at("egypt", 1), p.at("egypt", 3)), ([0] * 5, [0] * 5))
        self.assertEqual(p.g.chaos, [0, 2, 0, 0])

    def test_hits_limited_by_units_of_the_type(self):
        g = Position(2).g
        army = Army(0, "attacker")
        army.add(0, INF, 1)
        army.add(1, INF, 1)
        army.add(0, CAV, 1)
        self.assertEqual(g.hits(army, ["infantry"] * 3 + ["cavalry", "cavalry", "catapult", "blank"]), 3)

    def test_no_own_land_unit_cannot_retreat(self):
        p = Position(3, "ABA")
        p.land("galatia", 0, 1).land("galatia", 1, 2).land("galatia", 2, 1)
        self.play(
            p.g.battle(0),
            (2, count(0, 1), "count 1"),
            dice("attacker", *BLANK3), dice("defender", "infantry", "blank", "blank"),
            (0, count(0, 1), "count 1"),
            (1, None, "stay"),                                   # then 0 has nobody of his own: not asked
            dice("attacker", "infantry", "infantry", "blank"), dice("defender", *BLANK3),
            (1, None, "stay"),
            dice("attacker", "infantry", "infantry", "blank"), dice("defender", *BLANK3))
        self.assertEqual(p.g.chaos, [0, 2, 0])
        self.assertEqual(p.at("galatia", 2)[INF], 1)

    def test_round_limit(self):
        board = boards.Board(boards.override(CFG, {"battle": {"max_rounds": 2}}))
        p = Position(2, board=board)
        p.land("galatia", 0, 1).land("galatia", 1, 1)
        rolls = (dice("attacker", *BLANK3), dice("defender", *BLANK3), (1, None, "stay"), (0, None, "stay"))
        self.play(p.g.battle(0), *(rolls + rolls))
        self.assertEqual(p.g.chaos, [0, 0])

    def test_retreat_over_strait_and_committed_galley(self):
        for blocks in (False, True):
            p = Position(2, readings={"committed-galleys-block": blocks})
            p.land("neapolis", 0, 2).land("neapolis", 1, 2).sea("mare-tyrrhenum", 0, 1)
            steps = [(0, count(0, 1), "count 1"), dice("attacker", *BLANK3), dice("defender", *BLANK3)]
            options = ["retreat italia", "stay"] if blocks else ["retreat italia", "retreat sicilia", "stay"]
            self.play(p.g.battle(0), *steps, (1, options, "retreat italia"))
            self.assertEqual(p.galleys("mare-tyrrhenum", 0), 1)

    def test_retreat_not_to_enemies(self):
        p = Position(2)
        p.land("neapolis", 0, 2).land("neapolis", 1, 2).land("italia", 0, 1).sea("mare-tyrrhenum", 0, 1)
        self.play(
            p.g.battle(0), (0, None, "count 0"), dice("attacker", *BLANK3), dice("defender", *BLANK3),
            # the defender: italia is held, the strait is blocked by the uncommitted galley: not asked
            (0, ["retreat italia", "retreat sicilia", "stay"], "retreat sicilia"))


class SlaveRevolt(Script):
    def test_order_of_defenders(self):
        p = Position(3, "AAB")
        p.land("galatia", 0, 1).land("galatia", 1, 1).land("galatia", 2, 1)
        self.play(
            p.g.slave_revolt(0, BOARD.pid["galatia"]),
            (0, ["target 1", "target 2"], "target 1"),
            (0, count(0, 1), "count 0"),                         # the card's player may lend to his ally
            dice("attacker", "infantry", "blank", "blank"), dice("defender", "infantry", "blank", "blank"),
            # the slaves go on with 3; 2 is forced, then 0 is forced
            dice("attacker", "infantry", "blank", "blank"), dice("defender", "infantry", "blank", "blank"),
            dice("attacker", *BLANK3), dice("defender", *BLANK3),
            (0, None, "retreat asia"),
        )
        self.assertEqual(p.g.chaos, [2, 2, 2])
        self.assertEqual(p.at("asia", 0)[INF], 1)

    def test_city_first_roll_and_owner_stays(self):
        p = Position(2)
        p.land("galatia", 1, 1, 0, 0, 1).city("galatia", 1)
        self.play(
            p.g.slave_revolt(0, BOARD.pid["galatia"]),
            dice("defender", "infantry", *BLANK4),
            dice("attacker", "infantry", "infantry", "infantry"),
            (1, None, "withdraw asia"))
        self.assertEqual((p.g.city[BOARD.pid["galatia"]], p.g.chaos), (1, [0, 2]))

    def test_slaves_die(self):
        p = Position(3)
        p.land("galatia", 1, 5).land("galatia", 2, 5)
        self.play(
            p.g.slave_revolt(0, BOARD.pid["galatia"]),
            (0, ["target 1", "target 2"], "target 2"),
            dice("attacker", "infantry", "infantry", "infantry"), dice("defender", "infantry", "infantry", "infantry"),
            (2, None, "stay"),
            dice("attacker", "infantry", "infantry", "infantry"), dice("defender", "infantry", "infantry", "infantry"))
        self.assertEqual((p.at("galatia", 1)[INF], p.at("galatia", 2)[INF]), (5, 1))
        self.assertEqual(p.g.chaos, [0, 0, 0])


class Sail(Script):
    def test_must_move_or_fight(self):
        p = Position(2)
        p.sea("mare-narbo", 0, 1).sea("mare-numidia", 0, 1).sea("mare-tyrrhenum", 1, 2)
        self.play(
            p.g.sail(0), (0, None, "to mare-tyrrhenum"),
            (0, count(0, 1), "count 0"),                         # then the last zone must give its galley
            (0, ["attack 1", "no-attack"], "attack 1"),
            dice("attacker", "galley"), dice("defender", "galley", "galley"))
        self.assertEqual(p.g.chaos, [2, 0])
        self.assertEqual(p.galleys("mare-tyrrhenum", 1), 1)

    def test_fight_without_moving_and_favorable_wind(self):
        p = Position(2)
        p.sea("mare-narbo", 0, 1).sea("mare-numidia", 0, 1).sea("mare-narbo", 1, 1).card(1, "favorable-wind")
        self.play(
            p.g.sail(0), (0, None, "to mare-narbo"), (0, count(0, 1), "count 0"),   # `attack 1` is forced
            (1, ["wind yes", "wind no"], "wind yes"))
        self.assertEqual(p.g.chaos, [0, 0])

    def test_zone_without_effect_is_not_offered(self):
        p = Position(2)
        p.sea("mare-narbo", 0, 2)
        self.assertNotIn(BOARD.zid["mare-narbo"], p.g.sail_zones(0))
        p.sea("mare-narbo", 1, 1)
        self.assertIn(BOARD.zid["mare-narbo"], p.g.sail_zones(0))

    def test_pirates_lending_three_rounds(self):
        p = Position(4)
        p.sea("mare-narbo", 0, 1).sea("mare-narbo", 1, 2).sea("mare-narbo", 2, 1).sea("mare-narbo", 3, 1)
        p.card(0, "diplomacy-pirates", "naval-training")
        blank = lambda k: ["blank"] * k
        self.play(
            p.g.sail(0), (0, ["to " + z for z in BOARD.zones], "to mare-narbo"),
            (0, ["attack 1", "attack 3"], "attack 1"),
            (2, count(0, 1), "count 1"), (3, count(0, 1), "count 1"),
            dice("attacker", *blank(5)), dice("defender", "galley", "galley", "blank"),
            (0, count(0, 2), "count 0"),                         # Pirates kept: the own and the lent galley are forced
            dice("attacker", *blank(3)), dice("defender", *blank(3)),
            dice("attacker", *blank(3)), dice("defender", *blank(3)))
        self.assertEqual((p.galleys("mare-narbo", 0), p.galleys("mare-narbo", 2)), (0, 0))
        self.assertEqual(p.g.chaos, [0] * 4)                     # the Pirates were afloat


class Cards(Script):
    def test_vote_order_and_rome(self):
        p = Position(3)
        p.g.senators = [[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
        p.influence("italia", 2, 1).card(0, "vote-influence-in-rome")
        self.play(
            p.g.vote(0, "influence-in-rome"),
            (0, ["show 0 1 0 0", "show 1 0 0 0", "show 1 1 0 0", "pass"], "pass"),
            (1, ["show 0 0 1 0", "pass"], "show 0 0 1 0"),
            (2, ["show 0 0 0 1", "show 1 0 0 1", "pass"], "pass"),
            # 0 has 3 in all, not above 3: forced pass
            ("senator", None, {3: 1}, 3))
        # the benefit came first: 1 has now 2 of 3 and takes the card back
        self.assertEqual(p.g.infl[BOARD.capital], [0, 2, 1])
        self.assertEqual(p.g.senators, [[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]])

    def test_vote_nobody(self):
        p = Position(2)
        p.g.senators = [[0] * 4, [1, 0, 0, 0]]
        self.play(p.g.vote(0, "hail-caesar"), (1, ["show 1 0 0 0", "pass"], "pass"))
        self.assertEqual(p.g.vp, [0, 0])

    def test_vote_tie_in_rome_has_no_draw(self):
        p = Position(2)
        p.g.senators = [[1, 0, 0, 0], [0] * 4]
        p.influence("italia", 0, 1).influence("italia", 1, 1)
        self.play(p.g.vote(0, "hail-caesar"), (0, None, "show 1 0 0 0"))
        self.assertEqual((p.g.vp, p.g.senators), ([15, 0], [[0] * 4, [0] * 4]))

    def test_politician_needs_key_province_and_supply(self):
        p = Position(2)
        p.g.display.clear()
        p.g.display.update({"politician": 1})
        p.land("africa", 0, 0, 0, 0, 0, 1)
        self.assertEqual(p.g.takeable(0), [])
        p.land("egypt", 1, 0, 0, 0, 0, 1)
        self.assertEqual(p.g.takeable(1), ["politician"])
        p.g.supply[1] = 0
        self.assertEqual(p.g.takeable(1), [])

    def test_barbarians(self):
        p = Position(2)
        p.land("macedonia", 0, 3, 2, 1, 1).city("moesia", 1)
        p.g.display.update({"barbarians-moesia": 1})
        p.g.pool[0][INF] = 2
        self.play(
            p.g.immediate(0, "barbarians-moesia"),
            (0, count(1, 3), "count 1"), (0, count(0, 1), "count 0"))
        # 3 infantry 2 cavalry 1 catapult: infantry 1 forces cavalry 2, catapult 1; then the general is asked
        self.assertEqual(p.at("moesia", 0), [3, 3, 1, 0, 0])
        self.assertEqual(p.g.city[BOARD.pid["moesia"]], 0)

    def test_barbarians_need_four(self):
        p = Position(2)
        p.land("macedonia", 0, 3, 0, 0, 1)
        self.assertFalse(p.g.usable_now(0, "barbarians-moesia"))
        p.land("macedonia", 0, 1)
        self.assertTrue(p.g.usable_now(0, "barbarians-moesia"))

    def test_fleet_from_another_zone(self):
        p = Position(2)
        p.sea("mare-aegaeum", 0, 2)
        self.assertFalse(p.g.usable_now(0, "fleet-aegaeum"))
        p.sea("mare-narbo", 0, 5)
        self.play(p.g.immediate(0, "fleet-aegaeum"))
        self.assertEqual((p.galleys("mare-aegaeum", 0), p.galleys("mare-narbo", 0)), (4, 4))   # the pool had one

    def test_two_equal_merchants(self):
        p = Position(2)
        p.influence("italia", 0, 2).card(0, "merchant-italia", "merchant-italia")
        self.assertEqual(p.g.uses(0), ["merchant italia"])
        self.play(p.g.use(0))
        self.assertEqual(p.g.uses(0), ["merchant italia"])
        self.play(p.g.use(0))
        self.assertEqual((p.g.uses(0), p.g.money[0]), ([], 120))

    def test_buy_two_with_caesar(self):
        p = Position(4)
        p.land("egypt", 0, 0, 0, 0, 0, 1).influence("egypt", 1, 1).influence("egypt", 2, 1).influence("egypt", 3, 2)
        p.land("egypt", 3, 1)
        p.g.tokens[BOARD.pid["egypt"]] = 1
        self.play(p.g.buy(0), (0, ["source token", "source 1"], "source token"), (0, ["source 1", "stop"], "source 1"))
        self.assertEqual(p.g.infl[BOARD.pid["egypt"]], [2, 0, 1, 2])
        self.assertEqual((p.g.money[0], p.g.supply[0], p.g.supply[1]), (80, 16, 18))

    def test_buy_second_only_later_in_order(self):
        p = Position(2)
        p.land("egypt", 0, 0, 0, 0, 0, 1).influence("egypt", 1, 1)
        p.g.tokens[BOARD.pid["egypt"]] = 1
        self.play(p.g.buy(0), (0, ["source token", "source 1"], "source 1"))       # then only `stop`

    def test_recruit_must_come_to_one(self):
        p = Position(2)
        p.land("egypt", 0, 0, 0, 0, 1).influence("egypt", 0, 1)
        p.g.money[0] = 15
        p.g.pool[0][CAV] = 0
        self.play(
            p.g.recruit(0),
            (0, count(0, 3), "count 0"), (0, count(0, 1), "count 0"), (0, count(0, 1), "count 0"))
        self.assertEqual(p.galleys("mare-pelusium", 0), 1)
        self.assertEqual((p.g.money[0], p.g.chaos[0]), (0, 2))


class TurnsAndScoring(Script):
    def test_turn_ends_by_itself_or_by_end(self):
        p = Position(2)
        p.card(0, "loot")
        self.play(
            p.g.turn(0),
            (0, ["pass", "tax", "take", "use"], "pass"), (0, None, "pass"), (0, ["use", "end"], "use"))
        self.assertEqual((p.g.money[0], p.g.chaos[0]), (150, 5))
        self.play(p.g.turn(1), (1, None, "take"), (1, None, "card vote-new-legions"), (1, ["pass", "tax", "use"], "tax"),
                  (1, count(1, 5), "count 5"), (1, ["use", "end"], "end"))
        self.assertEqual((p.g.money[1], p.g.chaos[1]), (110, 5))

    def test_start_counts(self):
        p = Position(2)
        p.influence("egypt", 0, 2).influence("numidia", 0, 1)
        self.play(
            p.g.place_start(0),
            (0, ["place caesar egypt", "place caesar numidia"], "place caesar egypt"),
            (0, None, "place general numidia"),
            (0, ["place galley " + z for z in ("mare-alexandria", "mare-pelusium", "mare-numidia", "mare-sabrata")],
             "place galley mare-numidia"),
            (0, count(0, 8), "count 8"), (0, count(0, 2), "count 0"), (0, count(0, 1), "count 1"))
        self.assertEqual((p.at("egypt", 0), p.at("numidia", 0)), ([8, 0, 1, 0, 1], [0, 2, 0, 1, 0]))

    def test_start_without_coast(self):
        p = Position(2)
        p.influence("mesopotamia", 0, 4)
        self.play(p.g.place_start(0))
        self.assertEqual((p.at("mesopotamia", 0), p.g.pool[0][GALLEY]), ([8, 2, 1, 1, 1], 8))

    def test_scoring_ties_and_chaos(self):
        p = Position(4)
        p.influence("neapolis", 0, 3).influence("neapolis", 1, 3).influence("neapolis", 2, 2).influence("neapolis", 3, 1)
        p.city("egypt", 0)
        p.g.chaos = [5, 2, 0, 1]
        p.g.scoring()
        self.assertEqual(p.g.vp, [15 - 10, 15 - 10, 5, -5])
        self.assertEqual(p.g.chaos, [2, 2, 0, 1])

    def test_taxes(self):
        p = Position(2)
        p.influence("egypt", 0, 2).influence("asia", 0, 1).influence("egypt", 1, 1).city("egypt", 0)
        p.g.taxes()
        self.assertEqual(p.g.money, [125, 105])

    def test_winners(self):
        p = Position(3)
        p.g.vp = [10, 10, 10]
        p.influence("egypt", 0, 2).influence("egypt", 2, 1).influence("asia", 2, 1)
        self.assertEqual(p.g.winners(), [0, 2])


class Switches(Script):
    """The other side of every switch of the configuration, and numbers that change the plies."""

    def position(self, seats, rules, alliance=None):
        return Position(seats, alliance, boards.Board(boards.override(CFG, rules)))

    def test_untaken_cards_leave_but_votes_and_diplomacy_do_not(self):
        p = self.position(2, {"options": {"untaken_cards_stay": False}})
        p.g.display.update({"loot": 2, "diplomacy-egypt": 1, "senator-4": 1})
        p.card(0, "diplomacy-numidia", "assassin")
        p.g.season_end()
        self.assertEqual(sorted(p.g.display.elements()), ["diplomacy-numidia"] + sorted("vote-" + v for v in boards.VOTES))
        self.assertEqual(p.g.cards[0], ["assassin"])

    def test_points_stop_at_zero(self):
        p = self.position(3, {"options": {"vp_below_zero": False}})
        p.g.chaos, p.g.vp = [4, 4, 1], [3, 30, 0]
        p.g.scoring()
        self.assertEqual(p.g.vp, [0, 20, 0])

    def test_senators_on_top(self):
        g = self.position(3, {"start": {"senators_from_deck": False}}).g
        self.assertEqual((g.deck["senator-1"], g.deck["senator-4"], g.senators[2]), (8, 4, [1, 1, 1, 0]))
        self.assertEqual(Position(3).g.deck["senator-1"], 5)

    def test_allied_players_do_not_bid(self):
        g = self.position(4, {"auction": {"allied_may_bid": False}}).g
        g.first, g.money = 3, [10] * 4
        self.play(
            g.auctions(0), (3, None, "propose 0 1"), (3, None, "amount 10"),
            # the second opening is seat 0's, who is allied: seat 2 opens, and only 3 could raise
            (2, ["propose 2 3", "propose 3 2"], "propose 3 2"), (2, None, "amount 10"))
        self.assertEqual((g.order, g.money), ([0, 1, 3, 2], [10, 10, 0, 0]))
        g = self.position(3, {"auction": {"allied_may_bid": False}}).g
        g.first, g.money = 2, [80] * 3
        self.play(
            g.auctions(0), (2, None, "propose 0 1"), (2, None, "amount 80"),
            # one player is left: all may bid, the opening is seat 0's
            (0, ["propose 2 -", "propose - 2"], "propose 2 -"), (0, None, "amount 0"),
            (1, ["pass", "bid"], "pass"))
        self.assertEqual(g.ally, ["A", "B", "A"])

    def test_opening_passes_on_from_the_real_opener(self):
        board = boards.Board(boards.override(CFG, {"auction": {"allied_may_bid": False}}))
        for real, last in ((False, 2), (True, 5)):
            g = Game(board, 6, {"real-opener-counts": real})
            g.first, g.money = 0, [0] * 6
            generator = g.auctions(0)
            self.assertEqual(next(generator)[1], 0)
            self.assertEqual(generator.send("propose 1 3")[1], 2)        # in the place of 1
            self.assertEqual(generator.send("propose 0 4")[1], last)

    def test_relief_for_the_comparison_only(self):
        p = self.position(3, {"chaos": {"relief_is_permanent": False}}).city("egypt", 0)
        p.g.chaos = [6, 4, 1]
        p.g.scoring()
        self.assertEqual((p.g.vp, p.g.chaos), ([-5, -10, 0], [6, 4, 1]))

    def test_zero_is_second_most_or_most(self):
        p = self.position(3, {"chaos": {"zero_is_safe": False}})
        p.g.chaos = [2, 0, 0]
        p.g.scoring()
        self.assertEqual(p.g.vp, [-10, -5, -5])
        p.g.vp, p.g.chaos = [0] * 3, [0] * 3
        p.g.scoring()
        self.assertEqual(p.g.vp, [-10] * 3)

    def test_own_leaders_only(self):
        p = self.position(3, {"battle": {"any_leader_counts": False}}, "ABA")
        p.land("galatia", 0, 1).land("galatia", 1, 1, 0, 0, 1).land("galatia", 2, 0, 0, 0, 1)
        self.play(
            p.g.battle(0), dice("attacker", "infantry", "blank", "blank"), dice("defender", *BLANK4),
            (1, None, "withdraw asia"))

    def test_both_gone_and_neither_lost(self):
        p = self.position(2, {"battle": {"both_lose": False}})
        p.land("galatia", 0, 1, 0, 0, 1).land("galatia", 1, 1, 0, 0, 1)
        self.play(p.g.battle(0), dice("attacker", "infantry", *BLANK3), dice("defender", "infantry", *BLANK3))
        self.assertEqual((p.g.chaos, p.at("galatia", 0), p.at("galatia", 1)), ([0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 0]))
        p.sea("mare-narbo", 0, 1).sea("mare-narbo", 1, 1)
        self.play(p.g.naval_battle(0, 1, BOARD.zid["mare-narbo"]), dice("attacker", "galley"), dice("defender", "galley"))
        self.assertEqual(p.g.chaos, [0, 0])

    def test_merchant_for_nothing_and_city_by_influence(self):
        p = self.position(2, {"merchant": {"needs_influence": False}, "city": {"needs_unit": False}})
        p.card(0, "merchant-asia").influence("numidia", 1, 1)
        self.assertEqual(p.g.uses(0), ["merchant asia"])
        self.assertEqual((p.g.city_sites(0, "city-egypt-numidia"), p.g.city_sites(1, "city-egypt-numidia")),
                         ([], [BOARD.pid["numidia"]]))

    def test_new_legions_in_board_order_and_a_capital_that_is_no_key_province(self):
        p = self.position(2, {"vote": {"new_legions_in": ["neapolis", "africa"], "capital": "africa", "new_legions": 3}})
        self.play(p.g.benefit(0, "new-legions"), (0, ["in africa", "in neapolis"], "in africa"))
        self.assertEqual(p.at("africa", 0)[INF], 3)
        self.play(p.g.benefit(0, "influence-in-rome"))
        self.assertEqual((p.g.infl[BOARD.pid["africa"]], p.g.supply[0]), ([0, 0], 18))

    def test_buy_three_or_none(self):
        p = self.position(2, {"buy": {"with_general": 3, "with_caesar": 0}})
        p.land("egypt", 0, 0, 0, 0, 1).g.tokens[BOARD.pid["egypt"]] = 5
        self.play(p.g.buy(0), (0, ["source token", "stop"], "source token"), (0, ["source token", "stop"], "source token"))
        self.assertEqual(p.g.tokens[BOARD.pid["egypt"]], 2)
        p.land("egypt", 0, 0, 0, 0, 0, 1)
        self.assertEqual(p.g.buy_places(0), [])

    def test_barbarians_by_sea_need_room(self):
        p = self.position(2, {"barbarians": {"units": 5}, "strait": {"channel": {"open": False}}})
        p.land("italia", 0, 5, 0, 0, 1).sea("oceanus-britannicus", 0, 1)
        self.assertFalse(p.g.usable_now(0, "barbarians-britannia"))
        p.sea("oceanus-britannicus", 0, 1)
        self.assertTrue(p.g.usable_now(0, "barbarians-britannia"))

    def test_no_room_on_galleys_is_room_for_leaders(self):
        p = self.position(2, {"move": {"galley_capacity": 0}})
        p.land("sicilia", 0, 2, 0, 0, 1).sea("mare-narbo", 0, 1).sea("mare-tyrrhenum", 1, 1)
        self.play(p.g.move(0), (0, None, "to baleares"))         # the general alone; then nothing can follow
        self.assertEqual((p.at("baleares", 0), p.at("sicilia", 0)), ([0, 0, 0, 1, 0], [2, 0, 0, 0, 0]))


class Differential(unittest.TestCase):
    def test_every_key_is_overridden(self):
        self.assertEqual(differential.coverage(), [])
        for rules in differential.OVERRIDES:
            boards.Board(boards.override(CFG, rules))

    def test_settings(self):
        rules = {"options": {"seasons": 5}, "province": {"egypt": {"vp": [20, 10]}}, "strait": {"messina": {"open": False}},
                 "vote": {"capital": "egypt"}}
        self.assertEqual(list(differential.settings(rules)), [
            "options.seasons=5", "province.egypt.vp=[20, 10]", "strait.messina.open=false", 'vote.capital="egypt"'])


class Overrides(unittest.TestCase):
    def test_nested(self):
        a = boards.override(CFG, {"cards": {"loot": {"cost": 5}}, "options": {"seasons": 5}, "province": {"egypt": {"vp": [1]}}})
        self.assertEqual((a["cards"]["loot"], a["options"]["seasons"]), ({"count": 1, "cost": 5}, 5))
        self.assertEqual((a["province"]["egypt"]["vp"], a["province"]["egypt"]["tokens"]), ([1], 7))
        self.assertEqual(CFG["options"]["seasons"], 4)
        c = boards.override(CFG, {"strait": {"messina": {"open": False}}, "diplomacy": {"numidia": {"galley": 1}}})
        self.assertFalse(c["strait"]["messina"]["open"])
        self.assertEqual(c["diplomacy"]["numidia"], {"infantry": 4, "cavalry": 0, "catapult": 0, "galley": 1})

    def test_refused(self):
        for rules in ({"options.seasons": 5}, {"card": {"loot": {"cost": 1}}}, {"cards": {"joker": {"cost": 1}}},
                      {"options": {"seasons": "5"}}, {"strait": {"messina": {"open": 1}}}, {"province": []},
                      {"province": {"atlantis": {"vp": [1]}}}, {"province": {"egypt": {"land": []}}}, {"loot": 3},
                      {"options": {"seasons": {"x": 1}}}, {"options": {"max_raise": 5}}, {"start": {"senators": [1]}},
                      {"die": {"faces": ["knight"]}}, {"vote": {"capital": "rome"}}, {"pools": {"infantry": 7}}):
            with self.assertRaises(boards.ConfigError, msg=rules):
                boards.Board(boards.override(CFG, rules))


class Treatments(unittest.TestCase):
    """What a header's rules do to a game from outside."""

    CFG = boards.load(conquest2.DEFAULT_RULES)

    def first_choice(self, rules, season):
        """The game when the first choice of a season is due, under one seed of chance."""
        kind = conquest2.Conquest2(self.CFG)
        game = kind.game(kind.board(rules), 4)
        rng, run, answer = random.Random(5), game.run(), None
        while True:
            request = run.send(answer)
            if request[0] == "chance":
                dist = request[3]
                answer = rng.choices(list(dist), list(dist.values()))[0] if isinstance(dist, dict) else ["blank"] * dist
            elif request[0] == "ply":
                if game.completed + 1 == season:
                    return game
                answer = request[2][0] if "pass" not in request[2] else "pass"
            else:
                answer = None

    def changes(self, rules):
        mine, theirs = self.first_choice({}, 1).state(), self.first_choice(rules, 1).state()
        return records.difference(theirs, mine)

    def test_a_gift_changes_what_it_names(self):
        gift = lambda what: {"gift": {"s1": {"seat1": what}}}
        self.assertEqual(self.changes(gift({"talents": 20})), ".players[1].money: should be 100, is 80".lstrip("."))
        self.assertEqual(self.changes(gift({"vp": -5})), "players[1].vp: should be -5, is 0")
        self.assertEqual(self.changes(gift({"chaos": 4})), "players[1].chaos: should be 4, is 0")
        self.assertEqual(self.changes(gift({"city": {"egypt": True}})), ".cities.egypt: missing, should be 1")
        self.assertIn("players[1].cards", self.changes(gift({"card": {"loot": 1}})))
        self.assertEqual(self.changes(gift({"card": {"politician": 1}})), None)
        self.assertEqual(self.changes(gift({"talents": 0})), None)
        self.assertEqual(self.changes({"gift": {"s2": {"seat1": {"talents": 20}}}}), None)

    def test_a_forced_order_needs_no_auction(self):
        game = self.first_choice({"forced": {"s1": {"order": [3, 1, 0, 2]}}}, 1)
        self.assertEqual((game.order, game.alliance), ([3, 1, 0, 2], list("ABAB")))
        self.assertTrue(game.allied(3, 0))

    def test_what_is_no_treatment_is_refused(self):
        for rules in ({"gift": {"s1": {"seat1": {"talent": 5}}}}, {"gift": {"x1": {"seat1": {"talents": 5}}}},
                      {"gift": {"s1": {"seat1": {"card": {"lot": 1}}}}}, {"ban": {"deck": {"lot": True}}},
                      {"gift": {"s1": {"seat1": {"influence": {"germania": 1}}}}}, {"forced": {"s1": {"turn": 1}}},
                      {"ban": {"always": {"seat1": {"action": {"pass": True}}}}}):
            with self.assertRaises(boards.ConfigError):
                conquest2.Conquest2(self.CFG).board(rules)

    def test_treated_games_of_random_players_pass(self):
        for rules in differential.OVERRIDES:
            if set(rules) & {"gift", "ban", "null", "deal", "forced"}:
                lines = list(conquest2.generate(self.CFG, 3, "treated", 0, rules, eager=True))
                referee = conquest2.referee(self.CFG)
                referee.check(lines)
                self.assertEqual(referee.faults, [], rules)


class Records(unittest.TestCase):
    def faults(self, lines, **options):
        return conquest2.referee(CFG, **options).check(lines)

    def test_generated_games_pass(self):
        for seats in range(2, 7):
            for index in range(4):
                lines = list(conquest2.generate(
                    CFG, seats, "test", index, watch=lambda game, request: game.check_invariants(), eager=index % 2 == 1))
                self.assertEqual(self.faults(lines), [])
                self.assertEqual(lines, [records.dump(json.loads(line)) for line in lines])

    def test_overrides_in_the_header(self):
        rules = {"options": {"seasons": 1, "rounds": 2}, "cards": {"loot": {"count": 3}}, "die": {"faces": ["infantry", "blank"]}}
        lines = list(conquest2.generate(CFG, 3, "rules", 0, rules))
        self.assertEqual(self.faults(lines), [])
        header = json.loads(lines[0])
        header["rules"] = {"colour": 1}
        self.assertEqual(self.faults([records.dump(header)] + lines[1:])[0][:2], (1, 1))

    def mutate(self, rng, lines, i):
        """Line i changed so that it is certainly wrong."""
        value = json.loads(lines[i])
        if "player" in value:
            what = rng.randrange(4)
            if what == 0:
                value["legal"] += 1
            elif what == 1:
                value["player"] += 1
            elif what == 2:
                value["action"] += " x"
            else:
                value["note"] = 1
        elif "chance" in value:
            what = rng.randrange(3)
            if what == 0:
                value["chance"] += "x"
            elif what == 1:
                value["who"] = 9
            elif value["chance"] == "dice":
                value["value"].append("blank")
            else:
                value["value"] = {"token": "africa", "card": "vote-hail-caesar"}.get(value["chance"], 7)
        elif "state" in value:
            what = rng.randrange(4)
            player = value["state"]["players"][0]
            if what == 0:
                player["money"] += 5
            elif what == 1:
                value["state"]["season"] += 1
            elif what == 2:
                value["state"]["influence"]["africa"] = [1] + [0] * (len(value["state"]["players"]) - 1)
            else:
                del value["state"]["bag"]
        elif "end" in value:
            value["end"]["plies"] += 1
        else:
            value["format"] = "caesar-record/2"
        return lines[:i] + [records.dump(value)] + lines[i + 1:]

    def test_mutations_fail_on_their_line(self):
        rng = random.Random(1)
        good = list(conquest2.generate(CFG, 3, "next", 0))
        for seats in range(2, 7):
            lines = list(conquest2.generate(CFG, seats, "mutate", 0, eager=True))
            special = [i for i, line in enumerate(lines) if '"state"' in line or '"end"' in line or '"format"' in line]
            for i in special + rng.sample(range(len(lines)), 12):
                found = self.faults(self.mutate(rng, lines, i) + good)
                self.assertEqual([(f[0], f[1]) for f in found], [(i + 1, 1)], lines[i])

    def test_dropped_and_doubled_lines(self):
        rng = random.Random(2)
        lines = list(conquest2.generate(CFG, 4, "drop", 0))
        tail = list(conquest2.generate(CFG, 2, "tail", 0))
        for i in rng.sample(range(1, len(lines)), 20):
            found = self.faults(lines[:i] + lines[i + 1:] + tail)
            self.assertEqual(len(found), 1)
            self.assertGreaterEqual(found[0][0], i + 1)
        i = max(k for k, line in enumerate(lines) if '"state"' in line)
        self.assertEqual(self.faults(lines[:i + 1] + lines[i:])[0][0], i + 2)
        self.assertEqual(self.faults(lines[:-1])[0][0], len(lines))
        self.assertEqual(self.faults(lines[:-1] + tail)[0][:2], (len(lines), 1))
        self.assertEqual(self.faults(lines + lines[-1:])[0][:2], (len(lines) + 1, 2))
        self.assertEqual(self.faults(["", "{"] + lines)[0][:2], (1, 1))

    def test_a_game_from_a_position_is_named_and_the_next_one_is_read(self):
        good = list(conquest2.generate(CFG, 2, "next", 0))
        made = [good[0], records.dump({"position": {}}), *good[1:3]]
        found = self.faults(made + good)
        self.assertEqual([fault[:2] for fault in found], [(2, 1)])
        self.assertIn("made by hand", found[0][2])

    def test_forced_ply_is_refused(self):
        game = Game(BOARD, 2)
        # find a place where the generator takes a forced decision: the opener's `bid`
        lines = list(conquest2.generate(CFG, 2, "forced", 0))
        i = next(k for k, line in enumerate(lines) if "propose" in line)
        player = json.loads(lines[i])["player"]
        wrong = lines[:i] + [records.dump({"player": player, "legal": 1, "action": "bid"})] + lines[i:]
        self.assertEqual(self.faults(wrong)[0][0], i + 1)
        self.assertEqual(game.n, 2)

    def test_command(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(conquest2.main(["--rules", RULES, "--generate", "2", "--players", "2", "--seed", "9"]), 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games")
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(out.getvalue().replace('"amount', '"amounts', 1))
            shown = io.StringIO()
            with contextlib.redirect_stdout(shown):
                self.assertEqual(conquest2.main([path, "--rules", RULES]), 1)
        lines = shown.getvalue().splitlines()
        self.assertEqual(lines[-1], "games 2 failed 1")
        self.assertRegex(lines[0], r"^line \d+: game 1: ")


if __name__ == "__main__":
    unittest.main()
