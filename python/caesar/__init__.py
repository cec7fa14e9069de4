"""Games, agents and statistics of Caesar. The names are those of OpenSpiel where it has one."""

import importlib
from typing import TYPE_CHECKING

from caesar._name import refuse_another_package

refuse_another_package()

from caesar import balance
from caesar._agents import Agent
from caesar._native import (
    Bot,
    Error,
    Game,
    State,
    VectorEnv,
    View,
    __version__,
    load_game,
    registered_names,
)
from caesar._positions import positions
from caesar._runs import Run, check, compare, fit, ladder, leaks, show, tournament, tune
from caesar._tables import Report, Table

if TYPE_CHECKING:
    from caesar import gymnasium as gymnasium
    from caesar import openspiel as openspiel
    from caesar import pettingzoo as pettingzoo
else:

    def __getattr__(name: str) -> object:
        """Import a module that needs another package, once it is asked for."""
        if name in ("gymnasium", "openspiel", "pettingzoo"):
            return importlib.import_module(f"caesar.{name}")
        raise AttributeError(f"module 'caesar' has no attribute {name!r}")


__all__ = [
    "Agent",
    "Bot",
    "Error",
    "Game",
    "Report",
    "Run",
    "State",
    "Table",
    "VectorEnv",
    "View",
    "__version__",
    "balance",
    "check",
    "compare",
    "fit",
    "ladder",
    "leaks",
    "load_game",
    "positions",
    "registered_names",
    "show",
    "tournament",
    "tune",
]
