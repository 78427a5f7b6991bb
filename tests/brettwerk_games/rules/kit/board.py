"""Checks of the board that clients get: places, neighbours, groups and patterns, and that scenes and actions name its places."""

from brettwerk_games.rules.board import Board
from brettwerk_games.rules.interface import AnyGame, Game, Kind, Text
from brettwerk_games.rules.refusals import GameRefusal
from services.rules.scenes import MAX_BYTES, board
from tests.brettwerk_games.rules.kit.options import build, combinations
from tests.brettwerk_games.rules.kit.play import ACTIONS, dice, games_of, moments, seed_of, some
from tests.brettwerk_games.rules.kit.words import Texts


def boards_are_sound(game: AnyGame) -> None:
    """Boards have places that groups and neighbours name, and fit into a message, whatever options games begin with."""
    texts = Texts(game)
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        for chosen in combinations(game, dice("boards", seats)):
            try:
                options = game.codec.decode(Kind.OPTIONS, build(game, seats, chosen))
                game.new(options, seats, None, seed_of())
            except GameRefusal:
                continue
            known = game.board_of(options, seats)
            assert known == game.board_of(options, seats), "asked again, it is another board"
            is_sound(known, seats)
            for key in (*(place.label for place in known.places), *(group.label for group in known.groups)):
                if key:
                    texts.check(Text(key))


def is_sound(known: Board, seats: int) -> None:
    """Raise AssertionError for a board whose parts contradict each other, or the contract."""
    numbers = [place.number for place in known.places]
    assert numbers == sorted(set(numbers)), "places are not in the order of their numbers"
    assert len({place.name for place in known.places}) == len(numbers) <= 512, "a place has the name of another"
    drawn = [(place.x, place.y) for place in known.places if place.x is not None]
    assert len(set(drawn)) == len(drawn), "two places are drawn as one"
    neighbours = {place.number: place.neighbours for place in known.places}
    for place in known.places:
        assert 0 < len(place.name.encode()) <= 16, place
        assert (place.x is None) == (place.y is None), place
        assert place.x is None or 0 <= place.x <= known.width, place
        assert place.y is None or 0 <= place.y <= known.height, place
        assert list(place.neighbours) == sorted(set(place.neighbours) - {place.number}), f"{place} has odd neighbours"
        assert len(place.neighbours) <= 64, place
        assert set(place.neighbours) <= neighbours.keys(), f"{place} has a neighbour that there is not"
        if not known.one_way:
            assert all(place.number in neighbours[near] for near in place.neighbours), f"{place} has a neighbour one way"
    assert len({group.id for group in known.groups}) == len(known.groups) <= 64
    for group in known.groups:
        assert 0 < len(group.id.encode()) <= 64, group
        assert group.places, group
        assert list(group.places) == sorted(set(group.places) & neighbours.keys()), f"{group} has places that there are not"
        assert group.owner is None or 0 <= group.owner < seats, group
    owned = [(pattern.id, seat) for pattern in known.patterns for seat in pattern.seats]
    assert len(set(owned)) == len(owned), "a seat has two patterns with one id"
    assert len(known.patterns) <= 64
    for pattern in known.patterns:
        assert 0 < len(pattern.lines) <= 64, pattern
        assert all(0 <= seat <= 5 for seat in pattern.seats), pattern
        assert all(line and len(line) <= 64 for line in pattern.lines), pattern
        assert all(abs(step) <= 64 for line in pattern.lines for place in line for step in place), pattern
    assert board(known).ByteSize() <= MAX_BYTES


def boards_have_every_place(game: AnyGame) -> None:
    """Every place that a scene shows or an action names is on the board that the game tells of these options and seats.

    A game that tells none has the places of its first scene, and others may come later.
    """
    if type(game).board_of is Game.board_of:
        return
    for number, played in enumerate(games_of(game)):
        names = {place.name for place in game.board_of(played.options, played.seats).places}
        for position in some(dice("boards", number), played.positions, moments(game)):
            for seat in (*range(played.seats), None):
                view = game.view(position, seat)
                assert {place.name for place in game.scene(view).places} <= names, "a scene has a place that the board has not"
                for action in some(dice(number), game.actions(view), ACTIONS):
                    places = game.choice(view, action).places
                    assert set(places) <= names, f"{action!r} names places that the board has not: {places}"
