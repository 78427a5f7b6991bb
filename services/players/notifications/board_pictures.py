"""A small picture of a board as a PNG, drawn from what clients that know no game are told: places, and what is on them. Pure.

Chats show no SVG, and no game knows how it looks here: each thing is a disc in its owner's colour with its mark.
"""

import math
import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from brettwerk.v1 import games_pb2

WIDTH, MAX_HEIGHT = 600, 480
"""In pixels."""
MAX_BYTES = 30_000
"""A picture with more bytes is not made."""
_MARGIN = 12
_MAX_RADIUS = 30
_WIDEST, _NARROWED = 4.0, 2.0
"""How wide a strip without a place may be, and how wide one that is wider is drawn, in distances of neighbours: levels of a board
that lie far apart would all be tiny."""
_PAPER, _PLACE, _LINE, _INK, _NOBODY = range(5)
_FIRST_SEAT = 5
_SHADES: Sequence[tuple[int, int, int]] = ((250, 248, 243), (226, 220, 206), (190, 182, 166), (24, 24, 27), (244, 244, 245))
_HEX = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", re.IGNORECASE)
_OTHER = (130, 130, 130)
_BRIGHT = 330
"""Red, green and blue of a colour on which dark letters can be read add up to more."""
# Five columns of seven dots each, the lowest bit on top.
_GLYPHS: Mapping[str, str] = {
    "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10",
    "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936", "9": "064949291e",
    "A": "7e1111117e", "B": "7f49494936", "C": "3e41414122", "D": "7f4141221c", "E": "7f49494941",
    "F": "7f09090901", "G": "3e4149497a", "H": "7f0808087f", "I": "00417f4100", "J": "2040413f01",
    "K": "7f08142241", "L": "7f40404040", "M": "7f020c027f", "N": "7f0408107f", "O": "3e4141413e",
    "P": "7f09090906", "Q": "3e4151215e", "R": "7f09192946", "S": "4649494931", "T": "01017f0101",
    "U": "3f4040403f", "V": "1f2040201f", "W": "3f4038403f", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543",
}  # fmt: skip


def picture(board: games_pb2.Board, scene: games_pb2.Scene, colours: Sequence[str]) -> bytes:
    """Return the PNG of a scene on its board, in the seats' colours; empty where places have no positions, or it is too large."""
    where = _positions(board, scene)
    if not where:
        return b""
    middles, height, radius = where
    canvas, palette = _Canvas(height), [*_SHADES, *map(_rgb, colours)]
    names = {place.number: place.name for place in board.places}  # a board with a hole lacks some numbers
    for place in board.places:
        for number in place.neighbours:
            other = names.get(number, "")
            if place.name in middles and other in middles:
                canvas.line(middles[place.name], middles[other])
    for middle in middles.values():
        canvas.disc(middle, radius, _LINE)
        canvas.disc(middle, radius - 1, _PLACE)
    for drawn in scene.places:
        if drawn.name in middles:
            _put(canvas, middles[drawn.name], radius, drawn.things, palette)
    made = canvas.png(palette)
    return made if len(made) <= MAX_BYTES else b""


