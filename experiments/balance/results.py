#!/usr/bin/env python3
"""The results of the study of balance: what to play next, and the page that tells of all.

    results.py chosen OUT STAGE [PLAYERS]   the cards that the screen of a table puts first, as options, of a season or of all
    results.py provinces OUT [PLAYERS]      the provinces whose tokens it puts first in season 1, likewise, three at most of a table but that of four
    results.py tell OUT                     the page experiments/results/balance.md, from the documents that run.sh has left in OUT

Nothing is computed here: every estimate, interval and verdict stands in a document of `caesar balance`.
"""

import json
import math
import pathlib
import sys


def document(*steps, name="summary.json"):
    path = pathlib.Path(*steps, name)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def number(x, digits, signed=True):
    text = f"{x:+.{digits}f}" if signed else f"{x:.{digits}f}"
    return text.replace("-", "−")


def estimate(e, digits=3, signed=True, none="no interval"):
    """An estimate with its interval, as in tables of the command."""
    if not e or e["estimate"] is None:
        return "–"
    mean = number(e["estimate"], digits, signed)
    if e["low"] is None or e["high"] is None:
        return f"{mean} ({none})"
    return f"{mean} [{number(e['low'], digits, signed)}, {number(e['high'], digits, signed)}]"


def table(head, rows):
    rule = "| " + " | ".join("---" for _ in head) + " |"
    lines = ["| " + " | ".join(head) + " |", rule]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


MOST_PROVINCES = 3


def chosen(out, stage, players="4"):
    """Names as options, each once."""
    cards = document(out, f"quick-{players}", "cards") or {"confirmed": []}
    kept = [c["card"] for c in cards["confirmed"] if stage in ("all", str(c["season"]))]
    return " ".join(f"--name {name}" for name in dict.fromkeys(kept))


def chosen_provinces(out, players="4"):
    found = document(out, f"quick-{players}", "provinces") or {"confirmed": []}
    kept = [line["province"] for line in found["confirmed"] if line["season"] == 1]
    names = list(dict.fromkeys(kept))
    return " ".join(f"--name {name}" for name in (names if players == "4" else names[:MOST_PROVINCES]))


def searched(out):
    """What the search says, by card and season."""
    found = {}
    for stage in range(1, 5):
        cards = document(out, f"search-{stage}")
        for card in [*cards["cards"], *cards["confirmed"]] if cards else []:  # what fresh seeds say, where they were asked
            found[card["card"], card["season"]] = card
    return found


def cards_of(out, players):
    cards = document(out, f"quick-{players}", "cards")
    if not cards:
        return ""
    n = sum(card["decided"] for card in cards["cards"])
    by_search = searched(out) if players == 4 else {}
    head = ["card", "season", "printed", "value", "fair price", "worth less its price", "verdict (Holm)", "tiers"]
    head += ["worth less its price, by the search"] if by_search else []
    rows = []
    for card in cards["confirmed"]:
        row = [card["card"], card["season"], card["printed_price"], estimate(card["value"])]
        row += [estimate(card["fair_price"], 0, False, "unbounded"), estimate(card["surplus"]), card["verdict"], card["tiers"]]
        if by_search:
            other = by_search.get((card["card"], card["season"]))
            row.append(estimate(other["surplus"]) if other else "not played")
        rows.append(row)
    text = f"### {players} players\n\n"
    text += (
        f"Screen: {n} of {len(cards['cards'])} cards and seasons are found at a false discovery rate of one in ten; the "
        f"other {len(cards['cards']) - n} are undecided, which is not the same as fair. On fresh seeds, n = "
        f"{cards['blocks']} blocks of {players} games a cell:\n\n"
    )
    text += table(head, rows) + "\n" if rows else "The screen finds none.\n\n"
    units = [
        [season, estimate(action), estimate(money, 5)]
        for season, (action, money) in enumerate(zip(cards["action"], cards["talent"]), 1)
    ]
    text += table(["season", "an action", "a talent"], units) + "\n"
    if by_search:
        rows = []
        for stage in range(1, 5):
            found = document(out, f"search-{stage}")
            if found:
                rows.append([stage, estimate(found["action"][0]), estimate(found["talent"][0], 5), found["blocks"]])
        text += "The same by the search:\n\n"
        text += table(["season", "an action", "a talent", "blocks"], rows) + "\n"
    return text


def cards_by_search(out, players):
    """What the search says of the cards that the screen of another table puts first, season 1."""
    found = document(out, "search", f"{players}-players", "cards")
    if not found:
        return ""
    by_seed = [("seed 2", found["cards"]), ("fresh seeds", found["confirmed"])]
    rows = [
        [card["card"], card["printed_price"], seeds, estimate(card["value"]), estimate(card["surplus"]), card["verdict"]]
        for seeds, cards in by_seed
        for card in cards
    ]
    text = f"### {players} players, season 1, by the search\n\nn = {found['blocks']} blocks. An action is worth "
    text += f"{estimate(found['action'][0])}, a talent {estimate(found['talent'][0], 5)}.\n\n"
    return text + table(["card", "printed", "seeds", "value", "worth less its price", "verdict"], rows) + "\n"


