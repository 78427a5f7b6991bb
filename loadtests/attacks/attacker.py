"""Runs one attack as a process and prints what came back: `python -m loadtests.attacks.attacker NAME GRPC WEB SECONDS`."""

import asyncio
import contextlib
import json
import sys

from loadtests.attacks.catalogue import ATTACKS
from loadtests.attacks.target import Target


async def run(name: str, grpc_address: str, web_address: str, seconds: float) -> None:
    """Attack until time is over, and print the counts as JSON."""
    attack = next(one for one in ATTACKS if one.name == name)
    target = Target(grpc_address, web_address, seconds)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5):
            await attack.run(target)
    print(json.dumps(dict(target.tally.most_common(5))))
    await target.channel.close()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])))
