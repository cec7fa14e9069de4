"""Tests of the referee's rise: a small position for every clause of the rules page that is easily missed, and records of games."""

import contextlib
import copy
import functools
import io
import itertools
import json
import os
import re
import sys
import tempfile
import unittest
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import records
import rise
import rise_overrides
import rome
from rome import RulesError
from test_rome import Script

DATA = rome.load("rise")
PLAYTHROUGHS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "tests", "playthroughs")
PLY = re.compile(r"player (\d): (.*?) \(of (\d+): (.*)\)$")


@functools.cache
def kind(eager=False):
    return rise.Kind(DATA, eager)


def board(rules):
    return kind().board(rules)


def after(generator, *answers):
    """The request that follows these answers; None where nothing does."""
    request = next(generator, None)
    for answer in answers:
        assert answer in request[2], request
        try:
            request = generator.send(answer)
        except StopIteration:
            return None
    return request


class Position(Script):
    def position(self, seats=2, era=1, rules=None, **own):
        """A game in the midst of a turn; `own` gives lists or dicts of the game by name, per seat or by region."""
        g = rise.Game(board(rules or {}), seats)
        g.order, g.era, g.finished = list(range(seats)), era, 2 * (era - 1)
        for name, value in own.items():
            if name == "map":
                for region, there in value.items():
                    for q, cubes in enumerate(there):
                        g.map[region][q] = cubes
                        g.stock[q] -= cubes
            elif name in ("progress", "city"):
                setattr(g, name, [set(x) for x in value] + [set()] * (seats - len(value)))
            elif name == "territory":
                g.territory = [Counter(x) for x in value] + [Counter() for _ in range(seats - len(value))]
            elif name == "pool":
                for q, cubes in enumerate(value):
                    g.stock[q] += g.pool[q] - cubes
                    g.pool[q] = cubes
            else:
                setattr(g, name, list(value))
        g.empires = list(g.b.empire)
        return g

    def show(self, g, **tiles):
        for pile, names in tiles.items():
            g.shown[pile] = Counter(names)

    def finish(self, generator):
        """A generator that asks nothing; its value."""
        try:
            request = next(generator)
        except StopIteration as stop:
            return stop.value
        self.fail("unexpected request %r" % (request,))

    def options(self, generator, *answers):
        request = after(generator, *answers)
        return request and request[2]


class Rules(unittest.TestCase):
    def refused(self, rules, word):
        with self.assertRaises(RulesError, msg=rules) as raised:
            board(rules)
        self.assertIn(word, str(raised.exception))

    def test_paths_nested_and_with_dots(self):
        for rules in ({"region": {"north_africa": {"vp": [7, 6]}}}, {"region.north_africa.vp": [7, 6]},
                      {"region.north_africa": {"vp": [7, 6]}}):
            self.assertEqual(board(rules).region["north-africa"]["vp"], [7, 6])
        self.assertEqual(board({"display.leftovers_by_players.2": "all"}).cfg["display"]["leftovers_by_players"]["2"], "all")
        self.refused({"start.gold": 4, "start": {"gold": 5}}, "start.gold")

    def test_entries_get_keys_that_others_have(self):
        self.assertEqual(board({"region.china.symbol.gold": 2}).region["china"]["symbol"], {"gold": 2})
        self.assertEqual(board({"region.italy.symbol.food": 2}).region["italy"]["symbol"], {"gold": 2, "food": 2})
        self.assertTrue(board({"region.gaul.sea": True}).region["gaul"]["sea"])
        self.assertEqual(board({"progress.iron_weapons.effect.extra_areas": 1}).effect["iron-weapons"]["extra_areas"], 1)
        self.assertEqual(board({"territory.forest.choice": ["gold", "food"]}).choices["forest"], ["gold", "food"])

    def test_the_data_is_not_changed_by_overrides(self):
        before = copy.deepcopy(DATA)
        board({"region.italy.vp": [9, 9], "city.memphis.income.gold": 3})
        self.assertEqual(DATA, before)

    def test_what_is_not_there_or_fixed(self):
        for path in ("gold", "start.silver", "region.atlantis.vp", "region.italy.id", "region.italy.zone", "meta.version", "players.max",
                     "stock.progress_tiles", "stock.action_discs_per_colour", "stock.alliance_pieces_per_colour",
                     "display.cities_per_turn.IA", "empire.1.id", "empire.1.areas", "trade.1.id", "city.rome.slot", "progress.mining.effect.tile",
                     "progress.mining.effect.kind", "progress.irrigation.effect.amount", "progress.diplomacy.effect.gain.gold",
                     "tile_rules.city_duplicates", "map_rules.tie_income", "map_rules.zones", "territory.village_gold.class",
                     "empire.9.front.areas", "start", "region.italy"):
            self.refused({path: 1}, path)

    def test_other_types_and_numbers_out_of_range(self):
        for path, value in (
                ("start.gold", True), ("start.gold", 5.0), ("start.gold", "5"), ("start.gold", -1), ("start.gold", [5]),
                ("start.resource_discs", -1), ("map_rules.navigation_scope", "all"), ("map_rules.navigation_scope", True),
                ("empire_rules.zero_cubes_allowed", 1), ("display.leftovers_by_players.3", "none"),
                ("food_track.food_above_max_per_gold", 0), ("costs.decline_divisor", 0), ("costs.end_gold_per_vp", 0),
                ("costs.end_resource_per_vp", 0), ("stock.actions_per_turn", 0), ("action_display.columns_by_players.2", 0),
                ("action_display.circles.trade", 0), ("empire.1.front.areas", 0), ("stock.player_cubes_per_colour", 256),
                ("region.italy.vp", [1]), ("region.italy.vp", [1, -1]), ("region.italy.era", 4), ("trade.1.eras", [0]),
                ("trade.1.eras", [1, 1]), ("region.italy.symbol.vp", 1), ("region.italy.symbol.gold", -1), ("city.rome.income.food", 1),
                ("city.rome.income.vp", 1), ("progress.merchant_guilds.effect.gain.food", 1),
                ("progress.stock_exchange.effect.gain.food", 1), ("progress.mercenaries.effect.cost.vp", 1),
                ("territory.plain.choice", ["vp"]), ("territory.plain.choice", ["gold", "gold"]), ("territory.plain.choice", ["silver"]),
                ("progress.masonry.effect.of", ["town"]), ("empire.1.back.battles", [[1, 2], [1, 2], [1, 1]]),
                ("empire.1.back.battles", [[1, 2, 3]]), ("costs.progress_gold_by_eras_old", [0, 1]),
                ("empire_rules.battle_lines_by_era", [1, 1, 2, 2]), ("city.rome.vp", -1), ("progress.religion.effect.vp", -1)):
            self.refused({path: value}, path)

    def test_what_may_be_negative(self):
        rules = {"city.rome.food": -9, "territory.plain.income.food": -1, "progress.irrigation.effect.gain.food": -2,
                 "food_track.min": -5, "start.food": -2, "start.vp": -3, "progress.gunpowder.effect.attacker_loss": -1}
        g = kind().game(board(rules), 2)
        self.assertEqual((g.food, g.vp), ([-2, -2], [-3, -3]))

    def test_what_does_not_fit_the_rest(self):
        for rules, word in (
                ({"start.cubes_in_pool": 6}, "cubes"), ({"stock.player_cubes_per_colour": 31}, "cubes"),
                ({"start.food": 21}, "track"), ({"food_track.min": 17}, "track"), ({"start.resource_discs": 21}, "discs"),
                ({"region.italy.adjacent": ["gaul"]}, "border"), ({"region.china.adjacent": ["india", "middle_east"]}, "border"),
                ({"region.china.adjacent": ["india", "middle_east"],
                  "region.middle_east.adjacent": ["asia_minor", "egypt", "eastern_europe", "mediterranean_sea", "china"]}, "border"),
                ({"action_display.b_turn_cost_currencies": ["vp", "gold"]}, "last"),
                ({"action_display.b_turn_cost_currencies": []}, "currencies"),
                ({"progress.mining.effect.choice": ["gold"]}, "mining"),
                ({"progress.shipping.effect.amount": 32}, "amount")):
            self.refused(rules, word)
        with self.assertRaises(RulesError):
            kind().game(board({"start.resource_discs": 10}), 5)
        kind().game(board({"start.resource_discs": 10}), 4)

    def test_every_key_is_in_the_differential_run(self):
        self.assertEqual(rise_overrides.coverage(DATA), [])


