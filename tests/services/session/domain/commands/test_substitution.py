"""Substitutes: when a seat is offered, who may have it and when, and what a substitute finds there."""

from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import games_pb2, news_pb2, play_pb2, record_pb2, sessions_pb2
from services.session.domain import bounds, substitutes
from services.session.domain.state import State, replace
from services.session.domain.substitutes import DAY_MS, FAST_MS, SLOW_MS
from services.session.store import store
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.substitutes import SLOW, answer, ask, leave, open_seats, three
from tests.services.session.table import Table
from tests.services.session.two_players import two

_Kind = sessions_pb2.Happening
_News = news_pb2.News
ANSWER_MS, AT_ONCE_MS = SLOW_MS


@pytest.fixture(autouse=True)
def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * DAY_MS)  # moments at which nothing happens are skipped; that is no outage


def bank(**fields: Any) -> record_pb2.ClockSpec:
    kind = record_pb2.ClockSpec.KIND_TOTAL
    return record_pb2.ClockSpec(kind=kind, time_ms=2 * DAY_MS, cap_ms=3 * DAY_MS, claims=True, vacation_days=0, **fields)


async def go_by(table: Table, ms: int) -> None:
    table.clock.pass_s(ms / 1000)
    await table.sweep()


def news(table: Table) -> set[tuple[str, news_pb2.News.Kind.ValueType]]:
    """Return whom the last news are for, and their kinds, and forget them; those of offered seats are for nobody yet."""
    waiting = table.wiring.news_sender._waiting
    found = {(one.player_id, one.news.kind) for one in waiting if isinstance(one, players_pb2.NotedNews)}
    found |= {("", one.news.kind) for one in waiting if isinstance(one, players_pb2.OfferedSeat)}
    waiting.clear()
    return {one for one in found if one[1] not in (_News.KIND_YOUR_TURN, _News.KIND_GAME_OVER)}


def why(caught: Any) -> str:
    return str(caught.value.refusal.details["substitute"])


async def state_of(table: Table, session_id: str) -> State:
    return (await table.owner(session_id).session_cache.newest(session_id)).state


async def occupant(player: Player, session_id: str, seat: int) -> str:
    return (await player.see(session_id)).session.seats[seat].occupant.person.player_id


async def test_a_seat_that_its_player_leaves_is_offered_and_listed(table: Table) -> None:
    _, ben, _, session = await three(table)
    news(table)
    assert not (await open_seats(table.player("Dora"))).sessions
    left = await leave(ben, session, 1)
    offer = left.seats[1].offer
    assert (offer.since_ms, offer.at_once_ms) == (table.clock(), table.clock() + AT_ONCE_MS)
    assert left.seats[1].occupant.HasField("computer")
    assert not left.seats[1].kept_for
    assert not left.seats[0].HasField("offer")
    assert ("", _News.KIND_SEAT_OFFERED) in news(table)
    for fields in ({}, {"game": "emperado"}):
        found = await open_seats(table.player("Dora"), **fields)
        assert [one.id for one in found.sessions] == [session]
        assert len(found.turns) == 1
    assert not (await open_seats(table.player("Dora"), game="einstein")).sessions
    kinds = [entry.WhichOneof("change") for entry in await table.wiring.rebuilds.entries(session)]
    assert "seat_offered" in kinds


async def test_open_seats_come_page_by_page_those_first_that_were_offered_last(table: Table) -> None:
    sessions = []
    for _ in range(5):
        _, ben, _, session = await three(table)
        table.clock.pass_s(1)
        await leave(ben, session, 1)
        sessions.append(session)
    found, page = [], ""
    for _ in range(4):
        response = await open_seats(table.player("Dora"), page_size=2, page_token=page)
        found += [one.id for one in response.sessions]
        page = response.next_page_token
        if not page:
            break
    assert found == sessions[::-1]
    with refused("MALFORMED"):
        await open_seats(table.player("Dora"), page_token="nonsense")
    with refused("UNKNOWN"):
        await open_seats(table.player("Dora"), game="ludo")


async def test_a_page_of_open_seats_that_is_full_before_the_list_ends_is_not_the_last(table: Table) -> None:
    sessions = []
    for game in ("emperado", "emperado", "emperado", "emperado", "einstein"):
        if game == "emperado":
            _, ben, _, session = await three(table)
        else:
            ben = table.player("Ben")
            session = (await table.player("Anna").create("me", "open", game=game, public=True, clock=SLOW, substitutes=True)).id
            await ben.join(session, 1)
        table.clock.pass_s(1)
        await leave(ben, session, 1)
        sessions.append(session)
    first = await open_seats(table.player("Dora"), page_size=3, game="emperado")
    rest = await open_seats(table.player("Dora"), page_size=3, game="emperado", page_token=first.next_page_token)
    assert [one.id for one in (*first.sessions, *rest.sessions)] == sessions[-2::-1]


