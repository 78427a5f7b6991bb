"""A text read as a line of play. Any fault is refused with the number of its line and the cause."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import GameRefusal, Illegal
from services.rules.answers import begin
from services.rules.any_codec import AnyCodec, any_codec, refused
from services.rules.game_text import heading
from services.rules.game_text.heading import GAME, RULES, SETUP, START, Heading
from services.rules.game_text.writer import GOES_ON, notation_of
from services.rules.plies import played
from services.runtime.refusal import Refused, malformed

MAX_BYTES = 240_000
"""The longest text."""
MAX_LINES = 20_000
ROLLS = 300
"""Seeds that are tried for a step before the line after it is refused: that none of them rolls a six has the chance 10^-24."""
_NUMBER = re.compile(r"\d{1,6}\.\s*")
_SYSTEM_ACTION = re.compile(r"\{(resign|time|draw|options)(?: (.*))?\}")


@dataclass(frozen=True, slots=True)
class Read:
    """The content of a text: the game, how many play it, the line of play, and the position that it leads to."""

    game: AnyCodec
    seats: int
    loaded: record_pb2.Loaded
    position: Any


@contextmanager
def _in_line(number: int) -> Iterator[None]:
    """Let a refusal name the line."""
    try:
        yield
    except GameRefusal as error:
        raise _named(refused(error), number) from None
    except Refused as error:
        raise _named(error, number) from None


def _named(error: Refused, number: int) -> Refused:
    if not number or error.reason in (errors_pb2.REASON_DEADLINE, errors_pb2.REASON_FULL) or "line" in error.refusal.details:
        return error
    message = f"line {number}: {error.refusal.message}"
    details = {**error.refusal.details, "line": str(number)}
    return Refused(error.reason, message, rule=error.refusal.rule, details=details, field="text")


def read_text(game_id: str, text: str, go_on: Callable[[], bool]) -> Read:
    """Return what a text amounts to; `game_id` may be empty, the heading then names it.

    Raises Refused: what is wrong, with the number of the line in its details, UNKNOWN for the game, DEADLINE when time is over.
    """
    if len(text.encode()) > MAX_BYTES:
        raise malformed("text", f"a text has at most {MAX_BYTES} bytes")
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MAX_LINES:
        raise malformed("text", f"a text has at most {MAX_LINES} lines")
    head, body = Heading(), list[tuple[int, str]]()
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith(";"):
            continue
        if line.startswith("[") and not body:
            with _in_line(number):
                head.add(line, number)
        else:
            body.append((number, line))
    named = head.tags.pop(GAME, game_id)
    with _in_line(head.line_of(GAME)):
        game = any_codec(named)
        notation_of(game)
        if game_id and named != game_id:
            raise malformed("text", f"this is a game of {named}")
    return _Reader(game, head, go_on).read(body)


class _Reader:
    """The line of play so far. Where there is chance, a step's seed is one whose dice the text tells of."""

    def __init__(self, game: AnyCodec, head: Heading, go_on: Callable[[], bool]) -> None:
        self._game, self._go_on = game, go_on
        self._notation = notation_of(game)
        self._seats = game.game.facts.min_seats
        self._loaded = record_pb2.Loaded()
        self._version = game.game.facts.rules_version
        self._is_fixed = False
        with _in_line(head.line_of(RULES)):
            self._version = head.tags.pop(RULES, self._version)
            if not game.game.facts.plays(self._version):
                raise malformed("text", f"revision {self._version[:16]} of the rules is not played here")
        seed = self._seed(0)
        with _in_line(head.line_of(SETUP)):
            if SETUP in head.tags:
                seed, self._is_fixed = heading.seed_of(head.tags.pop(SETUP)), True
        with _in_line(head.line_of(START)):
            if START in head.tags:
                self._loaded.start_position.CopyFrom(heading.start_of(game, head.tags.pop(START)))
        for name in head.tags:
            with _in_line(head.line_of(name)):
                heading.options_of(game, self._seats, {name: head.tags[name]})
        self._loaded.options.CopyFrom(heading.options_of(game, self._seats, head.tags))
        self._loaded.variation.add(seed=seed, rules_version=self._version)
        with _in_line(head.line_of(START) or 1):
            self._position = self._begun()
        self._before = self._position
        self._first = self._position
        """Where the line of the text began."""

    def read(self, body: list[tuple[int, str]]) -> Read:
        """Return what the lines after the heading amount to."""
        goes_on = False
        for number, line in body:
            with _in_line(number):
                if line.startswith("{"):
                    self._system_action(line)
                    goes_on = False
                    continue
                plain = _NUMBER.sub("", line, count=1) if _NUMBER.match(line) else line
                is_whole = not plain.endswith(GOES_ON.strip())
                bare = plain.removesuffix(GOES_ON.strip()).strip()
                for text in self._notation.notations(bare, whole=is_whole):
                    self._act(text)
                if is_whole and not goes_on:
                    self._notation.require_consistent(bare, self._position)
                goes_on = not is_whole
        return Read(self._game, self._seats, self._loaded, self._position)

    def _begun(self) -> Any:
        loaded = self._loaded
        start = loaded.start_position if loaded.HasField("start_position") else None
        setup = loaded.variation[0]
        return begin(self._game, loaded.options, self._seats, start, setup.seed, setup.rules_version).position

    def _seed(self, attempt: int) -> bytes:
        """Return the seed that is tried for the next step."""
        if not self._game.game.facts.chance:
            return bytes(SEED_BYTES)
        return hashlib.sha256(f"text {len(self._loaded.variation)} {attempt}".encode()).digest()

    def _act(self, text: str) -> None:
        """Play what a notation says; where it does not fit the dice of the step before, that is played again."""
        action, seat = self._understood(text)
        game = self._game
        ply = record_pb2.Ply(actor=seat + 1, action=game.pack(Kind.ACTION, action), seed=self._seed(0))
        ply.notation = game.game.write(game.game.view(self._position, seat), action)
        self._play(ply)

    def _understood(self, text: str) -> tuple[Any, int]:
        game = self._game.game
        for attempt in range(ROLLS):
            to_act = game.to_act(self._position)
            seat = to_act[0] if to_act else 0
            try:
                return game.read(game.view(self._position, seat), text), seat
            except Illegal:
                if not game.facts.chance or self._is_fixed or attempt + 1 == ROLLS:
                    raise
                self._again(attempt + 1)
        raise AssertionError

    def _again(self, attempt: int) -> None:
        """Play the last step with another seed."""
        self._check_time()
        last = self._loaded.variation[-1]
        number = len(self._loaded.variation) - 1
        last.seed = hashlib.sha256(f"text {number} {attempt}".encode()).digest()
        self._position = self._begun() if not number else played(self._game, self._before, last).position

    def _play(self, ply: record_pb2.Ply) -> None:
        self._check_time()
        position = played(self._game, self._position, ply).position
        self._before, self._position = self._position, position
        self._loaded.variation.append(ply)
        self._is_fixed = False

    def _system_action(self, line: str) -> None:
        found = _SYSTEM_ACTION.fullmatch(line)
        if found is None:
            raise malformed("text", "braces contain resign, time, draw or options")
        kind, about = found[1], found[2] or ""
        system_action = games_pb2.SystemAction()
        if kind in ("resign", "time"):
            if about not in [str(seat + 1) for seat in range(self._seats)]:
                raise malformed("text", f"seats are numbered from 1 to {self._seats}")
            setattr(system_action, "resign" if kind == "resign" else "flag", int(about) - 1)
        elif kind == "draw":
            system_action.draw = True
        else:
            system_action.options.CopyFrom(heading.options_of(self._game, self._seats, heading.words_of(about)))
        self._play(record_pb2.Ply(system_action=system_action, seed=self._seed(0)))

    def _check_time(self) -> None:
        if not self._go_on():
            raise Refused(errors_pb2.REASON_DEADLINE, "reading the text took too long")
