"""Measures how long a computer's move takes: from the answer to the person's move until the watcher has the computer's.

    python -m loadtests.computers.latency --game einstein --level best --moves 60

It starts a deployment of its own and plays random moves against the level, one session at a time, so that a worker is always
free. With `--run strong` runs of 1,000 games for statistics between two of that level are going on for every other part of the
moves, and both parts are told of: as they take turns, what else the machine does weighs on both alike.
"""

import argparse
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc, record_pb2, statistics_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes

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


@contextmanager
def run_going_on(address: str, game: str, level: str) -> Iterator[None]:
    """Have 1,000 games between two of a level played, from when the first is counted until the block ends."""
    with grpc.insecure_channel(address) as channel:
        server = play_pb2_grpc.PlayServiceStub(channel)
        player = server.CreatePlayer(play_pb2.CreatePlayerRequest(name="Counter", request_id=uuid.uuid4().hex))
        token = (("authorization", f"Bearer {player.player_token}"),)
        wish = statistics_pb2.RunWish(game=game, games=1000, seed=random.randrange(1 << 31))
        for _ in range(2):
            wish.seats.add(level=level)
        request = statistics_pb2.StartRunRequest(wish=wish, request_id=uuid.uuid4().hex)
        run = server.StartRun(request, metadata=token).run
        asked = statistics_pb2.GetRunRequest(run_id=run.id)
        while not run.games_done:
            time.sleep(0.2)
            run = server.GetRun(asked, metadata=token).run
        yield
        run = server.CancelRun(statistics_pb2.CancelRunRequest(run_id=run.id), metadata=token).run
        print(f"  the run had come to {run.games_done} of 1,000 games")


def summary(took: list[float]) -> str:
    """Return medians and the like in words."""
    ordered = sorted(took)
    late = [ordered[int(len(ordered) * share)] for share in (0.9, 0.95)]
    return f"median {statistics.median(took):.0f} ms, nine in ten within {late[0]:.0f} ms, 95 % within {late[1]:.0f} ms"


def main() -> None:
    """Play and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="einstein")
    parser.add_argument("--level", default="best")
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--run", default="", help="level of the statistics runs that take place during half of the moves")
    parser.add_argument("--run-game", default="einstein")
    parser.add_argument("--parts", type=int, default=4, help="number of alternating parts with and without such runs")
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Deployment(data=Path(folder), processes=Processes(web=False, statistics=bool(args.run))) as deployment,
    ):
        address = deployment.grpc_address
        if not args.run:
            took = moves(address, args.game, args.level, args.moves)
            print(f"{len(took)} moves of {args.level}: {summary(took)}")
            return
        alone: list[float] = []
        beside: list[float] = []
        for _ in range(args.parts):
            alone += moves(address, args.game, args.level, args.moves // args.parts)
            with run_going_on(address, args.run_game, args.run):
                beside += moves(address, args.game, args.level, args.moves // args.parts)
    print(f"{len(alone)} moves of {args.level} without runs: {summary(alone)}")
    print(f"{len(beside)} moves of {args.level} beside runs of {args.run_game} {args.run}: {summary(beside)}")


if __name__ == "__main__":
    main()
