"""Tests of the referee of classic: small positions for the clauses of the rules page, and records of random games."""

import contextlib
import copy
import functools
import io
import itertools
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import classic
import classic_board as boards
import classic_lines
import classic_move
import classic_overrides
import differential
import records
import rome
from classic_battle import GameOver, TurnOver
from classic_board import CITY, FORT, GAL
from classic_game import Game

RAW = rome.load("classic")
CFG = boards.normalise(copy.deepcopy(RAW))


@functools.cache
def board_of(text):
    return boards.Board(boards.override(CFG, json.loads(text)))


def board(**rules):
    return board_of(json.dumps(rules, sort_keys=True))


def friz(**changes):
    return {"variant": {"friz": changes}}


def count(lo, hi):
    return ["count %d" % k for k in range(lo, hi + 1)]


class Position:
    """A game in mid-play with an empty board: nobody has pieces or provinces, the guards are gone unless given."""

    def __init__(self, seats=2, **rules):
        self.b = board(**rules)
        self.g = g = Game(self.b, seats)
        for p in range(self.b.np):
            g.owner[p], g.city[p], g.guard[p] = None, 0, 0
        for here in g.at:
            for q in range(seats):
                here[q] = [0] * 6
        g.turn, g.round = 0, 1

    def own(self, player, *provinces):
        for name in provinces:
            self.g.owner[self.b.index[name]] = player
        return self

    def put(self, place, player, *units):
        """Infantry, cavalry, catapult, galley, general, caesar; troops on land make the province the player's."""
        x = self.b.index[place]
        self.g.at[x][player] = [a + b for a, b in zip(self.g.at[x][player], list(units) + [0] * (6 - len(units)))]
        return self

    def mine(self, place, player, *units):
        return self.own(player, place).put(place, player, *units)

    def city(self, name, what=CITY):
        self.g.city[self.b.index[name]] = what
        return self

    def guard(self, name, number=None):
        p = self.b.index[name]
        self.g.guard[p] = self.b.guard[p] if number is None else number
        return self

    def road(self, a, b):
        self.g.roads.add(tuple(sorted((self.b.index[a], self.b.index[b]))))
        return self

    def at(self, place, player):
        return self.g.at[self.b.index[place]][player]

    def owner(self, name):
        return self.g.owner[self.b.index[name]]

    def __getattr__(self, name):
        return getattr(self.g, name)


class Script(unittest.TestCase):
    def play(self, generator, *script):
        """Steps (player, options or None, answer), or (who, dice...) for a throw; returns what ended the game or the turn."""
        steps, answer = list(script), None
        try:
            while True:
                request = generator.send(answer)
                self.assertTrue(steps, "unexpected request %r" % (request,))
                answer = self.step(request, steps.pop(0))
        except StopIteration:
            end = None
        except (GameOver, TurnOver) as over:
            end = over
        self.assertEqual(steps, [], "steps that never came")
        return end

    def step(self, request, step):
        if request[0] == "chance":
            self.assertEqual(step[0], request[2], request)
            if request[1] == "dice":
                self.assertEqual(len(step) - 1, request[3], request)
                return list(step[1:])
            self.assertIn(step[1], request[3])
            return step[1]
        player, options, answer = step
        self.assertEqual(request[1], player, request)
        if options is not None:
            self.assertEqual(request[2], options)
        self.assertIn(answer, request[2])
        return answer

    def offered(self, generator, *script):
        """The options of the first ply after the script."""
        steps, answer = list(script), None
        while True:
            request = generator.send(answer)
            if not steps:
                return request[2]
            answer = self.step(request, steps.pop(0))


I, C, K, G, B = "infantry", "cavalry", "catapult", "galley", "blank"


class Setup(Script):
    def test_homes_of_the_seats_follow_the_fixed_order(self):
        names = lambda b, n: [b.names[p] for p in b.seats(n)]
        self.assertEqual(names(board(), 3), ["macedonia", "egypt", "italia"])
        self.assertEqual(names(board(seats={"3": ["italia", "numidia", "galatia"]}), 3), ["galatia", "numidia", "italia"])
        self.assertEqual(names(board(), 6), ["macedonia", "galatia", "egypt", "numidia", "hispania", "italia"])

    def test_first_position(self):
        g = Game(board(), 2)
        state = g.state()
        self.assertEqual(state["guard"], {"egypt": 3, "galatia": 3, "italia": 4, "macedonia": 3, "numidia": 3})
        self.assertEqual(state["city"], {"hispania": "fort", "mesopotamia": "fort"})
        self.assertEqual(state["land"]["hispania"], [None, [0, 0, 0, 0, 0, 1]])
        self.assertEqual(state["players"][0], {"home": "mesopotamia", "out": False, "talents": 0, "captives": [0, 0]})
        self.assertEqual((state["round"], state["factor"], state["owner"]), (0, 1, {"hispania": 1, "mesopotamia": 0}))
        self.assertEqual(Game(board(options={"variant": "base"}), 2).state()["guard"], {})

    def test_claims(self):
        g = Game(board(), 3)
        options = self.offered(g.run())
        # Moesia borders only on the own home; thracia too; dalmatia also on italia; neapolis on italia; no homes.
        for name in ("moesia", "thracia", "achaia", "creta", "britannia", "sicilia"):
            self.assertIn("claim " + name, options)
        for name in ("dalmatia", "neapolis", "cyrenaica", "africa", "galatia", "numidia", "syria", "narbonensis"):
            self.assertNotIn("claim " + name, options)
        # The rulebook's example, as far as its names exist.
        self.play_prefix(Game(board(), 3).run(), (0, None, "claim moesia"), (1, None, "claim palestina"),
                         (2, None, "claim neapolis"), (0, None, "claim creta"), (1, None, "claim sicilia"),
                         (2, None, "claim britannia"))

    def play_prefix(self, generator, *script):
        answer = None
        for step in script:
            answer = self.step(generator.send(answer), step)
        return generator.send(answer)

    def test_claims_skip_who_finds_nothing(self):
        g = Game(board(**friz(start_territories=40)), 2)
        answer, claims = None, [0, 0]
        run = g.run()
        while True:
            request = run.send(answer)
            if not request[2][0].startswith("claim"):
                break
            claims[request[1]] += 1
            answer = request[2][0]
        self.assertTrue(claims[0] > 5 and claims[1] > 5)
        self.assertTrue(all(g.owner[p] is not None for p in range(g.b.np)
                            if p not in g.b.homes and not set(g.b.land[p]) & set(g.b.homes)))

    def test_placing_in_pairs(self):
        g = Game(board(**friz(start_territories=0)), 2)
        request = next(g.run())
        self.assertEqual(request[2], ["place infantry mesopotamia infantry mesopotamia",
                                      "place infantry mesopotamia general mesopotamia",
                                      "place general mesopotamia general mesopotamia"])
        g = Game(board(), 2)
        g.owner[g.b.index["creta"]] = 0
        options = self.offered(g.placing())
        self.assertIn("place infantry creta infantry mesopotamia", options)
        self.assertIn("place infantry mesopotamia general creta", options)
        self.assertNotIn("place infantry mesopotamia infantry creta", options)
        self.assertEqual(len(options), 10)

    def test_an_odd_last_piece_stands_alone(self):
        g = Game(board(start={"infantry": 1, "general": 0}), 2)
        g.owner[g.b.index["creta"]] = 0
        self.play(g.placing(), (0, ["place infantry creta", "place infantry mesopotamia"], "place infantry creta"))
        self.assertEqual(g.state()["land"]["creta"], [[1, 0, 0, 0, 0, 0], None])

    def test_base_places_at_home(self):
        g = Game(board(options={"variant": "base"}), 2)
        run = g.run()
        self.assertEqual(next(run), ("state",))
        self.assertEqual(g.state()["land"], {"hispania": [None, [6, 0, 0, 0, 4, 1]], "mesopotamia": [[6, 0, 0, 0, 4, 1], None]})


