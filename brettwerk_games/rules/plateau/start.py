"""The beginning: the formation, who begins, and start positions that somebody edited (EP-BOARD-8, EP-TURN-1, EP-START-1)."""

from dataclasses import replace

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.plateau import turns
from brettwerk_games.rules.plateau.actions import Event
from brettwerk_games.rules.plateau.board import Setup, setup
from brettwerk_games.rules.plateau.options import First, Options, Shape
from brettwerk_games.rules.plateau.position import MAX_SEATS, Position
from brettwerk_games.rules.plateau.rules import END_RULE
from brettwerk_games.rules.refusals import Illegal, Malformed


def new(options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the first position: the formation or the start position, with the turn of who begins.

    A start position takes the place of the lot; its turn starts again (EP-START-1). Raises Malformed for a wrong number of
    seats, Illegal for a board that so many cannot play on and for a start position that nobody can play on from.

    >>> new(Options(), 2, None, SEED).position.turn.due
    6
    >>> new(Options(alliance=True), 2, None, SEED)
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: an alliance needs four seats
    """
    there = formation(options, seats)
    if options.alliance and seats != MAX_SEATS:
        raise Illegal("an alliance needs four seats", rule="EP-MULTI-8")
    if options.first - First.BABYLON >= seats:
        raise Illegal("the side to begin is not playing", rule="EP-TURN-1")
    if start is not None:
        return _from(start, options, seats)
    first = Dice(seed, "first").below(seats) if options.first == First.LOT else options.first - First.BABYLON
    return Step(*turns.begin(Position(options, there.armies, first)))


def formation(options: Options, seats: int) -> Setup:
    """Return the board with bases and armies that so many begin with (EP-BOARD-2, EP-BOARD-8, EP-BOARD-9).

    Raises Malformed for a wrong number of seats, Illegal for a board that so many cannot play on.

    >>> formation(Options(), 2).bases
    (0, 8)
    """
    if not 2 <= seats <= MAX_SEATS:
        raise Malformed("two to four play this game", field="seats")
    there = setup(options.size, options.shape, seats)
    if there is None:
        rule = "EP-BOARD-9" if options.shape == Shape.FLAT else "EP-BOARD-2"
        raise Illegal(f"this board is not for {seats}", rule=rule)
    return there


def new_by(rules_version: str, options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the same as the first revision of the rules has it, which does not count turns.

    >>> print(new_by("1", Options(), 2, None, SEED).position.turns)
    None
    """
    step = new(options, seats, start, seed)
    return replace(step, position=step.position._replace(turns=None))


def rematch_options(options: Options, first: Position) -> Options:
    """Return the options of a rematch: the lot is not drawn again, the seat that began begins once more (EP-TURN-1).

    Everybody sits one seat further on in a rematch, so it is somebody else who begins, and in turn everybody.

    >>> rematch_options(Options(), position).first
    <First.BABYLON: 2>
    """
    if options.first != First.LOT:
        return options
    return options._replace(first=First(First.BABYLON + first.to_move))


def _from(start: Position, options: Options, seats: int) -> Step[Position, Event]:
    if start.end is not None:
        raise Illegal("the start position is from a game that has ended", rule=END_RULE[start.end])
    if len(start.armies) != seats:
        raise Illegal(f"the start position is for {len(start.armies)}", rule="EP-START-1")
    if (start.board, start.options.alliance) != (setup_board(options, seats), options.alliance):
        raise Illegal("the start position has another board or other sides", rule="EP-START-1")
    after, events = turns.begin(start._replace(options=options, history=(), turns=0))
    if after.end is not None:
        raise Illegal("nobody can make a step from the start position", rule="EP-START-1")
    return Step(after, events)


def setup_board(options: Options, seats: int) -> object:
    """Return the board of the options, to compare.

    >>> setup_board(Options(), 2) == position.board
    True
    """
    there = setup(options.size, options.shape, seats)
    return there and there.board
