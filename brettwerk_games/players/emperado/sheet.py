"""The data of a computer player: a view as arrays that all kernels share, and what they find out from it.

Nobody owns a country of owner NOBODY (it is white). Only numbers of cards are here, never their kinds.
"""

from array import array
from dataclasses import dataclass, field
from functools import cache

from brettwerk_games.rules.emperado.options import MAX_SEATS, CapturedCards, Win
from brettwerk_games.rules.emperado.position import GHOST, Position
from brettwerk_games.rules.emperado.world import MAX_CONTINENTS, MAX_COUNTRIES, USUAL, World

NOBODY = MAX_SEATS
"""The owner of white countries."""
OWNERS = MAX_SEATS + 1


def ints(count: int) -> "array[int]":
    """Return an array of so many small numbers."""
    return array("i", bytes(4 * count))


def numbers(count: int) -> "array[int]":
    """Return an array of so many large numbers."""
    return array("q", bytes(8 * count))


def floats(count: int) -> "array[float]":
    """Return an array of so many fractions."""
    return array("d", bytes(8 * count))


@dataclass(frozen=True, slots=True)
class Ground:
    """A world as arrays: the neighbours of all countries in a row, and where those of each begin; by country its continent.

    By continent what it pays, and how many countries it has; and how many countries there are.
    """

    near: "array[int]"
    begins: "array[int]"
    continent_of: "array[int]"
    bonus: "array[int]"
    sizes: "array[int]"
    count: int


@cache
def ground_of(world: World) -> Ground:
    """Return the arrays of a world."""
    begins, near = [0], list[int]()
    for found in world.neighbours:
        near += found
        begins.append(len(near))
    return Ground(
        array("i", near),
        array("i", begins),
        array("i", [country.continent for country in world.countries]),
        array("i", [continent.bonus for continent in world.continents]),
        array("i", [len(continent.countries) for continent in world.continents]),
        world.count,
    )


GROUND = ground_of(USUAL)
"""That of the usual world."""


@dataclass(slots=True)
class Sheet:
    """A view. By country: `owners`, `armies`, `blocked`. By seat: `cards`, `computers`, `alive` (still in the game).

    There is room for the largest map; behind the countries of a smaller one, nobody owns anything.
    """

    owners: "array[int]" = field(default_factory=lambda: ints(MAX_COUNTRIES))
    armies: "array[int]" = field(default_factory=lambda: numbers(MAX_COUNTRIES))
    blocked: "array[int]" = field(default_factory=lambda: ints(MAX_COUNTRIES))
    cards: "array[int]" = field(default_factory=lambda: ints(MAX_SEATS))
    computers: "array[int]" = field(default_factory=lambda: ints(MAX_SEATS))
    alive: "array[int]" = field(default_factory=lambda: ints(MAX_SEATS))
    seats: int = 0
    """Seats at the start."""
    me: int = 0
    round: int = 1
    to_place: int = 0
    captured: bool = False
    bonus: int = 0
    """The armies that the next set of cards pays."""
    capture_move: int = 1
    luck: int = 1
    takes_cards: bool = False
    whole_world: bool = False
    solidarity: int = 0
    coalition: int = 0
    handicap: int = 0
    entry_source: int = -1
    entry_target: int = -1
    entry_least: int = 0
    ground: Ground = GROUND
    favour: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By foreign country: what the aim of the turn adds to its worth, in armies."""
    # The results of the judgement.
    worth: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By foreign country: what capturing it is worth, in armies."""
    threat: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By own country: the armies that may attack it before the next turn."""
    want: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By own country: the garrison that it should have."""
    goals: "array[int]" = field(default_factory=lambda: ints(MAX_CONTINENTS))
    """By continent: 1 where it is one that the seat wants to have."""
    gains: "array[float]" = field(default_factory=lambda: floats(MAX_CONTINENTS))
    """By continent: its worth as a goal, 1 for the best; 0 where the seat has it or cannot reach it."""
    missing: "array[int]" = field(default_factory=lambda: ints(MAX_CONTINENTS))
    """By continent: how many of its countries the seat does not have."""
    income: "array[float]" = field(default_factory=lambda: floats(OWNERS))
    """By owner: the armies that it receives in a turn, with its part of a set of cards."""
    holders: "array[int]" = field(default_factory=lambda: ints(MAX_CONTINENTS))
    """By continent: who owns all of it, -1 where nobody does."""
    mu: "array[float]" = field(default_factory=lambda: floats(OWNERS))
    """By owner: what killing one of its armies is worth, in own armies."""
    strength: "array[float]" = field(default_factory=lambda: floats(OWNERS))
    wish: "array[float]" = field(default_factory=lambda: floats(OWNERS))
    """By owner: how much the seat wishes to hurt it; 1 is neutral."""
    importance: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By own country with foreign neighbours: how much the front there matters."""
    potential: "array[float]" = field(default_factory=lambda: floats(MAX_COUNTRIES))
    """By own country: the importance of the fronts that armies can reach from it, less for each step."""
    planned: "array[int]" = field(default_factory=lambda: numbers(MAX_COUNTRIES))
    """By own country: how many armies the plan places there."""


def fill(sheet: Sheet, position: Position, seat: int) -> None:
    """Write what `seat` sees of a position to the sheet, and nothing else (EMP-AI-2).

    People and computers are told apart as the options say.
    """
    for country, owner in enumerate(position.owners):
        sheet.owners[country] = NOBODY if owner == GHOST else owner
        sheet.armies[country] = position.armies[country]
        sheet.blocked[country] = country in position.blocked
    for country in range(len(position.owners), MAX_COUNTRIES):
        sheet.owners[country] = NOBODY
    parties, options = position.parties, position.options
    for other in range(MAX_SEATS):
        there = other < len(parties)
        sheet.cards[other] = parties[other].cards if there else 0
        sheet.alive[other] = there and not parties[other].out
        sheet.computers[other] = options.computers[other]
    sheet.seats, sheet.me, sheet.round = len(parties), seat, position.round
    sheet.to_place, sheet.captured, sheet.bonus = position.to_place, position.captured, position.card_bonus
    sheet.capture_move, sheet.luck = int(options.capture_move), int(options.luck)
    sheet.takes_cards = options.captured_cards == CapturedCards.TAKE
    sheet.whole_world = options.win == Win.WHOLE_WORLD
    sheet.solidarity, sheet.coalition, sheet.handicap = options.solidarity, options.coalition, options.country_handicap
    sheet.entry_source, sheet.entry_target, sheet.entry_least = position.entry or (-1, -1, 0)
