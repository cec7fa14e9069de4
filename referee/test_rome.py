"""Tests of the referee's games of Rome: a small position for every clause of the rules page, and records of random games."""

import contextlib
import copy
import functools
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import circus
import differential
import hannibal
import imperium
import records
import rome

MODULES = (hannibal, imperium, circus)
# What can be done to a game from outside, by the first word of its key.
TREATED = {hannibal: {"ban", "forced", "gift"}, imperium: {"ban", "deal"}, circus: {"ban", "deal"}}
DATA = {module: rome.load(module.NAME) for module in MODULES}
CARTHAGE, ROME = 0, 1


@functools.cache
def kind(module, eager=False):
    return rome.Kind(module, DATA[module], eager)


def board(module, rules):
    """A board under rules given as keywords."""
    return kind(module).board({key.replace("_", "-"): value for key, value in rules.items()})


class Script(unittest.TestCase):
    def play(self, generator, *script):
        """Steps (player, options or None, answer), or ("chance", value); states are passed over."""
        steps = list(script)
        answer = None
        while True:
            try:
                request = generator.send(answer)
            except StopIteration:
                break
            if request[0] == "state":
                answer = None
                continue
            self.assertTrue(steps, "unexpected request %r" % (request,))
            answer = self.step(request, steps.pop(0))
        self.assertEqual(steps, [], "steps that never came")

    def step(self, request, step):
        if request[0] == "chance":
            self.assertEqual(step[0], "chance", request)
            self.assertIn(step[1], request[3])
            return step[1]
        player, options, answer = step
        self.assertEqual(request[1], player, request)
        if options is not None:
            self.assertEqual(sorted(request[2]), sorted(options))
        self.assertIn(answer, request[2])
        return answer


def cards(*values):
    return ["card %d" % v for v in values]


# ---------------------------------------------------------------- hannibal

def hannibal_board(**rules):
    return board(hannibal, rules)


