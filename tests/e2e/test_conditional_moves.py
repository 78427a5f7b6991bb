"""Conditional moves through a whole deployment: nobody else hears of them, and a session service that is killed loses none."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import plateau_pb2, play_pb2, sessions_pb2
from tests.e2e.stranger import Stranger, me, new_id, nobody

pytestmark = pytest.mark.e2e


def game(player: Stranger, *seats: play_pb2.SeatWish) -> tuple[str, dict[int, str]]:
    """Return a game of Empire Plateau that its first seat begins, and the tokens of the player's seats."""
    options = AnyMessage()
    options.Pack(plateau_pb2.PlateauOptions(first=plateau_pb2.PLATEAU_FIRST_BABYLON))
    request = play_pb2.CreateSessionRequest(game="plateau", seats=seats, options=options, request_id=new_id())
    response = player.stub.CreateSession(request, metadata=player.metadata, timeout=20)
    return response.session.id, {grant.seat: grant.seat_token for grant in response.grants}


def two_turns(player: Stranger) -> list[pb.ConditionalMove]:
    """Return a turn of the first seat and one of the second, as they were played at a table of the player's own."""
    session, seats = game(player, me(), me())
    moves: list[pb.ConditionalMove] = []
    while True:
        (seat,) = player.look(session).to_act
        if seat == 0 and moves and moves[-1].seat == 1:
            return moves
        update = player.look(session, seats[seat])
        moves.append(pb.ConditionalMove(seat=seat, action=update.actions[0].action))
        player.act(update, seats[seat])


def test_lines_are_kept_secret_survive_a_kill_and_are_played(own_deployment):
    ada, ben = Stranger(own_deployment.grpc_address, "Ada"), Stranger(own_deployment.grpc_address, "Ben")
    moves = two_turns(ada)
    session, seats = game(ada, me(), nobody())
    token = ben.join(session).seat_token
    version = ada.look(session).version
    watched = ada.updates(session, seats[0], after_version=version)
    line = pb.ConditionalLine(moves=moves)
    prepare = pb.SetConditionalMovesRequest(session_id=session, seat_token=token, expected_version=version, lines=[line])
    answer = ben.stub.SetConditionalMoves(prepare, metadata=ben.metadata, timeout=20)
    assert [move.action for move in answer.lines[0].moves] == [move.action for move in moves]
    mine = [move for move in moves if move.seat == 0]
    act(ada, session, seats[0], mine[0])
    assert next(watched).version == version + 1
    own_deployment.kill("session")
    own_deployment.wait("session")
    asked = pb.GetConditionalMovesRequest(session_id=session, seat_token=token)
    left = ben.stub.GetConditionalMoves(asked, metadata=ben.metadata, timeout=20, wait_for_ready=True)
    assert len(left.lines[0].moves) == len(moves) - 1
    for move in mine[1:]:
        act(ada, session, seats[0], move)
    assert ada.look(session).to_act == [0]
    seen = [next(watched) for _ in moves[1:]]
    assert [update.version for update in seen] == [*range(version + 2, version + len(moves) + 1)]
    assert {update.happening.kind for update in seen} == {sessions_pb2.Happening.KIND_ACTED}
    ada.close()
    ben.close()


def act(player: Stranger, session: str, token: str, move: pb.ConditionalMove) -> None:
    """Play an action as it is listed."""
    update = player.look(session, token)
    player.act(update, token, [choice.action for choice in update.actions].index(move.action))
