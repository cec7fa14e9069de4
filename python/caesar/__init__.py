"""Games, agents and statistics of Caesar. The names are those of OpenSpiel where it has one."""

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
from caesar._runs import Run, check, compare, fit, ladder, leaks, tournament, tune
from caesar._tables import Report, Table

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
    "tournament",
    "tune",
]
