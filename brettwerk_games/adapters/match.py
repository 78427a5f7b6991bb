"""One game from its first position to its end, whose whole chance comes from one number, or from outside."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from brettwerk_games.rules.chance import SEED_BYTES, Drawn
from brettwerk_games.rules.interface import AnyGame, Kind, Step
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import Malformed

MAX_ACTIONS = 1024
"""How many actions of a position are offered unless somebody says otherwise; no rule of a game bounds how many are legal."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A game with a number of seats and its presets but for the options `chosen`; the first `most` legal actions are offered."""

    game: AnyGame
    seats: int
    chosen: Mapping[str, int | str]
    most: int = MAX_ACTIONS

    def __post_init__(self) -> None:
        """Raise ValueError where no action would be offered."""
        if self.most < 1:
            raise ValueError(f"at least one action is offered, not {self.most}")

    @property
    def options(self) -> Any:
        """The options as the game has them. Raises Malformed where it cannot have them."""
        strange = self.chosen.keys() - {option.key for option in self.game.facts.options}
        if strange:
            raise Malformed(f"{self.game.facts.id} has no option {min(strange)}", field=min(strange))
        return self.game.codec.decode(Kind.OPTIONS, preset_options(self.game, self.seats, self.chosen))


class Match:
    """A game under way. The same setting, seed and actions make the same match on every machine.

    `position` holds everything, hidden things included: what a seat may know is `view(seat)`. Chance is what `drawn` is at the
    beginning and in each step, where that is given, and comes from the seed elsewhere.
    """

    def __init__(self, setting: Setting, seed: int = 0, drawn: Drawn | None = None) -> None:
        """Begin. Raises Malformed or Illegal where the game cannot have these seats or options, and Undrawn."""
        self.game = game = setting.game
        self.played = 0
        """How many actions have been played."""
        self._seed, self._most = seed, setting.most
        self._legal: Sequence[Any] | None = None
        self.step: Step[Any, Any] = game.new(setting.options, setting.seats, None, self._chance(drawn))
        """The last step: how the game began, or what the last action did."""
        if game.facts.tells_seats:
            seated = game.seated(self.position, (True,) * setting.seats, self._chance(drawn))
            self.step = replace(seated, events=(*self.step.events, *seated.events))

    @property
    def position(self) -> Any:
        """The whole position."""
        return self.step.position

    @property
    def turn(self) -> int | None:
        """The seat that is to act; None after the end."""
        seats = self.game.to_act(self.position)
        return seats[0] if seats else None

    def view(self, seat: int | None) -> Any:
        """Return what a seat, or a spectator (None), may know."""
        return self.game.view(self.position, seat)

    def legal(self) -> Sequence[Any]:
        """Return the legal actions that are offered to the seat that is to act, in the game's order; none after the end."""
        if self._legal is None:
            self._legal = () if self.turn is None else self.game.first_actions(self.view(self.turn), self._most)
        return self._legal

    def forget_legal(self) -> None:
        """Let go of the legal actions, which are listed again when somebody asks."""
        self._legal = None

    def play(self, action: Any, drawn: Drawn | None = None) -> None:
        """Play an action for the seat that is to act. Raises Illegal for one that the rules do not allow, and Undrawn."""
        seat = self.game.to_act(self.position)[0]
        self.played += 1
        self.step = self.game.apply(self.position, seat, action, self._chance(drawn))
        self._legal = None

    def notation(self, number: int) -> str:
        """Return how an action that is offered is written. Raises IndexError for a number that stands for none."""
        return self.game.write(self.view(self.turn), self.legal()[number])

    def drawing(self, seat: int | None) -> str:
        """Return what a seat or a spectator (None) sees: a line for each place with something on it, and the marks of that."""
        places = (place for place in self.game.scene(self.view(seat)).places if place.things)
        return "\n".join(f"{place.name} {' '.join(thing.mark for thing in place.things)}" for place in places)

    def reward(self, seat: int) -> float:
        """Return 1 for a seat whose side has won, -1 where it has lost, its share between in a draw; 0 before the end."""
        return reward(self.game, self.position, seat)

    def _chance(self, drawn: Drawn | None) -> bytes:
        # A game passes on to `Dice` what it is given, and looks at it nowhere else.
        return self.chance() if drawn is None else cast("bytes", drawn)

    def chance(self, purpose: str = "step") -> bytes:
        """Return the 32 bytes that the next step draws its chance from, or something else that is not to know it."""
        return hashlib.blake2b(f"brettwerk match {purpose} {self._seed} {self.played}".encode(), digest_size=SEED_BYTES).digest()


def reward(game: AnyGame, position: Any, seat: int) -> float:
    """Return a seat's reward in a position, as `Match.reward`."""
    outcome = game.outcome(position)
    return 2 * outcome.chance(seat) - 1 if outcome else 0.0
