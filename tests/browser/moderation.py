"""Reports that wait for moderators, for pages that show it."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping

from brettwerk.v1 import accounts_pb2, moderation_pb2, talk_pb2
from brettwerk_client import Client, me, nobody


def give_role(client: Client, role: str, environment: Mapping[str, str]) -> str:
    """Give a guest an account and a role; return their id."""
    client.call(client.service.SetPhrase, accounts_pb2.SetPhraseRequest())
    account = client.call(client.service.GetAccount, accounts_pb2.GetAccountRequest()).account
    command = [sys.executable, "-m", "services.players.moderation", "grant", role, account.player_id]
    subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, timeout=60)
    player_id: str = account.player_id
    return player_id


def wait_for_reports(client: Client) -> None:
    """Return when what was said at a table has come to the moderators."""
    until = time.monotonic() + 60
    asked = moderation_pb2.ListReportsRequest()
    while not any(one.kind == moderation_pb2.REPORT_KIND_TALK for one in client.call(client.service.ListReports, asked).reports):
        assert time.monotonic() < until, "the report does not come"
        time.sleep(0.5)


def report_some(address: str, loud: str = "Eve") -> None:
    """Let a loud player be reported: for what they say at a table, and for their name."""
    with Client(address, name=loud) as eve, Client(address, name="Ada") as ada:
        seat = ada.create_session("emperado", [me(), nobody(), nobody()], title="Sunday evening").seat
        theirs = eve.join_session(seat.session_id, 1)
        said = []
        for client, token, text in (
            (ada, seat.token, "Good luck, all."),
            (eve, theirs.token, "You will need it."),
            (eve, theirs.token, "Go home, you fools!"),
        ):
            saying = talk_pb2.SayRequest(session_id=seat.session_id, seat_token=token, text=text)
            said.append(client.call(client.service.Say, saying).line)
        reporting = {"session_id": seat.session_id, "seat_token": seat.token, "line_id": said[-1].id}
        ada.call(ada.service.ReportTalk, talk_pb2.ReportTalkRequest(**reporting, comment="It goes on like this all the time."))
        filing = moderation_pb2.FileReportRequest(
            kind=moderation_pb2.REPORT_KIND_NAME,
            player_id=said[-1].player_id,
            session_id=seat.session_id,
            comment="That is my teacher's name.",
        )
        ada.call(ada.service.FileReport, filing)
