"""Actions and Turns in the notation of WEC-RUL-52; what other eyes may read of an action is disclosure.py's to say."""

from collections.abc import Iterable, Mapping, Sequence

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
    turned,
)
from brettwerk_games.rules.wec.board import NEXT, name_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Article
from brettwerk_games.rules.wec.notation_signs import HAND_SIGNS, piece_text, place_text
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import EYES, Item, Line, Reserve, Turn, View

ORDER = "MFPXRD"
"""The letters of the kinds of action in the order of a string (WEC-NOTATION-1)."""
_LETTERS: Mapping[type[Action], str] = {
    **dict.fromkeys((Move, Doze), "M"),
    **dict.fromkeys((Fire, Home, Strike, Travel), "F"),
    PickUp: "P",
    Exchange: "X",
    Reinforce: "R",
    Drop: "D",
}
ROUTE_SIGNS = {Route.BEELINE: "", Route.PORT: "<", Route.STARBOARD: ">"}
END = "END"
"""End Turn, where a single action is written; a whole string needs no sign for it."""
UNKNOWN = "?"
"""Stands for an action of which nothing is read."""
NO_MOVE = "MV:--"
UNSEEN_MOVE = "MV:?"


def letter(action: Action) -> str:
    """Return the letter of an action's kind (WEC-RUL-52); empty for End Turn."""
    return _LETTERS.get(type(action), "")


def named(field: Field, piece: Piece) -> str:
    """Return a piece as described, with #2 where one before it on the same place has the same description."""
    text = piece_text(piece)
    if len(field.at[piece.place]) < 2:
        return text
    twins = [o.id for o in field.on(piece.place) if o.seat == piece.seat and piece_text(o) == text]
    return text if twins.index(piece.id) == 0 else f"{text}#{twins.index(piece.id) + 1}"


def action_text(field: Field, reserves: Iterable[Reserve], action: Action, fires: int) -> str:
    """Return an action in notation as its own side has it, in the position before it. `fires` were made in this Turn.

    Raises KeyError when the field does not hold its pieces.
    """
    match action:
        case Move() | Doze():
            return _move_text(field, action)
        case Fire() | Home() | Strike() | Travel():
            return _fire_text(field, action, fires)
        case PickUp() | Drop():
            piece = field.pieces[action.piece]
            sign, code = ("^", "PU") if isinstance(action, PickUp) else ("v", "DR")
            return f"{code}:{named(field, piece)}{sign}{ARTICLE_CODES[action.article]}"
        case Exchange():
            piece, other = field.pieces[action.piece], field.pieces[action.other]
            back = "->" if action.back is None else f"<=>{ARTICLE_CODES[action.back]}<-"
            return f"EX:{named(field, piece)}->{ARTICLE_CODES[action.article]}{back}{named(field, other)}"
        case Reinforce():
            reserve = next(reserve for reserve in reserves if reserve.id == action.piece)
            assert reserve.kind is not None
            return f"RE:{name_of(reserve.square)}{NATURES[reserve.kind].code}{HAND_SIGNS[reserve.hand]}"
    return END


def move_text(name: str, place: int) -> str:
    """Return a Move without a passenger that everybody sees of a piece of this name."""
    return f"MV:{name}->{place_text(place)}"


def fire_text(name: str, code: str, aim: str, fires: int) -> str:
    """Return a Fire of a piece of this name, after so many in the Turn."""
    return f"FI{fires + 1}:{code}/{name}{aim}"


def fire_aim(square: int, direction: int) -> str:
    """Return how a Fire in a direction is aimed."""
    return f"->{name_of(NEXT[square][direction])}"


def travel_aim(square: int, route: Route) -> str:
    """Return how a transit is aimed."""
    return f"->{name_of(square)}{ROUTE_SIGNS[route]}"


def _move_text(field: Field, action: Move | Doze) -> str:
    piece = field.pieces[action.piece]
    if isinstance(action, Move):
        text = f"MV:{named(field, piece)}->{place_text(action.place)}"
        other = field.companion(piece)
        if action.carry and other is not None:
            text += f"-TRA->{named(field, other)}{place_text(action.place)}"
        return text
    target = name_of(NEXT[piece.square][action.direction])
    group = [other for square in action.squares for other in field.on(square)]
    companion = [other for other in field.on(piece.place) if other.id != piece.id]
    parts = [f"{NATURES[o.kind].code}{name_of(o.square)}" for o in (*companion, *sorted(group))]
    return f"MV:{named(field, piece)}->{target},DO>{target}{','.join(parts)}"


