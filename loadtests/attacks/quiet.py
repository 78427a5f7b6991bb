"""A quiet player: a move by gRPC and a call to the web endpoint, again and again, and how long each takes to be answered."""

import threading
import time
import uuid
from typing import Any

import grpc
import httpx

from brettwerk.v1 import play_pb2, play_pb2_grpc

THINK_S = 0.05
"""Between two moves."""
MOVE_S = 30.0
"""A move that is not answered by then has failed."""
_METADATA = (("x-forwarded-for", "198.51.100.1"),)


class QuietPlayer:
    """Plays EinStein in a thread.

    `moves` and `web` are the seconds that each move took, and each call through a new connection to the web endpoint; `failures`
    what was answered instead.
    """

    def __init__(self, grpc_address: str, web_address: str) -> None:
        self.moves: list[float] = []
        self.web: list[float] = []
        self.failures: list[str] = []
        self._web_address = web_address
        self._channel = grpc.insecure_channel(grpc_address)
        self._stub: Any = play_pb2_grpc.PlayServiceStub(self._channel)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> "QuietPlayer":
        """Begin to play."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Play no more."""
        self._stopping.set()
        self._thread.join()
        self._channel.close()

    def _play(self) -> None:
        while not self._stopping.is_set():
            try:
                self._play_game()
            except grpc.RpcError as error:
                self.failures.append(str(error.code()))
                self._stopping.wait(1)
            except httpx.HTTPError as error:
                self.failures.append(f"web: {type(error).__name__}")
                self._stopping.wait(1)

    def _play_game(self) -> None:
        asked = play_pb2.CreatePlayerRequest(name="Quiet", request_id=uuid.uuid4().hex)
        player = self._stub.CreatePlayer(asked, metadata=_METADATA, timeout=MOVE_S)
        who = (*_METADATA, ("authorization", f"Bearer {player.player_token}"))
        table = play_pb2.CreateSessionRequest(
            game="einstein", seats=[play_pb2.SeatWish(me=True)] * 2, request_id=uuid.uuid4().hex
        )
        made = self._stub.CreateSession(table, metadata=who, timeout=MOVE_S)
        while not self._stopping.is_set():
            for grant in made.grants:
                seen = play_pb2.GetSessionRequest(session_id=made.session.id, seat_token=grant.seat_token)
                update = self._stub.GetSession(seen, metadata=who, timeout=MOVE_S).update
                if update.session.HasField("outcome"):
                    return
                if update.actions:
                    self._move(made.session.id, grant.seat_token, update, who)
            self._list_games()
            self._stopping.wait(THINK_S)

    def _move(self, session: str, token: str, update: Any, who: Any) -> None:
        act = play_pb2.ActRequest(session_id=session, seat_token=token, expected_version=update.version)
        act.action.CopyFrom(update.actions[0].action)
        act.request_id = uuid.uuid4().hex
        began = time.perf_counter()
        self._stub.Act(act, metadata=who, timeout=MOVE_S)
        self.moves.append(time.perf_counter() - began)

    def _list_games(self) -> None:
        began = time.perf_counter()
        url = f"http://{self._web_address}/v1/ListGames"
        httpx.post(url, json={}, headers=dict(_METADATA), timeout=MOVE_S).raise_for_status()
        self.web.append(time.perf_counter() - began)
