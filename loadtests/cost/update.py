"""The cost of updates: CPU microseconds of a session service for joining the updates of one action, by game and audiences.

    python -m loadtests.cost.update
    python -m loadtests.cost.update --game emperado --games 20 --rounds 9

Games are played by lot with the preset options and as few seats as can play. The steps are asked of the rules in this process
and kept as bytes, as they come over the link; parsing them counts, and so does all of `updates.messages`. Rounds alternate
between the audiences, and the figure of each is its median round. CPU time of this process only.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import SEED_BYTES
from loadtests.cost.rules import AUDIENCES, listed
from loadtests.markdown import head, row
from services.rules import answers
from services.rules.steps import EVERYBODY
from services.session.domain.fold import create, fold
from services.session.domain.perception import with_lists
from services.session.domain.state import Seat, State, replace
from services.session.domain.updates import messages

NAMES = ("0", "1", "3", "all")


def plies(game: str, number: int, most: int) -> Iterator[tuple[State, record_pb2.Entry, dict[str, bytes]]]:
    """Yield of each action of a random game the state after it, its entry, and the step encoded for each number of audiences."""
    dice = random.Random(number)
    seats = registry.games()[game].facts.min_seats
    entry = record_pb2.Entry(version=1, at_ms=1_700_000_000_000, created=record_pb2.Created(game=game, seats=seats))
    state = create(f"07abcdefghijklmnopqrst{number:02}", dice.randbytes(32), entry)
    people = [record_pb2.Occupant(person=record_pb2.Person(player_id=f"p{seat}" * 10, name="Anna")) for seat in range(seats)]
    state = replace(state, seats=tuple(Seat(person) for person in people))
    seed = dice.randbytes(SEED_BYTES)
    step = answers.new_position(rules_pb2.NewPositionRequest(game=game, seats=seats, step_seed=seed, audiences=EVERYBODY)).step
    started = record_pb2.Entry(version=2, at_ms=entry.at_ms, started=record_pb2.Started(seed=seed))
    state = fold(state, started, step)
    for version in range(3, most + 3):
        if not step.to_act:
            return
        seat = step.to_act[0]
        action = dice.choice(listed(step)).action
        request = rules_pb2.ApplyActionRequest(game=game, position=step.position, step_seed=dice.randbytes(SEED_BYTES))
        request.action.seat = seat
        request.action.action.CopyFrom(action)
        steps = {}
        for name in NAMES:
            request.audiences = AUDIENCES[name]
            made = answers.apply_action(request).step
            made.audiences = with_lists(made.audiences)  # as the session service notes
            steps[name] = made.SerializeToString()
        step = rules_pb2.Step.FromString(steps["all"])
        ply = record_pb2.Ply(actor=seat + 1, action=action, seed=request.step_seed, notation=step.notation)
        entry = record_pb2.Entry(version=version, at_ms=started.at_ms + version, acted=record_pb2.Acted(ply=ply))
        state = fold(state, entry, step)
        yield state, entry, steps


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="", choices=["", *registry.games()])
    parser.add_argument("--games", type=int, default=10, help="number of random games")
    parser.add_argument("--actions", type=int, default=100, help="maximum number of actions per game")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print(head(("game (actions)", "audiences", "CPU µs an action", "bytes joined")))
    for game in registry.games():
        if given.game not in ("", game):
            continue
        played = [one for number in range(given.games) for one in plies(game, number, given.actions)]
        spent: dict[str, list[float]] = {name: [] for name in NAMES}
        sizes = dict.fromkeys(NAMES, 0)
        for _ in range(given.rounds):
            for name in NAMES:
                wanted, size = with_lists(AUDIENCES[name]), 0
                began = time.process_time()
                for state, entry, steps in played:
                    size += sum(map(len, messages(state, entry, rules_pb2.Step.FromString(steps[name]), wanted)))
                spent[name].append((time.process_time() - began) / len(played) * 1e6)
                sizes[name] = size // len(played)
        for name in NAMES:
            figures = f"{statistics.median(spent[name]):.0f}", f"{sizes[name]:,}"
            print(row((f"{game} ({len(played)})", name, *figures)), flush=True)


if __name__ == "__main__":
    main()
