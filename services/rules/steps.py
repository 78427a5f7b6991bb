"""A step of a game as a message: the position, and what the requested audiences may know of it.

That comes in pieces: encoded fields of sessions.proto, which the session service joins to updates unparsed. Everything here is
for audiences that were asked for. A part that is alike for several of them is encoded once and named once; the lists of actions
are made for seats that are to act and are told them. Joined, the pieces of an audience are what it may know and nothing else:
neither their number nor their sizes depend on what is hidden from it once they are joined.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import block, number, tag, varint
from brettwerk_games.rules.interface import AnyGame, Effect, Kind, Outcome, Step
from brettwerk_games.rules.optional import NO_VOTES, Group
from services.rules.any_codec import AnyCodec
from services.rules.scenes import text_of

if TYPE_CHECKING:
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

Choices: TypeAlias = "RepeatedCompositeFieldContainer[games_pb2.ActionChoice]"
Pieces: TypeAlias = "RepeatedCompositeFieldContainer[rules_pb2.Piece]"

ACTIONS = 256
"""How many actions are listed with a step; LegalActions has them all."""
EVENTS = 256
"""Events that are shown of a step. A view is a whole picture, so what a longer step did is never lost."""
SPECTATOR = 6
"""The audience that holds no seat."""
EVERYBODY = 127
"""All possible audiences."""

_SHARED_BYTES = 1024
"""From this size on, views that have parts in common are sent in parts; a smaller one is copied sooner than taken apart."""
_PARTS = 8
"""The maximum number of parts of a view."""
_KEPT_CHOICES = 16384
"""Encoded choices of all games that are kept; most games meet the same ones all the time. Each takes about a kilobyte."""

_KNOWN_EVENT_BYTES = 64
"""Encoded events up to this size are remembered: most recur all the time."""

_CUT = object()
"""Stands in the key of the beginning of a group, which no game has."""
_VIEW = tag(sessions_pb2.Update, "view")
_NOTATION = tag(sessions_pb2.Happening, "notation")
_EVENTS = tag(sessions_pb2.Happening, "events")
_ACTIONS_FIELD = sessions_pb2.Update.ACTIONS_FIELD_NUMBER
_ACTIONS = tag(sessions_pb2.Update, "actions")
_MORE_ACTIONS = number(tag(sessions_pb2.Update, "more_actions"), 1)
_VALUE = tag(AnyMessage, "value")


@dataclass(frozen=True, slots=True)
class Written:
    """An action in notation: in full, and where others read it otherwise, as they do; None are spectators."""

    full: str = ""
    seen: Mapping[int | None, str] = field(default_factory=dict)
    listed: Any = None
    """The action as it is listed, where it was given otherwise."""
    notation: str = ""
    """That in notation."""

    def read_by(self, seat: int | None) -> str:
        """Return the action as a seat or a spectator may know it."""
        return self.seen.get(seat, self.full)


UNWRITTEN = Written()
"""Where no seat acted."""


def written(any_codec: AnyCodec, position: Any, seat: int, action: Any, step: Step[Any, Any], audiences: int) -> Written:
    """Return what is written of an action that made a step from a position, for these audiences.

    In full means: as the seat that acts knows it.
    """
    game = any_codec.game
    full = game.write(game.view(position, seat), action)
    if not game.facts.hidden:
        if (listed := game.listed(action)) != action:
            return Written(full, listed=listed, notation=game.write(game.view(position, seat), listed))
        return Written(full)
    others = [other for other in seats_of(audiences, game.seats(position)) if other != seat]
    return Written(full, {other: _read(game, position, action, step, other) for other in others})


def _read(game: AnyGame, position: Any, action: Any, step: Step[Any, Any], seat: int | None) -> str:
    """Return what a seat that did not act reads of an action that made a step from a position."""
    text = game.read_by(step, seat)
    return game.write(game.view(position, seat), action) if text is None else text


def unaware(any_codec: AnyCodec, before: Any, step: Step[Any, Any]) -> int:
    """Return the audiences that perceive nothing of a step from a position, as bits; nobody where actions are never hidden."""
    game = any_codec.game
    return audiences_of(game.unaware(before, step)) if game.facts.hides_actions else 0


def can_have_conditional_moves(any_codec: AnyCodec, position: Any) -> bool:
    """Return whether seats can say in advance what they answer to what others play from a position on."""
    game = any_codec.game
    return game.facts.conditional_moves and game.is_open(position)


def fill_step(
    any_codec: AnyCodec,
    step: Step[Any, Any],
    message: rules_pb2.Step,
    notation: Written = UNWRITTEN,
    audiences: int = 0,
    *,
    unlisted: int = 0,
    has_position: bool = True,
    unaware: int = 0,
    canonical: AnyMessage | None = None,
) -> None:
    """Set an empty message to a step that the rules made, with pieces for the audiences; without lists for `unlisted` seats.

    `has_position`: whether it gets its position, which whoever is shown something needs. `unaware`: who perceives nothing of it.
    `canonical`: what was done, where it was given in another form.
    """
    game, position = any_codec.game, step.position
    to_act = game.to_act(position)
    if has_position:
        any_codec.put(Kind.POSITION, position, message.position)
    message.to_act.extend(to_act)
    message.reveals = step.reveals or step.final
    message.retractable = step.reveals and step.retractable and not step.final
    message.notation = notation.full
    if canonical is not None:
        message.canonical.CopyFrom(canonical)
    if notation.listed is not None:
        any_codec.put(Kind.ACTION, notation.listed, message.listed.action)
        message.listed.notation = notation.notation
    message.unaware = unaware
    message.can_hide = game.facts.hides_actions and game.can_hide(position)
    message.conditional_moves = can_have_conditional_moves(any_codec, position)
    if not to_act and (ended := game.outcome(position)) is not None:
        message.outcome.CopyFrom(outcome_message(ended))
    if to_act and (votes := game.draw_votes(position)) is not NO_VOTES:
        message.draw_votes.silent = sum(1 << seat for seat in votes.silent)
        message.draw_votes.agreeing = sum(1 << seat for seat in votes.agreeing)
        message.draw_votes.offering = sum(1 << seat for seat in votes.offering)
    fill_pieces(any_codec, step, message, [seat for seat in to_act if not unlisted >> seat & 1], audiences, notation.read_by)


def fill_choices(any_codec: AnyCodec, view: Any, actions: Sequence[Any], into: Choices) -> None:
    """Add actions of a view as a client can show them."""
    for action, (choice, notation) in zip(actions, any_codec.game.choices(view, actions), strict=True):
        message = into.add()
        any_codec.put(Kind.ACTION, action, message.action)
        message.notation = notation
        message.places.extend(choice.places)
        _put_text(choice.label.key, choice.label.args.items(), message.label)
        message.effects.extend(map(games_pb2.Effect.ValueType, choice.effects))


def _put_text(key: str, args: Iterable[tuple[str, str]], into: games_pb2.Text) -> None:
    """Set a message to a sentence, given as its key and what stands in for its {names}."""
    into.key = key
    for name, value in args:
        into.args[name] = value


def outcome_message(outcome: Outcome) -> games_pb2.Outcome:
    """Return an outcome."""
    return games_pb2.Outcome(
        winners=outcome.winners,
        places=outcome.places,
        scores=outcome.scores,
        sides=outcome.sides,
        reason=text_of(outcome.reason),
        rule=outcome.rule,
    )


@cache
def seats_of(audiences: int, seats: int) -> tuple[int | None, ...]:
    """Return the seats, and None for spectators, of the audiences that there are with that many seats."""
    found = tuple(seat for seat in range(seats) if audiences >> seat & 1)
    return (*found, None) if audiences >> SPECTATOR & 1 else found


_BITS: Mapping[int | None, int] = {None: 1 << SPECTATOR} | {seat: 1 << seat for seat in range(SPECTATOR)}


def audiences_of(seats: Iterable[int | None]) -> int:
    """Return the audiences of seats, and of spectators (None), as bits."""
    return sum(_BITS[seat] for seat in seats)


def fill_pieces(
    any_codec: AnyCodec,
    step: Step[Any, Any],
    message: rules_pb2.Step,
    listed: Sequence[int],
    audiences: int,
    written: Callable[[int | None], str],
) -> None:
    """Add what the audiences may know of a step to its message, which has the position.

    `listed`: the seats that are told what they may do. `written` returns how each audience reads what was done.
    """
    game, position = any_codec.game, step.position
    seats = seats_of(audiences, game.seats(position))
    if not seats:
        return
    bits = [_BITS[seat] for seat in seats]
    there = message.audiences = sum(bits)
    views = [game.view(position, seat) for seat in seats]
    _show_views(any_codec, views, bits, message)
    if game.facts.hidden:
        _add_shared(message.happening, zip(_happenings(any_codec, step.events, seats, written), bits, strict=True))
    else:
        everybody = _happenings(any_codec, step.events, seats[:1], written)
        _add_shared(message.happening, zip(everybody, (there,), strict=True))
    acting = [(view, bit) for seat, view, bit in zip(seats, views, bits, strict=True) if seat in listed]
    _add_shared(message.actions, [(_listed(any_codec, view), bit) for view, bit in acting])


def _show_views(any_codec: AnyCodec, views: Sequence[Any], bits: Sequence[int], message: rules_pb2.Step) -> None:
    """Add the views: their parts one by one where that saves sending much twice."""
    encoded = any_codec.codec.encode_views(views, message.position.value)
    url = any_codec.head(Kind.VIEW)
    heads = [_head(url, sum(map(len, parts))) for parts in encoded]
    if len(views) == 1 or max(map(len, encoded)) > _PARTS or len(heads[0]) + sum(map(len, encoded[0])) < _SHARED_BYTES:
        whole = [(head + b"".join(parts), bit) for head, parts, bit in zip(heads, encoded, bits, strict=True)]
        _add_shared(message.view, whole)
        return
    for column in zip_longest(*((head, *parts) for head, parts in zip(heads, encoded, strict=True)), fillvalue=b""):
        _add_shared(message.view, zip(column, bits, strict=True))


@lru_cache(maxsize=4096)
def _head(url: bytes, size: int) -> bytes:
    """Return what stands before a value of that many bytes in an update that shows it as its view."""
    within = url + _VALUE + varint(size) if size else url
    return _VIEW + varint(len(within) + size) + within


def _add_shared(pieces: Pieces, encoded: Iterable[tuple[bytes, int]]) -> None:
    """Add what audiences receive, equal bytes only once, and empty ones not at all."""
    said = [(data, bit) for data, bit in encoded if data]
    if len(said) > 1:
        shared: dict[bytes, int] = {}
        for data, bit in said:
            shared[data] = shared.get(data, 0) | bit
        said = list(shared.items())
    # A list that one seat is told need not be hashed, which for ten kilobytes takes as many microseconds.
    for data, audiences in said:
        piece = pieces.add()
        piece.audiences, piece.data = audiences, data


def _happenings(
    any_codec: AnyCodec, events: Sequence[Any], seats: Sequence[int | None], written: Callable[[int | None], str]
) -> list[bytes]:
    """Return what seats may know of what was done; an event that most see alike is encoded once."""
    parts_of = [[block(_NOTATION, text.encode())] if (text := written(seat)) else [] for seat in seats]
    url, before, encoded = any_codec.head(Kind.EVENT), None, b""
    for event in events[:EVENTS]:
        for seat, parts in zip(seats, parts_of, strict=True):
            shown = any_codec.game.show(event, seat)
            if shown is None:
                continue
            if shown is not before:  # games return the same object to all who see an event alike
                value = any_codec.codec.encode(Kind.EVENT, shown)
                before, encoded = shown, (_known_event if len(value) <= _KNOWN_EVENT_BYTES else _event)(url, value)
            parts.append(encoded)
    return list(map(b"".join, parts_of))


def _event(url: bytes, value: bytes) -> bytes:
    """Return one event of a happening."""
    return block(_EVENTS, url + block(_VALUE, value) if value else url)


_known_event = lru_cache(maxsize=4096)(_event)


def _listed(any_codec: AnyCodec, view: Any) -> bytes:
    """Return what a view's seat may do."""
    groups = any_codec.game.groups(view)
    if groups is not None:
        return _grouped(any_codec, view, groups)
    # One more than are listed says whether there are more.
    actions = any_codec.game.first_actions(view, ACTIONS + 1)
    listed = any_codec.codec.encode_choices(view, actions[:ACTIONS], _ACTIONS_FIELD)
    if listed is None:
        listed = _encoded(any_codec, view, actions[:ACTIONS], _known_choice)
    return listed + _MORE_ACTIONS if len(actions) > ACTIONS else listed


