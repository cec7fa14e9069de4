"""Wrong input is an error in words, whatever is wrong: no panic, no other exception, and the next call works."""

from __future__ import annotations

import copy
import inspect
import itertools
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import rolled

import caesar
import caesar.gymnasium
import caesar.pettingzoo


class First(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        return view.legal_actions()[0]


class Even:
    """An evaluator as an object: the class is none."""

    def __init__(self, *_: Any) -> None:
        pass

    def __call__(self, observations: Any, masks: Any, seats: Any) -> Any:
        return np.full((len(seats), 2), 0.5), None


def objects() -> Iterator[Any]:
    """Yield an object of every class, and positions of every kind."""
    poker, bids = caesar.load_game("kuhn-poker"), caesar.load_game("goofspiel")
    dealt, together, over = (game.new_initial_state(seed=1) for game in (poker, bids, poker))
    yield poker
    yield copy.copy(dealt)
    for state in (dealt, together, over):
        state.play_chance()
    yield dealt
    yield dealt.view(0)
    yield dealt.view(1)
    yield together
    while not over.is_terminal():
        over.apply_action(over.legal_actions()[0])
    yield over
    yield over.view(0)
    yield poker.agent("greedy")
    yield poker.agent("mcts(iterations=5)")
    yield poker.agent("mcts(iterations=5)", evaluator=Even())
    yield caesar.VectorEnv("pig", 2)


def closed(folder: Path) -> Any:
    """Return a closed file."""
    file = (folder / "closed").open("w")
    file.close()
    return file


def wrong(folder: Path) -> list[Any]:
    """Return arguments that hardly any call takes."""
    pig = caesar.load_game("pig").new_initial_state()
    numbers = [2**70, -(2**70), 2**63, 2**31, -1, 99, 3.5, float("nan"), True]
    return [None, "x", "", "\0", [], [2**70], ["x"], {}, {1: 2}, object(), pig, pig.get_game(), caesar.State, First, *numbers, np.zeros(2), closed(folder)]


def test_no_argument_is_more_than_an_error(tmp_path: Path) -> None:
    refused = 0
    for thing in objects():
        for name in dir(thing):
            if name.startswith("_") or not callable(getattr(thing, name)):
                continue
            given = [(), *((one,) for one in wrong(tmp_path)), *((one, one) for one in wrong(tmp_path))]
            for arguments in given:
                call = getattr(copy.copy(thing) if isinstance(thing, caesar.State) else thing, name)
                try:
                    call(*arguments)
                except (caesar.Error, TypeError) as error:
                    refused += 1
                    assert str(error), (name, arguments)
                except BaseException as error:
                    raise AssertionError(f"{type(thing).__name__}.{name}{arguments}: {error!r}") from error
    assert refused > 3_000


def test_functions_refuse_what_they_do_not_take(tmp_path: Path) -> None:
    functions: list[Callable[[Any], object]] = [
        lambda one: caesar.load_game(one),
        lambda one: caesar.load_game("pig", one),
        lambda one: caesar.load_game("pig", rules=one),
        lambda one: caesar.VectorEnv(one, 2),
        lambda one: caesar.VectorEnv("pig", one),
        lambda one: caesar.VectorEnv("pig", 2, seed=one),
        lambda one: caesar.VectorEnv("pig", 2, threads=one),
        lambda one: caesar.load_game("tic-tac-toe").agent("mcts", evaluator=one),
        lambda one: caesar.load_game("tic-tac-toe").agent("mcts", evaluator=Even(), rows=one),
        lambda one: caesar.positions(one),
        lambda one: caesar.check(one),
        lambda one: caesar.show(one),
        lambda one: caesar.leaks(one, "pig", positions=1),
        lambda one: caesar.tournament([one], "pig", blocks=1),
        lambda one: caesar.tournament(["random"], "pig", blocks=1, records=one),
        lambda one: caesar.tournament(["random"], "pig", blocks=one, threads=1) if not isinstance(one, bool) else None,
    ]
    refused = 0
    for number, call in enumerate(functions):
        for one in wrong(tmp_path):
            if isinstance(one, str) and number == 14:
                # A name of a file is one.
                continue
            try:
                call(one)
            except (caesar.Error, TypeError) as error:
                refused += 1
                assert str(error), (number, one)
            except BaseException as error:
                raise AssertionError(f"function {number}, {one!r}: {error!r}") from error
    assert refused > 250
    assert caesar.tournament(["random", "greedy"], "pig", blocks=1).code == 0


def test_numbers_that_no_type_holds_are_errors_with_the_number() -> None:
    game = caesar.load_game("kuhn-poker")
    state = game.new_initial_state()
    state.play_chance()
    huge = 2**70
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: caesar.load_game("pig", huge), f"the count {huge}"),
        (lambda: caesar.VectorEnv("pig", -1), "the count -1: counts are 0 to"),
        (lambda: caesar.VectorEnv("pig", 1, threads=huge), f"the count {huge}"),
        (lambda: state.apply_action(huge), f"action {huge}: no action"),
        (lambda: state.child(-huge), f"action -{huge}"),
        (lambda: state.legal_actions(huge), f"player {huge}: players are numbered from 0"),
        (lambda: state.view(-huge), f"player -{huge}"),
        (lambda: state.string_to_action(huge, "pass"), f"player {huge}"),
        (lambda: state.view(0).action_to_string(huge), f"action {huge}"),
        (lambda: state.view(0).resample(huge), f"seed {huge}"),
        (lambda: state.view(0).resample(-1), "seed -1"),
        (lambda: game.new_initial_state(huge), f"seed {huge}"),
        (lambda: game.agent("mcts", evaluator=Even(), rows=huge), f"the count {huge}"),
    ]
    for call, text in calls:
        with pytest.raises(caesar.Error, match=text):
            call()


