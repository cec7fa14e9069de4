"""The rules configuration of conquest2 (engine/data/conquest2.toml), and the overrides of a record's header."""

import copy
import tomllib

import treatments

UNITS = ("infantry", "cavalry", "catapult", "galley", "general", "caesar")
MILITARY = UNITS[:4]
FACES = MILITARY + ("blank",)

SENATORS = tuple("senator-%d" % v for v in (1, 2, 3, 4))
MERCHANTS = ("egypt", "sicilia", "hispania", "italia", "achaia", "asia")
VOTES = ("emergency-tax", "bread-and-circuses", "hail-caesar", "new-legions", "influence-in-rome")
FLEETS = {"fleet-aegaeum": "mare-aegaeum", "fleet-alexandria": "mare-alexandria"}
CITIES = {
    "city-egypt-numidia": ("egypt", "numidia"),
    "city-hispania-sicilia": ("hispania", "sicilia"),
    "city-italia-neapolis": ("italia", "neapolis"),
    "city-italia-mesopotamia": ("italia", "mesopotamia"),
    "city-narbonensis-achaia": ("narbonensis", "achaia"),
    "city-asia-galatia": ("asia", "galatia"),
}
BARBARIANS = ("moesia", "dacia", "armenia", "pannonia", "germania", "britannia")
DIPLOMACY = ("italia", "mesopotamia", "numidia", "egypt", "achaia", "pirates")
CARD_IDS = (
    SENATORS
    + tuple("merchant-" + x for x in MERCHANTS)
    + ("assassin", "loot")
    + tuple("vote-" + v for v in VOTES)
    + tuple("diplomacy-" + d for d in DIPLOMACY)
    + tuple(FLEETS)
    + tuple(CITIES)
    + tuple("barbarians-" + b for b in BARBARIANS)
    + ("politician", "bribe-senator", "slave-revolt", "army-training", "naval-training", "favorable-wind")
)

# Every key of the configuration and the type of its value: NUMBER, bool, str, or a list [type].
NUMBER = int
SCHEMA = {
    "pools": {u: NUMBER for u in UNITS + ("influence",)},
    "die": {"faces": [str]},
    "options": {"seasons": NUMBER, "rounds": NUMBER, "actions": NUMBER, "money": NUMBER, "tokens": NUMBER,
                "cards": NUMBER, "untaken_cards_stay": bool, "vp_below_zero": bool},
    "prices": {u: NUMBER for u in MILITARY + ("general", "influence")},
    "start": {**{u: NUMBER for u in UNITS + ("influence",)}, "senators": [NUMBER], "senators_from_deck": bool,
              "no_influence": [str]},
    "cards": {c: {"count": NUMBER, "cost": NUMBER} for c in CARD_IDS},
    "diplomacy": {d: {u: NUMBER for u in MILITARY} for d in DIPLOMACY},
    "auction": {"step": NUMBER, "largest_raise": NUMBER, "allied_may_bid": bool},
    "chaos": {"recruit": NUMBER, "battle": NUMBER, "city_relief": NUMBER, "relief_is_permanent": bool,
              "penalties": [NUMBER], "zero_is_safe": bool},
    "tax": {k: NUMBER for k in ("special_steps", "special_talents", "special_chaos", "influence", "city")},
    "buy": {"with_general": NUMBER, "with_caesar": NUMBER},
    "move": {"galley_capacity": NUMBER},
    "battle": {"dice": NUMBER, "leader_dice": NUMBER, "any_leader_counts": bool, "city_dice": NUMBER,
               "training_dice": NUMBER, "max_rounds": NUMBER, "both_lose": bool, "naval_rounds": NUMBER,
               "naval_dice": NUMBER, "naval_training_dice": NUMBER},
    "merchant": {**{m: NUMBER for m in MERCHANTS}, "needs_influence": bool},
    "loot": {"talents": NUMBER, "chaos": NUMBER},
    "vote": {"capital": str, "emergency_tax": NUMBER, "bread_and_circuses": NUMBER, "hail_caesar": NUMBER,
             "new_legions": NUMBER, "new_legions_in": [str], "influence_in_rome": NUMBER},
    "fleet": {"galleys": NUMBER},
    "city": {"needs_unit": bool},
    "barbarians": {"units": NUMBER,
                   **{b: {k: NUMBER for k in ("infantry", "cavalry", "talents", "vp")} for b in BARBARIANS}},
    "politician": {"influence": NUMBER},
    "revolt": {"infantry": NUMBER, "dice": NUMBER},
}
AREAS = {   # arrays of tables, by id here; keys with a default may be left out in the file
    "province": {"name": str, "land": [str], "sea": [str], "vp": [NUMBER], "tokens": NUMBER, "at": None},
    "strait": {"between": [str], "zone": str, "open": bool},
    "sea": {"name": str, "coasts": [str], "sea": [str], "at": None},
}
OPTIONAL = {"vp": [], "tokens": 0, "name": "", "at": None}


