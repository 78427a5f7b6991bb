"""Hurts a system of its own while people play, and judges what was kept and what was seen.

    python -m loadtests.chaos --seconds 720 --faults kill,hang,power,disk,clock,cut --tables 25 --seed 1

Faults: kill (-9 of any process), hang (SIGSTOP for 3 to 20 s), power (the end of Redis' file is lost), disk (full for a while),
clock (that of one process jumps by minutes), cut (two session processes, one cut off from Redis). The last line has the figures;
the exit status is 1 when one is not 0 that has to be (loadtests/README.md).
"""

import contextlib
import random
import sys

import uvloop

from loadtests.chaos.driver import Driver
from loadtests.chaos.faults.plan import KINDS, planned
from loadtests.chaos.figures import Figures
from loadtests.chaos.system import System
from loadtests.chaos.tables import Manner
from loadtests.run import add_data, folder, parser, progress


def main() -> int:
    """Read the options, run, print the figures; return the exit status."""
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=720.0, help="how long to cause faults, in seconds")
    options.add_argument("--faults", default=",".join(KINDS), help="which kinds, separated by commas")
    options.add_argument("--tables", type=int, default=25)
    options.add_argument("--think", type=float, default=0.5, help="mean time that a person thinks, in seconds")
    options.add_argument(
        "--pause", type=float, nargs=2, default=(2.0, 5.0), help="minimum and maximum number of seconds between two faults"
    )
    options.add_argument("--single", action="store_true", help="cause no fault before the previous one is over")
    options.add_argument("--seed", type=int, default=1)
    add_data(options)
    args = options.parse_args()
    kinds = [kind for kind in args.faults.split(",") if kind]
    if unknown := set(kinds) - set(KINDS):
        options.error(f"there is no fault {', '.join(sorted(unknown))}")
    figures, say = Figures(), progress(is_quiet=args.quiet)
    with contextlib.ExitStack() as undo:
        plan = undo.enter_context(planned(kinds, undo.enter_context(folder(args.data)), args.seconds, say))
        system = undo.enter_context(
            System(plan.data, figures, plan.own, plan.ports, plan.folder / "log", sessions=2 if plan.two_sessions else 1)
        )
        striking = plan.begin(system, random.Random(args.seed))

        async def run() -> None:
            manner, pause_s = Manner(think_s=args.think), (args.pause[0], args.pause[1])
            await Driver(
                system,
                figures,
                striking,
                plan.losses,
                tables=args.tables,
                manner=manner,
                seed=args.seed,
                pause_s=pause_s,
                single=args.single,
                say=say,
            ).run(args.seconds)

        uvloop.run(run())
    if args.data:
        print(f"what all processes logged: {args.data / 'log'}", file=sys.stderr)
    for sentence in figures.sentences():
        print(sentence, file=sys.stderr)
    print(figures.line(), flush=True)
    return 0 if figures.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