class Prestige(unittest.TestCase):
    def test_four_counts(self):
        p = Position(3).own(0, "asia", "galatia", "syria").own(1, "egypt").own(2, "italia")
        p.city("asia").city("galatia", FORT).city("egypt").city("italia").road("asia", "galatia")
        p.put("mare-rhodus", 0, 0, 0, 0, 1).put("mare-rhodus", 1, 0, 0, 0, 1).put("mare-narbo", 2, 0, 0, 0, 2)
        self.assertEqual([p.counts(q) for q in range(3)], [(3, 0, 1, 2), (1, 0, 0, 1), (1, 1, 0, 1)])
        self.assertEqual([p.prestige(q) for q in range(3)], [30, 0, 10])

    def test_ties_and_ports(self):
        p = Position(3).own(0, "asia").own(1, "egypt").own(2, "italia")
        self.assertEqual([p.prestige(q) for q in range(3)], [0, 0, 0])          # three are level
        p.own(0, "syria").own(1, "creta")
        self.assertEqual([p.prestige(q) for q in range(3)], [5, 5, 0])
        p.out[1] = True
        self.assertEqual(p.prestige(0), 10)
        p.mine("asia", 0, 0, 0, 0, 3)
        self.assertEqual(p.counts(0)[1], 0)

    def test_a_road_of_two_owners_is_nobodys(self):
        p = Position(2).own(0, "asia").own(1, "galatia").road("asia", "galatia")
        self.assertEqual((p.counts(0)[2], p.counts(1)[2]), (0, 0))


class Marches(Script):
    def test_the_menu_is_in_order_and_goes_forward(self):
        p = Position(2).mine("caesariensis", 0, 1, 0, 0, 0, 1)
        self.play(p.movement(0),
                  (0, ["march caesariensis numidia", "march caesariensis tingitana", "done"], "march caesariensis tingitana"),
                  (0, count(0, 1), "count 1"),
                  # The second wave: the general can go on, by land or over the strait; the infantry cannot.
                  (0, ["march tingitana baetica", "march tingitana caesariensis", "done"], "march tingitana baetica"))
        self.assertEqual(p.at("baetica", 0), [0, 0, 0, 0, 1, 0])
        self.assertEqual(p.at("tingitana", 0), [1, 0, 0, 0, 0, 0])

    def test_who_did_not_march_in_a_wave_stays(self):
        p = Position(2).put("africa", 0, 0, 0, 0, 0, 2)
        self.play(p.movement(0), (0, None, "march africa cyrenaica"), (0, count(1, 2), "count 1"),
                  (0, ["march africa numidia", "done"], "done"),
                  (0, ["march cyrenaica africa", "march cyrenaica egypt", "done"], "done"))

    def test_steps_of_general_and_caesar(self):
        p = Position(2).put("africa", 0, 0, 0, 0, 0, 0, 1)
        self.play(p.movement(0), (0, None, "march africa cyrenaica"), (0, None, "march cyrenaica egypt"),
                  (0, None, "march egypt palestina"))
        p = Position(2, options={"variant": "base"}).put("africa", 0, 0, 0, 0, 0, 0, 1)
        self.play(p.movement(0), (0, None, "march africa cyrenaica"), (0, None, "march cyrenaica egypt"))

    def test_a_gap_of_a_wave_is_passed_over(self):
        self.play(Position(2).mine("africa", 0, 3, 2).movement(0))              # nobody leads them

    def test_five_troops_for_each_leader(self):
        p = Position(2).mine("africa", 0, 9, 9, 0, 0, 1, 1)
        options = self.offered(p.movement(0), (0, None, "march africa numidia"), (0, count(0, 1), "count 1"),
                               (0, count(0, 1), "count 1"), (0, count(0, 9), "count 9"))
        self.assertEqual(options, count(0, 1))
        p = Position(2, movement={"troops_per_leader": 2}).mine("africa", 0, 9, 0, 0, 0, 1)
        self.assertEqual(self.offered(p.movement(0), (0, None, "march africa numidia")), count(0, 2))

    def test_a_leader_is_needed_in_the_counts(self):
        p = Position(2).put("africa", 0, 0, 0, 0, 0, 1, 1)
        self.assertEqual(self.offered(p.movement(0), (0, None, "march africa numidia"), (0, count(0, 1), "count 1")), count(0, 1))
        options = self.offered(p.movement(0), (0, None, "march africa numidia"), (0, count(0, 1), "count 0"))
        self.assertEqual(options, ["march numidia africa", "march numidia caesariensis", "done"])
        self.assertEqual(p.at("numidia", 0), [0, 0, 0, 0, 0, 1])                # the caesar's count was forced

    def test_a_group_needs_troops_against_troops(self):
        p = Position(2).mine("numidia", 1, 1).mine("africa", 0, 0, 0, 0, 0, 1)
        self.assertEqual(self.offered(p.movement(0)), ["march africa cyrenaica", "done"])
        p.put("africa", 0, 1, 1)
        run = p.movement(0)
        self.assertEqual(self.offered(run, (0, None, "march africa numidia")), count(0, 1))
        self.play_on(run, p, ("count 0", "done"))
        self.assertEqual(p.at("numidia", 0), [0, 1, 0, 0, 1, 0])

    def play_on(self, run, p, answers):
        for answer in answers:
            try:
                request = run.send(answer)
            except StopIteration:
                return None
        return request

    def test_own_troops_there_do_not_help(self):
        p = Position(2).mine("numidia", 1, 1).put("numidia", 0, 1).mine("africa", 0, 0, 0, 0, 0, 1)
        self.assertNotIn("march africa numidia", self.offered(p.movement(0)))

    def test_a_guard_stops_and_lone_leaders_stop(self):
        p = Position(2).guard("numidia").mine("africa", 0, 0, 1, 0, 0, 1)
        self.play(p.movement(0), (0, None, "march africa numidia"))             # both counts forced, no second wave
        self.assertEqual(p.at("numidia", 0), [0, 1, 0, 0, 1, 0])
        p = Position(2).put("numidia", 1, 0, 0, 0, 0, 1).mine("africa", 0, 0, 1, 0, 0, 1)
        self.play(p.movement(0), (0, None, "march africa numidia"), (0, count(0, 1), "count 0"))
        p = Position(2).own(1, "numidia").mine("africa", 0, 0, 1, 0, 0, 1)      # empty: he goes on
        self.play(p.movement(0), (0, None, "march africa numidia"), (0, count(0, 1), "count 1"),
                  (0, ["march numidia africa", "march numidia caesariensis", "done"], "march numidia caesariensis"),
                  (0, count(0, 1), "count 1"))
        self.assertEqual(p.at("caesariensis", 0), [0, 1, 0, 0, 1, 0])

    def test_leaders_beside_troops_may_leave(self):
        p = Position(2).mine("numidia", 1, 4).put("numidia", 0, 0, 0, 0, 0, 1)
        self.assertEqual(self.offered(p.movement(0)), ["march numidia africa", "march numidia caesariensis", "done"])

    def test_troops_with_fewest_steps_go_first(self):
        p = Position(2).mine("africa", 0, 0, 1, 0, 0, 1).mine("cyrenaica", 0, 0, 1, 0, 0, 1)
        # A cavalry of africa joins that of cyrenaica; one goes on to egypt: it is the tired one.
        self.play(p.movement(0), (0, None, "march africa cyrenaica"), (0, None, "count 1"),
                  (0, None, "march cyrenaica egypt"), (0, count(0, 2), "count 1"),
                  # Second wave: the general in cyrenaica has a fresh cavalry, he of egypt a tired one.
                  (0, ["march cyrenaica africa", "march cyrenaica egypt", "march egypt arabia-petraea",
                       "march egypt cyrenaica", "march egypt palestina", "done"], "march cyrenaica africa"),
                  (0, count(0, 1), "count 1"), (0, None, "done"))
        self.assertEqual(p.at("africa", 0)[1], 1)

    def test_own_roads_are_one_step(self):
        p = Position(2).mine("asia", 0, 1, 0, 0, 0, 1).own(0, "galatia", "cappadocia", "armenia")
        p.road("asia", "galatia").road("galatia", "cappadocia").road("cappadocia", "armenia")
        goals = ["armenia", "cappadocia", "galatia", "pontus-bithynia", "thracia"]
        self.assertEqual(self.offered(p.movement(0)), ["march asia " + g for g in goals] + ["done"])
        p.own(1, "cappadocia")
        self.assertNotIn("march asia cappadocia", self.offered(p.movement(0)))

    def test_straits_close_by_foreign_galleys(self):
        p = Position(2).put("asia", 0, 0, 0, 0, 0, 1).put("mare-aegaeum", 0, 0, 0, 0, 1)
        self.assertIn("march asia thracia", self.offered(p.movement(0)))
        p.mine("achaia", 1, 0, 0, 0, 2)                                         # in port
        self.assertIn("march asia thracia", self.offered(p.movement(0)))
        p.put("mare-aegaeum", 1, 0, 0, 0, 1)
        self.assertNotIn("march asia thracia", self.offered(p.movement(0)))
        self.assertNotIn("march italia corsica", self.offered(Position(2).put("italia", 0, 0, 0, 0, 0, 1).movement(0)))


