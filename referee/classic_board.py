"""The rules configuration of classic (`data/classic.toml`), the overrides of a record's header, and the board by index.

The keys are exactly those of the file; of `variant` only the column that `options.variant` names counts. Places are
numbers: first the provinces in board order, then the sea zones. Sections and clauses are those of the rules page.
"""

import copy
import json
import tomllib

import classic_treatments
import rome
from rome import RulesError

UNITS = ("infantry", "cavalry", "catapult", "galley", "general", "caesar")
INF, CAV, CAT, GAL, GEN, CAE = range(6)
TROOPS, BOUGHT, LEADERS = (INF, CAV, CAT), (INF, CAV, CAT, GAL), (GEN, CAE)
FACES = UNITS[:4] + ("blank",)
CITIES = ("none", "city", "fort")
NOTHING, CITY, FORT = range(3)

COLUMN = {
    "home_values": bool, "guards": bool, "start_territories": int, "start_placement": str, "caesar_replaced": bool,
    "caesar_payment": int, "caesar_steps": int, "caesar_legion": int, "recruit_caesar": int, "recruit_city": int,
    "recruit_territory": int, "home_lost_payment": int, "home_lost_tribute": bool, "home_lost_purchase": bool,
    "inflation_at": [int], "home_victory": {"2": int, "3": int, "4": int, "5": int, "6": int}, "end_ladder": [[str]],
    "prestige": int, "prestige_tie": int,
}
# Every key of the configuration and the type of its value; a list of one type is a list of any length.
SCHEMA = {
    "options": {"variant": str, "final_round": int},
    "pools": {unit: int for unit in UNITS},
    "stock": {"city": int, "fort": int, "road": int},
    "die": {"faces": [str]},
    "start": {"caesar": int, "general": int, "infantry": int, "city": str, "talents": int},
    "prices": {key: int for key in UNITS[:4] + ("city", "fort", "road")},
    "income": {"city": int, "inflation_factor": [int], "ransom_offers": [int]},
    "movement": {key: int for key in ("infantry", "cavalry", "catapult", "general", "galley", "troops_per_leader",
                                      "leaders_per_galley", "board_cost", "land_cost")},
    "battle": {key: int for key in ("legion", "legion_per_general", "fort_dice", "land_rounds", "naval_rounds")},
    "seats": {key: [str] for key in ("order", "2", "3", "4", "5", "6")},
    "variant": {"friz": COLUMN, "base": COLUMN},
}
# Arrays of tables, by id here.
AREAS = {
    "province": {"name": str, "land": [str], "sea": [str], "home": bool, "value": int, "base_value": int, "guard": int,
                 "galleys_at": [str], "recruit": bool, "at": None},
    "strait": {"between": [str], "zone": str, "open": bool},
    "sea": {"name": str, "coasts": [str], "sea": [str], "at": None},
}
# What an entry of an area may leave out.
ABSENT = {"name": "", "home": False, "base_value": None, "guard": 0, "galleys_at": [], "recruit": False, "at": None}
# Numbers that must not be 0.
POSITIVE = ("options.final_round", "battle.legion", "battle.land_rounds", "battle.naval_rounds", "movement.troops_per_leader")
# Sections of a header that are treatments; see `classic_treatments`.
SECTIONS = ("gift",)
FIXED = ("leaders_per_galley", "board_cost", "land_cost")


def fits(value, kind):
    if kind is None:
        return True
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(v, kind[0]) for v in value)
    if kind is int:
        return type(value) is int and value >= 0
    return type(value) is kind


def complete(table, schema, path):
    """Refuses a table of the file that has not exactly the keys of the schema."""
    for key in sorted(set(table) | set(schema)):
        where = "%s.%s" % (path, key)
        if key not in schema:
            raise RulesError("board file: unknown key %s" % where)
        if key not in table:
            if not path.endswith("home_victory"):
                raise RulesError("board file: %s is absent" % where)
        elif isinstance(schema[key], dict):
            complete(table[key], schema[key], where)
        elif not fits(table[key], schema[key]):
            raise RulesError("board file: bad value for %s: %r" % (where, table[key]))


def normalise(raw):
    """The file with the entries of its areas by id and what they leave out filled in."""
    unknown = sorted(set(raw) - set(SCHEMA) - set(AREAS))
    if unknown:
        raise RulesError("board file: unknown sections: %s" % ", ".join(unknown))
    cfg = {}
    for section, schema in SCHEMA.items():
        cfg[section] = raw.get(section, {})
        complete(cfg[section], schema, section)
    for area, schema in AREAS.items():
        cfg[area] = {}
        for entry in raw.get(area, []):
            absent = {key: copy.copy(value) for key, value in ABSENT.items() if key in schema}
            entry = {**absent, **entry}
            name = entry.pop("id", None)
            if not isinstance(name, str) or name in cfg[area]:
                raise RulesError("board file: a %s without an id of its own" % area)
            base = {**entry, "base_value": 0} if entry.get("base_value", 0) is None else entry
            complete(base, schema, "%s.%s" % (area, name))
            cfg[area][name] = entry
    return cfg