class Course(Position):
    def test_set_up(self):
        g = rise.Game(board({}), 3)
        self.play(g.set_up(), ("chance", 2), ("chance", 0))
        self.assertEqual(g.order, [2, 0, 1])
        state = g.state()
        self.assertEqual(state["players"][1], {"gold": 5, "resource": 2, "food": 16, "vp": 0, "pool": 5, "stock": 25,
                                               "progress": [], "territory": {}, "city": []})
        self.assertEqual((state["turn"], state["map"], state["discs"]), (0, {}, [[]] * 5))
        self.assertEqual([sum(state["stacks"][pile].values()) for pile in ("progress", "territory")], [48, 40])

    def test_one_draw_is_over_the_single_tiles_left(self):
        g = self.position()
        run = g.new_tiles("IA")
        request = next(run)
        self.assertEqual(request[:3], ("chance", "progress", None))
        self.assertEqual(set(request[3].values()), {2})
        self.assertEqual(len(request[3]), 8)
        self.assertEqual(run.send("mining")[3]["mining"], 1)
        self.assertNotIn("mining", run.send("mining")[3])
        for tile in ("religion", "masonry", "shipping", "currency", "irrigation"):
            self.assertEqual(run.send(tile)[1], "progress")
        request = run.send("religion")
        self.assertEqual((request[1], sum(request[3].values())), ("territory", 40))
        for _ in range(9):
            request = run.send("plain")
        self.assertEqual(request[3]["plain"], 1)
        with self.assertRaises(StopIteration):
            run.send("plain")
        self.assertEqual(g.shown["progress"], Counter({"mining": 2, "religion": 2, "masonry": 1, "shipping": 1, "currency": 1,
                                                       "irrigation": 1}))
        self.assertEqual(sorted(g.shown["city"]), ["athens", "babylon", "hanging-gardens", "memphis", "pyramids"])
        self.assertEqual(g.stacks["territory"]["plain"], 0)

    def test_a_stack_of_no_more_than_are_due_is_no_chance(self):
        g = self.position(era=3)
        g.stacks["progress"].subtract({x: 1 for x in g.b.progress if g.b.progress[x]["era"] == 3})
        self.assertEqual(g.era, 3)
        self.finish(g.new_tiles("IIIB"))
        self.assertEqual((g.shown["progress"].total(), g.shown["territory"].total(), g.shown["city"].total()), (8, 0, 8))

    def test_leftovers(self):
        for seats, stays in ((2, ["irrigation"]), (3, ["irrigation"]), (4, ["irrigation", "mining"])):
            g = self.position(seats)
            self.show(g, progress=["irrigation", "mining"], territory=["plain"], city=["memphis", "pyramids"])
            g.boxes = {"1": 1}
            g.leftovers()
            self.assertEqual(sorted(+g.shown["progress"]), stays)
            self.assertEqual((g.shown["territory"]["plain"], g.shown["city"]["memphis"]), (seats == 4, seats == 4))
            self.assertEqual(g.shown["city"]["pyramids"], 0)
            self.assertEqual(g.gone["city", "pyramids"], 1)

    def test_phases_of_a_turn(self):
        calls = []

        class Told(rise.Game):
            """Phases that only say that they come."""

            def score(self):
                calls.append("score")

            def final_points(self):
                calls.append("final_points")

        def phase(name):
            def told(self, *_):
                calls.append(name)
                return self.order
                yield
            return told

        for name in ("new_tiles", "actions", "food_phase", "income_phase", "new_order", "end_of_era"):
            setattr(Told, name, phase(name))
        g = Told(board({}), 2)
        self.play(g.run(), ("chance", 1))
        turn = ["new_tiles", "actions", "food_phase", "income_phase", "score"]
        middle = turn + ["new_order"]
        self.assertEqual(calls, (middle + middle + ["end_of_era"]) * 2 + middle + turn + ["final_points"])


