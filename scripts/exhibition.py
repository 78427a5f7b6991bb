"""Plays a game among computers for the first page to show: python -m scripts.exhibition [HOST:PORT] [GAME...].

The first page shows such a game where no public one is being played. It needs a running server, and writes
`clients/web/src/boards/<game>/exhibition.json`: the levels of the seats, and what a spectator saw, picture by picture.
"""

import base64
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from brettwerk.v1 import games_pb2, play_pb2, sessions_pb2
from brettwerk_client import Client, computer

BOARDS = Path(__file__).resolve().parent.parent / "clients" / "web" / "src" / "boards"
LEVELS = {
    "einstein": ("normal", "best"),
    "emperado": ("expert", "easy", "normal"),
    "plateau": ("normal", "strong"),
    "wec": ("strong", "normal"),
}
"""The players: different computers, so that something happens."""
MAX_PICTURES = 100
"""So many are looked at in two minutes; of a longer game some are left out."""


def main(arguments: Sequence[str]) -> None:
    address, *games = arguments or ["127.0.0.1:7800"]
    with Client(address, name="Exhibition") as client:
        for game in client.games():
            if game.id in (games or LEVELS):
                write(game.id, LEVELS[game.id], pictures(client, game))


def pictures(client: Client, game: games_pb2.Game) -> list[sessions_pb2.Update]:
    """Play a game as newcomers begin it; return what is shown of it, from its start to its end."""
    preset = next((each for each in game.presets if each.for_newcomers), games_pb2.Preset())
    request = play_pb2.CreateSessionRequest(game=game.id, seats=[computer(level) for level in LEVELS[game.id]])
    if preset.HasField("start_position"):
        request.start_position.CopyFrom(preset.start_position)
    if preset.HasField("options"):
        request.options.CopyFrom(preset.options)
    session = client.call(client.service.CreateSession, request).session
    watch = play_pb2.WatchRequest(session_id=session.id)
    changes: list[sessions_pb2.Update] = []
    for answer in client.service.Watch(watch, metadata=(("authorization", f"Bearer {client.token}"),)):
        update = answer.update if answer.HasField("update") else answer.resync.update
        if update.HasField("view") and (not changes or update.view != changes[-1].view):
            changes.append(update)
        if update.session.state == sessions_pb2.Session.STATE_FINISHED:
            break
    print(f"{game.id}: {len(changes)} pictures")
    every = -(-len(changes) // MAX_PICTURES)
    return [*changes[:-1:every], changes[-1]]


def write(game: str, levels: Sequence[str], updates: Sequence[sessions_pb2.Update]) -> None:
    views = [base64.b64encode(each.view.value).decode() for each in updates]
    kept = {"levels": levels, "type": updates[0].view.type_url, "views": views}
    (BOARDS / game / "exhibition.json").write_text(json.dumps(kept, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
