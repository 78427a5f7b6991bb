"""Pairs of crowded boards that look the same to an eye, followed for some actions: what looks the same must be told the same."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, Doze, Exchange, Fire, Happened, Home, Move, Strike, Travel, Written
from brettwerk_games.rules.wec.board import GROUND, SQUARES, SUB, place_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import Kind as Sort
from brettwerk_games.rules.wec.piece_numbers import in_sight
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Piece
from brettwerk_games.rules.wec.position import EYES, SPECTATOR, Called, End, Memory, Position, View
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.crowds import crowded, way
from tests.brettwerk_games.rules.wec.lookalikes import look_alike

STEPS = 8
"""Actions for which a pair is followed."""
FLOWN = re.compile(r"[RTS](?:->|v)")
"""A result that tells the way of a projectile (WEC-RUL-61)."""
VARIANTS = 5
"""Other actions with which each is compared."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One step as it is told to an eye."""

    bare: Any
    """Its view without what is written in it, the ways of projectiles, which everybody sees, and which of the seen were hit."""
    words: Any
    """All texts and bytes."""


def disguised(position: Position, eye: int, dice: random.Random) -> Position:
    """Return the position with other hidden things: some moved or gone, new ones beside or among what is seen, other plans."""
    seat = None if eye == SPECTATOR else eye
    other = look_alike(position, seat, dice.randbytes(32))
    field = Field(other.pieces)
    sides = (0, 1) if seat is None else (1 - eye,)
    for count in range(dice.randrange(4)):
        side = dice.choice(sides)
        number = WHITE_IDS * side + 500 + count
        made = Piece(number, side, dice.choice((Sort.AAA, Sort.AAA, Sort.SUB)), place_of(dice.randrange(SQUARES), GROUND))
        if made.kind == Sort.SUB:
            made = made._replace(place=place_of(made.square, SUB))
        near = [p.place for p in field.in_order() if p.level == made.level and (p.seat == side or dice.random() < 0.3)]
        if near and dice.random() < 0.7:
            made = made._replace(place=dice.choice(near))
        if field.room_for(made, made.place):
            field.put(made)
    pieces = tuple(_other_plans(dice, piece) if piece.seat in sides else piece for piece in field.in_order())
    return other._replace(pieces=pieces)


def _other_plans(dice: random.Random, piece: Piece) -> Piece:
    if piece.transit is None or not piece.transit.left or dice.random() < 0.3:
        return piece
    return piece._replace(transit=piece.transit._replace(left=way(dice, piece.square)))


def shuffled(position: Position, eye: int, dice: random.Random) -> dict[int, int]:
    """Return other ids for the pieces that an eye does not own."""
    ids = [piece.id for piece in position.pieces if eye == SPECTATOR or int(piece.id > WHITE_IDS) != eye]
    to: dict[int, int] = {}
    for born in (0, 1):
        old = [number for number in ids if int(number > WHITE_IDS) == born]
        to.update(zip(old, dice.sample(range(born * WHITE_IDS + 1, born * WHITE_IDS + 800), len(old)), strict=True))
    return to