class Hannibal(Script):
    def position(self, carthage=None, latin=None, elephants=None, fleets=({}, {}), **rules):
        """Only the pieces given; rules as keywords."""
        g = hannibal.Game(hannibal_board(**rules), 2)
        for side, (legions, ships) in enumerate(zip((carthage or {}, latin or {}), fleets)):
            g.legions[side] = {**dict.fromkeys(g.b.areas, 0), **legions}
            g.fleets[side] = {**dict.fromkeys(g.b.routes, 0), **ships}
        g.hannibal = elephants
        return g

    def pair(self, g, area):
        return [g.legions[side][area] for side in (CARTHAGE, ROME)]

    def test_set_up_and_first_options(self):
        g = hannibal.Game(hannibal_board(), 2)
        self.assertEqual((len(g.b.areas), len(g.b.routes)), (11, 5))
        self.assertEqual((self.pair(g, "carthago"), self.pair(g, "roma"), g.hannibal), ([6, 0], [0, 8], "carthago"))
        self.assertEqual((g.fleets[CARTHAGE]["carthago-sardinia"], g.fleets[ROME]["roma-corsica"]), (3, 3))
        routes = ["carthago-sardinia", "cannae-sicilia", "corsica-sardinia", "sicilia-carthago"]
        self.assertEqual(sorted(g.options(ROME)), sorted(
            ["legion roma cannae", "legion roma gallia-cisalpina", "legion roma corsica", "pass"]
            + ["fleet roma-corsica %s" % r for r in routes]))
        self.assertEqual(sorted(g.options(CARTHAGE)), sorted(
            ["legion carthago mauritania", "legion carthago sardinia", "hannibal carthago mauritania", "pass"]
            + ["fleet carthago-sardinia %s" % r for r in ["roma-corsica"] + routes[1:]]))
        self.assertEqual(next(g.run())[1], CARTHAGE)

    def test_maps(self):
        by_names, mirror = hannibal_board(map="by-names"), hannibal_board(map="mirror")
        self.assertEqual(by_names.land["roma"], {"cannae", "gallia"})
        self.assertEqual(by_names.land["carthago"], {"numidia"})
        self.assertEqual(mirror.land["hispania-citerior"], {"gallia", "mauritania"})
        for chart in (by_names, mirror):
            self.assertEqual(len(chart.areas), 11)
            self.assertFalse(chart.island["numidia"])
        self.assertEqual([a for a, island in mirror.island.items() if island], ["sicilia", "corsica", "sardinia"])

    def test_a_route_needs_an_own_fleet(self):
        g = self.position({"sicilia": 1}, {"sardinia": 1}, fleets=({"cannae-sicilia": 1}, {"sicilia-carthago": 1}))
        self.assertEqual(g.reach(CARTHAGE, "sicilia"), {"cannae"})
        self.assertEqual(g.reach(ROME, "sardinia"), set())
        self.assertEqual(g.reach(ROME, "carthago"), {"mauritania", "sicilia"})

    def test_hannibal_stays_on_the_mainland(self):
        g = self.position({"carthago": 1}, {"roma": 1}, "carthago", ({"sicilia-carthago": 1, "carthago-sardinia": 1}, {}))
        moves = [o for o in g.options(CARTHAGE) if o.startswith(("legion", "hannibal"))]
        self.assertEqual(sorted(moves), ["hannibal carthago mauritania", "legion carthago mauritania",
                                         "legion carthago sardinia", "legion carthago sicilia"])

    def test_equal_texts_count_once(self):
        data = copy.deepcopy(DATA[hannibal])
        data["map"][0]["borders"].append(["roma", "corsica"])
        g = hannibal.Game(rome.Kind(hannibal, data).board({}), 2)
        self.assertEqual(g.options(ROME).count("legion roma corsica"), 1)
        self.assertEqual(len(g.options(ROME)), 8)

    def test_fleets_are_raised_only_without_fleets(self):
        g = self.position({"gallia": 2, "sicilia": 1}, {"roma": 1}, "mauritania", ({}, {"roma-corsica": 1}))
        raises = [o for o in g.options(CARTHAGE) if o.startswith("raise")]
        self.assertEqual(raises, ["raise sicilia", "raise gallia", "raise-hannibal mauritania"])
        self.assertFalse([o for o in g.options(ROME) if o.startswith("raise")])
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "raise gallia"))
        self.assertEqual((self.pair(g, "gallia"), g.fleets[CARTHAGE]["carthago-sardinia"]), ([1, 0], 1))
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "pass"))
        self.assertFalse([o for o in g.options(CARTHAGE) if o.startswith("raise")])

    def test_rome_cannot_pay_with_hannibal(self):
        g = self.position({"gallia": 1}, {"roma": 1}, "gallia")
        self.assertEqual([o for o in g.options(ROME) if o.startswith("raise")], ["raise roma"])
        g.hannibal = None
        self.assertEqual([o for o in g.options(CARTHAGE) if o.startswith("raise")], ["raise gallia"])

    def test_hannibal_is_paid_for_a_fleet(self):
        g = self.position({"gallia": 1}, {"roma": 1}, "gallia")
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "raise-hannibal gallia"))
        self.assertEqual((g.hannibal, self.pair(g, "gallia"), g.winners), (None, [1, 0], None))

    def test_capital_entered_wins_at_once(self):
        g = self.position({"mauritania": 1, "carthago": 3}, {"mauritania": 0, "roma": 4}, fleets=({}, {}))
        g.legions[ROME]["mauritania"], g.legions[CARTHAGE]["mauritania"] = 1, 0
        self.play(g.turn(ROME), (ROME, None, "legion mauritania carthago"))       # no card is played
        self.assertEqual((g.winners, g.result()[0], self.pair(g, "carthago")), ([ROME], [0, 1], [3, 1]))
        g = self.position({"carthago": 1}, {"roma": 1}, "cannae")
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "hannibal cannae roma"))
        self.assertEqual((g.winners, g.result()[0]), ([CARTHAGE], [1, 0]))

    def test_duels_until_one_side_is_gone(self):
        # the example of the rulebook: 4 beats 3, then 5 and 5
        g = self.position({"hispania-citerior": 1, "carthago": 1}, {"gallia": 3})
        self.play(
            g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"),
            (CARTHAGE, cards(1, 2, 3, 4, 5), "card 4"), (ROME, cards(1, 2, 3, 4, 5), "card 3"),
            (CARTHAGE, cards(1, 2, 3, 5), "card 5"), (ROME, cards(1, 2, 4, 5), "card 5"))
        self.assertEqual((self.pair(g, "gallia"), g.hands, g.winners), ([0, 1], [[1, 2, 3], [1, 2, 4]], None))

    def test_hands_fill_within_a_conflict_and_the_last_card_is_no_ply(self):
        g = self.position({"hispania-citerior": 1, "carthago": 1}, {"gallia": 3})
        g.hands = [[3, 5], [1, 4]]
        self.play(
            g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"),
            (CARTHAGE, cards(3, 5), "card 3"), (ROME, cards(1, 4), "card 1"),
            # 5 against 4 is forced, and the hands are full again
            (CARTHAGE, cards(1, 2, 3, 4, 5), "card 2"), (ROME, cards(1, 2, 3, 4, 5), "card 1"))
        self.assertEqual((self.pair(g, "gallia"), g.hands), ([1, 0], [[1, 3, 4, 5], [2, 3, 4, 5]]))

    def test_hands_fill_at_once_when_a_conflict_ends_with_the_last_card(self):
        g = self.position({"hispania-citerior": 1, "carthago": 1}, {"gallia": 1})
        g.hands = [[5], [4]]
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"))
        self.assertEqual(g.hands, [[1, 2, 3, 4, 5]] * 2)

    def test_hannibal_ties_and_both_are_lost(self):
        # the example of the rulebook: 3 + 1 against 4
        g = self.position({"hispania-citerior": 1}, {"gallia": 1, "roma": 1}, "hispania-citerior")
        self.play(
            g.turn(ROME), (ROME, None, "legion gallia hispania-citerior"),
            (CARTHAGE, ["fight legion", "fight hannibal"], "fight hannibal"), (CARTHAGE, None, "card 3"), (ROME, None, "card 4"))
        self.assertEqual((g.hannibal, self.pair(g, "hispania-citerior")), (None, [1, 0]))

    def test_the_bonus_wins_and_is_not_given_to_legions(self):
        for choice, expected in (("hannibal", [2, 0]), ("legion", [1, 0])):
            g = self.position({"gallia": 2, "carthago": 1}, {"hispania-citerior": 1, "roma": 1}, "gallia")
            self.play(
                g.turn(ROME), (ROME, None, "legion hispania-citerior gallia"), (CARTHAGE, None, "fight " + choice),
                (CARTHAGE, None, "card 2"), (ROME, None, "card 2"))
            self.assertEqual((self.pair(g, "gallia"), g.hannibal), (expected, "gallia"))

    def test_another_piece_is_chosen_when_one_is_lost(self):
        g = self.position({"gallia": 2}, {"hispania-citerior": 1, "roma": 1}, "gallia")
        self.play(
            g.turn(ROME), (ROME, None, "legion hispania-citerior gallia"),
            (CARTHAGE, None, "fight legion"), (CARTHAGE, None, "card 1"), (ROME, None, "card 2"),
            (CARTHAGE, ["fight legion", "fight hannibal"], "fight hannibal"), (CARTHAGE, None, "card 2"), (ROME, None, "card 4"),
            # one legion is left: it fights unasked
            (CARTHAGE, cards(3, 4, 5), "card 3"), (ROME, cards(1, 3, 5), "card 1"))
        self.assertEqual((self.pair(g, "gallia"), g.hannibal), ([1, 0], None))

    def test_the_piece_that_enters_fights(self):
        g = self.position({"gallia": 1, "carthago": 1}, {"hispania-citerior": 2, "roma": 1}, "gallia")
        self.play(
            g.turn(CARTHAGE), (CARTHAGE, None, "hannibal gallia hispania-citerior"),
            (CARTHAGE, None, "card 4"), (ROME, None, "card 4"), (CARTHAGE, None, "card 1"), (ROME, None, "card 3"))
        self.assertEqual((g.hannibal, self.pair(g, "hispania-citerior"), self.pair(g, "gallia")), (None, [0, 1], [1, 0]))

    def test_fleets_fight_without_a_bonus(self):
        g = self.position({"carthago": 1}, {"roma": 1}, "carthago", ({"sicilia-carthago": 2}, {"roma-corsica": 1}))
        self.play(
            g.turn(ROME), (ROME, None, "fleet roma-corsica sicilia-carthago"),
            (CARTHAGE, None, "card 2"), (ROME, None, "card 2"))
        self.assertEqual((g.fleets[CARTHAGE]["sicilia-carthago"], sum(g.fleets[ROME].values())), (1, 0))

    def test_a_raised_fleet_meets_enemies(self):
        g = self.position({"carthago": 2}, {"roma": 1}, None, ({}, {"carthago-sardinia": 1}))
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "raise carthago"), (CARTHAGE, None, "card 3"), (ROME, None, "card 1"))
        self.assertEqual((g.fleets[CARTHAGE]["carthago-sardinia"], g.fleets[ROME]["carthago-sardinia"]), (1, 0))

    def test_the_last_legion_is_raised(self):
        g = self.position({"carthago": 1}, {"roma": 1}, None, ({}, {"carthago-sardinia": 1}))
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "raise carthago"), (CARTHAGE, None, "card 5"), (ROME, None, "card 1"))
        self.assertEqual((g.winners, g.fleets[CARTHAGE]["carthago-sardinia"]), ([ROME], 1))

    def test_domination(self):
        g = self.position({"corsica": 1, "cannae": 1, "carthago": 1}, {"roma": 1}, "gallia")
        self.play(g.turn(ROME), (ROME, None, "pass"))
        self.assertIsNone(g.winners)                             # at the end of his own turn only
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "pass"))    # Hannibal counts, and it comes before the second pass
        self.assertEqual((g.winners, g.passes, g.turns), ([CARTHAGE], 2, 2))
        g = self.position({"carthago": 1}, {"sardinia": 1, "mauritania": 1, "sicilia": 1})
        self.assertTrue(g.dominates(ROME))
        g.legions[ROME]["sicilia"] = 0
        self.assertFalse(g.dominates(ROME))

    def test_domination_in_the_last_turn(self):
        g = self.position({"corsica": 1, "cannae": 1, "gallia": 1}, {"roma": 1}, max_turns=1)
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "pass"))
        self.assertEqual(g.winners, [CARTHAGE])

    def test_without_legions(self):
        g = self.position({"hispania-citerior": 1}, {"gallia": 1})
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"),
                  (CARTHAGE, None, "card 1"), (ROME, None, "card 2"))
        self.assertEqual(g.winners, [ROME])
        g = self.position({"hispania-citerior": 1}, {"gallia": 1}, "carthago")
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"),
                  (CARTHAGE, None, "card 1"), (ROME, None, "card 2"))
        self.assertIsNone(g.winners)                             # Hannibal is a legion

    def test_the_last_legions_fall_together(self):
        g = self.position({"hispania-citerior": 1}, {"gallia": 1}, None, ({"sicilia-carthago": 1}, {}))
        self.play(g.turn(CARTHAGE), (CARTHAGE, None, "legion hispania-citerior gallia"),
                  (CARTHAGE, None, "card 2"), (ROME, None, "card 2"))
        self.assertEqual((g.winners, g.result()), ([0, 1], ([0.5, 0.5], [0, 1])))

    def test_two_passes_in_a_row(self):
        g = hannibal.Game(hannibal_board(), 2)
        self.play(
            g.run(), (CARTHAGE, None, "pass"), (ROME, None, "legion roma cannae"), (CARTHAGE, None, "pass"), (ROME, None, "pass"))
        self.assertEqual((g.winners, g.turns, g.passes), ([0, 1], 4, 2))

    def test_turns_of_both_count(self):
        g = hannibal.Game(hannibal_board(max_turns=2), 2)
        self.play(g.run(), (CARTHAGE, None, "legion carthago mauritania"), (ROME, None, "legion roma cannae"))
        self.assertEqual((g.winners, g.state()["turns"]), ([0, 1], 2))

    def test_state(self):
        g = self.position({"carthago": 2}, {"roma": 8}, "carthago", ({}, {"roma-corsica": 3}))
        g.hands = [[5, 1], [2, 3]]
        self.assertEqual(g.state(), {
            "turns": 0, "passes": 0, "legions": {"roma": [0, 8], "carthago": [2, 0]}, "hannibal": "carthago",
            "fleets": {"roma-corsica": [0, 3]}, "hands": [[1, 5], [2, 3]]})
        g.hannibal = None
        self.assertIsNone(g.state()["hannibal"])


