"""Moderation with real services: roles by command line, a suspension during a game, mutes, a players service that is killed."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import grpc
import pytest

from brettwerk.v1 import accounts_pb2, errors_pb2, moderation_pb2, operation_pb2, sessions_pb2, talk_pb2
from brettwerk_client import refusals
from deploy.local.deployment import Deployment
from tests.e2e.stranger import Stranger, eventually, in_background, me, new_id, nobody, play_plies

pytestmark = pytest.mark.e2e
WITHIN_S = 60.0
"""A second is promised; this is for a machine that has much other work."""


def moderation(deployment: Deployment, *arguments: str) -> str:
    """Return what the command line says."""
    command = [sys.executable, "-m", "services.players.moderation", *arguments]
    environment = {**os.environ, **deployment.environment}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def reason_of(error: grpc.RpcError) -> errors_pb2.Refusal:
    return refusals.of_call(error).refusal


@contextlib.contextmanager
def refused(reason: str, **details: str) -> Iterator[None]:
    with pytest.raises(grpc.RpcError) as caught:
        yield
    refusal = reason_of(caught.value)
    assert errors_pb2.Reason.Name(refusal.reason) == f"REASON_{reason}"
    assert dict(refusal.details).items() >= details.items()


def account(player: Stranger) -> str:
    """Make an account of a guest; return a phrase to sign in with."""
    return player.stub.SetPhrase(accounts_pb2.SetPhraseRequest(), metadata=player.metadata, timeout=30).phrase


def act(
    moderator: Stranger, whom: Stranger, what: moderation_pb2.ModerationAct.ValueType, minutes: int = 0
) -> moderation_pb2.ModerationEntry:
    measure = moderation_pb2.Measure(act=what, minutes=minutes, reason="Insults")
    request = moderation_pb2.ActOnPlayerRequest(player_id=whom.player_id, measure=measure, request_id=new_id())
    return moderator.stub.ActOnPlayer(request, metadata=moderator.metadata, timeout=30).entry


def say(player: Stranger, session_id: str, seat_token: str, text: str = "hello") -> str:
    """Return the id of a line."""
    request = talk_pb2.SayRequest(session_id=session_id, seat_token=seat_token, text=text, request_id=new_id())
    return player.stub.Say(request, timeout=20).line.id


def until_refused(ask: Callable[[], object], reason: errors_pb2.Reason.ValueType) -> errors_pb2.Refusal:
    """Return the refusal, once there is one for this reason."""
    until = time.monotonic() + WITHIN_S
    while time.monotonic() < until:
        try:
            ask()
        except grpc.RpcError as error:
            if reason_of(error).reason == reason:
                return reason_of(error)
        time.sleep(0.1)
    raise AssertionError("it is not refused")


@pytest.fixture
def people(own_deployment: Deployment) -> Iterator[tuple[Stranger, Stranger, Stranger]]:
    """A moderator, a player and another one."""
    cleo, eve, ada = (Stranger(own_deployment.grpc_address, name) for name in ("Cleo", "Eve", "Ada"))
    account(cleo)
    assert moderation(own_deployment, "grant", "moderator", cleo.player_id) == "Cleo is moderator"
    yield cleo, eve, ada
    for one in (cleo, eve, ada):
        one.close()


def test_a_player_who_is_suspended_during_a_game_is_out_of_it_at_once(
    own_deployment: Deployment, people: tuple[Stranger, Stranger, Stranger]
) -> None:
    cleo, eve, ada = people
    phrase = account(eve)
    session, tokens = ada.create(me(), nobody())
    token = eve.join(session.id).seat_token
    play_plies(session.id, ((ada, tokens[0]), (eve, token)), 2)
    act(cleo, eve, moderation_pb2.MODERATION_ACT_SUSPEND, minutes=60)
    getting = accounts_pb2.GetAccountRequest()
    until_refused(lambda: eve.stub.GetAccount(getting, metadata=eve.metadata, timeout=20), errors_pb2.REASON_NO_TOKEN)
    until_refused(lambda: say(eve, session.id, token), errors_pb2.REASON_NOT_YOUR_SEAT)
    signing = accounts_pb2.SignInRequest(phrase=phrase)
    with refused("RESTRICTED", restriction="account", why="Insults"):
        eve.stub.SignIn(signing, timeout=30)
    assert ada.look(session.id).session.state == sessions_pb2.Session.STATE_RUNNING
    act(cleo, eve, moderation_pb2.MODERATION_ACT_UNSUSPEND)
    back = eve.stub.SignIn(signing, timeout=30)
    assert back.player_id == eve.player_id


def test_a_muted_player_says_nothing_at_any_table_also_with_the_token_of_a_seat_alone(
    own_deployment: Deployment, people: tuple[Stranger, Stranger, Stranger]
) -> None:
    cleo, eve, ada = people
    session, tokens = ada.create(me(), nobody())
    token = eve.join(session.id).seat_token
    line_id = say(eve, session.id, token, "you fool")
    reporting = talk_pb2.ReportTalkRequest(session_id=session.id, seat_token=tokens[0], line_id=line_id, comment="an insult")
    ada.stub.ReportTalk(reporting, metadata=ada.metadata, timeout=20)
    found: list[moderation_pb2.Report] = []

    def has_come() -> bool:
        found[:] = cleo.stub.ListReports(moderation_pb2.ListReportsRequest(), metadata=cleo.metadata, timeout=20).reports
        return any(one.said == "you fool" for one in found)

    eventually(has_come, within_s=WITHIN_S)
    (report,) = (one for one in found if one.said == "you fool")
    measure = moderation_pb2.Measure(act=moderation_pb2.MODERATION_ACT_MUTE, reason="Insults")
    deciding = moderation_pb2.DecideReportRequest(report_id=report.report_id, measure=measure)
    assert cleo.stub.DecideReport(deciding, metadata=cleo.metadata, timeout=20).decided
    refusal = until_refused(lambda: say(eve, session.id, token), errors_pb2.REASON_RESTRICTED)
    assert (refusal.details["restriction"], refusal.details["why"]) == ("talk", "Insults")
    say(ada, session.id, tokens[0])


def test_an_act_is_carried_out_once_though_the_players_service_is_killed_meanwhile(
    own_deployment: Deployment, people: tuple[Stranger, Stranger, Stranger]
) -> None:
    cleo, eve, ada = people
    account(eve)
    session, tokens = ada.create(me(), nobody())
    token = eve.join(session.id).seat_token
    measure = moderation_pb2.Measure(act=moderation_pb2.MODERATION_ACT_MUTE, minutes=60, reason="Insults")
    request = moderation_pb2.ActOnPlayerRequest(player_id=eve.player_id, measure=measure, request_id=new_id())

    def insist() -> None:
        until = time.monotonic() + WITHIN_S
        while True:
            with contextlib.suppress(grpc.RpcError):
                cleo.stub.ActOnPlayer(request, metadata=cleo.metadata, timeout=20)
                return
            assert time.monotonic() < until
            time.sleep(0.05)

    insisting = in_background(insist)
    own_deployment.kill("players")
    play_plies(session.id, ((ada, tokens[0]), (eve, token)), 2)  # no action of a game waits for it
    own_deployment.wait("players")
    insisting.join(WITHIN_S)
    listing = moderation_pb2.ListActsRequest(player_id=eve.player_id)

    def is_logged_once() -> bool:
        return len(cleo.stub.ListActs(listing, metadata=cleo.metadata, timeout=20).entries) == 1

    eventually(is_logged_once, within_s=WITHIN_S)
    until_refused(lambda: say(eve, session.id, token), errors_pb2.REASON_RESTRICTED)


def test_an_operator_sees_the_figures_without_the_key_and_others_learn_nothing(
    own_deployment: Deployment, people: tuple[Stranger, Stranger, Stranger]
) -> None:
    cleo, eve, _ = people
    asked = operation_pb2.GetOverviewRequest()
    for one in (cleo, eve):
        with refused("UNKNOWN"):
            one.stub.GetOverview(asked, metadata=one.metadata, timeout=20)
    with refused("UNKNOWN", what="moderation"):
        eve.stub.ListReports(moderation_pb2.ListReportsRequest(), metadata=eve.metadata, timeout=20)
    asking = moderation_pb2.ListConductRequest()
    with refused("UNKNOWN", what="moderation"):
        eve.stub.ListConduct(asking, metadata=eve.metadata, timeout=20)
    assert cleo.stub.ListConduct(asking, metadata=cleo.metadata, timeout=20).made_at_ms > 0
    moderation(own_deployment, "grant", "operator", cleo.player_id)
    cleo.stub.GetOverview(asked, metadata=cleo.metadata, timeout=20)
    assert cleo.player_id in moderation(own_deployment, "list")
    assert moderation(own_deployment, "withdraw", cleo.player_id) == "Cleo has no role any more"
    with refused("UNKNOWN"):
        cleo.stub.GetOverview(asked, metadata=cleo.metadata, timeout=20)
