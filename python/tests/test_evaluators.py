"""Searches whose leaves are evaluated by a function of Python."""

from __future__ import annotations

import copy
import functools
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conftest import frames

import caesar

Rows = npt.NDArray[Any]
Answer = tuple[Any, Any]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@functools.cache
def solved(mine: frozenset[int], theirs: frozenset[int]) -> float:
    """Return the share of the player who is to mark a square."""
    if any(theirs.issuperset(line) for line in LINES):
        return 0.0
    free = set(range(9)) - mine - theirs
    return max((1 - solved(theirs, mine | {square}) for square in free), default=0.5)


def perfect(observations: Rows, masks: Rows, seats: Rows) -> Answer:
    values = np.empty((len(observations), 2))
    for row, (observation, seat) in enumerate(zip(observations, seats, strict=True)):
        marks = observation[-18:].reshape(2, 9)
        values[row, seat] = solved(*(frozenset(np.flatnonzero(own).tolist()) for own in marks))
        values[row, 1 - seat] = 1 - values[row, seat]
    return values, None


def uniform(observations: Rows, masks: Rows, seats: Rows) -> Answer:
    return np.full((len(observations), 2), 0.5), np.zeros(masks.shape)


def fails(observations: Rows, masks: Rows, seats: Rows) -> Answer:
    raise RuntimeError("no idea")


def losses(agent: str | caesar.Bot) -> int:
    """Return how many of 400 games the agent loses to random play."""
    games = caesar.tournament([agent, "random"], "tic-tac-toe", blocks=200, seed=3).games
    assert len(games) == 400 and not any(games["forfeit"])
    seats = [seating.split().index("0") for seating in games["seating"]]
    return sum(games[f"points_{seat}"][row] == 0 for row, seat in enumerate(seats))


def bot(evaluator: Any, spec: str = "mcts(iterations=30)", game: str = "tic-tac-toe") -> caesar.Bot:
    return caesar.load_game(game).agent(spec, seed=1, evaluator=evaluator)


def test_a_perfect_evaluator_does_not_lose() -> None:
    assert losses(bot(perfect, "mcts(iterations=12)")) == 0
    assert losses("mcts(iterations=12)") > 20


def test_logits_are_priors_and_order_the_first_visits() -> None:
    view = caesar.load_game("tic-tac-toe").new_initial_state().view()
    for favourite in (0, 7):

        def biased(observations: Rows, masks: Rows, seats: Rows) -> Answer:
            return np.full((1, 2), 0.5), np.where(np.arange(9) == favourite, 5.0, 0.0)[None]

        report = bot(biased).search(view)
        assert report.action == favourite
        row = report.options[0]
        assert row["prior"] == pytest.approx(np.exp(5) / (np.exp(5) + 8), rel=1e-4)
        assert row["values"] == [0.5, 0.5]


def test_an_evaluator_gets_what_the_seat_sees_that_acts() -> None:
    asked: list[tuple[Rows, ...]] = []

    def noted(*rows: Rows) -> Answer:
        asked.append(rows)
        return np.full((1, 2), 0.5), None

    game = caesar.load_game("kuhn-poker")
    state = game.new_initial_state(seed=3)
    state.play_chance()
    bot(noted, game="kuhn-poker").search(state.view(0))
    cards: dict[int, set[int]] = {0: set(), 1: set()}
    (card,) = (field for field in game.observation_layout() if field["name"] == "cards")
    for observations, masks, seats in asked:
        assert observations.shape == (1, game.observation_tensor_size()) and observations.dtype == np.float32
        assert masks.shape == (1, game.num_distinct_actions()) and masks.dtype == np.bool_ and masks.any()
        assert seats.shape == (1,)
        own, other = observations[0, card["offset"] :][:6].reshape(2, 3)
        cards[int(seats[0])].add(int(own.argmax()))
        assert own.sum() == 1 and not other.any()
    # The search knows its own card, and holds both others possible.
    own = state.view(0).observation_tensor()[card["offset"] :][:3]
    assert cards[0] == {int(own.argmax())} and cards[1] == {0, 1, 2} - cards[0]


@pytest.mark.parametrize("name", ["tic-tac-toe", "goofspiel", "kuhn-poker", "conquest2"])
def test_runs_are_the_same_on_any_number_of_threads(name: str, tmp_path: Path) -> None:
    n = caesar.load_game(name).num_players()

    def even(observations: Rows, masks: Rows, seats: Rows) -> Answer:
        # What depends on the row shows a mix-up of rows.
        values = np.exp(np.cos(np.arange(n) + observations.sum()))[None]
        return values / values.sum(), np.sin(np.arange(masks.shape[1]) + observations.sum())[None]

    files = {}
    for threads in (1, 3):
        others = ["random", "greedy", "greedy(epsilon=0.5)"][: n - 1]
        agents = [bot(even, "net=mcts(iterations=8, trees=2)", name), *others]
        out = tmp_path / str(threads)
        run = caesar.tournament(agents, name, blocks=2, seed=4, threads=threads, out=out, records=out / "records.jsonl")
        assert run.code == 0, run.text
        files[threads] = [(out / file).read_bytes() for file in ("games.csv", "records.jsonl", "summary.json")]
    assert files[1] == files[3]


