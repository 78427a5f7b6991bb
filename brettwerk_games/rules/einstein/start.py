"""The beginning: who moves first, how the stones stand, the first roll, and start positions that somebody edited."""

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.einstein.actions import Arranged, Event, Rolled
from brettwerk_games.rules.einstein.board import ARRANGEMENTS, BLACK, GOAL, STANDARD, WHITE
from brettwerk_games.rules.einstein.options import First, Options, Setup
from brettwerk_games.rules.einstein.position import (
    ALL_GONE,
    ARRANGED,
    BOTH_ARRANGE,
    GONE,
    Position,
    arranged,
    needs_roll,
)
from brettwerk_games.rules.einstein.rules import END_RULE
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Illegal, Malformed


def new(options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the first position: set up and rolled for, or waiting for Black's arrangement (EWN-BOARD-3, EWN-BOARD-4).

    A start position takes the place of set-up and lot (EWN-START-1). Raises Malformed for a wrong number of seats, Illegal
    for a start position that nobody can play on from.

    >>> step = new(Options(), 2, None, SEED)
    >>> step.events, step.position.to_move
    ((Rolled(roll=3),), 0)
    >>> new(Options(setup=Setup.CHOSEN), 2, None, SEED).position.to_move == BLACK
    True
    """
    if seats != 2:
        raise Malformed("two play this game", field="seats")
    if start is not None:
        return _from(start, options, seed)
    first = _first(options.first, seed)
    blank = Position(
        (ALL_GONE, ALL_GONE), first=first, show_roll=options.show_roll, first_option=options.first, setup=options.setup
    )
    if options.setup == Setup.CHOSEN:
        return Step(blank._replace(to_move=BLACK, arranging=BOTH_ARRANGE))
    events: tuple[Event, ...] = ()
    white: tuple[int, ...] = STANDARD[WHITE]
    black: tuple[int, ...] = STANDARD[BLACK]
    if options.setup == Setup.RANDOM:
        dice = Dice(seed, "setup")
        black, white = (ARRANGEMENTS[dice.below(len(ARRANGEMENTS))] for _ in (BLACK, WHITE))
        events = (Arranged(BLACK, black), Arranged(WHITE, white))
    stones = (arranged(WHITE, white), arranged(BLACK, black))
    roll = Dice(seed, "roll").roll()
    return Step(blank._replace(stones=stones, to_move=first, roll=roll), (*events, Rolled(roll)))


def _first(first: First, seed: bytes) -> int:
    if first == First.LOT:
        return Dice(seed, "first").below(2)
    return WHITE if first == First.WHITE else BLACK


def _from(start: Position, options: Options, seed: bytes) -> Step[Position, Event]:
    if start.end is not None:
        raise Illegal("the start position is from a game that has ended", rule=END_RULE[start.end])
    if start.arranging != ARRANGED:
        raise Illegal("the stones of a start position are on the board", rule="EWN-START-1")
    for seat, side in enumerate(start.stones):
        if side == ALL_GONE:
            raise Illegal("each side needs a stone", rule="EWN-END-2")
        if GOAL[seat] in side:
            raise Illegal("a stone stands in the corner where it wins", rule="EWN-END-1")
    standing = [square for side in start.stones for square in side if square != GONE]
    if len(set(standing)) < len(standing):
        raise Illegal("two stones stand on one square", rule="EWN-START-1")
    mover = start.stones[start.to_move]
    if start.roll and not needs_roll(mover):
        raise Illegal("a side with one stone does not roll", rule="EWN-TURN-5")
    ready = start._replace(first=start.to_move, show_roll=options.show_roll, first_option=options.first, setup=options.setup)
    if start.roll or not needs_roll(mover):
        return Step(ready, (Rolled(start.roll),) if start.roll else ())
    roll = Dice(seed, "roll").roll()
    return Step(ready._replace(roll=roll), (Rolled(roll),))
