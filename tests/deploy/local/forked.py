"""A program for a fork server in tests: `main` does what the environment asks for."""

import json
import os
import sys
import time


def main() -> None:
    """Say how this process is, and end as FORKED_ENDS says: a number, a sentence, by an error, or after a while."""
    print(
        json.dumps({"arguments": sys.argv, "environment": dict(os.environ), "session": os.getsid(0), "umask": os.umask(0)}),
        flush=True,
    )
    print("for people", file=sys.stderr, flush=True)
    ends = os.environ.get("FORKED_ENDS", "0")
    if ends == "late":
        time.sleep(600)  # until it is killed
    if ends == "error":
        raise LookupError("no bread")
    sys.exit(int(ends) if ends.isdecimal() else ends)