# ---------------------------------------------------------------- imperium

class Imperium(Script):
    def position(self, seats, **rules):
        return imperium.Game(board(imperium, rules), seats)

    def put(self, g, province, *pieces, proconsul=None):
        for player, number in enumerate(pieces):
            g.pieces[province][player] += number
            g.free[player] -= number
        g.proconsul[province] = proconsul
        g.check_invariants()

    def test_numbers_of_stacks(self):
        b = self.position(2).b
        for (number, ear, oracle), expected in {
                (3, 1, 1): 157, (3, 1, 0): 156, (3, 0, 0): 112, (2, 1, 0): 45, (2, 1, 1): 46, (1, 1, 0): 10,
                (1, 1, 1): 11, (1, 0, 0): 9}.items():
            stacks = b.stacks(number, ear, oracle)
            self.assertEqual((len(stacks), len(set(stacks))), (expected, expected))

    def test_canonical_order(self):
        stacks = self.position(2).b.stacks(3, True, True)
        for legal in ("africa syria aegyptus", "africa aegyptus ear-of-the-emperor", "africa aegyptus bread-and-circuses",
                      "aegyptus africa bread-and-circuses", "africa ear-of-the-emperor bread-and-circuses",
                      "ear-of-the-emperor africa bread-and-circuses", "oracle"):
            self.assertIn("stack " + legal, stacks)
        for illegal in ("syria africa aegyptus", "ear-of-the-emperor africa aegyptus", "bread-and-circuses africa syria",
                        "africa bread-and-circuses", "oracle africa syria", "africa syria oracle", "africa africa syria"):
            self.assertNotIn("stack " + illegal, stacks)

    def test_stacks_of_few_pieces(self):
        b = self.position(2).b
        self.assertIn("stack bread-and-circuses", b.stacks(1, True, True))
        self.assertIn("stack oracle", b.stacks(1, True, True))
        self.assertIn("stack africa syria", b.stacks(2, True, True))
        self.assertNotIn("stack syria africa", b.stacks(2, True, True))
        self.assertIn("stack syria bread-and-circuses", b.stacks(2, True, True))

    def test_placing(self):
        g = self.position(2)
        g.place(0, ["syria", "asia", "bread-and-circuses"])
        g.place(1, ["asia", "ear-of-the-emperor", "bread-and-circuses"])
        g.place(1, ["bread-and-circuses"])
        self.assertEqual((g.pieces["syria"], g.pieces["asia"], g.free), ([1, 0], [2, 1], [11, 13]))

    def test_oracle_round(self):
        g = self.position(3)
        three = "stack illyricum gallia asia"
        self.play(
            self.one_round(g),
            (0, g.b.stacks(3, True, True), "stack oracle"), (1, None, three), (2, None, "stack oracle"),
            (0, g.b.stacks(3, True, False), "stack africa syria ear-of-the-emperor"),
            (2, g.b.stacks(3, True, False), "stack africa aegyptus bread-and-circuses"))
        self.assertEqual((g.oracle, g.ear), ([False, True, False], [False, True, True]))
        # africa is tied: both pieces home; syria is scored by the Ear: a proconsul
        self.assertEqual((g.b.provinces[g.mark], g.proconsul["syria"], g.free), ("illyricum", 0, [13, 11, 12]))
        self.play(
            self.one_round(g), (0, g.b.stacks(3, False, False), three), (1, g.b.stacks(3, True, True), three),
            (2, g.b.stacks(3, True, False), three))

    def test_all_choose_the_oracle(self):
        g = self.position(2)
        self.play(
            self.one_round(g), (0, None, "stack oracle"), (1, None, "stack oracle"),
            (0, None, "stack africa syria illyricum"), (1, None, "stack africa syria illyricum"))
        self.assertEqual(g.oracle, [False, False])

    def test_numbers_follow_the_free_pieces(self):
        g = self.position(3)
        g.mark = 2
        for p in ("africa", "syria", "gallia", "asia"):
            self.put(g, p, 3, 3, 2)
        self.put(g, "hispania", 2, 1, 6)
        self.assertEqual(g.free, [0, 1, 0])
        self.play(self.one_round(g), (1, g.b.stacks(1, True, True), "stack illyricum"))
        self.assertEqual((g.free, g.points, g.state()["mark"]), ([0, 0, 0], [0, 4, 0], "gallia"))
        self.play(self.one_round(g))                             # nobody has a free piece: no plies
        # gallia 3, 3, 2: all home; both leaders take the second number, the third place does not score
        self.assertEqual((g.free, g.points, g.rounds), ([3, 3, 2], [3, 7, 0], 2))
        self.play(self.one_round(g), (0, g.b.stacks(3, True, True), "stack africa syria illyricum"),
                  (1, None, "stack africa syria illyricum"), (2, g.b.stacks(2, True, True), "stack africa syria"))

    def one_round(self, g):
        """The requests of a single round."""
        run = g.run()
        answer = None
        while True:
            request = run.send(answer)
            if request[0] == "state":
                return
            answer = yield request

    def points(self, seats, province, *pieces):
        g = self.position(seats)
        self.put(g, province, *pieces)
        return [g.places(province).get(p, 0) for p in range(seats)]

    def test_ranking(self):
        # the examples of the rulebook
        self.assertEqual(self.points(4, "macedonia", 2, 2, 0, 0), [5, 5, 0, 0])
        self.assertEqual(self.points(4, "macedonia", 2, 2, 2, 1), [3, 3, 3, 0])
        self.assertEqual(self.points(3, "macedonia", 2, 2, 2), [0, 0, 0])
        self.assertEqual(self.points(5, "macedonia", 3, 4, 2, 1, 2), [5, 7, 2, 0, 2])
        # the last place never scores, a place without a printed number neither
        self.assertEqual(self.points(2, "aegyptus", 2, 1), [8, 0])
        self.assertEqual(self.points(3, "aegyptus", 3, 2, 1), [8, 6, 0])
        self.assertEqual(self.points(2, "aegyptus", 1, 1), [0, 0])
        self.assertEqual(self.points(5, "africa", 4, 3, 2, 1, 0), [1, 1, 1, 0, 0])
        self.assertEqual(self.points(5, "aegyptus", 1, 1, 1, 1, 0), [2, 2, 2, 2, 0])
        # no pieces, no points
        self.assertEqual(self.points(5, "aegyptus", 0, 0, 1, 0, 0), [0, 0, 8, 0, 0])
        self.assertEqual(self.points(5, "aegyptus", 3, 3, 1, 1, 0), [6, 6, 2, 2, 0])

    def test_proconsul_and_chain(self):
        g = self.position(5)
        self.put(g, "macedonia", 3, 4, 2, 1, 2)
        self.put(g, "asia", 0, 1, 0, 0, 0, proconsul=1)
        self.put(g, "gallia", 0, 1, 0, 0, 0, proconsul=1)        # not connected: illyricum is between
        g.score_province("macedonia")
        self.assertEqual((g.points, g.proconsul["macedonia"]), ([5, 9, 2, 0, 2], 1))
        self.assertEqual((g.pieces["macedonia"], g.free), ([0, 1, 0, 0, 0], [14, 11, 14, 14, 14]))

    def test_chain_of_the_rulebook_and_the_whole_ring(self):
        g = self.position(2)
        for p in ("africa", "hispania"):
            self.put(g, p, 1, 0, proconsul=0)
        self.put(g, "aegyptus", 1, 0)
        g.score_province("aegyptus")
        self.assertEqual(g.points, [8 + 3, 0])
        for p in ("gallia", "illyricum", "macedonia", "asia"):
            self.put(g, p, 1, 0, proconsul=0)
        self.put(g, "syria", 0, 1, proconsul=1)                  # the other's proconsul joins nothing
        self.assertEqual((g.chain("asia"), g.chain("syria")), (7, 1))
        g.proconsul["syria"] = 0
        self.assertEqual(g.chain("gallia"), 8)

    def test_old_proconsul(self):
        g = self.position(3)
        self.put(g, "syria", 1, 2, 0, proconsul=0)
        g.score_province("syria")                                # the new one drives him out
        self.assertEqual((g.proconsul["syria"], g.pieces["syria"], g.points, g.free), (1, [0, 1, 0], [2, 3, 0], [14, 13, 14]))
        g.score_province("syria")                                # alone there: points and bonus again
        self.assertEqual((g.proconsul["syria"], g.points), (1, [2, 6, 0]))
        self.put(g, "syria", 0, 2, 1, proconsul=1)
        g.score_province("syria")
        self.assertEqual((g.pieces["syria"], g.points, g.free), ([0, 1, 0], [2, 9, 2], [14, 13, 14]))

    def test_tie_with_and_without_an_old_proconsul(self):
        g = self.position(4)
        self.put(g, "aegyptus", 2, 2, 1, 0, proconsul=2)         # neither of the tied
        g.score_province("aegyptus")
        self.assertEqual((g.proconsul["aegyptus"], g.pieces["aegyptus"], g.points), (2, [0, 0, 1, 0], [6, 6, 4, 0]))
        self.put(g, "asia", 2, 2, 0, 0, proconsul=0)             # one of the tied; no bonus
        g.score_province("asia")
        self.assertEqual((g.proconsul["asia"], g.pieces["asia"], g.points), (0, [1, 0, 0, 0], [10, 10, 4, 0]))
        self.put(g, "syria", 1, 1, 0, 0)
        g.score_province("syria")
        self.assertEqual((g.proconsul["syria"], g.pieces["syria"], g.free), (None, [0] * 4, [13, 14, 13, 14]))

    def test_nobody_there(self):
        g = self.position(3)
        g.score_province("africa")
        self.assertEqual((g.points, g.proconsul["africa"]), ([0, 0, 0], None))

    def test_mark_wraps_and_groups_grow_within_a_round(self):
        g = self.position(2)
        g.mark = 7
        self.put(g, "aegyptus", 1, 0)
        self.put(g, "africa", 1, 0)
        self.play(
            self.one_round(g), (0, None, "stack gallia asia ear-of-the-emperor"), (1, None, "stack illyricum gallia asia"))
        # aegyptus 8 + 1, then africa 1 + 2
        self.assertEqual((g.points, g.state()["mark"], g.free[0]), ([12, 0], "syria", 10))

    def test_five_ears(self):
        g = self.position(5)
        self.play(self.one_round(g), *[(p, None, "stack macedonia aegyptus ear-of-the-emperor") for p in range(5)])
        self.assertEqual((g.state()["mark"], g.ear), ("macedonia", [False] * 5))

    def test_end(self):
        for points, rounds, over in (([39, 2], 9, False), ([40, 2], 9, True), ([40, 40], 9, False), ([41, 40], 9, True),
                                     ([5, 1], 200, True), ([40, 40], 200, True)):
            g = self.position(2)
            g.points, g.rounds = points, rounds
            self.assertEqual(g.over(), over, (points, rounds))
        self.assertEqual(g.result(), ([40, 40], [0, 1]))
        g = self.position(2, max_rounds=1)
        self.play(g.run(), (0, None, "stack gallia macedonia aegyptus"), (1, None, "stack africa syria bread-and-circuses"))
        self.assertEqual((g.rounds, g.result()), (1, ([0, 2], [1])))

    def test_state(self):
        g = self.position(3)
        self.put(g, "syria", 1, 0, 0, proconsul=0)
        self.put(g, "gallia", 0, 2, 1)
        g.ear[1] = g.oracle[2] = False
        self.assertEqual(g.state(), {
            "round": 0, "mark": "africa", "players": [
                {"points": 0, "free": 13, "ear": True, "oracle": True}, {"points": 0, "free": 12, "ear": False, "oracle": True},
                {"points": 0, "free": 13, "ear": True, "oracle": False}],
            "pieces": {"syria": [1, 0, 0], "gallia": [0, 2, 1]}, "proconsul": {"syria": 0}})


