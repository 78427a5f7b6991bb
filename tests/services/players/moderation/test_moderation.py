"""Moderation: who sees it, what becomes of reports, what is done to players, and what the log says of it."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select

from brettwerk.v1 import accounts_pb2, bots_pb2, opponents_pb2
from brettwerk.v1 import moderation_pb2 as pb
from services.archive.talk_reports import Report as TalkReport
from services.players import whole_account
from services.players.accounts import rows
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.bots.tokens import ApiTokens
from services.players.calls import Caller
from services.players.moderation import acts, report_rows, roles
from services.players.moderation.provider_roles import ProviderRoles
from services.players.moderation.roles import MODERATOR, OPERATOR
from services.players.moderation.tables import ACTS, REPORTS
from services.players.opponents.tables import CHALLENGES
from services.runtime.talk_rules import TalkRules
from services.runtime.word_list import WordFile
from tests.services.players.clubs.place import refused
from tests.services.players.moderation.place import ADA, BOB, CLEO, DAN, EVE, NOBODY, TABLE, Place

PLAYER, NAME, TABLE_KIND = pb.REPORT_KIND_PLAYER, pb.REPORT_KIND_NAME, pb.REPORT_KIND_TABLE
NOTHING, WARN, MUTE, SUSPEND, RENAME = (
    pb.MODERATION_ACT_NOTHING,
    pb.MODERATION_ACT_WARN,
    pb.MODERATION_ACT_MUTE,
    pb.MODERATION_ACT_SUSPEND,
    pb.MODERATION_ACT_RENAME,
)
CALLS = (
    ("get_moderation", pb.GetModerationRequest()),
    ("list_reports", pb.ListReportsRequest()),
    ("decide_report", pb.DecideReportRequest(report_id="0" * 32, measure=pb.Measure(act=NOTHING))),
    ("act_on_player", pb.ActOnPlayerRequest(player_id=ADA.player_id, request_id="12345678")),
    ("list_restrictions", pb.ListRestrictionsRequest()),
    ("list_acts", pb.ListActsRequest(page_token="nonsense")),
    ("list_conduct", pb.ListConductRequest()),
    ("list_words", pb.ListWordsRequest()),
    ("change_words", pb.ChangeWordsRequest(add=["!"])),
)


@pytest.mark.parametrize(("name", "request_"), CALLS, ids=[name for name, _ in CALLS])
async def test_a_call_tells_nobody_without_a_role_whether_anything_is_there(place: Place, name: str, request_: object):
    await place.grant(CLEO, MODERATOR)
    bearer = replace(CLEO, token_id="t" * 32)
    for caller in (NOBODY, ADA, bearer):
        with refused("UNKNOWN", what="moderation"):
            await place.ask(name, caller, request_)
    if name in ("list_words", "change_words"):
        with refused("UNKNOWN", what="moderation"):
            await place.ask(name, CLEO, request_)


async def test_a_role_is_given_and_taken_by_the_command_line_alone(place: Place):
    assert await place.grant(CLEO, MODERATOR) == "Cleo is moderator"
    assert (await place.ask("get_moderation", CLEO, pb.GetModerationRequest())).role == MODERATOR
    assert await place.grant(CLEO, OPERATOR) == "Cleo is operator"
    assert (await place.ask("get_moderation", CLEO, pb.GetModerationRequest())).role == OPERATOR
    assert await place.log(CLEO) == [("grant", "command", "Cleo")] * 2
    assert await place.grant(CLEO, roles.NONE) == "Cleo has no role any more"
    with refused("UNKNOWN", what="moderation"):
        await place.ask("get_moderation", CLEO, pb.GetModerationRequest())


async def test_a_role_of_the_provider_lasts_a_week_after_each_sign_in_and_ends_with_one_without_it(place: Place):
    await place.account(CLEO)
    given = ProviderRoles(frozenset({"mods"}), frozenset({"ops"}))

    async def sign_in(*values: str) -> pb.ModerationRole.ValueType:
        await place.store.run(lambda one: given.heard(one, CLEO.player_id, frozenset(values), place.clock()))
        return await role()

    async def role() -> pb.ModerationRole.ValueType:
        return await place.store.run(lambda one: roles.role_of(one, CLEO.player_id, place.clock()))

    assert await sign_in("staff") == roles.NONE
    assert await sign_in("mods", "staff") == MODERATOR
    assert await sign_in("mods", "ops") == OPERATOR
    place.clock.wait(roles.PROVIDER_MS / 1000 + 1)
    assert await role() == roles.NONE
    assert await sign_in("mods") == MODERATOR
    assert await sign_in() == roles.NONE
    await place.grant(CLEO, MODERATOR)
    assert await sign_in() == MODERATOR


async def test_a_report_is_kept_with_what_can_be_seen_and_the_reporter_hears_that_it_was_looked_at(place: Place):
    await place.account(ADA, BOB, DAN)
    await place.grant(CLEO, MODERATOR)
    await place.file(ADA, PLAYER, player_id=EVE.player_id, session_id=TABLE, comment="Eve insults everybody")
    await place.file(ADA, PLAYER, player_id=EVE.player_id, session_id=TABLE, comment="Eve insults everybody")
    await place.file(BOB, PLAYER, player_id=EVE.player_id, session_id=TABLE)
    first, second = await place.listed(CLEO)
    assert (first.name, first.game, first.version, first.comment) == ("Eve", "einstein", 7, "Eve insults everybody")
    assert list(first.context) == ["1: Ada", "2: Eve"]
    assert (first.reporter_name, second.reporter_name, first.others) == ("Ada", "Bob", 1)
    answer = await place.decide(CLEO, first, WARN)
    assert (answer.decided, answer.report.decision.actor_name, answer.report.decision.reason) == (True, "Cleo", "Insults")
    assert await place.listed(CLEO) == []
    assert [one.report_id for one in await place.listed(CLEO, decided=True)] != []
    assert [await place.news(one) for one in (ADA, BOB, EVE, DAN)] == [["report_seen"], ["report_seen"], ["warned"], []]
    assert await place.log(CLEO) == [("warn", "Cleo", "Eve"), ("grant", "command", "Cleo")]


async def test_of_two_moderators_at_once_one_decides_and_the_other_learns_what(place: Place):
    await place.account(BOB, EVE)
    for moderator in (CLEO, DAN):
        await place.grant(moderator, MODERATOR)
    await place.file(BOB, NAME, player_id=EVE.player_id)
    (report,) = await place.listed(CLEO)
    muted, warned = await asyncio.gather(
        place.decide(CLEO, report, MUTE, minutes=60), place.decide(DAN, report, WARN), return_exceptions=False
    )
    assert sorted([muted.decided, warned.decided]) == [False, True]
    assert muted.report.decision == warned.report.decision
    done = [entry for entry in await place.log(CLEO) if entry[2] == "Eve"]
    assert done in ([("mute", "Cleo", "Eve")], [("warn", "Dan", "Eve")])
    assert len(await place.news(EVE)) == 1
    decider, act = (CLEO, MUTE) if muted.decided else (DAN, WARN)
    again = await place.decide(decider, report, act, **({"minutes": 60} if act == MUTE else {}))
    assert again.decided
    assert len(await place.news(EVE)) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"kind": PLAYER, "player_id": "x" * 26}, "UNKNOWN"),
        ({"kind": PLAYER}, "UNKNOWN"),
        ({"kind": PLAYER, "player_id": EVE.player_id, "session_id": "another"}, "UNKNOWN"),
        ({"kind": PLAYER, "player_id": BOB.player_id}, "MALFORMED"),
        ({"kind": TABLE_KIND}, "MALFORMED"),
        ({"kind": pb.REPORT_KIND_CLUB, "club_id": "0" * 32}, "UNKNOWN"),
        ({"kind": pb.REPORT_KIND_CLUB_LINE, "club_id": "0" * 32}, "UNKNOWN"),
        ({"kind": pb.REPORT_KIND_TALK}, "MALFORMED"),
        ({"kind": pb.REPORT_KIND_UNSPECIFIED}, "MALFORMED"),
    ],
)
async def test_a_report_of_nothing_is_refused(place: Place, fields: dict[str, Any], reason: str):
    await place.account(BOB)
    with refused(reason):
        await place.ask("file_report", BOB, pb.FileReportRequest(**fields))
    with refused("NO_TOKEN"):
        await place.ask("file_report", NOBODY, pb.FileReportRequest(**fields))


async def test_a_line_that_was_reported_at_a_table_comes_to_the_moderation_once(place: Place):
    await place.grant(CLEO, MODERATOR)
    said = TalkReport(
        TABLE, "1" * 20, ADA.player_id, "einstein", 5_000, EVE.player_id, "Eve", "bad", 4_000, "table", "", ("A: b",)
    )
    await place.talk.keep(said)
    for _ in range(3):
        await place.reports.take_from_archive()
    (report,) = await place.listed(CLEO)
    assert (report.kind, report.said, list(report.context), report.room) == (pb.REPORT_KIND_TALK, "bad", ["A: b"], "table")
    assert (await place.decide(CLEO, report, NOTHING)).decided
    await place.talk.keep(replace(said, line_id="2" * 20, reported_at_ms=6_000))
    await place.reports.take_from_archive()
    assert [one.reported_at_ms for one in await place.listed(CLEO)] == [6_000]


async def test_a_line_in_a_club_is_reported_with_those_before_it(place: Place):
    await place.grant(CLEO, MODERATOR)
    club_id = "c" * 32

    from brettwerk.v1 import clubs_pb2

    made = clubs_pb2.CreateClubRequest(name="Monday club", description="We play", request_id=place.request_id())
    club_id = (await place.ask("create_club", ADA, made)).club.club_id
    for text in ("hello", "you fool"):
        saying = clubs_pb2.SayInClubRequest(club_id=club_id, text=text, request_id=place.request_id())
        line = (await place.ask("say_in_club", ADA, saying)).line
    with refused("UNKNOWN"):
        await place.file(BOB, pb.REPORT_KIND_CLUB, club_id=club_id)
    link = clubs_pb2.CreateClubLinkRequest(club_id=club_id, request_id=place.request_id())
    code = (await place.ask("create_club_link", ADA, link)).link.code
    await place.ask("join_club", BOB, clubs_pb2.JoinClubRequest(club_id=club_id, code=code))
    await place.file(BOB, pb.REPORT_KIND_CLUB_LINE, club_id=club_id, line_id=line.id)
    await place.file(BOB, pb.REPORT_KIND_CLUB, club_id=club_id)
    of_line, of_club = await place.listed(CLEO)
    assert (of_line.said, list(of_line.context), of_line.player_id) == ("you fool", ["Ada: hello"], ADA.player_id)
    assert (of_club.said, list(of_club.context), of_club.player_id) == ("Monday club", ["We play"], ADA.player_id)
    await place.decide(CLEO, of_line, MUTE)
    with refused("RESTRICTED", restriction="talk", until_ms="0", why="Insults", appeal="mailto:appeals@example.org"):
        saying = clubs_pb2.SayInClubRequest(club_id=club_id, text="again", request_id=place.request_id())
        await place.ask("say_in_club", ADA, saying)


async def test_reports_are_bounded_by_number_and_by_age(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(report_rows, "PER_REPORTER", 2)
    await place.account(ADA, BOB, CLEO, DAN, EVE)
    await place.grant(CLEO, MODERATOR)
    for whom in (ADA, DAN, EVE):
        await place.file(BOB, NAME, player_id=whom.player_id)
    await place.file(ADA, NAME, player_id=EVE.player_id)
    assert [(one.name, one.reporter_name) for one in await place.listed(CLEO)] == [
        ("Dan", "Bob"),
        ("Eve", "Bob"),
        ("Eve", "Ada"),
    ]
    first = await place.ask("list_reports", CLEO, pb.ListReportsRequest(page_size=2))
    rest = await place.listed(CLEO, page_token=first.next_page_token)
    assert [one.reporter_name for one in rest] == ["Ada"]
    place.clock.wait(report_rows.KEPT_MS / 1000 + 1)
    await place.store.run(place.upkeep.forget_old)
    assert await place.listed(CLEO) == []


async def test_a_mute_holds_everywhere_and_ends_by_itself_with_news(place: Place):
    await place.account(EVE)
    await place.grant(CLEO, MODERATOR)
    words = WordFile("")
    other = TalkRules("127.0.0.1:1", words, "mailto:appeals@example.org", place.clock)
    other.learn(await place.rules())
    other.check(EVE.player_id)
    entry = await place.act(CLEO, EVE, MUTE, minutes=10)
    assert entry.until_ms > place.clock()
    other.learn(await place.rules(1))
    with refused("RESTRICTED", restriction="talk", why="Insults", appeal="mailto:appeals@example.org"):
        other.check(EVE.player_id)
    assert [
        (one.name, one.act) for one in (await place.ask("list_restrictions", CLEO, pb.ListRestrictionsRequest())).restrictions
    ] == [("Eve", MUTE)]
    await place.upkeep.look()
    place.clock.wait(601)
    other.check(EVE.player_id)
    await place.upkeep.look()
    await place.upkeep.look()
    assert await place.news(EVE) == ["muted", "unmuted"]
    assert (await place.log(CLEO))[0] == ("unmute", "server", "Eve")
    assert not (await place.rules()).muted
    await other.close()


async def test_a_suspended_account_is_out_at_once_and_comes_back_when_it_is_over(place: Place, quick_hashes: None):
    await place.grant(CLEO, MODERATOR)
    accounts = Accounts(place.store, b"k" * 32, OwnOrigins(""), place.clock, appeal="https://example.org/appeals")
    tokens = ApiTokens(place.store, place.clock)
    await accounts.set_password(accounts_pb2.SetPasswordRequest(login="Eve", password="correct horse"), EVE)
    making = bots_pb2.CreateApiTokenRequest(label="Mine", scopes=[bots_pb2.SCOPE_PLAY], request_id=place.request_id())
    await tokens.create(making, EVE)
    challenge = {"challenge_id": "1" * 32, "player_id": BOB.player_id, "name": "Bob", "challenged_id": EVE.player_id}
    more = {"challenged_name": "Eve", "game": "einstein", "request": b"", "state": 1, "created_at_ms": 1, "expires_at_ms": 2**40}
    await place.store.run(lambda one: one.execute(CHALLENGES.insert().values(**challenge, **more)))
    await place.act(CLEO, EVE, SUSPEND, minutes=60)
    with refused("NO_TOKEN"):
        await accounts.get_account(accounts_pb2.GetAccountRequest(), EVE)
    signing = accounts_pb2.SignInRequest(login=accounts_pb2.LoginProof(login="Eve", password="correct horse"))
    with refused("RESTRICTED", restriction="account", why="Insults", appeal="https://example.org/appeals"):
        await accounts.sign_in(signing, NOBODY)
    with refused("UNKNOWN"):
        wrong = accounts_pb2.LoginProof(login="Eve", password="wrong horse")
        await accounts.sign_in(accounts_pb2.SignInRequest(login=wrong), NOBODY)
    assert (
        await place.store.run(lambda one: one.execute(select(CHALLENGES.c.state)).scalar())
        == opponents_pb2.Challenge.STATE_WITHDRAWN
    )
    place.clock.wait(3601)
    await place.upkeep.look()
    assert await place.news(EVE) == ["suspended", "unsuspended"]
    back = (await accounts.sign_in(signing, NOBODY)).player
    assert back is not None
    again = Caller(EVE.player_id, "Eve", EVE.address, back.generation)
    listed = (await tokens.list(bots_pb2.ListApiTokensRequest(), again)).response
    assert isinstance(listed, bots_pb2.ListApiTokensResponse)
    assert not listed.tokens


async def test_a_guest_who_is_suspended_is_not_taken_for_one_who_is_gone(place: Place):
    await place.account(BOB)
    await place.grant(CLEO, MODERATOR)
    await place.file(BOB, PLAYER, player_id=EVE.player_id, session_id=TABLE)
    (report,) = await place.listed(CLEO)
    await place.decide(CLEO, report, SUSPEND)
    with refused("NO_TOKEN"):
        await place.store.run(lambda one: rows.own(one, EVE))
    assert await place.news(EVE) == ["suspended"]


async def test_another_name_is_given_and_the_former_one_is_in_the_log(place: Place):
    await place.account(EVE)
    await place.grant(CLEO, MODERATOR)
    entry = await place.act(CLEO, EVE, RENAME, name="Quiet Eve")
    assert (entry.subject, entry.name) == ("Eve", "Quiet Eve")
    entry = await place.act(CLEO, EVE, RENAME)
    assert entry.name.startswith("Player ")
    with refused("NAME_RESERVED"):
        await place.act(CLEO, EVE, RENAME, name="Moderator")


async def test_an_act_on_oneself_or_on_a_player_with_as_high_a_role_is_refused(place: Place):
    for caller, role in ((CLEO, MODERATOR), (DAN, MODERATOR), (BOB, OPERATOR)):
        await place.grant(caller, role)
    for actor, whom in ((CLEO, CLEO), (CLEO, DAN), (CLEO, BOB), (BOB, BOB)):
        with refused("MALFORMED", field="player_id"):
            await place.act(actor, whom, MUTE)
    await place.act(BOB, DAN, MUTE)
    with refused("UNKNOWN", what="player"):
        await place.act(CLEO, Caller("z" * 26, "Zoe", ""), MUTE)


async def test_a_repeated_act_is_logged_once(place: Place):
    await place.account(EVE)
    await place.grant(CLEO, MODERATOR)
    first = await place.act(CLEO, EVE, MUTE, "the-first-one", minutes=5)
    assert await place.act(CLEO, EVE, MUTE, "the-first-one", minutes=5) == first
    assert await place.store.run(lambda one: one.execute(select(func.count()).where(ACTS.c.act == MUTE)).scalar()) == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"act": pb.MODERATION_ACT_GRANT}, "measure.act"),
        ({"act": WARN, "reason": " "}, "measure.reason"),
        ({"act": WARN, "minutes": 5}, "measure.minutes"),
        ({"act": RENAME, "name": "\u202e"}, "measure.name"),
    ],
)
async def test_a_measure_that_cannot_be_is_refused(place: Place, fields: dict[str, object], field: str):
    await place.account(EVE)
    await place.grant(CLEO, MODERATOR)
    with refused("MALFORMED", field=field):
        measure = pb.Measure(**{"reason": "Insults", **fields})  # type: ignore[arg-type]
        await place.ask(
            "act_on_player", CLEO, pb.ActOnPlayerRequest(player_id=EVE.player_id, measure=measure, request_id="12345678")
        )


async def test_words_are_added_and_removed_and_reach_other_processes(place: Place):
    await place.grant(BOB, OPERATOR)
    changed = await place.ask("change_words", BOB, pb.ChangeWordsRequest(add=["Fool", "bad  word", "fool"]))
    assert list(changed.words) == ["bad word", "fool"]
    with refused("WORD_NOT_ALLOWED", word="fool"):
        place.words.check("You FOOL!", "text")
    there = WordFile("")
    other = TalkRules("127.0.0.1:1", there, "", place.clock)
    rules = await place.rules()
    other.learn(rules)
    assert there.found_in("a bad word") == "bad word"
    assert not (await place.rules(rules.version)).words
    changed = await place.ask("change_words", BOB, pb.ChangeWordsRequest(remove=["fool", "nothing"]))
    assert list(changed.words) == ["bad word"]
    with refused("MALFORMED", field="add"):
        await place.ask("change_words", BOB, pb.ChangeWordsRequest(add=["!"]))
    assert [act for act, _, _ in await place.log(BOB)] == ["remove_word", "add_word", "add_word", "grant"]
    await other.close()


async def test_an_account_takes_what_was_done_to_it_home_without_who_did_it_and_the_log_outlives_it(place: Place):
    await place.account(ADA, EVE)
    await place.grant(CLEO, MODERATOR)
    await place.file(ADA, NAME, player_id=EVE.player_id, comment="a secret of Ada's")
    (report,) = await place.listed(CLEO)
    await place.decide(CLEO, report, WARN, note="the second time")
    exported = await place.store.run(lambda one: whole_account.exported(one, EVE.player_id))
    (act,) = json.loads(exported)["players_acts"]
    assert (act["reason"], act["note"]) == ("Insults", "the second time")
    for hidden in (ADA.player_id, CLEO.player_id, "a secret of Ada's"):
        assert hidden not in exported
    own = json.loads(await place.store.run(lambda one: whole_account.exported(one, ADA.player_id)))["reported"]
    assert [one["comment"] for one in own] == ["a secret of Ada's"]
    for gone in (EVE, ADA):
        await place.store.run(partial(whole_account.remove, player_id=gone.player_id, at_ms=place.clock()))
    assert await place.store.run(lambda one: one.execute(select(func.count()).select_from(REPORTS)).scalar()) == 0
    assert [act for act, _, _ in await place.log(CLEO)] == ["warn", "grant"]
    everything = await place.store.run(lambda one: repr(one.execute(select(ACTS)).all()))
    assert EVE.player_id not in everything


async def test_the_log_is_kept_for_two_years(place: Place, monkeypatch: pytest.MonkeyPatch):
    await place.account(EVE)
    await place.grant(CLEO, MODERATOR)
    place.clock.wait(acts.KEPT_MS / 1000)
    await place.act(CLEO, EVE, WARN)
    await place.act(CLEO, EVE, WARN)
    place.clock.wait(1)
    await place.store.run(place.upkeep.forget_old)
    assert [act for act, _, _ in await place.log(CLEO)] == ["warn", "warn"]
    monkeypatch.setattr(acts, "MAX_ACTS", 1)
    await place.store.run(place.upkeep.forget_old)
    assert len(await place.log(CLEO)) == 1
