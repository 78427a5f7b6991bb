"""The board and the actions in words, for clients and screen readers that know no game."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from brettwerk_games.rules.board import Board, BoardGroup, BoardPattern, BoardPlace
from brettwerk_games.rules.einstein.actions import Action, Arrange
from brettwerk_games.rules.einstein.board import BLACK, GOAL, SIZE, SQUARES, START_SQUARES, TARGETS, WHITE
from brettwerk_games.rules.einstein.notation import captures
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import GONE, Position, View, squares, stone_of
from brettwerk_games.rules.einstein.rules import TURNS, candidates, legal, moves
from brettwerk_games.rules.interface import Choice, Effect, Scene, Text, Thing
from brettwerk_games.rules.optional import Group
from brettwerk_games.rules.scenes import number_text, placed

_PLACES = tuple(placed(SIZE, square, name, Text("place.empty", {"square": name})) for square, name in enumerate(SQUARES))
_TURN, _ROLL, _WHITE_STONES, _BLACK_STONES = map(Text, ("fact.turn", "fact.roll", "fact.stones.0", "fact.stones.1"))
_STONE = itemgetter(0)
_ARRANGING = "arranging"


def board_of(options: Options, seats: int) -> Board:
    """Return the squares, each with those that a stone of either side comes from or goes to, and each side's goal and start."""
    return _BOARD


def _board() -> Board:
    nearby = [{*TARGETS[WHITE][square], *TARGETS[BLACK][square]} for square in range(len(SQUARES))]
    places = [
        BoardPlace(square, name, square % SIZE, square // SIZE, tuple(sorted(nearby[square])))
        for square, name in enumerate(SQUARES)
    ]
    groups = [BoardGroup(f"goal.{seat}", (GOAL[seat],), f"place.goal.{seat}", owner=seat) for seat in (WHITE, BLACK)]
    groups += [
        BoardGroup(f"start.{seat}", tuple(sorted(START_SQUARES[seat])), f"place.start.{seat}", owner=seat)
        for seat in (WHITE, BLACK)
    ]
    # From a side's own corner all of its steps are possible.
    corners = [max(START_SQUARES[WHITE]), min(START_SQUARES[BLACK])]
    patterns = [
        BoardPattern(f"stone.{seat}", (seat,), tuple((_offset(corner, target),) for target in TARGETS[seat][corner]))
        for seat, corner in enumerate(corners)
    ]
    return Board(tuple(places), tuple(groups), tuple(patterns), SIZE, SIZE)


def _offset(source: int, target: int) -> tuple[int, int]:
    (row, column), (to_row, to_column) = divmod(source, SIZE), divmod(target, SIZE)
    return to_column - column, to_row - row


_BOARD = _board()


def choice(view: View, action: Action) -> Choice:
    """Return a move as its two squares, an arrangement as a button."""
    if isinstance(action, Arrange):
        return Choice((), Text("choice.arrange", {"numbers": " ".join(map(str, action.stones))}))
    position = view.position
    square = position.stones[position.to_move][action.stone - 1]
    source = SQUARES[square] if square != GONE else "?"
    target = SQUARES[action.target]
    takes = captures(position, action)
    label = Text("choice.capture" if takes else "choice.move", {"stone": str(action.stone), "source": source, "target": target})
    return Choice((source, target), label, (Effect.TAKES,) if takes else ())


def groups(position: Position) -> Sequence[Group]:
    """Return the legal actions stone by stone: the same ones with the same roll, source and captures are described alike."""
    if position.arranging:
        arrangements = legal(position)
        return (Group(_ARRANGING, len(arrangements), lambda: arrangements),)
    found = moves(position)
    if not found:
        return ()
    own, (white, black) = position.stones[position.to_move], position.stones
    listed = []
    for same in (found,) if found[0].stone == found[-1].stone else [tuple(of_stone) for _, of_stone in groupby(found, _STONE)]:
        captured = tuple([target in white or target in black for _, target in same])
        listed.append(Group((position.roll, own[same[0].stone - 1], captured, same), len(same), partial(tuple, same)))
    return listed


def scene(view: View) -> Scene:
    """Return the board, every square with what is spoken for it, and the facts beside it.

    The roll is always among the facts; whether it is drawn is for the client to decide (EWN-UI-4).
    """
    position = view.position
    movable = candidates(position.stones[position.to_move], position.roll) if position.winner is None else ()
    places = list(_PLACES)
    for square, code in enumerate(squares(position)):
        if code:
            seat, stone = stone_of(code)
            number = {"number": str(stone)}
            what = "candidate" if seat == position.to_move and stone in movable else "stone"
            label = Text(f"place.{what}.{seat}", {"square": SQUARES[square], **number})
            thing = Thing(str(stone), Text(f"stone.{seat}", number), seat)
            places[square] = placed(SIZE, square, SQUARES[square], label, thing)
    return Scene(SIZE, SIZE, tuple(places), _facts(position))


def _facts(position: Position) -> tuple[tuple[Text, Text], ...]:
    left = [number_text(sum(square != GONE for square in side)) for side in position.stones]
    counts = ((_WHITE_STONES, left[WHITE]), (_BLACK_STONES, left[BLACK]))
    if position.end:
        return (TURNS.beside(position), *counts)
    if position.arranging:
        return ((_TURN, Text(f"fact.arranges.{position.to_move}")), *counts)
    roll = number_text(position.roll) if position.roll else Text("fact.roll.none")
    return (TURNS.beside(position), (_ROLL, roll), *counts)
