"""Standings: tie-breaks by the published formulas, on tournaments that were worked out by hand."""

from dataclasses import replace

from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game
from services.players.tournaments.standings import Standing, standing_key, standings

FOUR = [Entrant(number) for number in range(4)]
GAMES = [
    Game(1, 0, 2, (WIN, LOSS)),
    Game(1, 1, 3, (WIN, LOSS)),
    Game(2, 0, 1, (DRAW, DRAW)),
    Game(2, 2, 3, (WIN, LOSS)),
    Game(3, 3, 0, (LOSS, WIN)),
    Game(3, 2, 1, (LOSS, WIN)),
]


def test_buchholz_and_sonneborn_berger_are_what_the_formulas_say():
    rows = {row.number: row for row in standings(FOUR, GAMES, is_swiss=True)}
    assert [rows[number].points for number in range(4)] == [5, 5, 2, 0]
    assert rows[0].buchholz == 2 + 5 + 0 and rows[0].buchholz_cut == 2 + 5
    assert rows[0].sonneborn_berger == 2 * WIN + 5 * DRAW + 0 * WIN
    assert rows[0].buchholz_median == 2 and rows[2].buchholz_median == 5
    assert rows[2].buchholz == 5 + 0 + 5 and rows[2].sonneborn_berger == 0 * WIN
    assert [rows[number].wins for number in range(4)] == [2, 2, 1, 0]


def test_players_equal_in_all_points_share_a_place():
    rows = standings(FOUR, GAMES, is_swiss=True)
    assert [(row.place, row.number) for row in rows] == [(1, 0), (1, 1), (3, 2), (4, 3)]


def test_the_median_decides_where_all_before_it_is_equal():
    row = Standing(
        place=0,
        number=0,
        points=4,
        direct=0,
        buchholz_cut=9,
        buchholz=10,
        buchholz_median=4,
        sonneborn_berger=8,
        wins=2,
    )
    other = replace(row, number=1, buchholz_median=5, sonneborn_berger=7)
    assert standing_key(other, is_swiss=True) > standing_key(row, is_swiss=True)
    assert standing_key(other, is_swiss=False) < standing_key(row, is_swiss=False)


def test_the_winner_of_their_own_game_is_in_front():
    games = [Game(1, 0, 1, (LOSS, WIN)), Game(1, 2, 3, (DRAW, DRAW)), Game(2, 0, 2, (WIN, LOSS)), Game(2, 1, 3, (LOSS, WIN))]
    rows = standings(FOUR, games, is_swiss=False)
    assert [row.number for row in rows if row.points == WIN] == [1, 0]


def test_a_round_that_was_not_played_counts_as_against_oneself():
    games = [Game(1, 0, 1, (WIN, LOSS)), Game(1, 2, None, (WIN, LOSS)), Game(2, 2, 0, (LOSS, WIN), played=False)]
    rows = {row.number: row for row in standings(FOUR[:3], games, is_swiss=True)}
    assert rows[2].buchholz == 2 + 2 and rows[2].wins == 0
    assert rows[0].buchholz == 0 + 4 and rows[0].wins == 1 and rows[0].sonneborn_berger == 0


def test_a_published_crosstable_has_its_published_scores():
    """Two rounds of four (Sensei's Library, "Sonneborn-Berger"): A and B have four points each, and 11 and 9 break the tie."""
    first = {(0, 1): WIN, (0, 2): WIN, (0, 3): WIN, (1, 2): WIN, (1, 3): WIN, (2, 3): WIN}
    second = {(0, 1): LOSS, (0, 2): WIN, (0, 3): LOSS, (1, 2): LOSS, (1, 3): WIN, (2, 3): WIN}
    games = [
        Game(number, one, other, (points, WIN - points))
        for number, played in enumerate((first, second), 1)
        for (one, other), points in played.items()
    ]
    rows = standings(FOUR, games, is_swiss=False)
    quarters = WIN * WIN
    assert [(row.number, row.points // WIN, row.sonneborn_berger // quarters) for row in rows] == [
        (0, 4, 11),
        (1, 4, 9),
        (2, 3, 6),
        (3, 1, 4),
    ]
