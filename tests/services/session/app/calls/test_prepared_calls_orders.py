"""Orders at real session processes: played at the seat's turn, never twice, told to nobody else, and stopped at any time."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from brettwerk.v1 import emperado_pb2, errors_pb2, orders_pb2, play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

DAY_MS = 86_400_000


def order(kind: str, *, actions: int = 0, turns: int = 0, **values: int | list[int]) -> orders_pb2.Order:
    """Return a new order of a game."""
    found = [
        orders_pb2.OrderValue(key=key, numbers=[value] if isinstance(value, int) else value) for key, value in values.items()
    ]
    return orders_pb2.Order(of_game=orders_pb2.GameOrder(kind=kind, values=found), max_actions=actions, max_turns=turns)


def planned(*notations: str) -> orders_pb2.Order:
    """Return an order of planned actions."""
    actions = [orders_pb2.PlannedAction(notation=text) for text in notations]
    return orders_pb2.Order(planned=orders_pb2.PlannedActions(actions=actions))


async def begun(table: Table, game: str = "emperado", **fields: Any) -> tuple[Player, Player, str]:
    """Return two people and their game, in which the first of them is to act."""
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game=game, **fields)).id
    await ben.join(session)
    return anna, ben, session


async def world(player: Player, session: str, seat: int) -> emperado_pb2.EmperadoPosition:
    return emperado_pb2.EmperadoView.FromString((await player.see(session, seat)).view.value).position


async def plies(table: Table, session: str) -> list[tuple[int, str]]:
    """Return what was played: seats and notation."""
    entries = await table.owner(session).rebuilds.entries(session)
    return [(entry.acted.ply.actor - 1, entry.acted.ply.notation) for entry in entries if entry.acted.ply.actor]


async def first_country(player: Player, session: str, seat: int) -> int:
    return list((await world(player, session, seat)).owners).index(seat + 1)


async def test_orders_are_played_when_the_turn_comes_and_others_see_ordinary_actions(table: Table) -> None:
    anna, ben, session = await begun(table)
    country = await first_country(ben, session, 1)
    response = await ben.order(session, 1, order("end_turn", turns=2), order("place", countries=[country]))
    assert [each.id for each in response.orders] == [1, 2]
    assert not response.reports
    before = (await anna.see(session, 0)).version
    await anna.order(session, 0, order("place", countries=[await first_country(anna, session, 0)], turns=1), planned("Fertig"))
    update = await anna.see(session, 0)
    assert update.to_act == [0]
    assert [seat for seat, _ in await plies(table, session)] == [0, 0, 1, 1]
    assert update.version == before + 4
    known = await ben.orders(session, 1)
    assert [(each.order_id, each.end) for each in known.reports] == [(2, 0), (1, 0)]
    assert [each.version for each in known.reports] == [before + 3, before + 4]
    assert [(each.of_game.kind, each.actions, each.turns) for each in known.orders] == [("end_turn", 1, 1), ("place", 1, 1)]
    assert [each.end for each in (await anna.orders(session, 0)).reports] == [
        0,
        orders_pb2.ORDER_END_DONE,
        orders_pb2.ORDER_END_BOUND,
    ]


async def test_an_order_ends_with_its_turns_and_its_actions(table: Table) -> None:
    anna, ben, session = await begun(table)
    country = await first_country(ben, session, 1)
    await ben.order(session, 1, order("place", countries=[country], actions=1), order("end_turn", turns=1))
    await anna.order(session, 0, order("place", countries=[await first_country(anna, session, 0)], turns=1), planned("Fertig"))
    known = await ben.orders(session, 1)
    assert not known.orders
    assert [each.end for each in known.reports] == [
        orders_pb2.ORDER_END_BOUND,
        orders_pb2.ORDER_END_UNSPECIFIED,
        orders_pb2.ORDER_END_BOUND,
    ]


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_repeated_request_gives_nothing_twice(table: Table, restarts: bool) -> None:
    anna, _, session = await begun(table)
    country = await first_country(anna, session, 0)
    once = request_id()
    first = await anna.order(session, 0, order("place", countries=[country], armies=1), request_id=once)
    assert [each.end for each in first.reports] == [orders_pb2.ORDER_END_DONE]
    if restarts:
        await table.restart()
    again = await anna.order(session, 0, order("place", countries=[country], armies=1), request_id=once)
    assert again.version == first.version
    assert again.reports == first.reports
    assert len(await plies(table, session)) == 1


async def test_a_process_that_dies_loses_none_and_goes_on_where_they_are(table: Table) -> None:
    anna, ben, session = await begun(table)
    one, two = await first_country(ben, session, 1), await first_country(anna, session, 0)
    await ben.order(session, 1, order("place", countries=[one], armies=5))
    await anna.order(session, 0, order("place", countries=[two]), order("end_turn"))
    assert not (await world(ben, session, 1)).to_place
    left = (await ben.orders(session, 1)).orders
    await table.restart()
    assert (await ben.orders(session, 1)).orders == left
    before = (await world(ben, session, 1)).armies[one]
    await ben.order(session, 1, *left, planned("Fertig"))
    assert (await world(ben, session, 1)).armies[one] == before + 1
    assert len(await plies(table, session)) == 7


async def test_orders_that_have_ended_are_not_given_again_by_an_old_list(table: Table) -> None:
    anna, ben, session = await begun(table)
    country = await first_country(ben, session, 1)
    given = (await ben.order(session, 1, order("place", countries=[country], armies=1))).orders
    await anna.order(session, 0, order("place", countries=[await first_country(anna, session, 0)]), planned("Fertig"))
    assert not (await ben.orders(session, 1)).orders
    played = len(await plies(table, session))
    assert not (await ben.order(session, 1, *given)).orders
    assert len(await plies(table, session)) == played


async def test_orders_are_stopped_and_dropped(table: Table) -> None:
    anna, ben, session = await begun(table)
    country = await first_country(ben, session, 1)
    await ben.order(session, 1, order("place", countries=[country]))
    await ben.order(session, 1)
    await anna.order(session, 0, order("place", countries=[await first_country(anna, session, 0)]))
    assert (await world(anna, session, 0)).to_place == 0
    await anna.undo(session, 0, to_plies=1)
    known = await anna.orders(session, 0)
    assert not known.orders
    assert known.reports[-1].end == orders_pb2.ORDER_END_GAME
    assert (await world(anna, session, 0)).to_place


async def test_a_refused_action_ends_its_order_and_the_next_one_goes_on(table: Table) -> None:
    anna, ben, session = await begun(table)
    foreign = await first_country(ben, session, 1)
    known = await anna.order(session, 0, planned("Fertig"), order("place", countries=[foreign]))
    assert [each.end for each in known.reports] == [orders_pb2.ORDER_END_IMPOSSIBLE] * 2
    assert not known.orders
    assert not await plies(table, session)


async def test_orders_that_cannot_be_are_refused(table: Table) -> None:
    anna, _, session = await begun(table)
    for wrong, field in (
        (order("conquer"), "orders[0].of_game.kind"),
        (order("place", countries=[60]), "orders[0].of_game.countries"),
        (order("place"), "orders[0].of_game.countries"),
        (order("place", countries=[1], colour=2), "orders[0].of_game.values"),
        (orders_pb2.Order(), "orders[0].kind"),
        (planned(), "orders[0].planned.actions"),
        (planned(""), "orders[0].planned.actions[0]"),
    ):
        with refused("MALFORMED") as refusal:
            await anna.order(session, 0, wrong)
        assert refusal.value.refusal.field == field
    fast = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000)
    anna, _, session = await begun(table, clock=fast)
    with refused("ORDERS"):
        await anna.order(session, 0, order("end_turn"))
    assert not (await anna.orders(session, 0)).possible


async def test_planned_actions_are_for_every_game_and_go_on_at_the_next_turn(table: Table) -> None:
    anna, ben, session = await begun(table, "einstein")
    choices = (await anna.see(session, 0)).actions
    first = orders_pb2.PlannedAction(action=choices[0].action)
    known = await anna.order(session, 0, orders_pb2.Order(planned=orders_pb2.PlannedActions(actions=[first, first])))
    assert [each.notation for each in known.reports] == [choices[0].notation]
    assert len(known.orders) == 1
    await ben.act(session, 1)
    assert not (await anna.orders(session, 0)).orders


async def test_a_long_series_of_actions_goes_on_with_the_next_write(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.session.domain.orders.MAX_AT_ONCE", 3)
    anna, ben, session = await begun(table)
    mine, other = await first_country(anna, session, 0), await first_country(ben, session, 1)
    await ben.order(session, 1, order("place", countries=[other]), order("end_turn", turns=2))
    await anna.order(session, 0, order("place", countries=[mine]), order("end_turn", turns=2))
    assert len(await plies(table, session)) == 3
    for _ in range(4):
        await table.sweep()
    assert [seat for seat, _ in await plies(table, session)] == [0, 0, 1, 1, 0, 0, 1, 1, 0]


@pytest.mark.parametrize("turn", range(6))
async def test_orders_that_are_given_while_others_act_are_played_once(table: Table, turn: int) -> None:
    anna, ben, session = await begun(table)
    mine, other = await first_country(anna, session, 0), await first_country(ben, session, 1)
    await anna.order(session, 0, order("place", countries=[mine], turns=1))

    async def later() -> None:
        for _ in range(turn):
            await asyncio.sleep(0)
        await ben.order(session, 1, order("place", countries=[other], turns=1), order("end_turn", turns=1))

    await asyncio.gather(anna.act(session, 0, notation="Fertig"), later())
    assert [seat for seat, _ in await plies(table, session)] == [0, 0, 1, 1]
    assert not (await ben.orders(session, 1)).orders


async def test_a_seat_that_changes_hands_takes_no_orders_along(table: Table) -> None:
    _, ben, session = await begun(table)
    await ben.order(session, 1, order("end_turn"))
    leaving = play_pb2.LeaveSessionRequest(session_id=session, seat_token=ben.token(session, 1), request_id=request_id())
    await ben.ask(leave_session=leaving)
    loaded = table.owner(session).session_cache.known(session)
    assert loaded is not None
    assert not any(sheet.orders for sheet in loaded.memory.orders.sheets)


def counted() -> Counter[str]:
    """Return the counts of what orders came to, as operators see them."""
    samples = (one for family in metrics.ORDERS.collect() for one in family.samples if one.name.endswith("_total"))
    return Counter({one.labels["outcome"]: int(one.value) for one in samples if one.labels["game"] == "emperado"})


async def test_results_of_orders_are_counted_once(table: Table) -> None:
    anna, ben, session = await begun(table)
    mine, other = await first_country(anna, session, 0), await first_country(ben, session, 1)
    before = counted()
    await anna.order(session, 0, planned("Fertig"), order("place", countries=[other]))
    assert counted() - before == Counter(impossible=2)
    once = request_id()
    given = [order("place", countries=[mine], armies=1), order("place", countries=[mine], actions=1), order("end_turn")]
    for _ in range(2):
        await anna.order(session, 0, *given, request_id=once)
    await ben.resign(session, 1)
    assert counted() - before == Counter(impossible=2, played=3, done=1, bound=1, game=1)


async def test_orders_that_the_rules_do_not_answer_wait_and_are_counted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(_question: Any) -> Any:
        raise Refused(errors_pb2.REASON_NEWER, "unknown")

    anna, _, session = await begun(table)
    before = counted()
    with monkeypatch.context() as older:
        older.setattr(table.wiring.rules.ask, "FollowOrders", refuse)
        response = await anna.order(session, 0, order("place", countries=[await first_country(anna, session, 0)]))
    assert len(response.orders) == 1
    assert counted() - before == Counter(unfollowed=1)
    await anna.order(session, 0, *response.orders)
    assert not (await world(anna, session, 0)).to_place