def _fire_text(field: Field, action: Fire | Home | Strike | Travel, fires: int) -> str:
    piece = field.pieces[action.piece]
    match action:
        case Fire():
            code, aim = ARTICLE_CODES[action.weapon], fire_aim(piece.square, action.direction)
        case Home():
            code, aim = ARTICLE_CODES[action.weapon], f"=>{named(field, field.pieces[action.target])}"
        case Strike():
            code, aim = ARTICLE_CODES[Article.ROCKET], f"=>{named(field, field.on(action.square)[0])}"
        case Travel():
            code = ARTICLE_CODES[action.transport]
            aim = travel_aim(action.square, action.route)
    return fire_text(named(field, piece), code, aim, fires)


def write(view: View, action: Action) -> str:
    """Return an action of the view's eye in notation; of others' actions `?`, for what it reads of them only the step tells.

    `rules.read_by` returns that.
    """
    action = turned(action)
    if isinstance(action, EndTurn):
        return END
    if view.eye != view.active:
        return UNKNOWN
    return write_on(view.field if "field" in view.__dict__ else Field(_about(view, action)), view, action)


def _about(view: View, action: Action) -> list[Piece]:
    """Return the pieces on all places that the notation of an action looks at: those of what acts and of what it is about."""
    ids = {getattr(action, name, 0) for name in ("piece", "other", "target")}
    places = {piece.place for piece in view.pieces if piece.id in ids}
    if isinstance(action, Doze):
        places.update(action.squares)
    elif isinstance(action, Strike):
        places.add(action.square)
    return [piece for piece in view.pieces if piece.place in places]


def write_on(field: Field, view: View, action: Action) -> str:
    """Return the same, given the field of the view's pieces: whoever writes many actions of one view makes it once."""
    try:
        return action_text(field, view.reserves, action, view.turn.fires)
    except (KeyError, IndexError, StopIteration):
        return UNKNOWN


def compose(texts: Sequence[tuple[str, str]], results: Iterable[str], unmoved: str = NO_MOVE) -> str:
    """Return a Turn's string of its items, as letter and text in the order of play, and of its results.

    `unmoved` stands for the Move where the items have none.
    """
    moves = [text for kind, text in texts if kind == "M"] or [unmoved]
    others = sorted((item for item in texts if item[0] != "M"), key=lambda item: ORDER.index(item[0]))
    written = ",".join(results)
    parts = moves + [text for _, text in others] + ([f"RS:{written}"] if written else [])
    played = "".join(kind for kind, _ in texts)
    if played != "".join(sorted(played, key=ORDER.index)):
        parts.append(f"OR:{played}")
    return ",".join(parts)


def line(turn: Turn, seat: int, options: Options) -> Line:
    """Return the string of a seat's Turn, in full and for each eye; where these are the same, it is kept once."""
    full = compose([(item.letter, item.text) for item in turn.items], [result.full for result in turn.results])
    texts = [full if (text := _for_eye(turn, eye, seat, options)) == full else text for eye in EYES]
    return Line(full, (texts[0], texts[1], texts[2]))


def _for_eye(turn: Turn, eye: int, seat: int, options: Options) -> str:
    """Return a string as an eye may read it; where pieces can be hidden, others are not told that there was no Move at all."""
    shown = [(item.letter, text) for item in turn.items if (text := item_for(item, eye, seat))]
    hides = options.stealth_invisible or options.submerged_invisible
    unmoved = UNSEEN_MOVE if eye != seat and hides else NO_MOVE
    return compose(shown, [result.texts[eye] for result in turn.results if result.texts[eye]], unmoved)


def item_for(item: Item, eye: int, seat: int) -> str:
    """Return what an eye reads of an item of a seat's Turn."""
    if eye == seat:
        return item.text
    return item.other if eye == 1 - seat else item.public
