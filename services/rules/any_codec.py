"""Converts the values of a game to and from `Any`, and its refusals to those of the platform.

A packed position is remembered by its bytes: the next action on it, which mostly comes to the same process, need not decode it
again. A process answers for thousands of sessions, each of which comes back with the position of its latest answer; all games
share one memory. The position that an action was made on is forgotten: what came of it takes its place, and so there is room for
as many sessions as for positions. A remembered value was checked when it was made or decoded, and is bounded.
"""

import asyncio
from collections.abc import Callable, Hashable
from functools import cache, lru_cache, partial
from typing import Any, Generic, TypeAlias, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import errors_pb2
from brettwerk_games.packages.trial import trial
from brettwerk_games.protobuf_wire.fields import block, tag
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Codec, Kind, completed
from brettwerk_games.rules.refusals import Ambiguous, GameOver, GameRefusal, Malformed, NotYourTurn
from services.runtime.bounded_cache import BoundedCache
from services.runtime.memory import bounded, give_back
from services.runtime.refusal import Refused, left_out, listed, malformed, newer, unknown

PREFIX = "type.googleapis.com/"
"""The text before a message's name in a type URL."""

MAX_SMALL_BYTES = 16 * 1024
"""Maximum bytes of options or an action: many times what any game needs, because unknown fields are kept."""
KNOWN_ACTION_BYTES = 256
"""Actions up to this size are remembered by their bytes: most recur all the time."""
_TYPE_URL = tag(AnyMessage, "type_url")
_SMALL = (Kind.OPTIONS, Kind.ACTION)
GROUPS_BYTES = 16 * 1024 * 1024
"""The memory of each game's encoded groups of actions."""
GROUP_BYTES = 500
"""The cost of a group in addition to its bytes: its key, and its place."""
WEIGHT = 12
"""How many bytes a position takes as Python objects for each byte of its encoding (measured: 10 to 15 in larger games)."""
ENTRY_BYTES = 2048
"""The cost of a remembered position besides: its bytes, its place in the memory, and objects that encode as nothing."""
POSITIONS_BYTES = 64 * 1024 * 1024
"""The memory of a process, counted in this way: 16,000 positions of EMPERADO or 1,100 of Weaponized Chess."""
POSITIONS_SHARE = 8
"""In a container it remembers no more than this part of its memory."""
IDLE_S = 120.0
"""A position is forgotten when nobody has asked for it for so long, or at most twice as long."""

Positions: TypeAlias = BoundedCache[tuple[object, bytes], Any]
"""Positions by the codec that made them and their bytes."""
POSITIONS: Positions = BoundedCache(bounded(POSITIONS_BYTES, POSITIONS_SHARE))
"""The memory of this process, for all games."""
_Value = TypeVar("_Value")
_REASONS = (
    (Malformed, errors_pb2.REASON_MALFORMED),
    (Ambiguous, errors_pb2.REASON_AMBIGUOUS),
    (NotYourTurn, errors_pb2.REASON_NOT_YOUR_TURN),
    (GameOver, errors_pb2.REASON_GAME_OVER),
    (GameRefusal, errors_pb2.REASON_ILLEGAL),
)


def refused(error: GameRefusal, where: str = "") -> Refused:
    """Return the refusal. `where` is the field of the request that the game looked at; a malformed one's path begins with it."""
    reason = next(reason for kind, reason in _REASONS if isinstance(error, kind))
    field = error.field
    if reason == errors_pb2.REASON_MALFORMED:
        field = ".".join(part for part in (where, error.field) if part)
    return Refused(reason, error.message, rule=error.rule, details=error.details, field=field)


async def forget_idle_positions() -> None:
    """Forget idle positions again and again, and give their memory back to the system, until cancelled."""
    while True:
        await asyncio.sleep(IDLE_S)
        POSITIONS.forget_idle()
        give_back()


