"""Asks the system for everything it has of a session, through the gateway like anybody, and looks into the archive."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Set
from pathlib import Path

from brettwerk.v1 import play_pb2, record_pb2
from loadtests.chaos.clients import Clients
from loadtests.chaos.evidence import Entry, Evidence
from loadtests.chaos.ledger import Digest, digest
from loadtests.chaos.tables import Sitting

TIMEOUT_S = 120.0


async def evidence_of(clients: Clients, sitting: Sitting) -> Evidence:
    """Return what the system has of a session that is over. Raises NoAnswer, Refused."""
    session = sitting.ledger.session_id
    stub = clients.stub()
    exported = await clients.ask(
        stub.ExportSession, play_pb2.ExportSessionRequest(session_id=session), within_s=TIMEOUT_S, long=True
    )
    checked = await clients.ask(
        stub.VerifySession, play_pb2.VerifySessionRequest(session_id=session), within_s=TIMEOUT_S, long=True
    )
    updates = {-1: await _updates(clients, session, "")}
    for seat in sitting.seats:
        updates[seat.number] = await _updates(clients, session, seat.token)
    return Evidence(
        entries=tuple(_entry(entry) for entry in exported.record.entries),
        updates=updates,
        is_verified=checked.verification.good,
        fault=f"{checked.verification.fault.message} at version {checked.verification.fault_version}",
    )


async def _updates(clients: Clients, session: str, token: str) -> dict[int, Digest]:
    found: dict[int, Digest] = {}
    request = play_pb2.ListUpdatesRequest(session_id=session, seat_token=token, from_version=1, page_size=100)
    while True:
        page = await clients.ask(clients.stub().ListUpdates, request, within_s=TIMEOUT_S, long=True)
        found |= {update.version: digest(update) for update in page.updates}
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def _entry(entry: record_pb2.Entry) -> Entry:
    if entry.WhichOneof("change") != "acted":
        return Entry(entry.version)
    ply = entry.acted.ply
    return Entry(
        version=entry.version,
        actor=ply.actor_seat + 1 if ply.HasField("actor_seat") else 0,
        action=ply.action.SerializeToString(),
        is_fallback=entry.acted.cause == record_pb2.Acted.CAUSE_FALLBACK,
    )


async def not_archived(archived: Callable[[], Set[str]], sessions: Set[str], within_s: float) -> set[str]:
    """Return those of the sessions that the archive does not have within some seconds; `archived` returns what it has."""
    until = time.monotonic() + within_s
    missing = set(sessions)
    while True:
        missing -= await asyncio.to_thread(archived)
        if not missing or time.monotonic() > until:
            return missing
        await asyncio.sleep(1)


def in_file(file: Path) -> set[str]:
    """Return the sessions that an archive in SQLite has."""
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=5)
        try:
            return {one for (one,) in connection.execute("SELECT session_id FROM archived_sessions")}
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return set()