def provinces_of(out, players, where=None):
    found = document(out, where or f"quick-{players}", "provinces")
    if not found:
        return ""
    title = f"{players} players" + (", by the search" if where else "")
    names = list(dict.fromkeys(line["province"] for line in found["provinces"]))
    seasons = sorted({line["season"] for line in found["provinces"]})
    by = {(line["province"], line["season"]): line for line in found["provinces"]}
    rows = []
    for name in names:
        lines = [by[name, season] for season in seasons]
        tokens = [estimate(line["token"]) + (" *" if line["decided"] else "") for line in lines]
        pays = "/".join(str(p) for p in lines[0]["pays"])
        rows.append([name, pays, *tokens, estimate(lines[0]["contest"], 2, False)])
    head = ["province", "pays"] + [f"a token, season {season}" for season in seasons] + ["contest"]
    text = f"### {title}\n\nn = {found['blocks']} blocks of {players} games a cell; * is found at a false "
    text += "discovery rate of one in ten among all of the table.\n\n" + table(head, rows) + "\n"
    if found.get("confirmed"):
        rows = [
            [c["province"], c["season"], estimate(c["token"]), "confirmed" if c["decided"] else "undecided", c["tiers"] or "–"]
            for c in found["confirmed"]
        ]
        text += "On fresh seeds (Holm):\n\n" + table(["province", "season", "a token", "verdict", "tiers"], rows) + "\n"
    if where:
        return text
    worth = [sum(by[name, s]["token"]["estimate"] for s in seasons) / len(seasons) for name in names]
    pays = [sum(by[name, seasons[0]]["pays"]) for name in names]
    text += (
        f"Correlation over the {len(names)} provinces between what a province pays in all and the mean worth of a token "
        f"there: {number(correlation(pays, worth), 2)} (a description, without interval).\n\n"
    )
    return text


def correlation(xs, ys):
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    over = sum((a - x) * (b - y) for a, b in zip(xs, ys))
    under = math.sqrt(sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys))
    return over / under if under else 0.0


def seats_of(out, where, title):
    found = document(out, where, "seats")
    if not found:
        return ""
    rows = []
    for what, key, effect in (
        ("seat", "seats", "share"),
        ("seat, orders forced", "seats_alone", "share"),
        ("place in the order", "order", "effect"),
        ("place among the bidders", "auction", "gain"),
    ):
        decided = [line for line in found[key] if line["decided"]]
        for line in decided:
            place = line["seat"] if "seat" in line else line["place"]
            rows.append([what, line.get("season", "–"), place, estimate(line[effect]), line["tiers"] or "–"])
        if found[key]:
            rows.append([what, "", f"{len(found[key]) - len(decided)} of {len(found[key])} undecided", "", ""])
    text = f"### {title}\n\nn = {found['blocks']} blocks; a game has {estimate(found['plies'], 1, False)} choices.\n\n"
    return text + table(["what", "season", "which", "share less an equal share", "tiers"], rows) + "\n"


def alliances_of(out, players, where=None):
    found = document(out, where or f"quick-{players}", "alliances")
    if not found:
        return ""
    title = f"{players} players" + (", by the search" if where else "")

    def starred(line, key, of):
        p = line["p"].get(of)
        return estimate(line[key]) + (" *" if p is not None and p < 0.05 else "")

    rows = [
        [
            line["season"],
            estimate(line["price"], 1, False),
            estimate(line["gain"]),
            starred(line, "net", "net"),
            starred(line, "with_leader", "with_leader"),
            starred(line, "with_last", "with_last"),
            starred(line, "first_against_last", "first_against_last"),
        ]
        for line in found["alliances"]
    ]
    head = ["season", "paid", "gain", "gain less price", "with the leader", "with the last", "first against last"]
    text = f"### {title}\n\nn = at most {found['blocks']} blocks; * is decided by Holm's p-values over the four "
    return text + "effects of all seasons, the intervals stand each by itself.\n\n" + table(head, rows) + "\n"


def course_of(out):
    """How a game goes: figures, what is decided when, and how much of who wins is the luck of which stream."""
    games = {n: document(out, f"quick-{n}", "game", name="game.json") for n in (3, 4, 5)}
    games = {n: game for n, game in games.items() if game}
    if not games:
        return ""
    tables = [f"{n} players" for n in games]

    def by_table(key, label, value):
        names = list(dict.fromkeys(line[label] for game in games.values() for line in game[key]))
        lines = {(n, line[label]): line for n, game in games.items() for line in game[key]}
        return [[name, *(value(lines.get((n, name))) for n in games)] for name in names]

    def told(line, key="value", digits=3):
        return estimate(line[key], digits, False) if line else "–"

    text = f"n = {' and '.join(str(game['games']) for game in games.values())} games.\n\n"
    text += table(["figure", *tables], by_table("game", "figure", told)) + "\n"
    text += "Share of games that are decided by the end of a season (one seat has a chance of 0.8 or more from then on):\n\n"
    text += table(["season", *tables], by_table("stages", "stage", lambda line: told(line, "decided"))) + "\n"
    text += (
        "What share of who wins is open once all other random numbers are known, and in brackets what this stream settles by "
        "itself; the first add up to more than one, since luck meets luck:\n\n"
    )
    streams = by_table("streams", "stream", lambda line: f"{told(line, 'total', 2)} ({told(line, 'alone', 2)})")
    return text + table(["stream", *tables], streams) + "\n"


