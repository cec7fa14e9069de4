"""Helpers of the tests."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator

import caesar


def positions(game: caesar.Game, seed: int, n: int = 1) -> Iterator[caesar.State]:
    """Play random games and return every position."""
    rng = random.Random(seed)
    for number in range(n):
        state = game.new_initial_state(seed + number)
        while True:
            yield state
            if state.is_terminal():
                break
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            elif state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p) or [-1]) for p in range(state.num_players())])
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def rolled() -> caesar.View:
    """Return the view of a choice in pig."""
    state = caesar.load_game("pig").new_initial_state(seed=2)
    state.play_chance()
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
        state.play_chance()
    return state.view()


def frames(shown: str | None) -> list[str]:
    """Return the pages in the frames of an element. Their scripts reach nothing outside, and nothing is beside them."""
    assert shown is not None
    found = re.findall(r"<iframe (.*?)></iframe>", shown, re.DOTALL)
    assert "".join(f"<iframe {frame}></iframe>" for frame in found) == shown
    attributes = [dict(re.findall(r'([a-z]+)="([^"]*)"', frame)) for frame in found]
    assert all(one["sandbox"] == "allow-scripts" for one in attributes)
    pages = [html.unescape(one["srcdoc"]) for one in attributes]
    assert all(page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>") for page in pages)
    return pages
