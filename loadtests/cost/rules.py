"""The cost of the rules: CPU microseconds of one ApplyAction by game and by part, over recorded random games.

    python -m loadtests.cost.rules
    python -m loadtests.cost.rules --game wec --games 20 --actions 150 --rounds 5
    python -m loadtests.cost.rules --game wec --cold
    python -m loadtests.cost.rules --game emperado --seats 3
    python -m loadtests.cost.rules --audiences 0 1 3 all

Games are played by lot among what clients are shown, with the preset options and as many seats as the game has at least or as
are named. The requests are kept as bytes; their steps are shown to every seat and to spectators, as pieces, unless other
audiences are named: then the rounds alternate between them, and parts are not shown. Each round is a process of its own that
answers them in turn, game by game as in a service that many play on: parsing, all of `answers.answer` and serializing count,
and nothing is asked twice. `--cold` lets the process forget each position before it comes in again, as where every action
reaches another process. The first line of a game is what an action costs, from the rounds' medians; the parts below it are from
one more round, with a clock around each call of the game, which makes it some percent dearer. CPU time of this process only, so
it can be compared on a machine that does other things.
"""

import argparse
import multiprocessing
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from unittest.mock import patch

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import SEED_BYTES
from loadtests.markdown import head, row
from services.rules import answers
from services.rules.any_codec import POSITIONS
from services.rules.steps import EVERYBODY

PARTS = {
    "decode": "decode",
    "knows_all": "decode",
    "apply": "apply",
    "view": "views",
    "actions": "lists",
    "first_actions": "lists",
    "groups": "lists",
    "choice": "lists",
    "choices": "lists",
    "write": "notation",
    "show": "events",
    "encode": "encode",
    "encode_views": "encode view",
    "encode_choices": "encode lists",
}
"""The part that a method of a game or of its codec belongs to; what is not in one is the rest: messages made, parsed, packed."""
AUDIENCES = {"0": 0, "1": 0b1, "3": 0b1000011, "all": EVERYBODY}
"""The audiences of steps: nobody, the first seat, two seats and spectators, or everybody."""
WARM = 40
"""Requests at the beginning of a round that are not counted."""


class Run(NamedTuple):
    """The measurements of a round: microseconds for each request, the shares of the parts, and the bytes of an answer."""

    took_us: list[float]
    shares: dict[str, float]
    answer_bytes: float


class Stopwatch:
    """Time by part; what is called inside of a part and belongs to another one is not counted twice."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.spent_ns: Counter[str] = Counter()
        self._inner_ns = [0]

    def around(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the call with its time counted; an iterator is run to its end."""

        def measured(*args: Any) -> Any:
            began = time.perf_counter_ns()
            self._inner_ns.append(0)
            try:
                found = call(*args)
                return iter(list(found)) if isinstance(found, Iterator) else found
            finally:
                took = time.perf_counter_ns() - began
                kind = f" {args[0].value}" if part == "encode" else ""
                self.spent_ns[part + kind] += took - self._inner_ns.pop()
                self._inner_ns[-1] += took

        return measured


class Timed:
    """A game or a codec whose calls are measured."""

    def __init__(self, inner: Any, watch: Stopwatch) -> None:
        """Take what is measured, and with what."""
        self._inner, self._watch = inner, watch

    def __getattr__(self, name: str) -> Any:
        """Return what the inner one has, with a clock around it where it is a part."""
        value = getattr(self._inner, name)
        if name == "codec":
            value = Timed(value, self._watch)
        elif name in PARTS:
            value = self._watch.around(PARTS[name], value)
        setattr(self, name, value)
        return value


def record(game_id: str, number: int, most: int, seats: int) -> list[bytes]:
    """Return the requests of a random game, at most so many; the same number gives the same ones."""
    dice = random.Random(number)
    first = rules_pb2.NewPositionRequest(game=game_id, seats=seats, step_seed=dice.randbytes(SEED_BYTES), audiences=EVERYBODY)
    step = answers.new_position(first).step
    found: list[bytes] = []
    while step.to_act and len(found) < most:
        seat = step.to_act[0]
        action = dice.choice(listed(step)).action
        request = rules_pb2.ApplyActionRequest(game=game_id, position=step.position, step_seed=dice.randbytes(SEED_BYTES))
        request.action.seat = seat
        request.action.action.CopyFrom(action)
        found.append(request.SerializeToString())
        request.audiences = EVERYBODY
        step = answers.apply_action(request).step
    return found


