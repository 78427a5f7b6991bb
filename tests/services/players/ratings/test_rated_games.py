"""Stored results in ratings: the same numbers in whatever order games arrive, and what counts and what does not."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select

from brettwerk.v1 import record_pb2
from services.players.accounts.deleted_players import mark_of
from services.players.accounts.tables import SIGN_OUTS
from services.players.ratings import rated_games
from services.players.ratings.anchors import anchors
from services.players.ratings.glicko2 import MEAN, PROVISIONAL, Rating, Score, rate
from services.players.ratings.pools import DAY_MS, week_of
from services.players.ratings.rating_update import State
from services.players.ratings.tables import RATING_EVENTS, RATING_WEEKS, RATINGS
from services.players.results.rating_kind import TWO
from tests.services.players.intake.finished_games import computer, kept, log, outcome, person, session_id
from tests.services.players.intake.place import NAMES, Place

START_MS = 1_700_000_000_000
ANNA, BERT, CLEO = person("anna"), person("bert"), person("cleo")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


def ratings(place: Place) -> dict[str, float]:
    query = select(RATINGS.c.player_id, RATINGS.c.rating)
    return {row.player_id: row.rating for row in place.store.run_here(lambda connection: connection.execute(query).all())}


async def keep_games(place: Place, games: int, *, hours: int) -> list[str]:
    """Keep games of everybody against everybody, at random ends over some time."""
    chance = random.Random(7)
    for number in range(games):
        one, other = chance.sample(NAMES, 2)
        opponent = computer("normal") if chance.random() < 0.2 else person(other)
        ended = outcome(*([chance.randrange(2)] if chance.random() < 0.8 else []))
        at_ms = START_MS + chance.randrange(hours) * 3_600_000  # some end at the same time
        await place.archive.keep(kept(number, person(one), opponent, ended=ended, competitive=True, finished_at_ms=at_ms))
    return [session_id(number) for number in range(games)]


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
async def test_ratings_are_the_same_in_whatever_order_and_lots_games_arrive(
    place: Place, monkeypatch: pytest.MonkeyPatch, seed: int
):
    monkeypatch.setattr(rated_games, "STEP", 7)
    ids = await keep_games(place, 120, hours=24 * 30)
    chance = random.Random(seed)
    chance.shuffle(ids)
    while ids:
        size = chance.randrange(1, 20)
        place.taking.take(ids[:size])
        ids = ids[size:]
    arrived = place.rows()
    monkeypatch.setattr(rated_games, "STEP", 500)
    place.taking.rebuild()
    assert place.rows() == arrived
    assert len(ratings(place)) == len(NAMES)


async def test_weeks_sum_up_what_was_gained_in_them(place: Place):
    place.taking.take(await keep_games(place, 100, hours=24 * 30))
    place.taking.take(await keep_games(place, 101, hours=24 * 30))
    gains: dict[tuple[str, int], float] = {}
    for row in place.store.run_here(lambda connection: connection.execute(select(RATING_EVENTS)).all()):
        mine = (row.player_id, week_of(row.finished_at_ms))
        gains[mine] = gains.get(mine, 0.0) + row.rating - row.rating_before
    weeks = place.store.run_here(lambda connection: connection.execute(select(RATING_WEEKS)).all())
    assert {(row.player_id, row.week): row.gain for row in weeks} == pytest.approx(gains)


async def test_a_win_against_a_level_is_worth_what_its_anchor_says(place: Place):
    await place.archive.keep(kept(1, ANNA, computer("best"), ended=outcome(0), competitive=True))
    await place.archive.keep(kept(2, BERT, computer("beginner"), ended=outcome(0), competitive=True))
    place.taking.take([session_id(1), session_id(2)])
    fixed = anchors("einstein")
    expected = {
        name: rate(Rating(), [Score(fixed[TWO, level], 1.0)], 0.0).rating
        for name, level in (("anna", "best"), ("bert", "beginner"))
    }
    assert ratings(place) == pytest.approx(expected)
    assert expected["anna"] > expected["bert"] > MEAN


async def test_a_casual_game_or_one_from_another_start_counts_for_nothing(place: Place):
    own = log(ANNA, BERT)
    edited = record_pb2.Entry(created=record_pb2.Created(game="einstein", seats=2))
    edited.created.start_position.type_url = "type.googleapis.com/brettwerk.v1.EinsteinPosition"
    loaded = record_pb2.Entry(loaded=record_pb2.Loaded())
    await place.archive.keep(kept(1, ANNA, BERT, ended=outcome(0)))
    await place.archive.keep(kept(2, ANNA, BERT, ended=outcome(0), competitive=True, entries=[edited, *own]))
    await place.archive.keep(kept(3, ANNA, BERT, ended=outcome(0), competitive=True, entries=[*own, loaded]))
    await place.archive.keep(kept(4, ANNA, ANNA, ended=outcome(0), competitive=True))
    await place.archive.keep(kept(5, ANNA, computer("depth"), ended=outcome(0), competitive=True))
    assert place.taking.take([session_id(number) for number in range(1, 6)]) == 5
    assert ratings(place) == {}


async def test_a_player_who_leaves_loses_whatever_becomes_of_the_seat_and_their_successor_gains_nothing(place: Place):
    left = record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=0, occupant=CLEO))
    entries = [*log(ANNA, BERT), left]
    await place.archive.keep(kept(1, CLEO, BERT, ended=outcome(0), competitive=True, entries=entries))
    place.taking.take([session_id(1)])
    found = ratings(place)
    assert set(found) == {"anna", "bert"}
    assert found["anna"] < MEAN < found["bert"]


def substituted(*, plies_left: int = 12) -> list[record_pb2.Entry]:
    """Return a game of Anna's in which Cleo plays on for Bert when so many plies are left."""
    entries = log(ANNA, BERT)
    at = len(entries) - plies_left
    left = record_pb2.SeatChanged(seat=1, occupant=computer())
    offered = record_pb2.SeatOffered(seat=1, player_id="bert")
    came = record_pb2.SeatChanged(seat=1, occupant=CLEO)
    changes = ({"seat_changed": left}, {"seat_offered": offered}, {"seat_changed": came})
    entries[at:at] = [record_pb2.Entry(**change) for change in changes]
    return entries


