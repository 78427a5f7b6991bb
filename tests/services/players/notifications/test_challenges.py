"""Challenges are told to players who are not there, on both databases, until they have answered."""

from brettwerk.v1 import accounts_pb2, opponents_pb2
from tests.services.players.notifications.place import ADA, ADDRESS, BOB, HOUR, MINUTE, Place
from tests.services.players.opponents.place import NotedSessions, Process

BOBS_ADDRESS = "bob@example.org"


async def opponents_of(place: Place) -> Process:
    """Return what brings opponents together, for players with accounts."""
    for caller in (ADA, BOB):
        await place.call("start_link", accounts_pb2.StartLinkRequest(), caller)
    return Process(place.store, NotedSessions(), place.clock)


async def answer(opponents: Process, challenge: opponents_pb2.Challenge, *, accept: bool) -> opponents_pb2.Challenge:
    request = opponents_pb2.AnswerChallengeRequest(challenge_id=challenge.challenge_id, accept=accept)
    answered: opponents_pb2.Challenge = (await opponents.ask("answer_challenge", BOB, request)).challenge
    return answered


async def test_a_challenge_leads_to_the_first_page_and_its_answer_to_the_table(any_place: Place) -> None:
    opponents = await opponents_of(any_place)
    adas, bobs = await any_place.add_device("adas"), await any_place.add_device("bobs", BOB, language="de")
    made = await opponents.challenge(ADA, name="Bob")
    await any_place.deliver()
    (message,) = any_place.endpoint.messages(bobs)
    assert message["body"] == "Jemand fordert dich heraus."
    assert (message["path"], message["tag"]) == ("/", made.challenge_id)
    answered = await answer(opponents, made, accept=True)
    await any_place.deliver()
    (message,) = any_place.endpoint.messages(adas)
    assert message["body"] == "Your challenge has been answered."
    assert message["path"] == f"/s/{answered.session_id}"


async def test_a_challenge_that_nobody_answers_is_mailed_with_the_way_to_it(any_place: Place) -> None:
    opponents = await opponents_of(any_place)
    await any_place.switch_mail_on(BOBS_ADDRESS, BOB)
    await opponents.challenge(ADA, name="Bob")
    await any_place.pass_time(HOUR)
    (mail,) = any_place.mails.to(BOBS_ADDRESS)
    assert mail["Subject"] == "EinStein würfelt nicht: Somebody has challenged you."
    body = mail.get_body(("plain",))
    assert body is not None
    assert "https://play.example.org/" in body.get_content().split()


async def test_challenges_answered_or_taken_back_meanwhile_are_not_mailed(any_place: Place) -> None:
    opponents = await opponents_of(any_place)
    await any_place.switch_mail_on(BOBS_ADDRESS, BOB)
    await any_place.switch_mail_on(ADDRESS)
    declined = await opponents.challenge(ADA, "challenge-1", name="Bob")
    await any_place.pass_time(5 * MINUTE)
    await answer(opponents, declined, accept=False)
    taken_back = await opponents.challenge(ADA, "challenge-2", name="Bob")
    await any_place.pass_time(5 * MINUTE)
    withdrawal = opponents_pb2.WithdrawChallengeRequest(challenge_id=taken_back.challenge_id)
    await opponents.ask("withdraw_challenge", ADA, withdrawal)
    await any_place.pass_time(HOUR)
    assert any_place.mails.to(BOBS_ADDRESS) == []
    subject = "EinStein würfelt nicht: Your challenge has been answered."
    assert [mail["Subject"] for mail in any_place.mails.to(ADDRESS)] == [subject]
