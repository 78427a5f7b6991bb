"""Measures against rating abuse: whom they list, and that they judge by nothing but the games."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import sessions_pb2
from loadtests.simulated_conduct import simulate
from services.archive.access import Access
from services.players.conduct import report
from services.players.conduct.duel_rows import WINDOW_MS, read
from services.players.conduct.duels import FEWEST_OF_POOL, SHORTEST, SHOWN_GAMES, Duel, Seat, soon_given_up
from services.players.conduct.thrown_games import thrown_games
from services.players.conduct.traded_wins import TradedWins, traded_wins
from services.players.ratings.pools import Pool
from tests.night import at_night
from tests.services.players.intake.finished_games import kept, log, outcome, person, session_id
from tests.services.players.intake.place import Place

POOL = Pool("einstein", "two")
NOW = 1_800_000_000_000
LONG, SHORT = 40, 6
UNSEEN = {"one-sided, of usual length", "throws games of usual length"}
"""Abuse that looks like games which are lost: docs/conduct.md says so."""
players = st.sampled_from([f"player{number}" for number in range(6)])


def duel(
    number: int, winner: str, loser: str, plies: int, *, given_up: bool = True, gain: float = 10.0, **ratings: float
) -> Duel:
    first, second = Seat(winner, ratings.get("won", 1500.0), gain), Seat(loser, ratings.get("lost", 1500.0), -gain)
    return Duel(number, f"s{number:04}", POOL, plies, first, second, given_up=given_up)


def crowd(games: int = 300) -> list[Duel]:
    """Return games of usual length of players who do nothing else."""
    return [duel(-1 - number, f"a{number}", f"b{number}", LONG + number % 7) for number in range(games)]


@st.composite
def any_duels(draw: st.DrawFn) -> list[Duel]:
    found = []
    for number in range(draw(st.integers(0, 120))):
        winner, loser = draw(st.lists(players, min_size=2, max_size=2, unique=True))
        rating, given_up = st.floats(1000, 2000), draw(st.booleans())
        one = duel(number, winner, loser, draw(st.integers(5, 60)), given_up=given_up, won=draw(rating), lost=draw(rating))
        found.append(one._replace(drawn=draw(st.integers(0, 9)) == 0))
    return found


@given(any_duels(), st.randoms())
def test_the_lists_do_not_depend_on_the_order_in_which_games_are_read(duels: list[Duel], chance: random.Random):
    mixed = list(duels)
    chance.shuffle(mixed)
    assert traded_wins(mixed) == traded_wins(duels)
    assert thrown_games(mixed) == thrown_games(duels)


@given(any_duels())
def test_every_finding_is_made_of_games_of_those_whom_it_names(duels: list[Duel]):
    games = {one.session_id: {one.first.player_id, one.second.player_id} for one in duels}
    for pair in traded_wins(duels):
        assert pair.signs
        assert len(pair.sessions) <= SHOWN_GAMES
        assert all(games[one] == {*pair.players} for one in pair.sessions)
        assert sum(pair.wins) <= pair.games
        assert all(0 <= share <= 1.0001 for share in pair.gain_shares)
    for found in thrown_games(duels):
        assert found.signs
        assert all(found.player_id in games[one] for one in found.sessions)
        assert found.thrown <= found.soon <= found.lost <= found.games


@given(any_duels())
def test_at_most_a_tenth_of_a_pool_is_given_up_soon_and_nothing_in_a_small_one(duels: list[Duel]):
    won = [one for one in duels if not one.drawn]
    soon = sum(is_soon for _, is_soon in soon_given_up(duels))
    assert soon <= (SHORTEST * len(won) if len(won) >= FEWEST_OF_POOL else 0)


def test_a_pair_is_listed_by_games_that_were_given_up_soon():
    traded = [duel(number, "anna", "bert", SHORT) for number in range(8)]
    (found,) = traded_wins([*crowd(), *traded])
    assert (found.players, found.signs, found.games, found.wins, found.soon, found.changes) == (
        ("anna", "bert"),
        ("soon",),
        8,
        (8, 0),
        8,
        0,
    )
    assert found.gain_shares == (1.0, 0.0)
    assert found.sessions == tuple(f"s{number:04}" for number in reversed(range(8)))
    assert traded_wins([*crowd(), *traded[1:]]) == [], "seven are too few"
    played_out = [one._replace(given_up=False) for one in traded]
    assert traded_wins([*crowd(), *played_out]) == [], "the rules may end a game soon"
    others = [duel(100 + number, "anna", f"c{number}", LONG, gain=90) for number in range(9)]
    assert traded_wins([*crowd(), *traded, *others]) == [], "little of what Anna gained"


def test_a_pair_is_listed_whose_wins_take_turns_however_long_the_games_are():
    turns = [duel(number, *(("anna", "bert") if number % 2 else ("bert", "anna")), LONG) for number in range(20)]
    (found,) = traded_wins([*crowd(), *turns])
    assert (found.signs, found.changes, found.wins) == (("turns",), 19, (10, 10))
    assert traded_wins([*crowd(), *turns[1:]]) == []
    assert traded_wins([*crowd(), *(duel(number, "anna", "bert", LONG) for number in range(60))]) == [], "one is stronger"


def test_a_player_is_listed_who_falls_by_thrown_games_and_gains_the_points_back():
    fallen = [duel(number, f"c{number}", "anna", SHORT, gain=25, won=1500, lost=1800 - 25 * number) for number in range(6)]
    back = [duel(100 + number, "anna", f"d{number}", LONG, gain=30, won=1650 + 30 * number) for number in range(3)]
    (found,) = thrown_games([*crowd(), *fallen, *back])
    assert (found.player_id, found.signs, found.thrown, found.cost, found.highest) == ("anna", ("sandbagging",), 6, 150, 1800)
    assert found.gained_back == 90
    assert thrown_games([*crowd(), *fallen]) == [], "nothing is gained back yet"
    equals = [one._replace(first=one.first._replace(before=1750)) for one in fallen]
    assert thrown_games([*crowd(), *equals, *back]) == [], "the opponents are no weaker"
    tired = [one._replace(plies=LONG) for one in fallen]
    assert thrown_games([*crowd(), *tired, *back]) == []


def test_a_player_is_listed_who_gives_most_lost_games_up_soon():
    soon = [duel(number, f"c{number}", "anna", SHORT) for number in range(8)]
    late = [duel(100 + number, f"d{number}", "anna", LONG) for number in range(9)]
    (found,) = thrown_games([*crowd(), *soon, *late[:8]])
    assert (found.signs, found.soon, found.lost) == (("soon",), 8, 16)
    assert thrown_games([*crowd(), *soon, *late]) == []


@pytest.mark.parametrize(("honest", "seed"), [(500, 1), *(at_night(2000, seed) for seed in (1, 2, 3))])
def test_few_honest_players_are_listed_and_most_abusers_are(honest: int, seed: int):
    found = simulate(honest, planted=20, seed=seed)
    assert found.honest <= 0.01
    assert all(share >= 0.7 for kind, share in found.abusers.items() if kind not in UNSEEN), found.abusers


async def test_the_report_names_games_of_a_real_database_and_nobody_is_changed(tmp_path: Path):
    place = Place(tmp_path)
    try:
        for number in range(FEWEST_OF_POOL + 100):
            is_traded = number % 10 == 0
            sat = (person("anna"), person("bert")) if is_traded else (person(f"c{number}"), person(f"d{number}"))
            ended = outcome(number % 2)
            ended.reason.key = f"reason.resigned.{number % 2}"
            entries = log(*sat, plies=SHORT if is_traded else 24 + number % 5)
            one = kept(number, *sat, ended=ended, competitive=True, entries=entries, finished_at_ms=NOW + number)
            await place.archive.keep(replace(one, session=shorter(one.session, len(entries) - 3)))
        place.taking.take([session_id(number) for number in range(FEWEST_OF_POOL + 100)])
        before = place.rows()
        assert shown(place.store, NOW + WINDOW_MS + 1000) == []
        (pair,) = shown(place.store, NOW + 1000)
        assert (pair.players, pair.games, pair.wins) == (("anna", "bert"), 15, (15, 0))
        assert place.rows() == before
        found = place.store.run_here(lambda connection: report.report(connection, NOW + 1000))
        assert (found.games, found.left_out, found.players()) == (FEWEST_OF_POOL + 100, (0, 0, 0), ["anna", "bert"])
        printed = "\n".join(report.lines(found, {"anna": "Anna", "bert": "Bert"}))
        assert "Anna (anna) and Bert (bert), einstein/two [soon]" in printed
        assert session_id(140) in printed
        duels = place.store.run_here(lambda connection: read(connection, NOW + 1000))
        assert len(duels) == FEWEST_OF_POOL + 100
        assert all(one.given_up and one.first.gain > 0 > one.second.gain for one in duels[:20])
    finally:
        place.close()


def shorter(session: bytes, plies: int) -> bytes:
    """Return an encoded session that has so many plies."""
    whole = sessions_pb2.Session.FromString(session)
    whole.plies = plies
    return whole.SerializeToString()


def shown(store: Access, now_ms: int) -> list[TradedWins]:
    return store.run_here(lambda connection: report.report(connection, now_ms)).traded_wins
