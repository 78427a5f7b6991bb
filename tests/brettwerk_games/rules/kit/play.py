"""Random games, played once for each game and shared by all checks."""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from brettwerk_games.rules.interface import AnyGame, Kind, Step
from brettwerk_games.rules.refusals import Illegal, Malformed
from tests.amounts import SHARE, examples
from tests.brettwerk_games.rules.kit.options import build, presets, varied

T = TypeVar("T")

BY_DAY = SHARE < 1
GAMES = 6
"""How many random games the checks look at."""
PLIES = 80 if BY_DAY else 200
"""Most plies of each of them; games may be longer."""
MOMENTS = 6
"""How many positions of each of them the checks look into; of long games fewer by day, where a position costs more."""
ACTIONS = examples(48, 12)
"""How many of a position's actions they try."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply: everything that the rules were given, and what they made of it."""

    before: Any
    seat: int
    action: Any
    seed: bytes
    step: Step[Any, Any]


def read_by(game: AnyGame, ply: Ply, seat: int | None) -> str:
    """Return what was played as a seat or a spectator reads it."""
    text = None if seat == ply.seat else game.read_by(ply.step, seat)
    return game.write(game.view(ply.before, seat), ply.action) if text is None else text


@dataclass(frozen=True, slots=True)
class Played:
    """A random game, whole or cut after PLIES."""

    options: Any
    seats: int
    seed: bytes
    first: Step[Any, Any]
    plies: tuple[Ply, ...]

    @property
    def last(self) -> Any:
        return self.plies[-1].step.position if self.plies else self.first.position

    @property
    def positions(self) -> tuple[Any, ...]:
        return (self.first.position, *(ply.step.position for ply in self.plies))


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a random game of so many seats."""

    position: Any
    seats: int

    @property
    def eyes(self) -> tuple[int | None, ...]:
        return (*range(self.seats), None)


def remembered(make: Callable[[AnyGame], T]) -> Callable[[AnyGame], T]:
    """Make something of a game once, and give it again to whoever asks."""
    made: dict[int, tuple[AnyGame, T]] = {}

    def ask(game: AnyGame) -> T:
        if id(game) not in made:
            made[id(game)] = (game, make(game))
        return made[id(game)][1]

    return ask


def seed_of(*parts: object) -> bytes:
    """Return a step seed that depends on nothing but `parts`."""
    return hashlib.sha256(repr(parts).encode()).digest()


def dice(*parts: object) -> random.Random:
    """Return a generator that depends on nothing but `parts`."""
    return random.Random(repr(parts))


def some(rng: random.Random, items: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of the items, the first and the last among them, in order."""
    if len(items) <= most:
        return list(items)
    chosen = {0, len(items) - 1, *rng.sample(range(len(items)), most - 2)}
    return [items[i] for i in sorted(chosen)]


def is_accepted(game: AnyGame, position: Any, seat: int, action: Any) -> bool:
    """Tell whether a game that does not list all of its legal actions takes this one; then it is a proper one."""
    if game.facts.lists_all:
        return False
    try:
        step = game.apply(position, seat, action, seed_of(action))
    except Illegal:
        return False
    view = game.view(position, seat)
    assert step.position != position, f"{action!r} did nothing"
    assert game.read(view, game.write(view, action)) == action, f"{action!r} is accepted and cannot be read"
    return True


def go_on(game: AnyGame, position: Any, label: object, most: int) -> Iterator[Ply]:
    """Play random actions from a position until the end, at most `most`."""
    rng = dice(label, "go on")
    for number in range(most):
        waiting = game.to_act(position)
        if not waiting:
            return
        seat = rng.choice(waiting)
        legal = game.actions(game.view(position, seat))
        assert legal, f"seat {seat} is to act and has no legal action"
        ply_seed = seed_of(label, number)
        action = legal[rng.randrange(len(legal))]
        step = game.apply(position, seat, action, ply_seed)
        yield Ply(position, seat, action, ply_seed, step)
        position = step.position


def play(
    game: AnyGame, label: object, most: int, *, preset: bool = False, chosen: Mapping[str, int | str] | None = None
) -> Played:
    """Play one random game: with the presets, with what is `chosen` instead, or with options drawn at random."""
    rng = dice(label, "options")
    seats = rng.randint(game.facts.min_seats, len(game.facts.seats))
    seed = seed_of(label, "new")
    if chosen is not None:
        options = game.codec.decode(Kind.OPTIONS, build(game, seats, chosen))
    else:
        options = presets(game, seats) if preset else varied(game, seats, rng)
    try:
        first = game.new(options, seats, None, seed)
    except (Illegal, Malformed):
        options = presets(game, seats)
        first = game.new(options, seats, None, seed)
    return Played(options, seats, seed, first, tuple(go_on(game, first.position, label, most)))


def moments(game: AnyGame) -> int:
    """Return how many positions of each random game the checks look into."""
    return MOMENTS // 2 if BY_DAY and game.facts.max_actions > PLIES else MOMENTS


@remembered
def games_of(game: AnyGame) -> tuple[Played, ...]:
    """Return the random games of a game."""
    return tuple(play(game, number, PLIES, preset=number % 2 == 1) for number in range(GAMES))


@remembered
def moments_of(game: AnyGame) -> tuple[Moment, ...]:
    """Return positions of the random games: first ones, last ones, and some between."""
    each = moments(game)
    return tuple(
        Moment(position, played.seats)
        for number, played in enumerate(games_of(game))
        for position in some(dice("moments", number), played.positions, each)
    )


@remembered
def plies_of(game: AnyGame) -> tuple[tuple[Ply, int], ...]:
    """Return plies of the random games, each with the number of seats."""
    each = moments(game)
    return tuple(
        (ply, played.seats)
        for number, played in enumerate(games_of(game))
        for ply in some(dice("plies", number), played.plies, each)
    )


@remembered
def pool_of(game: AnyGame) -> tuple[Any, ...]:
    """Return actions that are legal somewhere, to be tried where they are not."""
    rng = dice("pool")
    found: dict[Any, None] = {}
    for moment in moments_of(game):
        for seat in game.to_act(moment.position):
            found.update(dict.fromkeys(some(rng, game.actions(game.view(moment.position, seat)), ACTIONS)))
    return tuple(found)
