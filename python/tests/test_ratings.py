"""Ratings beside those of choix (Plackett and Luce) and of openskill (Weng and Lin)."""

from __future__ import annotations

import math
from itertools import pairwise

import choix
import pytest
from openskill.models import BradleyTerryFull

import caesar

AGENTS = ["a=greedy", "b=greedy(epsilon=0.2)", "c=greedy(epsilon=0.5)", "d=random"]
Finish = list[tuple[float, float]]


def played(players: int) -> tuple[caesar.Table, list[tuple[list[int], Finish]]]:
    """Return the ratings of a tournament, and of each game the agents by seat with points and scores."""
    run = caesar.tournament(AGENTS, "pig", players=players, schedule="round-robin", blocks=600, seed=6, ratings=True)
    games = []
    for row in run.games.rows():
        agents = [int(agent) for agent in row["seating"].split()]
        games.append((agents, [(row[f"points_{seat}"], row[f"score_{seat}"]) for seat in range(players)]))
    return run.tables["ratings"], games


def by_agent(table: caesar.Table, name: str) -> list[float]:
    """Return a column in the order of the agents."""
    return [value for _, value in sorted(zip(table["agent"], table[name], strict=True))]


# In pig for three some end level: choix has no ties, so these games are left out for it.
@pytest.mark.parametrize(("players", "n_tied", "tolerance"), [(2, 0, 1.0), (3, 58, 4.0)])
def test_ratings_are_those_of_choix(players: int, n_tied: int, tolerance: float) -> None:
    table, games = played(players)
    orders = []
    for agents, finish in games:
        order = sorted(zip(finish, agents, strict=True), reverse=True)
        if all(first[0] > second[0] for first, second in pairwise(order)):
            orders.append(tuple(agent for _, agent in order))
    assert len(games) - len(orders) == n_tied
    logits = choix.opt_rankings(len(AGENTS), orders, alpha=1e-6)
    elo = [400 / math.log(10) * (one - sum(logits) / len(logits)) for one in logits]
    # Ours have a prior of one game and terms for seats.
    assert by_agent(table, "elo") == pytest.approx(elo, abs=tolerance)
    assert max(elo) - min(elo) > 400


@pytest.mark.parametrize("players", [2, 3])
def test_the_live_ladder_is_that_of_openskill(players: int) -> None:
    table, games = played(players)
    model = BradleyTerryFull(tau=0.0)
    ratings = [model.rating() for _ in AGENTS]
    for agents, finish in games:
        places = sorted(set(finish), reverse=True)
        teams = model.rate([[ratings[agent]] for agent in agents], ranks=[places.index(one) for one in finish])
        for agent, (rating,) in zip(agents, teams, strict=True):
            ratings[agent] = rating
    assert by_agent(table, "mu") == pytest.approx([rating.mu for rating in ratings], abs=1e-3)
    assert by_agent(table, "sigma") == pytest.approx([rating.sigma for rating in ratings], abs=1e-3)