class Recent(Generic[_Value]):
    """Values that were used recently, by their keys, in bounded space.

    There are two halves. An entry that is used moves to the newer one, and when that is full, the older one is forgotten and they
    swap: finding something costs one dictionary lookup, without a list of what was used when.
    """

    def __init__(self, max_bytes: int, size: Callable[[_Value], int]) -> None:
        """Start empty, and never remember more than `max_bytes`; `size` returns what a value takes, including its key."""
        self._half_bytes = max_bytes // 2
        self._size = size
        self._bytes = 0
        self._older: dict[Hashable, _Value] = {}
        self.newer: dict[Hashable, _Value] = {}
        """The newer half, for looking up many at once. An entry that is not in it may still be found."""

    def find(self, key: Hashable) -> _Value | None:
        """Return the value of a key, or None if it is not remembered."""
        found = self.newer.get(key)
        if found is None and (found := self._older.get(key)) is not None:
            self.keep(key, found)
        return found

    def keep(self, key: Hashable, value: _Value) -> None:
        """Remember the value of a key that is not in the newer half."""
        size = self._size(value)
        if size > self._half_bytes:
            return
        self._bytes += size
        if self._bytes > self._half_bytes:
            self._older, self.newer, self._bytes = self.newer, {}, size
        self.newer[key] = value

    def __len__(self) -> int:
        """Return how many values are remembered."""
        return len(self.newer.keys() | self._older.keys())


