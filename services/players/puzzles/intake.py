"""Takes the puzzles that workers have made of finished games; a task of the queue of finished games (intake/app.py)."""

import base64
import binascii
import re
import zlib
from functools import cache

from google.protobuf.message import DecodeError
from sqlalchemy import Connection, update

from brettwerk.internal.v1 import puzzles_made_pb2
from services.archive.access import Access
from services.players.intake.app import app
from services.players.puzzles import days
from services.players.puzzles.tables import PUZZLE_GAMES
from services.players.store import open_store
from services.runtime.logs import logger
from services.runtime.settings import settings
from services.runtime.wall_clock import wall_ms

PUZZLES_MADE = "puzzles_made"
"""The task."""
MAX_BYTES = 1024 * 1024
log = logger(__name__)
_SESSION_ID = re.compile(r"[0-9a-f]{2}[a-z2-7]{22}", re.ASCII)


@app.task(name=PUZZLES_MADE)
def take_puzzles(session_id: str, packed: str) -> None:
    """Keep the puzzles of a game; `packed`: an encoded MadePuzzles, packed and in base 64. An invalid one is logged and left."""
    if not isinstance(session_id, str) or not _SESSION_ID.fullmatch(session_id):
        log.warning("no session in a message of puzzles")
        return
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(packed, validate=True), MAX_BYTES)
        made = puzzles_made_pb2.MadePuzzles.FromString(data)
    except (binascii.Error, zlib.error, DecodeError, TypeError, ValueError):
        log.warning("no puzzles in a message of puzzles", session=session_id)
        return
    take(_store(), session_id, made)


def take(store: Access, session_id: str, made: puzzles_made_pb2.MadePuzzles) -> int:
    """Keep the puzzles of a game that workers were given; return how many are new. A repeat changes nothing."""

    def write(connection: Connection) -> int:
        asked = update(PUZZLE_GAMES).where(PUZZLE_GAMES.c.session_id == session_id, PUZZLE_GAMES.c.found.is_(None))
        row = connection.execute(asked.values(found=len(made.puzzles)).returning(PUZZLE_GAMES.c.game)).first()
        if row is None:
            return 0
        fitting = [one for one in made.puzzles if one.game == row.game and one.source.session_id == session_id]
        return days.add(connection, fitting, wall_ms())

    return store.run_here(write)


@cache
def _store() -> Access:
    return open_store(settings().players_database_url)
