"""Wins against accounts that play nobody else, as operators see them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import players_pb2
from services.players.ratings.fed_wins import FEWEST, SHOWN, WINDOW_MS, Came, Counting, FedWins, fed_wins
from services.players.service import PlayersServicer
from tests.services.players.intake.finished_games import kept, outcome, person, session_id
from tests.services.players.intake.place import Place


def won(number: int, winner: str, loser: str) -> list[Came]:
    return [Came(f"s{number}", "einstein", winner, "won"), Came(f"s{number}", "einstein", loser, "lost")]


def test_wins_against_accounts_that_play_nobody_else_are_found_however_they_are_shared_out():
    for accounts in (1, 4, FEWEST):
        games = [one for number in range(FEWEST) for one in won(number, "anna", f"feeder{number % accounts}")]
        assert fed_wins(games) == [FedWins("anna", "einstein", FEWEST, accounts)]
        assert fed_wins(games[2:]) == []


def test_an_opponent_who_plays_others_too_feeds_nobody():
    games = [one for number in range(3 * FEWEST) for one in won(number, "anna", "bert")]
    assert fed_wins([*games, *won(999, "bert", "cleo")]) == []


def test_only_those_with_the_most_are_shown():
    games = [
        one
        for winner in range(SHOWN + 5)
        for number in range(FEWEST + winner)
        for one in won(1000 * winner + number, f"w{winner}", f"f{winner}")
    ]
    assert [found.wins for found in fed_wins(games)] == list(range(FEWEST + SHOWN + 4, FEWEST + 4, -1))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


async def test_the_figures_are_those_of_the_last_week(place: Place):
    now_ms = 1_700_000_000_000
    for number in range(FEWEST):
        sat = (person("anna"), person(f"guest{number}"))
        await place.archive.keep(kept(number, *sat, ended=outcome(0), competitive=True, finished_at_ms=now_ms - number))
    place.taking.take([session_id(number) for number in range(FEWEST)])
    counting = Counting(place.store)
    await counting.count(now_ms)
    assert counting.found == [FedWins("anna", "einstein", FEWEST, FEWEST)]
    nothing: Any = None
    servicer = PlayersServicer(nothing, nothing, nothing, nothing, nothing, counting, nothing)
    (answered,) = (await servicer.ListFedWins(players_pb2.ListFedWinsRequest(), nothing)).fed_wins
    assert (answered.player_id, answered.game, answered.wins, answered.accounts) == counting.found[0]
    assert REGISTRY.get_sample_value("brettwerk_fed_wins") == FEWEST
    await counting.count(now_ms + WINDOW_MS)
    assert counting.found == []
    assert REGISTRY.get_sample_value("brettwerk_fed_wins") == 0
