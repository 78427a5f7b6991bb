"""Answers do not tell those who do not see an action that there was one, whatever and however often they ask (WEC-RUL-53)."""

from collections.abc import Iterable
from typing import Any

import pytest
from google.protobuf.message import Message

from brettwerk.v1 import play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain import perception
from services.session.domain.bounds import REQUESTS_KEPT
from services.session.domain.state import State
from services.session.live import rebuilds
from services.session.live.memory import Memory
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table
from tests.services.session.watch.test_unseen import act, hidden_turn, secret_game, state_of
from tests.services.session.watcher import watching

ROUNDS = 18
"""Turns of both sides, of two versions each, in which more is done than a process remembers requests of."""


def calls_of(who: Player, session: str, seat: int | None, version: int) -> Iterable[dict[str, Any]]:
    """Yield what somebody may ask without changing anything by it, and what is refused."""
    token = "" if seat is None else who.token(session, seat)
    here: dict[str, Any] = {"session_id": session, "seat_token": token}
    yield {"get_session": play_pb2.GetSessionRequest(**here)}
    yield {"list_updates": play_pb2.ListUpdatesRequest(**here)}
    yield {"list_updates": play_pb2.ListUpdatesRequest(**here, from_version=version + 1)}
    yield {"list_actions": play_pb2.ListActionsRequest(**here)}
    for notation in ("END", "MV:AAA(1,2)->(2,2)", "MV:AAA(8,9)->(7,9)"):
        yield {"read_notation": play_pb2.ReadNotationRequest(**here, notation=notation)}
    for listed in play_pb2.ListFilter.values():
        yield {"list_sessions": play_pb2.ListSessionsRequest(filter=listed)}
    for at_version in (0, version, version + 1, version + 2):
        yield {"get_hint": play_pb2.GetHintRequest(**here, level="easy", at_version=at_version)}
        yield {"fork_session": play_pb2.ForkSessionRequest(**here, at_version=at_version, request_id=request_id())}
        yield {"act": play_pb2.ActRequest(**here, notation="END", expected_version=at_version, request_id=request_id())}
        undo = play_pb2.UndoRequest(**here, to_plies=at_version // 2, expected_version=at_version, request_id=request_id())
        yield {"undo": undo}
        back = record_pb2.Proposal(undo_to_plies=at_version // 2)
        yield {"propose": play_pb2.ProposeRequest(**here, proposal=back, request_id=request_id())}
    yield {"verify_session": play_pb2.VerifySessionRequest(session_id=session)}
    yield {"export_session": play_pb2.ExportSessionRequest(**here)}
    yield {"export_session": play_pb2.ExportSessionRequest(**here, as_text=True)}
    yield {"list_saves": play_pb2.ListSavesRequest()}
    yield {"answer_proposal": play_pb2.AnswerProposalRequest(**here, proposal_id=1, accept=True, request_id=request_id())}
    yield {"rematch": play_pb2.RematchRequest(**here, request_id=request_id())}
    yield {"close_session": play_pb2.CloseSessionRequest(**here, request_id=request_id())}


async def answer(who: Player, call: dict[str, Any]) -> str:
    """Return what somebody is answered, without what no two answers share."""
    try:
        response: Message = await who.ask(**call)
    except Refused as refused:
        response = refused.refusal
        response.ClearField("trace_id")
    if isinstance(response, play_pb2.ExportSessionResponse):
        response.record.sealed = bytes(len(response.record.sealed))
    return str(response)


async def answers(who: Player, session: str, seat: int | None) -> list[tuple[str, str]]:
    version = (await who.see(session, seat)).version
    return [(next(iter(call)), await answer(who, call)) for call in calls_of(who, session, seat, version)]


@pytest.mark.parametrize("competitive", [True, False])
async def test_no_answer_tells_an_opponent_or_a_spectator_that_something_was_done_unseen(table: Table, competitive: bool) -> None:
    anna, ben, session = await secret_game(table, competitive=competitive)
    carl = table.player("Carl")
    for seat, letters in ((0, "MV:FP"), (1, "MV:FP")):
        await act((anna, ben)[seat], session, seat, letters)
        await act((anna, ben)[seat], session, seat, "END")
    before = [await answers(ben, session, 1), await answers(carl, session, None)]
    assert await hidden_turn(table, anna, session) == 1
    after = [await answers(ben, session, 1), await answers(carl, session, None)]
    for audience, received in enumerate(before):
        assert [name for name, _ in received] == [name for name, _ in after[audience]]
        for (name, then), (_, now) in zip(received, after[audience], strict=True):
            assert now == then, f"{name} tells {('an opponent', 'a spectator')[audience]} that something was done"


async def walk(who: Player, session: str, seat: int) -> play_pb2.ActRequest:
    """Move a detector, which everybody sees, within its own rows; return the request."""
    moves = [each for each in (await who.see(session, seat)).actions if each.notation.startswith("MV:DS")]
    rows = {each.notation: int(each.notation.rpartition("(")[2].partition(",")[0]) for each in moves}
    choice = next(each for each in moves if rows[each.notation] in ((1, 2, 3, 4), (7, 8, 9, 10))[seat])
    request = await who.act_request(session, seat, action=choice.action)
    await who.ask(act=request)
    return request


async def turn_of_ben(ben: Player, session: str) -> list[play_pb2.ActRequest]:
    """Let Ben move and end his Turn; return the requests."""
    moved = await walk(ben, session, 1)
    ended = await ben.act_request(session, 1, notation="END")
    await ben.ask(act=ended)
    return [moved, ended]


async def played_on(table: Table) -> tuple[Player, Player, str, list[play_pb2.ActRequest]]:
    """Return two people at a game that is on for long, with Anna to act, and the requests by which Ben has acted."""
    anna, ben, session = await secret_game(table)
    asked: list[play_pb2.ActRequest] = []
    for _ in range(ROUNDS):
        await walk(anna, session, 0)
        await act(anna, session, 0, "END")
        asked += await turn_of_ben(ben, session)
    assert (await state_of(table, session)).version > REQUESTS_KEPT
    return anna, ben, session, asked


async def repeated(who: Player, requests: Iterable[play_pb2.ActRequest]) -> list[str]:
    """Return what somebody is answered who repeats old requests."""
    return [await answer(who, {"act": request}) for request in requests]


async def repeats_are_answered_alike(table: Table) -> None:
    """Repeat all requests before and after each of some unseen actions."""
    anna, ben, session, asked = await played_on(table)
    proposal = (await ben.propose(session, 1, draw=True)).proposal_id
    await ben.reply(session, 1, proposal, False)  # so that what is forgotten next in the log is one of Ben's
    for _ in range(2):
        before = await repeated(ben, asked)
        await hidden_turn(table, anna, session)
        assert await repeated(ben, asked) == before
        await act(anna, session, 0, "END")
        asked += await turn_of_ben(ben, session)
    assert any("STALE" in each for each in before) and any("STALE" not in each for each in before)


async def test_requests_that_are_repeated_do_not_tell_how_much_was_done_unseen_since(table: Table) -> None:
    await repeats_are_answered_alike(table)


async def test_requests_that_are_forgotten_by_the_log_are_found_to_tell_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Memory.answer
    monkeypatch.setattr(Memory, "answer", lambda memory, request, _since=0: remembered(memory, request))
    with pytest.raises(AssertionError):
        await repeats_are_answered_alike(table)


async def test_the_last_requests_are_known_however_much_is_hidden_between_them(table: Table) -> None:
    anna, ben, session, asked = await played_on(table)
    await hidden_turn(table, anna, session)
    for process in (0, 1):
        if process:
            await table.restart()
        known = await repeated(ben, asked)
        assert [("STALE" in each) for each in known[-2:]] == [False, False]
    assert perception.remembered_since(await state_of(table, session)) > 0


async def watches_begin_alike(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch from earlier versions before and after an unseen action, at a log that is just long and at one that is not."""
    anna, ben, session, _ = await played_on(table)
    for longer in (1, 0):
        head = (await ben.see(session, 1)).version
        for module in (perception, rebuilds):
            monkeypatch.setattr(module, "BACKLOG", head - longer)
        afters = (1, head // 2, *range(head - 12, head))
        received: list[list[bytes]] = []
        async with watching(table.wiring) as watcher:
            for start in (0, 1000):
                for after in afters:
                    await watcher.follow(start + after, session, ben.token(session, 1), after)
                    await watcher.until(start + after, head)
                received.append([b"".join(watcher.messages[start + after]) for after in afters])
                if not start:
                    await hidden_turn(table, anna, session)
        assert received[0] == received[1]
        await act(anna, session, 0, "END")
        await turn_of_ben(ben, session)


async def test_a_watch_begins_anew_by_what_everybody_can_count_and_by_nothing_else(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await watches_begin_alike(table, monkeypatch)


@pytest.mark.nightly
async def test_a_watch_that_begins_anew_by_the_length_of_the_log_is_found_to_tell_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_at_hand(self: rebuilds.Rebuilds, state: State, first: int) -> bool:
        return state.version <= vars(rebuilds)["BACKLOG"] or self._session_cache.remembers(state.id, first)

    monkeypatch.setattr(rebuilds.Rebuilds, "is_at_hand", is_at_hand)
    with pytest.raises(AssertionError):
        await watches_begin_alike(table, monkeypatch)
