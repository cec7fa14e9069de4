"""The configuration of rise: the data file, the overrides of a record's header (section 0 of the rules page), the board."""

import copy
import json

import rise_treatments
from rome import RulesError, text_id

KINDS = ("food", "gold", "resource", "cubes", "vp")
NO_VP = KINDS[:4]
NO_FOOD = KINDS[1:]
INCOME = ("gold", "resource", "cubes")          # what a city's income may be
LISTS = ("region", "empire", "territory", "trade", "progress", "city")
MOST = 255                                      # an argument of a ply


class Int:
    """A whole number within limits; None: no limit."""

    def __init__(self, least=0, most=None):
        self.least, self.most = least, most

    def refuses(self, value, cfg):
        if type(value) is not int:
            return "a whole number expected"
        if self.least is not None and value < self.least or self.most is not None and value > self.most:
            return "out of range"
        return None


class Flag:
    def refuses(self, value, cfg):
        return None if type(value) is bool else "true or false expected"


class Text:
    def __init__(self, *values):
        self.values = values

    def refuses(self, value, cfg):
        return None if value in self.values else "one of %s expected" % ", ".join(self.values)


class Names:
    """A list of names, each once; `of` is a tuple, or a list of the data file whose ids they are."""

    def __init__(self, of, last=None, least=0):
        self.of, self.last, self.least = of, last, least

    def refuses(self, value, cfg):
        known = cfg[self.of] if isinstance(self.of, str) else self.of
        if not isinstance(value, list) or not all(isinstance(v, str) and v in known for v in value):
            return "a list of known names expected"
        if len(set(value)) != len(value) or len(value) < self.least:
            return "a name stands twice, or none at all"
        if self.last and value[-1] != self.last:
            return "%s must be the last" % self.last
        return None


class Numbers:
    def __init__(self, length):
        self.length = length

    def refuses(self, value, cfg):
        if not isinstance(value, list) or len(value) != self.length:
            return "%d numbers expected" % self.length
        return None if all(type(v) is int and v >= 0 for v in value) else "numbers from 0 expected"


class Eras:
    def refuses(self, value, cfg):
        if not isinstance(value, list) or not all(type(v) is int and 1 <= v <= 3 for v in value):
            return "a list of eras expected"
        return "an era stands twice" if len(set(value)) != len(value) else None


class Battles:
    def refuses(self, value, cfg):
        if not isinstance(value, list) or len(value) > 2:
            return "at most two lines expected"
        return next(filter(None, (Numbers(2).refuses(line, cfg) for line in value)), None)


NUMBER, POSITIVE, SIGNED, FLAG = Int(), Int(1), Int(None), Flag()
ARGUMENT, CIRCLES, ERA = Int(0, MOST), Int(1, MOST), Int(1, 3)


def goods(kinds, signed=False):
    """A table of goods; `signed`: its food may be negative."""
    return {kind: SIGNED if signed and kind == "food" else NUMBER for kind in kinds}