def test_closed_files_are_no_paths_and_no_agents(tmp_path: Path) -> None:
    file = closed(tmp_path)
    calls: list[Callable[[], object]] = [
        lambda: caesar.positions(file),
        lambda: caesar.check(file),
        lambda: caesar.show(file),
        lambda: caesar.load_game("pig", rules=file),
        lambda: caesar.tournament(["random"], "pig", rules=file, blocks=1),
        lambda: caesar.tournament(["random"], "pig", blocks=1, out=file),
        lambda: caesar.tournament(["random"], "pig", blocks=1, records=file),
        lambda: caesar.tournament([file], "pig", blocks=1),
        lambda: caesar.tune("greedy(epsilon=?)", "pig", against=file),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert [path.name for path in tmp_path.iterdir()] == ["closed"]


def test_the_command_survives_a_closed_terminal() -> None:
    for end in (">&-", "2>&- >&-", "| head -c 10"):
        ended = subprocess.run(["sh", "-c", f"'{sys.executable}' -m caesar games {end}"], capture_output=True, text=True)
        assert ended.returncode in (0, 1) and "panicked" not in ended.stderr, ended.stderr


def test_classes_and_instances_are_told_apart() -> None:
    tic, state = caesar.load_game("tic-tac-toe"), caesar.load_game("tic-tac-toe").new_initial_state()
    kinds: list[Any] = [First, First()]
    for kind in kinds:
        assert caesar.tournament([kind, "random"], "tic-tac-toe", blocks=1).code == 0
        with pytest.raises(TypeError):
            tic.agent(kind)
    kinds = [caesar.View, caesar.State, caesar.Game, tic]
    for kind in kinds:
        with pytest.raises(TypeError):
            tic.agent("greedy").choose(kind)
    untyped: Any = caesar.Game
    with pytest.raises(TypeError):
        caesar.VectorEnv(untyped, 1)

    class Needs(First):
        def __init__(self, weight: float) -> None:
            self.weight = weight

    run = caesar.tournament([Needs, "random"], "tic-tac-toe", blocks=1)
    assert run.code == 1 and "missing 1 required positional argument" in run.faults[0].traceback
    assert caesar.tournament([Needs(0.5), "random"], "tic-tac-toe", blocks=1).code == 0
    with pytest.raises(TypeError, match="is no agent"):
        caesar.tournament([caesar.Bot, "random"], "tic-tac-toe", blocks=1)
    assert tic.agent("mcts(iterations=5)", evaluator=Even()).choose(state.view()) in range(9)
    untyped = Even
    with pytest.raises(caesar.Error, match="returns a tuple of values and logits .or None., not Even"):
        tic.agent("mcts(iterations=5)", evaluator=untyped).choose(state.view())


def test_pickles_that_are_cut_short_are_refused() -> None:
    run = caesar.tournament(["random", "greedy"], "pig", blocks=1)
    state = caesar.load_game("tic-tac-toe").new_initial_state()
    report = state.get_game().agent("mcts(iterations=5)").search(state.view())
    for thing in [*(thing for thing in objects() if not isinstance(thing, caesar.VectorEnv)), run, run.games, report]:
        whole = pickle.dumps(thing)
        for cut in range(0, len(whole), len(whole) // 40 + 1):
            with pytest.raises((caesar.Error, EOFError, pickle.UnpicklingError)):
                pickle.loads(whole[:cut])
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(caesar.VectorEnv("pig", 1))


def test_damaged_texts_of_positions_are_refused_or_play_on() -> None:
    rng = random.Random(1)
    read = refused = 0
    for name in ("kuhn-poker", "conquest2", "imperium"):
        game = caesar.load_game(name)
        state = game.new_initial_state(seed=1)
        for _ in range(30):
            if state.is_simultaneous_node():
                state.apply_actions([(state.legal_actions(seat) or [-1])[0] for seat in range(game.num_players())])
            elif not state.is_terminal():
                state.apply_action(state.legal_actions()[0])
        texts = [(game.deserialize_state, state.serialize()), (game.state_from_json, state.to_position())]
        for (reader, text), _ in itertools.product(texts, range(200)):
            at = rng.randrange(len(text))
            damaged = text[:at] + rng.choice(["", "0", "-", "9" * 25, "}", '"', "null,", text[at:][:9]]) + text[at + rng.randrange(3) :]
            try:
                again = reader(damaged)
            except caesar.Error:
                refused += 1
                continue
            read += 1
            again.view(0).to_json()
    assert read > 20 and refused > 300, (read, refused)


def test_environments_refuse_what_they_do_not_take() -> None:
    for action in (99, -1, 2**70):
        seat = caesar.gymnasium.Seat("tic-tac-toe")
        seat.reset(seed=1)
        assert seat.step(action)[1:3] == (0.0, True)
        turns = caesar.pettingzoo.env("tic-tac-toe")
        turns.reset(seed=1)
        with pytest.raises(caesar.Error, match=f"action {action}"):
            turns.step(action)
    none: list[Any] = [3, [], caesar.load_game("pig")]
    for opponent in none:
        with pytest.raises(TypeError, match="is no agent"):
            caesar.gymnasium.Seat("tic-tac-toe", opponents=[opponent])
    some: list[Any] = [First, First(), caesar.load_game("tic-tac-toe").agent("greedy"), "greedy"]
    for opponent in some:
        caesar.gymnasium.Seat("tic-tac-toe", opponents=[opponent], seat=1).reset(seed=1)

    together = caesar.pettingzoo.parallel_env("goofspiel", rules={"cards": 2})
    with pytest.raises(caesar.Error, match="reset"):
        together.step({})
    seen, _ = together.reset(seed=1)
    with pytest.raises(caesar.Error, match="no action of player_1"):
        together.step({"player_0": 0})
    while together.agents:
        seen, *_ = together.step({agent: int(one["action_mask"].argmax()) for agent, one in seen.items()})
    with pytest.raises(caesar.Error, match="reset"):
        together.step({"player_0": 0, "player_1": 0})


def noisy(observations: Any, masks: Any, seats: Any) -> Any:
    own = np.random.default_rng(len(seats)).random(len(seats))
    return np.stack([own, 1 - own], axis=1), None


def vectors() -> None:
    vector = caesar.VectorEnv("conquest2", 64)
    while True:
        vector.step(vector.sample())


THINKS = "mcts(iterations=100000000, nodes=1000)"
LONG: dict[str, Callable[[Path], object]] = {
    "tournament": lambda _: caesar.tournament(["random", "greedy"], "pig", blocks=10**7),
    "compare": lambda _: caesar.compare(["greedy", "greedy(epsilon=0.3)"], "pig", fixed=10**6),
    "ladder": lambda _: caesar.ladder("mcts(iterations=?, nodes=1000)", "pig", values="50000000,100000000"),
    "balance": lambda _: caesar.balance.seats("conquest2", agent=THINKS),
    "tune": lambda _: caesar.tune("greedy(epsilon=?)", "pig", against="random", games=10**7),
    "fit": lambda _: caesar.fit("value", "conquest2", games=10**5),
    "leaks": lambda _: caesar.leaks(THINKS, "kuhn-poker"),
    "search": lambda _: caesar.load_game("pig").agent(THINKS).choose(rolled()),
    "evaluator": lambda _: caesar.load_game("pig").agent(THINKS, evaluator=noisy).choose(rolled()),
    "evaluator in a run": lambda _: caesar.tournament(
        [caesar.load_game("pig").agent(THINKS, evaluator=noisy), "random"], "pig", blocks=10**6
    ),
    "vectors": lambda _: vectors(),
    "positions": lambda records: caesar.positions(records, THINKS),
}


@pytest.mark.parametrize("what", LONG)
def test_an_interrupt_ends_whatever_runs_long(what: str, tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    caesar.tournament(["greedy", "random"], "pig", blocks=1, records=records)
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    since = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[what](records)
    finally:
        timer.cancel()
    assert time.monotonic() - since < 10
    assert signal.getsignal(signal.SIGINT) is before
    assert caesar.tournament(["random", "greedy"], "pig", blocks=3).code == 0


def test_every_run_has_a_test_of_interrupts() -> None:
    runs = {name for name, one in inspect.getmembers(caesar._runs, inspect.isfunction) if one.__module__ == "caesar._runs"}
    assert {name for name in runs - set(LONG) if not name.startswith("_")} == {"run", "check", "show"}
