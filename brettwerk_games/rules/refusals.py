"""Why a game refuses something.

    GameRefusal
    ├── Malformed          it cannot be read at all: wrong number, missing field, broken notation
    ├── Ambiguous          the notation fits more than one action
    └── Illegal            it can be read, but a rule forbids it here
        ├── NotYourTurn    another seat is to act
        └── GameOver       nobody is to act any more

Every refusal names the rule (`EWN-TURN-3`), so that a client can show that rule to the player. `details` fill the sentence
`rule.<id>` or `reason.<name>` of the game's catalogue; they never hold what the seat may not know.
"""

from collections.abc import Mapping


class GameRefusal(Exception):
    """Base of all refusals of a game."""

    def __init__(self, message: str, *, rule: str = "", details: Mapping[str, str] | None = None, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.details = dict(details or {})
        self.field = field


class Malformed(GameRefusal):
    """It cannot be read; `field` says where."""


class Ambiguous(GameRefusal):
    """The notation fits more than one action."""


class Illegal(GameRefusal):
    """A rule forbids it in this position."""


class NotYourTurn(Illegal):
    """Another seat is to act."""


class GameOver(Illegal):
    """The game has ended."""
