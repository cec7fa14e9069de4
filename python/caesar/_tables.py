"""Results as tables."""

from __future__ import annotations

import csv
import importlib
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caesar import _native
from caesar._notebook import Shown

if TYPE_CHECKING:
    from caesar._native import State, View

# Rows of a table that a notebook shows. Its file holds them.
_MOST_SHOWN = 200


def _number(text: str) -> Any:
    """Return a field of a CSV file as what it says."""
    if text == "":
        return None
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text


def _text(value: Any) -> str:
    """Return a value as tables show it."""
    if getattr(value, "shape", ()):
        return f"[{len(value)} numbers]"
    if isinstance(value, float):
        return f"{value:.4f}" if value == 0 or not abs(value) < 5e-5 else f"{value:.1e}"
    return "" if value is None else str(value)


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, numbers.Number) and not isinstance(value, bool)


class Table(Shown):
    """Columns of equal length, by name."""

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self.columns = {name: list(values) for name, values in columns.items()}

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]]) -> Table:
        """Return the table of rows; nested values are left out."""
        rows = list(rows)
        flat = [name for row in rows for name, value in row.items() if not isinstance(value, (dict, list))]
        names = dict.fromkeys(flat)
        return cls({name: [row.get(name) for row in rows] for name in names})

    @classmethod
    def of_csv(cls, path: Path) -> Table:
        """Return the table of a CSV file."""
        with path.open(newline="") as file:
            names, *rows = csv.reader(file)
        columns = {}
        for place, name in enumerate(names):
            texts = [row[place] for row in rows]
            values = [_number(text) for text in texts]
            # A column of numbers and words is one of words.
            if any(isinstance(value, str) for value in values):
                values = [text or None for text in texts]
            columns[name] = values
        return cls(columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Return the rows, one after the other."""
        for values in zip(*self.columns.values()):
            yield dict(zip(self.columns, values))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns by name."""
        return {name: list(values) for name, values in self.columns.items()}

    def to_polars(self) -> Any:
        """Return a data frame of polars."""
        return importlib.import_module("polars").DataFrame(self.columns)

    def to_pandas(self) -> Any:
        """Return a data frame of pandas."""
        return importlib.import_module("pandas").DataFrame(self.columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Give the columns to whoever reads Arrow, by the polars or pyarrow that is there."""
        try:
            table = self.to_polars()
        except ModuleNotFoundError:
            table = importlib.import_module("pyarrow").table(self.columns)
        return table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        columns = [[name, *map(_text, values)] for name, values in self.columns.items()]
        widths = [max(map(len, column)) for column in columns]
        rows = zip(*columns)
        lines = ("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        """Return the first rows in a frame."""
        caption = f"The first {_MOST_SHOWN} of {len(self):,} rows" if len(self) > _MOST_SHOWN else ""
        shown = {name: values[:_MOST_SHOWN] for name, values in self.columns.items()}
        heads = [(name, all(map(_is_number, values))) for name, values in shown.items()]
        return _native.table("table", caption, heads, list(zip(*(map(_text, values) for values in shown.values()))))


class Report(Shown):
    """How a search came to its choice."""

    def __init__(
        self,
        action: int,
        iterations: int,
        depth: float,
        nodes: int,
        line: list[str],
        options: list[dict[str, Any]],
        position: View | State,
    ) -> None:
        self.position = position
        self.action = action
        self.iterations = iterations
        self.depth = depth
        self.nodes = nodes
        self.line = line
        self.options = options

    @property
    def visits(self) -> dict[str, int]:
        """Iterations that took each option, most first."""
        return {option["option"]: option["visits"] for option in self.options}

    @property
    def values(self) -> dict[str, list[float]]:
        """Mean points of each player after each option."""
        return {option["option"]: option["values"] for option in self.options}

    @property
    def table(self) -> Table:
        """The options, one a row, with a column `value_N` for each player."""
        values = ({f"value_{seat}": v for seat, v in enumerate(o["values"])} for o in self.options)
        return Table.of_rows({**option, **value} for option, value in zip(self.options, values))

    def __repr__(self) -> str:
        head = f"<caesar.Report: {self.iterations} iterations, mean depth {self.depth:.1f}>"
        return f"{head}\n{self.table!r}\nline: {', '.join(self.line)}"

    def _repr_html_(self) -> str:
        return self.position._repr_html_() + self.table._repr_html_()