class Actions(Position):
    def test_usable_circles(self):
        b = board({})
        self.assertEqual([b.open_row("empire", n) for n in (2, 3, 4, 5)], [4, 6, 8, 8])
        self.assertEqual([b.open_row("trade", n) for n in (2, 3, 4, 5)], [4, 6, 8, 10])

    def test_only_rows_in_which_something_can_be_done(self):
        g = self.position(resource=[0, 0], gold=[0, 5])
        self.show(g, progress=["mining"], territory=["plain"], city=["memphis"])
        self.assertEqual(g.disc_options(0, True), ["place progress", "place territory", "place empire"])
        self.assertEqual(g.disc_options(1, True), ["place progress", "place territory", "place city", "place empire"])
        g.discs["empire"] = [1, 1, 1, 1]
        g.progress[0] = {"mining"}
        g.shown["territory"].clear()
        # nothing can be done: any free circle, and nothing happens
        self.assertEqual(g.disc_options(0, True), ["place progress", "place territory", "place city", "place trade"])
        self.play(g.action(0, True), (0, None, "place city"))
        self.assertEqual((g.discs["city"], g.gold[0], g.city[0]), ([0], 0, set()))

    def test_an_action_without_a_free_circle_lapses_with_its_free_actions(self):
        g = self.position(progress=[["diplomacy"]], map={"italy": [1, 0]}, rules={"action_display.columns_by_players.2": 1})
        for row in g.discs:
            g.discs[row] = [1]
        self.finish(g.action(0, True))
        self.finish(g.action(0, False))            # no own disc

    def test_skipping_in_a_turns(self):
        g = self.position(resource=[0, 0], rules={"action_display.a_turn_may_skip_action": True})
        self.show(g, territory=["plain"])
        self.play(g.action(0, True), (0, ["place " + row for row in g.b.rows], "place territory"),
                  (0, ["territory plain", "skip"], "skip"))
        self.play(g.action(0, True), (0, None, "place trade"))       # `skip` is forced
        self.assertEqual((g.discs["territory"], g.discs["trade"], g.territory[0].total()), ([0], [0], 0))

    def taking_back(self, **own):
        g = self.position(**own)
        g.discs.update({"trade": [0, 1, 0, 1], "city": [1, 0]})
        return g

    def test_discs_to_the_left_are_paid(self):
        g = self.taking_back(gold=[2, 5], food=[1, 16])
        self.play(
            g.action(0, False), (0, ["remove city 2", "remove trade 1", "remove trade 3"], "remove trade 1"),
            (0, ["pay gold 1", "pay gold 2", "pay cubes 1", "pay cubes 2", "pay cubes 3", "pay resource 1", "pay resource 2",
                 "pay food 1", "pay vp 3"], "pay cubes 1"),
            (0, ["pay resource 1", "pay resource 2", "pay food 1", "pay vp 2"], "pay food 1"),
            # one victory point is the only way left
            (0, ["trade 1", "trade 2", "trade 3", "trade 4", "skip"], "skip"))
        self.assertEqual((g.pool[0], g.stock[0], g.food[0], g.vp[0], g.gold[0]), (4, 26, 0, -1, 2))
        self.assertEqual(g.discs["trade"], [None, 1, 0, 1])

    def test_circles_that_were_left_are_not_paid(self):
        g = self.taking_back()
        g.discs["trade"] = [0, None, None, 1]
        run = g.action(0, False)
        self.assertIn("pay vp 1", self.options(run, "remove trade 1"))
        g = self.taking_back()
        self.assertEqual(self.options(g.action(0, False), "remove city 2"), None)      # the city row is empty: `skip` is forced

    def test_paying_after_the_action(self):
        g = self.taking_back(gold=[1, 0], progress=[["diplomacy"]], map={"gaul": [1, 0]},
                             rules={"action_display.b_turn_pay_before_action": False})
        self.play(
            g.action(0, False), (0, ["use diplomacy gaul", "remove city 2", "remove trade 1", "remove trade 3"], "remove trade 1"),
            (0, None, "trade 1"), (0, None, "pay gold 3"), (0, ["use diplomacy gaul", "end"], "end"))
        self.assertEqual(g.gold[0], 1)

    def test_skip_only_where_nothing_else_can_be_done(self):
        rules = {"action_display.b_turn_may_skip_action": False}
        g = self.taking_back(rules=rules)
        self.assertEqual(self.options(g.action(0, False), "remove trade 1", "pay vp 3"), ["trade 1", "trade 2", "trade 3", "trade 4"])
        g = self.taking_back(rules=rules, resource=[0, 0])
        self.assertEqual(self.options(g.action(0, False), "remove trade 1", "pay vp 3"), None)

    def test_payments_in_food_stop_at_the_start_of_the_track(self):
        for least, most in ((0, 3), (2, 1), (-2, 5)):
            g = self.position(food=[3, 16], gold=[0, 0], pool=[0, 0], resource=[0, 0], rules={"food_track.min": least})
            self.assertEqual(self.options(g.pay(0, 9)), ["pay food %d" % k for k in range(1, most + 1)] + ["pay vp 9"])

    def test_other_currencies(self):
        rules = {"action_display.b_turn_cost_currencies": ["food", "gold", "vp"]}
        g = self.position(rules=rules)
        self.play(g.pay(0, 2), (0, ["pay food 1", "pay food 2", "pay gold 1", "pay gold 2", "pay vp 2"], "pay gold 1"))
        self.assertEqual((g.gold[0], g.vp[0]), (4, -1))

    def test_progress_tiles(self):
        g = self.position(era=3, gold=[1, 5], progress=[["ideology"]])
        self.show(g, progress=["irrigation", "banking", "ideology", "railways"])
        self.assertEqual(g.objects(0, "progress"), ["progress banking", "progress railways"])
        self.assertEqual(g.objects(1, "progress"), ["progress " + x for x in ("irrigation", "banking", "ideology", "railways")])
        self.finish(g.carry_out(1, "progress", "irrigation"))
        self.assertEqual((g.gold[1], g.progress[1], g.shown["progress"]["irrigation"]), (3, {"irrigation"}, 0))

    def test_cities_and_wonders(self):
        g = self.position(gold=[3, 3], progress=[["masonry"]])
        self.show(g, city=["memphis", "babylon", "great-wall", "hanging-gardens"])
        self.assertEqual(g.objects(0, "city"), ["city memphis", "city babylon", "city hanging-gardens"])
        self.assertEqual(g.objects(1, "city"), [])
        self.finish(g.carry_out(0, "city", "hanging-gardens"))
        self.assertEqual((g.gold[0], g.vp[0], g.city[0]), (1, 4, set()))
        g = self.position(gold=[3, 3], progress=[["masonry"]], rules={"progress.masonry.effect": {"of": ["wonder"], "gold": 9}})
        self.assertEqual((g.city_price(0, "memphis"), g.city_price(0, "great-wall")), (4, 0))

    def test_trade(self):
        g = self.position(era=2, progress=[["merchant-guilds"]])
        self.assertEqual(g.objects(0, "trade"), ["trade 4", "trade 8"])
        self.finish(g.carry_out(0, "trade", "8"))
        self.assertEqual((g.gold[0], g.resource[0]), (5 + 6 + 2, 0))
        self.assertEqual(g.objects(1, "trade"), ["trade 4"])

    def test_discs_paid_for_trade_and_the_supply(self):
        for inside, supply in ((True, 40 - 2), (False, 40 - 4)):
            g = self.position(rules={"stock.resource_discs_on_trade_track_are_in_supply": inside})
            self.finish(g.carry_out(0, "trade", "2"))
            self.assertEqual(g.supply(), supply)
            g.receive(0, {"resource": 50})
            self.assertEqual(g.resource[0], supply)
            g.check_invariants()

    def test_trade_bonus_in_kind_comes_from_the_discs_just_paid(self):
        rules = {"progress.merchant_guilds.effect.gain.resource": 3, "stock.resource_discs": 5}
        g = self.position(progress=[["merchant-guilds"]], rules=rules)
        self.finish(g.carry_out(0, "trade", "3"))
        self.assertEqual((g.resource[0], g.vp[0], g.gold[0]), (3, 3, 7))

    def test_cubes_that_the_stock_cannot_give_are_lost(self):
        g = self.position(pool=[28, 5])
        g.receive(0, {"cubes": 5})
        self.assertEqual((g.pool[0], g.stock[0]), (30, 0))