def by_row(observations: Rows, masks: Rows, seats: Rows) -> Answer:
    """Value each row by itself, from what stands in it."""
    own = 0.25 + 0.5 * (observations[:, ::3].sum(axis=1).astype(np.int64) % 7) / 7
    players = np.arange(2)
    return np.where(players == seats[:, None], own[:, None], 1 - own[:, None]), None


def test_leaves_of_different_games_share_a_call(tmp_path: Path) -> None:
    sizes: list[int] = []

    def counted(observations: Rows, masks: Rows, seats: Rows) -> Answer:
        sizes.append(len(observations))
        assert len(masks) == len(seats) == len(observations)
        time.sleep(0.001)
        return by_row(observations, masks, seats)

    game = caesar.load_game("connect-four")

    def games(rows: int, threads: int) -> bytes:
        bot = game.agent("one=mcts(iterations=8)", evaluator=counted, rows=rows)
        out = tmp_path / f"{rows}-{threads}"
        caesar.tournament([bot, "random"], "connect-four", blocks=6, seed=4, threads=threads, out=out)
        return (out / "games.csv").read_bytes()

    alone = games(1, 1)
    assert set(sizes) == {1}
    sizes.clear()
    assert games(8, 12) == alone
    assert 1 < max(sizes) <= 8


def test_a_row_that_fails_is_a_fault_of_its_game_alone() -> None:
    def fails_late(observations: Rows, masks: Rows, seats: Rows) -> Answer:
        time.sleep(0.001)
        if (observations[:, -84:].sum(axis=1) > 9).any():
            raise RuntimeError("too late")
        return by_row(observations, masks, seats)

    game = caesar.load_game("connect-four")

    def reasons(rows: int, threads: int) -> tuple[list[Any], int]:
        bot = game.agent("one=mcts(iterations=4)", evaluator=fails_late, rows=rows)
        run = caesar.tournament([bot, "random"], "connect-four", blocks=4, seed=4, threads=threads)
        return list(run.games["forfeit"]), len(run.faults)

    alone = reasons(1, 1)
    assert any(alone[0]) and alone[1] > 0
    assert reasons(16, 8) == alone
    with pytest.raises(caesar.Error, match="rows=0: a call has 1 to 65536 rows"):
        game.agent("mcts", evaluator=by_row, rows=0)


def test_an_agent_with_an_evaluator_keeps_it_in_copies_and_pickles() -> None:
    one = bot(uniform, "net=mcts(iterations=40)")
    assert one.spec == f"net=mcts(evaluator=python:{__name__}.uniform, iterations=40)"
    view = caesar.load_game("tic-tac-toe").new_initial_state().view()
    visits = one.search(view).visits
    assert all(other.search(view).visits == visits for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))))
    assert one.evaluator is uniform and bot(None).evaluator is None


def answers(values: Any, logits: Any = None) -> Callable[..., Answer]:
    return lambda *rows: (values, logits)


@pytest.mark.parametrize(
    ("evaluator", "complaint"),
    [
        (lambda *rows: np.full((1, 2), 0.5), "a tuple of values and logits .or None., not ndarray"),
        (answers([0.5, 0.5]), r"values of shape \(2,\) .* the shape \(1, 2\)"),
        (answers([[0.5, 0.3, 0.2]]), r"values of shape \(1, 3\)"),
        (answers([[0.5, 0.5]] * 2), r"values of shape \(2, 2\)"),
        (answers([[np.nan, 0.5]]), r"the values \[NaN, 0.5\]: .* add up to 1"),
        (answers([[1.5, -0.5]]), "from 0 to 1"),
        (answers([[0.5, 0.6]]), "add up to 1"),
        (answers([["a", "b"]]), "ValueError: could not convert string"),
        (answers([[0.5, 0.5]], np.zeros((1, 8))), r"logits of shape \(1, 8\) .* the shape \(1, 9\)"),
        (answers([[0.5, 0.5]], np.full((1, 9), np.inf)), "the logit inf: logits are finite"),
        (answers(None), r"values of shape \(\)"),
        (fails, "RuntimeError: no idea"),
        (lambda: None, "TypeError"),
    ],
)
def test_a_wrong_answer_is_an_error_with_its_cause_and_forfeits_in_a_run(evaluator: Any, complaint: str) -> None:
    one = bot(evaluator)
    view = caesar.load_game("tic-tac-toe").new_initial_state().view()
    with pytest.raises(caesar.Error, match=complaint) as caught:
        one.choose(view)
    assert caught.value.__cause__ is not None
    run = caesar.tournament([one, "random"], "tic-tac-toe", blocks=2, seed=1)
    assert run.code == 1 and all(run.games["forfeit"])


