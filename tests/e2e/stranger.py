"""A stranger's client: nothing but the contract and grpcio."""

import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc, record_pb2, sessions_pb2

OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
RUNNING = sessions_pb2.Session.STATE_RUNNING
FEWEST_MOVES = 2
"""So many moves a seat of EinStein makes at least: the fastest stone is home with its winner's third move."""
T = TypeVar("T")


def new_id() -> str:
    return secrets.token_hex(8)


def computer(level: str = "easy") -> play_pb2.SeatWish:
    return play_pb2.SeatWish(computer=record_pb2.Computer(level=level))


def me() -> play_pb2.SeatWish:
    return play_pb2.SeatWish(me=True)


def nobody() -> play_pb2.SeatWish:
    return play_pb2.SeatWish(open=True)


def taken(ask: Callable[[], T]) -> T:
    """Return the answer to a request that is made again as long as it is one of too many (TOO_MANY_REQUESTS)."""
    while True:
        try:
            return ask()
        except grpc.RpcError as error:
            if not (error.details() or "").startswith("too many requests"):
                raise
            time.sleep(0.05)


class Stranger:
    """A player with a name, a token and a gRPC stub."""

    def __init__(self, address: str, name: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self.stub = play_pb2_grpc.PlayServiceStub(self.channel)
        created = self.stub.CreatePlayer(play_pb2.CreatePlayerRequest(name=name, request_id=new_id()), timeout=20)
        self.player_id = created.player_id
        self.token = created.player_token
        self.metadata = (("authorization", f"Bearer {created.player_token}"),)

    def close(self) -> None:
        self.channel.close()

    def create(self, *seats: play_pb2.SeatWish, **fields) -> tuple[sessions_pb2.Session, dict[int, str]]:
        request = play_pb2.CreateSessionRequest(game="einstein", seats=seats, request_id=new_id(), **fields)
        response = self.stub.CreateSession(request, metadata=self.metadata, timeout=20)
        return response.session, {grant.seat: grant.seat_token for grant in response.grants}

    def join(self, session_id: str, seat: int = -1) -> play_pb2.SeatGrant:
        request = play_pb2.JoinSessionRequest(session_id=session_id, seat=seat, request_id=new_id())
        return self.stub.JoinSession(request, metadata=self.metadata, timeout=20).grant

    def look(self, session_id: str, seat_token: str = "") -> sessions_pb2.Update:
        request = play_pb2.GetSessionRequest(session_id=session_id, seat_token=seat_token)
        return taken(lambda: self.stub.GetSession(request, metadata=self.metadata, timeout=20)).update

    def act(self, update: sessions_pb2.Update, seat_token: str, choice: int = 0, request_id: str = "") -> play_pb2.ActResponse:
        request = play_pb2.ActRequest(
            session_id=update.session_id,
            seat_token=seat_token,
            expected_version=update.version,
            action=update.actions[choice].action,
            request_id=request_id or new_id(),
        )
        return taken(lambda: self.stub.Act(request, metadata=self.metadata, timeout=20, wait_for_ready=True))

    def watch(self, session_id: str, seat_token: str = "", after_version: int = 0, timeout: float = 120):
        request = play_pb2.WatchRequest(session_id=session_id, seat_token=seat_token, after_version=after_version)
        return self.stub.Watch(request, metadata=self.metadata, timeout=timeout, wait_for_ready=True)

    def updates(self, session_id: str, seat_token: str = "", after_version: int = 0) -> Iterator[sessions_pb2.Update]:
        """Yield updates until the game is over."""
        for message in self.watch(session_id, seat_token, after_version):
            kind = message.WhichOneof("kind")
            if kind == "heartbeat":
                continue
            update = message.update if kind == "update" else message.resync.update
            yield update
            if update.session.state in OVER:
                return

    def play(self, session_id: str, seat_token: str, dice: random.Random | None = None) -> sessions_pb2.Update:
        """Play a seat to the end; returns the last update."""
        dice = dice or random.Random(1)
        for update in self.updates(session_id, seat_token):
            if update.session.state in OVER:
                return update
            if update.actions:
                self.act(update, seat_token, dice.randrange(len(update.actions)))
        raise AssertionError("the watch ended before the game")

    def record(self, session_id: str) -> record_pb2.Record:
        request = play_pb2.ExportSessionRequest(session_id=session_id)
        return self.stub.ExportSession(request, metadata=self.metadata, timeout=20).record


def in_background(work: Callable[[], object]) -> threading.Thread:
    """Run `work` in a thread; join it to have its failure raised here."""

    class Raising(threading.Thread):
        failure: BaseException | None = None

        def run(self) -> None:
            try:
                work()
            except BaseException as failure:  # noqa: BLE001 - raised again in join
                self.failure = failure

        def join(self, timeout: float | None = None) -> None:
            super().join(timeout)
            if self.failure is not None:
                raise self.failure
            assert not self.is_alive(), "it is still running"

    thread = Raising(daemon=True)
    thread.start()
    return thread


def play_plies(session_id: str, seated: Sequence[tuple[Stranger, str]], plies: int) -> None:
    """Make so many moves at a table of EinStein, each by the player who is to move; players are given with their seats' tokens.

    No stone goes diagonally, so none is home before the eleventh. (Who moves first, and from which corner, is drawn.)
    """
    for _ in range(plies):
        for one, token in seated:
            update = one.look(session_id, token)
            if update.actions:
                one.act(
                    update,
                    token,
                    choice=next(i for i, each in enumerate(update.actions) if set.intersection(*map(set, each.places))),
                )
                break


def eventually(condition: Callable[[], bool], within_s: float, every_s: float = 0.1) -> None:
    """Return when the condition holds; fail after `within_s`."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"it did not come true within {within_s} s"
        time.sleep(every_s)
