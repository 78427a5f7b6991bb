"""Checks of what a seat may know: two positions that look alike to a seat tell it the same."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from brettwerk_games.rules.interface import AnyGame, Kind, Resign, Step
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.kit.play import BY_DAY, Moment, dice, games_of, moments_of, plies_of, pool_of, seed_of, some

SAMPLES = 2 if BY_DAY else 3
"""How many look-alikes of a position are made for each seat."""
OTHER_SEEDS = 4 if BY_DAY else 16
"""With how many other seeds a step is made, so that what is drawn in it is something else."""

Disguise: TypeAlias = Callable[[Any, int | None, bytes], Any]
"""Makes of a position another one that looks the same to a seat."""


def disguises(game: AnyGame) -> list[Disguise]:
    """Return the ways to make look-alikes: the game's own `sample`, and `look_alike` of its tests or its package."""

    def sampled(position: Any, seat: int | None, seed: bytes) -> Any:
        return game.sample(game.view(position, seat), seed)

    ways: list[Disguise] = [sampled]
    for folder in (f"tests.brettwerk_games.rules.{game.facts.id}", game.facts.id):
        if find_spec(folder) and find_spec(f"{folder}.lookalikes"):
            ways.append(import_module(f"{folder}.lookalikes").look_alike)
            break
    return ways


def look_alikes(game: AnyGame, position: Any, seat: int | None, label: object) -> Iterator[Any]:
    """Yield positions that look like `position` to the seat."""
    for way in disguises(game):
        for number in range(SAMPLES):
            yield way(position, seat, seed_of(label, number))


def received(game: AnyGame, position: Any, seat: int | None) -> tuple[Any, ...]:
    """Return all that a seat is told of a position."""
    view = game.view(position, seat)
    legal = game.actions(view)
    looked_at = some(dice("told"), legal, 24)
    return (
        game.codec.encode(Kind.VIEW, view),
        game.to_act(position),
        game.outcome(position),
        [game.codec.encode(Kind.ACTION, action) for action in legal],
        [(game.choice(view, action), game.write(view, action)) for action in looked_at],
        game.scene(view),
        game.expire(view) if legal else None,
    )


def hidden_games_have_look_alikes(game: AnyGame) -> None:
    """A game that hides something says in `lookalikes.py` what a seat may not know: `sample` believes what a view shows."""
    assert not game.facts.hidden or len(disguises(game)) > 1, f"there is no lookalikes.py beside the game {game.facts.id}"


def look_alikes_are_shown_the_same(game: AnyGame) -> None:
    """View, legal actions, choices, notation, scene and outcome are the same bytes in positions that look alike."""
    differed = False
    for number, moment in enumerate(moments_of(game)):
        for seat in moment.eyes:
            here = received(game, moment.position, seat)
            for other in look_alikes(game, moment.position, seat, number):
                assert received(game, other, seat) == here, f"seat {seat} can tell {moment.position!r} from {other!r}"
                differed = differed or other != moment.position
    assert differed == game.facts.hidden, (
        "a game with hidden things has look-alikes that differ"
        if game.facts.hidden
        else "nothing is hidden, yet a sample differs"
    )


def guesses_differ(game: AnyGame) -> None:
    """Where something is hidden, `sample` guesses it: with other seeds, somewhere in the games, it says something else."""
    if not game.facts.hidden:
        return
    for number, moment in enumerate(moments_of(game)):
        for seat in game.to_act(moment.position):
            view = game.view(moment.position, seat)
            if game.sample(view, seed_of("guess", number)) != game.sample(view, seed_of("another guess", number)):
                return
    raise AssertionError("`sample` guesses the same whatever its seed")


def look_alikes_are_refused_the_same(game: AnyGame) -> None:
    """Actions refused in a position are refused in its look-alikes, in the same words."""
    for number, moment in enumerate(moments_of(game)):
        for seat in range(moment.seats):
            foreign = some(dice(number, seat), pool_of(game), 16)
            here = [_refusal(game, moment, moment.position, seat, action) for action in foreign]
            for other in look_alikes(game, moment.position, seat, number):
                there = [_refusal(game, moment, other, seat, action) for action in foreign]
                assert here == there, f"a refusal tells seat {seat} what it may not know: {here} and {there}"


def _refusal(game: AnyGame, moment: Moment, position: Any, seat: int, action: Any) -> tuple[Any, ...] | None:
    try:
        game.apply(position, seat, action, seed_of("refusal"))
    except Illegal as refusal:
        return type(refusal), refusal.rule, refusal.message, tuple(sorted(refusal.details.items())), refusal.field
    return None


