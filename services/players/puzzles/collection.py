"""The puzzles that come with each game: `puzzles.bin` beside its rules, made by `python -m services.ai.puzzles`."""

import hashlib
import json
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from brettwerk.internal.v1 import puzzles_made_pb2
from services.players.game_data import folder, read

ID_LENGTH = 20


@cache
def shipped(game: str) -> Mapping[str, puzzles_made_pb2.MadePuzzle]:
    """Return the puzzles of a game by their ids, for the rules as they are now; none where none come with it.

    Raises KeyError for a game that there is not.
    """

    def parse(path: Path) -> Mapping[str, puzzles_made_pb2.MadePuzzle]:
        made = puzzles_made_pb2.MadePuzzles.FromString(zlib.decompress(path.read_bytes())).puzzles
        return MappingProxyType({id_of(one): one for one in made if one.rules_version in rules_versions(game)})

    return read(game, "puzzles.bin", parse, MappingProxyType({}))


@cache
def rules_versions(game: str) -> frozenset[str]:
    """Return the revisions of a game's rules whose positions are played on. Raises KeyError for a game that there is not."""
    facts = json.loads((folder(game) / "facts.json").read_text("utf-8"))
    return frozenset((facts["rules_version"], *facts.get("also_plays", ())))


def id_of(puzzle: puzzles_made_pb2.MadePuzzle) -> str:
    """Return the id of a puzzle: the same for the same position seen by the same seat."""
    return hashlib.sha256(f"{puzzle.game} ".encode() + puzzle.view.value).hexdigest()[:ID_LENGTH]
