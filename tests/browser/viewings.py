"""Finished games, and viewings of them, for pages to look at."""

import contextlib
from collections.abc import Iterator

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


def say(client: Client, address: str, text: str) -> None:
    """Say something in a viewing."""
    _, _, session_id, viewing_id = address.split("/")
    request = viewings_pb2.SayInViewingRequest(session_id=session_id, viewing_id=viewing_id, text=text)
    client.call(client.service.SayInViewing, request)


@contextlib.contextmanager
def shown(client: Client, session_id: str, server: str) -> Iterator[str]:
    """Start a viewing with marks and talk, and somebody else in it; yields its address."""
    view = client.spectator(session_id).update().view
    game = client.spectator(session_id).update().session.game
    request = play_pb2.DescribeViewRequest(game=game, view=view)
    places = [place.name for place in client.call(client.service.DescribeView, request).scene.places]
    address = started(client, session_id)
    first, second, third = places[len(places) // 9], places[len(places) // 6], places[len(places) // 4]
    for place, to_place in ((first, second), (third, second), (second, "")):
        change(client, address, added_mark=viewings_pb2.ViewingMark(place=place, to_place=to_place))
    with Client(server, name="Ben") as ben:
        say(ben, address, "Why not from the other side?")
        say(client, address, "Because this one was stronger then")
        watch = play_pb2.WatchRequest(session_id=session_id, viewing_id=address.split("/")[3], show_name=True)
        stream = ben.service.Watch(watch, metadata=ben.metadata())
        next(iter(stream))
        yield address
        stream.cancel()
