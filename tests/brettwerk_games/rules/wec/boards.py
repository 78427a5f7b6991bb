"""Boards written as the cases write them: `B TA>[ST](4,4)`, `W CH<(5,6) Air`, and games played on them."""

import re
from collections.abc import Iterable
from typing import Any

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import rules, view
from brettwerk_games.rules.wec.actions import (
    Action,
    Doze,
    Drop,
    EndTurn,
    Exchange,
    Fire,
    Home,
    Move,
    PickUp,
    Reinforce,
    Route,
    Strike,
    Travel,
)
from brettwerk_games.rules.wec.board import DIRECTIONS, place_of, square_at
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Article, Hand, Kind
from brettwerk_games.rules.wec.notation_signs import HAND_SIGNS, place_text
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import Position, Projectile, View
from brettwerk_games.rules.wec.start import standard_pieces, standard_reserves
from brettwerk_games.rules.wec.visibility import first_locks
from tests.brettwerk_games.rules.wec import history

SEED = bytes(32)
KINDS = {nature.code: kind for kind, nature in NATURES.items()}
ARTICLES = {code: kind for kind, code in ARTICLE_CODES.items()}
BASE = ("B K(1,10)", "W K(10,1)", "B DO(1,8)", "W DO(10,3)")
_PIECE = re.compile(r"([BW]) ([A-Z]+)([<>]?)(?:\[([A-Z,]*)\])?(\(\d+,\d+\))(?: (Air|Sub))?(!)?")
LEVELS = {None: 0, "Air": 1, "Sub": 2}


def id_of(piece: int) -> str:
    """The id as people write it: b1, w28 (WEC-RUL-54)."""
    return f"w{piece - WHITE_IDS}" if piece > WHITE_IDS else f"b{piece}"


def sq(text: str) -> int:
    row, column = map(int, re.findall(r"\d+", text))
    return square_at(row, column)


def at(text: str) -> int:
    """(3,3), (3,3) Air, (3,3) Sub"""
    square, _, level = text.partition(" ")
    return place_of(sq(square), LEVELS[level or None])


def piece(text: str, number: int, ready: int = 0) -> Piece:
    """A `!` behind it marks a Pawn on its origin square."""
    match = _PIECE.fullmatch(text)
    assert match, text
    colour, code, hand, articles, square, level, origin = match.groups()
    carried = tuple(Carried(ARTICLES[name]) for name in (articles or "").split(",") if name)
    place = place_of(sq(square), LEVELS[level])
    hands = Hand(HAND_SIGNS.index(hand))
    return Piece(number, 0 if colour == "B" else 1, KINDS[code], place, hands, carried, origin=bool(origin))


def board(
    *pieces: str,
    ply: int = 1,
    articles: Iterable[str] = (),
    base: bool = True,
    rockets: Iterable[tuple[Any, ...]] = (),
    reserves: bool = False,
    **options: Any,
) -> Position:
    """The Base board of the cases with more pieces; articles as `XXX(3,3)`; rockets as (seat, weapon, square, step, strength)."""
    chosen = Options(**options)
    counts = [0, WHITE_IDS]
    found = []
    for text in (*(BASE if base else ()), *pieces):
        seat = 0 if text.startswith("B") else 1
        counts[seat] += 1
        found.append(piece(text, counts[seat]))
    ground: list[tuple[Carried, ...]] = [()] * 100
    for text in articles:
        code, square = text.split("(")
        ground[sq(square)] = (*ground[sq(square)], Carried(ARTICLES[code]))
    flying = tuple(
        Projectile(n, weapon, seat, sq(square), DIRECTIONS.index(step), strength, 0)
        for n, (seat, weapon, square, step, strength) in enumerate(rockets, 1)
    )
    waiting = standard_reserves(chosen, standard_pieces(chosen)) if reserves else ()
    return Position(
        chosen,
        tuple(first_locks(sorted(found), chosen, ply)),
        tuple(ground),
        ply=ply,
        projectiles=flying,
        reserves=waiting,
        first_line=ply,
        edited=True,
    )