# ---------------------------------------------------------------- circus

class Geometry(unittest.TestCase):
    """The table of cells against what its head says about it, counted anew from q and r."""

    def setUp(self):
        self.data = DATA[circus]
        self.cells = self.data["board"]["cells"]
        self.board = kind(circus).board({})

    def test_shape_and_neighbours(self):
        at = {(c["q"], c["r"]): c["id"] for c in self.cells}
        rows = [[c["q"] for c in self.cells if c["r"] == r] for r in range(-5, 6)]
        self.assertEqual([len(row) for row in rows], [16, 17, 18, 19, 20, 21, 20, 19, 18, 17, 16])
        self.assertEqual([c["id"] for c in self.cells], list(range(201)))
        steps = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
        self.assertEqual(list(self.data["directions"]), list(steps))
        for c in self.cells:
            self.assertEqual(c["h"], 2 * c["q"] + c["r"])
            self.assertEqual(c["nbr"], [at.get((c["q"] + dq, c["r"] + dr), -1) for dq, dr in steps.values()], c)

    def test_sections_and_ranks(self):
        finish = [c["id"] for c in self.cells if c["r"] == 0 and 5 <= c["q"] <= 15]
        self.assertEqual((self.data["finish"]["cells"], [c["id"] for c in self.cells if c["lane"] == 0]), (finish, finish))
        groups = {}
        for c in self.cells:
            name = "top" if c["r"] < 0 else "bottom" if c["r"] > 0 else "left" if c["q"] < 5 else "right"
            self.assertEqual(c["section"], "finish" if c["id"] in finish else name)
            groups.setdefault(c["section"], []).append(c)
        keys = {"top": lambda c: (c["h"], -c["r"]), "bottom": lambda c: (-c["h"], c["r"]),
                "left": lambda c: c["lane"], "right": lambda c: c["lane"]}
        for name, key in keys.items():
            self.assertEqual([c["rank"] for c in sorted(groups[name], key=key)], list(range(len(groups[name]))), name)

    def test_lanes_are_rings_about_the_finish(self):
        def distance(a, b):
            dq, dr = a["q"] - b["q"], a["r"] - b["r"]
            return max(abs(dq), abs(dr), abs(dq + dr))

        finish = [self.cells[i] for i in self.data["finish"]["cells"]]
        for c in self.cells:
            self.assertEqual(c["lane"], min(distance(c, f) for f in finish))

    def test_steps_to_go(self):
        legs = {"top": 0, "left": 1, "bottom": 2, "right": 3}
        for c in self.cells:
            if c["section"] != "finish":
                self.assertEqual(self.board.to_go(c["id"], legs[c["section"]]), c["to_finish"], c)
            if c["section"] == "top":
                self.assertEqual(self.board.to_go(c["id"], 4), c["to_finish_lap"], c)
        self.assertEqual(self.board.to_go(98, 4), 0)

    def test_start(self):
        top = sorted((c for c in self.cells if c["section"] == "top"), key=lambda c: c["rank"])
        start = self.data["start"]["cells"]
        self.assertEqual(sorted(start, key=lambda i: self.cells[i]["rank"]), start)
        self.assertEqual(len({*start} & {c["id"] for c in top}), 15)