def events_show_what_views_show(game: AnyGame) -> None:
    """The same action in look-alikes: whoever sees the same position afterwards has been shown the same events.

    A seat that can tell the look-alikes apart afterwards has learnt something hidden, and the step says so by `reveals`.
    """
    for number, (ply, seats) in enumerate(plies_of(game)):
        for seat in (*range(seats), None):
            before = game.codec.encode(Kind.VIEW, game.view(ply.before, seat))
            for other in look_alikes(game, ply.before, seat, number):
                assert game.codec.encode(Kind.VIEW, game.view(other, seat)) == before, f"seat {seat} can tell a look-alike"
                if ply.seat not in game.to_act(other) or ply.action not in game.actions(game.view(other, ply.seat)):
                    continue
                step = game.apply(other, ply.seat, ply.action, ply.seed)
                here, there = _seen(game, ply.step.position, seat), _seen(game, step.position, seat)
                shown, elsewhere = _shown(game, ply.step.events, seat), _shown(game, step.events, seat)
                if here == there:
                    assert shown == elsewhere, f"events show seat {seat} what its view does not: {ply.step.events!r}"
                elif seat is not None:
                    assert ply.step.reveals, f"seat {seat} learnt something hidden from {ply.action!r}, and `reveals` is not set"


def system_actions_keep_secrets(game: AnyGame) -> None:
    """When a seat gives up in look-alikes, whoever sees the same position afterwards has been shown the same events.

    If the game goes on, a seat that can tell the look-alikes apart afterwards has learnt something hidden, and `reveals` says so.
    """
    if not game.facts.hidden:
        return
    for number, (moment, leaving) in enumerate(_leavings(game)):
        step = game.system_action(moment.position, leaving, seed_of("leaves", number))
        for seat in moment.eyes:
            for other in look_alikes(game, moment.position, seat, number):
                there = game.system_action(other, leaving, seed_of("leaves", number))
                if _seen(game, step.position, seat) == _seen(game, there.position, seat):
                    shown, elsewhere = _shown(game, step.events, seat), _shown(game, there.events, seat)
                    assert shown == elsewhere, f"events show seat {seat} what its view does not: {step.events!r}"
                elif seat is not None and game.to_act(step.position):
                    assert step.reveals, f"seat {seat} learnt something hidden when {leaving}, and `reveals` is not set"


def _leavings(game: AnyGame) -> Iterator[tuple[Moment, Resign]]:
    """Yield seats that give up: one of each moment in which somebody can."""
    for number, moment in enumerate(moments_of(game)):
        leaving = Resign(dice("leaves", number).randrange(moment.seats))
        try:
            game.system_action(moment.position, leaving, seed_of())
        except Illegal:
            continue  # that seat is out, or the game is over
        yield moment, leaving


def events_keep_what_is_drawn(game: AnyGame) -> None:
    """The same step with other seeds: whoever sees the same position afterwards has been shown the same events.

    What was drawn unseen, at the beginning, in an action or when a seat gives up, is told by an event to nobody who may not know
    it, spectators included.
    """
    if not game.facts.chance or not game.facts.hidden:
        return
    for number, (seats, make, seed) in enumerate(_steps(game)):
        step = make(seed)
        for number_of_seed in range(OTHER_SEEDS):
            other = make(seed_of("drawn", number, number_of_seed))
            if other.position == step.position:
                break  # nothing is drawn here
            for seat in (*range(seats), None):
                if _seen(game, step.position, seat) == _seen(game, other.position, seat):
                    shown, elsewhere = _shown(game, step.events, seat), _shown(game, other.events, seat)
                    assert shown == elsewhere, f"events show seat {seat} what was drawn unseen: {step.events!r}"


def _steps(game: AnyGame) -> Iterator[tuple[int, Callable[[bytes], Step[Any, Any]], bytes]]:
    """Yield steps of the random games: how many seats play, what makes the step of a seed, and the seed."""
    for played in games_of(game):
        yield played.seats, partial(game.new, played.options, played.seats, None), played.seed
        for ply in played.plies:
            yield played.seats, partial(game.apply, ply.before, ply.seat, ply.action), ply.seed
    for number, (moment, leaving) in enumerate(_leavings(game)):
        yield moment.seats, partial(game.system_action, moment.position, leaving), seed_of("leaves", number)


def _seen(game: AnyGame, position: Any, seat: int | None) -> bytes:
    return game.codec.encode(Kind.VIEW, game.view(position, seat))


def _shown(game: AnyGame, events: tuple[Any, ...], seat: int | None) -> list[bytes | None]:
    shown = [game.show(event, seat) for event in events]
    return [None if event is None else game.codec.encode(Kind.EVENT, event) for event in shown]


def open_games_show_everything(game: AnyGame) -> None:
    """Where nothing is hidden, everybody is shown every event as it is, and no step reveals anything."""
    if game.facts.hidden:
        return
    for ply, seats in plies_of(game):
        assert not ply.step.reveals, "a game without hidden things revealed one"
        for event in ply.step.events:
            assert all(game.show(event, seat) == event for seat in (*range(seats), None))
