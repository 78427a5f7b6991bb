"""The faults that keep a map from being played on (EMP-MAP-6): its size, names and links, and what is drawn."""

import re
from collections.abc import Iterable, Sequence

from brettwerk_games.rules.emperado.world import BASE, MAX_CONTINENTS, MAX_COUNTRIES, Continent, Country, World

MIN_COUNTRIES = 6
MAX_LINKS = 111
"""Of countries: what the contract has room for in what a seat is told of its attacks, those of the usual world."""
MAX_BONUS = 31
"""Armies that all continents together pay at most: the contract has room for so many in what a seat receives."""
MAX_SIDE = 4000
"""The greatest width and height of a map."""
MAX_POINTS, MAX_OUTLINES = 5_000, 64
"""Points of all outlines of a map at most, and outlines of a country: what the answer with the board has room for."""
MIN_POINTS = 3
MAX_NAME, MAX_NOTATION = 40, 16
"""Bytes of a name, and of a name in the notation."""
_ID = re.compile(r"[a-z][a-z0-9_]{0,19}")
_NAME = re.compile(r"[^\W\d_][\w .'’-]*")
_PLAIN = re.compile(r"[A-Za-zÄÖÜäöüß][A-Za-z0-9ÄÖÜäöüß .']*")
"""A name in the notation: no sign in it stands for an action."""
_RESERVED = re.compile(r"(fertig|done|ende?|max|einmarsch|enter|(tausch|exchange).*)", re.IGNORECASE)
"""Words of the notation (EMP-NOTATION-1)."""


def faults(found: World) -> Sequence[str]:
    """Return what is wrong with a world; a file may have anything in place of a number or a name."""
    try:
        return tuple(_faults(found))
    except TypeError as error:
        return (f"something is no number or no text where it should be: {error}",)


def _faults(found: World) -> Iterable[str]:
    if found.id and not _ID.fullmatch(found.id):
        yield f"{found.id!r} is no id of a map: small letters, digits and _, at most 20"
    if not MIN_COUNTRIES <= found.count <= MAX_COUNTRIES:
        yield f"a map has {MIN_COUNTRIES} to {MAX_COUNTRIES} countries, not {found.count}"
    if not 1 <= len(found.continents) <= MAX_CONTINENTS:
        yield f"a map has 1 to {MAX_CONTINENTS} continents, not {len(found.continents)}"
    if sum(map(len, found.neighbours)) > 2 * MAX_LINKS:
        yield f"a map has at most {MAX_LINKS} links"
    yield from _faults_of_names(found)
    for continent in found.continents:
        if not continent.countries:
            yield f"{continent.id} has no country"
        if not isinstance(continent.bonus, int) or continent.bonus < 0:
            yield f"{continent.id} pays a whole number of armies, 0 or more"
        if not re.fullmatch(r"#[0-9a-f]{6}", continent.colour):
            yield f"the colour of {continent.id} is not written as #rrggbb"
    if sum(continent.bonus for continent in found.continents) > MAX_BONUS:
        yield f"all continents together pay at most {MAX_BONUS} armies"
    if cut_off := set(range(found.count)) - _reached(found):
        yield f"{found.countries[min(cut_off)].id} cannot be reached from {found.countries[0].id}"
    yield from _faults_of_drawing(found)


def _faults_of_names(found: World) -> Iterable[str]:
    things: tuple[Country | Continent, ...] = (*found.countries, *found.continents)
    for number, thing in enumerate(things):
        if not _ID.fullmatch(thing.id) or any(other.id == thing.id for other in things[:number] if type(other) is type(thing)):
            yield f"{thing.id!r} is no id: small letters, digits and _, at most 20, each only once"
    for names in (*(thing.names for thing in things), *([found.names] if found.id else [])):
        if BASE not in names:
            yield f"there is no English name (name_{BASE}) beside {dict(names)}"
        for name in names.values():
            if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name.encode()) > MAX_NAME:
                yield f"{name!r} is no name: letters, digits, spaces, points, apostrophes and hyphens, at most {MAX_NAME} bytes"
    known: dict[str, str] = {}
    for country in found.countries:
        written = country.notation
        if not _PLAIN.fullmatch(written) or _RESERVED.fullmatch(written) or len(written.encode()) > MAX_NOTATION:
            yield f"{written!r} is no name in the notation: letters, digits, spaces, at most {MAX_NOTATION} bytes, no word of it"
        for name in {written.casefold(), *(name.casefold() for name in country.names.values())}:
            if known.setdefault(name, country.id) != country.id:
                yield f"{country.id} and {known[name]} have the same name"


def _faults_of_drawing(found: World) -> Iterable[str]:
    width, height = found.size
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        yield f"a map is at most {MAX_SIDE} wide and high"
    if sum(len(ring) for country in found.countries for ring in country.shape) > MAX_POINTS:
        yield f"the outlines of a map have at most {MAX_POINTS} points"
    for country in found.countries:
        points = [country.at, *(point for ring in country.shape for point in ring)]
        if not all(0 <= x <= width and 0 <= y <= height for x, y in points):
            yield f"{country.id} is drawn outside the map"
        if any(len(ring) < MIN_POINTS for ring in country.shape) or not 1 <= len(country.shape) <= MAX_OUTLINES:
            yield f"{country.id} has 1 to {MAX_OUTLINES} outlines of {MIN_POINTS} points or more"


def _reached(found: World) -> set[int]:
    """Return the countries that can be reached from the first one."""
    reached, new = {0}, {0}
    while new:
        new = {near for country in new for near in found.neighbours[country]} - reached
        reached |= new
    return reached