class Circus(Script):
    def position(self, *teams, **rules):
        """Chariots as (cell, leg) per seat; one on a cell of the finish is home."""
        g = circus.Game(board(circus, rules), len(teams))
        for team, places in zip(g.teams, teams):
            for cell, leg in places:
                team.append(circus.Chariot(cell, leg))
                team[-1].home = cell in g.b.finish
                g.taken.add(cell)
        g.rounds = 1
        g.to_move = g.order() if any(teams) else []
        return g

    def turn(self, g, seat, number):
        """That chariot is next; those before it have moved."""
        del g.to_move[:g.to_move.index([seat, number]) + 1]
        return g.turn(seat, g.teams[seat][number])

    def ways(self, g, cell, leg, *hand):
        """{direction: values} of a chariot."""
        result = {}
        for value, direction in g.moves(circus.Chariot(cell, leg), hand or (1, 2, 3, 4, 5)):
            result.setdefault(direction, []).append(value)
        return result

    def test_placing_goes_forth_back_and_back(self):
        g = circus.Game(kind(circus).board({}), 3)
        start = list(g.b.start)
        script = []
        for i, seat in enumerate([1, 2, 0, 0, 2, 1, 0, 2, 1]):
            script.append((seat, ["start %d" % c for c in start[i:]], "start %d" % start[i]))
        self.play(g.placing(), ("chance", 1), *script)
        self.assertEqual([c.cell for c in g.teams[1]], [start[0], start[5], start[8]])
        self.assertTrue(all(c.leg == 0 for team in g.teams for c in team))

    def test_the_last_of_fifteen_is_placed_unasked(self):
        g = circus.Game(kind(circus).board({}), 5)
        generator = g.placing()
        self.assertEqual(next(generator), ("chance", "first-player", None, dict.fromkeys(range(5), 1)))
        asked, answer = [], 4
        with contextlib.suppress(StopIteration):
            while True:
                _, player, options = generator.send(answer)
                asked.append(player)
                answer = options[0]
        self.assertEqual(asked, [4, 0, 1, 2, 3, 3, 2, 1, 0, 4, 3, 2, 1, 0])
        self.assertEqual(len(g.taken), 15)

    def test_order_by_section_leg_and_rank(self):
        # bottom 130 (rank 0) leads; then left, then top: leg 0, by rank; then the right line, run backwards into it
        g = self.position([(130, 2), (94, 1), (89, 0)], [(127, 2), (90, 1), (106, -1)], [(0, 0), (81, 0), (149, 2)])
        self.assertEqual(g.order(), [[0, 0], [2, 2], [1, 0], [0, 1], [1, 1], [2, 0], [2, 1], [0, 2], [1, 2]])

    def test_order_on_the_second_passage_of_the_top(self):
        # leg 4 before leg 0, though its rank is behind; the home chariot has no turn
        g = self.position([(89, 4), (70, 0), (106, 3)], [(95, 4), (85, 4), (0, 0)])
        self.assertEqual(g.order(), [[1, 1], [0, 0], [0, 1], [1, 2], [0, 2]])

    def test_a_lapped_leader(self):
        # a leader with leg 5 on the left: top (any leg) is behind it, then right, then bottom
        g = self.position([(92, 5), (93, 1), (106, 3)], [(70, 4), (150, 2), (94, 1)])
        self.assertEqual(g.order(), [[0, 0], [1, 2], [0, 1], [1, 0], [0, 2], [1, 1]])

    def test_legs(self):
        g = self.position([(74, 0)], [(0, 0)])
        chariot = g.teams[0][0]
        for value, direction, cell, leg in ((2, "sw", 114, 2), (2, "ne", 74, 0), (1, "sw", 94, 1), (1, "nw", 73, 0)):
            g.move(chariot, value, g.b.directions.index(direction))
            self.assertEqual((chariot.cell, chariot.leg), (cell, leg))
        g = self.position([(86, 0)], [(0, 0)])
        chariot = g.teams[0][0]
        for value, direction, cell, leg in ((2, "sw", 126, -2), (1, "ne", 106, -1), (1, "ne", 86, 0)):
            g.move(chariot, value, g.b.directions.index(direction))
            self.assertEqual((chariot.cell, chariot.leg), (cell, leg))

    def test_full_value_in_a_line_through_empty_cells(self):
        g = self.position([(85, 0)], [(81, 0), (66, 0)])
        # w: three free cells before 81; e: four to the edge; nw: four to the edge; ne: taken; sw, se: 105 is a wall, 106 not
        self.assertEqual(self.ways(g, 85, 0), {"e": [1, 2, 3, 4], "nw": [1, 2, 3, 4], "w": [1, 2, 3], "se": [1, 2, 3, 4, 5]})
        self.assertEqual(self.ways(g, 85, 0, 3, 5), {"e": [3], "nw": [3], "w": [3], "se": [3, 5]})

    def test_finish_is_a_wall(self):
        g = self.position([(75, 0)], [(0, 0)])
        for leg in (3, 0, -4, 2):
            self.assertFalse({"sw", "se"} & self.ways(g, 80, leg).keys(), leg)
        # from below, and along the row, with any leg
        self.assertFalse({"nw", "ne"} & self.ways(g, 120, 6).keys())
        self.assertNotIn("e", self.ways(g, 94, 5))
        self.assertNotIn("w", self.ways(g, 106, 7))

    def test_every_card_of_at_least_the_distance(self):
        g = self.position([(0, 0)], [(1, 0)])
        self.assertEqual(self.ways(g, 80, 4)["sw"], [1, 2, 3, 4, 5])
        # row -3: 95 is two straights away; 1 and 2 stay short of it, 3 and more go in
        self.assertEqual(self.ways(g, 42, 4)["se"], [1, 2, 3, 4, 5])
        self.assertEqual(self.ways(g, 42, 4, 5)["se"], [5])
        self.assertEqual(self.ways(g, 42, 0)["se"], [1, 2])
        self.assertEqual(self.ways(g, 42, 8)["sw"], [1, 2, 3, 4, 5])

    def test_occupied_finish_and_blocked_way(self):
        g = self.position([(100, 4)], [(79, 4)])
        # 80: sw is 100, taken; se is 101; nw of 79 is 59: its se is blocked at once
        self.assertEqual(self.ways(g, 80, 4)["se"], [1, 2, 3, 4, 5])
        self.assertNotIn("sw", self.ways(g, 80, 4))
        self.assertNotIn("se", self.ways(g, 59, 4))
        # 61: sw is 80, then 100: one step is free, the rest is a wall
        self.assertEqual(self.ways(g, 61, 4)["sw"], [1])

    def naive(self, taken, q, r, leg, value, direction):
        """Where a card takes a chariot, step by step on coordinates, or None: C2b, C3 and C4 without rays."""
        dq, dr = {"e": (1, 0), "ne": (1, -1), "nw": (0, -1), "w": (-1, 0), "sw": (-1, 1), "se": (0, 1)}[direction]

        def section(q, r):
            return 0 if r < 0 else 2 if r > 0 else 1 if q < 5 else 3

        for _ in range(value):
            a, b = q + dq, r + dr
            if (a, b) in taken or abs(b) > 5 or not max(0, -b) <= a <= 20 - max(0, b):
                return None
            if b == 0 and 5 <= a <= 15:
                return (a, b, leg) if leg >= 4 and direction in ("sw", "se") else None
            leg += {0: 0, 1: 1, 3: -1}[(section(a, b) - section(q, r)) % 4]
            q, r = a, b
        return q, r, leg

    def test_moves_like_a_naive_walk(self):
        rng = random.Random(3)
        for _ in range(400):
            g = self.position([])
            cells = rng.sample(range(201), rng.choice((2, 15, 60)))
            start = next(c for c in cells if c not in g.b.finish) if set(cells) - g.b.finish else 0
            leg = g.b.section[start] + 4 * rng.randint(-1, 2)
            g.taken = set(cells) | {start}
            at = [(c["q"], c["r"]) for c in g.b.cells]
            legal, places = set(g.moves(circus.Chariot(start, leg), [1, 2, 3, 4, 5])), {at[c] for c in g.taken}
            for value in range(1, 6):
                for d, direction in enumerate(g.b.directions):
                    expected = self.naive(places, *at[start], leg, value, direction)
                    self.assertEqual((value, direction) in legal, expected is not None, (start, leg, value, direction))
                    if expected:
                        moved, before = circus.Chariot(start, leg), set(g.taken)
                        g.move(moved, value, d)
                        self.assertEqual((*at[moved.cell], moved.leg), expected)
                        self.assertEqual(moved.home, moved.cell in g.b.finish)
                        g.taken = before

    def test_going_home(self):
        g = self.position([(42, 4), (0, 0)], [(1, 0)])
        self.play(self.turn(g, 0, 0), (0, None, "go 5 se"))      # the turn is over, though cards are left
        chariot = g.teams[0][0]
        self.assertEqual((chariot.cell, chariot.leg, chariot.home, g.cards[0]), (g.b.rays[42][5][2][0], 4, True, [1, 2, 3, 4]))
        self.assertNotIn([0, 0], g.order())
        self.assertIn(chariot.cell, g.taken)

    def test_first_decision(self):
        g = self.position([(89, 0)], [(88, 0), (69, 0)])
        self.assertEqual(
            next(self.turn(g, 0, 0))[2],
            ["go %d sw" % v for v in (1, 2, 3, 4, 5)] + ["go 1 se"] + ["waste %d" % v for v in (1, 2, 3, 4, 5)])

    def test_a_waste_ends_the_turn(self):
        g = self.position([(85, 0)], [(0, 0)])
        self.play(self.turn(g, 0, 0), (0, None, "waste 4"))
        self.assertEqual((g.cards[0], g.teams[0][0].cell), ([1, 2, 3, 5], 85))

    def test_the_only_option_is_taken_unasked(self):
        g = self.position([(89, 0)], [(88, 0), (69, 0), (109, 1)])
        g.taken.add(110)
        g.cards[0] = [5]
        self.play(self.turn(g, 0, 0))                            # `waste 5`
        self.assertEqual(g.cards[0], [])

    def test_a_card_must_stay_for_each_later_chariot(self):
        g = self.position([(70, 0), (72, 0), (75, 0)], [(15, 0)])
        self.assertEqual(g.order(), [[0, 0], [0, 1], [0, 2], [1, 0]])
        g.cards[0] = [1, 2, 4, 5]
        # 70: e is 71, then 72 is taken; two cards may go, two must stay
        self.play(self.turn(g, 0, 0), (0, None, "go 1 e"), (0, None, "go 2 ne"))
        self.assertEqual(g.cards[0], [4, 5])
        # 72: w is 71; ne is 53, 35, 18, 1; one card must stay: no second decision
        self.play(self.turn(g, 0, 1), (0, None, "waste 5"))
        self.assertEqual(g.cards[0], [4])
        # 75: the last card may go, and no decision follows
        self.play(self.turn(g, 0, 2), (0, None, "go 4 ne"))
        self.assertEqual(g.cards[0], [])

    def test_stop_without_a_card_to_spare_is_no_ply(self):
        g = self.position([(80, 0), (82, 0), (84, 0)], [(0, 0)])
        g.cards[0] = [1, 2, 3, 4]
        self.play(
            self.turn(g, 0, 0), (0, None, "go 2 nw"),
            (0, ["stop"] + self.texts(g, g.b.rays[80][2][1][0], 0, 1, 3, 4), "go 1 nw"))   # then two cards must stay
        self.assertEqual(g.cards[0], [3, 4])

    def texts(self, g, cell, leg, *hand):
        """The `go` of a chariot on the board as it is, but for the chariot 0 of seat 0, which is there."""
        g = copy.deepcopy(g)
        g.taken.discard(g.teams[0][0].cell)
        g.taken.add(cell)
        return ["go %d %s" % move for move in g.moves(circus.Chariot(cell, leg), hand)]

    def test_three_cards_or_two(self):
        g = self.position([(80, 0)], [(0, 0)])
        self.play(self.turn(g, 0, 0), (0, None, "go 2 nw"), (0, None, "go 1 w"), (0, None, "go 3 w"))
        self.assertEqual(g.cards[0], [4, 5])
        g = self.position([(80, 0)], [(0, 0)], two_cards=True)
        self.play(self.turn(g, 0, 0), (0, None, "go 2 nw"), (0, None, "go 1 w"))
        g = self.position([(80, 0)], [(0, 0)])
        self.play(self.turn(g, 0, 0), (0, None, "go 2 nw"), (0, None, "stop"))

    def test_no_waste_after_the_first_card(self):
        g = self.position([(80, 0)], [(0, 0)])
        generator = self.turn(g, 0, 0)
        next(generator)
        options = generator.send("go 2 nw")[2]
        self.assertIn("stop", options)
        self.assertFalse([o for o in options if o.startswith("waste")])

    def test_straight_only(self):
        g = self.position([(80, 0)], [(0, 0)], straight_only=True)
        g.cards[0] = [1, 2, 4]
        generator = self.turn(g, 0, 0)
        self.assertIn("go 1 e", next(generator)[2])
        options = generator.send("go 2 w")[2]
        self.assertEqual([o for o in options if " w" in o], ["go 1 w", "go 4 w"])
        self.assertEqual(sorted(o for o in options if " nw" in o), ["go 1 nw 4", "go 4 nw 1"])
        self.assertFalse([o for o in options if " nw" in o and len(o.split()) == 3])
        with contextlib.suppress(StopIteration):
            options = generator.send("go 1 nw 4")[2]
        self.assertEqual(g.cards[0], [])

    def test_a_turn_needs_two_cards_to_spare(self):
        g = self.position([(70, 0), (80, 0)], [(0, 0)], straight_only=True)
        g.cards[0] = [1, 2, 4]
        generator = self.turn(g, 0, 0)
        options = next(generator)[2]
        self.assertIn("go 1 e", options)
        options = generator.send("go 2 e")[2]                    # two are left, one must stay
        self.assertEqual(sorted(options), ["go 1 e", "go 4 e", "stop"])

    def test_the_card_thrown_away_is_none_of_the_three(self):
        g = self.position([(80, 0)], [(0, 0)], straight_only=True)
        self.play(self.turn(g, 0, 0), (0, None, "go 1 nw"), (0, None, "go 2 w 3"), (0, ["stop", "go 4 w", "go 5 w"]
                  + ["go %d %s %d" % (v, d, 9 - v) for v in (4, 5) for d in self.free(g, v)], "go 4 w"))
        self.assertEqual(g.cards[0], [5])

    def free(self, g, value):
        """Directions other than w in which `value` is free after nw 1, w 2 from 80."""
        cell = g.b.rays[g.b.rays[80][2][0][0]][3][1][0]
        return [d for v, d in g.moves(circus.Chariot(cell, 0), [value]) if d != "w"]

    # ---- ends

    HOME = [(95, 4), (96, 4)]

    def test_first_home_wins_within_the_round(self):
        g = self.position([*self.HOME, (80, 4)], [(99, 4), (98, 4), (75, 4)], [(0, 0), (1, 0), (2, 0)])
        g.rounds, g.to_move = 0, []
        generator = g.round()
        self.play(generator, (1, None, "waste 1"), (0, None, "go 5 se"))
        self.assertEqual(g.result(), ([2, 0, 0], [0]))
        state = g.state()
        self.assertEqual((state["round"], state["to_move"], state["arrived"]), (1, [[2, 0], [2, 1], [2, 2]], [0]))
        self.assertEqual([p["cards"] for p in state["players"]], [[1, 2, 3, 4], [2, 3, 4, 5], [1, 2, 3, 4, 5]])
        self.assertEqual(state["players"][0]["chariots"][2], {"cell": 101, "leg": 4})
        self.assertTrue(g.over())

    def test_first_home_with_the_last_chariot(self):
        g = self.position([*self.HOME, (80, 4)], [(0, 0), (1, 0), (2, 0)])
        self.play(self.turn(g, 0, 2), (0, None, "go 1 se"))
        g.to_move = []
        self.assertEqual((g.over(), g.state()["to_move"], g.result()), (True, [], ([1, 0], [0])))

    def test_play_on(self):
        g = self.position([*self.HOME, (97, 4)], [(98, 4), (99, 4), (100, 4)], [(103, 4), (0, 0), (1, 0)],
                          [(104, 4), (2, 0), (17, 0)], play_on=True)
        g.arrived = [1]
        self.assertFalse(g.finished())
        g.arrived = [1, 0]
        self.assertFalse(g.finished())
        # both have one home; 39 and 40 steps to go
        self.assertEqual([g.behind(seat)[2] for seat in (2, 3)], [40, 39])
        self.assertEqual(g.result(), ([2, 3, 0, 1], [1]))
        g.rounds = 100
        self.assertTrue(g.over())

    def test_play_on_until_one_is_left_or_no_cell(self):
        g = self.position([*self.HOME, (97, 4)], [(98, 4), (99, 4), (100, 4)], [(0, 0), (1, 0), (2, 0)], play_on=True)
        g.arrived = [0, 1]
        self.assertTrue(g.finished())
        g = self.position([*self.HOME, (97, 4)], [(98, 4), (99, 4), (0, 0)], [(100, 4), (101, 4), (1, 0)],
                          [(102, 4), (103, 4), (2, 0)], [(104, 4), (3, 0), (80, 4)], play_on=True)
        g.arrived = [0]
        self.assertFalse(g.finished())                           # one cell of the finish is empty
        g.taken.add(105)
        self.assertTrue(g.finished())

    def test_play_on_ends_when_the_finish_is_full(self):
        g = self.position([(95, 4), (96, 4), (97, 4)], [(98, 4), (99, 4), (0, 0)], [(100, 4), (105, 4), (1, 0)],
                          [(102, 4), (103, 4), (2, 0)], [(104, 4), (3, 0), (80, 4)], play_on=True)
        g.arrived, g.rounds, g.to_move = [0], 0, []
        self.play(g.round(), (4, None, "go 1 se"))
        self.assertEqual((g.finished(), g.arrived, len(g.to_move)), (True, [0], 4))
        # 4 has two home like 1, 2 and 3; the steps decide: 3 has 20, as have 0, 1 and 2
        self.assertEqual([g.behind(s)[1:] for s in (1, 2, 3, 4)], [(-2, 20)] * 4)
        self.assertEqual(g.result(), ([4, 0, 0, 0, 0], [0]))

    def test_last_round(self):
        g = self.position([(95, 4), (0, 0), (1, 0)], [(96, 4), (5, 0), (6, 0)], [(2, 0), (3, 0), (90, 1)], max_rounds=7)
        g.rounds = 6
        self.assertFalse(g.over())
        g.rounds = 7
        self.assertTrue(g.over())
        self.assertEqual([key[1:] for key in g.ranking()], [(-1, 40), (-1, 43), (0, 59)])
        self.assertEqual(g.result(), ([2, 1, 0], [0]))

    def test_level_players_share_the_place(self):
        g = self.position([(0, 0), (1, 0)], [(2, 0), (3, 0)], [(15, 0), (14, 0)])
        self.assertEqual(g.result(), ([1, 1, 0], [0, 1]))

    def test_state_after_a_round(self):
        g = self.position([(70, 0)], [(0, 0)])
        g.rounds = 0
        self.play(g.round(), (0, None, "waste 2"), (1, None, "waste 5"))
        self.assertEqual(g.state(), {
            "round": 1, "players": [{"chariots": [{"cell": 70, "leg": 0}], "cards": [1, 3, 4, 5]},
                                    {"chariots": [{"cell": 0, "leg": 0}], "cards": [1, 2, 3, 4]}],
            "to_move": [], "arrived": []})


