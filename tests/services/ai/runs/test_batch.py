"""Games of runs: the same for the same seed, of every game and level that takes part, and counted as they were played."""

import pytest

from brettwerk.v1 import emperado_pb2, errors_pb2, statistics_pb2
from brettwerk_games.players.emperado.measure.series import Series
from brettwerk_games.players.emperado.measure.series import play as play_measured
from brettwerk_games.rules.registry import games
from brettwerk_games.statistics.tally import Key
from services.ai.runs.batch import Unwanted, by_the_rules, play_batch, play_one
from services.ai.runs.wish import Checked, check
from services.runtime.refusal import Refused
from tests.night import by_day
from tests.services.ai.runs.wishes import wish

LEVELS = [(game, level.id) for game, known in games().items() for level in known.facts.levels if level.run_games]


def checked(*arguments: str, **more: object) -> Checked:
    return check(wish(*arguments, **more), 10_000)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "level"), by_day(LEVELS, *{game: (game, level) for game, level in reversed(LEVELS)}.values()))
def test_every_level_that_takes_part_plays_a_game_to_its_end_and_the_same_one_again(game: str, level: str) -> None:
    one = checked(game, level, level, games=2)
    result = play_one(one, 1)
    assert result == play_one(one, 1)
    assert result.seats == (level, level)
    assert result.actions
    assert set(result.winners) <= {0, 1}


def test_some_level_of_every_game_takes_part() -> None:
    assert {game for game, _ in LEVELS} == set(games())


@pytest.mark.nightly
def test_emperado_is_played_as_its_statistics_were_measured() -> None:
    one = checked("emperado", "strong", "normal", "easy", games=12, seed=20_000, rotate=True)
    series = Series("", ("strong", "normal", "easy"), 40, 12, turning=True)
    for number in range(12):
        result, measured = play_one(one, number), play_measured(series, number, 20_000)
        assert result.winners == ((measured.winner,) if measured.winner >= 0 else ())
        assert (result.rounds, result.actions) == (measured.rounds, measured.actions)
        assert sum(mark.kind == "continent" for mark in result.marks) == sum(k >= 0 for k in measured.first_continents)


def test_options_change_the_games() -> None:
    made = wish("emperado", "strong", "strong", "strong", games=3)
    with_options = statistics_pb2.RunWish()
    with_options.CopyFrom(made)
    options = emperado_pb2.EmperadoOptions()
    check(made, 100)  # the presets
    options.MergeFromString(_preset_bytes())
    options.coalition = 99
    with_options.options.Pack(options)
    assert play_one(check(with_options, 100), 0) != play_one(check(made, 100), 0)


def _preset_bytes() -> bytes:
    from brettwerk_games.rules.presets import preset_options

    return preset_options(games()["emperado"], 3)


def test_a_batch_is_the_sum_of_its_games_and_batches_are_all_of_a_run() -> None:
    one = checked("emperado", "easy", "easy", games=25)
    assert one.batch == 10
    assert [len(one.numbers(batch)) for batch in range(one.batches)] == [10, 10, 5]
    played, tallies = play_batch(one, 2)
    assert played == 5
    assert tallies.games[Key("all", "")] == 5
    assert tallies.wins[Key("all", "")] == sum(wins for key, _, wins in tallies.rows() if key.kind == "seat")


def test_the_levels_move_on_from_game_to_game_where_that_is_asked() -> None:
    still = checked("emperado", "easy", "normal", "strong")
    moving = checked("emperado", "easy", "normal", "strong", rotate=True)
    assert [[level.id[0] for level in still.levels_of(n)] for n in range(2)] == [["e", "n", "s"], ["e", "n", "s"]]
    assert ["".join(level.id[0] for level in moving.levels_of(n)) for n in range(4)] == ["ens", "nse", "sen", "ens"]


def test_a_batch_that_nobody_wants_any_more_is_left_at_once() -> None:
    with pytest.raises(Unwanted):
        play_batch(checked(), 0, lambda: False)
    one = checked("einstein", "beginner", "beginner", games=1)
    with pytest.raises(Unwanted):
        by_the_rules(one.game, one.levels, one.options, 1, lambda: False)


@pytest.mark.parametrize(
    ("made", "reason", "field"),
    [
        (wish("nothing"), errors_pb2.REASON_UNKNOWN, "wish.game"),
        (wish("emperado", "easy", "nobody"), errors_pb2.REASON_UNKNOWN, "wish.seats[1].level"),
        (wish("emperado", "easy"), errors_pb2.REASON_MALFORMED, "wish.seats"),
        (wish("einstein", "easy", "easy", "easy"), errors_pb2.REASON_MALFORMED, "wish.seats"),
        (wish("einstein", "easy", "best"), errors_pb2.REASON_MALFORMED, "wish.seats[1]"),
        (wish(games=0), errors_pb2.REASON_MALFORMED, "wish.games"),
        (wish(games=501), errors_pb2.REASON_MALFORMED, "wish.games"),
        (wish("plateau", "normal", "normal", games=300), errors_pb2.REASON_MALFORMED, "wish.games"),
        (statistics_pb2.RunWish(game="emperado", games=1), errors_pb2.REASON_MALFORMED, "wish.seats"),
    ],
)
def test_an_unplayable_run_is_refused(made: statistics_pb2.RunWish, reason: int, field: str) -> None:
    with pytest.raises(Refused) as refused:
        check(made, 500)
    assert (refused.value.reason, refused.value.refusal.field) == (reason, field)


def test_options_of_another_game_are_refused_and_those_that_cannot_be_too() -> None:
    made = wish("einstein")
    made.options.Pack(emperado_pb2.EmperadoOptions())
    with pytest.raises(Refused) as refused:
        check(made, 500)
    assert refused.value.refusal.field == "wish.options"
    made = wish("emperado")
    made.options.Pack(emperado_pb2.EmperadoOptions(start_armies=99))
    with pytest.raises(Refused) as refused:
        check(made, 500)
    assert refused.value.refusal.field.startswith("wish.options")