async def keep_substituted(place: Place, number: int, winner: int, plies_left: int = 12) -> None:
    at_ms, entries = START_MS + number * 3_600_000, substituted(plies_left=plies_left)
    game = kept(number, ANNA, CLEO, ended=outcome(winner), competitive=True, entries=entries, finished_at_ms=at_ms)
    await place.archive.keep(game)


async def test_a_substitute_gains_by_a_win_and_loses_nothing_by_a_loss(place: Place):
    await keep_substituted(place, 1, winner=0)
    place.taking.take([session_id(1)])
    assert set(ratings(place)) == {"anna", "bert"}
    lost = ratings(place)
    await keep_substituted(place, 2, winner=1)
    place.taking.take([session_id(2)])
    won = ratings(place)
    assert won["cleo"] > MEAN
    assert won["bert"] < lost["bert"] < MEAN, "the one who left has lost both"
    assert won["anna"] > lost["anna"] > MEAN, "to whoever stayed"


async def test_a_substitute_gains_by_how_much_of_the_game_they_played(place: Place):
    gains = []
    for number, plies_left in ((1, 24), (2, 12), (3, 2), (4, 0)):
        await keep_substituted(place, number, winner=1, plies_left=plies_left)
        place.taking.take([session_id(number)])
        gains.append(ratings(place).get("cleo", MEAN) - MEAN)
        place.taking.rebuild()
    alone = [gains[0], *(after - before for before, after in pairwise(gains))]
    assert alone == sorted(alone, reverse=True)
    assert alone[2] > 0
    assert alone[3] == 0, "there was nothing left to play"


async def test_ratings_with_substitutes_are_the_same_in_whatever_order_games_arrive(place: Place):
    for number in range(8):
        await keep_substituted(place, number, winner=number % 2)
    for number in (5, 0, 7, 3, 1, 6, 2, 4):
        place.taking.take([session_id(number)])
    arrived = place.rows()
    place.taking.rebuild()
    assert place.rows() == arrived