class Galleys(Script):
    def test_sailing(self):
        p = Position(2).mine("armenia", 0, 0, 0, 0, 2).own(0, "asia")
        self.play(p.movement(0),
                  (0, ["sail armenia mare-amisus", "sail armenia mare-pontus-euxinus", "done"], "sail armenia mare-amisus"),
                  (0, count(1, 2), "count 1"),
                  (0, ["sail armenia mare-pontus-euxinus", "done"], "sail armenia mare-pontus-euxinus"))
        self.assertEqual((p.at("mare-amisus", 0)[GAL], p.at("mare-pontus-euxinus", 0)[GAL]), (1, 1))

    def test_ports_are_own_and_between_them_is_one_zone(self):
        p = Position(2).mine("armenia", 0, 0, 0, 0, 1).own(0, "cappadocia", "asia").own(1, "pontus-bithynia")
        self.assertEqual(self.offered(p.movement(0)), ["sail armenia cappadocia", "sail armenia mare-amisus",
                                                       "sail armenia mare-pontus-euxinus", "done"])
        p = Position(2, movement={"galley": 1}).mine("armenia", 0, 0, 0, 0, 1).own(0, "cappadocia")
        self.assertEqual(self.offered(p.movement(0)), ["sail armenia mare-amisus", "done"])
        p = Position(2, movement={"galley": 0}).mine("armenia", 0, 0, 0, 0, 1)
        self.play(p.movement(0))

    def test_no_way_through_a_port(self):
        # creta lies on mare-rhodus and mare-epirus, which do not touch; aegaeum, alexandria and libycum lie between.
        p = Position(2).put("mare-rhodus", 0, 0, 0, 0, 1).own(0, "creta")
        goals = ["creta", "mare-aegaeum", "mare-alexandria", "mare-epirus", "mare-libycum", "mare-pelusium", "mare-pontus-euxinus"]
        self.assertEqual(self.offered(p.movement(0)), ["sail mare-rhodus " + g for g in goals] + ["done"])

    def test_laden_galleys_do_not_sail_empty(self):
        p = Position(2).put("mare-amisus", 0, 2, 0, 0, 2, 1)
        run = p.movement(0)
        self.assertEqual(self.offered(run, (0, None, "sail mare-amisus mare-pontus-euxinus"))[0], "convoy mare-amisus armenia")

    def test_a_convoy_takes_its_galleys_along(self):
        p = Position(2).put("mare-amisus", 0, 3, 0, 0, 3, 2)
        self.play(p.movement(0), (0, None, "convoy mare-amisus mare-aegaeum"), (0, count(1, 2), "count 1"),
                  (0, count(0, 3), "count 2"), (0, None, "done"))
        self.assertEqual(p.at("mare-aegaeum", 0), [2, 0, 0, 1, 1, 0])
        self.assertEqual(p.at("mare-amisus", 0), [1, 0, 0, 2, 1, 0])

    def test_what_stays_aboard_must_be_lawful(self):
        p = Position(2).put("mare-amisus", 0, 8, 0, 0, 2, 2)
        self.play(p.movement(0), (0, None, "convoy mare-amisus mare-aegaeum"), (0, count(1, 2), "count 1"),
                  (0, count(3, 5), "count 3"), (0, None, "done"))
        p = Position(2).put("mare-amisus", 0, 8, 0, 0, 2, 2)
        self.play(p.movement(0), (0, None, "convoy mare-amisus mare-aegaeum"), (0, count(1, 2), "count 2"))
        self.assertEqual(p.at("mare-aegaeum", 0), [8, 0, 0, 2, 2, 0])

    def test_landing_near_and_far(self):
        p = Position(2).put("mare-amisus", 0, 1, 0, 0, 1, 1)
        options = self.offered(p.movement(0))
        self.assertEqual(options, ["convoy mare-amisus " + g for g in (
            "armenia", "asia", "cappadocia", "moesia", "pontus-bithynia", "thracia", "mare-aegaeum", "mare-pontus-euxinus")] + ["done"])
        self.play(p.movement(0), (0, None, "convoy mare-amisus armenia"))       # nothing can stay aboard without him
        self.assertEqual((p.at("armenia", 0), p.at("mare-amisus", 0)), ([1, 0, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0]))
        p = Position(2).put("mare-amisus", 0, 1, 0, 0, 1, 1)
        self.play(p.movement(0), (0, None, "convoy mare-amisus thracia"))
        self.assertEqual((p.at("thracia", 0), p.at("mare-pontus-euxinus", 0)), ([1, 0, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0]))

    def test_landing_far_takes_the_first_zone_in_board_order(self):
        # asia and creta are two steps from mare-epirus: creta touches it, asia lies on aegaeum (first) and others.
        p = Position(2).put("mare-epirus", 0, 0, 0, 0, 1, 1)
        self.play(p.movement(0), (0, None, "convoy mare-epirus asia"))
        self.assertEqual(p.at("mare-aegaeum", 0)[GAL], 1)

    def test_landing_against_troops_needs_troops(self):
        p = Position(2).put("mare-amisus", 0, 0, 0, 0, 1, 1).mine("armenia", 1, 1)
        self.assertNotIn("convoy mare-amisus armenia", self.offered(p.movement(0)))
        p.put("mare-amisus", 0, 1)
        self.play(p.movement(0), (0, None, "convoy mare-amisus armenia"))
        self.assertEqual(p.at("armenia", 0), [1, 0, 0, 0, 1, 0])

    def test_who_landed_does_not_march_or_board(self):
        p = Position(2).put("mare-amisus", 0, 1, 0, 0, 2, 1)
        self.play(p.movement(0), (0, None, "convoy mare-amisus armenia"))
        self.assertEqual(p.at("mare-amisus", 0), [0, 0, 0, 2, 0, 0])

    def test_boarding_and_staying_aboard(self):
        p = Position(2).mine("armenia", 0, 6, 0, 0, 1, 1, 1).put("mare-amisus", 0, 0, 0, 0, 1)
        run = p.movement(0)
        self.assertEqual(self.offered(run, (0, None, "board armenia mare-amisus")), [
            "to cappadocia", "to pontus-bithynia", "to mare-amisus", "to mare-pontus-euxinus"])
        p = Position(2).mine("armenia", 0, 6, 0, 0, 1, 1, 1).put("mare-amisus", 0, 0, 0, 0, 1)
        self.play(p.movement(0), (0, None, "board armenia mare-amisus"), (0, None, "to mare-amisus"),
                  (0, count(0, 1), "count 1"), (0, count(0, 1), "count 0"), (0, count(0, 5), "count 5"),
                  # The galley of the zone has gone first; the other is still in port.
                  (0, ["board armenia mare-amisus", "march armenia cappadocia", "march armenia mesopotamia",
                       "march armenia syria", "done"], "board armenia mare-amisus"), (0, count(0, 1), "count 1"),
                  )
        self.assertEqual(p.at("mare-pontus-euxinus", 0), [1, 0, 0, 1, 0, 1])

    def test_galleys_with_one_step_are_used_first(self):
        p = Position(2).mine("armenia", 0, 0, 0, 0, 1, 1).put("mare-pontus-euxinus", 0, 0, 0, 0, 1)
        self.play(p.movement(0), (0, None, "sail mare-pontus-euxinus mare-amisus"),
                  (0, None, "board armenia mare-amisus"), (0, None, "to mare-amisus"))
        self.assertEqual((p.at("mare-amisus", 0), p.at("armenia", 0)), ([0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 0]))

    def test_to_elsewhere_needs_two_steps(self):
        p = Position(2).mine("armenia", 0, 0, 0, 0, 0, 1).put("mare-pontus-euxinus", 0, 0, 0, 0, 1)
        self.play(p.movement(0), (0, None, "sail mare-pontus-euxinus mare-amisus"), (0, None, "board armenia mare-amisus"),
                  )                                                             # `to mare-amisus` is forced
        self.assertEqual(p.at("mare-amisus", 0), [0, 0, 0, 1, 1, 0])

    def test_boarding_and_landing_in_one_turn(self):
        p = Position(2).mine("armenia", 0, 2, 0, 0, 1, 1)
        self.play(p.movement(0), (0, None, "board armenia mare-amisus"), (0, None, "to cappadocia"), (0, count(0, 2), "count 2"))
        self.assertEqual((p.at("cappadocia", 0), p.at("mare-amisus", 0)), ([2, 0, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0]))

    def test_a_leader_boards_from_a_foreign_province(self):
        p = Position(2).mine("armenia", 1, 3).put("armenia", 0, 0, 0, 0, 0, 1).put("mare-amisus", 0, 0, 0, 0, 1)
        self.assertIn("board armenia mare-amisus", self.offered(p.movement(0)))
        p.put("mare-amisus", 0, 0, 0, 0, -1).put("armenia", 1, 0, 0, 0, 5)
        self.assertFalse([o for o in self.offered(p.movement(0)) if o.startswith("board")])


