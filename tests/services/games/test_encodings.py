"""Encoded values of random games, kept when they were first made: their bytes never change.

`encodings.json` has them in hex by game and kind. Records and saved games hold such bytes, and hashes of them.
"""

import json
from pathlib import Path

import pytest

from services.games.interface import Kind
from services.games.registry import games

KEPT: dict[str, dict[str, list[str]]] = json.loads((Path(__file__).parent / "encodings.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("game_id", KEPT)
def test_bytes_that_were_written_once_are_written_again(game_id: str, kind: Kind) -> None:
    codec = games()[game_id].codec
    for kept in map(bytes.fromhex, KEPT[game_id][kind.value]):
        assert codec.encode(kind, codec.decode(kind, kept)) == kept
