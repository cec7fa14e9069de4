"""Overrides of rise for the differential run: every key that section 0 of the rules page leaves free is changed at least once."""

import rome
from rise_rules import EFFECTS, ENTRIES, SECTIONS, by_id

COLUMNS, OLD_WORLD = "2345", ("iberia", "gaul", "italy", "greece", "asia_minor", "egypt", "north_africa", "british_isles")


def effect(tile, **changes):
    return {"progress": {tile: {"effect": changes}}}


def every(keys, value):
    return {key: value for key in keys}


# Tiles of era III in era I, so that their effects are met in every turn.
EARLY = {tile: {"era": 1} for tile in ("navigation", "diplomacy", "merchant_guilds", "fortification", "ideology", "oil_drilling",
                                       "railways", "mechanised_warfare", "stock_exchange", "medicine")}
TREATMENTS = [
    {"gift": {"s1": {"seat0": {"gold": 7, "resource": 2, "food": 3, "cubes": 4, "vp": -5}, "seat1": {"gold": -9, "food": -20, "cubes": -2}},
              "s4": {"seat1": {"gold": 12, "resource": -7, "food": 20, "cubes": 30, "vp": 6}}}},
    {"gift": {"s1": {"seat0": {"region": {"italy": 2, "gaul": 1}}, "seat1": {"region": {"italy": 50}, "cubes": -3}}, "s4": {"seat1": {"region": {"italy": 1}}},
              "s6": {"seat0": {"region": {"north_america": 3}}}}},
    {"gift": {"s1": {"seat0": {"actions": -1}, "seat1": {"actions": -6}}, "s2": {"seat0": {"actions": -2}}, "s3": {"seat1": {"actions": -3}},
              "s6": {"seat1": {"actions": -1}}}},
    {"gift": {"s1": {"seat0": {"progress": {"diplomacy": True, "stock_exchange": True}, "territory": {"island": 3, "village_food": 1}}},
              "s2": {"seat1": {"city": {"rome": True, "athens": True}, "progress": {"navigation": True, "mercenaries": True}}},
              "s5": {"seat1": {"progress": {"irrigation": True, "religion": True}, "city": {"rome": True}}}}},
    {"ban": {"always": {"seat0": {"progress": {"irrigation": True, "navigation": True}, "territory": {"plain": True, "forest": True},
                                  "city": {"memphis": True, "great_wall": True}}},
             "s1": {"seat1": {"empire": {"1": True, "8": True}, "trade": {"1": True, "5": True}}},
             "s6": {"seat1": {"empire": {str(k): True for k in range(1, 9)}, "city": {"tokyo": True}, "trade": {"10": False}}}}},
    {"ban": {"game": {"progress": {"mining": True, "ideology": True}, "territory": {"plain": True, "village_gold": True},
                      "city": {"babylon": True, "new_york": True, "pyramids": True}}}},
]
OVERRIDES = [
    {},
    # switches, one by one
    {"stock": {"resource_discs_on_trade_track_are_in_supply": False}},
    {"stock": {"resource_discs_on_trade_track_are_in_supply": False, "resource_discs": 12}},
    {"action_display": {"b_turn_pay_before_action": False}},
    {"action_display": {"b_turn_may_skip_action": False}},
    {"action_display": {"a_turn_may_skip_action": True}},
    {"empire_rules": {"zero_cubes_allowed": False}},
    {"map_rules": {"reinforce_without_water": True}},
    {"map_rules": {"second_place_in_2p_game": False}},
    {"map_rules": {"navigation_scope": "owner"}},
    {"display": {"leftovers_by_players": {"2": "all", "3": "all", "4": "red", "5": "red"}}},
    # all switches at once
    {"stock": {"resource_discs_on_trade_track_are_in_supply": False},
     "action_display": {"b_turn_pay_before_action": False, "b_turn_may_skip_action": False, "a_turn_may_skip_action": True},
     "empire_rules": {"zero_cubes_allowed": False},
     "map_rules": {"reinforce_without_water": True, "second_place_in_2p_game": False, "navigation_scope": "owner"},
     "display": {"leftovers_by_players": {"2": "all", "3": "all", "4": "red", "5": "red"}}},
    # paths with dots
    {"start.gold": 9, "region.italy": {"vp": [5, 3]}, "empire.3.back.areas": 1, "progress.irrigation.effect.gain.food": 4},
    # stock and start
    {"stock": {"player_cubes_per_colour": 12}, "start": {"cubes_in_pool": 3, "cubes_in_general_stock": 9}},
    {"stock": {"player_cubes_per_colour": 60}, "start": {"cubes_in_pool": 60, "cubes_in_general_stock": 0}},
    {"start": {"cubes_in_pool": 0, "cubes_in_general_stock": 30}},
    {"start": {"cubes_in_pool": 25, "cubes_in_general_stock": 5, "gold": 20}},
    {"stock": {"resource_discs": 5}, "start": {"resource_discs": 1}},
    {"stock": {"resource_discs": 0}, "start": {"resource_discs": 0}},
    {"stock": {"resource_discs": 90}, "start": {"resource_discs": 8, "gold": 40, "food": 20, "vp": 12}},
    {"start": {"gold": 0, "food": 0, "vp": -7}},
    {"stock": {"actions_per_turn": 1}},
    {"stock": {"actions_per_turn": 3}},
    {"stock": {"actions_per_turn": 8}},
    # the food track
    {"food_track": {"min": 4}},
    {"food_track": {"min": -6, "max": 16}},
    {"food_track": {"max": 17, "food_above_max_per_gold": 1}},
    {"food_track": {"max": 40, "vp_lost_per_food_below_min": 3, "final_turn_multiplier": 3}},
    {"food_track": {"min": 16, "max": 16, "food_above_max_per_gold": 3, "vp_lost_per_food_below_min": 0}},
    {"food_track": {"final_turn_multiplier": 0}},
    # the action display
    {"action_display": {"columns_by_players": {"2": 3, "3": 4, "4": 5, "5": 7}}},
    {"action_display": {"columns_by_players": every(COLUMNS, 10)}},
    {"action_display": {"columns_by_players": every(COLUMNS, 2)}},       # actions lapse
    {"action_display": {"circles": {"progress": 2, "territory": 12, "city": 3, "empire": 1, "trade": 4}}},
    {"action_display": {"circles": {"empire": 2, "progress": 7, "city": 5, "territory": 6, "trade": 9}}, "stock": {"actions_per_turn": 5}},
    {"action_display": {"b_turn_cost_per_disc_to_the_left": 0}},
    {"action_display": {"b_turn_cost_per_disc_to_the_left": 3}},
    {"action_display": {"b_turn_cost_currencies": ["food", "gold", "vp"]}},
    {"action_display": {"b_turn_cost_currencies": ["resource", "food", "cubes", "gold", "vp"], "b_turn_pay_before_action": False}},
    {"action_display": {"b_turn_cost_currencies": ["vp"]}},
    {"action_display": {"b_turn_cost_currencies": ["food", "vp"]}, "food_track": {"min": 8}},
    # tiles on the display
    {"display": {"progress_per_turn": 3, "territory_per_turn": 4}},
    {"display": {"progress_per_turn": 20, "territory_per_turn": 40}},
    {"display": {"progress_per_turn": 0, "territory_per_turn": 0}},
    {"display": {"progress_per_turn": 11, "territory_per_turn": 17}},
    # costs
    {"costs": {"progress_gold_by_eras_old": [1, 0, 3], "era_end_gold_per_progress_kept": 2, "era_end_cubes_per_city_kept": 3}},
    {"costs": {"progress_gold_by_eras_old": [2, 5, 9], "era_end_gold_per_progress_kept": 0, "era_end_cubes_per_city_kept": 0}},
    {"costs": {"decline_divisor": 1, "end_gold_per_vp": 1, "end_resource_per_vp": 2}},
    {"costs": {"decline_divisor": 3, "end_gold_per_vp": 7, "end_resource_per_vp": 1}},
    # empires and battles
    {"empire_rules": {"battle_lines_by_era": [2, 2, 2]}},
    {"empire_rules": {"battle_lines_by_era": [0, 2, 1]}},
    {"empire_rules": {"attacker_loss_min": 2, "defender_loss_min": 2}, "progress": {"fortification": {"era": 1}}},
    {"empire": {str(k): {"front": {"areas": 2, "water": True, "battles": [[0, 2], [0, 2]]},
                         "back": {"areas": 4, "water": False, "battles": [[1, 0], [0, 1]]}} for k in range(1, 9)},
     "empire_rules": {"battle_lines_by_era": [2, 2, 2]}},
    {"empire": {str(k): {"front": {"areas": 5, "battles": [[1, 1], [1, 1]]}, "back": {"water": True, "battles": [[2, 3], [1, 3]]}}
                for k in range(1, 9)},
     "empire_rules": {"battle_lines_by_era": [2, 2, 2]}, "start": {"cubes_in_pool": 15, "cubes_in_general_stock": 15}},
    {"empire": {"1": {"front": {"areas": 17, "water": True}, "back": {"areas": 9, "battles": []}}, "8": {"back": {"battles": [[0, 9]]}}}},
    {"empire": {str(k): {"front": {"areas": 3, "water": False}, "back": {"areas": 3, "water": False}} for k in range(1, 9)},
     "start": {"cubes_in_pool": 12, "cubes_in_general_stock": 18}, "costs": {"decline_divisor": 1}},
    {"empire": {str(k): {"front": {"areas": 4, "water": True}, "back": {"areas": 4, "water": True}} for k in range(1, 9)},
     "start": {"cubes_in_pool": 12, "cubes_in_general_stock": 18}, "costs": {"decline_divisor": 1}},
    # the map
    {"map_rules": {"zones_per_action": 2, "zones_open_from_era": 1, "zones_need_navigation_in_era": 0}},
    {"map_rules": {"zones_per_action": 1, "zones_open_from_era": 1, "zones_need_navigation_in_era": 1}, "progress": EARLY},
    {"map_rules": {"zones_per_action": 0}},
    {"map_rules": {"zones_open_from_era": 3, "zones_need_navigation_in_era": 3}},
    {"map_rules": {"zones_need_navigation_in_era": 3, "navigation_scope": "owner"}},
    # everything lies in the zones at first: newcomers who need water
    {"map_rules": {"zones_open_from_era": 1, "reinforce_without_water": True},
     "region": {**{r: {"era": 2} for r in OLD_WORLD[:7]}, "mediterranean_sea": {"era": 2}}},
    {"map_rules": {"zones_open_from_era": 1}, "region": {**{r: {"era": 3} for r in OLD_WORLD}, "mediterranean_sea": {"era": 2}}},
    {"region": {"italy": {"vp": [0, 0], "era": 2}, "egypt": {"vp": [9, 8], "symbol": {"food": 0, "gold": 5}},
                "china": {"symbol": {"resource": 3, "cubes": 2, "gold": 3, "food": 5}}, "north_america": {"symbol": {"gold": 4}}}},
    {"region": {r: {"symbol": {"food": 3, "gold": 3, "resource": 3, "cubes": 3}, "vp": [7, 4]} for r in OLD_WORLD}},
    {"region": {"iberia": {"sea": True}, "gaul": {"sea": True}, "mediterranean_sea": {"sea": False}, "india": {"sea": True}}},
    {"region": {"italy": {"adjacent": ["gaul", "greece", "egypt"]}, "central_europe": {"adjacent": ["gaul", "greece", "northern_europe",
                                                                                              "eastern_europe"]},
                "egypt": {"adjacent": ["italy", "north_africa", "middle_east", "mediterranean_sea"]},
                "mediterranean_sea": {"adjacent": ["iberia", "gaul", "greece", "asia_minor", "egypt", "north_africa", "middle_east"]}}},
    {"region": {"north_america": {"adjacent": ["south_america"]}, "south_america": {"adjacent": ["north_america"]}}},
    {"region": {"british_isles": {"adjacent": [], "era": 1}, "gaul": {"adjacent": ["italy", "iberia", "central_europe", "mediterranean_sea"]},
                "northern_europe": {"adjacent": ["central_europe", "eastern_europe"]}}},
    # territory tiles
    {"territory": {"plain": {"count": 1}, "island": {"count": 3}, "forest": {"count": 20}, "village_gold": {"count": 4}}},
    {"territory": {t: {"count": 0} for t in ("plain", "island", "forest", "mountain")}},
    {"territory": {"plain": {"income": {"food": -4, "gold": 2, "cubes": 0}}, "mountain": {"income": {"food": 5, "resource": 2, "vp": 1}}}},
    {"territory": {"forest": {"choice": ["cubes", "gold", "food"]}, "island": {"choice": ["resource", "gold"]},
                   "village_gold_or_resource": {"choice": ["food"], "count": 6},
                   "village_food_or_cube": {"choice": ["resource", "food", "gold", "cubes"], "count": 9}}},
    # trade
    {"trade": {"1": {"eras": [1, 2, 3], "discs": 0}, "2": {"discs": 1, "gold": 1, "vp": 2}, "3": {"gold": 2, "vp": 0},
               "15": {"eras": [1], "discs": 2}, "7": {"eras": [3, 1]}}},
    {"trade": {str(k): {"discs": 1} for k in range(1, 16)}, "progress": {"merchant_guilds": {"era": 1, "count": 9}},
     "stock": {"resource_discs": 11, "resource_discs_on_trade_track_are_in_supply": False}},
    # progress tiles
    {"progress": {"irrigation": {"era": 2, "count": 5, "red": False}, "banking": {"era": 1, "red": True, "count": 0},
                  "ideology": {"era": 2, "red": True}, "currency": {"era": 3}}},
    {"progress": {x: {"era": 3} for x in ("irrigation", "currency", "mining", "shipping", "iron_weapons", "mercenaries",
                                          "religion", "masonry")}},        # an era without tiles
    {"progress": EARLY, "display": {"progress_per_turn": 40}, "start": {"gold": 30}},
    {"progress": EARLY, "display": {"progress_per_turn": 40}, "start": {"gold": 30, "cubes_in_pool": 15, "cubes_in_general_stock": 15},
     "action_display": {"columns_by_players": every(COLUMNS, 10)}},
    effect("irrigation", gain={"food": -3, "gold": 1, "resource": 1, "cubes": 1, "vp": 1}),
    effect("mining", gain={"food": 1, "gold": 1, "resource": 2, "cubes": 1, "vp": 1}),
    effect("mining", choice=["food", "gold"], amount=2),
    effect("shipping", choice=["resource", "food"], amount=3),
    effect("shipping", choice=["gold", "cubes"], amount=2),
    effect("shipping", amount=0),
    effect("iron_weapons", defender_loss=2, attacker_loss=-1, extra_areas=2),
    effect("iron_weapons", attacker_loss=2, defender_loss=0),
    effect("mercenaries", cost={"gold": 0, "food": 2, "cubes": 1}, cubes=3, water=True),
    effect("mercenaries", cost={"resource": 1}, cubes=2),
    effect("religion", vp=2, condition="present", max=5),
    effect("masonry", gold=5, of=["wonder"]),
    effect("masonry", gold=1, of=["city"]),
    {"progress": {"ideology": {"era": 1, "effect": {"condition": "controlled", "vp": 3, "max": 7}}}},
    {"progress": {"fortification": {"era": 1, "count": 8, "effect": {"loss_reduction": 2}}}},
    {"progress": {"diplomacy": {"era": 1, "count": 8, "effect": {"cost": {"gold": 1, "cubes": 1, "food": 1, "resource": 1}}}}},
    {"progress": {"merchant_guilds": {"era": 1, "count": 8, "effect": {"gain": {"gold": 0, "resource": 2, "cubes": 2, "vp": 1}}}}},
    {"progress": {"stock_exchange": {"era": 1, "count": 8, "effect": {"cost": {"gold": 1, "food": 2}, "gain": {"vp": 1, "resource": 2}}}}},
    {"progress": {"stock_exchange": {"era": 1, "count": 8, "effect": {"cost": {"resource": 1, "cubes": 2, "gold": 0},
                                                                     "gain": {"gold": 3, "cubes": 1}}}}},
    # city tiles
    {"city": {"memphis": {"gold": 0, "food": 3, "vp": 9}, "athens": {"resource": 3, "income": {"resource": 2}},
              "pyramids": {"gold": 1, "vp": 11, "food": -2}, "rome": {"resource": 2, "food": 0, "income": {"gold": 3, "cubes": 2}}}},
    {"city": {c: {"gold": 1, "food": -6, "resource": 2} for c in ("memphis", "babylon", "athens", "rome", "carthage", "alexandria",
                                                               "constantinople", "baghdad", "cordoba", "venice", "paris")}},
    # short and wild
    {"start": {"gold": 60, "resource_discs": 8, "cubes_in_pool": 20, "cubes_in_general_stock": 10}, "stock": {"actions_per_turn": 9},
     "action_display": {"columns_by_players": every(COLUMNS, 10)}},
] + TREATMENTS


def coverage(data):
    """Keys of the configuration that no override changes, as paths with * for the entries of a list."""
    def below(keys, rules, path):
        for key, kind in keys.items():
            found = [r[key] for r in rules if isinstance(r, dict) and key in r]
            if isinstance(kind, dict):
                yield from below(kind, found, path + (key,))
            elif not found:
                yield ".".join(path + (key,))

    missing = list(below(SECTIONS, OVERRIDES, ()))
    for name, keys in ENTRIES.items():
        missing += below(keys, [c for r in OVERRIDES for c in r.get(name, {}).values()], (name, "*"))
    tiles = by_id(data)["progress"]
    for (kind, act), keys in EFFECTS.items():
        mine = [x for x, e in tiles.items() if (e["effect"]["kind"], e["effect"].get("act")) == (kind, act)]
        changes = [r["progress"][x].get("effect", {}) for r in OVERRIDES for x in mine if x in r.get("progress", {})]
        missing += below(keys, changes, ("progress", "*", kind))
    return missing


def main():
    """Says which keys no override changes."""
    print("\n".join(coverage(rome.load("rise"))) or "every key is changed")


if __name__ == "__main__":
    main()