class Groups(unittest.TestCase):
    """The ranges of the group counts against all lawful groups, written down one by one."""

    def lawful(self, leaders, troops, most, need, aboard, cap):
        """`aboard`: (leaders, troops) of the zone that the group leaves; None: it leaves a province."""
        for group in itertools.product(*[range(n + 1) for n in (*leaders, *troops)]):
            led, men = sum(group[:2]), sum(group[2:])
            is_behind = aboard is None or aboard[1] - men <= cap * (aboard[0] - led)
            if 1 <= led <= most and need <= men <= cap * led and is_behind:
                yield group

    def walk(self, generator, groups, chosen=()):
        """Follows every answer; `generator` makes the counts from the start."""
        run, answer, made = generator(), None, []
        for i in range(5):
            possible = sorted({g[i] for g in groups if g[:i] == tuple(made)})
            self.assertTrue(possible)
            if len(possible) > 1:
                request = run.send(answer)
                self.assertEqual(request[2], ["count %d" % k for k in possible])
                k = chosen[i] if i < len(chosen) and chosen[i] in possible else possible[-1]
                answer = "count %d" % k
            else:
                k = possible[0]
            made.append(k)
        with self.assertRaises(StopIteration) as end:
            run.send(answer)
        self.assertEqual(end.exception.value, made[2:] + [0] + made[:2])

    def test_landing_from_a_zone(self):
        rng = random.Random(5)
        seen = 0
        for _ in range(300):
            p = Position(2, movement={"troops_per_leader": 2})
            old = [rng.randrange(3), rng.randrange(2), *[rng.randrange(3) for _ in range(3)]]
            new = [rng.randrange(2), rng.randrange(3)]                          # came in this turn: generals, infantry
            if sum(old[2:]) > 2 * sum(old[:2]) or new[1] > 2 * new[0]:
                continue
            need = rng.randrange(2)
            leaders, troops = sum(old[:2]) + new[0], sum(old[2:]) + new[1]
            p.put("mare-amisus", 0, *old[2:], leaders, *old[:2])
            p.g.orders = classic_move.Orders(p.g, 0)
            p.put("mare-amisus", 0, new[1], 0, 0, 0, new[0])
            if need:
                p.mine("armenia", 1, 1)
            z, goal = p.b.index["mare-amisus"], p.b.index["armenia"]
            groups = list(self.lawful(old[:2], old[2:], 9, need, (leaders, troops), 2))
            spans = p.convoy_span(0, z, goal)
            self.assertEqual(bool(spans), bool(groups), old)
            if groups:
                seen += 1
                cargo = p.g.orders.aboard[z]
                for chosen in groups:
                    self.walk(lambda: p.group(0, cargo[4:], cargo[:3], spans), groups, chosen)
        self.assertGreater(seen, 50)

    def test_boarding(self):
        rng = random.Random(6)
        for _ in range(150):
            old = [rng.randrange(3), rng.randrange(2), *[rng.randrange(4) for _ in range(3)]]
            galleys, need = rng.randrange(4), rng.randrange(2)
            p = Position(2, movement={"troops_per_leader": 2}).mine("armenia", 0, *old[2:], galleys, *old[:2])
            if need:
                p.mine("cappadocia", 1, 1)
            p.g.orders = classic_move.Orders(p.g, 0)
            start, zone, goal = (p.b.index[x] for x in ("armenia", "mare-amisus", "cappadocia"))
            groups = list(self.lawful(old[:2], old[2:], galleys, need, None, 2))
            spans = p.board_span(0, start, zone, goal)
            self.assertEqual(bool(spans), bool(groups), old)
            for chosen in groups[::3]:
                self.walk(lambda: p.group(0, p.g.orders.ready[start], p.staying(start), spans), groups, chosen)


class NavalBattles(Script):
    def test_the_menu(self):
        p = Position(3).put("mare-narbo", 0, 0, 0, 0, 1).put("mare-narbo", 1, 0, 0, 0, 1).put("mare-narbo", 2, 0, 0, 0, 1)
        p.put("mare-rhodus", 0, 0, 0, 0, 1).put("mare-rhodus", 1, 0, 0, 0, 1)
        self.play(p.naval_battles(0), (0, ["attack mare-narbo 1", "attack mare-narbo 2", "attack mare-rhodus 1", "done"],
                                       "attack mare-narbo 2"), ("attacker", G), ("defender", B),
                  (0, ["attack mare-rhodus 1", "done"], "done"))
        self.assertEqual(p.at("mare-narbo", 2)[GAL], 0)
        self.play(p.naval_battles(2))

    def test_the_fallen_at_sea(self):
        # Three leaders with seven troops, one galley left: two generals fall, and ceil(14/3) troops are lost.
        p = Position(2).put("mare-narbo", 1, 3, 3, 1, 4, 2, 1)
        own = p.at("mare-narbo", 1)
        own[GAL] = 1
        self.assertEqual(p.drowned(own), (2, 0))
        self.assertEqual(own, [0, 1, 1, 1, 0, 1])
        self.assertEqual(p.drowned(own), (0, 0))
        own[GAL] = 0
        self.assertEqual(p.drowned(own), (0, 1))
        self.assertEqual(own, [0] * 6)

    def test_both_at_once_and_captors(self):
        p = Position(2).put("mare-narbo", 0, 0, 0, 0, 1, 1).put("mare-narbo", 1, 0, 0, 0, 1, 1)
        self.play(p.naval_battles(0), (0, None, "attack mare-narbo 1"), ("attacker", G), ("defender", G))
        self.assertEqual((p.captives, p.at("mare-narbo", 0), p.at("mare-narbo", 1)), ([[0, 0], [0, 0]], [0] * 6, [0] * 6))
        p = Position(2).put("mare-narbo", 0, 0, 0, 0, 1, 1).put("mare-narbo", 1, 0, 0, 0, 1, 1)
        self.play(p.naval_battles(0), (0, None, "attack mare-narbo 1"), ("attacker", B), ("defender", G),
                  (1, count(0, 1), "count 1"))
        self.assertEqual(p.captives, [[0, 0], [1, 0]])

    def test_the_round_limit(self):
        p = Position(2, battle={"naval_rounds": 2}).put("mare-narbo", 0, 0, 0, 0, 1).put("mare-narbo", 1, 0, 0, 0, 2)
        self.play(p.naval_battles(0), (0, None, "attack mare-narbo 1"), ("attacker", G), ("defender", B, B),
                  ("attacker", B), ("defender", I))
        self.assertEqual((p.at("mare-narbo", 0)[GAL], p.at("mare-narbo", 1)[GAL]), (1, 1))


