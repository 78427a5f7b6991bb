"""How players behaved, as finished games of a real archive bring it into the tables."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from brettwerk.v1 import record_pb2
from services.archive.access import Access
from services.players.accounts import rows
from services.players.conduct import conduct_rows
from services.players.conduct.conduct_rows import Conduct, Noted
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.reliability import KEPT
from services.players.conduct.tables import CONDUCT
from services.players.store import open_store
from services.players.whole_account import exported, remove
from tests.night import examples
from tests.services.players.intake.finished_games import computer, kept, log, outcome, person, session_id
from tests.services.players.intake.place import Place

NOW = 1_800_000_000_000
PLAYERS = ("anna", "bert", "cleo")
noted = st.builds(
    Noted,
    st.integers(NOW, NOW + 10**9),
    st.sampled_from(Pace),
    st.dictionaries(st.sampled_from(PLAYERS), st.sampled_from(Mark), min_size=2),
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Access]:
    made = open_store(f"sqlite:///{tmp_path_factory.mktemp('conduct')}/players.sqlite3")
    yield made
    made.close()


def conduct(store: Access, *players: str) -> dict[str, Conduct]:
    return store.run_here(lambda connection: conduct_rows.find(connection, players))


@settings(max_examples=examples(30))
@given(st.lists(noted, max_size=60), st.randoms())
def test_the_rows_do_not_depend_on_the_order_and_the_lots_in_which_games_come(
    store: Access, games: list[Noted], chance: random.Random
):
    found_rows = []
    for _ in range(2):
        for player in PLAYERS:
            store.run_here(partial(conduct_rows.forget, player_id=player))
        left = list(games)
        while left:
            lot = [left.pop() for _ in range(min(len(left), chance.randint(1, 9)))]
            store.run_here(partial(conduct_rows.note, games=lot))
        found_rows.append(conduct(store, *PLAYERS))
        chance.shuffle(games)
    assert found_rows[0] == found_rows[1]
    for player, found in found_rows[0].items():
        for pace in Pace:
            mine = (game for game in games if game.pace is pace and player in game.marks)
            own = sorted((game.at_ms // 1000 * 1000, game.marks[player]) for game in mine)
            assert list(found.of(pace)) == own[-KEPT:]


async def keep(place: Place, first: int, games: int, *, left: bool = False) -> None:
    """Keep competitive games of Anna and Bert; in those that Bert `left` a computer ended the game."""
    for number in range(first, first + games):
        entries = log(person("anna"), person("bert"))
        other = person("bert")
        if left:
            other = computer()
            entries.append(record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=1, occupant=other)))
        sat = (person("anna"), other)
        await place.archive.keep(
            kept(number, *sat, ended=outcome(0), competitive=True, entries=entries, finished_at_ms=NOW + number * 60_000)
        )


async def test_finished_games_come_once_each_and_again_with_a_rebuild(place: Place):
    await keep(place, 0, 6)
    await keep(place, 6, 3, left=True)
    for _ in range(2):
        place.taking.take([session_id(number) for number in range(9)])
    found = conduct(place.store, "anna", "bert", "cleo")
    assert found["cleo"] == Conduct()
    assert [len(found[player].slow) for player in ("anna", "bert")] == [9, 9]
    after = NOW + 9 * 60_000
    assert found["anna"].percent(Pace.SLOW, after) == 100
    assert found["bert"].percent(Pace.SLOW, after) == 63
    assert found["bert"].percent(Pace.LIVE, after) is None
    pause = found["bert"].pause(after)
    assert pause is not None
    assert pause.left == 3
    assert found["anna"].pause(after) is None
    place.taking.rebuild()
    assert conduct(place.store, "anna", "bert", "cleo") == found


async def test_a_row_is_exported_and_deleted_with_the_account_and_does_not_come_back(place: Place):
    await keep(place, 0, 2)
    place.taking.take([session_id(0)])
    assert '"players_conduct": [{' in place.store.run_here(lambda connection: exported(connection, "bert"))
    place.store.run_here(lambda connection: remove(connection, "bert", NOW))
    place.store.run_here(lambda connection: rows.void_tokens(connection, "bert", 1, NOW))
    place.taking.take([session_id(1)])
    assert conduct(place.store, "bert")["bert"] == Conduct()
    assert len(conduct(place.store, "anna")["anna"].slow) == 2


async def test_a_game_changes_one_row_of_each_player(place: Place):
    await keep(place, 0, 50)
    place.taking.take([session_id(number) for number in range(50)])
    count = place.store.run_here(lambda connection: connection.execute(select(func.count()).select_from(CONDUCT)).scalar_one())
    assert count == 2
    query = select(func.max(func.length(CONDUCT.c.slow)))
    longest = place.store.run_here(lambda connection: connection.execute(query).scalar_one())
    assert longest <= 600, "the column has room for more"
