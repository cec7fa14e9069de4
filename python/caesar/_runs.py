"""Runs of the command: the same options, the same files, the same text."""

from __future__ import annotations

import contextlib
import json
import numbers
import os
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from caesar import _native
from caesar._agents import Fault, named
from caesar._notebook import Shown
from caesar._tables import Table

Rules = Mapping[str, Any] | str | os.PathLike[str] | None


class Run(Shown):
    """The result of a run: its text, its summary and its tables."""

    def __init__(self, code: int, text: str, notes: str, out: Path, faults: list[Fault], page: list[str]) -> None:
        self._page = page
        self.code = code
        self.text = text
        self.notes = notes
        self.faults = faults
        summary = out / "summary.json"
        self.summary: dict[str, Any] = json.loads(summary.read_text()) if summary.exists() else {}
        self.tables = {file.stem: Table.of_csv(file) for file in sorted(out.glob("*.csv"))}
        for name, rows in self.summary.items():
            if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
                self.tables["standings" if name == "agents" else name] = Table.of_rows(rows)

    @property
    def standings(self) -> Table:
        """The agents, best first."""
        return self._table("standings")

    @property
    def games(self) -> Table:
        """The games, one a row."""
        return self._table("games")

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            raise _native.Error(f"this run has no table {name!r} (it has: {', '.join(self.tables) or 'none'})")
        return self.tables[name]

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str | None:
        """Return the page that the command makes of this, in a frame; where there is none, a table."""
        with contextlib.suppress(_native.Error):
            code, page, _ = _native.command(self._page) if self._page else (2, "", "")
            if code == 0:
                return _native.frame(" ".join(self._page[:2]), page)
        return self.standings._repr_html_() if "standings" in self.tables else None


def _option(name: str, value: Any) -> list[str]:
    """Return an option as the command reads it."""
    flag = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, (list, tuple)):
        return [word for one in value for word in _option(name, one)]
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, (str, numbers.Number)):
        raise TypeError(f"{name}={value!r}: a text, a number, a path, or a list of these")
    return [f"{flag}={value}"]


def _rules(rules: Rules) -> list[str]:
    if isinstance(rules, Mapping):
        def toml(value: Any) -> str:
            return str(value).lower() if isinstance(value, bool) else str(value)

        return [f"--set={key}={toml(value)}" for key, value in rules.items()]
    return _option("rules", rules)


def _failed(code: int, notes: str) -> _native.Error:
    complaint = notes[notes.rfind("error: ") :].removeprefix("error: ").strip()
    return _native.Error(complaint or f"the run ended with exit code {code}")


def run(
    command: Sequence[str],
    *,
    agents: Sequence[Any] = (),
    rules: Rules = None,
    out: str | os.PathLike[str] | None = None,
    seconds: float = 10.0,
    writes: bool = True,
    page: Sequence[str] = (),
    **options: Any,
) -> Run:
    """Run a command with options as the command spells them, with _ for -. With the words `page`, too, it makes a page."""
    # Not at the top: the command starts sooner without.
    import tempfile

    faults: list[Fault] = []
    if isinstance(agents, (str, type)) or not isinstance(agents, Sequence):
        agents = [agents]
    with contextlib.ExitStack() as kept, named(agents, seconds, faults) as specs:
        place = Path(out) if out is not None else Path(kept.enter_context(tempfile.TemporaryDirectory())) / "run"
        words = [*command, *(f"--agent={spec}" for spec in specs), *_rules(rules)]
        for name, value in options.items():
            words += _option(name, value)
        if writes:
            words.append(f"--out={place}")
        code, text, notes = _native.command(words)
        if code == 2 or code == 1 and "error: " in notes:
            raise _failed(code, notes)
        drawn = [*words, *page] if page else ["report", str(place), "--out=-", "--quiet"] if writes else []
        made = Run(code, text, notes, place, faults, drawn)
        # The page is drawn from the folder, once a notebook asks for it.
        weakref.finalize(made, kept.pop_all().close)
        return made


def tournament(
    agents: Sequence[Any] = (),
    game: str | None = None,
    *,
    players: int | None = None,
    rules: Rules = None,
    blocks: int | None = None,
    seed: int = 1,
    out: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Run:
    """Run a tournament between agents: specs, and classes or objects with `choose(view)`."""
    return run(
        ["tournament"], agents=agents, game=game, players=players, rules=rules, blocks=blocks, seed=seed, out=out, **options
    )


def compare(
    agents: Sequence[Any] = (),
    game: str | None = None,
    *,
    players: int | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Run:
    """Test which of two agents is better, or whether two rule sets differ."""
    return run(["compare"], agents=agents, game=game, players=players, rules=rules, seed=seed, out=out, **options)


def ladder(agents: Sequence[Any] = (), game: str | None = None, **options: Any) -> Run:
    """Test the gain of each step of a parameter."""
    return run(["ladder"], agents=agents, game=game, **options)


def tune(agents: Sequence[Any] = (), game: str | None = None, **options: Any) -> Run:
    """Search for better parameters of an agent, and confirm them on fresh seeds."""
    return run(["tune"], agents=agents, game=game, **options)


def fit(what: str, game: str | None = None, **options: Any) -> Run:
    """Fit value functions, evaluation weights or priors to games."""
    return run(["fit", what], game=game, writes=False, **options)


def leaks(agent: Any, game: str | None = None, **options: Any) -> Run:
    """Test whether an agent uses hidden information. The code of the result is 1 if it does."""
    return run(["leaks"], agents=[agent], game=game, writes=False, **options)


def check(path: str | os.PathLike[str], **options: Any) -> Run:
    """Verify a file of records or a directory of results. The code of the result is 1 if there are faults."""
    return run(["check", os.fspath(path)], writes=False, **options)


def show(path: str | os.PathLike[str], game: int | None = None, **options: Any) -> Run:
    """Tell recorded games. A notebook shows their replays."""
    return run(["show", os.fspath(path)], game=game, writes=False, page=["--html=-"], **options)
