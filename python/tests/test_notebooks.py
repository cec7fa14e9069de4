"""The notebooks, which print what they show. `UPDATE_GOLDEN=1` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


def printed(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """Return the texts below each cell."""
    cells = (cell.get("outputs", []) for cell in notebook.cells)
    return [[output.get("text") or output["data"]["text/plain"] for output in outputs] for outputs in cells]


@pytest.mark.parametrize("name", ["prices", "ranking", "value-model"])
def test_a_notebook_prints_what_it_shows(name: str) -> None:
    path = NOTEBOOKS / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    shown = printed(notebook)
    # Times are no part of a result.
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
    if os.environ.get("UPDATE_GOLDEN"):
        # Sites that show notebooks leave out frames, and the text is enough.
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                output.get("data", {}).pop("text/html", None)
        nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
        shown = printed(notebook)
    assert sum(map(len, shown)) > 1
    assert printed(notebook) == shown


def test_every_notebook_is_tested() -> None:
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == ["prices", "ranking", "value-model"]
