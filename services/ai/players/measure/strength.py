"""How strong a level is at its least time against itself at full time (`least_ms` and `think_ms` of its facts).

    .venv/bin/python -m services.ai.players.measure.strength --game wec --level strong
    .venv/bin/python -m services.ai.players.measure.strength --game plateau --level strong --least-ms 40 --pairs 50 --minutes 20
    .venv/bin/python -m services.ai.players.measure.strength --game plateau --level normal --plans

Two play; every two games begin alike after a few random actions, have the same dice, and are played with sides exchanged, so
that pairs are the trials. Time is that of the CPU (`level_games`), so that a busy machine changes nothing but how long it takes.
Prints the share of the level at its least time with the 95 % interval, and how long both thought for an action. `--pairs`
and `--minutes` of CPU time end it, whichever comes first. `--plans` compares something else: the level that goes on with the
plan of its turn against the same one, recreated for every action, both with full time.
"""

import argparse
import statistics
import time

from services.ai.players.interface import Player
from services.ai.players.measure.games import Anew, Seat, cpu_time, interval, known_games, paired
from services.ai.players.registry import level_of, make_player, warm_up
from services.games.facts import GENERIC_LEVELS

OPENING = {"einstein": 2, "emperado": 0, "plateau": 4, "wec": 6, "connect_four": 2}
"""Random actions at the beginning: enough that games differ, too few to decide them. Set-ups, in EinStein."""


def main() -> None:
    """Play the match that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="wec", choices=sorted(known_games()))
    parser.add_argument("--level", default="strong", help="a level of the game, or generic-<level>")
    parser.add_argument("--least-ms", type=int, default=0, help="least time, if not the level's own")
    parser.add_argument("--full-ms", type=int, default=0, help="full time, if not the level's own")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--begin", type=int, default=0, help="number of the first pair, for playing a match in instalments")
    parser.add_argument("--minutes", type=float, default=60.0, help="minutes of CPU time")
    parser.add_argument("--plans", action="store_true", help="play with kept plans against without")
    parser.add_argument("--max-actions", type=int, default=3000)
    given = parser.parse_args()
    game = known_games()[given.game]
    generic = {f"generic-{one.id}": one for one in GENERIC_LEVELS}
    level = generic.get(given.level) or level_of(game, given.level)
    if level is None:
        raise SystemExit(f"no such level: {given.level}")
    warm_up()
    full_ms = given.full_ms or level.think_ms
    least_ms = full_ms if given.plans else given.least_ms or level.floor_ms
    took: tuple[list[float], list[float]] = ([], [])

    def made() -> Player:
        return make_player(game, level, 0)

    def first() -> Seat:
        return Seat(made(), least_ms / 1000, took[0])

    def second() -> Seat:
        return Seat(Anew(made) if given.plans else made(), full_ms / 1000, took[1])

    shares: list[float] = []
    pairs = range(given.begin, given.begin + given.pairs)
    actions = OPENING.get(given.game, 2)
    with cpu_time():
        for share in paired(game, first, second, pairs, actions, given.max_actions):
            shares.append(share)
            mean, half = interval(shares)
            print(f"{2 * len(shares)} games: {100 * mean:.1f} % ± {100 * half:.1f} at {least_ms} ms", flush=True)
            if time.process_time() > 60 * given.minutes:
                break
    for name, ms, kept in (("first", least_ms, took[0]), ("second", full_ms, took[1])):
        kept.sort()
        middle, late = statistics.median(kept), kept[int(0.95 * len(kept))]
        print(f"{name}: given {ms} ms each, took {statistics.fmean(kept):.1f} ms of CPU on average, {middle:.1f} at the median,")
        longer = sum(ms > least_ms for ms in kept) / len(kept)
        print(f"    {late:.1f} at the 95th percentile, {kept[-1]:.0f} at most; {100 * longer:.1f} % took more than {least_ms} ms")


if __name__ == "__main__":
    main()