class FreeActions(Position):
    def test_mercenaries_go_to_any_open_land(self):
        g = self.position(progress=[["mercenaries", "navigation"]])
        goals = ["iberia", "gaul", "italy", "greece", "asia-minor", "egypt", "north-africa"]
        self.assertEqual(g.uses(0, 0, None), ["use mercenaries " + r for r in goals])
        g.use(0, "mercenaries", "egypt")
        self.assertEqual((g.gold[0], g.pool[0], g.stock[0], g.map["egypt"]), (4, 5, 24, [1, 0]))
        self.assertEqual(g.uses(0, 0, None), [])                       # once a turn
        g = self.position(progress=[["mercenaries"]], gold=[0, 0])
        self.assertEqual(g.uses(0, 0, None), [])
        g = self.position(progress=[["mercenaries"]], pool=[30, 5])
        self.assertEqual(g.uses(0, 0, None), [])                       # no cube in the general stock

    def test_water_of_the_effect_opens_sea_and_zones(self):
        g = self.position(era=2, progress=[["mercenaries"], ["navigation"]], rules={"progress.mercenaries.effect.water": True})
        goals = [text.split()[2] for text in g.uses(0, 0, None)]
        self.assertEqual((len(goals), goals[0], goals[-1]), (17, "mediterranean-sea", "china"))
        g.progress[1].clear()
        self.assertEqual(len(g.uses(0, 0, None)), 13)

    def test_alliance(self):
        g = self.position(progress=[["diplomacy"]], map={"italy": [1, 0], "egypt": [1, 2], "gaul": [0, 5]})
        self.assertEqual(g.uses(0, 0, None), ["use diplomacy italy", "use diplomacy egypt"])
        g.use(0, "diplomacy", "egypt")
        self.assertFalse(g.can_lose(1, 0, "egypt", 3))
        self.assertTrue(g.can_lose(1, 0, "italy", 3))
        self.finish(g.actions(False))               # nobody has a disc to take back; the piece goes home
        self.assertEqual(g.alliance, [None, None])

    def test_not_in_the_action_that_took_the_tile(self):
        g = self.position(era=2, map={"italy": [1, 0]})
        self.show(g, progress=["diplomacy"])
        self.play(g.action(0, True), (0, None, "place progress"))
        self.assertEqual(g.progress[0], {"diplomacy"})
        self.play(g.action(0, True), (0, ["use diplomacy italy", "place empire", "place trade"], "place trade"),
                  (0, ["trade 4", "trade 8"], "trade 4"), (0, ["use diplomacy italy", "end"], "use diplomacy italy"))

    def test_windows_go_in_file_order_and_are_two_moments(self):
        g = self.position(era=3, gold=[9, 0], progress=[["mercenaries", "diplomacy", "stock-exchange"]], map={"italy": [1, 0]},
                          rules={"stock.actions_per_turn": 1})
        self.show(g, territory=["plain"])
        run = g.action(0, True)
        self.assertEqual(self.options(run, "use diplomacy italy"),
                         ["use stock-exchange", "place territory", "place empire", "place trade"])
        self.assertEqual(run.send("use stock-exchange")[2], ["place territory", "place empire", "place trade"])
        self.assertEqual((g.gold[0], g.vp[0]), (3, 4))
        request = run.send("place territory")       # `territory plain` is forced
        self.assertEqual((request[2][0], request[2][-1]), ("use mercenaries iberia", "end"))

    def test_a_free_action_before_the_disc_may_open_or_close_rows(self):
        g = self.position(era=3, gold=[6, 0], resource=[0, 0], progress=[["stock-exchange"]])
        self.show(g, city=["memphis"])
        run = g.action(0, True)
        self.assertEqual(after(run)[2], ["use stock-exchange", "place city", "place empire"])
        self.assertIn(run.send("use stock-exchange")[2][0], ["empire 1"])      # only the empire row is left


