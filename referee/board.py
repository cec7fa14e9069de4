"""Board data and rules configuration of conquest2, and the overrides of a record's header."""

import copy
import tomllib

UNITS = ("infantry", "cavalry", "catapult", "galley", "general", "caesar")
MILITARY = UNITS[:4]

SENATORS = tuple("senator-%d" % v for v in (1, 2, 3, 4))
MERCHANT_RATE = {"egypt": 10, "sicilia": 10, "asia": 10, "hispania": 5, "italia": 5, "achaia": 5}
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
# Barbarians: what is gained (infantry, cavalry, talents, victory points).
BARBARIANS = {
    "moesia": (3, 1, 0, 0), "dacia": (3, 1, 0, 0), "armenia": (0, 0, 40, 0),
    "pannonia": (0, 0, 40, 0), "germania": (0, 0, 0, 10), "britannia": (0, 0, 0, 10),
}
DIPLOMACY = ("italia", "mesopotamia", "numidia", "egypt", "achaia", "pirates")
CARD_IDS = (
    SENATORS
    + tuple("merchant-" + x for x in MERCHANT_RATE)
    + ("assassin", "loot")
    + tuple("vote-" + v for v in VOTES)
    + tuple("diplomacy-" + d for d in DIPLOMACY)
    + tuple(FLEETS)
    + tuple(CITIES)
    + tuple("barbarians-" + b for b in BARBARIANS)
    + ("politician", "bribe-senator", "slave-revolt", "army-training", "naval-training", "favorable-wind")
)

# Options the board file may leave out; other spellings a rules file may use for them.
OPTION_DEFAULTS = {"battle_rounds": 50, "naval_rounds": 3, "max_raise": 0}
OPTION_ALIASES = {
    "max_battle_rounds": "battle_rounds", "land_rounds": "battle_rounds", "battle_round_limit": "battle_rounds",
    "max_naval_rounds": "naval_rounds", "sea_rounds": "naval_rounds",
    "largest_raise": "max_raise", "raise": "max_raise", "raise_max": "max_raise", "bid_raise_max": "max_raise",
}
SECTIONS = {
    "options": ("seasons", "rounds", "actions", "money"),
    "prices": ("infantry", "cavalry", "catapult", "galley", "general", "influence"),
    "start": UNITS + ("influence", "senators"),
    "pools": UNITS + ("influence",),
    "die": ("faces",),
}


class ConfigError(ValueError):
    """The rules configuration or an override of it is not usable."""


def option_name(name):
    name = name.replace("-", "_")
    return OPTION_ALIASES.get(name, name)


def is_count(value):
    return type(value) is int and value >= 0


def load(path):
    """The configuration of a TOML file, in the shape that `override` and `Board` use."""
    with open(path, "rb") as handle:
        return normalise(tomllib.load(handle))


def normalise(raw):
    cfg = {}
    for section, keys in SECTIONS.items():
        table = raw.get(section, {})
        if section == "options":
            table = {option_name(k): v for k, v in table.items()}
        missing = [k for k in keys if k not in table]
        if missing:
            raise ConfigError("rules file: [%s] lacks %s" % (section, ", ".join(missing)))
        cfg[section] = {k: table[k] for k in keys}
        if section == "options":
            for key, default in OPTION_DEFAULTS.items():
                cfg["options"][key] = table.get(key, default)
    cards = raw.get("card") or raw.get("cards") or {}
    unknown = [c for c in cards if c not in CARD_IDS]
    absent = [c for c in CARD_IDS if c not in cards]
    if unknown or absent:
        raise ConfigError("rules file: cards unknown %s, absent %s" % (unknown, absent))
    cfg["card"] = {c: {"count": cards[c]["count"], "cost": cards[c]["cost"]} for c in CARD_IDS}
    diplomacy = raw.get("diplomacy", {})
    if sorted(diplomacy) != sorted(DIPLOMACY):
        raise ConfigError("rules file: [diplomacy] must have exactly %s" % ", ".join(DIPLOMACY))
    cfg["diplomacy"] = {d: dict(diplomacy[d]) for d in DIPLOMACY}
    cfg["province"] = {
        p["id"]: {"land": list(p["land"]), "sea": list(p["sea"]), "vp": list(p.get("vp", [])), "tokens": p.get("tokens", 0)}
        for p in raw["province"]
    }
    cfg["sea"] = {s["id"]: {"coasts": list(s["coasts"])} for s in raw["sea"]}
    cfg["strait"] = {
        s["id"]: {"between": list(s["between"]), "zone": s["zone"], "open": s["open"]} for s in raw.get("strait", [])
    }
    return cfg