async def test_all_agree_and_the_seat_is_the_substitutes_with_what_it_hides_from_then_on(table: Table) -> None:
    anna, ben, cleo, session = await three(table)
    old = ben.token(session, 1)
    await leave(ben, session, 1)
    news(table)
    dora = table.player("Dora")
    offer = (await ask(dora, session, 1)).seats[1].offer
    assert (offer.asker.name, list(offer.waiting), offer.until_ms) == ("Dora", [0, 2], table.clock() + ANSWER_MS)
    assert news(table) == {("p-anna", _News.KIND_SUBSTITUTE_ASKED), ("p-cleo", _News.KIND_SUBSTITUTE_ASKED)}
    with refused("SEAT_TAKEN"):
        await dora.join(session, 1)
    await answer(anna, session, 0, 1, accept=True)
    with refused("SUBSTITUTE") as caught:
        await answer(anna, session, 0, 1, accept=True)
    assert why(caught) == "answer"
    assert not await occupant(anna, session, 1)
    await answer(cleo, session, 2, 1, accept=True)
    assert await occupant(anna, session, 1) == "p-dora"
    noted = news(table)
    assert ("p-dora", _News.KIND_SUBSTITUTED) in noted
    assert ("p-anna", _News.KIND_SEAT_TAKEN) in noted
    assert not (await open_seats(dora)).sessions
    await dora.join(session, 1)
    assert (await dora.see(session, 1)).session.seats[1].occupant.person.name == "Dora"
    ben.tokens[session, 1] = old
    with refused("NOT_YOUR_SEAT"):
        await ben.see(session, 1)
    assert (await ask(dora, session, 1)).seats[1].occupant.person.name == "Dora", "a repeat changes nothing"


async def test_silence_agrees_and_survives_a_killed_process(table: Table) -> None:
    anna, ben, _, session = await three(table)
    await leave(ben, session, 1)
    dora = table.player("Dora")
    await ask(dora, session, 1)
    await answer(anna, session, 0, 1, accept=True)
    before = await state_of(table, session)
    await table.kill(0)
    assert await state_of(table, session) == before
    await go_by(table, ANSWER_MS - 1000)
    assert not await occupant(anna, session, 1)
    await go_by(table, 1000)
    assert await occupant(anna, session, 1) == "p-dora"
    await check_rebuilt(table, session)


async def test_one_refusal_is_enough_and_everybody_asks_once(table: Table) -> None:
    anna, ben, cleo, session = await three(table)
    await leave(ben, session, 1)
    dora, eva = table.player("Dora"), table.player("Eva")
    await ask(dora, session, 1)
    with refused("SUBSTITUTE") as caught:
        await ask(eva, session, 1)
    assert why(caught) == "busy"
    news(table)
    await answer(cleo, session, 2, 1, accept=False)
    assert news(table) == {("p-dora", _News.KIND_SUBSTITUTE_REFUSED)}
    assert not (await anna.see(session)).session.seats[1].offer.HasField("asker")
    with refused("SUBSTITUTE") as caught:
        await ask(dora, session, 1)
    assert why(caught) == "again"
    await ask(eva, session, 1)
    await ask(eva, session, 1, withdraw=True)
    assert ("p-eva", _News.KIND_SUBSTITUTE_REFUSED) not in news(table), "she knows it herself"
    with refused("SUBSTITUTE") as caught:
        await ask(eva, session, 1, withdraw=True)
    assert why(caught) == "offer"
    await go_by(table, ANSWER_MS)
    assert not await occupant(anna, session, 1)


