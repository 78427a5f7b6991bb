"""Round robin: everybody plays everybody once, by the Berger tables (FIDE Handbook C.05, annex 1). Pure.

With n entrants, n even and numbered from 1, those meet in round r whose numbers add up to r + 1, modulo n - 1; entrant n meets
whom that leaves over. With an odd number of entrants the last place is empty, and whoever would meet it has a bye. Nobody's
numbers of first and second seats differ by more than one.
"""

from collections.abc import Sequence

from services.players.tournaments.results import Game


def rounds(count: int) -> int:
    """Return how many rounds so many entrants need."""
    return max(0, count - 1 + count % 2)


def pairings(count: int, round_number: int) -> Sequence[Game]:
    """Return the games of a round, from 1 on, for entrants 0 to count - 1, as the tables list them; a bye is last."""
    places = count + count % 2
    last, ring = places - 1, places - 1
    # The entrant, from 0, whom the last one meets: twice their number from 1 is r + 1 modulo n - 1.
    centre = (round_number + 1) * (ring + 1) // 2 % ring - 1
    pairs = [(centre % ring, last) if round_number % 2 else (last, centre % ring)]
    pairs += [((centre + step) % ring, (centre - step) % ring) for step in range(1, places // 2)]
    games = [_game(round_number, first, second, count) for first, second in pairs]
    return sorted(games, key=lambda game: game.is_bye)


def _game(round_number: int, first: int, second: int, count: int) -> Game:
    if max(first, second) >= count:
        return Game(round_number, min(first, second), None)
    return Game(round_number, first, second)