def test_exceptions_of_an_evaluator_are_kept() -> None:
    run = caesar.tournament([bot(fails, "net=mcts(iterations=30)"), "random"], "tic-tac-toe", blocks=2, seed=1)
    assert len(run.faults) == len(run.games) and "no idea" in run.faults[0].traceback
    assert run.faults[0].agent == "net"


def test_what_has_no_evaluator_is_refused() -> None:
    game = caesar.load_game("tic-tac-toe")
    with pytest.raises(caesar.Error, match="an evaluator is a function"):
        bot(3)
    with pytest.raises(caesar.Error, match='unknown parameter "evaluator"'):
        bot(uniform, "greedy")
    with pytest.raises(caesar.Error, match='there is no evaluator "net"'):
        game.agent("mcts(evaluator=net)")
    with pytest.raises(caesar.Error, match="horizon=leaf"):
        bot(uniform, "mcts(horizon=full)")
    with pytest.raises(caesar.Error, match="there is no evaluator"):
        caesar.tournament([bot(uniform).spec, "random"], "tic-tac-toe", blocks=1)


def test_two_evaluators_of_one_name_are_two_agents() -> None:
    run = caesar.compare([bot(perfect, "one=mcts(iterations=12)"), bot(uniform, "two=mcts(iterations=12)")], "tic-tac-toe", fixed=20)
    assert run.code == 0 and "one" in run.text and "two" in run.text
    same = caesar.tournament([bot(uniform), bot(uniform)], "tic-tac-toe", blocks=2)
    assert len(same.standings) == 2


def test_an_agent_of_python_may_search_with_an_evaluator() -> None:
    class Thinks(caesar.Agent):
        def choose(self, view: caesar.View) -> int:
            return bot(perfect, "mcts(iterations=12)").choose(view)

    run = caesar.tournament([Thinks, bot(perfect, "one=mcts(iterations=12)")], "tic-tac-toe", blocks=2, threads=2)
    assert run.code == 0 and not run.faults, run.faults
    assert run.standings["share"] == [0.5, 0.5]


def test_an_evaluator_that_asks_its_own_agent_is_refused() -> None:
    game = caesar.load_game("tic-tac-toe")
    start = game.new_initial_state().view()
    bots: list[caesar.Bot] = []

    def asks(observations: Rows, masks: Rows, seats: Rows) -> Answer:
        bots[0].choose(start)
        return uniform(observations, masks, seats)

    bots.append(game.agent("mcts(iterations=5)", evaluator=asks))
    with pytest.raises(caesar.Error, match="waits for its evaluator"):
        bots[0].choose(start)
    bots[0] = game.agent("mcts(iterations=5)", evaluator=uniform)
    assert game.agent("mcts(iterations=5)", evaluator=asks).choose(start) in range(9)


def test_an_interrupt_ends_a_search_that_waits_for_its_evaluator() -> None:
    def sleeps(*rows: Rows) -> Answer:
        time.sleep(30)
        return uniform(*rows)

    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    since = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        bot(sleeps).choose(caesar.load_game("tic-tac-toe").new_initial_state().view())
    assert time.monotonic() - since < 10
    assert bot(uniform).choose(caesar.load_game("tic-tac-toe").new_initial_state().view()) in range(9)


def test_a_search_with_an_evaluator_uses_nothing_hidden() -> None:
    assert caesar.leaks(bot(uniform, "mcts(iterations=20)", "kuhn-poker"), "kuhn-poker").code == 0


def test_notebooks_show_the_page_of_a_run_with_an_evaluator(tmp_path: Path) -> None:
    net = caesar.load_game("tic-tac-toe").agent("net=mcts(iterations=10)", seed=1, evaluator=uniform)
    runs = [
        caesar.tournament([net, "random"], "tic-tac-toe", blocks=2, out=tmp_path / "run"),
        caesar.compare([net, "random"], "tic-tac-toe", fixed=10),
    ]
    for run in runs:
        (page,) = frames(run._repr_html_())
        assert "net" in page and "<svg" in page
    assert caesar.check(tmp_path / "run").code == 0
    # Reading makes no agent of it that could play.
    with pytest.raises(caesar.Error, match="there is no evaluator"):
        caesar.load_game("tic-tac-toe").agent(net.spec)
