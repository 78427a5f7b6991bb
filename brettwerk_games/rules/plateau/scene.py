"""The board and the actions in words, for clients and screen readers that know no game. Round boards are drawn unrolled."""

from collections.abc import Sequence

from brettwerk_games.rules.board import Board, BoardGroup, BoardPlace
from brettwerk_games.rules.interface import Choice, Place, Scene, Text, Thing
from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.actions import Action, EndTurn
from brettwerk_games.rules.plateau.board import LATITUDES, MARK, bits
from brettwerk_games.rules.plateau.notation import takes
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.play import army_to_move
from brettwerk_games.rules.plateau.position import Position, View, all_of, base_of, holder
from brettwerk_games.rules.plateau.rules import TURNS, outcome
from brettwerk_games.rules.plateau.start import formation
from brettwerk_games.rules.scenes import number_text, placed

CHOICE = {"": "choice.move", "x": "choice.capture", "#": "choice.conquer"}
"""By what a move takes (notation.py): the words for it."""
END_CHOICE = Choice((), Text("choice.end"))
"""The end of a turn."""


def board_of(options: Options, seats: int) -> Board:
    """Return the nodes with the lines between them (EP-BOARD-6), and each seat's base; a round board is unrolled.

    Raises what `formation` raises.
    """
    graph, bases, _ = formation(options, seats)
    width = graph.longitudes
    places = tuple(
        BoardPlace(node, graph.names[node], node % width, node // width, tuple(sorted(graph.neighbours[node])))
        for node in bits(graph.nodes)
    )
    groups = tuple(BoardGroup(f"base.{seat}", (base,), f"base.{seat}", owner=seat) for seat, base in enumerate(bases))
    return Board(places, groups, width=width, height=len(LATITUDES))


def choice(view: View, action: Action) -> Choice:
    """Return a move as the nodes of its path, or as its two ends where it has none; the end of the turn as a button."""
    if isinstance(action, EndTurn):
        return END_CHOICE
    position, names = view.position, view.position.board.names
    army = army_to_move(position, action.source)
    places = tuple(names[node] for node in action.path or (action.source, action.target))
    args = {
        "army": "?" if army is None else MARK[army],
        "source": names[action.source],
        "target": names[action.target],
        "steps": str(action.steps),
    }
    return Choice(places, Text(CHOICE[takes(position, action.target)], args))


def scene(view: View) -> Scene:
    """Return all nodes with what is spoken for them, and the facts beside the board."""
    position = view.position
    places = tuple(_place(position, node) for node in bits(position.board.nodes))
    return Scene(len(LATITUDES), position.board.longitudes, places, _facts(position))


def _place(position: Position, node: int) -> Place:
    board = position.board
    name = board.names[node]
    base, stands = base_of(position, node), holder(position, node)
    if stands is None:
        key = "place.empty" if base is None else f"place.base.{base}"
        return placed(board.longitudes, node, name, Text(key, {"node": name}))
    seat, army = stands
    kind = army.name.lower()
    label = Text(f"place.{seat}.{'home' if base == seat else kind}", {"node": name})
    return placed(board.longitudes, node, name, label, Thing(MARK[army], Text(f"army.{seat}.{kind}"), seat))


def _facts(position: Position) -> tuple[tuple[Text, Text], ...]:
    ended = outcome(position)
    if ended:
        return ((Text("fact.result"), ended.reason), *_ranks(ended.places), *_left(position))
    turn = position.turn
    return (
        TURNS.beside(position),
        (Text("fact.small"), Text("fact.of", {"number": str(turn.small), "most": str(budget.MAX_SMALL)})),
        (Text("fact.emblem"), number_text(turn.emblem)),
        (Text("fact.total"), Text("fact.of", {"number": str(turn.total), "most": str(budget.MAX_STEPS)})),
        (Text("fact.called"), number_text(budget.called(turn))),
        (Text("fact.owed"), number_text(max(0, turn.due - turn.total))),
        *_left(position),
    )


def _left(position: Position) -> tuple[tuple[Text, Text], ...]:
    return tuple(
        (Text(f"fact.armies.{seat}"), Text("fact.out") if seat in position.fallen else number_text(all_of(armies).bit_count()))
        for seat, armies in enumerate(position.armies)
    )


def _ranks(places: Sequence[int]) -> tuple[tuple[Text, Text], ...]:
    """Return the places of a game of three or four, the best first (EP-MULTI-1)."""
    order = sorted(range(len(places)), key=places.__getitem__) if len(places) > 2 else ()
    return tuple((Text("fact.rank", {"number": str(places[seat])}), Text(f"seat.{seat}.name")) for seat in order)
