"""Notation that is read by what is written: the text of one of the legal actions, in letters of any case and with any spaces."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from services.games.refusals import Illegal

A = TypeVar("A")


def find(text: str, actions: Sequence[A], write: Callable[[A], str], rule: str) -> A:
    """Return the action that is written so. Raises Illegal where no legal one is."""
    wanted = _plain(text)
    for action in actions:
        if _plain(write(action)) == wanted:
            return action
    raise Illegal("no action that is allowed here is written like this", rule=rule)


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
