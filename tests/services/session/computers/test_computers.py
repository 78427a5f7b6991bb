"""Computer players: what is wanted of them, what workers are given, and what becomes of their answers."""

import asyncio
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import einstein_pb2, errors_pb2, play_pb2
from services.session.domain.clocks import Timeouts
from services.session.domain.ids import derived_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table


def reasons(found: session_pb2.FindPositionsResponse) -> list[str]:
    """Return why there is no position, for each; nothing where there is one."""
    return [
        errors_pb2.Reason.Name(one.refusal.reason).removeprefix("REASON_") if one.HasField("refusal") else ""
        for one in found.positions
    ]


async def test_a_move_is_wanted_after_every_commit_that_makes_it_a_computers_turn(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    answer = await anna.act(session.id, 0)
    asked = await table.until_asked()
    assert (asked.session_id, asked.seat, asked.version) == (session.id, 1, answer.version)
    assert (asked.game, asked.computer.level, asked.waiting) == ("einstein", "easy", ai_pb2.WAITING_PERSON)
    view = einstein_pb2.EinsteinView()
    assert asked.view is not None
    assert asked.view.Unpack(view)
    assert view.seat == 2
    await table.computer_moves()
    update = await anna.see(session.id, 0)
    assert update.to_act == [0]
    assert len(table.ai.moves) == 1
    assert not table.ai.withdrawn  # the worker itself says that it is done


async def test_a_move_that_is_taken_back_while_it_is_wanted_is_withdrawn(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    await anna.undo(session.id, 0, to_plies=0)
    await table.until_quiet()
    assert [(gone.session_id, gone.seat, gone.version) for gone in table.ai.withdrawn] == [(session.id, 1, asked.version)]
    assert not table.ai.noted
    found = await table.find(asked.want)
    assert found.refusal.reason == errors_pb2.REASON_NOT_YOUR_TURN
    assert found.refusal.head_version == (await anna.see(session.id)).version


async def test_an_answer_that_comes_twice_or_late_changes_nothing(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    assert (await table.answer_for(asked)).played
    assert not (await table.answer_for(asked)).played
    await anna.undo(session.id, 0, to_plies=0)
    assert not (await table.answer_for(asked)).played
    await anna.act(session.id, 0, pick=1)
    newest = await table.until_asked()
    assert newest.version > asked.version
    late = await table.answer_for(asked)
    assert not late.played
    assert late.head_version == newest.version
    assert (await table.answer_for(newest)).played


async def test_an_answer_long_after_its_time_is_played_when_the_position_stands(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    await table.pass_s(3600)
    assert (await table.answer_for(asked)).played


async def test_an_answer_is_good_when_only_a_proposal_came_between(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("easy", "open")
    await ben.join(session.id)
    await ben.set_seat(session.id, 1, "easy", by=1)
    await ben.set_seat(session.id, 1, "me")
    await table.until_quiet()
    asked = table.ai.moves[0]
    assert asked.seat == 0
    assert (await table.answer_for(asked)).played


async def test_a_worker_that_asks_with_an_old_ticket_is_given_the_newest_position(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    old = (await table.until_asked()).want
    await anna.undo(session.id, 0, to_plies=0)
    await anna.act(session.id, 0, pick=3)
    newest = await table.until_asked()
    wanted = (await table.find(old)).wanted
    assert (wanted.version, wanted.ticket, wanted.view) == (newest.version, newest.ticket, newest.view)
    assert (wanted.game, wanted.computer) == ("einstein", newest.computer)


async def test_each_of_many_positions_is_looked_for_on_its_own(table: Table) -> None:
    anna = table.player("Anna")
    wants = []
    for _ in range(3):
        session = await anna.create("me", "easy")
        await anna.act(session.id, 0)
        wants.append((await table.until_asked()).want)
    await table.answer_for(wants[2])
    seats = [session_pb2.SeatToMove(session_id=w.session_id, seat=w.seat, version=w.version, ticket=w.ticket) for w in wants]
    gone = derived_id(b"any", "nothing")
    ticket = table.wiring.computers._wants.ticket(gone, 1, 2)
    seats += [
        session_pb2.SeatToMove(session_id=wants[0].session_id, seat=1, version=wants[0].version + 1, ticket=wants[0].ticket),
        session_pb2.SeatToMove(session_id=wants[0].session_id, seat=0, version=wants[0].version, ticket=wants[0].ticket),
        session_pb2.SeatToMove(session_id=wants[0].session_id, seat=1, version=wants[0].version, ticket=b"guess"),
        session_pb2.SeatToMove(session_id=gone, seat=1, version=2, ticket=ticket),
        session_pb2.SeatToMove(session_id="none", seat=1, version=2, ticket=ticket),
        session_pb2.SeatToMove(session_id="x" * 100, seat=9),
    ]
    found = await table.wiring.batches.find_positions(session_pb2.FindPositionsRequest(seats=seats))
    bad = ["NOT_YOUR_TURN", "NO_TOKEN", "NO_TOKEN", "NO_TOKEN", "UNKNOWN", "MALFORMED", "MALFORMED"]
    assert reasons(found) == ["", "", *bad]
    assert [one.wanted.version for one in found.positions[:2]] == [wants[0].version, wants[1].version]


async def test_each_of_many_answers_is_taken_on_its_own(table: Table) -> None:
    anna = table.player("Anna")
    answers = []
    for _ in range(4):
        session = await anna.create("me", "easy")
        await anna.act(session.id, 0)
        answers.append(await table.submission(await table.until_asked()))
    answers[0].ticket = b"guess"
    answers[1].action.value = b"\xff\xff\xff"
    answers[2].seat = 40
    answers.append(answers[3])
    response = await table.wiring.batches.submit_actions(session_pb2.SubmitActionsRequest(actions=answers))
    kinds = [one.WhichOneof("kind") for one in response.actions]
    assert kinds == ["refusal", "refusal", "refusal", "response", "response"]
    assert sorted(one.response.played for one in response.actions[3:]) == [False, True]
    assert response.actions[0].refusal.reason == errors_pb2.REASON_NO_TOKEN
    assert response.actions[2].refusal.reason == errors_pb2.REASON_MALFORMED


async def test_a_worker_that_goes_on_is_given_the_next_position_and_nobody_else_is_asked(table: Table) -> None:
    session = await table.player("Anna").create("easy", "easy", "easy", game="emperado")
    request = await table.submission(await table.until_asked())
    before = len(table.ai.moves)
    for _ in range(3):
        request.goes_on = True
        response = await table.wiring.computers.submit(request)
        assert response.played
        assert response.next.version == response.head_version
        await table.until_quiet()
        request = await table.submission(
            ai_pb2.Want(
                session_id=session.id,
                seat=request.seat,
                version=response.next.version,
                ticket=response.next.ticket,
                game="emperado",
            )
        )
    assert len(table.ai.moves) == before
    await table.pass_s(4)  # and when it does not go on, the session is due
    await table.until_quiet()
    assert table.ai.moves[-1].version == response.next.version
    assert (await table.answer_for(table.ai.moves[-1])).played


async def test_a_worker_that_goes_on_hears_when_the_turn_is_another_seats(table: Table) -> None:
    await table.player("Anna").create("easy", "easy")
    asked = await table.until_asked()
    request = await table.submission(asked)
    request.goes_on = True
    response = await table.wiring.computers.submit(request)
    assert response.played
    assert not response.HasField("next")
    newest = await table.until_asked()
    assert newest.seat == 1 - asked.seat
    assert newest.version == response.head_version


async def test_a_move_that_becomes_wanted_while_a_late_answer_is_looked_at_is_noted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    request = await table.submission(await table.until_asked())
    request.goes_on = True
    take = table.wiring.computers._played

    async def taken_late(late: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse:
        await anna.undo(session.id, 0, to_plies=0)
        await anna.act(session.id, 0, pick=1)
        return await take(late)

    monkeypatch.setattr(table.wiring.computers, "_played", taken_late)
    response = await table.wiring.computers.submit(request)
    assert not response.played
    await table.until_quiet()
    assert table.ai.noted[session.id, 1].version == response.head_version


async def test_a_ticket_is_good_for_one_seat_and_version(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    for change in ({"version": asked.version + 1}, {"seat": 0}, {"ticket": b"guess"}):
        request = await table.submission(asked)
        for name, value in change.items():
            setattr(request, name, value)
        with refused("NO_TOKEN"):
            await table.wiring.computers.submit(request)


async def test_computers_play_a_whole_game_among_themselves_without_help(table: Table) -> None:
    session = await table.player("Anna").create("easy", "normal")
    for _ in range(100):
        if not (await table.player("Anna").see(session.id)).to_act:
            break
        await table.computer_moves()
    assert (await table.player("Anna").see(session.id)).session.HasField("outcome")


async def test_an_illegal_move_of_a_computer_is_refused_and_the_move_stays_wanted(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    action = AnyMessage()
    action.Pack(einstein_pb2.EinsteinAction(move=einstein_pb2.EinsteinMove(stone=1, target=24)))
    request = session_pb2.SubmitActionRequest(
        session_id=session.id, seat=1, version=asked.version, ticket=asked.ticket, action=action, goes_on=True
    )
    with refused("ILLEGAL"):
        await table.wiring.computers.submit(request)
    await table.pass_s(4)
    await table.computer_moves()


async def test_hints_come_from_the_seats_view_and_not_in_competitive_games(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")

    def hint(session_id: str, seat: int, **fields: Any) -> play_pb2.GetHintRequest:
        return play_pb2.GetHintRequest(session_id=session_id, seat_token=anna.token(session_id, seat), **fields)

    response = await anna.ask(get_hint=hint(session.id, 0, level="strong"))
    assert response.win_chance == pytest.approx(0.5)
    assert table.ai.reviews[0].computer.level == "strong"
    assert table.ai.reviews[0].view == (await anna.see(session.id, 0)).view
    with refused("NOT_YOUR_TURN"):
        await anna.ask(get_hint=hint(session.id, 1))
    await anna.act(session.id, 0)
    with refused("STILL_RUNNING"):
        await anna.ask(get_hint=hint(session.id, 1, at_version=4))
    await anna.resign(session.id, 0)
    response = await anna.ask(get_hint=hint(session.id, 1, at_version=4))
    assert response.for_version == 4
    with refused("UNKNOWN") as unknown:
        await anna.ask(get_hint=hint(session.id, 1, at_version=99))
    assert dict(unknown.value.refusal.details) == {"what": "version", "value": "99", "known": "1 to 6"}
    view = einstein_pb2.EinsteinView()
    assert table.ai.reviews[-1].view.Unpack(view)
    assert view.seat == 1
    spectators = play_pb2.GetHintRequest(session_id=session.id, at_version=4)
    assert (await table.player("Ben").ask(get_hint=spectators)).for_version == 4
    rated = await anna.create("me", "me", competitive=True)
    spectators.session_id, spectators.at_version = rated.id, 0
    with refused("NO_TOKEN"):
        await table.player("Ben").ask(get_hint=spectators)
    with refused("COMPETITIVE"):
        await anna.ask(get_hint=hint(rated.id, 0))


async def test_a_hint_is_given_up_as_soon_as_its_position_has_moved_on(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    table.ai.thinks.clear()
    asking = asyncio.create_task(
        anna.ask(get_hint=play_pb2.GetHintRequest(session_id=session.id, seat_token=anna.token(session.id, 0)))
    )
    await table.ai.until(lambda: len(table.ai.reviews) == 1)
    await anna.act(session.id, 0)
    with refused("STALE_VERSION"):
        await asking
    await table.ai.until(lambda: table.ai.given_up == 1)
    assert not table.wiring.hints._open


async def test_a_hint_is_not_asked_for_any_longer_than_somebody_waits_for_it(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    table.ai.thinks.clear()
    hint = play_pb2.GetHintRequest(session_id=session.id, seat_token=anna.token(session.id, 0))
    asking = [asyncio.create_task(anna.ask(get_hint=hint)) for _ in range(2)]
    await table.ai.until(lambda: len(table.ai.reviews) == 2)
    asking[0].cancel()
    await table.ai.until(lambda: table.ai.given_up == 1)
    table.ai.thinks.set()
    assert (await asking[1]).win_chance == pytest.approx(0.5)
    assert not table.wiring.hints._open


def test_an_unknown_level_is_given_the_time_of_the_slowest() -> None:
    timeouts = Timeouts({"easy": 100, "strong": 900}, 50, 1000)
    assert timeouts.move_ms("easy") == 150
    assert timeouts.move_ms("gone") == 950
