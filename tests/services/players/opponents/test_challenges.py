"""Challenges on a real database: asked, answered, taken back, expired, and what is refused."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from brettwerk.v1 import accounts_pb2, errors_pb2, news_pb2, opponents_pb2, record_pb2
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Caller
from services.players.news import feed
from services.players.opponents.challenges import GOOD_FOR_MS, MAX_SENT
from services.players.whole_account import WholeAccount
from services.runtime.refusal import Refused
from tests.services.players.opponents.place import Place, Process, player

ADA, BOB, CLEO = player("a", "Ada"), player("b", "Bob"), player("c", "Cleo")
Challenge = opponents_pb2.Challenge
News = news_pb2.News


async def keep(place: Place, *callers: Caller) -> None:
    """Give guests accounts."""
    accounts = Accounts(place.store, b"k" * 32, OwnOrigins(""), place.clock)
    for caller in callers:
        await accounts.start_link(accounts_pb2.StartLinkRequest(), caller)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    await keep(made, ADA, BOB, CLEO)
    yield made
    made.store.close()


async def news(place: Place, caller: Caller) -> list[tuple[int, str]]:
    page = await place.store.run(lambda connection: feed.page(connection, caller.player_id, 0))
    return [(one.kind, one.name) for one in page.news]


async def answer(process: Process, caller: Caller, challenge: Any, **fields: Any) -> Any:
    request = opponents_pb2.AnswerChallengeRequest(challenge_id=challenge.challenge_id, **fields)
    return (await process.ask("answer_challenge", caller, request)).challenge


async def withdraw(process: Process, caller: Caller, challenge: Any) -> Any:
    request = opponents_pb2.WithdrawChallengeRequest(challenge_id=challenge.challenge_id)
    return (await process.ask("withdraw_challenge", caller, request)).challenge


async def listed(process: Process, caller: Caller) -> Any:
    return await process.ask("list_challenges", caller, opponents_pb2.ListChallengesRequest())


async def refused(asking: Any) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await asking
    return caught.value.refusal


async def test_an_accepted_challenge_is_a_session_with_both_seats_kept(place: Place):
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=60_000)
    made = await place.one.challenge(ADA, name="bob", clock=clock, competitive=True, chosen_seat=1)
    assert made.state == Challenge.STATE_OPEN and made.challenged.name == "Bob" and made.challenger.rating == 1500
    assert await news(place, BOB) == [(News.KIND_CHALLENGED, "Ada")]
    (shown,) = (await listed(place.other, BOB)).received
    assert shown == made
    accepted = await answer(place.other, BOB, made, accept=True)
    assert accepted.state == Challenge.STATE_ACCEPTED and accepted.session_id
    (asked,) = place.sessions.asked
    assert list(asked.kept_for) == [BOB.player_id, ADA.player_id]
    assert asked.create.clock == clock and asked.create.competitive
    assert await news(place, ADA) == [(News.KIND_CHALLENGE_ANSWERED, "Bob")]
    again = await answer(place.one, BOB, made, accept=True)
    assert again == accepted and len(place.sessions.asked) == 1


async def test_a_declined_challenge_says_why(place: Place):
    made = await place.one.challenge(ADA, player_id=BOB.player_id)
    declined = await answer(place.one, BOB, made, decline_reason=opponents_pb2.DECLINE_REASON_TOO_FAST)
    assert declined.state == Challenge.STATE_DECLINED
    (sent,) = (await listed(place.one, ADA)).sent
    assert sent.decline_reason == opponents_pb2.DECLINE_REASON_TOO_FAST
    refusal = await refused(answer(place.one, BOB, made, accept=True))
    assert (refusal.reason, refusal.details["challenge"]) == (errors_pb2.REASON_PROPOSAL, "declined")
    assert place.sessions.asked == []


async def test_the_challenger_can_take_it_back_until_it_is_answered(place: Place):
    made = await place.one.challenge(ADA, name="Bob")
    assert (await withdraw(place.one, ADA, made)).state == Challenge.STATE_WITHDRAWN
    assert (await withdraw(place.one, ADA, made)).state == Challenge.STATE_WITHDRAWN
    assert (await news(place, BOB))[-1] == (News.KIND_CHALLENGE_WITHDRAWN, "Ada")
    assert (await refused(answer(place.one, BOB, made, accept=True))).details["challenge"] == "withdrawn"


async def test_only_its_players_answer_or_take_back_a_challenge(place: Place):
    made = await place.one.challenge(ADA, name="Bob")
    for asking in (answer(place.one, CLEO, made, accept=True), answer(place.one, ADA, made), withdraw(place.one, BOB, made)):
        assert (await refused(asking)).reason == errors_pb2.REASON_UNKNOWN
    assert not (await listed(place.one, CLEO)).received


async def test_a_challenge_expires_and_both_are_told(place: Place):
    made = await place.one.challenge(ADA, name="Bob")
    place.clock.wait(GOOD_FOR_MS / 1000 + 1)
    assert (await refused(answer(place.one, BOB, made, accept=True))).details["challenge"] == "expired"
    await place.one.challenges.expire()
    await place.other.challenges.expire()
    assert (await listed(place.one, ADA)).sent[0].state == Challenge.STATE_EXPIRED
    assert await news(place, ADA) == [(News.KIND_CHALLENGE_ANSWERED, "Bob")]
    assert (await news(place, BOB))[-1] == (News.KIND_CHALLENGE_WITHDRAWN, "Ada")


async def test_a_repeat_is_the_same_challenge_and_a_newer_one_takes_its_place(place: Place):
    made = await place.one.challenge(ADA, name="Bob")
    assert await place.other.challenge(ADA, name="Bob") == made
    newer = await place.one.challenge(ADA, "challenge-2", name="Bob", competitive=True)
    assert {one.challenge_id: one.state for one in (await listed(place.one, BOB)).received} == {
        made.challenge_id: Challenge.STATE_WITHDRAWN,
        newer.challenge_id: Challenge.STATE_OPEN,
    }
    reused = await refused(place.one.challenge(ADA, name="Cleo"))
    assert reused.reason == errors_pb2.REASON_REQUEST_ID_REUSED


async def test_a_blocked_player_cannot_challenge(place: Place):
    await place.one.ask("block_player", BOB, opponents_pb2.BlockPlayerRequest(player_id=ADA.player_id, blocked=True))
    assert (await refused(place.one.challenge(ADA, name="Bob"))).details["challenge"] == "blocked"
    blocked = await place.one.ask("list_blocked_players", BOB, opponents_pb2.ListBlockedPlayersRequest())
    assert [one.name for one in blocked.players] == ["Ada"]
    await place.one.ask("block_player", BOB, opponents_pb2.BlockPlayerRequest(player_id=ADA.player_id))
    assert (await place.one.challenge(ADA, name="Bob")).state == Challenge.STATE_OPEN


async def test_names_are_found_by_their_beginning_and_a_name_of_two_is_nobodys(place: Place):
    await keep(place, Caller("d" * 26, "BOBBY", "192.0.2.1"), Caller("e" * 26, "bob", "192.0.2.1"))
    found = await place.one.ask("find_players", ADA, opponents_pb2.FindPlayersRequest(name="bOb"))
    assert [one.name for one in found.players] == ["Bob", "bob", "BOBBY"]
    assert (await refused(place.one.challenge(ADA, name="Bob"))).reason == errors_pb2.REASON_AMBIGUOUS
    assert (await refused(place.one.challenge(ADA, name="Nobody"))).reason == errors_pb2.REASON_UNKNOWN
    percent = await place.one.ask("find_players", ADA, opponents_pb2.FindPlayersRequest(name="%"))
    assert not percent.players


async def test_the_number_of_open_challenges_is_bounded(place: Place):
    others = [Caller(f"{number:026d}", f"P{number}", "192.0.2.1") for number in range(MAX_SENT + 1)]
    await keep(place, *others)
    for number, other in enumerate(others[:-1]):
        await place.one.challenge(ADA, f"challenge-{number}", player_id=other.player_id)
    refusal = await refused(place.one.challenge(ADA, "challenge-last", player_id=others[-1].player_id))
    assert (refusal.reason, refusal.details["bound"]) == (errors_pb2.REASON_FULL, "challenges_sent")


async def test_computers_take_the_seats_that_are_left(place: Place):
    computers = [record_pb2.Computer(level="easy"), record_pb2.Computer(level="normal")]
    made = await place.one.challenge(ADA, name="Bob", game="emperado", computers=computers, challenger_seat=1)
    await answer(place.one, BOB, made, accept=True)
    (asked,) = place.sessions.asked
    assert list(asked.kept_for) == [ADA.player_id, BOB.player_id, "", ""]
    assert [wish.computer.level for wish in asked.create.seats] == ["", "", "easy", "normal"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": "Ada"}, errors_pb2.REASON_MALFORMED),
        ({"name": "Bob", "chosen_seat": 2}, errors_pb2.REASON_MALFORMED),
        ({"name": "Bob", "game": "chess"}, errors_pb2.REASON_UNKNOWN),
        ({"name": "Bob", "request_id": "short"}, errors_pb2.REASON_MALFORMED),
        ({}, errors_pb2.REASON_UNKNOWN),
    ],
)
async def test_a_challenge_that_cannot_be_is_refused(place: Place, fields: dict[str, Any], reason: int):
    assert (await refused(place.one.challenge(ADA, **fields))).reason == reason


async def test_a_deleted_account_takes_its_challenges_along(place: Place):
    await place.one.challenge(ADA, name="Bob")
    await place.one.challenge(BOB, name="Ada")
    accounts = Accounts(place.store, b"k" * 32, OwnOrigins(""), place.clock)
    whole = WholeAccount(place.store, accounts.proofs, place.clock)
    await whole.delete_account(accounts_pb2.DeleteAccountRequest(name="Bob"), BOB)
    own = await listed(place.one, ADA)
    assert not own.sent and not own.received


async def test_a_game_that_cannot_be_is_refused_when_it_is_asked_for(place: Place):
    place.sessions.away = Refused(errors_pb2.REASON_MALFORMED, "no such options", field="options")
    assert (await refused(place.one.challenge(ADA, name="Bob"))).field == "options"
    place.sessions.away = None
    assert not (await listed(place.one, ADA)).sent