class Placing(Position):
    def goals(self, g, player=0, tile="8"):
        """Regions to which the first cubes may go."""
        options = self.options(g.carry_out_empire(player, tile)) or []
        return [text[3:] for text in options if text.startswith("to ")]

    def test_a_newcomer_in_era_one(self):
        g = self.position()
        land = ["iberia", "gaul", "italy", "greece", "asia-minor", "egypt", "north-africa"]
        self.assertEqual(self.options(g.carry_out_empire(0, "7")), ["to " + r for r in land] + ["done"])
        self.assertEqual(self.goals(g, tile="8"), ["mediterranean-sea"] + land)       # it shows water

    def test_navigation_is_water_on_every_tile(self):
        g = self.position(era=2, progress=[["navigation"]])
        self.assertEqual(self.goals(g, tile="7")[0], "mediterranean-sea")
        self.assertEqual(self.goals(g, tile="7")[-4:], ["north-america", "south-america", "india", "china"])

    def test_zones_in_era_two_need_navigation_of_anybody(self):
        g = self.position(era=2)
        self.assertNotIn("china", self.goals(g))
        g.progress[1] = {"navigation"}
        self.assertIn("china", self.goals(g))
        self.assertNotIn("china", self.goals(g, tile="7"))
        g = self.position(era=2, progress=[[], ["navigation"]], rules={"map_rules.navigation_scope": "owner"})
        self.assertNotIn("china", self.goals(g))
        self.assertIn("china", self.goals(g, player=1, tile="7"))
        g = self.position(era=3)
        self.assertIn("china", self.goals(g))
        g = self.position(era=1, progress=[["navigation"]])
        self.assertNotIn("china", self.goals(g))

    def test_settled_players_go_to_held_regions_and_neighbours(self):
        g = self.position(map={"iberia": [1, 0], "egypt": [1, 0], "greece": [0, 4]})
        self.assertEqual(self.goals(g, tile="7"), ["iberia", "gaul", "egypt", "north-africa"])
        # not with each other, and not from regions that were reached in this action
        self.assertEqual(self.options(g.carry_out_empire(0, "7"), "to gaul", "count 1"), ["to egypt", "to north-africa", "done"])

    def test_the_sea_is_left_without_water_but_not_entered(self):
        g = self.position(map={"mediterranean-sea": [2, 0]})
        self.assertEqual(self.goals(g, tile="7"), ["iberia", "gaul", "italy", "greece", "asia-minor", "egypt", "north-africa"])
        g = self.position(map={"mediterranean-sea": [2, 0]}, rules={"map_rules.reinforce_without_water": True})
        self.assertEqual(self.goals(g, tile="7")[0], "mediterranean-sea")

    def test_a_newcomer_from_a_zone_needs_water_for_the_old_world(self):
        g = self.position(era=3, map={"china": [2, 0]})
        self.assertEqual(self.options(g.carry_out_empire(0, "7")), ["abandon", "done"])
        self.assertEqual(len(self.goals(g, tile="8")), 17)
        g = self.position(era=3, map={"china": [2, 0]}, rules={"map_rules.reinforce_without_water": True})
        self.assertEqual(self.goals(g, tile="7"), ["china"])

    def test_one_zone_in_an_action(self):
        g = self.position(era=3, map={"iberia": [1, 0]})
        request = after(g.carry_out_empire(0, "8"), "to north-america", "count 1")
        self.assertEqual(request[2], ["to south-america", "done"])
        for number, expected in ((2, ["to south-america", "to india", "to china", "done"]), (0, None)):
            g = self.position(era=3, map={"iberia": [1, 0]}, rules={"map_rules.zones_per_action": number})
            if expected:
                self.assertEqual(self.options(g.carry_out_empire(0, "8"), "to north-america", "count 1"), expected)
            else:
                self.assertEqual(self.goals(g)[-1], "north-africa")

    def test_a_newcomer_may_add_a_zone_only_to_a_rooted_set(self):
        g = self.position(era=3)
        # gaul and the sea, which have iberia and italy as neighbours, are earlier than italy
        self.assertNotIn("to italy", self.options(g.carry_out_empire(0, "8"), "to iberia", "count 1"))
        g, zones = self.position(era=3), ["to north-america", "to south-america", "to india", "to china"]
        run = g.carry_out_empire(0, "8")
        self.assertEqual(self.options(run, "to iberia", "count 2")[-5:], zones + ["done"])
        self.assertEqual(run.send("to egypt")[2], ["count 1", "count 2"])
        self.assertEqual(run.send("count 1")[2], ["count 1", "count 2"])           # in north-africa, the root

    def test_a_set_without_a_root_yet(self):
        g = self.position(pool=[5, 5])
        run = g.carry_out_empire(0, "7")
        # with iberia: its neighbours, and egypt, as north-africa can still become the root of both
        self.assertEqual(self.options(run, "to iberia", "count 2"), ["to gaul", "to egypt", "to north-africa", "done"])
        self.assertEqual(run.send("to egypt")[2], ["count 1", "count 2"])
        # north-africa is forced, with the two cubes that are left or one of them
        self.assertEqual(run.send("count 1")[2], ["count 1", "count 2"])
        self.assertEqual((g.pool[0], g.map["iberia"][0], g.map["egypt"][0]), (2, 2, 1))

    def test_the_last_region_of_an_unrooted_set_is_forced(self):
        g = self.position(pool=[3, 5])
        self.play(g.carry_out_empire(0, "7"), (0, None, "to iberia"), (0, ["count 1", "count 2", "count 3"], "count 1"),
                  (0, None, "to egypt"))       # count 1, to north-africa and count 1 are forced
        self.assertEqual((g.map["iberia"][0], g.map["egypt"][0], g.map["north-africa"][0], g.pool[0]), (1, 1, 1, 0))

    def spellings(self, g, tile):
        """All ways to carry out a tile, as {region: cubes}; the answers of each are tried one after the other."""
        found, ahead = [], [()]
        while ahead:
            answers = ahead.pop()
            game = copy.deepcopy(g)
            request = after(game.carry_out_empire(0, tile), *answers)
            if request is None:
                found.append(tuple((r, there[0]) for r, there in game.map.items() if there[0]))
            else:
                ahead += [answers + (option,) for option in request[2]]
        return found

    def test_every_distribution_of_a_newcomer_has_one_spelling(self):
        for tile, areas, cubes, era in (("7", 3, 3, 1), ("8", 3, 3, 1), ("1", 2, 4, 2)):
            g = self.position(era=era, pool=[cubes, 0])
            open_now = [r for r in g.b.region if g.is_open(r, 0, tile == "8")]
            expected = []
            for size in range(areas + 1):
                for regions in itertools.combinations(open_now, size):
                    rooted = not regions or any(all(x == root or x in g.b.near[root] for x in regions) for root in regions)
                    expected += [tuple(zip(regions, numbers)) for numbers in itertools.product(range(1, cubes + 1), repeat=size)
                                 if rooted and sum(numbers) <= cubes]
            found = self.spellings(g, tile)
            self.assertEqual(len(found), len(set(found)))
            self.assertEqual(sorted(found), sorted(expected))

    def test_abandoning(self):
        g = self.position(map={"iberia": [3, 0], "italy": [2, 1]}, pool=[5, 5])
        run = g.carry_out_empire(0, "1")
        self.assertEqual(after(run)[2][0], "abandon")
        request = run.send("abandon")
        self.assertEqual(request[2], ["to " + r for r in ("iberia", "gaul", "italy", "greece", "asia-minor", "egypt", "north-africa")])
        self.assertEqual((g.stock[0], g.pool[0], g.map["italy"]), (25, 5, [0, 1]))
        g = self.position(map={"iberia": [3, 0]}, pool=[0, 5])
        self.finish(g.carry_out_empire(0, "1"))
        self.assertEqual(g.map["iberia"], [3, 0])

    def test_no_cubes_may_be_forbidden(self):
        g = self.position(rules={"empire_rules.zero_cubes_allowed": False})
        run = g.carry_out_empire(0, "7")
        self.assertNotIn("done", after(run)[2])
        run.send("to gaul")
        self.assertIn("done", run.send("count 1")[2])

    def test_railways_add_an_area(self):
        g = self.position(era=3, progress=[["railways"]], map={"gaul": [1, 0]})
        run = g.carry_out_empire(0, "1")                    # two areas and one more
        self.assertIn("to british-isles", self.options(run, "to iberia", "count 1", "to gaul", "count 1"))


class Battles(Position):
    def test_upper_line_only_before_era_three(self):
        g = self.position(era=2, map={"gaul": [4, 2], "italy": [3, 3]}, pool=[0, 0])
        self.play(g.carry_out_empire(0, "1"), (0, ["battle gaul 1", "battle italy 1", "no-battle"], "battle italy 1"))
        self.assertEqual((g.map["italy"], g.stock), ([2, 0], [30 - 6, 30 - 2]))

    def test_two_lines_in_different_regions(self):
        g = self.position(era=3, map={"gaul": [4, 2], "italy": [3, 3]}, pool=[0, 0])
        self.play(g.carry_out_empire(0, "1"), (0, None, "battle italy 1"), (0, ["battle gaul 1", "no-battle"], "battle gaul 1"))
        self.assertEqual((g.map["italy"], g.map["gaul"]), ([2, 0], [3, 0]))

    def test_equal_lines(self):
        g = self.position(era=3, map={"gaul": [4, 2], "italy": [3, 3], "egypt": [2, 1]}, pool=[0, 0])
        self.play(g.carry_out_empire(0, "2"), (0, None, "no-battle"))
        self.play(g.carry_out_empire(0, "2"), (0, None, "battle italy 1"), (0, ["battle egypt 1", "no-battle"], "no-battle"))
        # different lines: the second is offered though the first was not fought
        self.play(g.carry_out_empire(0, "1"), (0, None, "no-battle"),
                  (0, ["battle gaul 1", "battle italy 1", "battle egypt 1", "no-battle"], "no-battle"))

    def test_losses(self):
        g = self.position(era=3, progress=[["iron-weapons", "mechanised-warfare"], ["fortification"]], pool=[0, 0],
                          map={"gaul": [1, 9]})
        self.play(g.carry_out_empire(0, "3"), (0, ["battle gaul 1", "no-battle"], "battle gaul 1"))
        self.assertEqual(g.map["gaul"], [1, 9 - 4])           # 0 for 3 + 1 + 1 − 1
        g = self.position(era=3, map={"gaul": [1, 9], "italy": [2, 1]}, pool=[0, 0])
        self.play(g.carry_out_empire(0, "5"), (0, ["battle italy 1", "no-battle"], "battle italy 1"))   # he is to lose two
        self.assertEqual(g.map["italy"], [0, 0])

    def test_the_least_losses(self):
        rules = {"empire_rules": {"attacker_loss_min": 2, "defender_loss_min": 3}}
        g = self.position(era=1, map={"gaul": [2, 9]}, pool=[0, 0], rules=rules)
        self.play(g.carry_out_empire(0, "4"), (0, None, "battle gaul 1"))
        self.assertEqual(g.map["gaul"], [0, 6])

    def test_the_least_loss_of_a_defender_holds_after_fortification(self):
        for least, left, options in (0, None, None), (1, 8, ["battle gaul 1", "no-battle"]):
            rules = {"empire_rules": {"defender_loss_min": least}}
            g = self.position(map={"gaul": [2, 9]}, pool=[0, 0], progress=[[], ["fortification"]], rules=rules)
            run = g.carry_out_empire(0, "4")
            self.assertEqual(self.options(run), options)
            if left is not None:
                self.play(g.carry_out_empire(0, "4"), (0, None, "battle gaul 1"))
                self.assertEqual(g.map["gaul"][1], left)

    def test_who_cannot_be_attacked(self):
        g = self.position(3, map={"gaul": [5, 2, 2], "italy": [5, 0, 1]}, progress=[[], ["fortification"]], pool=[0, 0, 0])
        self.assertEqual(self.options(g.carry_out_empire(0, "7")), ["battle gaul 2", "battle italy 2", "no-battle"])
        g.alliance[2] = "gaul"
        self.assertEqual(self.options(g.carry_out_empire(0, "4")), ["battle italy 2", "no-battle"])
        g.alliance[2] = "italy"
        self.assertEqual(self.options(g.carry_out_empire(0, "4")), ["battle gaul 2", "no-battle"])

    def test_battles_come_after_placing_also_where_nothing_may_be_placed(self):
        g = self.position(map={"mediterranean-sea": [1, 2]}, pool=[1, 0])
        self.play(g.carry_out_empire(0, "3"), (0, None, "done"), (0, ["battle mediterranean-sea 1", "no-battle"], "no-battle"))