class AnyCodec:
    """Converts the values of one game."""

    def __init__(self, game: AnyGame, positions: Positions | None = None) -> None:
        """Take the game, and where its positions are remembered: in a memory of its own unless one is given."""
        self.game = game
        self.codec: Codec = completed(Codec, game.codec)
        self.positions: Positions = BoundedCache(POSITIONS_BYTES) if positions is None else positions
        self._names: dict[Kind, str] = {kind: self.codec.type_name(kind) for kind in Kind}
        self._urls: dict[Kind, str] = {kind: PREFIX + name for kind, name in self._names.items()}
        self._heads = {kind: block(_TYPE_URL, url.encode()) for kind, url in self._urls.items()}
        self._encode = self.codec.encode
        self.groups: Recent[bytes] = Recent(GROUPS_BYTES, _group_size)
        """Encoded choices of the groups of actions that are listed, by their keys."""
        self._action_bytes = lru_cache(maxsize=8192)(partial(self._encode, Kind.ACTION))
        self._known_action = lru_cache(maxsize=8192)(partial(self.codec.decode, Kind.ACTION))

    def url(self, kind: Kind) -> str:
        """Return the type URL of a kind."""
        return self._urls[kind]

    def head(self, kind: Kind) -> bytes:
        """Return what precedes the value in an encoded Any."""
        return self._heads[kind]

    def put(self, kind: Kind, value: Any, into: AnyMessage) -> None:
        """Set an Any to a value. Filling a message in place is a third of the work of building its parts and copying them."""
        into.type_url = self._urls[kind]
        if kind is Kind.ACTION:
            into.value = self._action_bytes(value)
            return
        data = into.value = self._encode(kind, value)
        if kind is Kind.POSITION:
            self.positions.put((self, data), value, ENTRY_BYTES + WEIGHT * len(data))

    def pack(self, kind: Kind, value: Any) -> AnyMessage:
        """Return a value as Any."""
        message = AnyMessage()
        self.put(kind, value, message)
        return message

    def canonical(self, kind: Kind, message: AnyMessage, value: Any) -> AnyMessage | None:
        """Return the canonical form of a value that was given as `message`; None if it already has that form.

        Others are free to choose what precedes the last slash, the order of fields, and whether defaults are written.
        """
        data = self._action_bytes(value) if kind is Kind.ACTION else self._encode(kind, value)
        if message.value == data and message.type_url == self._urls[kind]:
            return None
        return AnyMessage(type_url=self._urls[kind], value=data)

    def unpack(self, kind: Kind, message: AnyMessage, where: str) -> Any:
        """Return the value of an Any.

        Raises Refused (MALFORMED): a missing value, another type (both are named), bytes that are not of a value, or far too
        many. The path of the field begins with `where`.
        """
        if message.type_url != self._urls[kind]:
            self._check_type(kind, message, where)
        data = message.value
        if kind in _SMALL and len(data) > MAX_SMALL_BYTES:
            raise malformed(f"{where}.value", f"{where} has {len(data)} bytes, at most {MAX_SMALL_BYTES} are allowed")
        if kind is Kind.POSITION and (known := self.positions.find((self, data))) is not None:
            return known
        return self._decode(kind, data, where)

    def unpack_stored(self, message: AnyMessage, where: str) -> Any:
        """Return the position of a session.

        Raises Refused: what `unpack` raises, and UNAVAILABLE (newer) for a position with fields that are not known here. To go
        on without them would be to play another game than the release that made it.
        """
        if message.type_url != self._urls[Kind.POSITION]:
            self._check_type(Kind.POSITION, message, where)
        data = message.value
        if (known := self.positions.find((self, data))) is not None:
            return known
        if not self.codec.knows_all(Kind.POSITION, data):
            raise newer("position")
        return self._decode(Kind.POSITION, data, where)

    def forget(self, message: AnyMessage) -> None:
        """Forget a position that an action was made on: rarely does anybody come back to it."""
        self.positions.forget((self, message.value))

    def counting(self, position: Any, held: bool) -> Any:
        """Return the position in which a step is made. Raises Refused (MALFORMED) where the game does not know held seeds."""
        if not held:
            return position
        if not self.game.facts.holds_seeds:
            raise malformed("held", "this game has a seed for every step")
        return self.game.hold(position)

    def require_held(self, rules_version: str, held: bool) -> None:
        """Return unless a session of these rules was given a seed that is not held, as a release does that knows no others.

        Raises Refused (UNAVAILABLE, newer), so that a process of this release is asked to go on with the session.
        """
        facts = self.game.facts
        if facts.holds_seeds and not held and rules_version == facts.rules_version:
            raise newer("way of holding seeds")

    def _decode(self, kind: Kind, data: bytes, where: str) -> Any:
        try:
            if kind is Kind.ACTION and len(data) <= KNOWN_ACTION_BYTES:
                return self._known_action(data)
            return self.codec.decode(kind, data)
        except GameRefusal as error:
            raise refused(error, where) from None

    def _check_type(self, kind: Kind, message: AnyMessage, where: str) -> None:
        """Allow any prefix, as the definition of Any does."""
        wanted, given = self._names[kind], message.type_url.rpartition("/")[2]
        if not message.type_url:
            raise malformed(where, f"{where} is missing; it must be a {wanted}")
        if given != wanted:
            raise malformed(where, f"{where} must be a {wanted}, not a {given[:100]}")


def _group_size(data: bytes) -> int:
    return len(data) + GROUP_BYTES


@cache
def _any_codec(game_id: str) -> AnyCodec:
    return AnyCodec(registry.games()[game_id], POSITIONS)


def any_codec(game_id: str) -> AnyCodec:
    """Return the codec of a game. Raises Refused: UNKNOWN if there is no such game, UNAVAILABLE if it is left out."""
    if game_id not in registry.games():
        raise left_out(game_id) if game_id in trial().left_out else unknown("game", "game", game_id, registry.games())
    return _any_codec(game_id)


def any_codec_of_session(game_id: str, rules_version: str = "") -> AnyCodec:
    """Return the codec of a game that is being played, by a revision of its rules or, where none is named, by any.

    Raises Refused (UNAVAILABLE, newer) if only another release knows the game or the revision, or it is left out here.
    """
    if game_id not in registry.games():
        raise left_out(game_id) if game_id in trial().left_out else newer("game")
    found = _any_codec(game_id)
    if rules_version and not found.game.facts.plays(rules_version):
        raise newer(f"rules_version {rules_version}", listed(found.game.facts.revisions))
    return found