class ConfigError(ValueError):
    """The rules configuration or an override of it is not usable."""


def fits(value, kind):
    if kind is None:
        return True
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(v, kind[0]) for v in value)
    if kind is NUMBER:
        return type(value) is int and value >= 0
    return type(value) is kind


def complete(table, schema, path):
    """A table of the file, with exactly the keys of the schema."""
    if not isinstance(table, dict):
        raise ConfigError("rules file: %s is no table" % path)
    unknown = sorted(set(table) - set(schema))
    if unknown:
        raise ConfigError("rules file: unknown keys in %s: %s" % (path, ", ".join(unknown)))
    result = {}
    for key, kind in schema.items():
        where = "%s.%s" % (path, key)
        if key not in table:
            if key not in OPTIONAL or not path.startswith(tuple(AREAS)):
                raise ConfigError("rules file: %s is absent" % where)
            result[key] = copy.copy(OPTIONAL[key])
        elif isinstance(kind, dict):
            result[key] = complete(table[key], kind, where)
        elif not fits(table[key], kind):
            raise ConfigError("rules file: bad value for %s: %r" % (where, table[key]))
        else:
            result[key] = table[key]
    return result


def load(path):
    """The configuration of a TOML file, in the shape that `override` and `Board` use."""
    with open(path, "rb") as handle:
        return normalise(tomllib.load(handle))


def normalise(raw):
    unknown = sorted(set(raw) - set(SCHEMA) - set(AREAS))
    if unknown:
        raise ConfigError("rules file: unknown sections: %s" % ", ".join(unknown))
    cfg = {section: complete(raw.get(section, {}), schema, section) for section, schema in SCHEMA.items()}
    for section, schema in AREAS.items():
        cfg[section] = {}
        for entry in raw.get(section, []):
            entry = dict(entry)
            name = entry.pop("id", None)
            if not isinstance(name, str) or name in cfg[section]:
                raise ConfigError("rules file: a %s without an id of its own" % section)
            cfg[section][name] = complete(entry, schema, "%s.%s" % (section, name))
    return cfg


def override(cfg, rules):
    """A copy of `cfg` with the header's overrides: nested objects with the keys of the file; lists are replaced."""
    if not rules:
        return cfg
    cfg = copy.deepcopy(cfg)
    for section, value in rules.items():
        if section in treatments.SECTIONS:
            cfg.setdefault("treatments", {})[section] = value
        elif section in SCHEMA:
            merge(cfg[section], SCHEMA[section], value, section)
        elif section in AREAS and isinstance(value, dict):
            for name, changes in value.items():
                if name not in cfg[section]:
                    raise ConfigError("rules: unknown key %s.%s" % (section, name))
                merge(cfg[section][name], AREAS[section], changes, "%s.%s" % (section, name))
        else:
            raise ConfigError("rules: unknown key %s" % section)
    return cfg


def merge(target, schema, changes, path):
    if not isinstance(changes, dict):
        raise ConfigError("rules: bad value for %s: %r" % (path, changes))
    for key, value in changes.items():
        where = "%s.%s" % (path, key)
        if key not in schema:
            raise ConfigError("rules: unknown key %s" % where)
        if isinstance(schema[key], dict):
            merge(target[key], schema[key], value, where)
        elif not fits(value, schema[key]):
            raise ConfigError("rules: bad value for %s: %r" % (where, value))
        else:
            target[key] = value


