"""Orders through a whole deployment: a session service that is killed loses none, and plays none twice."""

import pytest

from brettwerk.v1 import emperado_pb2, orders_pb2, play_pb2, sessions_pb2
from tests.e2e.stranger import Stranger, me, new_id, nobody

pytestmark = pytest.mark.e2e


def order(kind: str, turns: int, **values: int) -> orders_pb2.Order:
    found = [orders_pb2.OrderValue(key=key, numbers=[value]) for key, value in values.items()]
    return orders_pb2.Order(of_game=orders_pb2.GameOrder(kind=kind, values=found), max_turns=turns)


def give(player: Stranger, session: str, token: str, *orders: orders_pb2.Order) -> orders_pb2.SetOrdersResponse:
    request = orders_pb2.SetOrdersRequest(session_id=session, seat_token=token, request_id=new_id(), orders=orders)
    answer: orders_pb2.SetOrdersResponse = player.stub.SetOrders(
        request, metadata=player.metadata, timeout=20, wait_for_ready=True
    )
    return answer


def known(player: Stranger, session: str, token: str) -> orders_pb2.GetOrdersResponse:
    asked = orders_pb2.GetOrdersRequest(session_id=session, seat_token=token)
    answer: orders_pb2.GetOrdersResponse = player.stub.GetOrders(asked, metadata=player.metadata, timeout=20, wait_for_ready=True)
    return answer


def owned(player: Stranger, session: str, token: str, seat: int) -> int:
    """Return the first country of a seat."""
    view = emperado_pb2.EmperadoView.FromString(player.look(session, token).view.value)
    return list(view.position.owners).index(seat + 1)


def test_orders_survive_a_kill_and_are_played_once(own_deployment):
    ada, ben = Stranger(own_deployment.grpc_address, "Ada"), Stranger(own_deployment.grpc_address, "Ben")
    request = play_pb2.CreateSessionRequest(game="emperado", seats=[me(), nobody()], request_id=new_id())
    created = ada.stub.CreateSession(request, metadata=ada.metadata, timeout=20)
    session, hers = created.session.id, created.grants[0].seat_token
    his = ben.join(session).seat_token
    version = ada.look(session).version
    watched = ada.updates(session, hers, after_version=version)
    given = give(ben, session, his, order("place", 2, countries=owned(ben, session, his, 1)), order("end_turn", 2)).orders
    assert [each.id for each in given] == [1, 2]
    own_deployment.kill("session")
    own_deployment.wait("session")
    assert list(known(ben, session, his).orders) == list(given)
    turn = (order("place", 1, countries=owned(ada, session, hers, 0)), order("end_turn", 1))
    assert give(ada, session, hers, *turn).version == version + 4
    own_deployment.kill("session")
    own_deployment.wait("session")
    left = known(ben, session, his)
    assert [(each.id, each.actions, each.turns) for each in left.orders] == [(1, 1, 1), (2, 1, 1)]
    assert [each.version for each in left.reports] == [version + 3, version + 4]
    assert give(ada, session, hers, *turn).version == version + 8
    assert not known(ben, session, his).orders
    seen = [next(watched) for _ in range(8)]
    assert [update.version for update in seen] == [*range(version + 1, version + 9)]
    assert {update.happening.kind for update in seen} == {sessions_pb2.Happening.KIND_ACTED}
    ada.close()
    ben.close()