class LandBattles(Script):
    def test_dice_hits_and_losses(self):
        p = Position(2).mine("syria", 1, 1, 1, 1).put("syria", 0, 3, 2, 0, 0, 1).city("syria", FORT)
        # Legion of the attacker 5 of 5, of the defender 3; the fort adds a die. Three infantry faces hit three times,
        # the catapult misses; of the defender's only one infantry face counts.
        self.play(p.battle(0, p.b.index["syria"]), ("attacker", I, I, I, K, B), ("defender", I, I, C, B),
                  (0, count(0, 2), "count 1"))
        self.assertEqual(p.at("syria", 0), [2, 1, 0, 0, 1, 0])
        self.assertEqual(p.at("syria", 1), [0] * 6)

    def test_legions_are_as_large_as_can_be(self):
        p = Position(2).mine("syria", 1, 9).put("syria", 0, 4, 4, 0, 0, 1, 0)
        run = p.battle(0, p.b.index["syria"])
        self.assertEqual(self.offered(run), count(2, 4))
        self.assertEqual(p.legion_size(p.b.index["syria"], 0), 6)
        p.put("syria", 0, 0, 0, 0, 0, 0, 1)
        self.assertEqual(p.legion_size(p.b.index["syria"], 0), 8)
        self.assertEqual(p.legion_size(p.b.index["syria"], 1), 5)
        self.assertEqual(Position(2, battle={"legion_per_general": 3}).put("asia", 0, 20, 0, 0, 0, 2).legion_size(
            p.b.index["asia"], 0), 11)

    def test_losses_are_of_the_legion(self):
        p = Position(2).mine("syria", 1, 0, 0, 2).put("syria", 0, 5, 1)
        self.play(p.battle(0, p.b.index["syria"]), (0, count(4, 5), "count 4"), ("attacker", I, I, B, B, B), ("defender", K, K),
                  (0, count(1, 2), "count 1"))
        self.assertEqual(p.at("syria", 0), [4, 0, 0, 0, 0, 0])

    def test_stay_or_retreat_and_pursuit(self):
        p = Position(2).mine("syria", 1, 3, 0, 0, 0, 1).put("syria", 0, 0, 2)
        goals = ["arabia-petraea", "armenia", "cappadocia", "cilicia", "mesopotamia", "palestina"]
        self.play(p.battle(0, p.b.index["syria"]), ("attacker", B, B), ("defender", B, B, B),
                  (1, ["retreat " + d for d in goals] + ["stay"], "stay"), (0, ["retreat " + d for d in goals] + ["stay"], "stay"),
                  ("attacker", B, B), ("defender", B, B, B), (1, None, "retreat armenia"), ("attacker", C, C))
        self.assertEqual((p.at("armenia", 1), p.owner("armenia")), ([1, 0, 0, 0, 1, 0], 1))
        self.assertFalse(p.has_troops(p.b.index["syria"], 1))

    def test_pursuit_counts_riders_of_the_largest_legion(self):
        p = Position(2).mine("syria", 1, 9).put("syria", 0, 6, 1)
        self.play(p.battle(0, p.b.index["syria"]), (0, count(4, 5), "count 5"), ("attacker", B, B, B, B, B),
                  ("defender", B, B, B, B, B), (1, None, "retreat armenia"), ("attacker", C, C, C, B, B))
        self.assertEqual(p.at("armenia", 1)[0], 8)
        # The attacker retreats: the defender pursues, without the die of his fort.
        p = Position(2).mine("syria", 1, 0, 1).put("syria", 0, 3).city("syria", FORT)
        self.play(p.battle(0, p.b.index["syria"]), ("attacker", B, B, B), ("defender", B, B), (1, None, "stay"),
                  (0, None, "retreat armenia"), ("defender", C))
        self.assertEqual((p.at("armenia", 0)[0], p.owner("armenia")), (2, 0))

    def test_a_pursuit_that_kills_all(self):
        p = Position(2).mine("syria", 1, 1, 0, 0, 0, 1).put("syria", 0, 0, 1)
        self.play(p.battle(0, p.b.index["syria"]), ("attacker", B), ("defender", B), (1, None, "retreat armenia"), ("attacker", C))
        self.assertEqual((p.at("armenia", 1), p.owner("armenia")), ([0, 0, 0, 0, 1, 0], None))

    def test_goals_of_a_retreat(self):
        p = Position(3).mine("syria", 1, 2).put("syria", 0, 2).guard("mesopotamia").own(0, "armenia").own(1, "cilicia")
        p.put("cappadocia", 2, 0, 0, 0, 0, 1).put("palestina", 0, 0, 0, 0, 0, 1)
        names = lambda q: [p.b.names[d] for d in p.retreats(q, p.b.index["syria"])]
        self.assertEqual(names(1), ["arabia-petraea", "cilicia"])
        self.assertEqual(names(0), ["arabia-petraea", "armenia", "palestina"])

    def test_a_guard_stays_and_is_whole_again(self):
        p = Position(2).guard("numidia").put("numidia", 0, 0, 2)
        self.play(p.battle(0, p.b.index["numidia"]), ("attacker", C, C), ("defender", B, B, B),
                  (0, ["retreat africa", "retreat caesariensis", "stay"], "retreat africa"))
        self.assertEqual((p.g.guard[p.b.index["numidia"]], p.owner("africa")), (3, 0))
        p = Position(2).guard("numidia", 1).put("numidia", 0, 1, 0, 0, 0, 1)
        self.play(p.battle(0, p.b.index["numidia"]), ("attacker", I), ("defender", I))      # both are gone
        self.assertEqual((p.g.guard[p.b.index["numidia"]], p.at("numidia", 0)), (3, [0, 0, 0, 0, 1, 0]))
        p = Position(2).guard("numidia", 1).put("numidia", 0, 1)
        self.play(p.land_battles(0), ("attacker", I), ("defender", B))
        self.assertEqual((p.g.guard[p.b.index["numidia"]], p.owner("numidia")), (0, 0))

    def test_lost_against_a_guard(self):
        p = Position(2).guard("numidia").put("numidia", 0, 1, 0, 0, 0, 1)
        self.play(p.land_battles(0), ("attacker", B), ("defender", I, B, B))
        self.assertEqual((p.at("numidia", 0), p.captives, p.owner("numidia")), ([0] * 6, [[0, 0], [0, 0]], None))

    def test_lost_against_a_player(self):
        p = Position(2).mine("syria", 1, 1).put("syria", 0, 1, 0, 0, 0, 2)
        self.play(p.land_battles(0), ("attacker", B), ("defender", I), (1, count(0, 2), "count 1"))
        self.assertEqual((p.at("syria", 0), p.captives), ([0] * 6, [[0, 0], [1, 0]]))

    def test_mutual_destruction(self):
        p = Position(2).mine("syria", 1, 1, 0, 0, 0, 1).put("syria", 0, 1, 0, 0, 0, 1)
        self.play(p.land_battles(0), ("attacker", I), ("defender", I))
        self.assertEqual((p.at("syria", 0)[4], p.at("syria", 1)[4], p.owner("syria")), (1, 1, 1))

    def test_the_last_round(self):
        rules = {"battle": {"land_rounds": 1}}
        p = Position(2, **rules).mine("syria", 1, 1).put("syria", 0, 1)
        self.play(p.land_battles(0), ("attacker", B), ("defender", B), (1, None, "stay"),
                  (0, ["retreat " + d for d in ("arabia-petraea", "armenia", "cappadocia", "cilicia", "mesopotamia", "palestina")],
                   "retreat cilicia"))
        p = Position(2, **rules).mine("britannia", 1, 1).put("britannia", 0, 1, 0, 0, 0, 1).mine("belgica", 1)
        self.play(p.land_battles(0), ("attacker", B), ("defender", B), (1, ["retreat belgica", "stay"], "stay"),
                  (1, count(0, 1), "count 1"))
        self.assertEqual((p.at("britannia", 0), p.at("britannia", 1)[0], p.captives[1][0]), ([0] * 6, 1, 1))

    def test_leaders_fall_where_troops_come(self):
        p = Position(3).own(1, "syria").put("syria", 1, 0, 0, 0, 0, 1).put("syria", 2, 0, 0, 0, 0, 2).put("syria", 0, 1)
        self.play(p.land_battles(0), (0, count(0, 1), "count 1"), (0, count(0, 2), "count 0"))
        self.assertEqual((p.captives[0], p.owner("syria"), p.at("syria", 2)), ([0, 1, 0], 0, [0] * 6))
        p = Position(2).own(1, "syria").put("syria", 1, 0, 0, 0, 0, 1).put("syria", 0, 0, 0, 0, 0, 1)
        self.play(p.land_battles(0))                                            # a leader alone takes nothing
        self.assertEqual(p.owner("syria"), 1)

    def test_own_provinces_too(self):
        p = Position(2).mine("syria", 0, 1).put("syria", 1, 0, 0, 0, 0, 1)
        self.play(p.land_battles(0), (0, count(0, 1), "count 1"))