# What may be changed: sections, entries of lists, and effects by kind and act. The rest is fixed.
ROWS = ("progress", "territory", "city", "empire", "trade")
SECTIONS = {
    "stock": {"player_cubes_per_colour": ARGUMENT, "actions_per_turn": POSITIVE, "resource_discs": NUMBER,
              "resource_discs_on_trade_track_are_in_supply": FLAG},
    "start": {"cubes_in_pool": NUMBER, "cubes_in_general_stock": NUMBER, "gold": NUMBER, "resource_discs": NUMBER,
              "food": SIGNED, "vp": SIGNED},
    "food_track": {"min": SIGNED, "max": SIGNED, "vp_lost_per_food_below_min": NUMBER,
                   "food_above_max_per_gold": POSITIVE, "final_turn_multiplier": NUMBER},
    "action_display": {"columns_by_players": {n: CIRCLES for n in "2345"}, "circles": {row: CIRCLES for row in ROWS},
                       "b_turn_cost_per_disc_to_the_left": NUMBER,
                       "b_turn_cost_currencies": Names(KINDS, last="vp", least=1),
                       "b_turn_pay_before_action": FLAG, "b_turn_may_skip_action": FLAG, "a_turn_may_skip_action": FLAG},
    "display": {"progress_per_turn": NUMBER, "territory_per_turn": NUMBER,
                "leftovers_by_players": {n: Text("all", "red") for n in "2345"}},
    "costs": {"progress_gold_by_eras_old": Numbers(3), "era_end_gold_per_progress_kept": NUMBER,
              "era_end_cubes_per_city_kept": NUMBER, "decline_divisor": POSITIVE, "end_gold_per_vp": POSITIVE,
              "end_resource_per_vp": POSITIVE},
    "empire_rules": {"zero_cubes_allowed": FLAG, "battle_lines_by_era": Numbers(3), "attacker_loss_min": NUMBER,
                     "defender_loss_min": NUMBER},
    "map_rules": {"zones_per_action": NUMBER, "zones_open_from_era": NUMBER, "zones_need_navigation_in_era": NUMBER,
                  "navigation_scope": Text("any_player", "owner"), "reinforce_without_water": FLAG,
                  "second_place_in_2p_game": FLAG},
}
FACE = {"areas": POSITIVE, "water": FLAG, "battles": Battles()}
ENTRIES = {
    "region": {"era": ERA, "vp": Numbers(2), "symbol": goods(NO_VP), "adjacent": Names("region"), "sea": FLAG},
    "empire": {"front": FACE, "back": FACE},
    "territory": {"count": NUMBER, "income": goods(KINDS, True), "choice": Names(NO_VP, least=1)},
    "trade": {"eras": Eras(), "discs": NUMBER, "gold": NUMBER, "vp": NUMBER},
    "progress": {"era": ERA, "count": NUMBER, "red": FLAG},      # and `effect`
    "city": {"gold": NUMBER, "food": SIGNED, "resource": NUMBER, "vp": NUMBER, "income": goods(INCOME)},
}
EFFECTS = {
    ("income", None): {"gain": goods(KINDS, True)},
    ("per_tile", None): {"gain": goods(KINDS, True), "choice": Names(NO_VP, least=1), "amount": ARGUMENT},
    ("per_region", None): {"vp": NUMBER, "condition": Text("controlled", "present"), "max": NUMBER},
    ("empire", None): {"extra_areas": NUMBER, "defender_loss": NUMBER, "attacker_loss": SIGNED},
    ("defence", None): {"loss_reduction": NUMBER},
    ("trade_bonus", None): {"gain": goods(NO_FOOD)},
    ("city_discount", None): {"gold": NUMBER, "of": Names(("city", "wonder"))},
    ("navigation", None): {},
    ("free_action", "place"): {"cost": goods(NO_VP), "cubes": NUMBER, "water": FLAG},
    ("free_action", "alliance"): {"cost": goods(NO_VP)},
    ("free_action", "gain"): {"cost": goods(NO_VP), "gain": goods(NO_FOOD)},
}


def by_id(raw):
    """The data file with its lists of tables as tables by id."""
    return {key: {str(entry["id"]): entry for entry in value} if key in LISTS else value for key, value in raw.items()}


def schema(cfg, path):
    """What may stand below a path of two or more steps: the table of keys of the section or of the entry."""
    section = path[0]
    if section in SECTIONS:
        return SECTIONS[section], path[1:]
    if section not in ENTRIES or len(path) < 3 or path[1] not in cfg[section]:
        return {}, path
    keys = ENTRIES[section]
    if section == "progress":
        effect = cfg[section][path[1]]["effect"]
        keys = {**keys, "effect": EFFECTS[effect["kind"], effect.get("act")]}
    return keys, path[2:]


def refuse(path, why):
    raise RulesError("rules: %s: %s" % (".".join(path), why))


def leaves(value, path=()):
    """The values of nested objects with their paths; keys may be paths with dots themselves."""
    if not isinstance(value, dict):
        yield path, value
        return
    for key, inner in value.items():
        yield from leaves(inner, path + tuple(key.split(".")))