def listed(step: rules_pb2.Step) -> Sequence[games_pb2.ActionChoice]:
    """Return what the seat may do that is first to act, given a step that is shown to it."""
    bit = 1 << step.to_act[0]
    data = b"".join(piece.data for piece in step.actions if piece.audiences & bit)
    return sessions_pb2.Update.FromString(data).actions


def in_turn(games: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Return the requests of all games, one of each game in turn."""
    return [game[ply] for ply in range(max(map(len, games))) for game in games if ply < len(game)]


def answer_all(game_id: str, requests: Sequence[bytes], is_cold: bool, has_parts: bool) -> Run:
    """Answer requests in this process, which has answered none before."""
    watch = Stopwatch()
    game = registry.games()[game_id]
    known = {game_id: Timed(game, watch) if has_parts else game}
    with patch.object(registry, "games", lambda: known):
        took, size, passed_ns = [], 0, 0
        for number, request in enumerate(requests):
            if number == WARM:
                watch.spent_ns.clear()
            if is_cold:
                POSITIONS.clear()
            clock_ns, began = time.perf_counter_ns(), time.thread_time_ns()
            answer = answers.answer("apply_action", rules_pb2.ApplyActionRequest.FromString(request)).SerializeToString()
            took.append((time.thread_time_ns() - began) / 1000)
            passed_ns += time.perf_counter_ns() - clock_ns if number >= WARM else 0
            size += len(answer)
    shares = {part: spent / passed_ns for part, spent in watch.spent_ns.items()}
    return Run(took[WARM:], {**shares, "rest": 1 - sum(shares.values())}, size / len(requests))


def shown_to(requests: Sequence[bytes], audiences: int) -> list[bytes]:
    """Return the requests with these audiences asked for."""
    asked = rules_pb2.ApplyActionRequest(audiences=audiences).SerializeToString()
    return [request + asked for request in requests]


def measure(game_id: str, requests: Sequence[bytes], *, is_cold: bool, has_parts: bool = False) -> Run:
    """Answer requests in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(answer_all, (game_id, requests, is_cold, has_parts))


def report(game_id: str, given: argparse.Namespace) -> None:
    """Measure a game and print its lines of the table."""
    seats = max(given.seats, registry.games()[game_id].facts.min_seats)
    recorded = in_turn([record(game_id, number, given.actions, seats) for number in range(given.games)])
    asked = {name: shown_to(recorded, AUDIENCES[name]) for name in given.audiences}
    runs: dict[str, list[Run]] = {name: [] for name in asked}
    for _ in range(given.rounds):
        for name, requests in asked.items():
            runs[name].append(measure(game_id, requests, is_cold=given.cold))
    for name, done in runs.items():
        mean = statistics.median(statistics.fmean(run.took_us) for run in done)
        middle = statistics.median(statistics.median(run.took_us) for run in done)
        late = statistics.median(sorted(run.took_us)[int(0.95 * len(run.took_us))] for run in done)
        size = done[0].answer_bytes / 1024
        figures = [f"{figure:,.0f}" for figure in (mean, middle, late)]
        print(row((f"{game_id}, {name} ({len(recorded)}, {size:.1f} KiB)", *figures)), flush=True)
    if len(asked) == 1:
        shares = measure(game_id, requests, is_cold=given.cold, has_parts=True).shares
        for part, share in sorted(shares.items(), key=lambda item: -item[1]):
            print(row((f"- {part}", f"{share * mean:,.0f}", "", "")), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="", choices=["", *registry.games()])
    parser.add_argument("--games", type=int, default=10, help="number of random games played at once")
    parser.add_argument("--actions", type=int, default=100, help="maximum number of actions per game")
    parser.add_argument("--seats", type=int, default=0, help="number of seats; by default, the minimum")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--audiences", nargs="+", default=["all"], choices=AUDIENCES, help="audiences to which each step is shown"
    )
    parser.add_argument("--cold", action="store_true", help="make every request decode its position")
    given = parser.parse_args()
    print(head(("game, audiences (actions, size of an answer)", "CPU µs an action: mean", "median", "95 %")))
    for game_id in registry.games():
        if given.game in ("", game_id):
            report(game_id, given)


if __name__ == "__main__":
    main()