@pytest.mark.parametrize(("plies", "counts"), [(0, False), (4, False), (5, True)])
async def test_closing_a_game_against_a_computer_once_it_has_been_played_loses_it(place: Place, plies: int, counts: bool):
    entries = log(ANNA, computer("easy"), plies=plies)
    await place.archive.keep(kept(1, ANNA, computer("easy"), competitive=True, entries=entries))
    place.taking.take([session_id(1)])
    assert [rating < MEAN for rating in ratings(place).values()] == [True] * counts


async def win_against(place: Place, guests: list[str], *, plies: int) -> float:
    """Let guests resign against Anna after so many plies; return her rating, or MEAN if she has none."""
    for number, guest in enumerate(guests):
        sat = (ANNA, person(guest))
        at_ms = START_MS + number * 60_000
        entries = log(*sat, plies=plies)
        await place.archive.keep(kept(number, *sat, ended=outcome(0), competitive=True, entries=entries, finished_at_ms=at_ms))
    place.taking.take([session_id(number) for number in range(len(guests))])
    return ratings(place).get("anna", MEAN)


async def test_twelve_fresh_guests_who_resign_at_once_move_nothing(place: Place):
    assert await win_against(place, [f"guest{number}" for number in range(12)], plies=0) == MEAN
    assert not ratings(place)


async def test_twelve_fresh_guests_who_resign_later_move_less_than_half_of_what_they_did(place: Place):
    alone = rate(Rating(), [Score(Rating(), 1.0)], periods=0.0)
    for _ in range(11):
        alone = rate(alone, [Score(Rating(), 1.0)], periods=0.0)
    assert alone.rating > 2000
    farmed = await win_against(place, [f"guest{number}" for number in range(12)], plies=24)
    assert MEAN < farmed < MEAN + (alone.rating - MEAN) / 2


async def test_the_same_opponent_again_and_again_is_worth_no_more_than_a_few_games(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rated_games, "STEP", 3)  # who met before a step is read from what is stored
    await win_against(place, ["bert"] * 40, plies=24)
    query = select(RATING_EVENTS.c.rating).where(RATING_EVENTS.c.player_id == "anna").order_by(RATING_EVENTS.c.finished_at_ms)
    after = list(place.store.run_here(lambda connection: connection.execute(query).scalars().all()))
    assert after == sorted(after)
    assert after[-1] - after[5] < after[1] - after[0]
    stored = place.rows()
    monkeypatch.undo()
    place.taking.rebuild()
    assert place.rows() == stored


async def test_ratings_of_others_stay_when_an_opponent_is_deleted_also_after_a_rebuild(place: Place):
    await place.archive.keep(kept(1, ANNA, BERT, ended=outcome(0), competitive=True))
    await place.archive.keep(kept(2, BERT, CLEO, ended=outcome(0), competitive=True))
    place.taking.take([session_id(1), session_id(2)])
    before = ratings(place)
    signed_out = SIGN_OUTS.insert().values(player_id="bert", generation=1, at_ms=1)
    place.store.run_here(lambda connection: connection.execute(signed_out))
    place.taking.rebuild()
    after = ratings(place)
    assert (after["anna"], after["cleo"]) == (before["anna"], before["cleo"])
    assert set(after) == {"anna", "cleo", mark_of("bert")}


def test_a_rating_gets_provisional_by_time_alone() -> None:
    state = State(Rating(1600.0, 60.0, 0.06), 30, START_MS)
    assert 360 < (state.established_until_ms - START_MS) / DAY_MS < 370  # a year, as pools.py says
    assert State(Rating(1600.0, PROVISIONAL + 1, 0.06), 3, START_MS).established_until_ms == 0


def test_weeks_begin_on_mondays() -> None:
    monday = 1_700_438_400_000  # 2023-11-20, a Monday
    assert (week_of(monday), week_of(monday - 1)) == (week_of(monday + 7 * DAY_MS - 1), week_of(monday) - 1)
