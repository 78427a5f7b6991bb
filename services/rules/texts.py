"""Sentences of a game as messages."""

from collections.abc import Iterable

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import Text


def put(sentence: Text, into: games_pb2.Text) -> None:
    """Set a message to a sentence."""
    put_parts(sentence.key, sentence.args.items(), into)


def put_parts(key: str, args: Iterable[tuple[str, str]], into: games_pb2.Text) -> None:
    """Set a message to a sentence, given as its key and what stands in for its {names}."""
    into.key = key
    for name, value in args:
        into.args[name] = value


def text(sentence: Text) -> games_pb2.Text:
    """Return a sentence as a message."""
    return games_pb2.Text(key=sentence.key, args=sentence.args)


def key(name: str) -> games_pb2.Text:
    """Return the sentence of a key that takes no arguments."""
    return games_pb2.Text(key=name)
