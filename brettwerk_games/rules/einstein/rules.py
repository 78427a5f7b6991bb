"""The turn: which stone, which square, what is captured, who has won. Every refusal names its rule."""

from collections.abc import Sequence

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.einstein.actions import Action, Arrange, Arranged, Ended, Event, Move, Moved, Rolled
from brettwerk_games.rules.einstein.board import ARRANGEMENTS, GOAL, SQUARES, STANDARD, STONES, TARGETS, WHITE
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import (
    ALL_GONE,
    ARRANGED,
    BOTH_ARRANGE,
    GONE,
    WHITE_ARRANGES,
    End,
    Position,
    Side,
    View,
    arranged,
    code,
    needs_roll,
)
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.optional import OddsTable
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.turn_game import Turns

_ARRANGE = tuple(Arrange(numbers) for numbers in ARRANGEMENTS)
_ARRANGEABLE = frozenset(_ARRANGE)
_MOVES = tuple(
    tuple(tuple(tuple(Move(stone, target) for target in targets) for targets in by_square) for stone in range(1, STONES + 1))
    for by_square in TARGETS
)
"""By seat, stone - 1 and square: the moves of a stone that stands there."""
_ANY_ROLL = 1
"""It stands where a roll is needed until there is one."""

END_RULE = {End.CORNER: "EWN-END-1", End.CAPTURE: "EWN-END-2", End.RESIGNED: "EWN-END-3", End.TIME: "EWN-END-3"}
"""The rule by which a game ended."""
TURNS = Turns(
    end_rules=END_RULE,
    rule="EWN-TURN-1",
    message="the other side is to act",
    resigned=End.RESIGNED,
    time=End.TIME,
    no_draw="EWN-END-2",
)


def candidates(side: Side, roll: int) -> tuple[int, ...]:
    """Return the stones of a side of which one must move, in order (EWN-TURN-3 to EWN-TURN-5).

    A roll of 0 stands for none: then the side's only stone is the answer, and nothing when it has more or none.

    >>> candidates(position.stones[0], 3)
    (3,)
    >>> candidates((19, GONE, GONE, 22, 24, 23), 3)
    (1, 4)
    """
    if roll and side[roll - 1] != GONE:
        return (roll,)
    standing = [stone for stone, square in enumerate(side, 1) if square != GONE]
    if not roll:
        return tuple(standing) if len(standing) == 1 else ()
    lower = [stone for stone in standing if stone < roll]
    higher = [stone for stone in standing if stone > roll]
    return tuple(lower[-1:] + higher[:1])


def moves(position: Position) -> tuple[Move, ...]:
    """Return what the side to move may play with the roll that stands, by stone and then by square.

    >>> position.roll, moves(position)
    (3, (Move(stone=3, target=12), Move(stone=3, target=13), Move(stone=3, target=17)))
    """
    side, tables = position.stones[position.to_move], _MOVES[position.to_move]
    roll = position.roll
    if roll and (square := side[roll - 1]) != GONE:
        return tables[roll - 1][square]
    found: tuple[Move, ...] = ()
    for stone in candidates(side, roll):
        found += tables[stone - 1][side[stone - 1]]
    return found


def play(position: Position, move: Move, roll: int) -> tuple[Position, Moved]:
    """Return the position after a legal move, and the move as it happened. Chance is not asked: `roll` is the next side's.

    The roll is dropped where none is needed: when the next side has one stone left (EWN-TURN-5) or the game has ended.

    >>> after, moved = play(position, moves(position)[0], roll=5)
    >>> moved
    Moved(seat=0, stone=3, source=18, target=12, captured=0)
    >>> after.to_move, after.roll
    (1, 5)
    """
    seat = position.to_move
    stone, target = move
    own, other = position.stones[seat], position.stones[1 - seat]
    source, captured = own[stone - 1], 0
    if target in other:
        taken = other.index(target)
        other = (*other[:taken], GONE, *other[taken + 1 :])
        captured = code(1 - seat, taken + 1)
    elif target in own:
        taken = own.index(target)
        own = (*own[:taken], GONE, *own[taken + 1 :])
        captured = code(seat, taken + 1)
    own = (*own[: stone - 1], target, *own[stone:])
    end = End.CORNER if target == GOAL[seat] else End.CAPTURE if other == ALL_GONE else None
    after = Position(
        (own, other) if seat == WHITE else (other, own),
        1 - seat if end is None else seat,
        roll if end is None and needs_roll(other) else 0,
        position.first,
        ARRANGED,
        None if end is None else seat,
        end,
        position.show_roll,
        position.first_option,
        position.setup,
    )
    return after, Moved(seat, stone, source, target, captured)


def legal(position: Position) -> Sequence[Action]:
    """Return what the side to act may do: 720 arrangements, or its moves by stone and then by square.

    >>> [move.target for move in legal(position)]
    [12, 13, 17]
    """
    return _ARRANGE if position.arranging else moves(position)


