"""Statistics note the same of a session as the fast games note of themselves, and what is taken back is forgotten."""

import pytest

from brettwerk_games.players.emperado.simulation import play_game
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.options import PRESET
from brettwerk_games.rules.emperado.position import End, Position
from brettwerk_games.rules.emperado.survey import LEADER_AT, survey
from brettwerk_games.rules.emperado.world import CONTINENTS
from services.ai.runs.batch import step_seed


def position(seats: int = 3) -> Position:
    made: Position = GAME.new(PRESET, seats, None, step_seed(1, 0)).position
    return made


def holding(made: Position, seat: int, *continents: int) -> Position:
    owners = list(made.owners)
    for continent in continents:
        for country in CONTINENTS[continent].countries:
            owners[country] = seat
    return made._replace(owners=tuple(owners), to_move=seat)


def spread(made: Position) -> Position:
    """Return the position with no continent in one hand."""
    owners = list(made.owners)
    for continent in CONTINENTS:
        for number, country in enumerate(continent.countries):
            owners[country] = number % 2
    return made._replace(owners=tuple(owners))


def test_the_first_continent_is_the_first_one_that_is_paid_for() -> None:
    start = spread(position())
    line = [
        (0, start),
        (1, holding(start, 0, 4)._replace(round=1)),
        (2, holding(start, 0, 5)._replace(round=2)),
        (3, holding(start, 1, 7, 6)._replace(round=2)),
        (4, holding(start, 0, 2)._replace(round=3)),
    ]
    assert [(mark.kind, mark.key, mark.seat) for mark in survey(line).marks] == [
        ("continent", CONTINENTS[5].id, 0),
        ("continent", CONTINENTS[6].id, 1),
    ]


def test_a_capture_in_one_turn_counts_in_the_next() -> None:
    start = spread(position())._replace(round=4, to_move=0)
    line = [(0, start), (1, holding(start, 0, 3)), (2, holding(start, 0, 3)._replace(to_move=1)), (3, start._replace(round=5))]
    assert survey(line).marks == ()


def test_a_capture_that_was_taken_back_is_forgotten() -> None:
    start = spread(position())
    line = [(0, start), (1, holding(start, 0, 5)._replace(round=2)), (0, start), (1, holding(start, 0, 8)._replace(round=2))]
    assert [mark.key for mark in survey(line).marks] == [CONTINENTS[8].id]


def test_the_leader_at_the_start_of_a_round_is_noted_and_the_last_round_is_announced() -> None:
    start = spread(position())
    line = [(0, start), (1, holding(start, 1, 0, 1, 2)._replace(round=LEADER_AT, to_move=0)), (2, start._replace(round=17))]
    found = survey(line)
    assert found.rounds == 17
    assert [(mark.key, mark.seat) for mark in found.marks if mark.kind == "leader"] == [(str(LEADER_AT), 1)]


def test_a_game_that_is_over_notes_nothing_more() -> None:
    start = spread(position())
    assert survey([(0, start), (1, holding(start, 0, 5)._replace(round=2, end=End.FREED, winner=0))]).marks == ()


@pytest.mark.parametrize("seed", range(5))
def test_fast_games_note_marks_of_the_same_kinds(seed: int) -> None:
    result = play_game([3, 3, 3], ["strong"] * 3, PRESET, seed)
    assert result is not None
    assert {mark.kind for mark in result.marks} <= {"continent", "leader"}
    assert {mark.key for mark in result.marks if mark.kind == "continent"} <= {continent.id for continent in CONTINENTS}
    assert len({mark.seat for mark in result.marks if mark.kind == "continent"}) == sum(
        mark.kind == "continent" for mark in result.marks
    )
