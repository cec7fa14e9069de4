"""Positions of recorded games."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import polars
import pytest

import caesar


def recorded(name: str, out: Path, blocks: int = 1) -> Path:
    path = out / f"{name}.jsonl"
    agents = (["random", "greedy"] * 8)[: caesar.load_game(name).num_players()]
    caesar.tournament(agents, name, blocks=blocks, seed=3, records=path, out=out / name)
    return path


@pytest.mark.parametrize("name", caesar.registered_names())
def test_positions_are_those_of_the_records(name: str, tmp_path: Path) -> None:
    path = recorded(name, tmp_path)
    table = caesar.positions(path)
    games = [line for line in path.read_text().splitlines() if line.startswith('{"format"')]
    assert set(table["game"]) == set(range(1, len(games) + 1))
    assert len(table) == path.read_text().count('"action":')
    for row in table.rows():
        assert row["mask"][row["action"]] == 1 and row["mask"].sum() > 1
        assert row["policy"][row["action"]] == row["policy"].sum() == 1
        assert abs(row["value"].sum() - 1) < 1e-5
        assert row["features"].dtype == np.float32
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert repr(caesar.positions(packed)) == repr(table)


@pytest.mark.parametrize("name", ["kuhn-poker", "goofspiel", "tic-tac-toe"])
def test_searches_label_positions_and_repeat_themselves(name: str, tmp_path: Path) -> None:
    path = recorded(name, tmp_path)
    first, again = (caesar.positions(path, "mcts(iterations=50)", seed=2) for _ in range(2))
    assert np.array_equal(first["policy"], again["policy"]) and first["search_value"] == again["search_value"]
    for row in first.rows():
        assert abs(row["policy"].sum() - 1) < 1e-5 and (row["policy"][row["mask"] == 0] == 0).all()
        assert 0 <= row["search_value"] <= 1
    frame = polars.DataFrame(first)
    assert frame["features"].dtype == polars.Array(polars.Float32, len(first["features"][0])) and frame.height == len(first)


def test_wrong_records_are_refused(tmp_path: Path) -> None:
    text = recorded("pig", tmp_path).read_text()
    lines = text.splitlines()
    wrong = {
        "cut off": text[:-20],
        "stops before its end": "\n".join(lines[:-1]),
        "no chance event is due|cannot happen": "\n".join([lines[0], '{"chance":"die","value":9}', *lines[1:]]),
        "expected the header": "nothing\n",
        "unknown game": text.replace('"game":"pig"', '"game":"chess"'),
    }
    for message, content in wrong.items():
        path = tmp_path / "wrong.jsonl"
        path.write_text(content)
        with pytest.raises(caesar.Error, match=message) as raised:
            caesar.positions(path)
        assert "wrong.jsonl: game 1" in str(raised.value) or "wrong.jsonl: game 2" in str(raised.value)
    packed = bytearray(gzip.compress(text.encode()))
    packed[30:40] = bytes(10)
    (tmp_path / "damaged.jsonl.gz").write_bytes(packed)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(text.encode())[:-20])
    for name in ("damaged", "cut"):
        with pytest.raises(caesar.Error, match=f"{name}.jsonl.gz"):
            caesar.positions(tmp_path / f"{name}.jsonl.gz")
    with pytest.raises(caesar.Error, match="nowhere.jsonl"):
        caesar.positions(tmp_path / "nowhere.jsonl")
    with pytest.raises(caesar.Error, match="does not search"):
        caesar.positions(tmp_path / "pig.jsonl", "greedy")
    with pytest.raises(caesar.Error, match="State"):
        caesar.positions(tmp_path / "pig.jsonl", "clairvoyant(iterations=5)")
