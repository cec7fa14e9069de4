"""Files that the command writes are documents of their schemas, and damaged ones are not."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {path.name: json.loads(path.read_text()) for path in (ROOT / "docs" / "schemas").glob("*.json")}
RESOURCES = [(name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()]
REGISTRY: Registry[Any] = Registry().with_resources(RESOURCES)
PIG = ("--game", "pig", "--quiet")
BOTS = ("--agent", "greedy", "--agent", "random")


def caesar(*words: str | Path) -> None:
    """Run the command, which may find what it looks for or not."""
    program = "from caesar._cli import main; raise SystemExit(main())"
    subprocess.run([sys.executable, "-c", program, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def faults(name: str, document: Any) -> list[str]:
    """Return what a schema has against a document."""
    validator = Draft202012Validator(SCHEMAS[name], registry=REGISTRY)
    return [f"{list(fault.absolute_path)}: {fault.message}" for fault in validator.iter_errors(document)]


def holds(name: str, document: Any) -> None:
    """Demand that a document is one of its schema, and that no required key can go and no foreign one come."""
    assert faults(name, document) == []
    for key in SCHEMAS[name].get("required", []):
        less = copy.copy(document)
        del less[key]
        assert faults(name, less) != [], key
    if SCHEMAS[name].get("additionalProperties") is False:
        assert faults(name, {**document, "foreign": 1}) != []


def read(path: Path) -> Any:
    """Return a document of a file."""
    return json.loads(path.read_text())


def test_schemas_are_schemas() -> None:
    """Every schema is one, and is called after its format."""
    for name, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"].replace("/", "-") == f"caesar-{name.removesuffix('.json')}"


def test_tournaments_and_records(tmp_path: Path) -> None:
    """Manifests, shards, and every line of records of several games."""
    caesar("tournament", *PIG, *BOTS, "--blocks", "4", "--out", tmp_path / "t")
    caesar("tournament", *PIG, *BOTS, "--blocks", "4", "--shard", "1/2", "--out", tmp_path / "s")
    caesar("tournament", *PIG, *BOTS, "--schedule", "swiss", "--rounds", "1", "--out", tmp_path / "r")
    for run in ("t", "s", "r"):
        holds("manifest-3.json", read(tmp_path / run / "manifest.json"))
    for game, players in {"conquest2": 4, "imperium": 3, "rise": 4, "circus": 2}.items():
        records = tmp_path / f"{game}.jsonl"
        seats = ("--players", str(players), "--agent", "random", *("--agent", "greedy") * (players - 1))
        caesar("tournament", "--game", game, *seats, "--blocks", "1", "--quiet", "--records", records)
        for line in records.read_text().splitlines():
            holds("record-1.json", json.loads(line))
    assert faults("record-1.json", {"player": 0, "legal": 1, "action": "roll"}) != []


def test_positions_made_by_hand(tmp_path: Path) -> None:
    """A position that the command prints, and the records of games that begin there."""
    records, position, more = tmp_path / "a.jsonl", tmp_path / "position.json", tmp_path / "b.jsonl"
    caesar("tournament", "--game", "imperium", *BOTS, "--players", "2", "--blocks", "1", "--quiet", "--records", records)
    program = "from caesar._cli import main; raise SystemExit(main())"
    words = ("show", records, "--game", "1", "--ply", "5", "--position")
    shown = subprocess.run([sys.executable, "-c", program, *map(str, words)], check=True, capture_output=True, text=True)
    position.write_text(shown.stdout)
    holds("position-1.json", read(position))
    caesar("tournament", "--from", position, *BOTS, "--blocks", "1", "--quiet", "--records", more)
    lines = [json.loads(line) for line in more.read_text().splitlines()]
    assert [list(line) for line in lines].count(["position"]) == 2
    for line in lines:
        holds("record-1.json", line)
    caesar("check", more)


def test_studies(tmp_path: Path) -> None:
    """Manifests and documents of every kind of study."""
    caesar("compare", *PIG, *BOTS, "--max-blocks", "40", "--out", tmp_path / "c")
    holds("comparison-1.json", read(tmp_path / "c" / "manifest.json"))
    caesar("balance", "seats", *PIG, "--quick", "--out", tmp_path / "b")
    holds("balance-1.json", read(tmp_path / "b" / "manifest.json"))
    holds("checksums-1.json", read(tmp_path / "b" / "checksums.json"))
    caesar("balance", "win-model", "--game", "hannibal", "--quiet", "--quick", "--out", tmp_path / "w")
    holds("dynamics-1.json", read(tmp_path / "w" / "manifest.json"))
    holds("win-model-1.json", read(tmp_path / "w" / "model.json"))
    search = ("--agent", "greedy(epsilon=?)", "--against", "random", "--games", "800", "--confirm", "400")
    caesar("tune", *PIG, *search, "--out", tmp_path / "u")
    holds("tune-1.json", read(tmp_path / "u" / "manifest.json"))
    kept = ("--out", tmp_path / "p", "--export", tmp_path / "e")
    caesar("strategies", *PIG, "--agent", "greedy(epsilon=?)", "--quick", *kept)
    holds("strategies-1.json", read(tmp_path / "p" / "manifest.json"))
    holds("population-1.json", read(tmp_path / "e" / "population.json"))


def test_variants_and_journals(tmp_path: Path) -> None:
    """The summary of a variant, and each line of a journal."""
    start = ("--game", "hannibal", "--quiet")
    caesar("fit", "iterate", *start, "--steps", "1", "--games", "100", "--start", "mcts(iterations=10)", "--out", tmp_path / "i")
    for line in (tmp_path / "i" / "iterate.jsonl").read_text().splitlines():
        holds("fit-iterate-2.json", json.loads(line))
    caesar("variant", *start, "--set-b", "rome.legions=7", "--quick", "--out", tmp_path / "v")
    assert faults("variant-1.json", read(tmp_path / "v" / "summary.json")) == []
    noisy = ("--agent", "greedy(epsilon=0.6)", "--against", "random", "--held-out", "mcts(iterations=2)")
    caesar("improve", *PIG, *noisy, "--quick", "--out", tmp_path / "up")
    for name in ("improve.json", "summary.json"):
        holds("improve-1.json", read(tmp_path / "up" / name))


def test_nets() -> None:
    """The net of the repository."""
    tomllib = pytest.importorskip("tomllib")
    net = tomllib.loads((ROOT / "agents" / "data" / "conquest2" / "net-4.toml").read_text())
    holds("net-1.json", net)