class Phases(Position):
    def test_keeping(self):
        g = self.position(era=2, resource=[1, 0], city=[["athens", "alexandria", "baghdad"]])
        run = g.keep(0, ["athens", "alexandria", "baghdad"], lambda c: 1, "resource", g.give_up_city(0))
        self.assertEqual(after(run)[2], ["drop athens", "drop alexandria"])
        # athens is kept now, so baghdad must go too
        self.assertRaises(StopIteration, run.send, "drop alexandria")
        self.assertEqual((g.city[0], g.resource[0]), ({"athens"}, 0))
        self.assertEqual(g.gone["city", "baghdad"], 1)

    def test_keeping_everything(self):
        g = self.position(resource=[2, 0], city=[["athens", "alexandria"]])
        run = g.keep(0, ["athens", "alexandria"], lambda c: 1, "resource", g.give_up_city(0))
        self.assertEqual(after(run)[2], ["drop athens", "drop alexandria", "keep"])
        self.assertRaises(StopIteration, run.send, "keep")
        self.assertEqual((g.city[0], g.resource[0]), ({"athens", "alexandria"}, 0))

    def test_choosing(self):
        g = self.position(territory=[{"island": 3}], progress=[["shipping"]])
        run = g.choose_all(0, True)
        self.assertEqual(after(run)[2], ["take food 1", "take food 2", "take food 3", "take gold 1", "take gold 2", "take gold 3",
                                         "take resource 1", "take resource 2", "take resource 3", "take cubes 3"])
        self.assertEqual(run.send("take gold 1")[2], ["take resource 1", "take resource 2", "take cubes 2"])
        with self.assertRaises(StopIteration) as end:
            run.send("take resource 1")              # the cube is forced
        self.assertEqual(end.exception.value, Counter(gold=1, resource=1, cubes=1))

    def test_a_choice_instead_of_a_gain(self):
        g = self.position(territory=[{"mountain": 2}], progress=[["mining"]],
                          rules={"progress.mining.effect": {"choice": ["gold", "cubes"], "amount": 2}})
        self.play(g.income_phase(), (0, None, "take gold 3"))
        self.assertEqual((g.gold[0], g.pool[0], g.resource[0]), (8, 5 + 1 + 6, 2))

    def test_choices_with_and_without_food(self):
        g = self.position(territory=[{"village-food-or-cube": 1, "village-gold-or-resource": 1, "island": 2}], progress=[["shipping"]])
        self.play(g.food_phase(), (0, ["take food 1", "take cubes 1"], "take food 1"), (0, None, "take gold 1"), (0, None, "take cubes 1"))
        self.assertEqual((g.food[0], g.gold[0], g.pool[0]), (16 + 2 + 1, 5, 5))
        self.play(g.income_phase(), (0, ["take gold 1", "take resource 1"], "take resource 1"))
        self.assertEqual((g.food[0], g.gold[0], g.pool[0], g.resource[0]), (19, 6, 5 + 2 + 1, 3))

    def test_food(self):
        g = self.position(territory=[{"forest": 2, "plain": 1}], city=[["babylon"]], progress=[["irrigation"], ["mining"]],
                          map={"egypt": [1, 1]}, food=[3, 20])
        self.play(g.food_phase(), (0, ["drop babylon", "keep"], "keep"))
        self.assertEqual((g.food[0], g.food[1], g.gold[1]), (3 - 4 + 2 - 2 + 2 + 1, 20, 5))
        g.map["egypt"] = [0, 1]
        self.play(g.food_phase(), (0, None, "drop babylon"))
        self.assertEqual((g.food, g.gold[1], g.city[0]), ([2, 20], 6, set()))

    def test_the_ends_of_the_track(self):
        g = self.position(food=[3, 18])
        g.move_food(0, -5)
        g.move_food(1, 7)
        self.assertEqual((g.food, g.vp, g.gold), ([0, 20], [-2, 0], [5, 5 + 2]))
        g = self.position(food=[3, 18], rules={"food_track": {"min": 1, "max": 19, "vp_lost_per_food_below_min": 3,
                                                             "food_above_max_per_gold": 4}})
        g.move_food(0, -5)
        g.move_food(1, 9)
        self.assertEqual((g.food, g.vp, g.gold), ([1, 19], [-9, 0], [5, 5 + 2]))

    def test_the_last_turn_doubles(self):
        for finished, food in ((4, 13), (5, 10)):
            g = self.position(era=3, territory=[{"mountain": 1}])
            g.finished = finished
            self.finish(g.food_phase())
            self.assertEqual(g.food, [food, 16])

    def test_income_is_divided(self):
        g = self.position(3, era=2, map={"middle-east": [2, 2, 1], "italy": [1, 1, 1], "gaul": [1, 0, 0]},
                          territory=[{"mountain": 1}], progress=[["mining", "banking"]], city=[["babylon"]])
        self.finish(g.income_phase())
        # middle-east 3 // 2, italy 2 // 3, babylon 1, banking 3
        self.assertEqual((g.gold, g.pool, g.resource), ([5 + 1 + 0 + 1 + 3, 6, 5], [5 + 1 + 3, 5, 5], [3, 2, 2]))

    def test_cities_are_kept_with_the_income_of_the_turn(self):
        g = self.position(resource=[0, 0], map={"iberia": [1, 0]}, city=[["athens"]])
        self.play(g.income_phase(), (0, ["drop athens", "keep"], "keep"))
        self.assertEqual((g.resource, g.city[0]), ([0, 0], {"athens"}))
        g = self.position(resource=[0, 0], city=[["athens"]])
        self.finish(g.income_phase())
        self.assertEqual(g.city[0], set())

    def test_the_supply_serves_in_turn_order(self):
        g = self.position(rules={"stock.resource_discs": 5}, progress=[["industrialisation"], ["industrialisation"]])
        g.order = [1, 0]
        self.finish(g.income_phase())
        self.assertEqual(g.resource, [2, 3])

    def test_points_of_regions(self):
        for there, expected in (([3, 2, 1], [4, 2, 0]), ([3, 2, 2], [4, 1, 1]), ([3, 3, 1], [3, 3, 0]), ([2, 2, 2], [2, 2, 2]),
                                ([1, 0, 0], [4, 0, 0])):
            g = self.position(3, map={"central-europe": there})
            g.score()
            self.assertEqual(g.vp, expected, there)
        for there, expected in (([3, 2], [4, 0]), ([2, 2], [2, 2])):
            g = self.position(map={"central-europe": there}, rules={"map_rules.second_place_in_2p_game": False})
            g.score()
            self.assertEqual(g.vp, expected, there)

    def test_points_of_tiles(self):
        g = self.position(3, city=[["rome"], ["memphis"]], territory=[{"village-gold": 1, "plain": 3}],
                          progress=[["religion"], ["ideology"], ["medicine"]], rules={"region": {r: {"vp": [0, 0]} for r in (
                              "iberia", "gaul", "italy", "greece", "asia_minor")}},
                          map={"iberia": [1, 0, 0], "gaul": [2, 1, 0], "italy": [2, 2, 0], "greece": [1, 0, 0], "asia-minor": [1, 0, 0]})
        g.score()
        self.assertEqual(g.vp, [3 + 1 + 3, 2 + 2, 1])          # religion: four regions, at most three points

    def test_new_order(self):
        g = self.position(4, vp=[3, 1, 1, 1], gold=[0, 6, 5, 5], pool=[5, 4, 5, 5])
        g.order = [2, 0, 3, 1]
        # all three have 12 units: the one further back first
        self.play(g.new_order(), (1, ["seat 1", "seat 2", "seat 3", "seat 4"], "seat 3"), (3, ["seat 1", "seat 2", "seat 4"], "seat 1"),
                  (2, ["seat 2", "seat 4"], "seat 4"))
        g.gold[2] = 4
        run = g.new_order()
        self.assertEqual(after(run)[1], 2)

    def test_end_of_an_era(self):
        g = self.position(gold=[1, 5], progress=[["irrigation", "currency"], ["mining"]], city=[[], ["memphis", "rome"]], pool=[5, 1],
                          map={"gaul": [5, 1]})
        g.order = [1, 0]
        self.play(g.end_of_era(), (1, ["drop mining", "keep"], "keep"), (1, ["drop memphis", "drop rome"], "drop rome"),
                  (0, ["drop irrigation", "drop currency"], "drop irrigation"), (0, ["drop currency", "keep"], "keep"))
        self.assertEqual((g.gold, g.progress, g.city[1], g.map["gaul"]), ([0, 4], [{"currency"}, {"mining"}], {"memphis"}, [2, 0]))
        self.assertEqual(g.pool, [5, 0])
        self.assertEqual(g.stock, [23, 30])

    def test_the_end(self):
        g = self.position(3, gold=[8, 5, 8], resource=[2, 3, 2], vp=[10, 10, 10])
        g.final_points()
        self.assertEqual(g.result(), ([12, 12, 12], [0, 2]))


