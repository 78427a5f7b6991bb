"""A game of a chosen number of seats, two to six, made of a module by `game_of_seats` or of a class.

Who gives up or loses all is out, and the others go on: the turn passes over a seat that is out, and the last one has won, for the
reason "last", whose rule ENDS may name. Positions are `SeatsPosition` (values.py).
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from brettwerk_games.rules.interface import A, O, Outcome, Step
from brettwerk_games.rules.open.of_module import ModuleGame, game_of
from brettwerk_games.rules.open.values import OpenEnding, SeatsPosition
from brettwerk_games.rules.ranking import ranked
from brettwerk_games.rules.refusals import Illegal, Malformed

P = TypeVar("P", bound=SeatsPosition)


class GameOfSeats(ModuleGame[O, P, A]):
    """The game; a game must have `begin`, `legal` and `play`, and without a grid `notate` and `board` (of_module.py).

    It should have `left`, where more becomes of a seat that gives up, and `merits`, where places do not follow from who is out.
    """

    @abstractmethod
    def begin(self, options: O, seats: int, seed: bytes) -> P:
        """Return the first position of a game of so many seats."""

    def left(self, position: P, seat: int, seed: bytes) -> P:
        """Return the position that the others go on from when a seat, which is among those that are out now, has given up.

        If it was to move, the next one is; here nothing else becomes of it.
        """
        return position

    def merits(self, position: P) -> Sequence[int]:
        """Return how well each seat has done: here better who went out later, and best who has won."""
        return [
            position.out.index(seat) if seat in position.out else len(position.out) + (seat == position.winner)
            for seat in range(position.seats)
        ]

    def _begun(self, options: O, seats: int, seed: bytes) -> P:
        """Return the first position."""
        return self.begin(options, seats, seed)

    def seats(self, position: P) -> int:
        """Return how many play."""
        return position.seats

    def _after(self, position: P, action: A, seed: bytes) -> P:
        """Return the position after a legal action: seats that it has put out are passed over, and the last one has won."""
        return _passed_on(self.play(position, action, seed))

    def leave(self, position: P, seat: int, reason: Any, seed: bytes, /) -> Step[P, object]:
        """Return the step in which a seat is out; the last one that is left has won. Raises Illegal for a seat that is out."""
        if seat in position.out:
            raise Illegal("this seat is out of the game", rule=self.rule["RESIGN"])
        without = replace(position, out=(*position.out, seat))
        after = _passed_on(without if len(without.playing) == 1 else self.left(without, seat, seed))
        return Step(after, (after.ending,) if after.ending else (), reveals=self.facts.hidden)

    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it is on."""
        if not position.end:
            return None
        rule = self.turns.end_rules[position.end]
        return ranked(self.merits(position), self.turns.reason(position), rule, is_draw=position.winner is None)

    def require_sound(self, position: P) -> None:
        """Raise Malformed for a position whose fields contradict each other."""
        if field := self._wrong_seats(position):
            raise Malformed(f"{field} cannot be so in a game of {position.seats}", field=field)
        super().require_sound(position)

    def _wrong_seats(self, position: P) -> str:
        """Return which field names seats that there are not, or that cannot be out, move or win."""
        playing, ending = position.playing, position.ending
        if not self.facts.min_seats <= position.seats <= len(self.facts.seats):
            return "seats"
        if len(set(position.out)) < len(position.out) or len(playing) + len(position.out) != position.seats or not playing:
            return "out"
        if position.to_move not in (range(position.seats) if ending else playing):
            return "to_move"
        return "ending" if ending and ending.winner is not None and ending.winner not in playing else ""


def _passed_on(position: P) -> P:
    """Return a position with its end if only one seat is left, else with the turn of one that is not out."""
    if position.ending or not position.out:
        return position
    playing = position.playing
    if len(playing) == 1:
        return replace(position, ending=OpenEnding("last", playing[0]))
    return position if position.to_move in playing else replace(position, to_move=position.next_seat())


def game_of_seats(name: str) -> GameOfSeats[Any, Any, Any]:
    """Return the game of a chosen number of seats that a module is (`__name__`); `game_of` says how, and what it raises."""
    game: GameOfSeats[Any, Any, Any] = game_of(name, GameOfSeats)
    return game