# ---------------------------------------------------------------- records

class Differential(unittest.TestCase):
    def test_every_key_is_overridden(self):
        for module in MODULES:
            # What is done to a game from outside has no default.
            known = set(module.DEFAULTS) | TREATED[module]
            self.assertEqual({key for rules in differential.ROME_OVERRIDES[module] for key in rules}, known)
            for rules in differential.ROME_OVERRIDES[module]:
                kind(module).board(rules)

    def test_its_games_pass_its_referee(self):
        for module in MODULES:
            run = differential.game_run(module.NAME, None)
            for eager in (False, True):
                lines = list(run.generate(run.players[-1], "1", 0, run.overrides[-1], eager))
                self.assertEqual(run.referee().check(lines), [])



class Records(unittest.TestCase):
    RULES = {hannibal: [{}, {"map": "by-names"}, {"map": "mirror", "max-turns": 12}],
             imperium: [{}, {"max-rounds": 3}],
             circus: [{"max-rounds": 12}, {"straight-only": True}, {"two-cards": True, "straight-only": True}, {"play-on": True}]}

    def lines(self, module, seats, seed, rules=None, eager=True):
        watch = None if module is hannibal else lambda game, request: game.check_invariants()
        return list(records.generate(kind(module, eager=eager), seats, seed, 0, rules, watch))

    def faults(self, module, lines, **options):
        return records.Referee(kind(module), **options).check(lines)

    def every(self):
        for module in MODULES:
            for seats in range(module.SEATS[0], module.SEATS[1] + 1):
                for rules in self.RULES[module]:
                    yield module, seats, rules

    def test_random_games_pass(self):
        for module, seats, rules in self.every():
            for seed in ("a", "b", "c"):
                lines = self.lines(module, seats, seed, rules, eager=seed != "a" or module is circus)
                self.assertEqual(self.faults(module, lines), [], (module.NAME, seats, rules))
                self.assertEqual(lines, [records.dump(json.loads(line)) for line in lines])

    def test_uniform_circus_passes(self):
        lines = self.lines(circus, 3, "u", {"max-rounds": 5}, eager=False)
        self.assertEqual(self.faults(circus, lines), [])
        self.assertEqual(sum('"state"' in line for line in lines), 5)

    def test_states_stand_where_they_belong(self):
        hannibals = self.lines(hannibal, 2, "s")
        self.assertEqual([i for i, line in enumerate(hannibals) if '"state"' in line], [len(hannibals) - 2])
        for module in (imperium, circus):
            lines = self.lines(module, 3, "s")
            rounds = [json.loads(line)["state"]["round"] for line in lines if '"state"' in line]
            self.assertEqual(rounds, list(range(1, len(rounds) + 1)))
            self.assertIn('"state"', lines[-2])
            self.assertEqual(json.loads(lines[-1])["end"]["plies"], sum('"player"' in line for line in lines))

    def test_scores_are_numbers(self):
        lines = self.lines(hannibal, 2, "s")
        end = json.loads(lines[-1])
        end["end"]["scores"] = [float(score) for score in end["end"]["scores"]]
        self.assertEqual(self.faults(hannibal, lines[:-1] + [records.dump(end)]), [])
        for wrong in ([True, False], ["1", "0"], [1], None, [0.25, 0.75]):
            end["end"]["scores"] = wrong
            self.assertEqual(len(self.faults(hannibal, lines[:-1] + [records.dump(end)])), 1, wrong)

    def test_seats_and_defaults(self):
        self.assertEqual([module.SEATS for module in MODULES], [(2, 2), (2, 5), (2, 5)])
        boards = [kind(module).board({}) for module in MODULES]
        self.assertEqual((boards[0].max_turns, boards[1].max_rounds, boards[2].max_rounds), (400, 200, 100))
        self.assertEqual((boards[2].straight_only, boards[2].limit, boards[2].play_on), (False, 3, False))
        self.assertEqual(boards[0].land["gallia-cisalpina"], {"roma", "gallia"})     # the map `balanced`

    def test_headers_are_refused(self):
        bad = {hannibal: [{"map": "rome"}, {"map": "by_names"}, {"max-turns": 0}, {"max-turns": "9"}, {"max_turns": 9},
                          {"max-turns": 9.0}, {"rules": {"max-turns": 9}}],
               imperium: [{"max-rounds": True}, {"map": "mirror"}],
               circus: [{"play-on": 1}, {"two-cards": "true"}, {"max-rounds": -1}, {"max-turns": 3}]}
        for module, cases in bad.items():
            lines = self.lines(module, 2, "h", self.RULES[module][-1])
            header = json.loads(lines[0])
            for rules in cases:
                wrong = records.dump({**header, "rules": rules})
                self.assertEqual([f[:2] for f in self.faults(module, [wrong] + lines[1:])], [(1, 1)], rules)
            for change in ({"game": "conquest2"}, {"format": "caesar-record/2"}, {"seats": 6}, {"seats": 1}, {"agents": ["x"]}):
                wrong = records.dump({**header, **change})
                self.assertEqual([f[:2] for f in self.faults(module, [wrong] + lines[1:])], [(1, 1)], change)

    def test_rules_of_the_header_count(self):
        for module, key, value in ((hannibal, "max-turns", 5), (imperium, "max-rounds", 2), (circus, "max-rounds", 2)):
            lines = self.lines(module, 2, "x", {key: value})
            self.assertEqual(self.faults(module, lines), [])
            header = {**json.loads(lines[0]), "rules": {}}
            self.assertEqual(len(self.faults(module, [records.dump(header)] + lines[1:])), 1)

    def changed(self, rng, line):
        """The line, so that it is certainly wrong."""
        value = json.loads(line)
        if "player" in value:
            key = rng.choice(("legal", "player", "action", "note"))
            value[key] = {"legal": value.get("legal", 0) + 1, "player": value["player"] + 1,
                          "action": value["action"] + " x", "note": 1}[key]
        elif "chance" in value:
            key = rng.choice(("chance", "who", "value"))
            value[key] = {"chance": "dice", "who": 0, "value": 9}[key]
        elif "state" in value:
            key = rng.choice(sorted(value["state"]))
            value["state"][key] = "x" if rng.random() < 0.5 else [[], 99]
        elif "end" in value:
            key = rng.choice(sorted(value["end"]))
            value["end"][key] = [7, 7, 7]
        else:
            value["seed"] = 5
        return records.dump(value)

    def test_changes_fail_on_their_line(self):
        rng = random.Random(1)
        for module, seats, rules in self.every():
            lines = self.lines(module, seats, "m", rules)
            for i in {0, len(lines) - 1, len(lines) - 2, 1} | set(rng.sample(range(len(lines)), 8)):
                found = self.faults(module, lines[:i] + [self.changed(rng, lines[i])] + lines[i + 1:] + lines)
                self.assertEqual([(f[0], f[1]) for f in found], [(i + 1, 1)], lines[i])

    def test_lines_lost_or_doubled_are_found(self):
        rng = random.Random(2)
        for module in MODULES:
            lines = self.lines(module, 2, "d")
            for i in rng.sample(range(1, len(lines)), 12):
                self.assertEqual(len(self.faults(module, lines[:i] + lines[i + 1:])), 1, i)
                self.assertGreaterEqual(len(self.faults(module, lines[:i + 1] + lines[i:])), 1, i)
            self.assertEqual(self.faults(module, lines + lines), [])

    def test_simultaneous_lines_stand_in_seat_order(self):
        lines = self.lines(imperium, 3, "o")
        swapped = [lines[0], lines[2], lines[1], *lines[3:]]
        self.assertEqual(self.faults(imperium, swapped)[0][0], 2)

    def test_forced_plies_are_refused(self):
        lines = self.lines(circus, 5, "f", {"max-rounds": 2})
        cells = {json.loads(line)["action"] for line in lines if '"start ' in line}
        self.assertEqual(len(cells), 14)
        left = next(c for c in DATA[circus]["start"]["cells"] if "start %d" % c not in cells)
        extra = records.dump({"player": 0, "legal": 1, "action": "start %d" % left})
        i = next(k for k, line in enumerate(lines) if '"go ' in line or '"waste' in line)
        self.assertEqual(self.faults(circus, lines[:i] + [extra] + lines[i:])[0][0], i + 1)

    def test_command(self):
        for module in MODULES:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(rome.command(module, ["--play", "7", "--games", "2", "--eager"]), 0)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "games")
                for text, code, last in ((out.getvalue(), 0, "games 2 failed 0"),
                                         (out.getvalue().replace('"legal":', '"legal":1', 1), 1, "games 2 failed 1")):
                    with open(path, "w", encoding="utf-8") as handle:
                        handle.write(text)
                    shown = io.StringIO()
                    with contextlib.redirect_stdout(shown):
                        self.assertEqual(rome.command(module, [path]), code)
                    self.assertEqual(shown.getvalue().splitlines()[-1], last)

    def test_wrong_commands(self):
        for argv in ([], ["x", "--play", "1"], ["--play", "1", "--players", "9"], ["/no/such/file"],
                     ["--play", "1", "--overrides", '{"x": 1}'], ["-", "--board", "/no/such/file"]):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as raised:
                rome.command(circus, argv)
            self.assertEqual(raised.exception.code, 2, argv)