class Treatments(Position):
    def test_gifts(self):
        rules = {"gift": {"s1": {"seat0": {"gold": 7, "resource": 3, "food": 9, "cubes": 30, "vp": -2},
                                 "seat1": {"gold": -9, "cubes": -2, "territory": {"plain": 2}, "progress": {"navigation": True},
                                           "city": {"rome": True}}},
                          "s3": {"seat0": {"gold": 1}}}}
        g = rise.Game(board(rules), 2)
        g.order = [0, 1]
        self.assertEqual(g.gold, [5, 5])
        g.treat()
        self.assertEqual((g.gold, g.resource, g.food, g.pool, g.vp), ([12, 0], [5, 2], [20, 16], [30, 3], [-2, 0]))
        self.assertEqual((g.territory[1], g.progress[1], g.city[1]), (Counter(plain=2), {"navigation"}, {"rome"}))
        self.assertEqual((g.stacks["territory"]["plain"], g.stacks["progress"]["navigation"]), (10, 2))
        g.check_invariants()
        g.gold[1] = 20
        self.show(g, city=["rome", "carthage"])
        self.assertEqual(g.objects(1, "city"), ["city carthage"])          # he has rome
        self.assertEqual(g.objects(0, "city"), ["city rome", "city carthage"])

    def test_bans(self):
        rules = {"ban": {"always": {"seat0": {"territory": {"plain": True}, "trade": {"2": True}, "progress": {"mining": False}}},
                         "s1": {"seat0": {"empire": {"1": True}, "city": {"great_wall": True}}}}}
        g = self.position(rules=rules, gold=[9, 9])
        self.show(g, territory=["plain"], city=["great-wall"], progress=["mining"])
        self.assertEqual(g.disc_options(0, True), ["place progress", "place empire", "place trade"])
        self.assertEqual(len(g.disc_options(1, True)), 5)
        self.assertEqual((g.objects(0, "trade"), g.objects(0, "empire")[0]), (["trade 1", "trade 3", "trade 4"], "empire 2"))
        g.finished = 1
        self.assertEqual(g.disc_options(0, True), ["place progress", "place city", "place empire", "place trade"])

    def test_tiles_that_are_not_in_the_game(self):
        rules = {"ban": {"game": {"progress": {"mining": True}, "territory": {"plain": True}, "city": {"memphis": True}}}}
        g = rise.Game(board(rules), 2)
        g.order = [0, 1]
        state = g.state()["stacks"]
        self.assertEqual((sum(state["progress"].values()), sum(state["territory"].values())), (46, 30))
        g.check_invariants()
        g.stacks["progress"].clear()
        g.stacks["territory"].clear()
        self.finish(g.new_tiles("IA"))
        self.assertEqual(sorted(g.shown["city"]), ["athens", "babylon", "hanging-gardens", "pyramids"])

    def test_forced_order(self):
        lines = list(records.generate(kind(), 3, "f", 0, {"forced": {"s1": {"order": [2, 0, 1]}, "s4": {"order": [1, 2, 0]}}}))
        states = [k for k, line in enumerate(lines) if line.startswith('{"state"')]
        actions = [k for k, line in enumerate(lines) if '"action"' in line]
        for turn, order in ((0, [2, 0, 1]), (3, [1, 2, 0])):
            self.assertEqual(json.loads(lines[states[turn]])["state"]["order"], order)
            seat = order[0]
            first = next(k for k in actions if k > states[turn])
            self.assertEqual(json.loads(lines[first])["player"], seat)
        self.assertEqual(sum('"chance":"order"' in line for line in lines), 2)
        self.assertEqual(records.Referee(kind()).check(lines), [])

    def test_what_is_no_treatment(self):
        for rules in ({"gift": {"s1": {"seat0": {"silver": 1}}}}, {"gift": {"s1": {"seat0": {"progress": {"rome": True}}}}},
                      {"gift": {"s1": {"seatX": {"gold": 1}}}}, {"gift": {"s7": {"seat0": {"gold": 1}}}}, {"gift": {"seat0": {"gold": 1}}},
                      {"gift": {"s1": {"seat0": {"gold": True}}}}, {"gift": {"s1": {"seat0": {"city": {"rome": "yes"}}}}},
                      {"gift": {"s1": {"seat0": {"city": {"colossus": True}}}}}, {"gift": {"s1": {"seat0": {"empire": {"1": True}}}}},
                      {"gift": {"s1": {"seat0": {"territory": {"plain": -1}}}}}, {"ban": {"always": {"seat0": {"trade": {"99": True}}}}},
                      {"ban": {"always": {"seat0": {"gold": True}}}}, {"ban": {"game": {"empire": {"1": True}}}}, {"ban": {"game": True}},
                      {"forced": {"s1": {"order": [0, 2]}}}, {"forced": {"s1": {"first": 1}}}, {"forced": {"order": [1, 0]}}, {"gift": 4}):
            self.assertRaises(RulesError, board, rules)
        self.assertRaises(RulesError, kind().game, board({"gift.s1.seat3.gold": 1}), 3)
        self.assertRaises(RulesError, kind().game, board({"ban.always.seat3.trade.1": True}), 3)
        self.assertRaises(RulesError, kind().game, board({"forced.s2.order": [1, 0]}), 3)


