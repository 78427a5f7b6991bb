"""News of what an arbiter ruled, in a whole deployment whose players and session services are killed in between."""

import pytest

from brettwerk.v1 import arbiters_pb2, news_pb2, record_pb2
from deploy.local.deployment import Deployment
from tests.e2e.stranger import Stranger, eventually, new_id, nobody
from tests.e2e.test_substitutes import until_answered

pytestmark = pytest.mark.e2e

CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=3_600_000)


def news_of(player: Stranger) -> list[news_pb2.News]:
    """Return a player's news so far."""

    def asked() -> list[news_pb2.News]:
        stream = player.stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=player.metadata, timeout=5)
        first = next(response for response in stream if response.HasField("resync"))
        stream.cancel()
        return list(first.resync.news)

    found: list[news_pb2.News] = until_answered(asked)
    return found


def reasons(player: Stranger) -> list[str]:
    return [one.ruling.reason for one in news_of(player) if one.kind == news_pb2.News.KIND_RULED]


def test_rulings_reach_the_players_once_whatever_is_killed(own_deployment: Deployment) -> None:
    ruth, ada, ben = (Stranger(own_deployment.grpc_address, name) for name in ("Ruth", "Ada", "Ben"))
    session, _ = ruth.create(nobody(), nobody(), clock=CLOCK, arbiter=True)
    for player in (ada, ben):
        player.join(session.id)

    def rule(reason: str, **ruling: object) -> None:
        asked = arbiters_pb2.RuleAsArbiterRequest(
            session_id=session.id,
            ruling=record_pb2.Ruling(reason=reason, **ruling),  # type: ignore[arg-type]
            request_id=new_id(),
        )
        until_answered(lambda: ruth.stub.RuleAsArbiter(asked, metadata=ruth.metadata, timeout=5))

    own_deployment.kill("players")
    rule("Fire alarm", pause=True)
    eventually(lambda: [reasons(player) for player in (ada, ben)] == [["Fire alarm"]] * 2, within_s=60)
    own_deployment.kill("session")
    rule("False alarm", pause=False)
    eventually(lambda: reasons(ada) == ["Fire alarm", "False alarm"], within_s=60)
    rule("Nobody came back", forfeited_seat=0)
    wanted = ["Fire alarm", "False alarm", "Nobody came back"]
    eventually(lambda: [reasons(player) for player in (ada, ben)] == [wanted] * 2, within_s=60)
    own_deployment.kill("players")
    assert [reasons(player) for player in (ada, ben)] == [wanted] * 2
    assert reasons(ruth) == []
    last = news_of(ben)[-1]
    assert (last.session_id, last.seat, last.ruling.forfeited_seat) == (session.id, 1, 0)
    for player in (ruth, ada, ben):
        player.close()
