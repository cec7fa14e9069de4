#!/usr/bin/env python3
"""Differential run of the referee and the program: each checks the records of the other. See README.md."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import board as boards
import circus
import classic
import classic_overrides
import conquest2
import hannibal
import imperium
import records
import rise
import rise_overrides
import rome
from conquest2 import DEFAULT_RULES

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def cards(**changes):
    return {"cards": {name.replace("_", "-"): value for name, value in changes.items()}}


# conquest2: every key of the configuration is overridden at least once here, every switch alone (`coverage` looks after it).
OVERRIDES = [
    {},
    # switches, one by one
    {"options": {"untaken_cards_stay": False}},
    {"options": {"vp_below_zero": False}},
    {"start": {"senators_from_deck": False}},
    {"auction": {"allied_may_bid": False}},
    {"chaos": {"relief_is_permanent": False}},
    {"chaos": {"zero_is_safe": False}},
    {"battle": {"any_leader_counts": False}},
    {"battle": {"both_lose": False}},
    {"merchant": {"needs_influence": False}},
    {"city": {"needs_unit": False}},
    {"strait": {"messina": {"open": False}}},
    {"strait": {"italia-corsica": {"open": True}, "channel": {"open": False}, "gibraltar": {"open": False},
                "bosporus": {"open": False}, "corsica-sardinia": {"open": False}}},
    # all switches at once
    {"options": {"untaken_cards_stay": False, "vp_below_zero": False}, "start": {"senators_from_deck": False},
     "auction": {"allied_may_bid": False}, "chaos": {"relief_is_permanent": False, "zero_is_safe": False},
     "battle": {"any_leader_counts": False, "both_lose": False}, "merchant": {"needs_influence": False},
     "city": {"needs_unit": False}},
    # treatments
    {"null": {"s1": True, "s3": True}},
    {"gift": {"s1": {"seat0": {"talents": 100, "vp": -5, "chaos": 3, "actions": 2},
                     "seat1": {"infantry": {"egypt": 20}, "galley": {"mare-aegaeum": 3}, "influence": {"asia": 2}}}}},
    {"gift": {"s2": {"seat0": {"card": {"politician": 1, "slave-revolt": 1, "diplomacy-egypt": 2, "senator-4": 2}},
                     "seat1": {"city": {"italia": True}, "general": {"italia": 2}, "actions": -1}}}},
    {"gift": {"s1": {"seat1": {"card": {"bribe-senator": 1, "barbarians-dacia": 1, "city-asia-galatia": 1,
                                        "fleet-aegaeum": 1, "army-training": 2, "assassin": 1}}}}},
    {"ban": {"always": {"seat0": {"action": {"tax": True, "use": True}}, "seat1": {"action": {"take": True}}},
             "s2": {"seat1": {"action": {"move": True, "battle": True, "buy": True, "recruit": True, "sail": True}}},
             "deck": {"loot": True, "senator-1": True, "vote-hail-caesar": True}},
     "gift": {"s1": {"seat1": {"card": {"politician": 1}}}}},
    {"ban": {"s1": {"seat0": {"card": {"senator-2": True, "army-training": True}}}}, "forced": {"s2": {"opener": 1}}},
    {"deal": {"seat1": {"influence": ["egypt", "egypt", "asia", "italia"]}}},
    # options
    {"options": {"seasons": 5}},
    {"options": {"seasons": 2, "rounds": 2, "actions": 3}},
    {"options": {"seasons": 1, "rounds": 8, "actions": 1}},
    {"options": {"money": 300, "cards": 5, "tokens": 3}},
    {"options": {"money": 0, "tokens": 1, "cards": 0}},
    {"options": {"tokens": 0, "cards": 1}},
    {"options": {"tokens": 0, "cards": 0}},
    {"options": {"seasons": 7, "cards": 6, "tokens": 6, "untaken_cards_stay": False}},
    # pools, start
    {"pools": {"infantry": 9, "cavalry": 3, "catapult": 1, "galley": 2, "general": 1, "influence": 6}},
    {"pools": {"infantry": 31, "cavalry": 31, "catapult": 7, "galley": 20, "general": 7, "influence": 31, "caesar": 1}},
    {"start": {"infantry": 12, "cavalry": 6, "catapult": 3, "galley": 3, "general": 3, "influence": 6}},
    {"start": {"infantry": 0, "cavalry": 0, "catapult": 0, "galley": 0, "general": 0, "caesar": 0}},
    {"start": {"caesar": 0, "general": 2, "galley": 2}},
    {"start": {"influence": 0}},
    {"start": {"no_influence": []}},
    {"start": {"no_influence": ["egypt", "italia", "sicilia"]}},
    {"start": {"senators": [0, 0, 0, 0]}},
    {"start": {"senators": [2, 0, 1, 2], "senators_from_deck": False}},
    # dice
    {"die": {"faces": ["infantry", "cavalry", "catapult", "galley", "blank", "blank", "blank", "blank", "blank"]}},
    {"die": {"faces": ["infantry", "cavalry", "galley"]}},
    {"die": {"faces": ["blank"]}, "battle": {"max_rounds": 3}},
    # prices and costs
    {"prices": {"infantry": 10, "cavalry": 5, "catapult": 5, "galley": 5, "general": 5, "influence": 5}},
    {"prices": {"infantry": 0, "galley": 0, "influence": 0}},
    {"prices": {"cavalry": 0, "catapult": 0, "general": 0, "influence": 25}},
    {"prices": {"infantry": 3, "cavalry": 7, "influence": 4}},
    {"cards": {c: {"cost": 0} for c in boards.CARD_IDS}},
    {"cards": {c: {"cost": 60} for c in boards.CARD_IDS if not c.startswith("senator")}},
    cards(loot={"count": 6, "cost": 20}, assassin={"count": 8, "cost": 0}, merchant_italia={"count": 5}),
    cards(slave_revolt={"count": 12}, favorable_wind={"count": 4}, city_asia_galatia={"count": 4, "cost": 5},
          city_egypt_numidia={"count": 4, "cost": 5}),
    cards(diplomacy_italia={"count": 4, "cost": 0}, diplomacy_egypt={"count": 3, "cost": 0},
          diplomacy_pirates={"count": 6, "cost": 0}, diplomacy_achaia={"count": 3}, diplomacy_numidia={"count": 3}),
    {"cards": {**{"vote-" + v: {"count": 4, "cost": 0} for v in boards.VOTES},
               **{"senator-%d" % v: {"count": 12} for v in (1, 2, 3, 4)}}},
    {"cards": {"vote-" + v: {"count": 0} for v in boards.VOTES}},
    {"cards": {c: {"count": 0} for c in boards.CARD_IDS if not c.startswith(("senator", "barbarians"))}},
    # auctions
    {"auction": {"step": 10}},
    {"auction": {"step": 20, "largest_raise": 20}},
    {"auction": {"largest_raise": 10}},
    {"auction": {"largest_raise": 5, "allied_may_bid": False}, "options": {"money": 150}},
    # chaos, tax
    {"chaos": {"recruit": 0, "battle": 7, "city_relief": 1, "penalties": [20, 10, 5]}},
    {"chaos": {"recruit": 5, "battle": 0, "penalties": []}},
    {"chaos": {"penalties": [7], "zero_is_safe": False, "recruit": 0}, "tax": {"special_chaos": 0}},
    {"chaos": {"city_relief": 20, "relief_is_permanent": False, "zero_is_safe": False},
     **cards(city_asia_galatia={"count": 6, "cost": 0}, city_hispania_sicilia={"count": 6, "cost": 0})},
    {"tax": {"special_steps": 2, "special_talents": 20, "special_chaos": 3}},
    {"tax": {"special_steps": 12, "influence": 0, "city": 15}},
    {"tax": {"influence": 10, "city": 0}},
    # buy, move
    {"buy": {"with_general": 2, "with_caesar": 4}, "options": {"money": 200}},
    {"buy": {"with_general": 3, "with_caesar": 1}, "prices": {"influence": 0}},
    {"buy": {"with_general": 0}},
    {"buy": {"with_caesar": 0}},
    {"move": {"galley_capacity": 1}},
    {"move": {"galley_capacity": 9}},
    {"move": {"galley_capacity": 0}},
    # battle
    {"battle": {"dice": 1, "leader_dice": 4, "city_dice": 3, "training_dice": 2}},
    {"battle": {"dice": 0, "leader_dice": 0, "city_dice": 0, "max_rounds": 2}},
    {"battle": {"dice": 6, "both_lose": False}, **cards(slave_revolt={"count": 12})},
    {"battle": {"max_rounds": 1, "naval_rounds": 1}},
    {"battle": {"naval_rounds": 8, "naval_dice": 2, "naval_training_dice": 3, "both_lose": False},
     "start": {"galley": 5}, "die": {"faces": ["galley", "infantry", "galley", "cavalry"]}},
    {"battle": {"naval_dice": 0}, "start": {"galley": 3}},
    {"battle": {"any_leader_counts": False, "leader_dice": 3}, **cards(army_training={"count": 15, "cost": 0})},
    {"diplomacy": {d: {"infantry": 1, "cavalry": 2, "catapult": 1, "galley": 1} for d in boards.DIPLOMACY},
     "cards": {"diplomacy-" + d: {"count": 4, "cost": 0} for d in boards.DIPLOMACY}},
    {"diplomacy": {"pirates": {"galley": 5}, "egypt": {"infantry": 0, "cavalry": 0, "galley": 3}}},
    # cards that act
    {"merchant": {"egypt": 5, "sicilia": 5, "hispania": 10, "italia": 20, "achaia": 0, "asia": 15}},
    {"merchant": {"needs_influence": False, "italia": 0},
     "cards": {"merchant-" + m: {"count": 4, "cost": 0} for m in boards.MERCHANTS}},
    {"loot": {"talents": 100, "chaos": 0}, **cards(loot={"count": 10, "cost": 0})},
    {"vote": {"capital": "egypt", "emergency_tax": 10, "bread_and_circuses": 3, "hail_caesar": 30, "new_legions": 2,
              "new_legions_in": ["egypt"], "influence_in_rome": 1}},
    {"vote": {"new_legions_in": ["egypt", "africa", "britannia"], "influence_in_rome": 5, "new_legions": 30}},
    {"vote": {"new_legions_in": ["neapolis", "italia"]}},
    {"vote": {"capital": "africa"}},
    {"vote": {"new_legions_in": []}},
    {"vote": {"new_legions": 0, "influence_in_rome": 0}},
    {"fleet": {"galleys": 5}, **cards(fleet_aegaeum={"count": 6}, fleet_alexandria={"count": 6})},
    {"city": {"needs_unit": False}, "cards": {c: {"count": 5, "cost": 0} for c in boards.CITIES}},
    {"barbarians": {"units": 2, **{b: {"infantry": 1, "cavalry": 2, "talents": 5, "vp": 3} for b in boards.BARBARIANS}},
     "cards": {"barbarians-" + b: {"count": 4} for b in boards.BARBARIANS}},
    {"barbarians": {"units": 6}, "cards": {"barbarians-" + b: {"count": 4} for b in boards.BARBARIANS}},
    {"barbarians": {"units": 0}, "cards": {"barbarians-" + b: {"count": 4} for b in boards.BARBARIANS}},
    {"barbarians": {"units": 3}, "move": {"galley_capacity": 2},
     "cards": {"barbarians-" + b: {"count": 4} for b in boards.BARBARIANS}},
    {"politician": {"influence": 3}, **cards(politician={"count": 15, "cost": 0})},
    {"politician": {"influence": 0}, **cards(politician={"count": 15, "cost": 0})},
    {"revolt": {"infantry": 9, "dice": 6}, **cards(slave_revolt={"count": 15})},
    {"revolt": {"infantry": 1, "dice": 0}, **cards(slave_revolt={"count": 15})},
    # the board
    {"province": {"egypt": {"vp": [20, 10], "tokens": 3}, "italia": {"vp": [7], "tokens": 20}}},
    {"province": {"africa": {"vp": [12, 8, 4, 2], "tokens": 9}, "asia": {"vp": [], "tokens": 0},
                  "corsica": {"vp": [0], "tokens": 5}}},
    # nobody scores: influence decides, or several players win
    {"province": {p: {"vp": [0]} for p in ("achaia", "asia", "egypt", "galatia", "hispania", "italia", "mesopotamia",
                                           "narbonensis", "neapolis", "numidia", "sicilia")},
     "chaos": {"penalties": []}, "vote": {"hail_caesar": 0}, "options": {"seasons": 1},
     "cards": {c: {"count": 0} for c in ("barbarians-germania", "barbarians-britannia")}},
    {"province": {"baleares": {"land": ["hispania"]}, "hispania": {"land": ["aquitania", "baetica", "lusitania",
                                                                             "narbonensis", "baleares"]}}},
    {"province": {"raetia": {"sea": ["mare-adriatico"], "name": "Rhaetia", "at": [10, 46]}},
     "sea": {"mare-adriatico": {"coasts": ["dalmatia", "italia", "neapolis", "raetia"], "name": "Adria", "at": [15, 43]}}},
    {"sea": {"mare-hispalis": {"sea": ["mare-baliaricum", "mare-cantabricum", "mare-sabrata"]},
             "mare-sabrata": {"sea": ["mare-libycum", "mare-numidia", "mare-hispalis"]}}},     # plays no part in the rules
    {"strait": {"messina": {"zone": "mare-epirus"}, "channel": {"between": ["germania", "britannia"]}}},
    # short and wild: many pieces, many cards, everything cheap
    {"options": {"money": 400, "cards": 10, "tokens": 5, "seasons": 2}, "start": {"galley": 4, "general": 3},
     "cards": {c: {"cost": 0} for c in boards.CARD_IDS}, "tax": {"special_talents": 50}},
]


def settings(rules, prefix=""):
    """The overrides as KEY=VALUE of --set."""
    for key, value in rules.items():
        if isinstance(value, dict):
            yield from settings(value, prefix + key + ".")
        else:
            yield "%s%s=%s" % (prefix, key, json.dumps(value))


def coverage():
    """Keys of the configuration that no override changes: scalars and lists of the sections, keys of the areas."""
    def keys(schema, rules, path):
        for key, kind in schema.items():
            found = [r[key] for r in rules if key in r]
            if isinstance(kind, dict):
                yield from keys(kind, found, path + (key,))
            elif not found:
                yield ".".join(path + (key,))

    missing = list(keys(boards.SCHEMA, OVERRIDES, ()))
    for area, schema in boards.AREAS.items():
        changes = [c for r in OVERRIDES for c in r.get(area, {}).values()]
        missing += ["%s.*.%s" % (area, key) for key in schema if not any(key in c for c in changes)]
    return missing


# The other games: every key of a header, and switches together.
ROME_OVERRIDES = {
    hannibal: [{}, {"map": "by-names"}, {"map": "mirror"}, {"map": "balanced", "max-turns": 400}, {"max-turns": 1},
               {"max-turns": 30, "map": "mirror"}, {"ban": {"hannibal": True}, "forced": {"first": 1}},
               {"gift": {"seat0": {"legions": -6, "fleets": 4}, "seat1": {"legions": 2, "fleets": -3}}}],
    imperium: [{}, {"max-rounds": 1}, {"max-rounds": 7}, {"max-rounds": 300},
               {"ban": {"seat1": {"card": {"syria": True, "oracle": True}}, "seat0": {"stack": ["africa", "gallia", "asia"]}},
                "deal": {"seat1": {"pieces": {"gallia": 3}}}}],
    circus: [{}, {"max-rounds": 1}, {"max-rounds": 9}, {"straight-only": True}, {"two-cards": True}, {"play-on": True},
             {"straight-only": True, "two-cards": True}, {"play-on": True, "max-rounds": 25},
             {"straight-only": True, "two-cards": True, "play-on": True, "max-rounds": 60},
             {"deal": {"seat1": {"cells": [49, 13, 89]}}, "ban": {"seat0": {"card": {"5": True, "1": True}}}}],
    classic: classic_overrides.OVERRIDES,
}


class Conquest2Run:
    """What the run needs to know of conquest2."""

    name, players, overrides = "conquest2", range(2, 7), OVERRIDES

    def __init__(self, rules):
        self.cfg = boards.load(rules or DEFAULT_RULES)
        missing = coverage()
        if missing:
            raise boards.ConfigError("no override changes: %s" % ", ".join(missing))

    def referee(self):
        return conquest2.referee(self.cfg)

    def generate(self, players, seed, index, rules, eager):
        return conquest2.generate(self.cfg, players, seed, index, rules, eager=eager)

    def command(self, games, seed):
        return ["--generate", str(games), "--seed", seed]


class RomeRun:
    """What the run needs to know of any other game."""

    def __init__(self, module, path):
        self.name, self.overrides = module.NAME, ROME_OVERRIDES[module]
        self.players = range(module.SEATS[0], module.SEATS[1] + 1)
        make = getattr(module, "Kind", rome.Kind)
        self.kinds = [make(module, rome.load(module.NAME, path), eager) for eager in (False, True)]

    def referee(self):
        return records.Referee(self.kinds[0])

    def generate(self, players, seed, index, rules, eager):
        return records.generate(self.kinds[eager], players, seed, index, rules, agent="eager" if eager else "random")

    def command(self, games, seed):
        return ["--games", str(games), "--play", seed]


class RiseRun(RomeRun):
    """What the run needs to know of rise."""

    def __init__(self, path):
        data = rome.load(rise.NAME, path)
        missing = rise_overrides.coverage(data)
        if missing:
            raise rome.RulesError("no override changes: %s" % ", ".join(missing))
        self.name, self.overrides = rise.NAME, rise_overrides.OVERRIDES
        self.players = range(rise.SEATS[0], rise.SEATS[1] + 1)
        self.kinds = [rise.Kind(data, eager) for eager in (False, True)]


def game_run(name, path):
    if name == classic.NAME and classic_overrides.uncovered():
        raise rome.RulesError("no override changes: %s" % ", ".join(classic_overrides.uncovered()))
    if name == rise.NAME:
        return RiseRun(path)
    modules = {module.NAME: module for module in ROME_OVERRIDES}
    return RomeRun(modules[name], path) if name in modules else Conquest2Run(path)


def line_up(kind, players):
    if kind == "random":
        return ["random"] * players
    return ["greedy" if seat % 2 == 0 else "random" for seat in range(players)] if kind == "mixed" else ["greedy"] * players


class Run:
    def __init__(self, args, game):
        self.args, self.game = args, game
        self.folder = args.keep or tempfile.mkdtemp(prefix="differential-")
        os.makedirs(self.folder, exist_ok=True)
        self.rows = []

    def row(self, direction, agents, players, rules, games, faults, notes):
        text = " ".join(settings(rules)) or "-"
        if len(text) > 90:
            text = text[:87] + "..."
        self.rows.append((direction, players, rules, games, len(faults)))
        print("%-18s %-7s %d  %6d %4d  %s" % (direction, agents, players, games, len(faults), text))
        for note in notes:
            print("    " + note)
        for fault in faults[:self.args.show]:
            print("    FAULT %s" % fault)
        sys.stdout.flush()

    def finish(self, path, faults, command):
        """Notes of a cell; the records of a faulty one are kept."""
        if faults and os.path.exists(path):
            return ["records: %s" % path, "command: %s" % command]
        if os.path.exists(path):
            os.remove(path)
        return ["command: %s" % command] if faults else []

    def from_caesar(self, number, kind, players, rules, games):
        path = os.path.join(self.folder, "caesar-%d-%s-%d.jsonl" % (number, kind, players))
        command = [self.args.caesar, "tournament", "--game", self.game.name, "--players", str(players), "--quiet",
                   "--games", str(games), "--seed", str(self.args.seed), "--records", path]
        for agent in line_up(kind, players):
            command += ["--agent", agent]
        for setting in settings(rules):
            command += ["--set", setting]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        played, faults = 0, []
        if done.returncode:
            faults.append("exit code %d: %s" % (done.returncode, done.stderr.strip()[-500:]))
        else:
            referee = self.game.referee()
            with open(path, encoding="utf-8", errors="replace") as handle:
                referee.check(handle)
            played = referee.games
            faults += ["line %d: game %d: %s" % f for f in referee.faults]
            if played < games:
                faults.append("%d games asked for, %d in the records" % (games, played))
        self.row("caesar -> referee", kind, players, rules, played, faults, self.finish(path, faults, quoted(command)))

    def to_caesar(self, number, eager, players, rules, games):
        kind = "eager" if eager else "uniform"
        path = os.path.join(self.folder, "referee-%d-%s-%d.jsonl" % (number, kind, players))
        faults = []
        seed = "%s-%d" % (self.args.seed, number)
        command = ["python3", "referee/%s.py" % self.game.name, *self.game.command(games, seed), "--players", str(players),
                   "--overrides", json.dumps(rules)] + ["--eager"] * eager
        try:
            with open(path, "w", encoding="utf-8") as handle:
                for index in range(games):
                    for line in self.game.generate(players, seed, index, rules, eager):
                        handle.write(line + "\n")
        except (ValueError, AssertionError) as error:
            faults.append("the referee cannot generate: %r" % error)
            self.row("referee -> caesar", kind, players, rules, 0, faults, self.finish(path, faults, quoted(command)))
            return
        done = subprocess.run([self.args.caesar, "check", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = (done.stdout + done.stderr).strip().splitlines()
        summary = re.search(r"(\d+) games?, (\d+) with faults", done.stdout)
        wrong = int(summary.group(2)) if summary else None
        if not summary or int(summary.group(1)) != games or wrong or done.returncode:
            faults += [l for l in lines if not (summary and summary.group(0) in l)] or ["exit code %d" % done.returncode]
        self.row("referee -> caesar", kind, players, rules, games, faults, self.finish(path, faults, quoted(command)))


def quoted(command):
    return " ".join(c if re.fullmatch(r"[\w./=-]+", c) else "'%s'" % c for c in command)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--caesar", default=os.path.join(ROOT, "target", "release", "caesar"), metavar="FILE",
                        help="the program; default target/release/caesar of the repository")
    parser.add_argument("--game", choices=("conquest2", *sorted(m.NAME for m in ROME_OVERRIDES), "rise"), default="conquest2",
                        help="default conquest2")
    parser.add_argument("--rules", help="rules file, default engine/data/conquest2.toml; for the other games board data")
    parser.add_argument("--games", type=int, default=2, metavar="G", help="games per cell; default 2")
    parser.add_argument("--default-games", type=int, metavar="G",
                        help="games per cell without overrides; default ten times --games")
    parser.add_argument("--players", type=int, action="append", choices=range(2, 7), help="repeatable; default all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="TEXT", help="only overrides whose KEY=VALUE list contains this; - for none")
    parser.add_argument("--direction", choices=("caesar", "referee"), help="only records of this program")
    parser.add_argument("--keep", metavar="DIR", help="where the records of faulty cells go; default a new temporary folder")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="faults printed per cell; default 3")
    args = parser.parse_args(argv)
    if not os.access(args.caesar, os.X_OK):
        parser.error("no program at %s (build it, or give --caesar)" % args.caesar)
    try:
        game = game_run(args.game, args.rules)
        run = Run(args, game)
    except (OSError, ValueError) as error:
        parser.error("rules: %s" % error)
    start = time.monotonic()
    print("%-18s %-7s %s %6s %s  %s" % ("direction", "agents", "pl", "games", "flts", "overrides"))
    for number, rules in enumerate(game.overrides):
        text = " ".join(settings(rules)) or "-"
        if args.only and (args.only != text if args.only == "-" else args.only not in text):
            continue
        games = args.games
        if not rules:
            games = 10 * args.games if args.default_games is None else args.default_games
        for players in [p for p in game.players if not args.players or p in args.players]:
            if args.direction != "referee":
                for kind in ("random", "mixed", "greedy"):
                    run.from_caesar(number, kind, players, rules, games)
            if args.direction != "caesar":
                for eager in (False, True):
                    run.to_caesar(number, eager, players, rules, games)
    print()
    total = faults = 0
    for direction in ("caesar -> referee", "referee -> caesar"):
        for label, wanted in (("default rules", False), ("overrides", True)):
            mine = [r for r in run.rows if r[0] == direction and bool(r[2]) == wanted]
            print("%-18s %-14s cells %5d  games %6d  faults %d"
                  % (direction, label, len(mine), sum(r[3] for r in mine), sum(r[4] for r in mine)))
            total += sum(r[3] for r in mine)
            faults += sum(r[4] for r in mine)
    print("%d overrides, %d cells, %d games, %d faults, %.0f s"
          % (len({json.dumps(r[2]) for r in run.rows}), len(run.rows), total, faults, time.monotonic() - start))
    if not args.keep and not os.listdir(run.folder):
        os.rmdir(run.folder)
    return 1 if faults else 0


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
