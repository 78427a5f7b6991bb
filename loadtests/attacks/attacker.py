"""Runs one attack as a process and prints what came back.

`python -m loadtests.attacks.attacker NAME GRPC WEB SECONDS SESSION SEAT_TOKEN`; the session is one with many versions.
"""

import asyncio
import contextlib
import json
import sys
from collections import Counter

from loadtests.attacks.catalogue import ATTACKS
from loadtests.attacks.target import LATE, Target

MAX_SHOWN = 5
FAULTS = ("INTERNAL", "UNAVAILABLE", LATE)
"""Results that no call should have: the first is a defect, the second tells that a process ended or did not start."""


async def run(name: str, grpc_address: str, web_address: str, seconds: float, long_game: tuple[str, str]) -> None:
    """Attack until time is over, and print the counts as JSON."""
    attack = next(one for one in ATTACKS if one.name == name)
    target = Target(grpc_address, web_address, seconds, long_game)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5):
            await attack.run(target)
    print(json.dumps(shown(target.tally)))
    await target.channel.close()


def shown(tally: Counter[str]) -> dict[str, int]:
    """Return the most frequent answers, and those that tell of a fault, however few they are."""
    return dict(tally.most_common(MAX_SHOWN)) | {name: tally[name] for name in FAULTS if tally[name]}


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), (sys.argv[5], sys.argv[6])))
