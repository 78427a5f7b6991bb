"""The conformance kit under its name of 1.0, which tests of games in packages import."""

from tests.brettwerk_games.rules.conformance import *  # noqa: F403
from tests.brettwerk_games.rules.conformance import main

if __name__ == "__main__":
    main()
