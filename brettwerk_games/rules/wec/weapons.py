"""Weapons: which are ready, whom a Fire strikes (WEC-FIRE, WEC-RUL-10 to WEC-RUL-15)."""

from typing import NamedTuple

from brettwerk_games.rules.wec.board import NEXT, OFF, SIZE, SQUARES
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import LAUNCHERS, NATURES, RESTRICTED_ROCKET, Article
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import Piece


class Battery(NamedTuple):
    """The instances of one weapon on a piece that are ready: the inherent one, and articles by index."""

    inherent: bool
    articles: tuple[int, ...]

    @property
    def strength(self) -> int:
        """How many they are (WEC-FIRE-6, WEC-RUL-7)."""
        return self.inherent + len(self.articles)


def has(piece: Piece, weapon: Article) -> bool:
    """Tell whether a piece has the weapon at all, the restricted Rocket Launcher not counted."""
    if weapon in NATURES[piece.kind].weapons and not (weapon == Article.ROCKET and piece.kind in RESTRICTED_ROCKET):
        return True
    return any(article.kind == weapon for article in piece.articles)


def battery(piece: Piece, weapon: Article, ply: int, spent: tuple[int, ...], *, restricted: bool = False) -> Battery:
    """Return what is ready of a weapon; the restricted Rocket Launcher counts only if asked for.

    `spent` names the pieces whose inherent weapons were fired in this Turn: they are one unit (WEC-RUL-13).
    """
    inherent = False
    natural = NATURES[piece.kind].weapons
    if weapon in natural and piece.id not in spent:
        hindered = weapon == Article.ROCKET and piece.kind in RESTRICTED_ROCKET
        inherent = hindered == restricted and piece.ready[natural.index(weapon)] <= ply
    ready = tuple(index for index, article in enumerate(piece.articles) if article.kind == weapon and article.ready <= ply)
    return Battery(inherent, ready)


_FREE = {
    kind: tuple(
        (weapon, index)
        for index, weapon in enumerate(nature.weapons)
        if weapon != Article.ROCKET or kind not in RESTRICTED_ROCKET
    )
    for kind, nature in NATURES.items()
}
"""By kind: the inherent weapons, the restricted Rocket Launcher not counted, each with its place in `Piece.ready`."""


def armed(piece: Piece, ply: int, spent: tuple[int, ...]) -> list[Article]:
    """Return the weapons of which something is ready (see `battery`), in order."""
    found = []
    if piece.id not in spent:
        found = [weapon for weapon, index in _FREE[piece.kind] if piece.ready[index] <= ply]
    if piece.articles:
        found += [article.kind for article in piece.articles if article.kind <= Article.TORPEDO and article.ready <= ply]
        return sorted(set(found))
    return sorted(found) if len(found) > 1 else found


def discharged(piece: Piece, weapon: Article, used: Battery, ready: int) -> Piece:
    """Return the piece with the countdowns of what was fired (WEC-FIRE-RATE-1, WEC-RUL-14)."""
    articles = tuple(
        article._replace(ready=ready) if index in used.articles else article for index, article in enumerate(piece.articles)
    )
    inherent = piece.ready
    if used.inherent:
        index = NATURES[piece.kind].weapons.index(weapon)
        inherent = (ready, inherent[1]) if index == 0 else (inherent[0], ready)
    return piece._replace(articles=articles, ready=inherent)


def reach_of(weapon: Article, options: Options) -> int:
    """Return how many squares away a weapon can hit; what a launcher fires flies to the edge of the board (WEC-PROJ-2)."""
    if weapon in LAUNCHERS:
        return SIZE - 1
    return {Article.FLAME: options.flame_range, Article.STUN: options.stun_range}.get(weapon, 1)


def struck(field: Field, options: Options, piece: Piece, weapon: Article, direction: int) -> tuple[int, ...]:
    """Return the pieces that a Flame, Stun or Conversion hits, on the piece's level (WEC-FIRE-3)."""
    base, square = piece.place - piece.square, piece.square
    found: list[int] = []
    for _ in range(reach_of(weapon, options)):
        square = NEXT[square][direction]
        if square == OFF:
            break
        there = field.at.get(base + square, ())
        found += there
        if there and weapon == Article.STUN:
            break
    if weapon == Article.CONVERSION:
        return tuple(number for number in found if field.pieces[number].seat != piece.seat)
    return tuple(found)


def under(field: Field, square: int) -> tuple[int, ...]:
    """Return the pieces at the Ground of a square: what an off-level rocket hits (WEC-RUL-15)."""
    return field.at.get(square % SQUARES, ())
