"""The lessons of the web client, and how they are judged: as the client does it (docs/lessons.md), once more for tests."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool, json_format, message_factory

from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from tests.brettwerk_games.rules.kit.play import dice, seed_of

ROOT = Path(__file__).parents[3]
BOARDS = ROOT / "clients" / "web" / "src" / "boards"
PAGE = ROOT / "docs" / "lessons.md"
_ROW = re.compile(r"\| ([A-Z]+-[A-Z0-9-]+) \| [^|]+ \| ([^|]+) \|")


def courses() -> Mapping[str, Any]:
    """Return the lessons of every game that has some, as its file says them."""
    files = sorted(BOARDS.glob("*/lessons.json"))
    return {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


def newcomers_rules() -> Mapping[str, frozenset[str]]:
    """Return the rules that a newcomer meets, as docs/lessons.md lists them, each with the lessons that it names for it."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {rule: frozenset(re.findall(r"`([^`]+)`", named)) for rule, named in rows}


@dataclass(frozen=True)
class Played:
    """Something that was played: whose it was, what happened, and what the player sees then."""

    own: bool
    events: tuple[Any, ...]
    view: Any


def matches(value: Any, pattern: Any) -> bool:
    """Tell whether a value is like a pattern; a field that is absent has its default."""
    if not isinstance(pattern, dict):
        return bool((type(pattern)() if value is None else value) == pattern)
    return all(_fits(value, key, wanted) for key, wanted in pattern.items())


def _fits(value: Any, key: str, wanted: Any) -> bool:
    items: Sequence[Any] = value if isinstance(value, list) else []
    match key:
        case "$least":
            return bool((value or 0) >= wanted)
        case "$most":
            return bool((value or 0) <= wanted)
        case "$count":
            return matches(len(items), wanted)
        case "$some":
            return any(matches(item, wanted) for item in items)
        case "$none":
            return not any(matches(item, wanted) for item in items)
        case "$at":
            return all(matches(items[int(at)] if int(at) < len(items) else None, each) for at, each in wanted.items())
        case _:
            return isinstance(value, dict) and matches(value.get(key), wanted)


def holds(aims: Sequence[Any], plies: Sequence[Played]) -> bool:
    """Tell whether all aims are reached at the end of the plies."""
    return all(
        any(matches(event, aim["event"]) for ply in plies for event in ply.events)
        if "event" in aim
        else bool(plies) and matches(plies[-1].view, aim["view"])
        for aim in aims
    )


def verdict(lesson: Any, plies: Sequence[Played], *, over: bool = False) -> str:
    """Return what the client says after the plies: open, reached or missed."""
    so_far = [plies[:count] for count in range(1, len(plies) + 1)]
    if any(holds(lesson["goal"], some) for some in so_far):
        return "reached"
    slipped = any(holds(slip["when"], some) for slip in lesson.get("slips", []) for some in so_far)
    spent = sum(ply.own for ply in plies) >= lesson.get("actions", float("inf"))
    return "missed" if slipped or spent or over else "open"


class Table:
    """A lesson that is being played, by the rules themselves."""

    def __init__(self, game: AnyGame, course: Any, lesson: Any, number: int) -> None:
        """Begin; `number` makes the dice."""
        self.game, self.lesson, self.number = game, lesson, number
        self.seat: int = course["seat"]
        options = self._bytes(Kind.OPTIONS, lesson["options"]) if "options" in lesson else preset_options(game, course["seats"])
        start = game.codec.decode(Kind.POSITION, self._bytes(Kind.POSITION, lesson["start"]))
        chosen = game.codec.decode(Kind.OPTIONS, options)
        self.position = game.new(chosen, course["seats"], start, seed_of("lesson", number)).position
        self.plies: list[Played] = []
        self.done: set[str] = set()
        """The kinds of actions that the player has carried out."""
        self._dice = dice("lesson", number)

    def _bytes(self, kind: Kind, value: Any) -> bytes:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(self.game.codec.type_name(kind))
        message = json_format.ParseDict(value, message_factory.GetMessageClass(descriptor)())
        return bytes(message.SerializeToString(deterministic=True))

    def _json(self, kind: Kind, value: Any) -> Any:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(self.game.codec.type_name(kind))
        message = message_factory.GetMessageClass(descriptor)()
        message.ParseFromString(self.game.codec.encode(kind, value))
        return json_format.MessageToDict(message)

    @property
    def verdict(self) -> str:
        """The client's present verdict."""
        return verdict(self.lesson, self.plies, over=not self.game.to_act(self.position))

    @property
    def is_own_turn(self) -> bool:
        """Whether the player is to act."""
        return self.seat in self.game.to_act(self.position)

    def view(self) -> Any:
        """Return what the player sees, as JSON."""
        return self._json(Kind.VIEW, self.game.view(self.position, self.seat))

    def actions(self) -> Sequence[Any]:
        """Return what the player may do."""
        return tuple(self.game.actions(self.game.view(self.position, self.seat)))

    def act(self, action: Any, seat: int | None = None) -> None:
        """Play an action of the player's, or of another seat."""
        who = self.seat if seat is None else seat
        if who == self.seat:
            self.done |= set(self._json(Kind.ACTION, action))
        step = self.game.apply(self.position, who, action, seed_of("lesson", self.number, len(self.plies)))
        self.position = step.position
        shown = [self.game.show(event, self.seat) for event in step.events]
        events = tuple(self._json(Kind.EVENT, event) for event in shown if event is not None)
        self.plies.append(Played(who == self.seat, events, self.view()))

    def read(self, notation: str) -> Any:
        """Return the player's action of a notation."""
        return self.game.read(self.game.view(self.position, self.seat), notation)

    def kinds(self) -> frozenset[str]:
        """Return the kinds of actions that the game has."""
        descriptor = descriptor_pool.Default().FindMessageTypeByName(self.game.codec.type_name(Kind.ACTION))
        return frozenset(field.json_name for field in descriptor.fields)

    def others(self, most: int = 500) -> None:
        """Let the others act, anyhow, until the player is to act or nobody is."""
        for _ in range(most):
            acting = self.game.to_act(self.position)
            if not acting or self.seat in acting:
                return
            actions = tuple(self.game.actions(self.game.view(self.position, acting[0])))
            self.act(self._dice.choice(actions), acting[0])

    def solve(self) -> None:
        """Play the lesson's solution until the goal is reached."""
        for notation in self.lesson["solution"]:
            self.others()
            if self.verdict == "reached" or not self.is_own_turn:
                break
            self.act(self.read(notation))
        if self.verdict != "reached":
            self.others()

    def wander(self, most: int) -> None:
        """Play anything until the lesson has an end."""
        for _ in range(most):
            if self.verdict != "open" or not self.is_own_turn:
                return
            self.act(self._dice.choice(self.actions()))
            self.others()


def lessons() -> Iterator[tuple[str, Any, Any]]:
    """Yield every lesson there is: its game, the course and itself."""
    for game, course in courses().items():
        for lesson in course["lessons"]:
            yield game, course, lesson
