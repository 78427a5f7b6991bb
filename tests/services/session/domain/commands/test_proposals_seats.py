"""The seats of persons when a table settles (WEC-NET-3, WEC-NET-5): wishes, the lot, and what goes along with a person."""

from typing import Any

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2, wec_pb2
from services.session.domain.commands import seats
from tests.night import by_day
from tests.services.session.app.saving import check
from tests.services.session.domain.commands.test_proposals import options
from tests.services.session.domain.commands.test_seats_endings import rematch
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import request_id
from tests.services.session.refusing import refused
from tests.services.session.settling import settling, wec_now, wec_options
from tests.services.session.table import Table
from tests.services.session.two_players import play_out
from tests.services.session.watcher import watching

_State = sessions_pb2.Session


async def test_the_own_government_needs_no_consent_and_the_other_one_is_the_opponents(wec, table: Table) -> None:
    """WEC-NET-5: one's own government type; with it in one form, what concerns both is asked."""
    anna, ben, session = wec
    done = await anna.propose(session, 0, options=wec_options(government_black=4))
    assert done.proposal_id == 0
    assert (await wec_now(table, session)).government_black == 4
    with refused("NOT_YOUR_SEAT"):
        await ben.propose(session, 1, options=wec_options(government_black=2))
    mixed = wec_options(government_black=4, government_white=2, stun_range=4)
    asked = await ben.propose(session, 1, options=mixed)
    found = await wec_now(table, session)
    assert asked.proposal_id and (found.government_white, found.stun_range) == (2, 9)
    await anna.propose(session, 0, options=wec_options(government_black=3, government_white=2))
    await anna.reply(session, 0, asked.proposal_id, True)
    found = await wec_now(table, session)
    assert (found.government_black, found.government_white, found.stun_range) == (3, 2, 4)
    assert (await ben.propose(session, 1, options=wec_options(**_fields(found)))).proposal_id == 0
    await check_rebuilt(table, session)


def _fields(found: wec_pb2.WecOptions) -> dict[str, Any]:
    return {"government_black": found.government_black, "government_white": found.government_white, "stun_range": 4}


async def test_seats_go_by_wishes_and_the_government_goes_along(wec, table: Table) -> None:
    """WEC-NET-3: who alone wishes for a colour has it; a token goes with its person."""
    anna, ben, session = wec
    await anna.propose(session, 0, options=wec_options(government_black=4))
    await ben.wish_seat(session, 1, 0)
    seats = (await anna.see(session)).session.seats
    assert [seat.wished_seat if seat.HasField("wished_seat") else None for seat in seats] == [None, 0]
    assert [seat.wished for seat in seats] == [0, 1]
    answer = await anna.begin(session, 0)
    assert answer.seat == 1
    assert [seat.occupant.person.name for seat in answer.session.seats] == ["Ben", "Anna"]
    assert [seat.wished for seat in answer.session.seats] == [0, 0]
    found = await wec_now(table, session)
    assert (found.government_black, found.government_white) == (1, 4)
    assert await anna.find_seats(session) == [1] and await ben.find_seats(session) == [0]
    await ben.act(session, 0)
    await check_rebuilt(table, session)


@pytest.mark.parametrize("name", by_day(("one", "two", "three", "four", "five", "six"), "one"))
async def test_equal_wishes_are_decided_by_a_lot_that_can_be_proved(table: Table, name: str) -> None:
    """WEC-RUL-64: chance decides about equal wishes, from the secret whose hash was published."""
    anna, ben, session = await settling(table, title=name)
    for player, seat in ((anna, 0), (ben, 1)):
        await player.wish_seat(session, seat, 0)
    await ben.begin(session, 1)
    await ben.find_seats(session), await anna.find_seats(session)
    winner = (await anna.see(session)).session.seats[0].occupant.person.name
    assert winner in ("Anna", "Ben")
    players = (anna, ben) if winner == "Anna" else (ben, anna)
    await play_out(players, session)
    record = await anna.export(session)
    verification = await check(anna, record)
    assert verification.good and verification.chance_proved, verification.fault
    dealt = next(entry.dealt for entry in record.entries if entry.WhichOneof("change") == "dealt")
    dealt.order[:] = dealt.order[::-1]
    forged = await check(anna, record)
    assert not forged.good and forged.fault.field == "dealt.order"
    dealt.seed = bytes(32)
    assert (await check(anna, record)).fault.field == "dealt.seed"
    await check_rebuilt(table, session)


