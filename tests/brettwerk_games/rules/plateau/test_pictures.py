"""Bytes that are put together of parts against messages that are made field by field, in random games with all options."""

import pytest

from brettwerk.v1 import sessions_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.codec import PlateauCodec
from brettwerk_games.rules.plateau.position import End, View, all_of
from tests.brettwerk_games.rules.plateau.boards import stand
from tests.brettwerk_games.rules.plateau.plain import games, listed_message, position_message, view_message
from tests.night import by_day

CODEC = PlateauCodec()
GAMES, PLIES = 12, 60


@pytest.mark.parametrize("number", by_day(range(GAMES), 0, 1, 2))
def test_positions_views_and_lists_are_the_bytes_of_their_messages(number: int) -> None:
    for position, legal in games(number, PLIES):
        stored = CODEC.encode(Kind.POSITION, position)
        assert stored == position_message(position).SerializeToString(deterministic=True)
        assert CODEC.decode(Kind.POSITION, stored) == position
        views = [View(position, seat) for seat in (*range(len(position.armies)), None)]
        in_parts = CODEC.encode_views(views, stored)
        for view, parts in zip(views, in_parts, strict=True):
            sent = view_message(view)
            for encoded in (CODEC.encode(Kind.VIEW, view), b"".join(parts)):
                assert (type(sent).FromString(encoded), len(encoded)) == (sent, sent.ByteSize())  # in any order of fields
        first = in_parts[0]
        assert all(parts[0] is first[0] and parts[2] is first[2] for parts in in_parts), "what all see alike is made once"
        acting = View(position, position.to_move)
        whole = listed_message(acting, legal).SerializeToString(deterministic=True)
        assert CODEC.encode_choices(acting, legal, sessions_pb2.Update.ACTIONS_FIELD_NUMBER) == whole


def test_games_by_lot_meet_what_is_rare() -> None:
    met = set()
    for number in range(GAMES):
        for position, legal in games(number, PLIES):
            met |= {f"{len(position.armies)} seats", f"order {position.turn.order}", *(["fallen"] if position.fallen else [])}
            met |= {"flat"} if not position.board.wrap else set()
            met |= {"ended"} if position.end == End.CONQUEST else set()
            met |= {"alliance"} if position.options.alliance else set()
            for action in legal:
                if isinstance(action, EndTurn):
                    met.add("end of a turn")
                elif action.source == 0 or action.target == 0:
                    met.add("node 0")
    wanted = {"2 seats", "3 seats", "4 seats", "flat", "fallen", "ended", "alliance", "end of a turn", "node 0"}
    assert wanted | {f"order {order}" for order in range(5)} <= met


def test_the_first_and_the_last_node_and_a_capture_are_shown() -> None:
    position = stand("E@B1 6@K15 4@J16", "E@A9 2@A1 2@K16")
    legal = tuple(GAME.actions(View(position, 0)))
    ends = {(move.source, move.target) for move in legal if isinstance(move, Move)}
    taken = all_of(position.armies[1])
    assert {target for _, target in ends if taken >> target & 1} >= {0, 175}
    assert {source for source, _ in ends} == {node for army in Army for node in _nodes(position.armies[0][army])}
    view = View(position, 0)
    field = sessions_pb2.Update.ACTIONS_FIELD_NUMBER
    assert CODEC.encode_choices(view, legal, field) == listed_message(view, legal).SerializeToString(deterministic=True)


def _nodes(nodes: int) -> list[int]:
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]
