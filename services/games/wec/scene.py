"""The board and the actions in words, for clients and screen readers that know no game."""

from collections.abc import Iterable, Iterator

from services.games.interface import Choice, Place, Scene, Text, Thing
from services.games.wec.actions import Action, Doze, Drop, EndTurn, Exchange, Fire, Home, Move, PickUp, Reinforce, Strike, Travel
from services.games.wec.board import GROUND, LEVELS, NEXT, SIZE, SQUARES, row_column
from services.games.wec.counting import turns_stunned
from services.games.wec.describing import LEVEL_SIGNS, place_text
from services.games.wec.field import Field
from services.games.wec.kinds import ARTICLE_CODES, FLIGHT_LEVEL, NATURES, Article
from services.games.wec.pieces import Carried, Piece
from services.games.wec.position import End, View
from services.games.wec.rules import END_RULE
from services.games.wec.writing import write_on

GAP = 1
"""Empty columns between the three boards of the scene: Ground, Air, Sub from left to right."""
_LEVEL_KEYS = ("ground", "air", "sub")


def choice(view: View, action: Action) -> Choice:
    """Return an action as the places that name it and a label with its notation."""
    return next(choices(view, (action,)))[0]


def choices(view: View, actions: Iterable[Action]) -> Iterator[tuple[Choice, str]]:
    """Yield for each action what `choice` returns, and its notation."""
    field = view.field
    for action in actions:
        notation = write_on(field, view, action)
        key, places = _named(field, view, action)
        names = tuple(dict.fromkeys(place_text(place) for place in places))
        yield Choice(names, Text(f"choice.{key}", {"notation": notation})), notation


def _named(field: Field, view: View, action: Action) -> tuple[str, list[int]]:
    match action:
        case EndTurn():
            return "end", []
        case Reinforce():
            return "reinforce", [reserve.square for reserve in view.reserves if reserve.id == action.piece]
    piece = field.pieces.get(action.piece)
    if piece is None:
        return "other", []
    at = piece.place
    match action:
        case Move():
            return ("carry" if action.carry else "move"), [at, action.place]
        case Doze():
            return "doze", [at, *action.squares, NEXT[piece.square][action.direction]]
        case Fire():
            return f"fire.{action.weapon.name.lower()}", [at, NEXT[piece.square][action.direction]]
        case Home():
            return f"home.{action.weapon.name.lower()}", [at, field.pieces[action.target].place]
        case Strike():
            return "strike", [at, action.square]
        case Travel():
            return f"travel.{action.transport.name.lower()}", [at, action.square]
        case PickUp():
            return "pick_up", [at]
        case Drop():
            return "drop", [at]
        case Exchange():
            return "exchange", [at, field.pieces[action.other].place]


def scene(view: View) -> Scene:
    """Return the three levels side by side, what stands and lies on them, and the facts beside the board."""
    field = view.field
    places = []
    for level in LEVELS:
        for square in range(SQUARES):
            row, column = row_column(square)
            things = [_piece_thing(view, piece) for piece in field.on(level * SQUARES + square)]
            if level == GROUND:
                things += [_article_thing(article) for article in view.ground[square]]
            here = [p for p in view.projectiles if FLIGHT_LEVEL[p.weapon] == level and p.square == square]
            things += [_projectile_thing(projectile.weapon, projectile.seat) for projectile in here]
            label = Text(f"place.{_LEVEL_KEYS[level]}", {"row": str(row), "column": str(column), "count": str(len(things))})
            name = place_text(level * SQUARES + square)
            places.append(Place(name, SIZE - row, level * (SIZE + GAP) + column - 1, label, tuple(things[:16])))
    return Scene(SIZE, 3 * SIZE + 2 * GAP, tuple(places), _facts(view))


def _piece_thing(view: View, piece: Piece) -> Thing:
    codes = " ".join(ARTICLE_CODES[article.kind] for article in piece.articles) or "-"
    stun = str(turns_stunned(view.ply, piece.stunned, piece.seat))
    args = {"level": LEVEL_SIGNS[piece.level], "articles": codes, "stun": stun}
    return Thing(NATURES[piece.kind].code, Text(f"piece.{piece.kind.name.lower()}.{piece.seat}", args), piece.seat)


def _article_thing(article: Carried) -> Thing:
    return Thing(ARTICLE_CODES[article.kind], Text(f"article.{article.kind.name.lower()}"))


def _projectile_thing(weapon: Article, seat: int) -> Thing:
    return Thing(f"*{ARTICLE_CODES[weapon][0]}", Text(f"projectile.{weapon.name.lower()}"), seat)


def _facts(view: View) -> tuple[tuple[Text, Text], ...]:
    ply = (Text("fact.ply"), Text("fact.number", {"number": str(view.ply)}))
    if view.end != End.ON:
        name = view.end.name.lower()
        key = f"reason.{name}" if view.winner is None else f"reason.{name}.{view.winner}"
        return ((Text("fact.result"), Text(key)), (Text("fact.rule"), Text("fact.number", {"number": END_RULE[view.end]})), ply)
    found = [(Text("fact.turn"), Text(f"seat.{view.active}.name")), ply]
    if view.eye == view.active:
        found.append((Text("fact.move"), Text("fact.done" if view.turn.mover else "fact.open")))
        found.append((Text("fact.fires"), Text("fact.number", {"number": str(view.turn.fires)})))
    return tuple(found)
