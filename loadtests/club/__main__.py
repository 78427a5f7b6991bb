"""A club over a simulated year: `python -m loadtests.club`. Needs a C compiler.

    python -m loadtests.club                                                  # a year of 200 people: half an hour
    python -m loadtests.club --days 30 --people 50 --evening-games 150 --disk 1024    # as root: a month on a disk of 1 GB
    python -m loadtests.club --days 7 --people 20                             # some minutes

Real processes run under a simulated clock, which jumps from hour to hour. People in seven time zones, with quiet hours, rest
hours and times away, play a slow league at tables of six, two Swiss tournaments and a knock-out, and give up seats that others
take; the players service is killed in the middle of each. Mails, push messages and webhooks come to servers of this program. It
says who was told twice, not at all, late or in quiet hours, which is a fault (exit status 1), and what is on the disk.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from loadtests.club import disk
from loadtests.club.clock import Clock
from loadtests.club.receivers import Receivers, sentences
from loadtests.club.report import written
from loadtests.club.server import Server, serving
from loadtests.club.year import Outcome, Plan, Year
from loadtests.run import Say, add_data, conditions, folder, parser, progress

_FAILED = 1


def simulate(plan: Plan, say: Say, megabytes: int = 0, of_players: Mapping[str, str] | None = None) -> Outcome:
    """Simulate, on a disk of that size if one is asked for; return what came of it. Raises RuntimeError without a C compiler.

    `of_players`: further settings of the players service.
    """
    with folder(None) as temporary:
        clock = Clock(temporary)
        with (
            disk.small(temporary / "disk", megabytes) as small,
            Receivers(temporary, sentences()) as receivers,
            serving(small / "data", clock, receivers, of_players or {}) as deployment,
        ):

            async def run() -> Outcome:
                async with Server(deployment) as server:
                    return await Year(server, clock, receivers, plan, say).run()

            return asyncio.run(run())


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate and print; return the exit status, 1 where there is a fault."""
    made = parser(__doc__)
    made.add_argument("--people", type=int, default=200, help="members of the club (200)")
    made.add_argument("--days", type=int, default=365, help="days that pass (365)")
    made.add_argument("--pace", type=float, default=0, help="hours between two looks at one's games (24; 12 or 4 in short spans)")
    made.add_argument("--step", type=float, default=0, help="hours that the clock jumps, on average (4; 1 in short spans)")
    made.add_argument("--substitutions", type=int, default=-1, help="seats given up to substitutes (40 in a year of 200)")
    made.add_argument("--evening-games", type=float, default=0, help="games a day that two play at once (0)")
    made.add_argument("--disk", type=int, default=0, metavar="MB", help="put the data on a disk of that size; as root")
    made.add_argument("--minutes", type=float, default=0, help="end after so many minutes, however many days have passed")
    made.add_argument("--seed", type=int, default=1, help="another year (1)")
    made.add_argument("--json", default="", help="also write everything to this file")
    add_data(made)
    args = made.parse_args(arguments)
    plan = Plan(
        people=args.people,
        days=args.days,
        pace_h=args.pace or (24 if args.days >= 200 else 12 if args.days >= 20 else 4),
        step_h=args.step or (4 if args.days >= 200 else 2 if args.days >= 20 else 1),
        substitutions=args.substitutions if args.substitutions >= 0 else max(3, round(40 * args.people * args.days / 73_000)),
        evening_games=args.evening_games,
        seed=args.seed,
        minutes=args.minutes,
    )
    under = conditions(args, "json", "quiet", "data")
    outcome = simulate(plan, progress(is_quiet=args.quiet), args.disk)
    print(written(outcome))
    print("\n" + ", ".join(f"{name} {value}" for name, value in under.items()))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(asdict(outcome), file)
    return _FAILED if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