def _grouped(any_codec: AnyCodec, view: Any, groups: Iterable[Group]) -> bytes:
    """Return the same, of groups of actions; most of them were met before."""
    listed, is_cut = _first(groups, ACTIONS)
    known = map(any_codec.groups.newer.get, [group.key for group in listed])
    parts = [data or _group(any_codec, view, group) for data, group in zip(known, listed, strict=True)]
    if is_cut:
        parts.append(_MORE_ACTIONS)
    return b"".join(parts)


def _first(groups: Iterable[Group], limit: int) -> tuple[list[Group], bool]:
    """Return the groups of the first so many actions, the last perhaps cut, and whether there are more."""
    listed: list[Group] = []
    for group in groups:
        if group.size > limit:
            if limit:
                listed.append(Group((_CUT, limit, group.key), limit, partial(_start, group, limit)))
            return listed, True
        listed.append(group)
        limit -= group.size
    return listed, False


def _start(group: Group, limit: int) -> Sequence[Any]:
    return list(islice(group.actions(), limit))


def _group(any_codec: AnyCodec, view: Any, group: Group) -> bytes:
    found = any_codec.groups.find(group.key)
    if found is None:
        actions = list(group.actions())
        found = any_codec.codec.encode_choices(view, actions, _ACTIONS_FIELD)
        if found is None:
            found = _encoded(any_codec, view, actions, _choice)
        any_codec.groups.keep(group.key, found)
    return found


def _encoded(any_codec: AnyCodec, view: Any, listed: Sequence[Any], encode: Callable[..., bytes]) -> bytes:
    """Return actions of a view as they are listed."""
    parts = []
    for action, (choice, notation) in zip(listed, any_codec.game.choices(view, listed), strict=True):
        args = tuple(choice.label.args.items())
        described = notation, choice.places, choice.label.key, args, choice.effects
        parts.append(encode(any_codec, type(action).__name__, action, *described))
    return b"".join(parts)


def _choice(
    any_codec: AnyCodec,
    _type: str,
    action: Any,
    notation: str,
    places: tuple[str, ...],
    key: str,
    args: tuple[tuple[str, str], ...],
    effects: tuple[Effect, ...],
) -> bytes:
    """Return one listed action. Tuples of two types can be equal, so the type counts."""
    message = games_pb2.ActionChoice(notation=notation, places=places, effects=map(games_pb2.Effect.ValueType, effects))
    any_codec.put(Kind.ACTION, action, message.action)
    _put_text(key, args, message.label)
    return block(_ACTIONS, message.SerializeToString(deterministic=True))


_known_choice = lru_cache(maxsize=_KEPT_CHOICES)(_choice)
"""For lists that do not come in groups, which are kept whole."""
