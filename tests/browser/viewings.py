"""Finished games, and viewings of them, for pages to look at."""

from brettwerk.v1 import play_pb2, viewings_pb2
from brettwerk_client import Client, computer, me


def finished(client: Client, game: str, actions: int, seats: int = 2) -> str:
    """Play some actions of one's own against computers, and close the game; returns the session."""
    seat = client.create_session(game, [me(), *[computer("easy")] * (seats - 1)]).seat
    done = 0
    for update in seat.watch():
        if not update.actions:
            continue
        if done >= actions:
            break
        seat.act(update, update.actions[0])
        done += 1
    client.call(client.service.CloseSession, play_pb2.CloseSessionRequest(session_id=seat.session_id))
    return seat.session_id


def started(client: Client, session_id: str, version: int = 0) -> str:
    """Start a viewing; returns its address."""
    request = viewings_pb2.StartViewingRequest(session_id=session_id, version=version)
    return f"/s/{session_id}/{client.call(client.service.StartViewing, request).viewing.id}"


def change(client: Client, address: str, **changes: object) -> None:
    """Change a viewing."""
    _, _, session_id, viewing_id = address.split("/")
    request = viewings_pb2.ChangeViewingRequest(session_id=session_id, viewing_id=viewing_id, **changes)  # type: ignore[arg-type]
    client.call(client.service.ChangeViewing, request)
