"""Agents written in Python, and how a run is given them."""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from caesar import _native
from caesar._native import Bot, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    # Observations, masks of legal actions and seats, a row a leaf, to values and logits (or None).
    Evaluator = Callable[[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]], tuple[Any, Any]]


class Agent:
    """An agent written in Python. Each game has one of its own."""

    def start(self, player: int) -> None:
        """Prepare for a game as this player."""

    def choose(self, view: View) -> int:
        """Return one of `view.legal_actions()`. `view.seed` is a number for random choices."""
        raise NotImplementedError

    def end(self) -> None:
        """End the game that was started."""


class Fault:
    """An exception of an agent, which lost the game by it."""

    def __init__(self, agent: str, text: str) -> None:
        self.agent = agent
        self.traceback = text

    def __repr__(self) -> str:
        return f"<caesar.Fault of {self.agent}: {self.traceback.strip().splitlines()[-1]}>"


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Note every Ctrl-C, also one that an agent catches."""
    noted: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield noted
        return
    handler: Callable[[int, FrameType | None], Any] = before

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, handler)


class _Called:
    """Something that a run calls, whose exceptions are kept."""

    def __init__(self, name: str, faults: list[Fault], interrupts: list[int]) -> None:
        self._name, self._faults, self._interrupts = name, faults, interrupts

    @contextlib.contextmanager
    def _kept(self, is_told: bool = True) -> Iterator[None]:
        try:
            yield
        except Exception:
            if is_told and not self._interrupts:
                # Not at the top: few runs need it, and the command starts sooner without.
                import traceback

                self._faults.append(Fault(self._name, traceback.format_exc()))
            raise
        finally:
            if self._interrupts:
                raise KeyboardInterrupt


class _Leaves(_Called):
    """An evaluator of a search."""

    def __init__(self, evaluator: Evaluator, name: str, faults: list[Fault], interrupts: list[int]) -> None:
        super().__init__(name, faults, interrupts)
        self._evaluator = evaluator

    def __call__(self, *rows: Any) -> tuple[Any, Any]:
        # Where a call of several rows fails, each is asked about alone.
        with self._kept(is_told=len(rows[0]) == 1):
            return self._evaluator(*rows)


class _Seat(_Called):
    """An agent in one game."""

    def __init__(self, make: Callable[[], Any], name: str, faults: list[Fault], interrupts: list[int]) -> None:
        super().__init__(name, faults, interrupts)
        with self._kept():
            self._agent = make()

    def start(self, player: int) -> None:
        with self._kept():
            if hasattr(self._agent, "start"):
                self._agent.start(player)

    def choose(self, view: View) -> int:
        with self._kept():
            chosen: int = self._agent.choose(view)
            if chosen not in view.legal_actions():
                raise _native.Error(f"illegal action {chosen!r}")
            return chosen

    def end(self) -> None:
        with self._kept():
            if hasattr(self._agent, "end"):
                self._agent.end()


def maker(agent: Any) -> Callable[[], Any]:
    """Return a function that makes an agent for a game."""
    if not callable(getattr(agent, "choose", None)) or agent is Bot:
        raise TypeError(f"{agent!r} is no agent: a spec, or a class or an object with choose(view)")
    if getattr(agent, "cheats", False):
        raise _native.Error(f"{agent!r} cheats: agents written in Python see what their seat may see")
    if isinstance(agent, type):
        return agent
    return lambda: copy.deepcopy(agent)


@contextlib.contextmanager
def named(agents: Sequence[Any], seconds: float, faults: list[Fault]) -> Iterator[list[str]]:
    """Give each agent a spec, by which the command finds it until this ends."""
    embedded: list[str] = []
    evaluators: list[str] = []
    specs: list[str] = []
    with contextlib.ExitStack() as after:
        interrupts = after.enter_context(_interrupts())
        for place, agent in enumerate(agents):
            if isinstance(agent, Bot) and agent.evaluator is not None:
                label, found, _ = agent.spec.partition("(")[0].partition("=")
                leaves = _Leaves(agent.evaluator, label if found else agent.spec, faults, interrupts)
                mark = f"#{place + 1}" if evaluators else ""
                name, spec = _native.embed_evaluator(agent, mark, leaves)
                after.callback(_native.withdraw_evaluator, name)
                evaluators.append(name)
                specs.append(spec)
                continue
            if isinstance(agent, (str, Bot)):
                specs.append(agent if isinstance(agent, str) else agent.spec)
                continue
            make = maker(agent)
            kind = agent if isinstance(agent, type) else type(agent)
            label = re.sub(r"[^A-Za-z0-9]", "", kind.__name__).lstrip("0123456789")[:24] or "agent"
            name = f"python:{kind.__module__}.{kind.__qualname__}"
            if name in embedded:
                label, name = f"{label[:20]}-{place + 1}", f"{name}#{place + 1}"
            _native.embed(name, functools.partial(_Seat, make, label, faults, interrupts))
            after.callback(_native.withdraw, name)
            embedded.append(name)
            specs.append(f'{label}=external(command="{name}", seconds={seconds:g})')
        yield specs
