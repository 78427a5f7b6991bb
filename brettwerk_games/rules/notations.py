"""The common parts of reading notations in all games: texts that are too long, and the action that is written so."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from brettwerk_games.rules.refusals import Illegal, Malformed

A = TypeVar("A")

QUOTED = 40
"""Characters of a text that a refusal repeats at most."""


def quoted(text: str) -> str:
    """Return the text as a refusal repeats it, shortened where it is long."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def require_short(text: str, longest: int, rule: str) -> None:
    """Raise Malformed with the rule for a text that is too long to be read."""
    if len(text) > longest:
        raise Malformed(f"a notation has at most {longest} characters", rule=rule, details={"text": quoted(text)})


def find_written(text: str, actions: Sequence[A], write: Callable[[A], str], rule: str) -> A:
    """Return the action that is written so, in letters of any case and with any spaces. Raises Illegal where none is."""
    wanted = _plain(text)
    for action in actions:
        if _plain(write(action)) == wanted:
            return action
    raise Illegal("no action that is allowed here is written like this", rule=rule)


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
