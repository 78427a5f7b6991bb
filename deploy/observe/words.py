"""The names of series on dashboards, and their colours: a game, a service or an outcome has the same everywhere.

Colours are names of Grafana's palette. Red is for what is wrong, and for bounds.
"""

from collections.abc import Mapping

BOUND = "red"

COLOURS: Mapping[str, Mapping[str, str]] = {
    "game": {"einstein": "blue", "emperado": "orange", "plateau": "green", "wec": "purple"},
    "service": {
        "gateway": "blue",
        "session": "orange",
        "rules": "green",
        "ai": "purple",
        "worker": "yellow",
        "players": "super-light-blue",
        "statistics": "super-light-purple",
    },
    "store": {"sessions": "orange", "broker": "purple"},
    "cache": {"sessions": "orange", "histories": "light-orange", "positions": "green"},
    "class": {
        "person": "blue",
        "hint": "light-blue",
        "watcher": "orange",
        "nobody": "light-purple",
        "background": "super-light-purple",
    },
    "seat_kind": {"person": "blue", "computer": "purple"},
    "outcome": {
        "played": "green",
        "reviewed": "light-green",
        "noted": "blue",
        "withdrawn": "purple",
        "late": "orange",
        "gone": "light-orange",
        "returned": "yellow",
        "full": "dark-orange",
        "odd": "light-red",
        "refused": "semi-dark-red",
        "unplayable": "dark-red",
        "unreachable": "super-light-red",
        "failed": "red",
        "done": "blue",
        "impossible": "orange",
        "bound": "purple",
        "game": "light-purple",
        "unfollowed": "dark-orange",
        "hit": "green",
        "miss": "orange",
    },
}
"""By the label and its value. A value that is not here, like a game that somebody else wrote, gets one of Grafana's own."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "class": {
        "person": "a person whose game goes on",
        "hint": "a person who asked for a hint",
        "watcher": "people who watch",
        "nobody": "nobody: computers among themselves",
        "background": "nobody: analyses in the background",
    },
    "seat_kind": {"person": "people", "computer": "computers"},
    "outcome": {
        "noted": "accepted",
        "played": "played",
        "reviewed": "analysed",
        "withdrawn": "no longer asked for",
        "late": "too late: the position had changed",
        "gone": "no longer asked for when it came",
        "returned": "given back by a worker",
        "full": "no room for more",
        "odd": "not possible for this worker",
        "unplayable": "not possible for any worker",
        "refused": "refused by the session",
        "unreachable": "AI service not reached",
        "failed": "failed",
        "counted": "counted",
        "done": "ended: done",
        "impossible": "ended: no longer possible",
        "bound": "ended: as long as it may last",
        "game": "ended with the game, or as it went back",
        "unfollowed": "not answered by the rules service",
    },
    "kind": {
        "new": "new",
        "resumed": "taken up again by the client",
        "moved": "taken up again by the gateway",
        "tail": "taken up again after a session process",
        "claimed": "claimed from a process that was gone",
        "received": "received from one that left or shared",
        "handed_over": "handed over",
        "lost": "lost: no sign of life could be given",
    },
}
"""The meaning of a label's values to somebody who does not know the sources."""
