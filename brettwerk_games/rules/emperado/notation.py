"""The notation (EMP-NOTATION-1): `Peru +7`, `Peru -> Bolivien 5`, `Peru => Brasilien 4`, `Fertig`.

It is the move table's way to write (EMP-TABLE-3): `+` places, `->` attacks with so many throws (`max`: until it is decided),
`=>` moves. `Tausch RSK` turns in cards, `Einmarsch 5` moves armies into a captured country. Countries have their German names,
seats may read them in English too, and shortened as long as they are clear.
"""

import re
from collections.abc import Mapping
from functools import cache

from brettwerk_games.rules.emperado.actions import (
    MAX_THROWS,
    TO_THE_END,
    Action,
    Attack,
    CardSet,
    Done,
    Enter,
    Exchange,
    Move,
    Place,
)
from brettwerk_games.rules.emperado.attack import max_entering
from brettwerk_games.rules.emperado.play import require_legal
from brettwerk_games.rules.emperado.position import MAX_ARMIES, Position, View
from brettwerk_games.rules.emperado.world import World
from brettwerk_games.rules.notations import quoted, require_short
from brettwerk_games.rules.refusals import Ambiguous, Malformed

RULE = "EMP-NOTATION-1"
LENGTH = 80
"""Longest text that is read, in characters."""

_LETTERS = {CardSet.RIDERS: "RRR", CardSet.SOLDIERS: "SSS", CardSet.CANNONS: "KKK", CardSet.MIXED: "RSK"}
_SET_OF = {letters: found for found, letters in _LETTERS.items()}
_DONE = ("fertig", "done", "ende", "end")
_EXCHANGE = re.compile(r"(?:tausch|exchange) ?([a-z]{3})", re.ASCII)
_ENTER = re.compile(r"(?:einmarsch|enter) ?(?P<amount>\d{1,10}|max)?", re.ASCII)
_PLACE = re.compile(r"(?P<country>[^+]+)\+ ?(?P<amount>\d{1,10}|max)?", re.ASCII)
_LINK = re.compile(r"(?P<source>[^-=>]+)(?P<sign>=>|->|[-=>])(?P<target>[^-=>]+?)(?: (?P<amount>\d{1,10}|max))?", re.ASCII)
_SIGNS = str.maketrans({"→": "->", "⇒": "=>", "–": "-", "—": "-", "−": "-", "ä": "ae", "ö": "oe", "ü": "ue"})


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text.casefold().translate(_SIGNS)).strip()


@cache
def _names(world: World) -> Mapping[str, int]:
    """Return the numbers of all countries by their names, in every language that the map has."""
    return {
        _folded(name): number
        for number, country in enumerate(world.countries)
        for name in (country.id, *country.names.values(), country.notation)
    }


def write(view: View, action: Action) -> str:
    """Return the action in full notation; which set of cards is turned in is written for its owner only (EMP-CARD-8)."""
    countries = view.position.world.countries
    match action:
        case Exchange(set=chosen):
            return f"Tausch {_LETTERS[chosen]}" if view.seat == view.position.to_move else "Tausch"
        case Place(country=country, armies=armies):
            return f"{countries[country].notation} +{armies}"
        case Attack(source=source, target=target, throws=throws):
            return f"{countries[source].notation} -> {countries[target].notation} {throws or 'max'}"
        case Enter(armies=armies):
            return f"Einmarsch {armies}"
        case Move(source=source, target=target, armies=armies):
            return f"{countries[source].notation} => {countries[target].notation} {armies}"
        case Done():
            return "Fertig"


def parse(view: View, text: str) -> Action:
    """Return the action that a text names, which need not be legal.

    Case, spaces and umlauts do not matter. One army or one throw is meant where no number stands, all of them by `max`. A
    plain `-` or `>` attacks or moves, whichever the target's owner makes of it, as a click does. Raises Malformed for what is
    no notation, Ambiguous for a name that is too short.
    """
    require_short(text, LENGTH, RULE)
    return _parsed(view.position, text, _folded(text))


def find(view: View, text: str, action: Action) -> Action:
    """Return the action. Raises Illegal with the rule where it is not allowed to the seat to act."""
    require_legal(view.position, action)
    return action


def _parsed(position: Position, text: str, plain: str) -> Action:
    if plain in _DONE:
        return Done()
    if found := _EXCHANGE.fullmatch(plain):
        letters = "".join(sorted(found[1].upper().replace("C", "K"), key="RSK".find))
        if letters in _SET_OF:
            return Exchange(_SET_OF[letters])
    elif found := _ENTER.fullmatch(plain):
        most = 1 if position.entry is None else max_entering(position, position.entry)
        return Enter(_amount(found["amount"], most, text))
    elif found := _PLACE.fullmatch(plain):
        return Place(_country(position.world, found["country"], text), _amount(found["amount"], max(1, position.to_place), text))
    elif found := _LINK.fullmatch(plain):
        return _link(position, found, text)
    raise _nonsense(text)


def _link(position: Position, found: re.Match[str], text: str) -> Action:
    source, target = (_country(position.world, found[end], text) for end in ("source", "target"))
    match found["sign"]:
        case "->":
            moves = False
        case "=>" | "=":
            moves = True
        case _:
            moves = position.owners[target] == position.to_move
    if moves:
        return Move(source, target, _amount(found["amount"], max(1, position.armies[source] - 1), text))
    if found["amount"] == "max":
        return Attack(source, target, TO_THE_END)
    throws = _amount(found["amount"], MAX_THROWS, text)
    if throws > MAX_THROWS:
        raise Malformed(f"an attack has at most {MAX_THROWS} throws", rule=RULE, details={"text": quoted(text)})
    return Attack(source, target, throws)


def _amount(given: str | None, most: int, text: str) -> int:
    if given == "max":
        return most
    amount = int(given or 1)
    if not 1 <= amount <= MAX_ARMIES:
        raise _nonsense(text)
    return amount


def _country(world: World, name: str, text: str) -> int:
    """Return the country of a name in either language, or of the beginning of one."""
    name, names = name.strip(), _names(world)
    if name in names:
        return names[name]
    found = sorted({number for known, number in names.items() if known.startswith(name)}) if name else []
    if not found:
        raise _nonsense(text)
    if len(found) > 1:
        listed = ", ".join(world.countries[number].notation for number in found[:8])
        raise Ambiguous(f"{name} may be {listed}", rule=RULE, details={"text": quoted(text), "countries": listed})
    return found[0]


def _nonsense(text: str) -> Malformed:
    return Malformed("this is no action", rule=RULE, details={"text": quoted(text)})