def flatten(rules, prefix=()):
    for key, value in rules.items():
        path = prefix + tuple(key.split("."))
        if isinstance(value, dict):
            yield from flatten(value, path)
        else:
            yield path, value


def override(cfg, rules):
    """A copy of `cfg` with the header's overrides; nested objects and dotted keys both serve."""
    if not rules:
        return cfg
    cfg = copy.deepcopy(cfg)
    for path, value in flatten(rules):
        name = ".".join(path)
        section = "card" if path[0] == "cards" else path[0]
        path = (section,) + path[1:]
        if section in SECTIONS and len(path) == 2:
            key = option_name(path[1]) if section == "options" else path[1]
            table = cfg[section]
            if key not in table:
                raise ConfigError("rules: unknown key %s" % name)
            if (section, key) == ("die", "faces"):
                good = isinstance(value, list) and value and all(isinstance(f, str) for f in value)
            elif (section, key) == ("start", "senators"):
                good = isinstance(value, list) and len(value) == 4 and all(is_count(v) for v in value)
            else:
                good = is_count(value)
            target = table
        elif section == "card" and len(path) == 3 and path[1] in cfg["card"] and path[2] in ("count", "cost"):
            target, key, good = cfg["card"][path[1]], path[2], is_count(value)
        elif section == "diplomacy" and len(path) == 3 and path[1] in cfg["diplomacy"] and path[2] in MILITARY:
            target, key, good = cfg["diplomacy"][path[1]], path[2], is_count(value)
        elif section == "province" and len(path) == 3 and path[1] in cfg["province"] and path[2] in ("vp", "tokens"):
            target, key = cfg["province"][path[1]], path[2]
            good = is_count(value) if key == "tokens" else isinstance(value, list) and all(type(v) is int for v in value)
        elif section == "strait" and len(path) == 3 and path[1] in cfg["strait"] and path[2] == "open":
            target, key, good = cfg["strait"][path[1]], "open", isinstance(value, bool)
        else:
            raise ConfigError("rules: unknown key %s" % name)
        if not good:
            raise ConfigError("rules: bad value for %s: %r" % (name, value))
        target[key] = value
    return cfg


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
        self.land = [sorted(self.pid[q] for q in cfg["province"][p]["land"]) for p in self.provinces]
        self.sea = [sorted(self.zid[z] for z in cfg["province"][p]["sea"]) for p in self.provinces]
        self.coasts = [sorted(self.pid[p] for p in cfg["sea"][z]["coasts"]) for z in self.zones]
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
                a, b = (self.pid[x] for x in s["between"])
                z = self.zid[s["zone"]]
                self.straits[a].append((b, z))
                self.straits[b].append((a, z))
        self.vp = [cfg["province"][p]["vp"] for p in self.provinces]
        self.key = [p for p, vp in enumerate(self.vp) if vp]
        self.is_key = [bool(vp) for vp in self.vp]
        self.tokens = [cfg["province"][p]["tokens"] for p in self.provinces]
        for p, tokens in enumerate(self.tokens):
            if tokens and not self.is_key[p]:
                raise ConfigError("rules: province.%s has tokens but no vp" % self.provinces[p])
        self.italia = self.pid["italia"]
        self.faces = list(cfg["die"]["faces"])
        self.cost = {c: v["cost"] for c, v in cfg["card"].items()}
        self.prices = cfg["prices"]
        self.options = cfg["options"]
        self.diplomacy = {
            d: [troops.get(u, 0) for u in MILITARY] for d, troops in cfg["diplomacy"].items()
        }