class Records(unittest.TestCase):
    def lines(self, seats, seed, rules=None, eager=False):
        return list(records.generate(kind(eager), seats, seed, 0, rules))

    def faults(self, lines):
        return records.Referee(kind()).check(lines)

    def test_generated_games_pass(self):
        for seats in (2, 3, 4, 5):
            lines = self.lines(seats, "a") + self.lines(seats, "b", eager=True)
            self.assertEqual(self.faults(lines), [])
            self.assertEqual(sum('"state"' in line for line in lines), 2 * 7)
            self.assertEqual(sum('"chance"' in line for line in lines), 2 * (seats - 1 + 54))

    def test_games_under_other_rules_pass(self):
        for number, rules in enumerate(rise_overrides.OVERRIDES[2::9] + rise_overrides.TREATMENTS):
            self.assertEqual(self.faults(self.lines(2 + number % 4, "o", rules, number % 2 == 0)), [], rules)

    def test_a_changed_line_is_named(self):
        lines = self.lines(3, "c")
        for mark, old, new in (('"action":"territory', '"legal":', '"legal":1'), ('"action":"empire', '"player":', '"player":1'),
                               ('"chance":"territory"', '"value":"', '"value":"x'), ('"turn":3', '"gold":', '"gold":1'),
                               ('"action":"seat', '"action":"seat ', '"action":"seat 9'), ('{"end"', '"plies":', '"plies":1')):
            number = next(i for i, line in enumerate(lines) if mark in line)
            changed = lines[:number] + [lines[number].replace(old, new, 1)] + lines[number + 1:]
            self.assertEqual([f[0] for f in self.faults(changed)], [number + 1], mark)

    def test_a_line_left_out_or_put_in_is_named(self):
        lines = self.lines(2, "d")
        number = next(i for i, line in enumerate(lines) if '"action":"place' in line)
        self.assertEqual(self.faults(lines[:number] + lines[number + 1:])[0][0], number + 1)
        self.assertEqual(self.faults(lines[:number] + [lines[number]] + lines[number:])[0][0], number + 2)

    def test_headers(self):
        header = json.loads(self.lines(2, "h")[0])
        for change in ({"seats": 6}, {"seats": 1}, {"game": "circus"}, {"rules": {"start": {"gold": -1}}},
                       {"rules": {"gift": {"s1": {"seat2": {"gold": 1}}}}}, {"rules": {"start": {"resource_discs": 21}}}):
            self.assertEqual(self.faults([records.dump({**header, **change})])[0][0], 1, change)

    def told(self, event, request):
        """The answer that an event of a playthrough gives; its options must be those asked for, in their order."""
        if event[0] == "{":
            value = json.loads(event)
            self.assertEqual(value["chance"], request[1])
            self.assertIn(value["value"], request[3])
            return value["value"]
        seat, action, number, shown = PLY.match(event).groups()
        self.assertEqual((int(seat), int(number)), (request[1], len(request[2])), event)
        shown = [text for text in shown.split(", ") if text != "…"]
        self.assertEqual(shown, request[2][:len(shown)], event)
        return action

    def test_the_playthroughs_of_the_engine(self):
        for seats in (2, 5):
            with open(os.path.join(PLAYTHROUGHS, "rise-%dp.txt" % seats), encoding="utf-8") as handle:
                lines = handle.read().splitlines()
            events = [line.partition(". ")[2] for line in lines if line.partition(". ")[0].isdigit()]
            game = kind().game(board({}), seats)
            run, answer, number = game.run(), None, 0
            with contextlib.suppress(StopIteration):
                while True:
                    request = run.send(answer)
                    answer = None
                    if request[0] != "state":
                        answer = self.told(events[number], request)
                        number += 1
            self.assertEqual(number, len(events))
            state = next(json.loads(line[6:]) for line in reversed(lines) if line.startswith("state "))
            self.assertIsNone(records.difference(game.state(), state))

    def test_command(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(rise.main(["--play", "7", "--eager", "--players", "3", "--overrides", '{"start.gold": 8}']), 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games")
            for text, code in ((out.getvalue(), 0), (out.getvalue().replace('"legal":', '"legal":1', 1), 1)):
                with open(path, "w", encoding="utf-8") as handle:
                    handle.write(text)
                shown = io.StringIO()
                with contextlib.redirect_stdout(shown):
                    self.assertEqual(rise.main([path]), code)
                self.assertEqual(shown.getvalue().splitlines()[-1], "games 1 failed %d" % code)
        for argv in ([], ["--play", "1", "--players", "6"], ["/no/such/file"], ["--play", "1", "--overrides", '{"x": 1}'],
                     ["--play", "1", "--overrides", '{"forced": {"s1": {"order": [1, 0, 2]}}}']):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as raised:
                rise.main(argv)
            self.assertEqual(raised.exception.code, 2, argv)


if __name__ == "__main__":
    unittest.main()
