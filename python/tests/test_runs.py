"""Agents, and runs of the command."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from conftest import frames

import caesar


class First(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        return view.legal_actions()[0]


class Raises(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        raise RuntimeError("no idea")


class Illegal(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        return 10**6


class Slow(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        time.sleep(0.05)
        return view.legal_actions()[0]


class Random(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        legal = view.legal_actions()
        return legal[view.seed % len(legal)]


def command(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "caesar", *args], capture_output=True, text=True, **options)


def test_the_same_seed_writes_the_same_files_as_the_command(tmp_path: Path) -> None:
    agents, files = ["greedy", "random", "mcts(iterations=20)"], ["games.csv", "summary.json", "manifest.json", "records.jsonl"]
    here, there = tmp_path / "here", tmp_path / "there"
    t = caesar.tournament(agents, "goofspiel", players=3, blocks=8, seed=5, out=here, records=here / "records.jsonl")
    words = [f"--agent={agent}" for agent in agents]
    options = ["--game=goofspiel", "--players=3", "--blocks=8", "--seed=5"]
    ended = command("tournament", *words, *options, f"--out={there}", f"--records={there / 'records.jsonl'}")
    assert ended.returncode == 0, ended.stderr
    for name in files:
        assert (here / name).read_bytes() == (there / name).read_bytes(), name
    # The last line is the speed.
    assert t.text.splitlines()[:-1] == ended.stdout.splitlines()[:-1]
    assert len(t.games) == t.summary["games"]
    assert set(t.standings["spec"]) == set(agents)
    checked = caesar.check(here)
    assert checked.code == 0
    games = (here / "games.csv").read_text().splitlines()
    cells = games[1].split(",")
    cells[games[0].split(",").index("plies")] = "1"
    (here / "games.csv").write_text("\n".join([games[0], ",".join(cells), *games[2:], ""]))
    with pytest.raises(caesar.Error, match="checksum does not fit"):
        caesar.check(here)


def test_agents_of_python_play_and_repeat_themselves_on_any_number_of_threads(tmp_path: Path) -> None:
    runs = []
    for threads in (1, 3):
        out = tmp_path / str(threads)
        t = caesar.tournament(
            [Random, First(), "greedy"], "pig", players=3, blocks=30, seed=2, threads=threads, out=out, records=out / "records.jsonl"
        )
        assert t.code == 0 and not t.faults, t.notes
        runs.append([(out / name).read_bytes() for name in ("games.csv", "summary.json", "records.jsonl")])
    assert runs[0] == runs[1]
    assert t.standings["spec"] and any("Random" in str(row) for row in t.standings.rows())
    assert caesar.check(out).code == 0


@pytest.mark.parametrize(
    "agent, reason", [(Raises, "no idea"), (Illegal, "illegal action 1000000"), (Slow, "no answer within 0.01 s")]
)
def test_a_fault_forfeits_and_the_run_goes_on(agent: type[caesar.Agent], reason: str) -> None:
    t = caesar.tournament([agent, "random"], "pig", blocks=2, seconds=0.01 if agent is Slow else 10)
    assert t.code == 1
    assert len(t.games) == 4
    assert all(reason in forfeit for forfeit in t.games["forfeit"])
    if agent is not Slow:
        assert len(t.faults) == 4 and reason in t.faults[0].traceback


def test_what_is_no_agent_is_refused() -> None:
    class Cheats(First):
        cheats = True

    with pytest.raises(TypeError, match="is no agent"):
        caesar.tournament([3, "random"], "pig", blocks=1)
    with pytest.raises(caesar.Error, match="cheats"):
        caesar.tournament([Cheats, "random"], "pig", blocks=1)
    with pytest.raises(caesar.Error, match="gredy"):
        caesar.tournament(["gredy"], "pig", blocks=1)
    with pytest.raises(caesar.Error, match="--blokcs"):
        caesar.tournament(["greedy"], "pig", blokcs=1)


def test_comparisons_have_their_summary() -> None:
    c = caesar.compare([First, "random"], "tic-tac-toe", fixed=40)
    assert c.summary and "trace" in c.tables and c.text


def test_agents_of_python_are_tested_for_leaks() -> None:
    assert caesar.leaks(Random, "kuhn-poker", positions=10).code == 0


def test_studies_of_balance_have_their_tables() -> None:
    study = caesar.balance.seats("pig", players=2, quick=True)
    assert study.summary and study.tables and "seat" in study.text
    with pytest.raises(caesar.Error, match="no table 'standings'"):
        _ = study.standings


def test_searches_report_and_stand_alone() -> None:
    game = caesar.load_game("connect-four")
    state = game.new_initial_state()
    for action in (3, 3, 2, 4):
        state.apply_action(action)
    bot = game.agent("mcts(iterations=200)", seed=1)
    report = bot.search(state.view())
    assert report.action in state.legal_actions()
    assert sum(report.visits.values()) == 200 and report.line
    assert report.table["visits"] == list(report.visits.values())
    again = pickle.loads(pickle.dumps(bot)), copy.deepcopy(bot), game.agent("mcts(iterations=200)", seed=1)
    assert all(one.search(state.view()).visits == report.visits for one in again)
    with pytest.raises(caesar.Error, match="does not search"):
        game.agent("greedy").search(state.view())
    kuhn = caesar.load_game("kuhn-poker").new_initial_state()
    kuhn.play_chance()
    with pytest.raises(caesar.Error, match="give it a State"):
        kuhn.get_game().agent("clairvoyant(iterations=20)").choose(kuhn.view())
    assert kuhn.get_game().agent("clairvoyant(iterations=20)").choose(kuhn) in kuhn.legal_actions()


def interrupt_after(seconds: float) -> None:
    # To the process, as a terminal sends it: the main thread gets it, and its sleep ends.
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def test_an_interrupt_keeps_complete_blocks_and_the_next_run_plays_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    interrupt_after(1.5)
    with pytest.raises(KeyboardInterrupt):
        caesar.tournament([Random, "greedy"], "pig", blocks=100_000, out=out)
    kept = len((out / "games.csv").read_text().splitlines()) - 1
    assert 0 < kept < 200_000 and kept % 2 == 0
    assert caesar.tournament(["random", "greedy"], "pig", blocks=3).code == 0


class Endless(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        while True:
            pass


class Sleeps(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        time.sleep(1e6)
        return 0


class Catches(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        try:
            time.sleep(0.01)
        except BaseException:
            pass
        return view.legal_actions()[0]


@pytest.mark.parametrize("agent", [Endless, Sleeps, Catches])
def test_an_interrupt_ends_a_call_of_an_agent(agent: type[caesar.Agent]) -> None:
    before = signal.getsignal(signal.SIGINT)
    interrupt_after(0.5)
    since = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        caesar.tournament([agent, "random"], "pig", blocks=100_000, threads=2)
    assert time.monotonic() - since < 10
    assert signal.getsignal(signal.SIGINT) is before
    assert caesar.tournament(["random", "greedy"], "pig", blocks=3).code == 0


def test_other_threads_get_their_turn_during_a_run() -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.01):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    since = time.monotonic()
    caesar.tournament([Random, First], "pig", blocks=100, threads=2)
    seconds = time.monotonic() - since
    over.set()
    ticking.join()
    assert ticks > 10 * seconds


class Searches(caesar.Agent):
    def choose(self, view: caesar.View) -> int:
        return view.get_game().agent("mcts(iterations=100000000, nodes=1000)").choose(view)


def test_an_interrupt_of_a_search_of_an_agent_ends_the_run() -> None:
    interrupt_after(1)
    with pytest.raises(KeyboardInterrupt):
        caesar.tournament([Searches, "random"], "connect-four", blocks=100, threads=2, seconds=1000)
    assert caesar.tournament(["random", "greedy"], "pig", blocks=3).code == 0


def test_time_in_which_an_agent_waits_for_others_does_not_count() -> None:
    t = caesar.tournament([Slow, "random"], "tic-tac-toe", blocks=8, threads=8, seconds=0.25)
    assert t.code == 0, t.games["forfeit"]


def test_agents_of_runs_play_in_runs_only() -> None:
    class Nests(caesar.Agent):
        def choose(self, view: caesar.View) -> int:
            name = f"python:{__name__}.{Nests.__qualname__}"
            view.get_game().agent(f'external(command="{name}")')
            return 0

    t = caesar.tournament([Nests, "random"], "pig", blocks=1)
    assert "plays in runs only" in t.faults[0].traceback


def test_an_interrupt_ends_a_search() -> None:
    game = caesar.load_game("connect-four")
    interrupt_after(0.5)
    since = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        game.agent("mcts(iterations=100000000, nodes=1000)").search(game.new_initial_state().view())
    assert time.monotonic() - since < 10
    assert game.agent("mcts(iterations=50)").search(game.new_initial_state().view()).iterations == 50


def test_the_command_of_the_package_is_the_command() -> None:
    assert command("games").returncode == 0
    wrong = command("tournament", "--game", "chess")
    assert wrong.returncode == 2 and "unknown game" in wrong.stderr


def test_pandas_reads_tables() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas 3 has no wheel for this Python")
    t = caesar.tournament(["random", "greedy"], "pig", blocks=3)
    frame = pandas.DataFrame.from_arrow(t.games)
    assert list(frame) == list(t.games.columns) and frame["plies"].tolist() == t.games["plies"]
    assert t.games.to_pandas()["plies"].equals(frame["plies"])


def test_tables_go_into_data_frames() -> None:
    t = caesar.tournament(["random", "greedy"], "pig", blocks=3)
    frame = t.games.to_polars()
    assert frame.height == 6 and frame["plies"].to_list() == t.games["plies"]
    assert pyarrow.table(t.games)["plies"].to_pylist() == t.games["plies"]
    assert repr(t.standings).splitlines()[0].split()[0] == "spec"


def test_notebooks_show_tables_in_frames_that_fit_their_rows() -> None:
    def height(table: caesar.Table) -> int:
        (pixels,) = re.findall(r"height:min\((\d+)px,", table._repr_html_())
        return int(pixels)

    t = caesar.tournament(["random", "greedy"], "pig", blocks=3)
    (page,) = frames(t.standings._repr_html_())
    assert "<td>greedy</td>" in page and "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert t.standings._repr_mimebundle_()["text/plain"] == repr(t.standings)
    odd = caesar.Table({"<b>": ["</td>", None, "a & b"], "x": [1, 0.25, 4e-9], "yes": [True, False, True]})
    (page,) = frames(odd._repr_html_())
    assert '<th scope="col">&lt;b&gt;</th><th scope="col" class="number">x</th><th scope="col">yes</th>' in page
    assert '<tr><td></td><td class="number">0.2500</td><td>False</td></tr>' in page
    assert '<tr><td>a &amp; b</td><td class="number">4.0e-09</td><td>True</td></tr>' in page
    rows = [height(caesar.Table({"n": range(n)})) for n in (0, 1, 10)]
    assert rows[2] - rows[1] == 9 * (rows[1] - rows[0]) > 0
    (page,) = frames(caesar.Table({"n": range(12_345)})._repr_html_())
    assert "<caption>The first 200 of 12,345 rows</caption>" in page and page.count("<tr>") == 201
    assert frames(caesar.Table({})._repr_html_())


def test_notebooks_show_the_page_of_a_run(tmp_path: Path) -> None:
    runs = [
        caesar.tournament([First, "greedy"], "pig", blocks=3),
        caesar.tournament(["random", "greedy"], "pig", blocks=3, out=tmp_path / "kept"),
        caesar.compare(["greedy", "random"], "pig", fixed=20),
        caesar.balance.seats("pig", quick=True),
    ]
    for run in runs:
        (page,) = frames(run._repr_html_())
        assert "pig" in page and "<svg" in page
        assert run._repr_mimebundle_()["text/plain"] == run.text
    # The files of a run that has no `out` go with it; its copies still have their tables.
    again = pickle.loads(pickle.dumps(runs[0]))
    folder = Path(runs[0]._page[1])
    assert folder.exists() and "<svg" in frames(again._repr_html_())[0]
    del runs, run
    assert not folder.exists() and (tmp_path / "kept").exists()
    assert "<td>greedy</td>" in frames(again._repr_html_())[0]
    assert caesar.check(tmp_path / "kept")._repr_html_() is None


def test_notebooks_show_replays_and_what_a_search_saw(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    caesar.tournament(["random", "greedy"], "connect-four", blocks=2, records=records)
    shown = caesar.show(records, game=2)
    assert shown.text == command("show", str(records), "--game=2").stdout
    (page,) = frames(shown._repr_html_())
    (replay,) = re.findall(r'class="replay-data">(.*?)</script>', page, re.DOTALL)
    assert len(json.loads(replay)["frames"]) > 7
    assert frames(caesar.show(records)._repr_html_())[0].count('class="replay-data"') == 4
    with pytest.raises(caesar.Error, match="99"):
        caesar.show(records, game=99)

    view = caesar.load_game("connect-four").new_initial_state().view()
    report = view.get_game().agent("mcts(iterations=50)", seed=1).search(view)
    assert report.position is view
    picture, table = frames(report._repr_html_())
    assert [picture] == frames(view._repr_html_())
    assert all(f"<td>{option}</td>" in table for option in report.visits)
    assert pickle.loads(pickle.dumps(report))._repr_html_() == report._repr_html_()