async def test_only_so_many_ask_for_a_seat(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.session.domain.substitutes.SUBSTITUTES_ASKING", 1)
    anna, ben, _, session = await three(table)
    await leave(ben, session, 1)
    await ask(table.player("Dora"), session, 1)
    await answer(anna, session, 0, 1, accept=False)
    with refused("SUBSTITUTE") as caught:
        await ask(table.player("Eva"), session, 1)
    assert why(caught) == "offer"
    assert not (await open_seats(anna)).sessions
    assert bounds.SUBSTITUTES_ASKING > 1


async def test_after_a_stated_time_nobody_has_to_agree(table: Table) -> None:
    _, ben, _, session = await three(table)
    await leave(ben, session, 1)
    await go_by(table, AT_ONCE_MS - 1000)
    dora = table.player("Dora")
    assert (await ask(dora, session, 1)).seats[1].offer.until_ms == table.clock() + 1000
    await ask(dora, session, 1, withdraw=True)
    await go_by(table, 1000)
    taken = await ask(table.player("Eva"), session, 1)
    assert taken.seats[1].occupant.person.name == "Eva"
    assert not taken.seats[1].HasField("offer")


async def test_an_answer_in_fast_games_is_due_within_a_minute(table: Table) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3_600_000)
    anna, ben, _, session = await three(table, clock=clock)
    left = await leave(ben, session, 1)
    assert left.seats[1].offer.at_once_ms == table.clock() + FAST_MS[1]
    offer = (await ask(table.player("Dora"), session, 1)).seats[1].offer
    assert offer.until_ms == table.clock() + FAST_MS[0]
    table.clock.pass_s(FAST_MS[0] / 1000)
    with refused("SUBSTITUTE") as caught:
        await answer(anna, session, 0, 1, accept=False)
    assert why(caught) == "late"


async def test_a_seat_that_is_out_of_the_game_is_offered_to_nobody(table: Table) -> None:
    _, ben, _, session = await three(table)
    await leave(ben, session, 1)
    await ask(table.player("Dora"), session, 1)
    state = replace(await state_of(table, session), draw_votes=games_pb2.DrawVotes(silent=0b11))
    assert substitutes.described(state, 1) is None
    assert substitutes.agreed(state) is None
    assert not substitutes.can_be_offered(state, 0)
    entry = substitutes.overdue(state, table.clock() + ANSWER_MS)
    assert entry is not None
    after = substitutes.after_answered(state, entry)
    assert [offer.asker for offer in after.offers] == [None]
    assert substitutes.overdue(after, table.clock() + ANSWER_MS) is None


async def test_those_who_play_there_or_have_played_take_no_other_seat(table: Table) -> None:
    _, ben, cleo, session = await three(table)
    await leave(ben, session, 1)
    for player in (ben, cleo):
        with refused("SUBSTITUTE") as caught:
            await ask(player, session, 1)
        assert why(caught) == "own"
    with refused("SUBSTITUTE") as caught:
        await ask(table.player("Dora"), session, 0)
    assert why(caught) == "offer"
    with refused("UNKNOWN"):
        await ask(table.player("Dora"), session, 5)
    await leave(cleo, session, 2)
    with refused("SUBSTITUTE") as caught:
        await ask(cleo, session, 1)
    assert why(caught) == "own"
    assert {(await state_of(table, session)).gone} == {("p-ben", "p-cleo")}


async def test_a_player_who_leaves_answers_nothing_any_more(table: Table) -> None:
    anna, ben, cleo, session = await three(table)
    await leave(ben, session, 1)
    await ask(table.player("Dora"), session, 1)
    await answer(anna, session, 0, 1, accept=True)
    await leave(cleo, session, 2)
    assert await occupant(anna, session, 1) == "p-dora"


async def test_two_and_private_tables_offer_seats_if_they_want_to(table: Table) -> None:
    anna, ben, session = await two(table, public=True)
    assert not (await leave(ben, session, 1)).seats[1].HasField("offer")
    anna, ben, _, session = await three(table, public=False)
    assert not (await leave(ben, session, 1)).seats[1].HasField("offer")
    anna, ben, session = await two(table, substitutes=True)
    assert (await leave(ben, session, 1)).seats[1].HasField("offer")
    assert not (await open_seats(ben)).sessions, "it is not public"
    assert ("", _News.KIND_SEAT_OFFERED) not in news(table)
    await ask(table.player("Dora"), session, 1)
    await answer(anna, session, 0, 1, accept=True)
    assert await occupant(anna, session, 1) == "p-dora"
    anna, ben, _, session = await three(table, substitutes=False)
    assert not (await leave(ben, session, 1)).seats[1].HasField("offer")
    for seats, practice in ((("me", "easy"), True), (("me",), False)):
        wishes = [wish(seat) for seat in seats]
        request = play_pb2.CreateSessionRequest(game="einstein", seats=wishes, practice=practice, substitutes=True)
        request.request_id = request_id()
        with refused("MALFORMED"):
            await anna.ask(create_session=request)