def strategies_of(out):
    found = document(out, "strategies")
    if not found:
        return ""
    rows = [
        [
            f"`{agent['spec']}`",
            agent["games"],
            estimate({"estimate": agent["share"], **agent}, 3, False),
            estimate({"estimate": agent["mean_score"], "low": agent["score_low"], "high": agent["score_high"]}, 1, False),
        ]
        for agent in sorted(found["agents"], key=lambda agent: -agent["share"])
    ]
    text = f"{found['games']} games of {found['players']} in {found['blocks']} blocks, seed {found['seed']}; an equal share is "
    text += f"{number(1 / found['players'], 3, False)}. Each persona is `greedy` with weights for one strategy.\n\n"
    return text + table(["agent", "games", "share", "mean score"], rows) + "\n"


def joint_of(out):
    text = ""
    for study in ("seats", "provinces", "cards"):
        found = document(out, f"joint-{study}")
        if not found:
            text += f"`{study}`: not played.\n\n"
            continue
        told = [line for line in found["joint"] if line["found"]]
        kept = sum(line["survives"] for line in told)
        weak = sum(not line["survives"] and line["power"] < 0.8 for line in told)
        text += (
            f"`{study}`: of {found['statements']} statements {found['found']} are found under the printed rules (n = "
            f"{found['blocks']} blocks); {kept} of these have the same sign in 95 % of {found['draws']} draws of "
            f"{found['draw_blocks']} blocks each. Of those that do not, {weak} are so small that the draws alone could "
            "not have shown it (power below 0.8).\n\n"
        )
        rows = [
            [
                line["statement"],
                estimate(line["printed"]),
                f"{line['same_sign']} of {line['draws']}",
                estimate(line["mean"]),
                number(line["spread"], 3, False),
                number(line["power"], 2, False),
                "survives" if line["survives"] else "does not survive",
            ]
            for line in told
        ]
        head = ["statement", "printed rules", "same sign", "mean over draws", "spread", "power", "verdict"]
        text += table(head, rows) + "\n" if rows else ""
    return text


def times(out):
    rows = []
    for path in sorted(pathlib.Path(out).rglob("*.time")):
        said = dict(line.split("\t") for line in path.read_text().splitlines() if "\t" in line)
        if said:
            rows.append([path.relative_to(out).with_suffix(""), said.get("real", ""), said.get("user", "")])
    return table(["run", "time", "of processors"], rows) if rows else ""


def tell(out):
    head = pathlib.Path(__file__).with_name("head.md").read_text(encoding="utf-8")
    parts = [head, "## Cards\n"]
    parts += [cards_of(out, n) for n in (4, 3, 5)] + [cards_by_search(out, n) for n in (3, 5)]
    by_search = {4: "search", 3: "search/3-players", 5: "search/5-players"}
    parts += ["## Provinces\n"] + [provinces_of(out, n) for n in (4, 3, 5)]
    parts += [provinces_of(out, n, where) for n, where in by_search.items()]
    parts += ["## Seats and order\n"] + [seats_of(out, f"quick-{n}", f"conquest2, {n} players") for n in (4, 3, 5)]
    parts += [seats_of(out, where, f"conquest2, {n} players, by the search") for n, where in by_search.items()]
    parts += [seats_of(out, f"random-{n}", f"conquest2, {n} players at random") for n in (3, 4)]
    parts += [seats_of(out, game, game) for game in ("hannibal", "imperium", "circus")]
    parts += ["## Alliances\n"] + [alliances_of(out, n) for n in (4, 3, 5)]
    parts += [alliances_of(out, n, where) for n, where in by_search.items()]
    parts += ["## Luck and the course of a game\n", course_of(out), "## Strategies\n", strategies_of(out)]
    parts += ["## Under other numbers\n", joint_of(out), "## Time\n", times(out)]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def main(words):
    match words:
        case ["chosen", out, stage, *players] if len(players) < 2:
            print(chosen(out, stage, *players))
        case ["provinces", out, *players] if len(players) < 2:
            print(chosen_provinces(out, *players))
        case ["tell", out]:
            print(tell(out), end="")
        case _:
            sys.exit(f"error: {__doc__}")


if __name__ == "__main__":
    main(sys.argv[1:])
