"""Runs the deployment of the checkout in whose environment and folder it is started, as long as its standard input is open.

It is run as a file, by the interpreter of that checkout: of that, only `deployment` of its
`loadtests.run` is needed.
The first argument is the deployment's environment as JSON; its web address and its processes are printed as JSON.
"""

import json
import sys

from loadtests.run import deployment


def main() -> None:
    """Run until nobody holds the standard input open any more."""
    with deployment(json.loads(sys.argv[1])) as started:
        print(json.dumps([started.web_address, dict(started.pids())]), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
