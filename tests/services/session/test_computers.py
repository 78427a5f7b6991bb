"""Computer players, and what happens when they do not answer."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import einstein_pb2, play_pb2, record_pb2, session_pb2
from services.session.due import Patience
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_Acted = record_pb2.Acted


async def test_a_computer_is_asked_with_its_view_after_every_commit_that_makes_it_its_turn(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    answer = await anna.act(session.id, 0)
    asked = await table.until_asked()
    assert (asked.session_id, asked.seat, asked.version, asked.attempt) == (session.id, 1, answer.version, 1)
    assert asked.computer.level == "easy"
    view = einstein_pb2.EinsteinView()
    assert asked.view.Unpack(view)
    assert view.seat == 2
    await table.computer_moves()
    update = await anna.see(session.id, 0)
    assert update.to_act == [0]
    assert len(table.ai.moves) == 1


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


async def test_an_answer_is_good_when_only_a_proposal_came_between(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("easy", "open")
    await ben.join(session.id)
    await ben.set_seat(session.id, 1, "easy", by=1)
    await ben.set_seat(session.id, 1, "me")
    await table.until_asked()
    asked = table.ai.moves[0]
    assert asked.seat == 0
    assert (await table.answer_for(asked)).played


async def test_a_ticket_is_good_for_one_seat_and_version(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    for change in ({"version": asked.version + 1}, {"seat": 0}, {"ticket": b"guess"}):
        request = session_pb2.SubmitActionRequest(
            session_id=asked.session_id, seat=asked.seat, version=asked.version, ticket=asked.ticket
        )
        for name, value in change.items():
            setattr(request, name, value)
        with refused("NO_TOKEN"):
            await table.house.computers.submit(request, table.house.writer, table.house.timekeeper.settle)


async def test_a_silent_computer_is_asked_again_and_then_the_session_moves(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    await table.until_asked()
    await table.pass_s(1)
    assert len(table.ai.moves) == 1
    for attempt in (2, 3):
        await table.pass_s(3.5)
        assert [asked.attempt for asked in table.ai.moves][-1] == attempt
        assert len(table.ai.moves) == attempt
    await table.pass_s(4)
    assert len(table.ai.moves) == 3
    update = await anna.see(session.id, 0)
    assert update.to_act == [0]
    assert update.happening.cause == _Acted.CAUSE_FALLBACK
    assert not (await table.answer_for(table.ai.moves[0])).played


async def test_with_no_ai_service_at_all_the_game_goes_on(table: Table) -> None:
    anna = table.player("Anna")
    await table.stop_ai()
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    for _ in range(12):
        await table.pass_s(1)
    assert (await anna.see(session.id, 0)).to_act == [0]


async def test_an_ai_service_that_is_away_for_some_seconds_costs_no_computer_its_move(table: Table) -> None:
    anna = table.player("Anna")
    await table.stop_ai()
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    for _ in range(8):
        await table.pass_s(1)
    assert (await anna.see(session.id, 0)).to_act == [1]


async def test_computers_play_a_whole_game_among_themselves_without_help(table: Table) -> None:
    session = await table.player("Anna").create("easy", "normal")
    for _ in range(100):
        if not (await table.player("Anna").see(session.id)).to_act:
            break
        await table.computer_moves()
    assert (await table.player("Anna").see(session.id)).session.HasField("outcome")


async def test_what_the_rules_forbid_a_computer_too_is_refused_and_asked_for_again(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    asked = await table.until_asked()
    action = AnyMessage()
    action.Pack(einstein_pb2.EinsteinAction(move=einstein_pb2.EinsteinMove(stone=1, target=24)))
    request = session_pb2.SubmitActionRequest(
        session_id=session.id, seat=1, version=asked.version, ticket=asked.ticket, action=action
    )
    with refused("ILLEGAL"):
        await table.house.computers.submit(request, table.house.writer, table.house.timekeeper.settle)
    await table.pass_s(4)
    assert table.ai.moves[-1].attempt == 2
    await table.computer_moves()


async def test_a_restart_forgets_no_computer(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    await table.until_asked()
    await table.restart()
    await table.pass_s(4)
    assert table.ai.moves[-1].attempt == 2
    await table.computer_moves()
    assert (await anna.see(session.id, 0)).to_act == [0]


async def test_two_sweepers_share_the_work(table: Table) -> None:
    anna = table.player("Anna")
    other = await table.another_house()
    for _ in range(3):
        session = await anna.create("me", "easy")
        await anna.act(session.id, 0)
    await table.until_asked()
    before = len(table.ai.moves)
    table.clock.pass_s(4)
    await table.house.sweeper.sweep()
    await other.sweeper.sweep()
    await table.house.sweeper.swept()
    await other.sweeper.swept()
    assert len(table.ai.moves) == before + 3


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


def test_an_unknown_level_is_given_the_time_of_the_slowest() -> None:
    patience = Patience({"easy": 100, "strong": 900}, 50, 1000)
    assert patience.move_ms("easy") == 150
    assert patience.move_ms("gone") == 950
