"""A fixed piece of pure Python work as yardstick where there is no Node.js: it says how fast the machine is just now.

    python -m loadtests.actions.yardstick.loop 3

prints how many pieces of work were done in about that many seconds, in how much time and in how many seconds of CPU.
"""

import sys
import time

PIECE = 700
"""Rounds of one piece: some 0.3 ms of CPU, about what an action of boardgame.io takes."""


def piece() -> int:
    """Do one piece of work: numbers, text, dictionaries and lists, as programs like ours do."""
    found: dict[str, int] = {}
    for number in range(PIECE):
        name = f"{number * 7919 % 1009:04d}"
        found[name] = found.get(name[:2], 0) + len(name)
    return sum(sorted(found.values())[:50])


def main() -> None:
    """Work and print."""
    until, began, cpu, done = float(sys.argv[1]), time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - began < until:
        piece()
        done += 1
    print(done, time.perf_counter() - began, time.process_time() - cpu)


if __name__ == "__main__":
    main()
