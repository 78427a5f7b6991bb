"""The beginning: countries are dealt by lot, one more to each later seat (EMP-SETUP), or stand as prepared (EMP-START-1)."""

from dataclasses import replace

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import Event
from brettwerk_games.rules.emperado.maps import RULE, require_world
from brettwerk_games.rules.emperado.options import MAX_SEATS, Options, require_options
from brettwerk_games.rules.emperado.position import GHOST, MIN_SEATS, Party, Position
from brettwerk_games.rules.emperado.prepared_start import prepared
from brettwerk_games.rules.emperado.turn import begin
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Malformed


def shares(seats: int, countries: int = 60) -> tuple[int, ...]:
    """Return how many of all countries each seat is dealt: the most that leave each later seat one more (EMP-SETUP-4).

    >>> shares(3), sum(shares(3))
    ((19, 20, 21), 60)
    """
    first = (countries - seats * (seats - 1) // 2) // seats
    return tuple(first + seat for seat in range(seats))


def new(options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the first position, in which the first seat has received its armies, or the start position (EMP-START-1).

    Raises Malformed for a number of seats or options that cannot be, Illegal for a start position that nobody can play on from.

    >>> position = new(Options(), 3, None, SEED).position
    >>> position.to_place
    3
    >>> new(Options(), 7, None, SEED)
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Malformed: 2 to 6 seats take part
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        details = {"seats": str(seats)}
        raise Malformed(f"{MIN_SEATS} to {MAX_SEATS} seats take part", rule="EMP-SETUP-1", field="seats", details=details)
    require_options(options)
    world = require_world(options.map)
    if seats > world.max_seats:
        details = {"map": options.map, "seats": str(world.max_seats)}
        raise Malformed(f"at most {world.max_seats} seats take part on this map", rule=RULE, field="seats", details=details)
    if start is not None:
        return Step(prepared(start, options, seats))
    drawn = [seat for seat, share in enumerate(shares(seats, world.count)) for _ in range(share)]
    lots = drawn + [GHOST] * (world.count - len(drawn))
    owner_of = dict(zip(Dice(seed, "deal").shuffled(range(world.count)), lots, strict=True))
    owners = tuple(owner_of[country] for country in range(world.count))
    armies = tuple(options.ghost_armies if owner == GHOST else options.start_armies for owner in owners)
    position, events = begin(Position(options, owners, armies, (Party(),) * seats, options.card_bonus_start))
    return Step(position, events)


def new_by(rules_version: str, options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the same as one of the first two revisions of the rules has it, which begin alike.

    >>> new_by("1", Options(), 3, None, SEED).position.revision
    0
    """
    step = new(options, seats, start, seed)
    return replace(step, position=step.position._replace(revision=0))