def act(position: Position, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action of the side to act makes. Raises Illegal with the rule that forbids it.

    >>> step = act(position, moves(position)[0], SEED)
    >>> step.events
    (Moved(seat=0, stone=3, source=18, target=12, captured=0), Rolled(roll=3))
    """
    require_legal(position, action)
    if isinstance(action, Arrange):
        return _arrange(position, action, seed)
    seat = position.to_move
    after, moved = play(position, action, _ANY_ROLL)
    events: tuple[Event, ...] = (moved,)
    if after.end is not None:
        events = (moved, Ended(seat, after.end))
    elif after.roll:
        after = after._replace(roll=Dice(seed, "roll").roll())
        events = (moved, Rolled(after.roll))
    return Step(after, events)


def _arrange(position: Position, action: Arrange, seed: bytes) -> Step[Position, Event]:
    seat = position.to_move
    white, black = position.stones
    event = Arranged(seat, action.stones)
    if position.arranging == BOTH_ARRANGE:
        stones = (white, arranged(seat, action.stones))
        return Step(position._replace(stones=stones, arranging=WHITE_ARRANGES, to_move=WHITE), (event,))
    roll = Dice(seed, "roll").roll()
    stones = (arranged(seat, action.stones), black)
    return Step(position._replace(stones=stones, arranging=ARRANGED, to_move=position.first, roll=roll), (event, Rolled(roll)))


def require_legal(position: Position, action: Action) -> None:
    """Raise Illegal with the rule that forbids the action to the side to move.

    >>> require_legal(position, Move(stone=6, target=20))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: stone 6 may not move, only 3
    """
    if isinstance(action, Arrange) or position.arranging:
        if not position.arranging:
            raise Illegal("the stones have already been arranged", rule="EWN-BOARD-4")
        if action not in _ARRANGEABLE:
            raise Illegal("the stones must be arranged first, each number once", rule="EWN-BOARD-4")
        return
    if action not in moves(position):
        raise _why_not(position, action)


def _why_not(position: Position, move: Move) -> Illegal:
    side, roll = position.stones[position.to_move], position.roll
    allowed = candidates(side, roll)
    if not allowed:
        return Illegal("no die has been rolled for this position", rule="EWN-TURN-2")
    if move.stone not in allowed:
        stones = " / ".join(map(str, allowed))
        details = {"roll": str(roll), "stone": str(move.stone), "allowed": stones}
        rule = "EWN-TURN-5" if not roll else "EWN-TURN-3" if roll in allowed else "EWN-TURN-4"
        return Illegal(f"stone {move.stone} may not move, only {stones}", rule=rule, details=details)
    source = side[move.stone - 1]
    targets = ", ".join(SQUARES[square] for square in TARGETS[position.to_move][source])
    target = SQUARES[move.target] if 0 <= move.target < len(SQUARES) else "?"
    details = {"stone": str(move.stone), "source": SQUARES[source], "target": target, "targets": targets}
    return Illegal(f"a stone on {SQUARES[source]} may go only to {targets}", rule="EWN-MOVE-1", details=details)


def over(position: Position, end: End, winner: int | None) -> Step[Position, Event]:
    """Return the step in which a side has won because the other one gave up or has no time left (EWN-END-3).

    >>> over(position, End.TIME, winner=1).events
    (Ended(winner=1, end=<End.TIME: 4>),)
    """
    assert winner is not None, "there is no draw (EWN-END-2)"
    return Step(position._replace(winner=winner, end=end, roll=0), (Ended(winner, end),))


def reoption(position: Position, options: Options) -> Step[Position, Event]:
    """Return the step with other options, of which only `show_roll` can change. Raises Illegal with the rule's id.

    >>> reoption(position, Options(show_roll=True)).position.show_roll
    True
    >>> reoption(position, Options(setup=Setup.CHOSEN))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: the set-up is settled before the start
    """
    if options.first != position.first_option:
        raise Illegal("who moves first is settled before the start", rule="EWN-TURN-1")
    if options.setup != position.setup:
        raise Illegal("the set-up is settled before the start", rule="EWN-BOARD-4")
    return Step(position._replace(show_roll=options.show_roll))


def due(view: View) -> Action:
    """Return what is played when the time of a turn is over: the standard arrangement, or the first move (EWN-TIME-1).

    Raises Illegal where no die has been rolled.

    >>> due(view)
    Move(stone=3, target=12)
    """
    if view.position.arranging:
        return Arrange(STANDARD[view.position.to_move])
    legal = moves(view.position)
    if not legal:
        raise Illegal("no die has been rolled for this position", rule="EWN-TURN-2")
    return legal[0]


def odds_tables() -> tuple[OddsTable, ...]:
    """Return the chance that a stone may be moved, by the next lower stone (row; 0: none) and the next higher (column; 7: none).

    A roll whose stone is gone lets the next lower or the next higher one move, so every roll between the two will do.

    >>> odds_tables()[0].values[3][3]  # a 4 whose neighbours are 3 and 5 moves by its own roll alone
    0.16666666666666666
    """
    rows, columns = tuple(range(STONES)), tuple(range(2, STONES + 2))
    values = tuple(tuple((high - low - 1) / STONES if high - low > 1 else -1.0 for high in columns) for low in rows)
    return (OddsTable("mobility", rows, columns, values, chances=True),)