class Board:
    """The configuration in the form the simulator uses: everything by index, in board order."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.provinces = list(cfg["province"])
        self.zones = list(cfg["sea"])
        self.pid = {name: i for i, name in enumerate(self.provinces)}
        self.zid = {name: i for i, name in enumerate(self.zones)}
        for name in self.pid:
            if name in self.zid:
                raise ConfigError("board: %s is a province and a sea zone" % name)
        self.land = [self.indices(self.pid, cfg["province"][p]["land"]) for p in self.provinces]
        self.sea = [self.indices(self.zid, cfg["province"][p]["sea"]) for p in self.provinces]
        self.coasts = [self.indices(self.pid, cfg["sea"][z]["coasts"]) for z in self.zones]
        for p, neighbours in enumerate(self.land):
            for q in neighbours:
                if p == q or p not in self.land[q]:
                    raise ConfigError("board: land of %s and %s" % (self.provinces[p], self.provinces[q]))
            for z in self.sea[p]:
                if p not in self.coasts[z]:
                    raise ConfigError("board: coasts of %s" % self.zones[z])
        for z, coast in enumerate(self.coasts):
            for p in coast:
                if z not in self.sea[p]:
                    raise ConfigError("board: sea of %s" % self.provinces[p])
        # straits[p]: (other end, zone) of every open strait at p
        self.straits = [[] for _ in self.provinces]
        for s in cfg["strait"].values():
            if s["open"]:
                a, b = (self.one(self.pid, x) for x in s["between"])
                z = self.one(self.zid, s["zone"])
                self.straits[a].append((b, z))
                self.straits[b].append((a, z))
        self.vp = [cfg["province"][p]["vp"] for p in self.provinces]
        self.key = [p for p, vp in enumerate(self.vp) if vp]
        self.is_key = [bool(vp) for vp in self.vp]
        self.tokens = [cfg["province"][p]["tokens"] for p in self.provinces]
        for p, tokens in enumerate(self.tokens):
            if tokens and not self.is_key[p]:
                raise ConfigError("rules: province.%s has tokens but no vp" % self.provinces[p])
        self.capital = self.one(self.pid, cfg["vote"]["capital"])
        self.legions = self.indices(self.pid, cfg["vote"]["new_legions_in"])
        self.no_influence = frozenset(self.indices(self.pid, cfg["start"]["no_influence"]))
        self.faces = list(cfg["die"]["faces"])
        if not self.faces or not set(self.faces) <= set(FACES):
            raise ConfigError("rules: die.faces: %r" % self.faces)
        if len(cfg["start"]["senators"]) != 4:
            raise ConfigError("rules: start.senators: four numbers expected")
        if not cfg["auction"]["step"]:
            raise ConfigError("rules: auction.step must be positive")
        for unit in UNITS + ("influence",):
            if cfg["start"][unit] > cfg["pools"][unit]:
                raise ConfigError("rules: start.%s is more than pools.%s" % (unit, unit))
        try:
            self.treatments = treatments.Treatments(
                cfg.get("treatments", {}), CARD_IDS, self.provinces, self.zones)
        except treatments.TreatmentError as error:
            raise ConfigError(str(error))
        for gifts in self.treatments.gifts.values():
            for _, what, name, _ in gifts:
                if what == "influence" and not self.is_key[self.pid[name]]:
                    raise ConfigError("rules: no influence lies in %s" % name)
        self.cost = {c: v["cost"] for c, v in cfg["cards"].items()}
        self.diplomacy = {d: [troops[u] for u in MILITARY] for d, troops in cfg["diplomacy"].items()}

    @staticmethod
    def one(index, name):
        if name not in index:
            raise ConfigError("rules: no such place: %s" % name)
        return index[name]

    def indices(self, index, names):
        found = sorted(self.one(index, name) for name in names)
        if len(set(found)) != len(found):
            raise ConfigError("rules: a place stands twice in %s" % ", ".join(names))
        return found