class Pipes(unittest.TestCase):
    """Programs whose reader has seen enough end without a complaint, as under `| head`."""

    HERE = os.path.dirname(os.path.abspath(__file__))

    def first_line(self, words, given=None):
        """The first line that a program prints and what it complains of when nobody reads the rest."""
        with tempfile.TemporaryFile() as records_of_games:
            records_of_games.write((given or "").encode())
            records_of_games.seek(0)
            run = subprocess.Popen([sys.executable, *words], cwd=self.HERE, stdin=records_of_games,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            line = run.stdout.readline()
            run.stdout.close()
            complaint = run.stderr.read()
            run.stderr.close()
            run.wait()
        return line, complaint

    def test_a_reader_who_has_seen_enough_is_no_fault(self):
        for words in (["conquest2.py", "--generate", "40"], ["circus.py", "--play", "1", "--games", "300"]):
            line, complaint = self.first_line(words)
            self.assertTrue(line.startswith('{"format"'), line)
            self.assertEqual(complaint, "", words)

    def test_scripts_of_experiments_have_readers_who_have_seen_enough(self):
        given = subprocess.run([sys.executable, "circus.py", "--play", "1", "--games", "3"], cwd=self.HERE,
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        # Nobody reads from the start, so that whatever is printed comes too late.
        script = os.path.join("..", "experiments", "rome-balance", "circus_starts.py")
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([sys.executable, script], cwd=self.HERE, input=given, stdout=write,
                              stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
