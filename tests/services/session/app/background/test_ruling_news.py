"""Rulings of arbiters are news to the players who are not there, with the reason, and to nobody else."""

from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, record_pb2
from services.session.store import store
from tests.services.session.arbiters import judged, rule, time
from tests.services.session.table import Table
from tests.services.session.watcher import watching


@pytest.fixture(autouse=True)
def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * 86_400_000)  # moments at which nothing happens are skipped; that is no outage


def received(table: Table) -> list[tuple[str, str]]:
    """Return what waits to be told, as players and kinds in the order of the players' news, and forget it."""
    return [(one.player_id, news_pb2.News.Kind.Name(one.news.kind).removeprefix("KIND_")) for one in noted(table)]


def noted(table: Table) -> list[players_pb2.NotedNews]:
    waiting = table.wiring.news_sender._waiting
    found = [one for one in waiting if isinstance(one, players_pb2.NotedNews)]
    waiting.clear()
    return sorted(found, key=lambda one: one.player_id)


async def test_a_game_that_is_stopped_and_restarted_is_news_with_the_reason(table: Table) -> None:
    ruth, (anna, _), session = await judged(table, title="Final")
    noted(table)
    await rule(ruth, session, "Noise", pause=True)
    stopped = noted(table)
    assert [one.player_id for one in stopped] == ["p-anna", "p-ben"], "the arbiter is not told"
    assert stopped[1].news == news_pb2.News(
        kind=news_pb2.News.KIND_RULED,
        session_id=session,
        game="einstein",
        title="Final",
        seat=1,
        at_ms=table.clock.now_ms,
        ruling=record_pb2.Ruling(reason="Noise", pause=True),
    )
    await rule(ruth, session, "Silence", pause=False)
    assert received(table) == [("p-anna", "RULED"), ("p-anna", "YOUR_TURN"), ("p-ben", "RULED")]
    await anna.act(session, 0)
    assert received(table) == [("p-ben", "YOUR_TURN")], "a ruling is told once"


@pytest.mark.parametrize(
    ("seats", "ruling", "over"),
    [
        (2, {"given_time": time(1, 60_000)}, False),
        (2, {"forfeited_seat": 0}, True),
        (2, {"ranking": record_pb2.Ranking(seats=[1, 0])}, True),
        (3, {"forfeited_seat": 2}, False),
        (3, {"draw": True}, True),
    ],
)
async def test_everybody_is_told_what_was_ruled_and_then_that_it_is_over(
    table: Table, seats: int, ruling: dict[str, Any], over: bool
) -> None:
    ruth, _, session = await judged(table, seats, game="einstein" if seats == 2 else "emperado")
    noted(table)
    await rule(ruth, session, "Of course", **ruling)
    players = ["p-anna", "p-ben", "p-cleo"][:seats]
    found = noted(table)
    rulings = [one for one in found if one.news.kind == news_pb2.News.KIND_RULED]
    assert [one.player_id for one in rulings] == players
    assert {one.news.ruling.reason for one in rulings} == {"Of course"}
    assert {one.news.ruling.WhichOneof("kind") for one in rulings} == set(ruling)
    ends = [one.player_id for one in found if one.news.kind == news_pb2.News.KIND_GAME_OVER]
    assert ends == (players if over else [])
    if over:
        assert [one.news.kind for one in found][-1] == news_pb2.News.KIND_RULED, "of a table, devices show the newest"


async def test_a_player_at_the_table_is_not_told(table: Table) -> None:
    ruth, (anna, _), session = await judged(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, anna.token(session, 0))
        noted(table)
        await rule(ruth, session, pause=True)
        assert received(table) == [("p-ben", "RULED")]
