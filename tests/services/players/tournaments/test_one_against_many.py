"""One against many: the owner meets everybody once, at every other table from the first seat."""

from services.players.tournaments import one_against_many
from services.players.tournaments.results import Entrant


def test_the_one_plays_everybody_at_the_same_time_from_either_seat():
    games = one_against_many.pairings([Entrant(number) for number in range(6)], [], host=2)
    assert [game.numbers for game in games] == [(2, 0), (1, 2), (2, 3), (4, 2), (2, 5)]
    assert {game.round_number for game in games} == {1}


def test_there_is_one_round():
    entrants = [Entrant(number) for number in range(3)]
    assert one_against_many.pairings(entrants, one_against_many.pairings(entrants, [], host=0), host=0) == []


def test_without_the_one_nobody_plays():
    assert one_against_many.pairings([Entrant(0), Entrant(1)], [], host=None) == []
