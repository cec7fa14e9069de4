"""Games, positions and views."""

from __future__ import annotations

import copy
import gc
import html
import itertools
import json
import pickle
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from conftest import positions, rolled

import caesar

ALL = caesar.registered_names()
# Positions of a game that a test looks at.
LOOKED_AT = 400


def some(game: caesar.Game, seed: int, n: int = LOOKED_AT, games: int = 20) -> list[caesar.State]:
    return [copy.copy(state) for state in itertools.islice(positions(game, seed, games), n)]


@pytest.mark.parametrize("name", ALL)
def test_positions_agree_with_themselves(name: str) -> None:
    game = caesar.load_game(name)
    for state in some(game, 1):
        player = state.current_player()
        assert state.is_chance_node() == (player == -1)
        assert state.is_simultaneous_node() == (player == -2)
        assert state.is_terminal() == (player == -4)
        assert state.is_player_node() == (player >= 0)
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            assert list(outcomes) == state.legal_actions()
            assert state.sample_chance() in outcomes
        for seat in range(game.num_players()):
            legal = state.legal_actions(seat)
            assert np.flatnonzero(state.legal_actions_mask(seat)).tolist() == legal
            view = state.view(seat)
            assert view.legal_actions() == legal
            for action in legal[:: len(legal) // 10 + 1]:
                text = state.action_to_string(seat, action)
                assert view.string_to_action(text) == state.string_to_action(seat, text) == action
            numbers = state.observation_tensor(seat)
            assert list(numbers.shape) == list(game.observation_tensor_shape())
            assert np.isfinite(numbers).all()
            assert (numbers == view.observation_tensor()).all()
        if state.is_terminal():
            assert sum(state.returns()) == pytest.approx(1)


@pytest.mark.parametrize("name", ALL)
def test_notebooks_show_a_drawing_in_a_frame_of_its_own(name: str) -> None:
    game = caesar.load_game(name)
    for state in some(game, 1)[:: LOOKED_AT // 8]:
        views = [state.view(seat) for seat in range(game.num_players())]
        for shown in [state._repr_html_(), *(view._repr_html_() for view in views)]:
            (frame,) = re.findall(r"<iframe (.*)></iframe>", shown, re.DOTALL)
            attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', frame))
            # Scripts of the page have neither the notebook nor its cookies.
            assert attributes["sandbox"] == "allow-scripts" and game.title.partition("'")[0] in attributes["title"]
            page = html.unescape(attributes["srcdoc"])
            assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
            (data,) = re.findall(r'class="replay-data">(.*?)</script>', page, re.DOTALL)
            assert len(json.loads(data)["frames"]) == 1


def test_notebooks_get_the_formats_that_they_ask_for() -> None:
    state = caesar.load_game("pig").new_initial_state()
    for shown in (state, state.view(0), state.get_game().agent("mcts(iterations=5)").search(rolled())):
        bundle = shown._repr_mimebundle_()
        assert bundle == {"text/plain": repr(shown), "text/html": shown._repr_html_()}
        assert list(shown._repr_mimebundle_(exclude=["text/html"])) == ["text/plain"]
        assert list(shown._repr_mimebundle_(include={"text/html"})) == ["text/html"]


@pytest.mark.parametrize("name", ALL)
def test_the_layout_covers_the_observation(name: str) -> None:
    game = caesar.load_game(name)
    end = 0
    for field in game.observation_layout():
        assert field["offset"] == end
        end += int(np.prod(field["shape"], dtype=int))
        assert len(field["axes"]) == len(field["shape"]) and field["unit"]
    assert end == game.observation_tensor_size()


@pytest.mark.parametrize("name", ALL)
def test_copies_and_pickles_go_on_as_the_same_game(name: str) -> None:
    game = caesar.load_game(name)
    assert pickle.loads(pickle.dumps(game)) == game == copy.deepcopy(game)

    def rest(state: caesar.State) -> str:
        rng = random.Random(5)
        while not state.is_terminal():
            state.play_chance()
            player = state.next_player()
            if player >= 0:
                state.apply_action(rng.choice(state.legal_actions(player)), player)
        return state.to_json() + str(state.returns())

    for state in some(game, 2)[:: LOOKED_AT // 8]:
        copies = [copy.deepcopy(state), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())]
        assert all(one.to_json() == state.to_json() and one.history() == state.history() for one in copies)
        expected = rest(copy.copy(state))
        assert [rest(one) for one in copies] == [expected] * 3


def test_a_clone_does_not_foresee_the_dice() -> None:
    # The first roll is forced.
    state = caesar.load_game("pig").new_initial_state(seed=3)
    drawn = {state.clone().sample_chance() for _ in range(50)}
    assert len(drawn) > 3
    first = state.sample_chance()
    assert {state.sample_chance() for _ in range(5)} == {first}


@pytest.mark.parametrize("name", [name for name in ALL if caesar.load_game(name).hides])
def test_a_view_is_the_same_in_all_worlds_that_its_seat_cannot_tell_apart(name: str) -> None:
    game = caesar.load_game(name)
    different = 0
    played = some(game, 4, 4_000, 200)
    looked_at = played[:: len(played) // 200][:200]
    assert len(looked_at) == 200
    for number, state in enumerate(looked_at):
        for seat in range(game.num_players()):
            view = state.view(seat)
            for world in range(4):
                drawn = view.resample(4 * number + world)
                other = drawn.view(seat)
                different += drawn.to_json() != state.to_json()
                assert other == view and hash(other) == hash(view)
                assert pickle.dumps(other) == pickle.dumps(view)
                assert other.to_json() == view.to_json()
                assert other.information_state_string() == view.information_state_string()
                assert other.observation_string() == view.observation_string()
                assert world or number % 10 or other._repr_html_() == view._repr_html_()
                assert (other.observation_tensor() == view.observation_tensor()).all()
                assert (other.legal_actions_mask() == view.legal_actions_mask()).all()
                assert other.resample(world).to_json() == view.resample(world).to_json()
    assert different > 0


def test_no_attribute_of_a_view_leads_to_the_position() -> None:
    state = caesar.load_game("kuhn-poker").new_initial_state()
    state.play_chance()
    view = state.view(0)
    assert not [one for one in gc.get_referents(view) if isinstance(one, caesar.State)]
    shown = [getattr(view, name) for name in dir(view) if not callable(getattr(view, name))]
    assert not [one for one in shown if isinstance(one, caesar.State)]


@pytest.mark.parametrize("name", ALL)
def test_a_view_of_a_pickle_is_the_same_view(name: str) -> None:
    game = caesar.load_game(name)
    for state in some(game, 6)[:: LOOKED_AT // 8]:
        for seat in range(game.num_players()):
            view = state.view(seat)
            again = pickle.loads(pickle.dumps(view))
            assert again == view and again.seed == view.seed and again.get_game() == game
            assert again.legal_actions() == view.legal_actions()
            assert (again.observation_tensor() == view.observation_tensor()).all()
            assert again.resample(5).to_json() == view.resample(5).to_json()
            assert pickle.dumps(again) == pickle.dumps(view)


def test_the_choice_of_another_seat_is_in_no_pickle_of_a_view() -> None:
    game = caesar.load_game("goofspiel", players=3)
    state = game.new_initial_state()
    state.play_chance()
    others = [copy.copy(state) for _ in range(2)]
    for bid, other in enumerate(others):
        other.apply_action(other.legal_actions(0)[bid], 0)
    assert pickle.dumps(others[0].view(1)) == pickle.dumps(others[1].view(1))
    # One's own choice is known, and comes back.
    assert pickle.dumps(others[0].view(0)) != pickle.dumps(others[1].view(0))
    own = pickle.loads(pickle.dumps(others[0].view(0)))
    assert own.resample(1).next_player() == 1


def test_a_pickle_of_a_view_that_was_cut_or_changed_is_refused() -> None:
    state = caesar.load_game("kuhn-poker").new_initial_state()
    state.play_chance()
    reduced = state.view(0).__reduce__()
    assert isinstance(reduced, tuple)
    read, (text,) = reduced
    assert read(text) == state.view(0)
    for cut in range(0, len(text), 7):
        with pytest.raises(caesar.Error, match="cut short"):
            read(text[:cut])
    for old, new in [('"player":0', '"player":1'), ('"stage":"Opening"', '"stage":"Passed"')]:
        assert old in text
        with pytest.raises(caesar.Error, match="was changed"):
            read(text.replace(old, new))
    with pytest.raises(caesar.Error, match="of caesar 0.0.9 .* and this is caesar"):
        read(text.replace(f'"version":"{caesar.__version__}"', '"version":"0.0.9"'))
    with pytest.raises(caesar.Error, match="caesar-state/1.* and this is"):
        read(state.serialize())


def test_a_resampled_position_goes_on_from_a_pickle() -> None:
    state = caesar.load_game("kuhn-poker").new_initial_state()
    state.play_chance()
    for rng in (7, random.Random(7), np.random.default_rng(7)):
        drawn = state.view(0).resample(rng)
        drawn.apply_action(drawn.legal_actions()[0])
        for again in (copy.deepcopy(drawn), pickle.loads(pickle.dumps(drawn))):
            assert again.to_json() == drawn.to_json() and again.history() == drawn.history()
            assert again.move_number() == drawn.move_number()
            again.apply_action(again.legal_actions()[0])
            assert again.move_number() == drawn.move_number() + 1
    text = drawn.serialize()
    with pytest.raises(caesar.Error, match="was changed"):
        drawn.get_game().deserialize_state(text.replace('"Opening"', '"Passed"'))


def test_threads_give_equal_results() -> None:
    game = caesar.load_game("conquest2")

    def play(seed: int) -> list[str]:
        return [state.to_json() for state in some(game, seed, 60)]

    with ThreadPoolExecutor(8) as pool:
        for seed, played in enumerate(pool.map(play, range(8))):
            assert played == play(seed)


def test_vectors_are_states_in_step() -> None:
    game = caesar.load_game("goofspiel")
    vectors = [caesar.VectorEnv(game, 6, seed=9, threads=threads) for threads in (1, 4)]
    ended = 0
    for _ in range(60):
        actions = vectors[0].sample()
        assert (actions == vectors[1].sample()).all()
        for vector in vectors:
            vector.step(actions)
        one, other = vectors
        for name in ("observations", "masks", "rewards", "players", "dones"):
            assert (getattr(one, name) == getattr(other, name)).all()
        assert one.masks.any(axis=1).all()
        assert one.rewards.sum(axis=1) == pytest.approx(one.dones.astype(float))
        ended += one.dones.sum()
    assert ended > 3
    before = vectors[0].observations.copy()
    with pytest.raises(caesar.Error, match="row 0: action 999"):
        vectors[0].step(np.full(6, 999))
    assert (vectors[0].observations == before).all()


def test_wrong_input_is_refused_and_changes_nothing() -> None:
    kuhn = caesar.load_game("kuhn-poker")
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: caesar.load_game("chess"), "unknown game"),
        (lambda: caesar.load_game("conquest2", players=99), "is for"),
        (lambda: caesar.load_game("conquest2", players=-1), "-1 players"),
        (lambda: caesar.load_game("conquest2", rules={"options.season": 3}), "options.seasons"),
        (lambda: caesar.load_game("conquest2", rules="no-such-file.toml"), "no-such-file.toml"),
        (lambda: kuhn.agent("gredy"), "nearest: greedy"),
        (lambda: kuhn.action_to_string(5, 0), "player 5"),
        (lambda: kuhn.action_to_string(0, 99), "action 99"),
        (lambda: kuhn.deserialize_state("{"), "cut short"),
        (lambda: kuhn.new_initial_state(-1), "seed -1: seeds are 0 to"),
        (lambda: kuhn.agent("greedy", seed=2**64), "seed 18446744073709551616: seeds"),
        (lambda: caesar.VectorEnv("conquest2", 10**9), "1000000000 games .*accepted: 1 to 1048576"),
        (lambda: caesar.VectorEnv("pig", 1, threads=10**9), "1000000000 threads"),
    ]
    for wrong, why in refusals:
        with pytest.raises(caesar.Error, match=why):
            wrong()
    words: Any = 3
    for mistyped in (caesar.load_game, partial(caesar.load_game, "pig", None), kuhn.agent):
        with pytest.raises(TypeError):
            mistyped(words)

    state = kuhn.new_initial_state()
    text = state.serialize()
    for number in (999, -1, 2**40):
        with pytest.raises(caesar.Error, match="impossible|no action"):
            state.apply_action(number)
    with pytest.raises(TypeError):
        state.apply_action(cast(Any, "pass"))
    assert state.serialize() == text
    state.play_chance()
    for number in (999, -1, 2**40):
        with pytest.raises(caesar.Error, match=f"action {number}"):
            state.apply_action(number)
    with pytest.raises(caesar.Error, match="no simultaneous"):
        state.apply_actions([0, 0])
    with pytest.raises(caesar.Error, match="no chance event"):
        state.sample_chance()
    with pytest.raises(caesar.Error, match="player 1"):
        state.apply_action(0, 1)
    with pytest.raises(caesar.Error, match="another game"):
        caesar.load_game("pig").agent("greedy").choose(state.view())
    with pytest.raises(caesar.Error, match="another game"):
        caesar.load_game("pig").deserialize_state(state.serialize())
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.legal_actions() == []
    with pytest.raises(caesar.Error, match="over"):
        state.apply_action(0)

    state = caesar.load_game("goofspiel").new_initial_state()
    state.play_chance()
    with pytest.raises(caesar.Error, match="1 actions for"):
        state.apply_actions([0])
    text = state.serialize()
    with pytest.raises(caesar.Error, match="not legal"):
        state.apply_actions([0] + [999] * (state.num_players() - 1))
    with pytest.raises(caesar.Error, match="at once"):
        state.apply_action(0)
    assert state.serialize() == text


def test_another_version_is_refused_with_both() -> None:
    game = caesar.load_game("pig")
    text = json.loads(game.new_initial_state().serialize())
    text["version"] = "9.9.9"
    with pytest.raises(caesar.Error, match=f"9.9.9.*{caesar.__version__}"):
        game.deserialize_state(json.dumps(text))


def test_memory_stays_flat() -> None:
    import resource

    game = caesar.load_game("conquest2")

    def make(n: int) -> int:
        for _ in range(n):
            game.new_initial_state().view(0)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = make(2_000)
    assert make(100_000) - before < 20_000


@pytest.mark.parametrize("name", ["circus", "connect-four", "goofspiel", "hannibal", "imperium", "kuhn-poker", "pig"])
def test_positions_come_back_from_their_documents(name: str) -> None:
    """A position written as a document is read back, with dice of its own; a changed one is refused with its place."""
    game = caesar.load_game(name)
    state = game.new_initial_state(seed=3)
    for step in range(12):
        again = game.state_from_json(state.to_position(), seed=1)
        assert again.to_json() == state.to_json()
        assert again.legal_actions() == state.legal_actions() if not state.is_simultaneous_node() else True
        assert pickle.loads(pickle.dumps(again)).to_position() == state.to_position()
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.play_chance()
        elif state.is_simultaneous_node():
            state.apply_actions([(state.legal_actions(player) or [-1])[step % 2 * -1] for player in range(game.num_players())])
        else:
            state.apply_action(state.legal_actions()[-1])
    with pytest.raises(caesar.Error, match="the position is of"):
        caesar.load_game("tic-tac-toe").state_from_json(state.to_position())
    document = json.loads(state.to_position())
    document["state"]["foreign"] = 1
    with pytest.raises(caesar.Error, match="foreign: there is no such part"):
        game.state_from_json(json.dumps(document))
