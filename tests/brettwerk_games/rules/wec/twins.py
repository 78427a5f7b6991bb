"""Games that are the same but for who is who: like pieces that an eye does not see have each other's ids (WEC-RUL-54).

Everything that is then done is done in both. Not even a piece that comes into sight may tell which of them it is.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, move_execution, rules
from brettwerk_games.rules.wec.actions import Action, EndTurn
from brettwerk_games.rules.wec.board import GROUND, SUB, place_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.kinds import Kind as Sort
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.piece_numbers import first_called, in_sight
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import SPECTATOR, End, Position
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.visibility import first_locks
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.pairs import renamed, renumbered
from tests.brettwerk_games.rules.wec.random_games import kind_of_action

STEPS = 24
"""Actions for which two games are followed."""

ELUSIVE = (Sort.AAA, Sort.SUB, Sort.STEALTH_PAWN)
"""Kinds that can hide, and one that finds the hidden."""


@dataclass(slots=True)
class Twins:
    """Two games that differ in who is who; `to` are the ids that pieces of the first have in the second."""

    eye: int
    here: Position
    there: Position
    to: dict[int, int]
    dice: random.Random

    def follow(self) -> int:
        """Play the same in both and compare all that the eye is told. Return how many pieces came into its sight.

        Whoever acts may see more than the eye, and other things in one game than in the other: which of two on one place is
        locked goes by their ids (WEC-RUL-44). Where they cannot do the same any more the games are followed no further.
        """
        came = 0
        for _ in range(STEPS):
            action = some_action(self.dice, self.here)
            if action is None:
                break
            actor = self.here.active
            seen = {piece.id for piece in in_sight(self.here, self.eye)}
            first = rules.apply(self.here, actor, action, SEED)
            other = action if actor == self.eye else renamed(action, actor, self.to)
            try:
                second = rules.apply(self.there, actor, other, SEED)
            except Illegal:
                assert actor != self.eye, f"eye {self.eye} is refused what it may do in the other game"
                break
            if first.position.end != End.ON:  # then everything is shown
                assert first.position.end == second.position.end
                return came
            here, there = received(first, self.eye), received(second, self.eye)
            assert here == there, f"eye {self.eye} can tell who is who"
            self.here, self.there = first.position, second.position
            came += len({piece.id for piece in in_sight(self.here, self.eye)} - seen)
        assert asked(self.here, self.eye) == asked(self.there, self.eye), f"eye {self.eye} is answered otherwise"
        return came


def asked(position: Position, eye: int) -> Any:
    """Return what an eye may do in a position, how that is written, and its scene."""
    view = GAME.view(position, None if eye == SPECTATOR else eye)
    legal = GAME.actions(view)
    return legal, [(GAME.write(view, action), GAME.choice(view, action)) for action in legal[::7]], GAME.scene(view)


def received(step: Any, eye: int) -> Any:
    """Return what an eye is told of a step."""
    seat = None if eye == SPECTATOR else eye
    shown = [event for event in (GAME.show(event, seat) for event in step.events) if event is not None]
    return GAME.codec.encode(Kind.VIEW, GAME.view(step.position, seat)), [GAME.codec.encode(Kind.EVENT, event) for event in shown]


def some_action(dice: random.Random, position: Position) -> Action | None:
    """Return an action, often the end of the Turn or a Move of what can hide or find the hidden."""
    perspective = Perspective(GAME.view(position, position.active))
    if position.end != End.ON or (perspective.turn.mover and dice.random() < 0.7):
        return EndTurn() if position.end == End.ON else None
    moves = list(move_execution.moves(perspective))
    likely = [each for each in moves if perspective.field.pieces[each.piece].kind in ELUSIVE]
    if likely and dice.random() < 0.8:
        return dice.choice(likely)
    found = kind_of_action(perspective, dice) or moves
    return dice.choice(found) if found else EndTurn()


def swapped(position: Position, eye: int, dice: random.Random) -> tuple[Position, dict[int, int]]:
    """Return the position in which like pieces that an eye does not see have each other's ids, and which became which."""
    seen = {piece.id for piece in in_sight(position, eye)}
    like: dict[Any, list[int]] = {}
    for piece in position.pieces:
        if piece.id not in seen:
            like.setdefault((piece.kind, piece.hand, piece.seat, piece.id > WHITE_IDS), []).append(piece.id)
    to = {number: other for ids in like.values() for number, other in zip(ids, dice.sample(ids, len(ids)), strict=True)}
    return renumbered(position, eye, to), to


def crowd(dice: random.Random) -> Position:
    """Return an edited board with many like pieces that can hide, among those that find them."""
    options = Options(
        competitive=True,  # elsewhere the history is open
        stealth_lock_on=dice.random() < 0.3,
        stealth_range_detect=True,
        stealth_detector_range=dice.randrange(1, 4),
        submergence_detector_range=dice.randrange(3),
        homing_range=9,
    )
    field = Field(())
    counts = [0, WHITE_IDS]
    for seat in (0, 1):
        for sort in (Sort.KING, *dice.choices((Sort.AAA, Sort.AAA, Sort.SUB, Sort.STEALTH_PAWN), k=9)):
            level = SUB if sort == Sort.SUB and dice.random() < 0.7 else GROUND
            carried = (Carried(Article.TORPEDO),) if dice.random() < 0.2 else ()
            place = place_of(10 * dice.randrange(2, 7) + dice.randrange(2, 8), level)
            made = Piece(counts[seat] + 1, seat, sort, place, articles=carried)
            if field.room_for(made, place):
                counts[seat] += 1
                field.put(made)
    ply = dice.choice((3, 4))
    pieces = tuple(first_locks(list(field.in_order()), options, ply))
    start = Position(options, pieces, ply=ply, first_line=ply, edited=True)
    return start._replace(called=first_called(start))


def twins(numbers: Iterable[int]) -> Iterator[Twins]:
    """Yield games with hidden twins, of edited boards and of the standard one."""
    for number in numbers:
        dice = random.Random(number)
        is_standard = number % 4 == 0
        options = Options(competitive=True, stealth_detector_range=3)
        here = new(options, 2, None, SEED).position if is_standard else crowd(dice)
        for _ in range(dice.randrange(60) if is_standard else dice.randrange(20)):
            action = some_action(dice, here)
            if action is not None:
                here = rules.apply(here, here.active, action, SEED).position
        eye = dice.choice((0, 1, SPECTATOR))
        there, to = swapped(here, eye, dice)
        if there != here and here.end == End.ON:
            yield Twins(eye, here, there, to, dice)
