"""Measures how long a computer's move takes: from the answer to the person's move until the watcher has the computer's.

    python -m loadtests.computer_moves --game einstein --level best --moves 60

It starts a house of its own and plays random moves against the level, one session at a time, so that a worker is always free.
"""

import argparse
import random
import statistics
import tempfile
import time
import uuid
from pathlib import Path

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc, record_pb2
from deploy.local.house import House

PEOPLE = 0


def moves(address: str, game: str, level: str, wanted: int) -> list[float]:
    """Return for each of the computer's moves how long it took to come, in milliseconds."""
    took: list[float] = []
    with grpc.insecure_channel(address) as channel:
        server = play_pb2_grpc.PlayServiceStub(channel)
        player = server.CreatePlayer(play_pb2.CreatePlayerRequest(name="Clock", request_id=uuid.uuid4().hex))
        token = (("authorization", f"Bearer {player.player_token}"),)
        while len(took) < wanted:
            seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(computer=record_pb2.Computer(level=level))]
            request = play_pb2.CreateSessionRequest(game=game, seats=seats, request_id=uuid.uuid4().hex)
            created = server.CreateSession(request, metadata=token)
            grant, acted, version = created.grants[PEOPLE], 0.0, 0
            watch = play_pb2.WatchRequest(session_id=created.session.id, seat_token=grant.seat_token)
            for message in server.Watch(watch, metadata=token):
                if message.HasField("heartbeat"):
                    continue
                update = message.update if message.HasField("update") else message.resync.update
                if acted and update.version > version:
                    took.append(1000 * (time.perf_counter() - acted))
                    acted = 0.0
                if update.session.HasField("outcome"):
                    break
                if update.actions:
                    act = play_pb2.ActRequest(
                        session_id=created.session.id,
                        seat_token=grant.seat_token,
                        expected_version=update.version,
                        request_id=uuid.uuid4().hex,
                    )
                    act.action.CopyFrom(random.choice(update.actions).action)
                    version = server.Act(act, metadata=token).version
                    acted = time.perf_counter()
    return took


def main() -> None:
    """Play and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="einstein")
    parser.add_argument("--level", default="best")
    parser.add_argument("--moves", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, House(data=Path(folder), web=False) as house:
        took = moves(house.grpc_address, args.game, args.level, args.moves)
    late = sorted(took)[int(len(took) * 0.9)]
    print(f"{len(took)} moves of {args.level}: median {statistics.median(took):.0f} ms, nine in ten within {late:.0f} ms")


if __name__ == "__main__":
    main()