def renumbered(position: Position, eye: int, to: dict[int, int]) -> Position:
    """Return the position with other ids for some pieces, all of which an eye calls what it called them before."""

    def all_of(received: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(to.get(number, number) for number in received)

    turn = position.turn
    pieces = [
        piece._replace(
            id=to.get(piece.id, piece.id),
            lock=to.get(piece.lock, piece.lock),
            articles=tuple(a._replace(lock=to.get(a.lock, a.lock)) for a in piece.articles),
        )
        for piece in position.pieces
    ]
    return position._replace(
        pieces=tuple(sorted(pieces)),
        called=tuple(_called(position, each, eye, to) for each in EYES),  # type: ignore[arg-type]
        projectiles=tuple(flying._replace(target=to.get(flying.target, flying.target)) for flying in position.projectiles),
        turn=turn._replace(
            mover=to.get(turn.mover, turn.mover),
            acted=all_of(turn.acted),
            spent=all_of(turn.spent),
            hits=tuple(sorted(hit._replace(piece=to.get(hit.piece, hit.piece)) for hit in turn.hits)),
        ),
    )


def _called(position: Position, each: int, eye: int, to: dict[int, int]) -> Called:
    """Return what an eye calls pieces that have other ids: as before; other seats call their own by the new ids."""
    called = dict(position.called[each])
    ids = {piece.id: called.get(piece.id, piece.id) for piece in in_sight(position, each)}
    if each != eye:
        ids = {number: name for number, name in ids.items() if number in called or int(number > WHITE_IDS) != each}
    found = {to.get(number, number): name for number, name in ids.items()}
    return tuple(sorted((number, name) for number, name in found.items() if number != name))


def renamed(action: Action, actor: int, to: dict[int, int]) -> Action:
    """Return an action of a seat with the other ids of its own pieces."""
    changed: dict[str, Any] = {
        name: to[number]
        for name in ("piece", "other")
        if (number := getattr(action, name, 0)) in to and int(number > WHITE_IDS) == actor
    }
    return replace(action, **changed) if changed else action


def variants(dice: random.Random, legal: list[Action], action: Action) -> list[Action]:
    """Return the action and others that may look the same to whoever does not act."""
    like: list[Action]
    match action:
        case Travel():
            like = [a for a in legal if isinstance(a, Travel) and (a.piece, a.transport) == (action.piece, action.transport)]
        case Home():
            like = [a for a in legal if isinstance(a, Home) and (a.piece, a.weapon) == (action.piece, action.weapon)]
        case Move():
            like = [a for a in legal if isinstance(a, (Move, Doze)) and a.piece == action.piece]
        case Doze():
            like = [a for a in legal if isinstance(a, (Doze, Move)) and a.piece == action.piece]
        case Fire() | Strike():
            like = []
        case Exchange():
            both = {action.piece, action.other}
            like = [a for a in legal if isinstance(a, Exchange) and {a.piece, a.other} == both]
        case _:
            like = []
    return [action, *dice.sample(like, min(VARIANTS, len(like)))]


def bare(view: View) -> Any:
    """Return what is seen in a view: without what is written in it, and without the numbers of others' pieces.

    Where a number tells what a piece has to do with another, that one stands for it.
    """
    stands = {piece.id: (piece.place, piece.kind, piece.seat) for piece in view.pieces}

    def of(number: int) -> Any:
        is_own = view.eye != SPECTATOR and int(number > WHITE_IDS) == view.eye
        return number if not number or is_own else stands.get(number, "somebody")

    pieces = [
        (of(p.id), of(p.lock), [(a.kind, a.ready, of(a.lock)) for a in p.articles], p._replace(id=0, lock=0, articles=()))
        for p in view.pieces
    ]
    turn, memory = view.turn, view.memory
    turn = turn._replace(items=(), results=(), hits=())
    return (
        view._replace(history=(), first_line=0, pieces=(), projectiles=(), turn=turn, memory=Memory()),
        sorted(map(repr, pieces)),
        [(flying[:-2], of(flying.target)) for flying in view.projectiles],
        sorted((mark.place, mark.kind, mark.hand) for mark in memory.marks),
        len(memory.gone),
        sorted((hit.weapon, hit.times) for hit in view.turn.hits),
    )


def received(step: Any, eye: int, actor: int, *, competitive: bool) -> Seen:
    """Return what an eye is told of a step. Strings that are open to everybody are not compared."""
    seat = None if eye == SPECTATOR else eye
    view = GAME.view(step.position, seat)
    shown = [event for event in (GAME.show(event, seat) for event in step.events) if event is not None]
    if not competitive or step.position.end != End.ON:
        shown = [event for event in shown if not isinstance(event, Written)]
        view = view._replace(history=(), first_line=0)
    read = "" if actor == eye else rules.read_by(step, seat)
    undo = step.reveals if actor == eye else None
    events = [GAME.codec.encode(Kind.EVENT, event) for event in shown]
    flown = [text for event in shown if isinstance(event, Happened) and FLOWN.match(text := "".join(event.texts))]
    return Seen((bare(view), flown, struck(step.position, eye)), (read, events, undo, GAME.codec.encode(Kind.VIEW, view)))


def struck(position: Position, eye: int) -> list[Any]:
    """Return the hits on pieces that an eye sees: it is told of them at the end of the Turn, even where they do nothing."""
    places = {piece.id: piece.place for piece in in_sight(position, eye)}
    return sorted((places[hit.piece], hit.weapon, hit.times) for hit in position.turn.hits if hit.piece in places)


def asked(position: Position, eye: int, dice: random.Random) -> Any:
    """Return what an eye is told when it asks: its lists, its notation, what is refused, its scene, what its time leads to."""
    seat = None if eye == SPECTATOR else eye
    view = GAME.view(position, seat)
    legal = GAME.actions(view)
    some = [legal[dice.randrange(len(legal))] for _ in range(8)] if legal else []
    foreign = [Move(number, dice.randrange(3 * SQUARES)) for number in (2, 3, 4, 1002, 1003, 1004, 500, 1500)]
    return (
        GAME.codec.encode(Kind.VIEW, view),
        len(legal),
        [(GAME.write(view, a), GAME.choice(view, a)) for a in some],
        GAME.scene(view),
        [] if seat is None else [refusal(position, seat, action) for action in foreign],
    )


def refusal(position: Position, seat: int, action: Action) -> Any:
    try:
        rules.apply(position, seat, action, SEED)
    except Illegal as refused:
        return type(refused), refused.rule, str(refused), sorted(refused.details.items())
    return None


@dataclass(slots=True)
class Pair:
    """Two games that one eye cannot tell apart so far; `to` are the ids that pieces of the first have in the second."""

    eye: int
    here: Position
    there: Position
    dice: random.Random
    to: dict[int, int] = field(default_factory=dict)

    def look(self) -> int:
        """Compare them for some actions, as long as they look the same. Return how many comparisons told something."""
        state = self.dice.getstate()
        here = asked(self.here, self.eye, self.dice)
        self.dice.setstate(state)
        assert here == asked(self.there, self.eye, self.dice), "what is asked is answered otherwise"
        compared = 0
        for _ in range(STEPS):
            found = self._step()
            compared += found
            if not found:
                break
        return compared

    def _is_unseen(self, position: Position, action: Action) -> bool:
        """Tell whether an action is one of pieces that the eye does not see before it."""
        own = {piece.id: piece.place for piece in position.pieces}
        seen = {piece.place for piece in GAME.view(position, None if self.eye == SPECTATOR else self.eye).pieces}
        received = [number for name in ("piece", "other") if (number := getattr(action, name, 0))]
        return bool(received) and all(number in own and own[number] not in seen for number in received)

    def _is_open(self, action: Action) -> bool:
        """Tell whether an action is an Exchange of two pieces that the eye sees: who gave what to whom is then seen, too."""
        seen = {piece.id for piece in in_sight(self.here, self.eye)}
        return isinstance(action, Exchange) and {action.piece, action.other} <= seen

    def _step(self) -> int:
        """Play one action in both; return in how many variants they looked the same afterwards."""
        actor, dice = self.here.active, self.dice
        legal = list(rules.actions(GAME.view(self.here, actor)))
        if not legal:
            return 0
        kinds = sorted({type(action).__name__ for action in legal})
        kind = "EndTurn" if "EndTurn" in kinds and dice.random() < 0.4 else dice.choice(kinds)
        action = dice.choice([each for each in legal if type(each).__name__ == kind])
        first = rules.apply(self.here, actor, action, SEED)
        competitive = self.here.options.competitive
        one = received(first, self.eye, actor, competitive=competitive)
        second = renamed(action, actor, self.to)
        others = [second]
        if actor != self.eye:
            legal = list(rules.actions(GAME.view(self.there, actor)))
            others = [second] if self._is_open(action) else variants(dice, legal, second)
            if one.words[0] == "?" and self._is_unseen(self.here, action):
                unseen = [each for each in legal if self._is_unseen(self.there, each)]
                others += dice.sample(unseen, min(VARIANTS, len(unseen)))
        same = []
        for other in others:
            try:
                step = rules.apply(self.there, actor, other, SEED)
            except Illegal:
                continue
            two = received(step, self.eye, actor, competitive=competitive)
            if one.bare == two.bare:
                assert one.words == two.words, f"eye {self.eye} reads {one.words[:3]!r} and {two.words[:3]!r}"
                same.append(step.position)
        if same:
            self.here, self.there = first.position, dice.choice(same)
        return len(same)


def pairs(numbers: Iterator[int] | range) -> Iterator[Pair]:
    """Yield pairs that look the same to an eye, and are not the same."""
    for number in numbers:
        dice = random.Random(number)
        here = crowded(dice)
        for _ in range(dice.choice((0, 1, 2, 6, 12))):
            legal = list(rules.actions(GAME.view(here, here.active)))
            if legal:
                here = rules.apply(here, here.active, dice.choice(legal), SEED).position
        eye = dice.choice((1 - here.active, 1 - here.active, here.active, SPECTATOR))
        other = disguised(here, eye, dice)
        to = shuffled(other, eye, dice)
        there = renumbered(other, eye, to)
        seat = None if eye == SPECTATOR else eye
        if there != here and GAME.view(here, seat) == GAME.view(there, seat):
            yield Pair(eye, here, there, dice, to)
