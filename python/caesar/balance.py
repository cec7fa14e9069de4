"""Studies of the balance of a game, as `caesar balance` runs them."""

from __future__ import annotations

from typing import Any

from caesar._runs import Run, run


def cards(game: str | None = None, **options: Any) -> Run:
    """Estimate the value and the fair price of every card."""
    return run(["balance", "cards"], game=game, **options)


def provinces(game: str | None = None, **options: Any) -> Run:
    """Estimate the value of a token and of a city in every province."""
    return run(["balance", "provinces"], game=game, **options)


def seats(game: str | None = None, **options: Any) -> Run:
    """Estimate the advantage of seats, of places in the turn order and in the bidding."""
    return run(["balance", "seats"], game=game, **options)


def alliances(game: str | None = None, **options: Any) -> Run:
    """Estimate what bids buy, and whether players overpay."""
    return run(["balance", "alliances"], game=game, **options)


def rules(game: str | None = None, **options: Any) -> Run:
    """Measure what a rule change moves."""
    return run(["balance", "rules"], game=game, **options)


def game(game: str | None = None, **options: Any) -> Run:
    """Measure length, lead changes, suspense, luck, skill and restrictions of a game."""
    return run(["balance", "game"], game=game, **options)