def load(path=None):
    return normalise(rome.load("classic", path))


def override(cfg, rules):
    """A copy of `cfg` with the header's rules: nested objects with the keys of the file; lists are replaced."""
    cfg = copy.deepcopy(cfg)
    cfg["treatments"] = {}
    for section, value in rules.items():
        if section in SECTIONS:
            cfg["treatments"][section] = value
        elif section in SCHEMA:
            merge(cfg[section], SCHEMA[section], value, section)
        elif section in AREAS and isinstance(value, dict):
            for name, changes in value.items():
                if name not in cfg[section]:
                    raise RulesError("rules: unknown key %s.%s" % (section, name))
                merge(cfg[section][name], AREAS[section], changes, "%s.%s" % (section, name))
        else:
            raise RulesError("rules: unknown key %s" % section)
    return cfg


def merge(target, schema, changes, path):
    if not isinstance(changes, dict):
        raise RulesError("rules: bad value for %s: %s" % (path, json.dumps(changes)))
    for key, value in changes.items():
        where = "%s.%s" % (path, key)
        if key not in schema:
            raise RulesError("rules: unknown key %s" % where)
        if isinstance(schema[key], dict):
            merge(target[key], schema[key], value, where)
        elif not fits(value, schema[key]):
            raise RulesError("rules: bad value for %s: %s" % (where, json.dumps(value)))
        else:
            target[key] = value


def require(is_right, message, *values):
    if not is_right:
        raise RulesError("rules: " + message % values)


def rising(numbers):
    return all(number >= 1 for number in numbers) and all(a < b for a, b in zip(numbers, numbers[1:]))


