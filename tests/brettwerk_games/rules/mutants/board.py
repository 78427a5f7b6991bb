"""Games whose boards contradict themselves, or what is played on them."""

from dataclasses import replace
from typing import Any

from brettwerk_games.rules.board import Board, BoardGroup
from brettwerk_games.rules.einstein.game import Einstein
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel
from tests.brettwerk_games.rules.mutants.register import breaks, duel, einstein


@breaks("boards_are_sound", Einstein)
def board_of__has_a_neighbour_one_way(self: Any, options: Any, seats: int) -> Board:
    known = einstein.board_of(options, seats)
    return replace(known, places=(replace(known.places[0], neighbours=()), *known.places[1:]))


@breaks("boards_are_sound", Einstein)
def board_of__leaves_out_a_corner(self: Any, options: Any, seats: int) -> Board:
    known = einstein.board_of(options, seats)
    return replace(known, places=known.places[1:])


@breaks("boards_are_sound", Einstein)
def board_of__has_a_group_of_a_place_that_there_is_not(self: Any, options: Any, seats: int) -> Board:
    return replace(einstein.board_of(options, seats), groups=(BoardGroup("moon", (99,)),))


@breaks("boards_are_sound", Einstein)
def board_of__has_a_label_without_a_word(self: Any, options: Any, seats: int) -> Board:
    return replace(einstein.board_of(options, seats), groups=(BoardGroup("corner", (0,), "place.unheard"),))


@breaks("boards_have_every_place", BlindDuel)
def board_of__has_no_places(self: Any, options: Any, seats: int) -> Board:
    return replace(duel.board_of(options, seats), places=())


@breaks("boards_have_every_place", Einstein)
def board_of__calls_its_places_otherwise(self: Any, options: Any, seats: int) -> Board:
    known = einstein.board_of(options, seats)
    return replace(known, places=tuple(replace(place, name=place.name.lower()) for place in known.places))