async def test_a_wish_can_be_taken_back_and_lasts_while_its_person_sits_there(table: Table) -> None:
    anna, ben, session = await settling(table)
    await ben.wish_seat(session, 1, 0)
    version = (await ben.see(session)).version
    assert (await ben.wish_seat(session, 1, 0)).version == version
    await ben.wish_seat(session, 1, None)
    await ben.wish_seat(session, 1, 0)
    with refused("UNKNOWN"):
        await ben.wish_seat(session, 1, 5)
    leave = play_pb2.LeaveSessionRequest(session_id=session, seat_token=ben.token(session, 1), request_id=request_id())
    await ben.ask(leave_session=leave)
    update = await anna.see(session)
    assert update.session.state == _State.STATE_WAITING
    assert [seat.wished for seat in update.session.seats] == [0, 0]
    with refused("NOT_SETTLING"):
        await anna.begin(session, 0)
    await anna.wish_seat(session, 0, 1)
    carl = table.player("Carl")
    await carl.join(session)
    assert (await carl.begin(session, 1)).seat == 0
    await check_rebuilt(table, session)


async def test_watchers_go_along_to_the_seats_of_their_persons(wec, table: Table) -> None:
    anna, ben, session = wec
    await ben.wish_seat(session, 1, 0)
    async with watching(table.wiring) as watcher:
        await watcher.follow(0, session, anna.token(session, 0), 0)
        await watcher.follow(1, session, ben.token(session, 1), 0)
        await watcher.follow(2, session, "", 0)
        await watcher.until(0, (await ben.see(session)).version)
        await anna.begin(session, 0)
        head = (await anna.see(session)).version
        for number, own in ((0, 2), (1, 1), (2, 0)):
            await watcher.until(number, head)
            update = watcher.responses(number)[-1].update
            assert update.own_seat == own
            assert bool(update.actions) == (own == 1)
        await watcher.until_present(2, 0, 1)


async def test_a_rematch_settles_again_and_an_abandoned_table_is_closed(table: Table) -> None:
    anna, ben, session = await settling(table)
    asked = await anna.propose(session, 0, options=options(show_roll=True))
    await ben.reply(session, 1, asked.proposal_id, True)
    await anna.begin(session, 0)
    await anna.resign(session, 0)
    again = await anna.ask(
        rematch=play_pb2.RematchRequest(session_id=session, seat_token=anna.token(session, 0), request_id=request_id())
    )
    assert again.session.state == _State.STATE_WAITING and again.session.settles
    await ben.join(again.session.id)
    update = await ben.see(again.session.id)
    assert update.session.state == _State.STATE_SETTLING
    await check_rebuilt(table, again.session.id)
    await table.wiring.writer.write(again.session.id, seats.abandon)
    assert (await ben.see(again.session.id)).session.state == _State.STATE_CLOSED


async def test_its_creator_can_close_it_and_a_computer_can_take_a_seat(table: Table) -> None:
    anna, ben, session = await settling(table, public=True)
    await ben.set_seat(session, 1, "easy", by=1)
    assert (await anna.see(session)).session.state == _State.STATE_SETTLING
    await anna.set_seat(session, 1, "open", by=0)
    assert (await anna.see(session)).session.state == _State.STATE_WAITING
    await ben.join(session)
    close = play_pb2.CloseSessionRequest(session_id=session, seat_token=anna.token(session, 0), request_id=request_id())
    await anna.ask(close_session=close)
    assert (await anna.see(session)).session.state == _State.STATE_CLOSED
    await check_rebuilt(table, session)


async def test_in_a_rematch_the_government_goes_along_with_its_person(wec, table: Table) -> None:
    """WEC-NET-5: everybody sits one seat further on, and a government is its person's own."""
    anna, _, session = wec
    await anna.propose(session, 0, options=wec_options(government_black=4))
    await anna.begin(session, 0)
    await anna.resign(session, 0)
    again = (await anna.ask(rematch=rematch(anna, session))).session
    assert again.seats[1].occupant.person.name == "Anna"
    found = await wec_now(table, again.id)
    assert (found.government_black, found.government_white) == (1, 4)