class Board:
    """The configuration in the form that the simulator uses: everything by index, in board order."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.numbers(cfg)
        self.column(cfg)
        self.places(cfg)
        self.homes_and_values(cfg)
        self.treatments = classic_treatments.Treatments(cfg.get("treatments", {}), self)

    def numbers(self, cfg):
        for path in POSITIVE:
            section, key = path.split(".")
            require(cfg[section][key] >= 1, "%s must be 1 or more", path)
        move = cfg["movement"]
        require(all(move[key] == 1 for key in FIXED), "%s are always 1", ", ".join(FIXED))
        require(move["galley"] <= 2, "movement.galley is 0, 1 or 2")
        self.cap = move["troops_per_leader"]
        self.steps = [move[UNITS[u]] for u in (INF, CAV, CAT, GAL, GEN)]      # and the caesar's, from his column
        self.pools = [cfg["pools"][unit] for unit in UNITS]
        self.prices = [cfg["prices"][UNITS[u]] for u in BOUGHT]
        self.faces = cfg["die"]["faces"]
        require(self.faces and set(self.faces) <= set(FACES), "die.faces: %r", self.faces)
        self.offers = cfg["income"]["ransom_offers"]
        require(rising(self.offers), "income.ransom_offers must rise from 1 or more")
        start = cfg["start"]
        require(start["caesar"] == 1, "start.caesar is always 1")
        for unit in ("caesar", "general", "infantry"):
            require(start[unit] <= cfg["pools"][unit], "start.%s is more than pools.%s", unit, unit)
        require(start["city"] in CITIES, "start.city is one of %s", ", ".join(CITIES))
        self.start_city = CITIES.index(start["city"])

    def column(self, cfg):
        name = cfg["options"]["variant"]
        require(name in cfg["variant"], "options.variant: there is no %s", name)
        self.v = column = cfg["variant"][name]
        require(column["start_placement"] in ("pairs", "home"), "start_placement is pairs or home")
        self.steps.append(column["caesar_steps"])
        self.inflation = column["inflation_at"]
        self.factors = cfg["income"]["inflation_factor"]
        require(rising(self.inflation), "inflation_at must rise from 1 or more")
        require(len(self.factors) == len(self.inflation) + 1, "inflation_factor: one more than inflation_at")
        require(min(self.factors) >= 1, "inflation_factor: 1 or more")
        require(all(number >= 1 for number in column["home_victory"].values()), "home_victory: 1 or more")
        self.victory = {int(seats): number for seats, number in column["home_victory"].items()}
        self.ladder = column["end_ladder"]
        require(self.ladder, "end_ladder: one rung at least")
        require(all(set(rung) <= set(FACES) for rung in self.ladder), "end_ladder: unknown face")

    def places(self, cfg):
        self.provinces, self.zones = list(cfg["province"]), list(cfg["sea"])
        self.np, self.n = len(self.provinces), len(self.provinces) + len(self.zones)
        self.names = self.provinces + self.zones
        self.index = {name: i for i, name in enumerate(self.names)}
        require(len(self.index) == self.n, "a province and a zone have one id")
        provinces, zones = range(self.np), range(self.np, self.n)
        self.land, self.sea = {}, {}            # borders by land; zones that touch a place
        self.coasts = {z: self.indices(cfg["sea"][self.names[z]]["coasts"], provinces) for z in zones}
        for p in provinces:
            entry = cfg["province"][self.names[p]]
            self.land[p] = self.indices(entry["land"], provinces)
            self.sea[p] = self.indices(entry["sea"], zones)
        for z in zones:
            self.sea[z] = self.indices(cfg["sea"][self.names[z]]["sea"], zones)
        pairs = [(a, b, self.land[b]) for a in provinces for b in self.land[a]]
        pairs += [(p, z, self.coasts[z]) for p in provinces for z in self.sea[p]]
        pairs += [(z, p, self.sea[p]) for z in zones for p in self.coasts[z]]
        pairs += [(a, b, self.sea[b]) for a in zones for b in self.sea[a]]
        for a, b, back in pairs:
            require(a != b and a in back, "the border of %s and %s is not said of both", self.names[a], self.names[b])
        self.straits = {p: [] for p in provinces}       # (other end, zone) of every open strait
        for strait in cfg["strait"].values():
            ends, zone = self.indices(strait["between"], provinces), self.indices([strait["zone"]], zones)
            require(len(ends) == 2, "a strait has two ends")
            if strait["open"]:
                for a, b in (ends, ends[::-1]):
                    self.straits[a].append((b, zone[0]))

    def indices(self, names, kind):
        for name in names:
            require(name in self.index and self.index[name] in kind, "no such place: %s", name)
        found = sorted(self.index[name] for name in names)
        require(len(set(found)) == len(found), "a place stands twice in %s", ", ".join(names))
        return found

    def homes_and_values(self, cfg):
        entries = [cfg["province"][name] for name in self.provinces]
        self.homes = [p for p, entry in enumerate(entries) if entry["home"]]
        self.recruiting = [entry["recruit"] for entry in entries]
        order = [self.index.get(name) for name in cfg["seats"]["order"]]
        require(sorted(order, key=str) == sorted(self.homes, key=str), "seats.order must have every home once")
        self.order = order
        self.seated = {int(n): cfg["seats"][n] for n in "23456"}
        self.value, self.guard, self.galleys_at = [], [0] * self.np, {}
        for p, entry in enumerate(entries):
            is_base = entry["home"] and not self.v["home_values"]
            require(not is_base or entry["base_value"] is not None, "%s has no base_value", self.names[p])
            self.value.append(entry["base_value"] if is_base else entry["value"])
            if entry["home"] and self.v["guards"]:
                self.guard[p] = entry["guard"]
            self.galleys_at[p] = self.indices(entry["galleys_at"], range(self.np))
            require(all(self.sea[q] for q in self.galleys_at[p]), "galleys_at of %s: no coast", self.names[p])

    def seats(self, n):
        """The homes of the seats, in the fixed order (2.1)."""
        names = self.seated[n]
        homes = [self.index.get(name) for name in names]
        require(len(set(homes)) == len(homes) == n, "seats.%d: %d different homes", n, n)
        for name, home in zip(names, homes):
            require(home in self.order, "seats.%d: %s is no home", n, name)
            require(self.land[home], "seats.%d: %s has no border by land", n, name)
        require(max(self.treatments.seats(), default=0) < n, "a treatment of a seat that the table has not")
        cities = n if self.start_city else 0
        require(cities <= self.cfg["stock"]["city"], "stock.city is too small for %d players", n)
        require(self.start_city < FORT or n <= self.cfg["stock"]["fort"], "stock.fort is too small for %d players", n)
        return sorted(homes, key=self.order.index)

    def ways(self, galleys, start, steps):
        """Where empty galleys can sail from a place within their steps, and in how many (5.7); `galleys(q)`: q is an own port."""
        ways = {}
        for zone in self.sea[start]:
            if steps >= 2:
                for goal in self.sea[zone] + [p for p in self.coasts[zone] if galleys(p)]:
                    ways[goal] = 2
        if steps >= 1:
            near = self.sea[start] if start < self.np else self.sea[start] + [p for p in self.coasts[start] if galleys(p)]
            ways.update((goal, 1) for goal in near)
        ways.pop(start, None)
        return ways
