"""One game from its first position to its end, whose whole chance comes from one number."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options


class Match:
    """A game under way. The same game, options, seed and actions make the same match on every machine.

    `position` holds everything, hidden things included: what a seat may know is `view(seat)`. Of the legal actions, the first
    `most` are offered.
    """

    def __init__(self, game: AnyGame, seats: int, chosen: Mapping[str, int | str], most: int, seed: int) -> None:
        """Begin with the presets but for the options `chosen`. Raises Malformed or Illegal where the game cannot have them."""
        self.game = game
        self.played = 0
        """How many actions have been played."""
        self._seed, self._most = seed, most
        self._legal: Sequence[Any] | None = None
        options = game.codec.decode(Kind.OPTIONS, preset_options(game, seats, chosen))
        self.position: Any = game.new(options, seats, None, self.chance()).position
        if game.facts.tells_seats:
            self.position = game.seated(self.position, (True,) * seats, self.chance()).position

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

    def play(self, action: Any) -> None:
        """Play an action for the seat that is to act. Raises Illegal for one that the rules do not allow."""
        seat = self.game.to_act(self.position)[0]
        self.played += 1
        self.position = self.game.apply(self.position, seat, action, self.chance()).position
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
        outcome = self.game.outcome(self.position)
        return 2 * outcome.chance(seat) - 1 if outcome else 0.0

    def chance(self, purpose: str = "step") -> bytes:
        """Return the 32 bytes that the next step draws its chance from, or something else that is not to know it."""
        return hashlib.blake2b(f"brettwerk match {purpose} {self._seed} {self.played}".encode(), digest_size=SEED_BYTES).digest()
