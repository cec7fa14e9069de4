"""The page of the package, every block of which runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import caesar

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_every_block_of_the_page_runs(capsys: Any) -> None:
    text = PAGE.read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert "share" in capsys.readouterr().out
    assert all(name in text for name in ("caesar.pettingzoo.env", "caesar/pig-v0", "caesar.openspiel.wrap"))
    assert set(caesar._runs.__dict__) >= {"tournament", "compare", "ladder", "tune", "leaks", "fit", "check"}
