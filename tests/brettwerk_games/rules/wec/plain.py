"""The plain way to what the game finds by shorter ones: nothing is kept, handed on or joined of parts."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import doze_push, items, paths, piece_numbers, rules
from brettwerk_games.rules.wec import view as perspective_of
from brettwerk_games.rules.wec.actions import Action, Doze, Exchange, Fire, Home
from brettwerk_games.rules.wec.board import AIR, DIRECTIONS, NEIGHBOURS, NEXT, OFF, SQUARES, SUB, distance
from brettwerk_games.rules.wec.countdowns import own_turns, turns_stunned
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, NATURES, PAWNS, PRIMARIES, SECONDARIES, WEAPONS, Kind
from brettwerk_games.rules.wec.movement import fights, may_end, must_carry, passenger
from brettwerk_games.rules.wec.options import Dominance, ExchangeLevels, ReinforcementTime, StunEffect
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Carried, Piece, detects_stealth, detects_submerged, has_own_drive, stealthy
from brettwerk_games.rules.wec.position import SPECTATOR, End, Line, Memory, Position, Projectile, Turn, View
from brettwerk_games.rules.wec.weapons import battery, has
from services.runtime.seats import complete


def hidden(position: Position) -> set[int]:
    """The ids of pieces hidden from the other side, found piece by piece (WEC-RUL-46)."""
    return {piece.id for piece in position.pieces if piece.revealed < position.ply and _unseen(position, piece)}


def _unseen(position: Position, piece: Piece) -> bool:
    options, enemies = position.options, [other for other in position.pieces if other.seat != piece.seat]
    near = {
        detects: any(detects(e) and distance(e.square, piece.square) <= reach for e in enemies)
        for detects, reach in (
            (detects_stealth, options.stealth_detector_range),
            (detects_submerged, options.submergence_detector_range),
        )
    }
    below = piece.level == SUB and options.submerged_invisible
    if below and not near[detects_submerged]:
        return True
    if below and options.dominance == Dominance.SUBMERGENCE:
        return False
    locks = {lock for other in position.pieces for lock in (other.lock, *(article.lock for article in other.articles))}
    locked = options.stealth_lock_on and piece.id in locks
    detected = options.stealth_range_detect and near[detects_stealth]
    return options.stealth_invisible and stealthy(piece, options) and not locked and not detected


def view(position: Position, seat: int | None) -> View:
    eye = SPECTATOR if seat is None else seat
    unseen = hidden(position)
    veiled = {
        p.id
        for p in position.pieces
        if (p.level == SUB and position.options.submerged_invisible)
        or (position.options.stealth_invisible and stealthy(p, position.options))
    }
    gone = veiled if eye == SPECTATOR else {p.id for p in position.pieces if p.seat != eye and p.id in unseen}
    visible = [piece for piece in position.pieces if piece.id not in gone]
    ids = {piece.id for piece in visible}
    mine = eye == position.active and position.end == End.ON
    history = perspective_of._history_of(position, eye)
    seen = View(
        eye=eye,
        options=position.options,
        pieces=tuple(_shown(piece, eye, ids) for piece in visible),
        ground=position.ground,
        ply=position.ply,
        projectiles=tuple(
            perspective_of._flying(p, eye, rank, position.revision) for rank, p in enumerate(position.projectiles, 1)
        ),
        reserves=perspective_of._reserves(position.reserves, eye),
        turn=perspective_of._turn(position.turn, eye) if mine else perspective_of._turn_seen(position.turn, eye),
        memory=Memory() if eye == SPECTATOR else position.memory[eye],
        history=history,
        first_line=position.first_line + len(position.history) - len(history),
        idle=position.idle and eye == 1 - position.active,
        edited=position.edited,
        end=position.end,
        winner=position.winner,
    )
    return piece_numbers.renamed(seen, position)


def _shown(piece: Piece, eye: int, ids: set[int]) -> Piece:
    kept = ids if piece.seat == eye else set()
    articles = tuple(a._replace(lock=a.lock if a.lock in kept else 0) for a in piece.articles)
    piece = piece._replace(articles=articles, lock=piece.lock if piece.lock in kept else 0, revealed=0)
    if piece.seat != eye:
        transit = None if piece.transit is None else type(piece.transit)(piece.transit.transport)
        piece = piece._replace(origin=False, transit=transit)
    return piece


FORMER = (
    ("stun_effect", StunEffect.HELPLESS),
    ("reinforcement_time", ReinforcementTime.AT_ONCE),
    ("exchange_levels", ExchangeLevels.SAME),
)
"""Values that positions and views leave out, as those did that were stored before there were these options."""


def encoded(value: Position | View) -> bytes:
    """The canonical bytes of one message."""
    shared: dict[str, Any] = {
        "options": pb.WecOptions(**{name: one for name, one in value.options._asdict().items() if (name, one) not in FORMER}),
        "pieces": [_piece(piece, value.ply) for piece in value.pieces],
        "ground": [pb.WecGround(square=n, articles=map(_lying, lying)) for n, lying in enumerate(value.ground) if lying],
        "ply": value.ply,
        "projectiles": map(_projectile, value.projectiles),
        "reserves": [pb.WecReserve(**{**r._asdict(), "kind": int(r.kind or 0)}) for r in value.reserves],
        "turn": _turn(value.turn),
        "first_line": value.first_line,
        "idle": value.idle,
        "edited": value.edited,
        "end": int(value.end),
        "winner": 0 if value.winner is None else value.winner + 1,
        "active": value.active,
    }
    if isinstance(value, View):
        message: Any = pb.WecView(eye=value.eye, **shared, memory=_memory(value.memory), history=value.history)
        complete(message)
    else:
        black, white, public = map(_memory, value.memory)
        history = [_line(line, value.revision) for line in value.history]
        message = pb.WecPosition(**shared, memory_black=black, memory_white=white, history=history)
        message.names.extend(pb.WecNames(ids=ids) for ids in value.names)
        message.revision = 0 if value.revision == 1 else value.revision
        if any(value.called):
            message.called.extend(pb.WecCalled(ids=dict(one), numbers=dict(one).values()) for one in value.called)
        if any(value.memory[SPECTATOR]):
            message.memory_spectator.CopyFrom(public)
    data: bytes = message.SerializeToString(deterministic=True)
    return data


def _lying(article: Carried) -> pb.WecCarried:
    return pb.WecCarried(kind=pb.WecArticle.ValueType(article.kind), ready=article.ready, lock=article.lock)


def _piece(piece: Piece, ply: int) -> pb.WecPiece:
    seat, transit = piece.seat, piece.transit
    others: dict[str, Any] = {
        "kind": int(piece.kind),
        "hand": int(piece.hand),
        "transit": None if transit is None else pb.WecTransit(**{**transit._asdict(), "transport": int(transit.transport)}),
        "articles": [
            pb.WecCarried(kind=pb.WecArticle.ValueType(a.kind), ready=a.ready, lock=a.lock, turns=own_turns(ply, a.ready, seat))
            for a in piece.articles
        ],
    }
    same = ("id", "seat", "place", "stunned", "origin", "lock", "revealed")
    return pb.WecPiece(
        **others,
        **{name: getattr(piece, name) for name in same},
        ready_first=piece.ready[0],
        ready_second=piece.ready[1],
        turns_first=own_turns(ply, piece.ready[0], seat),
        turns_second=own_turns(ply, piece.ready[1], seat),
        turns_stunned=turns_stunned(ply, piece.stunned, seat),
    )


def _projectile(projectile: Projectile) -> pb.WecProjectile:
    place = FLIGHT_LEVEL[projectile.weapon] * SQUARES + projectile.square
    return pb.WecProjectile(**projectile._asdict(), place=place)


def _texts(texts: tuple[str, str, str]) -> pb.WecTexts:
    return pb.WecTexts(black=texts[0], white=texts[1], spectator=texts[2])


def _memory(memory: Memory) -> pb.WecMemory:
    return pb.WecMemory(marks=[pb.WecMark(**mark._asdict()) for mark in memory.marks], gone=memory.gone)


def _line(line: Line, revision: int) -> pb.WecLine:
    """A line with all texts in the first four revisions; later without those that are the whole."""
    if revision <= 4:
        return pb.WecLine(full=line.full, texts=_texts(line.texts))
    same = [text == line.full for text in line.texts]
    message = pb.WecLine(full=line.full, in_full=same[0] + 2 * same[1] + 4 * same[2])
    black, white, spectator = ("" if alike else text for alike, text in zip(same, line.texts, strict=True))
    others = pb.WecTexts(black=black, white=white, spectator=spectator)
    if others != pb.WecTexts():
        message.texts.CopyFrom(others)
    return message


def _turn(turn: Turn) -> pb.WecTurn:
    black, white = turn.lost
    others: dict[str, Any] = {
        "hits": [pb.WecHit(**hit._asdict()) for hit in turn.hits],
        "believed": [pb.WecHit(**hit._asdict()) for hit in turn.believed],
        "items": [pb.WecItem(**item._asdict()) for item in turn.items],
        "results": [pb.WecResult(full=result.full, texts=_texts(result.texts)) for result in turn.results],
        "lost_black": int(black),
        "lost_white": int(white),
    }
    same = {name: value for name, value in turn._asdict().items() if name not in others and name != "lost"}
    return pb.WecTurn(**same, **others)


def ways(perspective: Perspective, piece: Piece, *, carry: bool) -> dict[int, tuple[int, ...]]:
    """The targets of a piece in order, each with its way, square by square (WEC-RUL-22 to WEC-RUL-29)."""
    field, options, square, seat = Field(perspective.view.pieces), perspective.options, piece.square, piece.seat
    other = passenger(field, piece)
    if not has_own_drive(piece) or (carry and other is None) or (not carry and must_carry(field, piece)):
        return {}
    found: dict[int, tuple[int, ...]] = {}
    if piece.kind == Kind.CHOPPER:
        found = _hops(field, perspective, piece, carry=carry)
    elif piece.kind == Kind.SUB:
        base = piece.place - square
        reach = [base + near for near in paths.steps(square, seat)] + [square + SUB * SQUARES if base == 0 else square]
        found = {p: (p,) for p in reach if may_end(field, piece, p, combat=options.sub_jet_combat, carry=carry)}
    elif carry:
        return {}
    elif piece.kind == Kind.JET:
        lines = [tuple(AIR * SQUARES + near for near in line) for line in paths.jet(square, seat)] + [(square,)]
        for line in [(AIR * SQUARES + square,)] if piece.level == 0 else lines:
            for step, place in enumerate(line):
                if may_end(field, piece, place, combat=fights(piece, options, step)):
                    found[place] = line[: step + 1]
                if place in field.at:
                    break
    elif piece.kind in PAWNS:
        moves, attacks, double = paths.pawn(options.movement, options.pawn_variant, square, seat)
        found = {place: (place,) for place in moves if may_end(field, piece, place, combat=False)}
        for place in attacks:
            if place in field.at and all(o.seat != seat for o in field.on(place)):
                found.setdefault(place, (place,))
        for passed, place in double if piece.origin else ():
            if passed not in field.at and may_end(field, piece, place, combat=False):
                found[place] = (passed, place)
    elif piece.kind in (Kind.PANZER, Kind.CLERIC) or piece.kind in SECONDARIES:
        for line in _slides(perspective, piece):
            for index, place in enumerate(line):
                if place not in found and may_end(field, piece, place, combat=True):
                    found[place] = line[: index + 1]
                if place in field.at:
                    break
    else:
        combat = NATURES[piece.kind].combat
        found = {place: (place,) for place in paths.steps(square, seat) if may_end(field, piece, place, combat=combat)}
    if carry and other is not None and other.kind in PRIMARIES and not options.king_may_leave_ground:
        found = {place: way for place, way in found.items() if place < SQUARES}
    return found


def _slides(perspective: Perspective, piece: Piece) -> list[tuple[int, ...]]:
    options, hand = perspective.options, "left" if piece.hand == 1 else "right"
    both = ("left", "right")
    if piece.kind == Kind.PANZER:
        names = [(f"panzer_{hand}", options.panzer_range)]
    elif piece.kind == Kind.CLERIC:
        names = [(f"cleric_{hand}", options.cleric_range)]
    else:
        names = [(f"panzer_{h}", options.queen_panzer_range) for h in both]
        names += [(f"cleric_{h}", options.queen_cleric_range) for h in both]
    return [line[:n] for name, n in names for line in paths.slides(options.movement, name, piece.square, piece.seat)]


def _hops(field: Field, perspective: Perspective, piece: Piece, *, carry: bool) -> dict[int, tuple[int, ...]]:
    found = {}
    air, grounded = AIR * SQUARES, piece.level == 0
    for chains in paths.hops(perspective.options.movement, piece.hand, piece.square, piece.seat):
        target = chains[0][-1]
        for place in (target, air + target) if grounded else (target,):
            plans = []
            for chain in chains:
                over = tuple(air + near for near in chain)
                up = (air + piece.square, *over) if grounded else over
                plans.append((*up, place) if place < SQUARES else up)
            plans += [chain if place < SQUARES else (*chain, place) for chain in chains if grounded]
            way = next((plan for plan in plans if not any(p in field.at for p in plan[:-1])), ())
            if way and may_end(field, piece, place, combat=True, carry=carry):
                found[place] = way
    return found


def legal(perspective: Perspective) -> Iterator[Action]:
    """Dozes, Fires with weapons and Exchanges: all that can be thought of, each put to the test."""
    own = perspective.own()
    for action in _thinkable(perspective, own):
        try:
            rules.require_legal(perspective, action)
        except Illegal:
            continue
        yield action


def _thinkable(perspective: Perspective, own: list[Piece]) -> Iterator[Action]:
    for piece in own:
        if piece.kind == Kind.DOZER:
            near = [square for square in NEIGHBOURS[piece.square] if square in perspective.field.at]
            for size in range(doze_push.MAX_DOZED + 1):
                for squares in combinations(near, size):
                    yield from (Doze(piece.id, direction, squares) for direction in range(len(DIRECTIONS)))
    for piece in own:
        for weapon in WEAPONS:
            if has(piece, weapon) and battery(piece, weapon, perspective.ply, perspective.turn.spent).strength:
                yield from (Fire(piece.id, weapon, n) for n in range(len(DIRECTIONS)) if NEXT[piece.square][n] != OFF)
                level = FLIGHT_LEVEL.get(weapon)
                enemies = [o for o in perspective.view.pieces if o.seat != piece.seat and level and o.level == level]
                yield from (Home(piece.id, weapon, other.id) for other in enemies)
    carriers = [piece for piece in own if piece.articles]
    for a in carriers:
        for b in own:
            for kind in items._kinds(a):
                yield Exchange(a.id, kind, b.id)
                if a.id < b.id:
                    yield from (Exchange(a.id, kind, b.id, back) for back in items._kinds(b))