def check(cfg, path, value):
    keys, rest = schema(cfg, path)
    for step in rest:
        keys = keys.get(step) if isinstance(keys, dict) else None
    if keys is None or isinstance(keys, dict):
        refuse(path, "no such key, or it is fixed")
    why = keys.refuses(value, cfg)
    if why:
        refuse(path, "%s, not %s" % (why, json.dumps(value)))


def override(cfg, rules):
    """A copy of the configuration with the overrides of a header laid over it, the treatments apart."""
    cfg = copy.deepcopy(cfg)
    seen, treated = set(), []
    for path, value in leaves(rules):
        if path in seen:
            refuse(path, "it stands twice")
        seen.add(path)
        if path[0] in rise_treatments.SECTIONS:
            treated.append((path, value))
            continue
        check(cfg, path, value)
        place = cfg
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place[path[-1]] = value
    fits_together(cfg)
    return cfg, treated


def fits_together(cfg):
    start, stock, track = cfg["start"], cfg["stock"], cfg["food_track"]
    if start["cubes_in_pool"] + start["cubes_in_general_stock"] != stock["player_cubes_per_colour"]:
        refuse(("start", "cubes_in_pool"), "pool and general stock are not the cubes of a colour")
    if not track["min"] <= start["food"] <= track["max"]:
        refuse(("start", "food"), "it is not on the track")
    if start["resource_discs"] * cfg["players"]["min"] > stock["resource_discs"]:
        refuse(("start", "resource_discs"), "there are not so many")
    regions = cfg["region"]
    for name, region in regions.items():
        for other in region["adjacent"]:
            if other == name or name not in regions[other]["adjacent"] or regions[other]["zone"] != region["zone"]:
                refuse(("region", name, "adjacent"), "the border with %s" % other)
    for name, entry in cfg["progress"].items():
        effect = entry["effect"]
        if effect["kind"] == "per_tile" and not ("amount" in effect if "choice" in effect else "gain" in effect):
            refuse(("progress", name, "effect"), "gain, or choice and amount")
        tile = cfg["territory"].get(effect.get("tile"))
        if tile and effect.get("amount", 0) * tile["count"] > MOST:
            refuse(("progress", name, "effect", "amount"), "too many units to choose")
    display = cfg["action_display"]
    longest = min(max(display["circles"].values()), max(display["columns_by_players"].values()))
    if display["b_turn_cost_per_disc_to_the_left"] * (longest - 1) > MOST:
        refuse(("action_display", "b_turn_cost_per_disc_to_the_left"), "too much to pay")


def named(table):
    return {text_id(name): entry for name, entry in table.items()}


class Board:
    """The configuration as the game uses it; ids are those of records, in file order."""

    def __init__(self, data, rules):
        cfg, treated = override(by_id(data), rules)
        self.cfg = cfg
        self.turns, self.eras = cfg["meta"]["turns"], cfg["meta"]["era_of_turn"]
        self.placing = [word == "place" for word in cfg["meta"]["discs_of_turn"]]
        self.rows = cfg["action_display"]["rows"]
        self.currencies = cfg["action_display"]["b_turn_cost_currencies"]
        self.region, self.territory, self.progress = (named(cfg[k]) for k in ("region", "territory", "progress"))
        self.city, self.empire, self.trade = (named(cfg[k]) for k in ("city", "empire", "trade"))
        self.near = {r: frozenset(map(text_id, entry["adjacent"])) for r, entry in self.region.items()}
        self.rank = {r: i for i, r in enumerate(self.region)}
        self.zones = cfg["map_rules"]["zones"]
        self.effect = {x: entry["effect"] for x, entry in self.progress.items()}
        self.free = [x for x, effect in self.effect.items() if effect["kind"] == "free_action"]
        # Sources of a choice (2.3): territory tiles before progress tiles.
        self.choices = {t: entry["choice"] for t, entry in self.territory.items() if "choice" in entry}
        self.choices.update({x: effect["choice"] for x, effect in self.effect.items() if "choice" in effect})
        self.treatments = rise_treatments.Treatments(treated, self)

    def open_row(self, row, seats):
        """5.2: the number of usable circles of a row."""
        display = self.cfg["action_display"]
        return min(display["circles"][row], display["columns_by_players"][str(seats)])
