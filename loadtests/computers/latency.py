"""Measures how long a computer's move takes: from the answer to the person's move until the watcher has the computer's.

    python -m loadtests.computers.latency --game einstein --level best --moves 60

It starts a deployment of its own and plays random moves against the level, one session at a time, so that a worker is always
free. With `--run strong` runs of 1,000 games for statistics between two of that level are going on for every other part of the
moves, and both parts are told of: as they take turns, what else the machine does weighs on both alike.
"""

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from brettwerk.v1 import statistics_pb2
from brettwerk_client import Client, computer, me
from deploy.local.processes import Processes
from loadtests.run import deployment as started
from loadtests.run import parser


def moves(address: str, game: str, level: str, wanted: int) -> list[float]:
    """Return for each of the computer's moves how long it took to come, in milliseconds."""
    took: list[float] = []
    with Client(address, name="Clock") as client:
        while len(took) < wanted:
            seat, acted, version = client.create_session(game, [me(), computer(level)]).seat, 0.0, 0
            for update in seat.watch():
                if acted and update.version > version:
                    took.append(1000 * (time.perf_counter() - acted))
                    acted = 0.0
                if update.session.HasField("outcome"):
                    break
                if update.actions:
                    version = seat.act(update, random.choice(update.actions)).version
                    acted = time.perf_counter()
    return took


@contextmanager
def run_going_on(address: str, game: str, level: str) -> Iterator[None]:
    """Have 1,000 games between two of a level played, from when the first is counted until the block ends."""
    with Client(address, name="Counter") as client:
        wish = statistics_pb2.RunWish(game=game, games=1000, seed=random.randrange(1 << 31))
        for _ in range(2):
            wish.seats.add(level=level)
        run = client.call(client.service.StartRun, statistics_pb2.StartRunRequest(wish=wish)).run
        asked = statistics_pb2.GetRunRequest(run_id=run.id)
        while not run.games_done:
            time.sleep(0.2)
            run = client.call(client.service.GetRun, asked).run
        yield
        run = client.call(client.service.CancelRun, statistics_pb2.CancelRunRequest(run_id=run.id)).run
        print(f"  the run had come to {run.games_done} of 1,000 games")


def summary(took: list[float]) -> str:
    """Return medians and the like in words."""
    ordered = sorted(took)
    late = [ordered[int(len(ordered) * share)] for share in (0.9, 0.95)]
    return f"median {statistics.median(took):.0f} ms, nine in ten within {late[0]:.0f} ms, 95 % within {late[1]:.0f} ms"


def main() -> None:
    """Play and print medians."""
    options = parser(__doc__)
    options.add_argument("--game", default="einstein")
    options.add_argument("--level", default="best")
    options.add_argument("--moves", type=int, default=60)
    options.add_argument("--run", default="", help="level of the statistics runs that take place during half of the moves")
    options.add_argument("--run-game", default="einstein")
    options.add_argument("--parts", type=int, default=4, help="number of alternating parts with and without such runs")
    args = options.parse_args()
    with started(processes=Processes(web=False, statistics=bool(args.run))) as deployment:
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