class Fallen(Script):
    def test_a_caesar_is_replaced_and_paid(self):
        p = Position(2).put("asia", 1, 0, 0, 0, 0, 1).put("mare-narbo", 1, 0, 0, 0, 1, 1).put("creta", 0, 1)
        p.put("creta", 1, 0, 0, 0, 0, 1, 1).g.talents[1] = 15
        self.play(p.land_battles(0), (0, count(0, 1), "count 1"), (1, ["crown asia", "crown mare-narbo"], "crown mare-narbo"))
        self.assertEqual((p.at("mare-narbo", 1), p.talents, p.captives[0]), ([0, 0, 0, 1, 0, 1], [15, 0], [0, 1]))

    def test_without_a_captor_nothing_is_paid(self):
        p = Position(2).put("asia", 1, 0, 0, 0, 0, 1)
        p.g.talents[1] = 50
        self.play(p.fall(1, 2, 1, None))
        self.assertEqual((p.at("asia", 1), p.talents, p.captives), ([0, 0, 0, 0, 0, 1], [0, 50], [[0, 0], [0, 0]]))

    def test_the_heir(self):
        p = Position(3, pools={"infantry": 7}, start={"infantry": 6}).mine("asia", 1, 5, 1, 0, 1).mine("creta", 1, 3, 0, 0, 2)
        p.put("mare-narbo", 1, 2, 0, 0, 2, 1).city("asia", FORT).own(0, "mesopotamia").put("mesopotamia", 0, 1)
        p.put("syria", 1, 0, 0, 0, 0, 1)
        g = p.g
        g.home = [p.b.index[h] for h in ("mesopotamia", "galatia", "egypt")]
        g.talents = [1, 70, 0]
        g.captives = [[0, 2, 0], [1, 0, 1], [1, 1, 0]]
        p.at("mare-narbo", 1)[4] = p.at("syria", 1)[4] = 0                      # no general is left
        self.play(p.fall(1, 0, 1, 0))
        self.assertEqual((g.out, g.talents), ([False, True, False], [71, 0, 0]))
        self.assertEqual((p.owner("asia"), p.owner("creta"), g.city[p.b.index["asia"]]), (0, 0, FORT))
        self.assertEqual(p.at("asia", 0), [5, 1, 0, 1, 0, 0])
        self.assertEqual(p.at("creta", 0), [1, 0, 0, 2, 0, 0])                  # the pool has no more infantry
        self.assertEqual(p.at("mare-narbo", 0), [0, 0, 0, 2, 0, 0])
        self.assertEqual(p.at("mesopotamia", 0), [1, 0, 0, 0, 1, 0])            # his general comes home
        self.assertEqual(g.captives, [[0, 0, 1], [0, 0, 0], [1, 0, 0]])

    def test_no_heir(self):
        p = Position(3).mine("asia", 1, 5).mine("egypt", 2, 1)
        g = p.g
        g.home = [p.b.index[h] for h in ("mesopotamia", "galatia", "egypt")]
        g.talents[1] = 9
        g.captives = [[0, 1, 0], [1, 0, 1], [0, 0, 0]]
        self.play(p.fall(1, 0, 1, None))
        self.assertEqual((p.owner("asia"), p.at("asia", 1), g.talents[1]), (None, [0] * 6, 0))
        self.assertEqual(p.at("egypt", 2), [1, 0, 0, 0, 1, 0])
        self.assertEqual(g.captives, [[0] * 3] * 3)                             # the general without a home is gone
        self.assertEqual(sum(here[0][4] for here in g.at), 0)

    def test_the_turn_of_who_is_out_ends(self):
        p = Position(3).own(2, "asia")
        self.assertIsInstance(self.play(p.fall(0, 0, 1, 1)), TurnOver)
        p = Position(2)
        end = self.play(p.fall(0, 0, 1, None))
        self.assertEqual(end.args, ([1],))

    def test_the_last_player_wins_before_he_has_taken_what_he_stands_in(self):
        p = Position(2).mine("syria", 1, 0, 0, 0, 0, 0, 1).put("syria", 0, 1).put("egypt", 0, 1, 0, 0, 0, 0, 1)
        end = self.play(p.land_battles(0))
        self.assertEqual((end.args, p.owner("egypt"), p.owner("syria")), (([0],), 0, 0))
        p = Position(2).put("asia", 1, 0, 0, 0, 0, 0, 1).put("asia", 0, 1).put("syria", 0, 1, 0, 0, 0, 0, 1)
        end = self.play(p.land_battles(0))
        self.assertEqual((end.args, p.owner("asia"), p.owner("syria")), (([0],), None, None))
        with self.assertRaises(AssertionError):
            p.check_invariants()
        p.g.winners = end.args[0]
        p.check_invariants()

    def test_base_has_no_successor(self):
        p = Position(3, options={"variant": "base"}).mine("asia", 1, 1, 0, 0, 0, 3)
        self.play(p.fall(1, 0, 1, 2))
        self.assertEqual((p.out[1], p.owner("asia"), p.at("asia", 2)), (True, 2, [1, 0, 0, 0, 0, 0]))

    def test_taking_a_province(self):
        p = Position(2).mine("hispania", 1, 0, 0, 0, 3).put("hispania", 0, 1).city("hispania", FORT)
        p.g.talents = [0, 55]
        self.play(p.land_battles(0))
        self.assertEqual((p.owner("hispania"), p.talents, p.at("hispania", 1)), (0, [20, 35], [0] * 6))
        self.assertEqual(p.g.city[p.b.index["hispania"]], FORT)
        p.own(1, "asia").put("asia", 0, 1)
        self.play(p.land_battles(0))
        self.assertEqual(p.talents, [20, 35])                                   # not his home

    def test_a_home_lost_by_another_is_not_paid(self):
        p = Position(3).own(2, "mesopotamia").put("mesopotamia", 1, 1)
        p.g.talents, p.g.turn = [50, 50, 50], 1
        self.play(p.land_battles(1))
        self.assertEqual(p.talents, [50, 50, 50])


class Money(Script):
    def test_tribute(self):
        p = Position(2).own(0, "mesopotamia", "italia", "asia", "creta").city("asia").city("creta", FORT)
        self.assertEqual(p.tribute(0), 15 + 20 + 10 + 5 + 5 + 5)
        p = Position(2, options={"variant": "base"}).own(0, "mesopotamia", "italia", "asia", "creta").city("asia")
        self.assertEqual(p.tribute(0), 10 + 10 + 10 + 5 + 5)
        p.own(1, "mesopotamia")
        self.assertEqual(p.tribute(0), 0)

    def test_inflation_is_of_anybody_and_for_good(self):
        p = Position(3, **friz(inflation_at=[20, 30])).own(1, "italia").own(0, "creta")
        p.tribute_phase(0)
        self.assertEqual((p.talents, p.factor), ([5, 0, 0], 2))
        p.own(1, "asia").tribute_phase(0)
        self.assertEqual(p.factor, 3)
        p.own(None, "asia", "italia").tribute_phase(0)
        self.assertEqual((p.factor, p.price("road")), (3, 30))
        p = Position(3, **friz(inflation_at=[20, 30])).own(1, "italia")
        p.g.out[1] = True
        p.tribute_phase(0)
        self.assertEqual(p.factor, 1)

    def buy(self, p, *script):
        self.play(p.purchases(0), *script)

    def test_cities_forts_and_roads(self):
        p = Position(2).own(0, "asia", "galatia", "creta")
        p.g.talents[0] = 110
        self.buy(p, (0, ["buy city asia", "buy city creta", "buy city galatia", "buy infantry asia", "buy infantry galatia",
                         "buy cavalry asia", "buy cavalry galatia", "buy catapult asia", "buy catapult galatia",
                         "buy galley asia", "buy galley galatia", "done"], "buy city asia"),
                 (0, None, "buy city galatia"), (0, None, "buy fort galatia"), (0, None, "buy road asia galatia"),
                 (0, ["buy infantry asia", "buy infantry galatia", "buy cavalry asia", "buy cavalry galatia",
                      "buy galley asia", "buy galley galatia", "done"], "buy cavalry galatia"))
        self.assertEqual((p.talents[0], p.g.roads), (0, {(p.b.index["asia"], p.b.index["galatia"])}))
        self.assertEqual(p.at("galatia", 0), [0, 1, 0, 0, 0, 0])

    def test_razing_takes_the_roads(self):
        p = Position(2).own(0, "asia", "galatia", "cilicia").city("asia").city("galatia", FORT).city("cilicia")
        p.road("asia", "galatia").road("galatia", "cilicia")
        self.buy(p, (0, ["raze asia", "raze cilicia", "raze galatia", "done"], "raze asia"), (0, None, "done"))
        self.assertEqual(len(p.g.roads), 1)

    def test_a_city_razed_and_built_anew_gives_no_unit(self):
        p = Position(2).own(0, "creta").city("creta")
        p.g.talents[0] = 60
        self.buy(p, (0, ["raze creta", "buy fort creta", "buy infantry creta", "buy cavalry creta", "buy catapult creta",
                         "buy galley creta", "done"], "raze creta"), (0, ["buy city creta", "done"], "buy city creta"),
                 (0, ["buy fort creta", "done"], "buy fort creta"))

    def test_the_three_places_add_up(self):
        p = Position(2).own(0, "asia").city("asia", FORT).put("asia", 0, 0, 0, 0, 0, 0, 1)
        p.g.talents[0] = 100
        self.buy(p, (0, None, "buy infantry asia"), (0, count(1, 3), "count 2"),
                 (0, ["buy cavalry asia", "buy catapult asia", "buy galley asia", "done"], "buy galley asia"))
        self.assertEqual(p.at("asia", 0), [2, 0, 0, 1, 0, 1])

    def test_the_home_has_no_limit(self):
        p = Position(2).own(0, "mesopotamia", "syria", "armenia")
        p.g.talents[0] = 100
        self.buy(p, (0, ["buy city armenia", "buy city mesopotamia", "buy city syria", "buy infantry mesopotamia",
                         "buy cavalry mesopotamia", "buy catapult mesopotamia", "buy galley armenia", "buy galley syria",
                         "done"], "buy galley armenia"), (0, count(1, 5), "count 4"), (0, ["buy galley syria", "done"], "done"))
        p = Position(2).own(1, "mesopotamia", "syria", "armenia")               # for another it is a territory of one
        p.g.talents[1], p.g.turn = 100, 1
        self.assertEqual(self.offered(p.purchases(1)), [
            "buy city armenia", "buy city mesopotamia", "buy city syria", "buy infantry mesopotamia",
            "buy cavalry mesopotamia", "buy catapult mesopotamia", "done"])
        self.play(p.purchases(1), (1, None, "buy infantry mesopotamia"))

    def test_pools_and_stocks(self):
        p = Position(2, stock={"city": 2, "fort": 2, "road": 1}, pools={"infantry": 6, "cavalry": 0}).own(0, "mesopotamia", "asia")
        p.city("asia").own(1, "egypt").city("egypt", FORT).mine("mesopotamia", 0, 5)
        p.g.talents[0] = 400
        options = self.offered(p.purchases(0))
        self.assertFalse([o for o in options if o.startswith("buy city") or "cavalry" in o])
        self.assertIn("buy fort asia", options)
        self.buy(p, (0, None, "buy infantry mesopotamia"), (0, None, "done"))

    def test_without_his_home_in_base(self):
        p = Position(2, options={"variant": "base"}).own(0, "asia", "syria").own(1, "mesopotamia").city("asia")
        p.g.talents[0] = 500
        p.g.captives[1][0] = 1
        self.assertEqual(self.offered(p.purchases(0)), ["raze asia", "done"])

    def test_ransom(self):
        p = Position(3).own(0, "mesopotamia").own(1, "hispania")
        g = p.g
        g.home = [p.b.index[h] for h in ("mesopotamia", "hispania", "egypt")]
        g.talents = [9, 0, 0]
        g.captives = [[0, 1, 1], [2, 0, 0], [1, 0, 0]]
        self.play(p.purchases(0), (0, ["ransom 1 5", "exchange 1", "ransom 2 5", "done"], "exchange 1"),
                  (1, ["accept", "refuse"], "accept"), (0, ["ransom 2 5", "done"], "ransom 2 5"), (2, None, "accept"))
        self.assertEqual((g.captives, g.talents), ([[0, 0, 1], [1, 0, 0], [0, 0, 0]], [4, 0, 5]))
        self.assertEqual((p.at("mesopotamia", 0)[4], p.at("hispania", 1)[4]), (2, 1))
        g.talents[0] = 12
        self.play(p.purchases(0), (0, ["ransom 1 5", "ransom 1 10", "buy infantry mesopotamia", "done"], "ransom 1 10"),
                  (1, None, "refuse"), (0, ["buy infantry mesopotamia", "done"], "done"))
        p.own(1, "mesopotamia")
        self.play(p.purchases(0))

    def test_prices_of_nothing(self):
        p = Position(2, prices={"infantry": 0}, pools={"infantry": 8}).own(0, "mesopotamia")
        self.buy(p, (0, ["buy infantry mesopotamia", "done"], "buy infantry mesopotamia"), (0, count(1, 8), "count 8"))


