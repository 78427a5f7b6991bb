"""The secrets kept from a seat of Weaponized Chess, taken from the rules (part 6) and not from its views."""

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.wec.board import GROUND, SQUARES, place_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import PAWNS, PRIMARIES
from brettwerk_games.rules.wec.pieces import Piece, Transit
from brettwerk_games.rules.wec.position import SPECTATOR, End, Hit, Item, Line, Memory, Position, Reserve, Turn
from brettwerk_games.rules.wec.visibility import elusive, hidden

ATTEMPTS = 12


def look_alike(position: Position, seat: int | None, seed: bytes) -> Position:
    """Put hidden pieces elsewhere or away, and change all that is not told of visible ones and of the other side's Turn.

    Not even the number of hidden pieces is told (WEC-OBS-3). Once the game is over, all is (WEC-OBS-16).
    """
    if position.end != End.ON:
        return position
    dice = Dice(seed, "look alike")
    eye = SPECTATOR if seat is None else seat
    field = Field(position.pieces)
    unseen = hidden(position.pieces, position.options, position.ply)
    secret = {
        p.id for p in position.pieces if (elusive(p, position.options) if seat is None else p.seat != eye and p.id in unseen)
    }
    for number in sorted(secret):
        _elsewhere(field, field.pieces[number], position, secret, eye, dice)
    aimed = {projectile.target for projectile in position.projectiles}
    for number in sorted(secret - aimed):
        piece = field.pieces[number]
        if piece.kind not in PRIMARIES and len(field.at[piece.place]) == 1 and not dice.below(4):
            field.remove(number)
    for piece in list(field.pieces.values()):
        if piece.seat != eye and piece.id not in secret:
            field.put(_untold(piece, dice))
        elif piece.seat == eye:
            field.put(piece._replace(revealed=position.ply if dice.below(2) else 0))
    return position._replace(
        pieces=tuple(field.in_order()),
        memory=tuple(m if n == eye else Memory() for n, m in enumerate(position.memory)),  # type: ignore[arg-type]
        reserves=_reserves(position, eye, dice),
        turn=_turn(position, eye),
        history=_history(position, eye),
        idle=position.idle if eye == 1 - position.active else bool(dice.below(2)),
    )


def _elsewhere(field: Field, piece: Piece, position: Position, secret: set[int], eye: int, dice: Dice) -> None:
    if len(field.at[piece.place]) > 1:
        return
    before = set(hidden(field.pieces.values(), position.options, position.ply))
    for _ in range(ATTEMPTS):
        place = place_of(dice.below(SQUARES), piece.level)
        if place in field.at:
            continue
        field.put(piece._replace(place=place, origin=False, stunned=0 if dice.below(2) else position.ply))
        after = hidden(field.pieces.values(), position.options, position.ply)
        own = {p.id for p in field.pieces.values() if p.seat == eye}
        if (before - own == after - own) if eye != SPECTATOR else True:
            return
        field.put(piece)


def _untold(piece: Piece, dice: Dice) -> Piece:
    transit = piece.transit
    if transit is not None and piece.level != GROUND:
        transit = Transit(transit.transport, (dice.below(SQUARES),), dice.below(9))
    return piece._replace(origin=piece.kind in PAWNS and bool(dice.below(2)), transit=transit)


def _reserves(position: Position, eye: int, dice: Dice) -> tuple[Reserve, ...]:
    mine = [r for r in position.reserves if r.seat == eye]
    others = [r for r in position.reserves if r.seat != eye]
    kinds = dice.shuffled([(r.kind, r.hand) for r in others])
    changed = [r._replace(kind=kind, hand=hand) for r, (kind, hand) in zip(others, kinds, strict=True)]
    return tuple(sorted(mine + changed))


def _turn(position: Position, eye: int) -> Turn:
    """The other side's Turn: everything but what was shown; one's own: the hits that one cannot know of."""
    turn = position.turn
    if position.end != End.ON:
        return turn
    if eye == position.active:
        enemy = [hit for hit in turn.hits if hit in turn.believed]
        return turn._replace(hits=tuple(enemy), items=tuple(Item(i.letter, i.text, i.other, "") for i in turn.items))
    mover = 0 if turn.mover else 1
    return turn._replace(mover=mover, fires=2 - turn.fires, picked=not turn.picked, hits=(), believed=(Hit(1, 1, 1),))  # type: ignore[arg-type]


def _history(position: Position, eye: int) -> tuple[Line, ...]:
    """In competitive games what was cut out of a string can be anything; in open ones and after the end nothing is."""
    if not position.options.competitive or position.end != End.ON:
        return position.history
    return tuple(
        Line(line.full + ",RS:?", tuple(t if n == eye else "?" for n, t in enumerate(line.texts)))  # type: ignore[arg-type]
        for line in position.history
    )
