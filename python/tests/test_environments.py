"""Environments of PettingZoo and Gymnasium, and algorithms of OpenSpiel."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import caesar
import caesar.gymnasium
import caesar.pettingzoo

NAMES = caesar.registered_names()
# Random games of each game that are played beside OpenSpiel.
BESIDE = 10_000


def tables() -> Iterator[tuple[str, int]]:
    """Yield every game with every number of players."""
    for name in NAMES:
        for players in range(1, 9):
            with contextlib.suppress(caesar.Error):
                yield name, caesar.load_game(name, players).num_players()


TABLES = list(tables())


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_turns_pass_the_tests_of_pettingzoo(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Dict observations give these, whatever they hold.
        warnings.filterwarnings("ignore", message="Observation ")
        api_test(caesar.pettingzoo.env(name, players), num_cycles=100)
    seed_test(lambda: caesar.pettingzoo.env(name, players), num_cycles=50)
    capsys.readouterr()
    render_test(lambda render_mode: caesar.pettingzoo.env(name, players, render_mode=render_mode))
    assert capsys.readouterr().out.strip()


def test_environments_are_found_by_the_import_of_the_package() -> None:
    script = """
import caesar
caesar.pettingzoo.env("conquest2", players=4), caesar.pettingzoo.parallel_env("imperium")
caesar.gymnasium
import gymnasium
env = gymnasium.make("caesar/conquest2-v0", opponents=["greedy"] * 3, seat="random")
env.reset(seed=1)
assert env.unwrapped.action_masks().any()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_parallel_environments_pass_the_tests_of_pettingzoo(name: str, players: int) -> None:
    parallel_api_test(caesar.pettingzoo.parallel_env(name, players), num_cycles=100)
    parallel_seed_test(lambda: caesar.pettingzoo.parallel_env(name, players), num_cycles=50)


def test_the_seed_of_an_environment_is_that_of_a_state() -> None:
    env = caesar.pettingzoo.env("conquest2")
    env.reset(seed=11)
    state = caesar.load_game("conquest2").new_initial_state(11)
    state.play_chance()
    assert (env.observe("player_0")["observation"] == state.observation_tensor(0)).all()


@pytest.mark.parametrize("name", NAMES)
def test_seats_pass_the_check_of_gymnasium(name: str) -> None:
    env: Any = gymnasium.make(f"caesar/{name}-v0", seat="random")
    check_env(env.unwrapped, skip_render_check=True)
    rewards = []
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            masks = env.unwrapped.action_masks()
            assert (seen["action_mask"] == masks).all() and masks.any()
            action = random.Random(seed).choice(np.flatnonzero(masks).tolist())
            seen, reward, over, *_ = env.step(action)
        rewards.append(reward)
    assert all(0 <= reward <= 1 for reward in rewards)
    with pytest.raises(ValueError, match="opponents"):
        caesar.gymnasium.Seat(name, opponents=["random"] * 9)


