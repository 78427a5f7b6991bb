"""The board and the actions in words, for clients and screen readers that know no game."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from brettwerk_games.rules.interface import Choice, Effect, Place, Scene, Text, Thing
from brettwerk_games.rules.scenes import number_text
from brettwerk_games.rules.wec import forecast
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
    Strike,
    Travel,
)
from brettwerk_games.rules.wec.board import GROUND, LEVELS, NEXT, SIZE, SQUARES, row_column
from brettwerk_games.rules.wec.countdowns import turns_stunned
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, FLIGHT_LEVEL, NATURES, TRANSPORTS, WEAPONS, Article
from brettwerk_games.rules.wec.notation_signs import LEVEL_SIGNS, place_text
from brettwerk_games.rules.wec.notation_writer import fire_aim, fire_text, move_text, named, travel_aim, write_on
from brettwerk_games.rules.wec.pieces import Carried, Piece
from brettwerk_games.rules.wec.position import End, View
from brettwerk_games.rules.wec.rules import END_RULE, TURNS

GAP = 1
"""Empty columns between the three boards of the scene: Ground, Air, Sub from left to right."""
_LEVEL_KEYS = ("ground", "air", "sub")


def choice(view: View, action: Action) -> Choice:
    """Return an action as the places that name it and a label with its notation."""
    return next(choices(view, (action,)))[0]


def choices(view: View, actions: Iterable[Action]) -> Iterator[tuple[Choice, str]]:
    """Yield for each action what `choice` returns, and its notation."""
    for key, places, notation, effects in listed_actions(view, actions):
        yield Choice(places, Text(key, {"notation": notation}), effects), notation


Listed: TypeAlias = tuple[str, tuple[str, ...], str, tuple[Effect, ...]]


def listed_actions(view: View, actions: Iterable[Action]) -> Iterator[Listed]:
    """Yield for each action the key of its label, the places that name it, its notation (the label has it, too) and its effects.

    Moves, and Fires in directions and of transports, of which there are many of one piece after another, take a shorter way.
    """
    field, fires = view.field, view.turn.fires
    number, name, at, square = 0, "", "", 0
    ways: dict[Article, forecast.Obstacles] = {}
    for action in actions:
        if isinstance(action, (Move, Fire, Travel)) and action.piece in field.pieces:
            if action.piece != number:
                piece = field.pieces[action.piece]
                number, square = piece.id, piece.square
                name, at = named(field, piece), place_text(piece.place)
                ways.clear()
            if isinstance(action, Fire):
                notation = fire_text(name, ARTICLE_CODES[action.weapon], fire_aim(square, action.direction), fires)
                yield _FIRE[action.weapon], (at, place_text(NEXT[square][action.direction])), notation, ()
                continue
            if isinstance(action, Travel):
                aim = travel_aim(action.square, action.route)
                places = (at,) if at == place_text(action.square) else (at, place_text(action.square))
                if action.transport not in ways:
                    ways[action.transport] = forecast.obstacles(field, piece, action.transport)
                effects = forecast.travel_effects(piece, action, ways[action.transport])
                yield _TRAVEL[action.transport], places, fire_text(name, ARTICLE_CODES[action.transport], aim, fires), effects
                continue
            if not action.carry:
                effects = forecast.move_effects(field, piece, action.place)
                yield "choice.move", (at, place_text(action.place)), move_text(name, action.place), effects
                continue
        key, named_places = _named(field, view, action)
        touched = tuple(dict.fromkeys(map(place_text, named_places)))
        yield f"choice.{key}", touched, write_on(field, view, action), forecast.effects(field, action)


_FIRE = {weapon: f"choice.fire.{weapon.name.lower()}" for weapon in WEAPONS}
_TRAVEL = {transport: f"choice.travel.{transport.name.lower()}" for transport in TRANSPORTS}


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
        case Home():
            return f"home.{action.weapon.name.lower()}", [at, field.pieces[action.target].place]
        case Strike():
            return "strike", [at, action.square]
        case PickUp():
            return "pick_up", [at]
        case Drop():
            return "drop", [at]
        case Exchange():
            return "exchange", [at, field.pieces[action.other].place]
        case Fire():
            return f"fire.{action.weapon.name.lower()}", [at, NEXT[piece.square][action.direction]]
        case Travel():
            return f"travel.{action.transport.name.lower()}", [at, action.square]


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
    ply = (Text("fact.ply"), number_text(view.ply))
    first = TURNS.beside(view)
    if view.end != End.ON:
        return (first, (Text("fact.rule"), Text("fact.number", {"number": END_RULE[view.end]})), ply)
    found = [first, ply]
    if view.eye == view.active:
        found.append((Text("fact.move"), Text("fact.done" if view.turn.mover else "fact.open")))
        found.append((Text("fact.fires"), number_text(view.turn.fires)))
    return tuple(found)
