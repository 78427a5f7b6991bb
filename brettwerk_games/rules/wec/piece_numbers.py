"""The numbers by which an eye names pieces, and positions and actions told in them (WEC-RUL-54).

The rules name pieces by ids, which on an edited board follow their places, and so would tell how many unseen ones stand before
one that is seen; and of several like pieces they would tell which one comes into sight. So an eye has numbers of its own:
`Position.called` has those that are not ids, and sightings.py says how they are given. A seat's own pieces are named by their
ids.

Games that began by the second revision of the rules go on with its names: there an eye keeps the number of what it has once seen
(`Position.names`), and on the standard board, as in games from before there were names, numbers are ids.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from brettwerk_games.rules.wec.actions import Action
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Piece
from brettwerk_games.rules.wec.position import EYES, SPECTATOR, Called, Hit, Memory, Position, View
from brettwerk_games.rules.wec.visibility import elusive, sees

Names: TypeAlias = tuple[tuple[int, ...], ...]
"""The ids that Black knows of White's, White of Black's, and spectators of Black's and of White's, by their numbers."""
_NAMED = ("piece", "other", "target")
"""The fields of actions that name pieces."""


def first_called(position: Position) -> tuple[Called, Called, Called]:
    """Return what eyes call the pieces of an edited board that they see: numbers from 1 on for each side, by place."""
    found = []
    for eye in EYES:
        counts, numbers = [0, WHITE_IDS], []
        for piece in sorted(in_sight(position, eye), key=lambda piece: (piece.place, piece.kind, piece.id)):
            if piece.seat != eye:
                counts[piece.seat] += 1
                numbers.append((piece.id, counts[piece.seat]))
        found.append(tuple(sorted((known, number) for known, number in numbers if known != number)))
    return found[0], found[1], found[2]


def in_sight(position: Position, eye: int) -> Iterator[Piece]:
    """Yield the pieces that an eye sees."""
    for piece in position.pieces:
        if sees(eye, piece, position.unseen, position.options):
            yield piece


def first_names(position: Position) -> Names:
    """Return the names that the pieces of a first position have which are seen."""
    return extended(((), (), (), ()), position)


def extended(names: Names, position: Position) -> Names:
    """Return names with those added that eyes have come to know: whom they see now, and whom they know to be gone."""
    if not names:
        return names
    # Those that come into sight at once do so in an order that everybody sees.
    seen: tuple[list[int], ...] = ([], [], [], [])
    unseen = position.unseen
    for piece in sorted(position.pieces, key=lambda piece: (piece.place, piece.kind, piece.id)):
        born = int(piece.id > WHITE_IDS)
        if piece.seat == 1 - born or piece.id not in unseen:
            seen[1 - born].append(piece.id)
        if not elusive(piece, position.options):
            seen[SPECTATOR + born].append(piece.id)
    for eye, memory in enumerate(position.memory):
        seen[eye].extend(number for number in memory.gone if int(number > WHITE_IDS) != eye)
    added = [[number for number in found if number not in known] for found, known in zip(seen, map(set, names), strict=True)]
    if not any(added):
        return names
    return tuple((*known, *new) for known, new in zip(names, added, strict=True))


def _numbers(names: Names, eye: int) -> dict[int, int]:
    """Return the numbers that an eye has for ids which it does not call by themselves."""
    columns = ((1 - eye, names[eye]),) if eye != SPECTATOR else ((0, names[2]), (1, names[3]))
    return {number: WHITE_IDS * born + rank for born, ids in columns for rank, number in enumerate(ids, 1)}


def numbers(position: Position, eye: int) -> dict[int, int]:
    """Return by id the numbers that an eye has for pieces; what is not in it is called by its id."""
    found = position.numbers.get(eye)
    if found is None:
        found = position.numbers[eye] = _numbers(position.names, eye) if position.names else dict(position.called[eye])
    return found


def meant(position: Position, seat: int, action: Action) -> Action:
    """Return a seat's action with the ids of the pieces that it names."""
    if not position.names and not position.called[seat]:
        return action
    ids = {number: known for known, number in numbers(position, seat).items()}
    found: dict[str, Any] = {name: ids[number] for name in _NAMED if (number := getattr(action, name, 0)) in ids}
    return replace(action, **found) if found else action


def ids_of(position: Position, seat: int, believed: tuple[int, ...]) -> tuple[int, ...]:
    """Return how a position holds what a seat believes of pieces with these numbers: by ids, up to the second revision."""
    if not position.names:
        return believed
    ids = {number: known for known, number in numbers(position, seat).items()}
    return tuple(ids.get(number, number) for number in believed)


def renamed(view: View, position: Position) -> View:
    """Return a view that was made with ids with the numbers that its eye has for them."""
    to = numbers(position, view.eye)
    turn, memory = view.turn, view.memory

    def all_of(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([to.get(number, number) for number in numbers])

    view = view._replace(
        pieces=tuple(sorted([_piece(piece, to) for piece in view.pieces], key=lambda piece: piece.id)),
        turn=turn._replace(
            mover=to.get(turn.mover, turn.mover),
            acted=all_of(turn.acted),
            spent=all_of(turn.spent),
            arrived=all_of(turn.arrived),
            exposed=all_of(turn.exposed),
        ),
    )
    if not position.names:
        return view
    return view._replace(
        projectiles=tuple([flying._replace(target=to.get(flying.target, flying.target)) for flying in view.projectiles]),
        turn=view.turn._replace(
            hits=tuple(sorted(Hit(to.get(hit.piece, hit.piece), hit.weapon, hit.times) for hit in turn.hits)),
        ),
        memory=Memory(
            tuple(sorted(mark._replace(piece=to.get(mark.piece, mark.piece)) for mark in memory.marks)),
            tuple(sorted(all_of(memory.gone))),
        ),
    )


def _piece(piece: Piece, to: dict[int, int]) -> Piece:
    changed: dict[str, Any] = {}
    if piece.id in to:
        changed["id"] = to[piece.id]
    if piece.lock in to:
        changed["lock"] = to[piece.lock]
    if any(article.lock in to for article in piece.articles):
        changed["articles"] = tuple(a._replace(lock=to[a.lock]) if a.lock in to else a for a in piece.articles)
    return piece._replace(**changed) if changed else piece
