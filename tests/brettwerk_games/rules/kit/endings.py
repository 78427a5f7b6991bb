"""Checks of how games end: who has won, the places of the seats and what each gets must say the same."""

from collections.abc import Iterator
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Draw, Flag, Kind, Outcome, Resign
from brettwerk_games.rules.refusals import GameRefusal, Illegal
from tests.brettwerk_games.rules.kit.options import build, combinations
from tests.brettwerk_games.rules.kit.play import dice, go_on, seed_of, some

ENDINGS = 48
"""How many games of each number of seats are ended by system actions."""


def outcomes_agree(game: AnyGame) -> None:
    """After whatever actions a game is given up or drawn: winners, places, scores and sides agree with each other."""
    for position in ended(game):
        agree(game, position)


def places_follow_the_order_of_giving_up(game: AnyGame) -> None:
    """When one seat after the other gives up, who goes on longer has no worse a place, and those who are left have won.

    Where seats are partners, a side counts as long as one of them goes on.
    """
    for number, first in enumerate(begun(game)):
        sides, rng = sides_of(game, first), dice("giving up", number)
        order = rng.sample(range(len(sides)), len(sides))
        position, left = first, dict.fromkeys(range(len(sides)), len(sides))
        for turn, seat in enumerate(order):
            if not game.to_act(position):
                break
            left[seat] = turn
            position = game.system_action(position, rng.choice((Resign, Flag))(seat), seed_of(turn)).position
        outcome = outcome_of(game, position)
        lasted = [max(left[other] for other, side in enumerate(sides) if side == own) for own in sides]
        for seat, place in enumerate(outcome.places):
            for other in range(len(sides)):
                assert lasted[seat] <= lasted[other] or place <= outcome.places[other], f"{left} gave up, places {outcome.places}"
        assert outcome.winners == tuple(seat for seat, turn in enumerate(lasted) if turn == len(sides)), (left, outcome)


def agree(game: AnyGame, position: Any) -> None:
    """Raise AssertionError unless the outcome of a game that has ended agrees with itself and with the sides of its seats."""
    outcome, sides = outcome_of(game, position), sides_of(game, position)
    seats, places, scores = range(len(sides)), outcome.places, outcome.scores
    assert len(places) == len(scores) == len(sides), f"{outcome} is not one of {len(sides)} seats"
    assert abs(sum(scores) - 1) < 1e-9, f"the scores {scores} do not add up to 1"
    assert all(0 <= score <= 1 for score in scores), scores
    for seat in seats:
        before = sum(places[other] < places[seat] for other in seats)
        assert places[seat] == 1 + before, f"of {places}, {before} are before the seat {seat}"
    for one, other in ((one, other) for one in seats for other in seats):
        assert scores[one] <= scores[other] or places[one] < places[other], f"scores {scores}, places {places}"
        if sides[one] == sides[other]:
            assert places[one] == places[other], f"partners do not share a place: {places}"
            assert outcome.chance(one) == outcome.chance(other), "partners do not share their chance"
    first = tuple(seat for seat in seats if places[seat] == 1)
    assert len({scores[seat] for seat in first}) == 1, f"the first places {first} have other scores: {scores}"
    won = {sides[seat] for seat in outcome.winners}
    if won:
        assert outcome.winners == first, f"{outcome.winners} have won, at the first place are {first}"
        assert len(won) == 1, f"{outcome.winners} have won, and are no partners"
        assert all(outcome.chance(seat) == (seat in first) for seat in seats), "the winners' chance is 1, the others' 0"
    else:
        assert len({sides[seat] for seat in first}) > 1, f"nobody has won, but {first} are alone at the first place"
    assert outcome.sides == (tuple(sides) if len(set(sides)) < len(sides) else ()), f"the sides are {sides}"


def outcome_of(game: AnyGame, position: Any) -> Outcome:
    """Return the outcome of a game that has ended."""
    outcome = game.outcome(position)
    assert outcome is not None, "a game that has ended has an outcome"
    return outcome


def sides_of(game: AnyGame, position: Any) -> tuple[int, ...]:
    """Return the side of every seat: each is one of its own unless the game knows partners."""
    return tuple(game.sides(position))


def begun(game: AnyGame) -> Iterator[Any]:
    """Yield first positions with every number of seats and many options."""
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        rng = dice("endings", seats)
        chosen = some(rng, combinations(game, rng), ENDINGS)
        for number in range(ENDINGS):
            try:
                options = game.codec.decode(Kind.OPTIONS, build(game, seats, chosen[number % len(chosen)]))
                yield game.new(options, seats, None, seed_of(number)).position
            except GameRefusal:
                continue


def ended(game: AnyGame) -> Iterator[Any]:
    """Yield positions in which a game has ended: after some actions its seats give up, or agree on a draw."""
    for number, first in enumerate(begun(game)):
        rng, position = dice("ended", number), first
        while game.to_act(position):
            for ply in go_on(game, position, ("ended", number, rng.random()), rng.randrange(4)):
                position = ply.step.position
            system_action = rng.choice((Resign, Flag))(rng.randrange(game.seats(first)))
            try:
                draws = game.facts.draws and rng.random() < 0.15
                position = game.system_action(position, Draw() if draws else system_action, seed_of(number)).position
            except Illegal:
                continue  # that seat is out, or the game is over
        yield position
