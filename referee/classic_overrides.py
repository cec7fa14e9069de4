"""Overrides of classic for the differential run: every key of the configuration is changed at least once here."""

import classic_board
from classic_board import AREAS, SCHEMA

HOMES = ("egypt", "galatia", "hispania", "italia", "macedonia", "mesopotamia", "numidia")
# A short game, so that many are played; laid under the cells that do not speak of the rounds themselves.
SHORT = {"final_round": 5}


def friz(**changes):
    return {"options": SHORT, "variant": {"friz": changes}}


def base(**changes):
    return {"options": {**SHORT, "variant": "base"}, "variant": {"base": changes}}


def rich(talents=400, **sections):
    """Much money at once, so that what costs money comes up."""
    return {"options": SHORT, "start": {"talents": talents}, **sections}


OVERRIDES = [
    {},
    {"options": {"variant": "base"}},
    {"options": {"variant": "base", "final_round": 3}},
    {"options": {"final_round": 1}},
    # the column of friz, key by key
    friz(home_values=False), friz(guards=False), friz(start_placement="home"), friz(caesar_replaced=False),
    friz(home_lost_tribute=False), friz(home_lost_purchase=False), friz(home_lost_tribute=False, home_lost_purchase=False),
    friz(start_territories=0), friz(start_territories=1), friz(start_territories=5), friz(start_territories=20),
    friz(caesar_payment=0), friz(caesar_payment=500), friz(home_lost_payment=0), friz(home_lost_payment=500),
    friz(caesar_steps=0), friz(caesar_steps=1), friz(caesar_steps=2), friz(caesar_legion=0), friz(caesar_legion=9),
    friz(recruit_caesar=0, recruit_city=0, recruit_territory=0), friz(recruit_caesar=3), friz(recruit_city=4),
    friz(recruit_territory=5), friz(recruit_caesar=2, recruit_city=2, recruit_territory=2),
    friz(inflation_at=[1, 2]), friz(inflation_at=[60, 80]), friz(inflation_at=[50, 251]),
    {"options": SHORT, "income": {"inflation_factor": [2, 5]}, "variant": {"friz": {"inflation_at": [70]}}},
    {"options": SHORT, "income": {"inflation_factor": [1, 2, 3, 4]}, "variant": {"friz": {"inflation_at": [40, 60, 80]}}},
    {"options": SHORT, "income": {"inflation_factor": [3]}, "variant": {"friz": {"inflation_at": []}}},
    friz(home_victory={"2": 2, "3": 2, "4": 2, "5": 2, "6": 2}), friz(home_victory={"2": 3, "3": 3, "4": 3, "5": 3, "6": 3}),
    friz(end_ladder=[[]]), friz(end_ladder=[["blank"], ["galley", "blank"]]),
    friz(end_ladder=[["infantry"], [], ["cavalry", "infantry"], [], [], ["catapult"]]),
    friz(end_ladder=[[], ["infantry", "cavalry", "catapult", "galley", "blank"], []]),
    friz(prestige=50, prestige_tie=0), friz(prestige=0, prestige_tie=25), friz(prestige=0, prestige_tie=0),
    # that of base
    base(home_values=True, guards=True), base(start_territories=3, start_placement="pairs"),
    base(caesar_replaced=True, caesar_payment=15, caesar_steps=3, caesar_legion=3),
    base(recruit_caesar=1, recruit_city=1, recruit_territory=1), base(home_lost_payment=30),
    base(home_lost_tribute=True), base(home_lost_purchase=True), base(inflation_at=[40, 60], prestige=10, prestige_tie=5),
    base(home_victory={"2": 2, "3": 2, "4": 2, "5": 2, "6": 2}), base(home_victory={"4": 3}),
    base(end_ladder=[[], ["infantry"], ["infantry", "blank"]]),
    # pieces and stocks
    {"options": SHORT, "pools": {"infantry": 6, "cavalry": 1, "catapult": 1, "galley": 2}},
    rich(pools={"infantry": 30, "cavalry": 25, "catapult": 7, "galley": 15, "general": 7, "caesar": 1}),
    rich(start={"talents": 300, "general": 0, "infantry": 9}), rich(start={"talents": 300, "general": 1, "infantry": 0}),
    rich(start={"talents": 200, "general": 4, "infantry": 15, "caesar": 1, "city": "city"}),
    rich(start={"talents": 200, "city": "none"}), rich(1000), rich(5),
    rich(stock={"city": 6, "fort": 6, "road": 1}), rich(stock={"city": 8, "fort": 7, "road": 2}),
    rich(stock={"city": 40, "fort": 40, "road": 60}), rich(start={"talents": 400, "city": "none"}, stock={"city": 0, "fort": 0}),
    # money
    rich(prices={"infantry": 5, "cavalry": 5, "catapult": 10, "galley": 5}), rich(prices={"galley": 0}),
    rich(prices={"city": 0, "fort": 0, "road": 0}), rich(prices={"city": 5, "fort": 5, "road": 5, "infantry": 25}),
    rich(prices={"infantry": 0, "cavalry": 0, "catapult": 0, "galley": 0, "city": 0, "fort": 0, "road": 0}),
    {"options": SHORT, "income": {"city": 30}}, {"options": SHORT, "income": {"city": 0}},
    rich(income={"ransom_offers": [1, 3, 400]}), rich(income={"ransom_offers": []}), rich(income={"ransom_offers": [7]}),
    # movement
    {"options": SHORT, "movement": {"infantry": 2, "cavalry": 2, "catapult": 2, "general": 3}},
    {"options": SHORT, "movement": {"infantry": 0, "cavalry": 1, "catapult": 0, "general": 1}},
    {"options": SHORT, "movement": {"general": 1, "cavalry": 0, "infantry": 2}}, {"options": SHORT, "movement": {"general": 0}},
    rich(movement={"galley": 1}), rich(movement={"galley": 0}), rich(movement={"galley": 2, "troops_per_leader": 1}),
    rich(movement={"troops_per_leader": 2}, prices={"galley": 5}), rich(movement={"troops_per_leader": 7}),
    {"options": SHORT, "movement": {"leaders_per_galley": 1, "board_cost": 1, "land_cost": 1}},
    # battles
    rich(battle={"legion": 1}), rich(battle={"legion": 12}), rich(battle={"legion_per_general": 0}),
    rich(battle={"legion_per_general": 4}), rich(battle={"fort_dice": 0}), rich(battle={"fort_dice": 5}),
    rich(battle={"land_rounds": 1}), rich(battle={"land_rounds": 2, "naval_rounds": 1}, prices={"galley": 5}),
    rich(battle={"naval_rounds": 2}, prices={"galley": 5}, pools={"galley": 15}),
    {"options": SHORT, "die": {"faces": ["infantry"]}}, rich(die={"faces": ["galley", "blank"]}, prices={"galley": 5}),
    rich(die={"faces": ["cavalry", "blank", "catapult", "infantry", "cavalry", "galley", "galley", "blank"]}),
    {"options": SHORT, "die": {"faces": ["blank"]}, "variant": {"friz": {"end_ladder": [[], ["infantry"]]}}},
    # seats
    {"options": SHORT, "seats": {"2": ["italia", "galatia"], "3": ["numidia", "mesopotamia", "hispania"],
                                 "4": ["italia", "egypt", "galatia", "macedonia"],
                                 "5": ["italia", "hispania", "numidia", "egypt", "mesopotamia"],
                                 "6": ["italia", "mesopotamia", "galatia", "egypt", "numidia", "hispania"]}},
    {"options": SHORT, "seats": {"order": ["italia", "hispania", "numidia", "egypt", "mesopotamia", "galatia", "macedonia"]}},
    {"options": SHORT, "province": {"narbonensis": {"home": True, "base_value": 20, "guard": 2}}, "seats": {
        "order": ["macedonia", "narbonensis", "galatia", "mesopotamia", "egypt", "numidia", "hispania", "italia"],
        "3": ["hispania", "narbonensis", "egypt"]}},
    # treatments
    {"options": SHORT, "gift": {"s1": {"seat0": {"talents": 200, "galley": 3}, "seat1": {"infantry": 30, "cavalry": 2, "catapult": 1}}}},
    {"options": SHORT, "start": {"talents": 50}, "gift": {
        "s1": {"seat0": {"talents": -80, "infantry": 0}, "seat1": {"talents": -20}}, "s3": {"seat1": {"galley": 2, "talents": 60}}}},
    {"options": SHORT, "gift": {
        "s1": {"seat0": {"province": {"creta": True, "armenia": True, "italia": True}, "city": {"creta": True}, "galley": 4}},
        "s2": {"seat1": {"province": {"britannia": True, "creta": True}, "city": {"britannia": True, "hispania": True}, "galley": 1}}}},
    {"options": SHORT, "stock": {"city": 6}, "gift": {"s%d" % s: {"seat1": {"province": {p: True}, "city": {p: True}, "catapult": 2}}
                                                      for s, p in enumerate(("dacia", "corsica", "noricum", "belgica"), 1)}},
    # the board
    {"options": SHORT, "province": {"egypt": {"value": 60, "guard": 1}, "italia": {"guard": 9, "base_value": 40},
                                    "macedonia": {"guard": 0}, "asia": {"recruit": False}, "creta": {"recruit": True}}},
    {"options": {**SHORT, "variant": "base"}, "province": {"italia": {"base_value": 40}, "galatia": {"base_value": 0}}},
    rich(province={"mesopotamia": {"galleys_at": ["egypt", "cilicia"]}, "hispania": {"galleys_at": ["aquitania"]}}),
    {"options": SHORT, "province": {"baleares": {"land": ["hispania"]}, "hispania": {
        "land": ["aquitania", "baetica", "lusitania", "narbonensis", "baleares"]}}},
    rich(province={"raetia": {"sea": ["mare-adriatico"], "name": "Rhaetia", "at": [10.5, 46.5]}},
         sea={"mare-adriatico": {"coasts": ["dalmatia", "italia", "neapolis", "raetia"], "name": "Adria", "at": [15, 43]}}),
    rich(sea={"mare-hispalis": {"sea": ["mare-baliaricum", "mare-cantabricum", "mare-sabrata"]},
              "mare-sabrata": {"sea": ["mare-libycum", "mare-numidia", "mare-hispalis"]}}),
    {"options": SHORT, "strait": {"messina": {"open": False}, "italia-corsica": {"open": True}, "gibraltar": {"open": False}}},
    rich(strait={"messina": {"zone": "mare-epirus"}, "channel": {"between": ["germania", "britannia"]}}),
    # short and wild: big armies everywhere, everything cheap
    {"options": {"final_round": 6}, "start": {"talents": 900, "infantry": 12}, "movement": {"infantry": 2, "general": 3},
     "prices": {"infantry": 5, "cavalry": 5, "catapult": 5, "galley": 5, "city": 5, "fort": 5, "road": 5},
     "variant": {"friz": {"recruit_city": 5, "recruit_territory": 5, "caesar_steps": 3, "start_territories": 4}}},
    # homes fall easily and are dear to lose
    {"options": {"final_round": 4}, "variant": {"friz": {"caesar_replaced": False, "home_lost_tribute": False}},
     "start": {"talents": 100}, "province": {home: {"guard": 1} for home in HOMES}},
]


def uncovered():
    """Keys that no override changes: those of the sections, and of the areas in any of their entries."""
    def keys(schema, rules, path):
        for key, kind in schema.items():
            found = [r[key] for r in rules if key in r]
            if isinstance(kind, dict):
                yield from keys(kind, found, path + (key,))
            elif not found:
                yield ".".join(path + (key,))

    missing = list(keys(SCHEMA, OVERRIDES, ()))
    for area, schema in AREAS.items():
        changes = [c for r in OVERRIDES for c in r.get(area, {}).values()]
        missing += ["%s.*.%s" % (area, key) for key in schema if not any(key in c for c in changes)]
    return missing


def refused():
    """Overrides that the referee itself would refuse, with its words."""
    cfg = classic_board.load()
    for rules in OVERRIDES:
        try:
            board = classic_board.Board(classic_board.override(cfg, rules))
            for seats in range(2, 7):
                board.seats(seats)
        except ValueError as error:
            yield rules, str(error)
