"""Finished games in the players' tables: each once, and the same after kill -9 and after a rebuild."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import func, make_url, select

from services.players.accounts.deleted_players import mark_of
from services.players.accounts.tables import SIGN_OUTS
from services.players.intake.app import RESULTS as QUEUE
from services.players.intake.app import app
from services.players.intake.publisher import IN_A_MESSAGE, MAX_AGAIN_S, Publisher
from services.players.ratings.tables import RATING_EVENTS, RATINGS
from services.players.results.tables import GAMES, RESULTS
from tests.e2e.stranger import eventually
from tests.night import examples
from tests.redis_server import LastingRedis
from tests.services.players.intake.finished_games import computer, kept, outcome, person, session_id
from tests.services.players.intake.place import NAMES, TABLES, Place

GAMES_ENDING = examples(1000)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


async def test_a_game_is_taken_once_however_often_it_comes(place: Place):
    await place.finish(0, 3)
    ids = [session_id(number) for number in range(3)]
    assert place.taking.take([*ids, session_id(99)]) == 3
    before = place.rows()
    assert place.taking.take(ids) == 0
    assert place.rows() == before
    assert place.outbox.undelivered(10) == []


async def test_a_death_before_the_mark_brings_the_game_again_without_a_change(place: Place):
    await place.finish(0, 2)
    ids = [session_id(0), session_id(1)]
    place.taking.take(ids)
    before = place.rows()
    place.outbox.unmark_all()
    assert {one.session_id for one in place.outbox.undelivered(10)} == set(ids)
    assert place.taking.take(ids) == 0
    assert (place.rows(), place.outbox.undelivered(10)) == (before, [])


async def test_a_game_that_cannot_be_read_is_noted_and_left(place: Place):
    whole = kept(7, person("anna"), computer(), ended=outcome(0))
    await place.archive.keep(replace(whole, record=b"\xff\xff"))
    assert place.taking.take([session_id(7)]) == 1
    assert place.outbox.undelivered(10) == []
    statuses = place.store.run_here(lambda connection: list(connection.execute(select(GAMES.c.status)).scalars()))
    assert statuses == ["unreadable"]


async def test_a_rebuild_brings_nobody_back_who_deleted_the_account(place: Place):
    await place.archive.keep(kept(1, person("anna"), person("bert"), ended=outcome(0)))
    gone = SIGN_OUTS.insert().values(player_id="bert", generation=1, at_ms=1)
    place.store.run_here(lambda connection: connection.execute(gone))
    assert place.taking.rebuild() == 1
    players = place.store.run_here(lambda connection: list(connection.execute(select(RESULTS.c.player_id)).scalars()))
    assert players == ["anna", mark_of("bert")]


@pytest.mark.nightly
async def test_kill_9_of_the_worker_among_many_finishing_games_leaves_the_tables_of_a_rebuild(place: Place, tmp_path: Path):
    with LastingRedis(tmp_path / "redis") as server:
        environment = os.environ | {
            "BRETTWERK_BROKER_URL": server.url,
            "BRETTWERK_DATABASE_URL": place.archive_url,
            "BRETTWERK_PLAYERS_DATABASE_URL": place.players_url,
        }
        feeding = Publisher(place.outbox, lambda session_ids: _publish(server.url, session_ids))
        await place.finish(0, GAMES_ENDING // 2)
        for _ in range(2):
            before = _undelivered(place)
            worker = _worker(environment)
            _publish(server.url, before[:IN_A_MESSAGE])
            eventually(partial(_is_left, place, before[IN_A_MESSAGE:]), 60)
            with _no_marks_in_the_archive(place):
                stored = _stored(place)
                _publish(server.url, before[IN_A_MESSAGE : 2 * IN_A_MESSAGE])
                eventually(partial(_more_stored, place, stored), 60)
                _kill(worker)
            assert _undelivered(place) == before[IN_A_MESSAGE:], "what was stored and not marked comes again"
        await place.finish(GAMES_ENDING // 2, GAMES_ENDING // 2)
        worker = _worker(environment)
        now = 0.0

        def all_taken() -> bool:
            nonlocal now
            now += MAX_AGAIN_S
            feeding.feed(now)
            return not place.outbox.undelivered(1)

        eventually(all_taken, 120, every_s=1.0)
        _kill(worker)
    taken = place.rows()
    assert len(taken[TABLES.index(RATINGS)]) == len(NAMES)
    assert len(taken[TABLES.index(RATING_EVENTS)]) > GAMES_ENDING
    assert place.taking.rebuild() == GAMES_ENDING
    assert place.rows() == taken


@contextmanager
def _no_marks_in_the_archive(place: Place) -> Iterator[None]:
    """Keep everybody else from writing into the archive, so that a worker cannot get past what it has stored."""
    with closing(sqlite3.connect(make_url(place.archive_url).database or "", isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        yield
        lock.execute("ROLLBACK")


def _undelivered(place: Place) -> list[str]:
    return [one.session_id for one in place.outbox.undelivered(GAMES_ENDING)]


def _is_left(place: Place, session_ids: list[str]) -> bool:
    return _undelivered(place) == session_ids


def _stored(place: Place) -> int:
    return place.store.run_here(lambda connection: connection.execute(select(func.count()).select_from(GAMES)).scalar_one())


def _more_stored(place: Place, before: int) -> bool:
    return _stored(place) > before


def _publish(url: str, session_ids: Sequence[str]) -> None:
    with app.connection_for_write(url) as connection:
        app.send_task(QUEUE, args=[list(session_ids)], queue=QUEUE, connection=connection, ignore_result=True)


def _worker(environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "services.players.intake.worker"]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE)


def _kill(worker: "subprocess.Popen[bytes]") -> None:
    worker.kill()
    worker.communicate()