def _put(
    canvas: "_Canvas",
    middle: tuple[int, int],
    radius: int,
    things: Sequence[games_pb2.Thing],
    palette: Sequence[tuple[int, int, int]],
) -> None:
    """Draw the things of a place, the first one in full, others beside it."""
    x, y = middle
    for number, thing in reversed(list(enumerate(things[:3]))):
        is_owned = thing.HasField("owner_seat") and _FIRST_SEAT + thing.owner_seat < len(palette)
        colour = _FIRST_SEAT + thing.owner_seat if is_owned else _NOBODY
        size = radius - 1 if number == 0 else max(3, radius // 2)
        at = (x + (number and radius * 2 // 3), y - (number and (2 * number - 3) * radius * 2 // 3))
        canvas.disc(at, size, _INK)
        canvas.disc(at, size - 1, colour)
        if number == 0:
            canvas.text(at, thing.mark, size, _INK if sum(palette[colour]) > _BRIGHT else _NOBODY)


def _positions(board: games_pb2.Board, scene: games_pb2.Scene) -> tuple[dict[str, tuple[int, int]], int, int] | None:
    """Return where the middles of places are, how high the picture is, and the radius of a place; None where that is not said."""
    at = {place.name: (place.x, place.y) for place in board.places if place.HasField("x") and place.HasField("y")}
    if not at and scene.rows:
        beside = {name for area in scene.areas for name in area.places}
        at = {place.name: (float(place.column), float(place.row)) for place in scene.places if place.name not in beside}
    if not at:
        return None
    points = list(at.values())
    nearest = sorted(min((math.dist(one, other) for other in points if other != one), default=1.0) for one in points)
    apart = nearest[len(nearest) // 4]  # discs of most neighbours do not touch
    across, down = (_narrowed((point[axis] for point in points), apart) for axis in (0, 1))
    at = {name: (across[x], down[y]) for name, (x, y) in at.items()}
    points = list(at.values())
    left, top = (min(point[axis] for point in points) - apart / 2 for axis in (0, 1))
    width, height = (max(point[axis] for point in points) + apart / 2 - from_ for axis, from_ in ((0, left), (1, top)))
    scale = min((WIDTH - 2 * _MARGIN) / width, (MAX_HEIGHT - 2 * _MARGIN) / height)
    free = (WIDTH - width * scale) / 2
    middles = {name: (round(free + (x - left) * scale), round(_MARGIN + (y - top) * scale)) for name, (x, y) in at.items()}
    return middles, round(height * scale) + 2 * _MARGIN, max(4, min(_MAX_RADIUS, int(apart * scale * 0.48)))


def _narrowed(values: Iterable[float], apart: float) -> dict[float, float]:
    """Return where positions on an axis are drawn: as they are, but that wide strips without a place are narrowed."""
    ordered = sorted(set(values))
    drawn = dict(zip(ordered[:1], ordered[:1], strict=True))
    for before, value in pairwise(ordered):
        gap = value - before
        drawn[value] = drawn[before] + (gap if gap <= _WIDEST * apart else _NARROWED * apart)
    return drawn


def _rgb(colour: str) -> tuple[int, int, int]:
    found = _HEX.fullmatch(colour)
    return (int(found[1], 16), int(found[2], 16), int(found[3], 16)) if found else _OTHER


class _Canvas:
    """Rows of pixels, each the number of a colour."""

    def __init__(self, height: int) -> None:
        self._rows = [bytearray(WIDTH) for _ in range(height)]

    def disc(self, middle: tuple[int, int], radius: int, colour: int) -> None:
        """Fill a disc."""
        x, y = middle
        for row in range(max(0, y - radius), min(len(self._rows), y + radius + 1)):
            half = int((radius * radius - (row - y) ** 2) ** 0.5)
            left, right = max(0, x - half), min(WIDTH, x + half + 1)
            self._rows[row][left:right] = bytes([colour]) * max(0, right - left)

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a line, unless it goes across half of the picture: such a way leads around the board."""
        (x, y), (a, b) = start, end
        if abs(a - x) > WIDTH // 2:
            return
        steps = max(abs(a - x), abs(b - y), 1)
        for step in range(steps + 1):
            self._dot(x + (a - x) * step // steps, y + (b - y) * step // steps, _LINE)

    def text(self, middle: tuple[int, int], mark: str, radius: int, colour: int) -> None:
        """Write the letters and digits of a mark into a disc; the digits alone where there is no room for more."""
        letters = [letter for letter in mark.upper() if letter in _GLYPHS]
        room = 2 * radius - 2
        for written in (letters, [letter for letter in letters if letter.isdigit()]):
            wide = 6 * len(written) - 1
            if written and wide <= room:
                break
        else:
            return
        scale = max(1, min(room * 2 // (3 * wide), room * 2 // 21))
        left, top = middle[0] - wide * scale // 2, middle[1] - 7 * scale // 2
        for number, letter in enumerate(written):
            for column, bits in enumerate(bytes.fromhex(_GLYPHS[letter])):
                for row in range(7):
                    if bits >> row & 1:
                        for dot in range(scale * scale):
                            x = left + (6 * number + column) * scale + dot % scale
                            self._dot(x, top + row * scale + dot // scale, colour)

    def png(self, colours: Sequence[tuple[int, int, int]]) -> bytes:
        """Return the picture as a PNG with a palette."""
        head = struct.pack(">IIBBBBB", WIDTH, len(self._rows), 8, 3, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self._rows), 9)
        parts = ((b"IHDR", head), (b"PLTE", b"".join(map(bytes, colours))), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
        )

    def _dot(self, x: int, y: int, colour: int) -> None:
        if 0 <= x < WIDTH and 0 <= y < len(self._rows):
            self._rows[y][x] = colour
