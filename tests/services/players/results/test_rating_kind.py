"""How long games must have been to count for ratings."""

import pytest
from google.protobuf.any_pb2 import Any

from brettwerk.v1 import emperado_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.registry import games
from services.players.results.rating_kind import APART_MANY, APART_TWO, USUAL, is_apart, kind_of, least_plies
from tests.brettwerk_games.rules.einstein import boards as einstein


@pytest.mark.parametrize("game", ["einstein", "emperado", "plateau", "wec"])
def test_every_game_asks_for_more_than_a_resignation_at_once(game: str):
    assert least_plies(game, 2) >= 4


def test_a_game_that_says_nothing_asks_for_a_few_actions_of_each_seat():
    assert [least_plies("no such game", seats) for seats in (2, 3)] == [USUAL, 6]


@pytest.mark.parametrize("game", ["emperado", "plateau"])
def test_more_seats_have_as_much_to_do_each(game: str):
    assert least_plies(game, 4) == 2 * least_plies(game, 2)


def test_the_shortest_game_of_einstein_counts():
    position, plies = einstein.board(*einstein.INITIAL, "black", 2), 0
    for target in ("C3", "D4", "E5"):
        position, plies = einstein.after(position, 2, target)._replace(roll=1), plies + 1
        if position.end:
            break
        reply = einstein.legal(position)[0]
        position = einstein.EINSTEIN.apply(position, position.to_move, reply, einstein.SEED).position._replace(roll=2)
        plies += 1
    assert position.end
    assert plies == least_plies("einstein", 2)


def test_a_game_of_emperado_is_not_won_by_fewer_attacks():
    game = games()["emperado"]
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, 2))
    owners = game.new(options, 2, None, bytes(SEED_BYTES)).position.owners
    assert min(owners.count(seat) for seat in (0, 1)) > least_plies("emperado", 2)


def test_a_game_of_empire_plateau_takes_more_than_a_turn_of_each():
    """A turn is a move and its end at least, so a game takes more than a turn of each."""
    game = games()["plateau"]
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, 2))
    position = game.new(options, 2, None, bytes(SEED_BYTES)).position
    seat = position.to_move
    first = [game.apply(position, seat, action, bytes(SEED_BYTES)) for action in game.actions(game.view(position, seat))]
    assert not [step for step in first if game.outcome(step.position)]
    assert least_plies("plateau", 2) == 4


def test_games_on_another_map_are_rated_apart():
    def of(**fields) -> Any:
        options = Any()
        options.Pack(emperado_pb2.EmperadoOptions(**fields))
        return options

    assert not is_apart("emperado", of(capture_move=4, luck=3))
    assert is_apart("emperado", of(map="five_islands"))
    assert not is_apart("einstein", of(map="five_islands")), "no option of that game is rated apart"
    assert not is_apart("emperado", Any(type_url="type.googleapis.com/no.such.Options")), "nobody here knows them"
    assert [kind_of(seats, apart=True) for seats in (2, 5)] == [APART_TWO, APART_MANY]
    assert all(option.rated_apart == (option.key == "map") for option in games()["emperado"].facts.options)
