"""The `brettwerk` command: play, verify a saved game, print the settings."""

import sys
from collections.abc import Sequence

_USAGE = """usage: brettwerk play [options]      start everything on this machine (play --help)
       brettwerk verify game.json   replay a saved game and check every step and roll
       brettwerk settings           print the table of settings
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the first argument says; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    match words:
        case ["play", *rest]:
            from deploy.local.options import parse
            from deploy.local.play import play

            return play(parse(rest, "brettwerk play"))
        case ["verify", *rest]:
            from services.rules.verify import main as verify

            return verify(rest)
        case ["settings"]:
            from services.runtime.settings import table

            print(table(), end="")
            return 0
        case ["--help" | "-h" | "help"]:
            print(_USAGE, end="")
            return 0
        case _:
            print(_USAGE, end="", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
