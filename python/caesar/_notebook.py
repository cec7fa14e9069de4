"""What notebooks and consoles show."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol


class _Drawn(Protocol):
    def _repr_html_(self) -> str | None: ...


def bundle(shown: _Drawn, include: Collection[str] | None = None, exclude: Collection[str] | None = None) -> dict[str, Any]:
    """Return an object by the name of each format: the same text as in a console, and what is drawn."""
    formats = {"text/plain": shown.__repr__, "text/html": shown._repr_html_}
    wanted = [one for one in formats if (not include or one in include) and one not in (exclude or ())]
    made = {one: formats[one]() for one in wanted}
    return {one: text for one, text in made.items() if text is not None}


class Shown:
    """An object that notebooks show."""

    def _repr_html_(self) -> str | None:
        raise NotImplementedError

    def _repr_mimebundle_(self, include: Collection[str] | None = None, exclude: Collection[str] | None = None) -> dict[str, Any]:
        return bundle(self, include, exclude)