async def test_the_seat_of_a_player_who_met_computers_alone_is_not_offered(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy", "easy", game="emperado", public=True)
    left = await leave(anna, session.id, 0)
    assert not any(seat.HasField("offer") for seat in left.seats)


async def test_a_seat_whose_time_is_up_is_claimed_for_a_substitute(table: Table) -> None:
    anna, ben, session = await two(table, clock=bank(), substitutes=True, competitive=True)
    await go_by(table, 2 * DAY_MS - 1000)

    def claim() -> play_pb2.ClaimTimeRequest:
        return play_pb2.ClaimTimeRequest(
            session_id=session,
            seat_token=ben.token(session, 1),
            claimed_seat=0,
            for_substitute=True,
            request_id=request_id(),
        )

    with refused("CLAIM"):
        await ben.ask(claim_time=claim())
    await go_by(table, 1000)
    news(table)
    await ben.ask(claim_time=claim())
    assert ("p-anna", _News.KIND_SEAT_LOST) in news(table)
    with refused("NOT_YOUR_SEAT"):
        await anna.see(session, 0)
    seen = await ben.see(session, 1)
    assert seen.session.state == sessions_pb2.Session.STATE_RUNNING
    assert seen.happening.kind == _Kind.KIND_SEAT_OFFERED
    assert seen.clocks[0].left_ms == 0
    await ask(table.player("Dora"), session, 0)
    await answer(ben, session, 1, 0, accept=True)
    assert (await ben.see(session, 1)).clocks[0].left_ms == DAY_MS, "half of what a seat begins with"


async def test_time_is_claimed_for_substitutes_only_where_there_are_any(table: Table) -> None:
    _, ben, session = await two(table, clock=bank())
    await go_by(table, 2 * DAY_MS)
    request = play_pb2.ClaimTimeRequest(
        session_id=session,
        seat_token=ben.token(session, 1),
        claimed_seat=0,
        for_substitute=True,
        request_id=request_id(),
    )
    with refused("CLAIM") as caught:
        await ben.ask(claim_time=request)
    assert caught.value.refusal.details["claim"] == "substitutes"


async def test_a_substitute_takes_nothing_back_that_was_played_before(table: Table) -> None:
    anna, ben, session = await two(table, substitutes=True)
    await anna.act(session, 0)
    assert (await anna.see(session, 0)).free_undo_plies
    await leave(anna, session, 0)
    dora = table.player("Dora")
    await ask(dora, session, 0)
    await answer(ben, session, 1, 0, accept=True)
    await dora.join(session, 0)
    assert not (await dora.see(session, 0)).free_undo_plies
    await ben.act(session, 1)
    await dora.act(session, 0)
    assert (await dora.see(session, 0)).free_undo_plies == 1


async def test_proposals_lapse_and_the_seat_is_played_on_where_a_substitute_comes(table: Table) -> None:
    anna, ben, session = await two(table, substitutes=True)
    await anna.act(session, 0)
    await leave(anna, session, 0)
    await ask(table.player("Dora"), session, 0)
    await ben.propose(session, 1, pause=True)
    await answer(ben, session, 1, 0, accept=True)
    assert not (await ben.see(session)).session.proposals


async def test_a_rematch_is_the_substitutes(table: Table) -> None:
    anna, ben, session = await two(table, substitutes=True)
    await leave(anna, session, 0)
    dora = table.player("Dora")
    await ask(dora, session, 0)
    await answer(ben, session, 1, 0, accept=True)
    await dora.join(session, 0)
    await dora.ask(resign=play_pb2.ResignRequest(session_id=session, seat_token=dora.token(session, 0), request_id=request_id()))
    again = await ben.ask(
        rematch=play_pb2.RematchRequest(session_id=session, seat_token=ben.token(session, 1), request_id=request_id())
    )
    assert again.session.seats[1].kept_for == "p-dora"
    assert again.session.substitutes


async def test_asking_answering_and_declining_are_told_to_everybody(table: Table) -> None:
    anna, ben, cleo, session = await three(table)
    await leave(ben, session, 1)
    dora, eva = table.player("Dora"), table.player("Eva")
    seen = []
    for step in (
        ask(dora, session, 1),
        answer(anna, session, 0, 1, accept=True),
        ask(dora, session, 1, withdraw=True),
        ask(eva, session, 1),
        answer(cleo, session, 2, 1, accept=False),
    ):
        await step
        happening = (await anna.see(session)).happening
        seen.append((happening.kind, happening.concerned_seat if happening.HasField("concerned_seat") else None))
    assert seen == [
        (_Kind.KIND_SUBSTITUTE_ASKED, 1),
        (_Kind.KIND_SUBSTITUTE_ACCEPTED, 0),
        (_Kind.KIND_SUBSTITUTE_DECLINED, None),
        (_Kind.KIND_SUBSTITUTE_ASKED, 1),
        (_Kind.KIND_SUBSTITUTE_DECLINED, 2),
    ]