class Ends(Script):
    def turn_end(self, round_number, player, script=(), out=(), **rules):
        p = Position(3, **rules)
        p.g.round = round_number
        for q in out:
            p.g.out[q] = True
        return self.play(p.end_of_turn(player), *script)

    def test_the_ladder(self):
        self.assertIsNone(self.turn_end(11, 2))
        self.assertIsNone(self.turn_end(12, 0))
        self.assertIsNone(self.turn_end(12, 2, [(2, C)]))
        self.assertIsNotNone(self.turn_end(12, 2, [(2, I)]))
        self.assertIsNone(self.turn_end(13, 1, [(1, C)]))
        self.assertIsNotNone(self.turn_end(13, 2, [(2, C)]))
        self.assertIsNone(self.turn_end(16, 1, [(1, B)]))
        self.assertIsNotNone(self.turn_end(16, 2))
        self.assertIsNotNone(self.turn_end(16, 1, out=[2]))

    def test_the_last_turn_is_of_who_is_left(self):
        self.assertIsNone(self.turn_end(12, 1))
        self.assertIsNotNone(self.turn_end(12, 1, [(1, I)], out=[2]))
        self.assertIsNotNone(self.turn_end(12, 2, [(2, I)], out=[2]))           # out in his own turn

    def test_base_ends_without_dice(self):
        self.assertIsNone(self.turn_end(12, 1, options={"variant": "base"}))
        self.assertIsNotNone(self.turn_end(12, 2, options={"variant": "base"}))

    def test_homes_win(self):
        p = Position(2).own(1, "italia", "egypt", "galatia", "hispania", "numidia")
        p.check_homes()
        p.own(1, "macedonia")
        with self.assertRaises(GameOver) as end:
            p.check_homes()
        self.assertEqual(end.exception.args, ([1],))
        Position(2, options={"variant": "base"}).own(1, *[p.b.names[h] for h in p.b.homes]).check_homes()

    def test_points(self):
        p = Position(3).own(0, "egypt").own(1, "galatia").own(2, "asia", "syria", "africa")
        p.put("egypt", 0, 1, 0, 0, 0, 1).put("galatia", 1, 2, 0, 0, 0, 1)
        self.assertEqual(p.by_points(), [1])
        p.put("mare-narbo", 0, 1, 0, 0, 0)
        self.assertEqual(p.by_points(), [0, 1])
        p.put("asia", 0, 0, 0, 0, 0, 1)
        self.assertEqual(p.by_points(), [0])
        p.city("galatia")
        self.assertEqual(p.by_points(), [1])
        p.own(2, "egypt", "galatia")
        self.assertEqual(p.by_points(), [2])
        p.g.winners = [2]
        p.g.out[1] = True
        self.assertEqual(p.result(), ([0, 0, 2000 + 10 + 10 + 10 + 15 + 15 + 5 + 10 + 10], [2]))


class Boards(unittest.TestCase):
    BAD = [{"options": {"variant": "frizz"}}, {"options": {"final_round": 0}}, {"options": {"final_round": True}},
           {"option": {}}, {"prices": {"city": -5}}, {"prices": {"forum": 5}}, {"start": {"caesar": 2}},
           {"start": {"general": 5}}, {"start": {"city": "castle"}}, {"movement": {"galley": 3}},
           {"movement": {"land_cost": 2}}, {"battle": {"legion": 0}}, {"income": {"ransom_offers": [10, 5]}},
           {"income": {"inflation_factor": [1, 2]}}, {"income": {"inflation_factor": [0, 1, 2]}},
           {"variant": {"friz": {"inflation_at": [250, 150]}}}, {"variant": {"friz": {"end_ladder": []}}},
           {"variant": {"friz": {"end_ladder": [["general"]]}}}, {"variant": {"friz": {"home_victory": {"7": 3}}}},
           {"variant": {"friz": {"home_victory": {"3": 0}}}}, {"variant": {"friz": {"start_placement": "here"}}},
           {"variant": {"other": {}}}, {"die": {"faces": []}}, {"die": {"faces": ["eagle"]}},
           {"seats": {"order": ["italia"]}}, {"province": {"atlantis": {"value": 5}}}, {"province": {"asia": {"vp": 5}}},
           {"province": {"asia": {"land": ["egypt"]}}}, {"strait": {"messina": {"zone": "syria"}}},
           {"province": {"egypt": {"galleys_at": ["dacia"]}}}, {"province": {"asia": {"home": True}}}, {"gift": {"x": 1}}]
    BAD_SEATS = [{"seats": {"2": ["italia"]}}, {"seats": {"2": ["italia", "italia"]}}, {"seats": {"2": ["italia", "asia"]}},
                 {"seats": {"2": ["italia", "rome"]}}, {"stock": {"city": 1}}, {"stock": {"fort": 1}}]

    def test_bad_rules_are_refused(self):
        for rules in self.BAD:
            with self.assertRaises(ValueError, msg=rules):
                board(**rules)

    def test_bad_tables_are_refused(self):
        for rules in self.BAD_SEATS:
            with self.assertRaises(ValueError, msg=rules):
                board(**rules).seats(2)

    def test_bad_files_are_refused(self):
        for change in (lambda raw: raw.pop("die"), lambda raw: raw["die"].update(sides=6), lambda raw: raw.update(dice={}),
                       lambda raw: raw["province"][3].pop("value"), lambda raw: raw["province"][3].pop("id"),
                       lambda raw: raw["pools"].update(infantry="many"), lambda raw: raw["province"][0].update(id="asia")):
            raw = copy.deepcopy(RAW)
            change(raw)
            with self.assertRaises(ValueError):
                boards.normalise(raw)

    def test_every_key_has_an_override(self):
        self.assertEqual(classic_overrides.uncovered(), [])
        self.assertEqual(list(classic_overrides.refused()), [])

    def test_settings_are_texts(self):
        texts = list(differential.settings({"variant": {"friz": {"end_ladder": [["blank"]], "guards": False}}}))
        self.assertEqual(texts, ['variant.friz.end_ladder=[["blank"]]', "variant.friz.guards=false"])