def test_openspiel_plays_and_solves_our_games() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability, mcts

    import caesar.openspiel

    game = caesar.openspiel.wrap(caesar.load_game("kuhn-poker"))
    theirs = pyspiel.load_game("kuhn_poker")
    # A chip is a quarter of a point.
    uniform = [exploitability.nash_conv(g, policy.UniformRandomPolicy(g)) for g in (game, theirs)]
    assert 4 * uniform[0] == pytest.approx(uniform[1])
    solver = cfr.CFRSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.02

    board = caesar.openspiel.wrap(caesar.load_game("tic-tac-toe"))
    bot = mcts.MCTSBot(board, 2, 200, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    state = board.new_initial_state()
    for action in (0, 4, 1):
        state.apply_action(action)
    assert bot.step(state) == 2


@pytest.mark.parametrize("ours, theirs", [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four")])
def test_positions_are_those_of_openspiel(ours: str, theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    rng = random.Random(1)
    game, other = caesar.load_game(ours), pyspiel.load_game(theirs)
    for _ in range(BESIDE):
        here, there = game.new_initial_state(), other.new_initial_state()
        while not there.is_terminal():
            if len(there.legal_actions()) == 1:
                # Ours plays what is forced.
                there.apply_action(there.legal_actions()[0])
                continue
            assert here.legal_actions() == there.legal_actions()
            assert here.current_player() == there.current_player()
            action = rng.choice(there.legal_actions())
            here.apply_action(action)
            there.apply_action(action)
        assert here.is_terminal() and here.legal_actions() == there.legal_actions() == []
        assert [2 * points - 1 for points in here.returns()] == there.returns()


def has_length(name: str) -> bool:
    with contextlib.suppress(caesar.Error):
        return caesar.load_game(name).max_game_length() > 0
    return False


def test_the_largest_number_of_choices_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    for ours, theirs in [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four"), ("kuhn-poker", "kuhn_poker")]:
        assert caesar.load_game(ours).max_game_length() == pyspiel.load_game(theirs).max_game_length()
    for cards in (2, 13):
        game = caesar.load_game("goofspiel", players=3, rules={"cards": cards})
        other = pyspiel.load_game(f"goofspiel(players=3,num_cards={cards})")
        assert game.max_game_length() == other.max_game_length() == cards
    assert [game for game in NAMES if not has_length(game)] == ["pig"]
    # Theirs has a horizon; the rules have none.
    with pytest.raises(caesar.Error, match="no largest number of choices is known for pig"):
        caesar.load_game("pig").max_game_length()


def test_goofspiel_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    rng = random.Random(2)
    game = caesar.load_game("goofspiel", players=2)
    other = pyspiel.load_game("goofspiel(players=2,num_cards=13,points_order=random,returns_type=total_points)")
    for _ in range(BESIDE):
        here, there = game.new_initial_state(), other.new_initial_state()
        while not here.is_terminal():
            if there.is_terminal():
                # Theirs plays the last card, which is forced, at once.
                here.play_chance()
                continue
            if there.is_chance_node():
                # Outcomes are numbered by position; theirs by card.
                cards = {int(here.action_to_string(-1, one).split()[1]) - 1: one for one in here.legal_actions()}
                chances = dict(here.chance_outcomes())
                assert {card: chances[one] for card, one in cards.items()} == pytest.approx(dict(there.chance_outcomes()))
                card = rng.choice(list(cards))
                here.apply_action(cards[card])
                there.apply_action(card)
                continue
            legal = [there.legal_actions(player) for player in (0, 1)]
            assert [here.legal_actions(player) for player in (0, 1)] == legal
            bids = [rng.choice(hand) for hand in legal]
            here.apply_actions(bids)
            there.apply_actions(bids)
        assert here.scores() == there.returns()


def test_kuhn_poker_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    rng = random.Random(4)
    game, other = caesar.load_game("kuhn-poker"), pyspiel.load_game("kuhn_poker")
    for _ in range(BESIDE):
        here, there = game.new_initial_state(), other.new_initial_state()
        # Ours deals both cards at once, and numbers them from 1.
        deals = {here.action_to_string(-1, one): chance for one, chance in here.chance_outcomes()}
        chances = {first: dict(there.child(first).chance_outcomes()) for first, _ in there.chance_outcomes()}
        theirs = {f"deal [{a + 1},{b + 1}]": p * q for a, p in there.chance_outcomes() for b, q in chances[a].items()}
        assert deals == pytest.approx(theirs)
        outcome = rng.choice(here.legal_actions())
        cards = json.loads(here.action_to_string(-1, outcome).partition(" ")[2])
        here.apply_action(outcome)
        for card in cards:
            there.apply_action(card - 1)
        while not there.is_terminal():
            assert (here.current_player(), here.legal_actions()) == (there.current_player(), there.legal_actions())
            action = rng.choice(there.legal_actions())
            here.apply_action(action)
            there.apply_action(action)
        # A chip is a quarter of a point.
        assert here.is_terminal() and [4 * points - 2 for points in here.returns()] == there.returns()


def test_pig_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    rng = random.Random(3)
    game, other = caesar.load_game("pig", players=2), pyspiel.load_game("pig(players=2,winscore=100,horizon=100000)")
    roll, hold = 0, 1
    for _ in range(BESIDE):
        here, there = game.new_initial_state(), other.new_initial_state()
        while not here.is_terminal():
            if here.is_chance_node():
                if not there.is_chance_node():
                    # Ours rolls where there is nothing to hold.
                    there.apply_action(roll)
                assert dict(here.chance_outcomes()) == pytest.approx(dict(there.chance_outcomes()))
                face = here.sample_chance() if rng.random() < 0.5 else rng.choice(here.legal_actions())
                here.apply_action(face)
                there.apply_action(face)
                continue
            assert (here.current_player(), here.legal_actions()) == (there.current_player(), there.legal_actions())
            action = rng.choice(here.legal_actions())
            here.apply_action(action)
            there.apply_action(action)
        if not there.is_terminal():
            # Ours ends when nothing is left to roll for.
            there.apply_action(hold)
        assert there.is_terminal()
        assert [2 * points - 1 for points in here.returns()] == there.returns()
