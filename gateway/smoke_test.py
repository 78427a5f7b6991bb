"""Plays one game against the computer through the gRPC endpoint: `python -m gateway.smoke_test HOST:PORT [AUTHORITY_FILE]`.

It shows that a whole deployment works: gateway, session, rules, AI service, worker and Redis. Exits with 0 if the game has ended.
"""

import contextlib
import random
import sys
import time
import uuid
from collections.abc import Generator, Sequence
from pathlib import Path

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc, record_pb2, sessions_pb2

GAME = "einstein"
TIMEOUT_S = 120.0
"""How long it waits for the deployment, and how long the game may take."""


def main(arguments: Sequence[str]) -> int:
    """Play and return the exit code."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    address, *authority = arguments
    if authority:
        credentials = grpc.ssl_channel_credentials(Path(authority[0]).read_bytes())
        opened = grpc.secure_channel(address, credentials)
    else:
        opened = grpc.insecure_channel(address)
    began = time.monotonic()
    with opened as channel:
        try:
            plies, rule = play(channel)
        except grpc.RpcError as error:
            print(f"the game could not be played to its end: {error}", file=sys.stderr)
            return 1
    print(f"played {GAME} to its end ({rule}): {plies} plies in {time.monotonic() - began:.1f} s")
    return 0


def play(channel: grpc.Channel) -> tuple[int, str]:
    """Play a game at random; return its number of plies and the rule by which it ended. Raises grpc.RpcError."""
    server = play_pb2_grpc.PlayServiceStub(channel)
    wanted = play_pb2.CreatePlayerRequest(name="Trial", request_id=uuid.uuid4().hex)
    player = server.CreatePlayer(wanted, timeout=TIMEOUT_S, wait_for_ready=True)
    token = (("authorization", f"Bearer {player.player_token}"),)
    seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(computer=record_pb2.Computer(level="easy"))]
    request = play_pb2.CreateSessionRequest(game=GAME, seats=seats, request_id=uuid.uuid4().hex)
    created = _created(server, request, token)
    session, grant = created.session.id, created.grants[0]
    watch = play_pb2.WatchRequest(session_id=session, seat_token=grant.seat_token)
    plies = 0
    with contextlib.closing(_updates(server, watch, token)) as updates:
        for update in updates:
            plies = max(plies, update.happening.ply)
            if update.session.HasField("outcome"):
                return plies, update.session.outcome.rule
            if update.actions:
                act = play_pb2.ActRequest(session_id=session, seat_token=grant.seat_token, expected_version=update.version)
                act.action.CopyFrom(random.choice(update.actions).action)  # noqa: S311 - a game, not a secret
                act.request_id = uuid.uuid4().hex
                with contextlib.suppress(_Stale):
                    _act(server, act, token)
    raise AssertionError("a watch ends by an error or with the game")


def _created(
    server: "play_pb2_grpc.PlayServiceStub", request: play_pb2.CreateSessionRequest, token: tuple[tuple[str, str]]
) -> play_pb2.CreateSessionResponse:
    """Return the session, retrying while the deployment is still starting. Raises grpc.RpcError."""
    until = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return server.CreateSession(request, metadata=token, timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE or time.monotonic() > until:
                raise
            time.sleep(1)


class _Stale(Exception):
    """The position has changed meanwhile; the next update shows it."""


def _act(server: "play_pb2_grpc.PlayServiceStub", act: play_pb2.ActRequest, token: tuple[tuple[str, str]]) -> None:
    try:
        server.Act(act, metadata=token, timeout=TIMEOUT_S)
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.ABORTED:
            raise _Stale from None
        raise


def _updates(
    server: "play_pb2_grpc.PlayServiceStub", watch: play_pb2.WatchRequest, token: tuple[tuple[str, str]]
) -> Generator[sessions_pb2.Update, None, None]:
    """Yield the updates of a seat."""
    messages = server.Watch(watch, metadata=token, timeout=TIMEOUT_S)
    try:
        for message in messages:
            if message.WhichOneof("kind") != "heartbeat":
                yield message.update if message.HasField("update") else message.resync.update
    finally:
        messages.cancel()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