class Treated(unittest.TestCase):
    def test_gifts_of_pieces_and_talents(self):
        rules = {"gift": {"s1": {"seat0": {"talents": 30, "infantry": 99, "galley": 2}, "seat1": {"talents": -9, "galley": 2}}}}
        p = Position(2, **rules).own(0, "mesopotamia", "syria").own(1, "hispania")
        p.g.talents[1] = 5
        p.gifts(1)
        self.assertEqual((p.talents, p.at("mesopotamia", 0)), ([30, 0], [20, 0, 0, 0, 0, 0]))
        self.assertEqual((p.at("hispania", 1), p.at("syria", 0)), ([0, 0, 0, 2, 0, 0], [0, 0, 0, 2, 0, 0]))
        p.gifts(2)
        self.assertEqual(p.talents, [30, 0])
        p = Position(2, **rules).own(1, "mesopotamia")                          # both homes are lost
        p.gifts(1)
        self.assertFalse(any(p.on_board(q, range(6)) for q in range(2)))

    def test_gifts_of_provinces_and_cities(self):
        rules = {"gift": {"s1": {"seat0": {"province": {"asia": True, "egypt": True, "creta": True},
                                           "city": {"asia": True, "egypt": True, "creta": True}}}}, "stock": {"city": 3}}
        p = Position(2, **rules).guard("egypt").own(1, "creta").city("hispania")
        p.gifts(1)
        self.assertEqual([p.owner(x) for x in ("asia", "egypt", "creta")], [0, None, 1])
        self.assertEqual([p.g.city[p.b.index[x]] for x in ("asia", "egypt", "creta")], [CITY, 0, 0])
        p.own(0, "egypt", "creta").city("creta", 0)
        p.gifts(1)
        self.assertEqual([p.g.city[p.b.index[x]] for x in ("asia", "egypt", "creta")], [CITY, 0, CITY])

    def test_bad_treatments_are_refused(self):
        for seats in ({"gold": 1}, {"infantry": -1}, {"talents": True}, {"province": {"atlantis": True}}, {"city": {"mare-narbo": True}},
                      {"province": {"asia": 1}}, {"general": 1}, 5):
            with self.assertRaises(ValueError, msg=seats):
                board(gift={"s1": {"seat0": seats}})
        for rules in ({"seat0": {"talents": 5}}, {"s1": {"player0": {"talents": 5}}}, {"1": {"seat0": {"talents": 5}}}):
            with self.assertRaises(ValueError, msg=rules):
                board(gift=rules)
        with self.assertRaises(ValueError):
            board(gift={"s1": {"seat2": {"talents": 5}}}).seats(2)


@functools.cache
def kind(eager=False):
    return classic.Kind(classic, RAW, eager)


class Records(unittest.TestCase):
    def lines(self, seats, seed, rules=None, eager=False):
        return list(records.generate(kind(eager), seats, seed, 0, rules))

    def faults(self, lines):
        return records.Referee(kind()).check(lines)

    def test_generated_games_pass(self):
        for seats in range(2, 7):
            self.assertEqual(self.faults(self.lines(seats, "pass", eager=seats % 2 == 0)), [])

    def test_games_under_overrides_pass(self):
        for number in range(1, len(classic_overrides.OVERRIDES), 6):
            rules = classic_overrides.OVERRIDES[number]
            self.assertEqual(self.faults(self.lines(3, "over", rules, True)), [], rules)

    def test_the_same_seed_is_the_same_game(self):
        self.assertEqual(self.lines(2, "a"), self.lines(2, "a"))
        self.assertNotEqual(self.lines(2, "a"), self.lines(2, "b"))

    def changed(self, rng, line):
        """The line, so that it is certainly wrong."""
        value = json.loads(line)
        if "player" in value:
            key = rng.choice(("legal", "player", "action", "note"))
            value[key] = {"legal": value.get("legal", 0) + 1, "player": value["player"] + 1,
                          "action": value["action"] + " x", "note": 1}[key]
        elif "chance" in value:
            value["value"] = rng.choice((9, ["eagle"], "eagle"))
        elif "state" in value:
            key = rng.choice(sorted(value["state"]))
            value["state"][key] = [[], 99]
        elif "end" in value:
            value["end"][rng.choice(sorted(value["end"]))] = [7, 7, 7]
        else:
            value["seed"] = 5
        return records.dump(value)

    def test_changes_fail_on_their_line(self):
        rng = random.Random(3)
        for seats in (2, 5):
            lines = self.lines(seats, "m", {"options": {"final_round": 2}}, True)
            for i in {0, len(lines) - 1, len(lines) - 2} | set(rng.sample(range(len(lines)), 10)):
                found = self.faults(lines[:i] + [self.changed(rng, lines[i])] + lines[i + 1:] + lines)
                self.assertEqual([(f[0], f[1]) for f in found], [(i + 1, 1)], lines[i])

    def test_lines_lost_or_doubled_are_found(self):
        rng = random.Random(4)
        lines = self.lines(3, "d", {"options": {"final_round": 2}}, True)
        for i in rng.sample(range(1, len(lines)), 8):
            self.assertEqual(len(self.faults(lines[:i] + lines[i + 1:])), 1, i)
            self.assertGreaterEqual(len(self.faults(lines[:i + 1] + lines[i:])), 1, i)

    def test_headers_are_refused(self):
        lines = self.lines(2, "h", {"options": {"final_round": 1}})
        header = json.loads(lines[0])
        cases = [{"rules": rules} for rules in Boards.BAD + Boards.BAD_SEATS] + [{"game": "conquest2"}, {"seats": 7}, {"seats": 1}]
        for change in cases:
            wrong = records.dump({**header, **change})
            self.assertEqual([f[:2] for f in self.faults([wrong] + lines[1:])], [(1, 1)], change)

    def test_playthroughs_of_the_engine(self):
        for seats in classic_lines.PLAYED:
            self.assertTrue(classic_lines.playthrough(kind(), seats))

    def test_lines_of_play_of_the_engine(self):
        seats, number, theirs = classic_lines.positions()[0]
        self.assertEqual((seats, number), (2, 0))
        self.assertEqual(classic_lines.count(kind(), 2, [], 14), theirs[:2])

    def test_a_changed_playthrough_is_found(self):
        game = kind().game(kind().board({}), 2)
        request = next(game.run())
        self.assertEqual(classic_lines.answer("player 0: claim creta (of 14: claim armenia, …)", request), "claim creta")
        for event in ("player 1: claim creta (of 14: claim armenia, …)", "player 0: claim creta (of 13: claim armenia, …)",
                      "player 0: claim egypt (of 14: claim armenia, …)", "player 0: claim creta (of 14: claim asia, …)"):
            with self.assertRaises(classic_lines.Wrong, msg=event):
                classic_lines.answer(event, request)

    def test_command(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(classic.command(["--play", "7", "--games", "2", "--players", "3", "--overrides",
                                              '{"options": {"final_round": 2}}']), 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games")
            for text, code, last in ((out.getvalue(), 0, "games 2 failed 0"),
                                     (out.getvalue().replace('"legal":', '"legal":1', 1), 1, "games 2 failed 1")):
                with open(path, "w", encoding="utf-8") as handle:
                    handle.write(text)
                shown = io.StringIO()
                with contextlib.redirect_stdout(shown):
                    self.assertEqual(classic.command([path]), code)
                self.assertEqual(shown.getvalue().splitlines()[-1], last)


if __name__ == "__main__":
    unittest.main()