class Table:
    """A game being played, with short words for what the cases say."""

    def __init__(self, *pieces: str, **more: Any) -> None:
        self.position = board(*pieces, **more)
        self.texts: list[str] = []

    @property
    def seat(self) -> int:
        return self.position.active

    def find(self, code: str, where: str, *, seat: int | None = None) -> Piece:
        for found in self.position.pieces:
            if NATURES[found.kind].code == code and found.place == at(where) and seat in (None, found.seat):
                return found
        raise AssertionError(f"no {code} on {where}")

    def there(self, where: str) -> list[str]:
        return sorted(f"{'BW'[p.seat]} {NATURES[p.kind].code}" for p in self.position.pieces if p.place == at(where))

    def lying(self, where: str) -> list[str]:
        return [ARTICLE_CODES[article.kind] for article in self.position.ground[sq(where)]]

    def carried(self, code: str, where: str) -> list[str]:
        return [ARTICLE_CODES[article.kind] for article in self.find(code, where).articles]

    def view(self, seat: int | None) -> View:
        return view.view(self.position, seat)

    def sees(self, seat: int | None, code: str, where: str) -> bool:
        return any(p.place == at(where) and NATURES[p.kind].code == code for p in self.view(seat).pieces)

    def legal(self) -> tuple[Action, ...]:
        return rules.actions(self.view(self.seat))

    def play(self, action: Action) -> "Table":
        assert action in self.legal() or not isinstance(action, EndTurn), f"{action} is not offered"
        self.position = rules.apply(self.position, self.seat, action, SEED).position
        return self

    def refused(self, action: Action) -> str:
        """The rule that forbids it; it is not offered either, and nothing changes."""
        assert action not in self.legal(), f"{action} is offered"
        before = self.position
        try:
            rules.apply(self.position, self.seat, action, SEED)
        except Illegal as refusal:
            assert self.position == before
            return refusal.rule
        raise AssertionError(f"{action} was not refused")

    def targets(self, code: str, where: str, *, carry: bool = False) -> set[str]:
        number = self.find(code, where, seat=self.seat).id
        return {place_text(a.place) for a in self.legal() if isinstance(a, Move) and a.piece == number and a.carry == carry}

    def moving(self, code: str, where: str, target: str, *, carry: bool = False) -> Move:
        return Move(self.find(code, where, seat=self.seat).id, at(target), carry)

    def move(self, code: str, where: str, target: str, *, carry: bool = False) -> "Table":
        return self.play(self.moving(code, where, target, carry=carry))

    def dozing(self, where: str, step: tuple[int, int], *squares: str) -> Doze:
        chosen = tuple(sorted(sq(square) for square in squares))
        return Doze(self.find("DO", where, seat=self.seat).id, DIRECTIONS.index(step), chosen)

    def firing(self, code: str, where: str, weapon: str, step: tuple[int, int]) -> Fire:
        return Fire(self.find(code, where, seat=self.seat).id, ARTICLES[weapon], DIRECTIONS.index(step))

    def fire(self, code: str, where: str, weapon: str, step: tuple[int, int]) -> "Table":
        return self.play(self.firing(code, where, weapon, step))

    def travelling(self, code: str, where: str, transport: str, target: str, route: Route = Route.BEELINE) -> Travel:
        return Travel(self.find(code, where, seat=self.seat).id, ARTICLES[transport], sq(target), route)

    def travel(self, code: str, where: str, transport: str, target: str, route: Route = Route.BEELINE) -> "Table":
        return self.play(self.travelling(code, where, transport, target, route))

    def homing(self, code: str, where: str, weapon: str, target: str, place: str) -> Home:
        other = self.find(target, place, seat=1 - self.seat)
        return Home(self.find(code, where, seat=self.seat).id, ARTICLES[weapon], other.id)

    def striking(self, code: str, where: str, square: str) -> Strike:
        return Strike(self.find(code, where, seat=self.seat).id, sq(square))

    def picking(self, code: str, where: str, article: str) -> PickUp:
        return PickUp(self.find(code, where, seat=self.seat).id, ARTICLES[article])

    def dropping(self, code: str, where: str, article: str) -> Drop:
        return Drop(self.find(code, where, seat=self.seat).id, ARTICLES[article])

    def giving(self, code: str, where: str, article: str, other: str, place: str) -> Exchange:
        receiver = self.find(other, place, seat=self.seat)
        return Exchange(self.find(code, where, seat=self.seat).id, ARTICLES[article], receiver.id)

    def calling(self, square: str) -> Reinforce:
        reserve = next(r for r in self.position.reserves if r.seat == self.seat and r.square == sq(square))
        return Reinforce(reserve.id)

    def idle(self) -> "Table":
        """The spare Dozer steps, and the Turn ends."""
        here, there = ("(1,8)", "(1,7)") if self.seat == 0 else ("(10,3)", "(10,4)")
        if not any(p.kind == Kind.DOZER and p.place == at(here) for p in self.position.pieces):
            here, there = there, here
        return self.move("DO", here, there).end()

    def end(self) -> "Table":
        return self.play(EndTurn())

    def until(self, ply: int) -> "Table":
        while self.position.ply < ply:
            self.idle()
        return self

    def string(self) -> str:
        return self.position.history[-1].full

    def received(self, seat: int) -> str:
        return history.strings(self.position, seat)[-1]


ROCKET, SAM, TORPEDO = Article.ROCKET, Article.SAM, Article.TORPEDO
