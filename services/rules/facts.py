"""The facts of a game as a message, and its contract. Words are keys of the game's catalogue (brettwerk_games/rules/facts.py).

Clients that have no generated code for the messages of an installed game get their contract beside the facts. Fields and words
that a caller can do without are left out, as a matter of size only.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import cast

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FileDescriptor

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import games_pb2
from brettwerk_games.rules.facts import LevelFacts, PresetFacts, SeatFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.optional import HasBoards, WritesText
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.orders import OrderFacts, OrderField
from brettwerk_games.rules.presets import preset_options
from services.rules.any_codec import PREFIX, any_codec
from services.rules.scenes import text_of_key
from services.runtime.seats import put_seat

_CHANGEABLE = {
    "before_start": games_pb2.OptionSpec.CHANGEABLE_BEFORE_START,
    "always": games_pb2.OptionSpec.CHANGEABLE_ALWAYS,
}


@cache
def game(game_id: str) -> games_pb2.Game:
    """Return a game's facts; do not change the result. Raises Refused (UNKNOWN) if there is no such game."""
    known = any_codec(game_id).game
    facts = known.facts
    return games_pb2.Game(
        id=facts.id,
        name=text_of_key("game.name"),
        summary=text_of_key("game.summary"),
        rules_version=facts.rules_version,
        seats=[_seat(number, seat) for number, seat in enumerate(facts.seats)],
        min_seats=facts.min_seats,
        chance=facts.chance,
        hidden=facts.hidden,
        draws=facts.draws,
        options=[_option(option) for option in facts.options],
        options_type=known.codec.type_name(Kind.OPTIONS),
        levels=[_level(level) for level in facts.levels],
        start_positions=facts.start_positions,
        max_actions=facts.max_actions,
        tells_seats=facts.tells_seats,
        presets=[_preset(known, preset) for preset in facts.presets],
        holds_seeds=facts.holds_seeds,
        hides_actions=facts.hides_actions,
        texts=isinstance(known, WritesText),
        phrases=facts.phrases,
        private_talk=facts.private_talk,
        conditional_moves=facts.conditional_moves,
        orders=[_order(kind) for kind in facts.orders],
    )


def _seat(number: int, seat: SeatFacts) -> games_pb2.SeatFacts:
    name = text_of_key(f"seat.{number}.name")
    return games_pb2.SeatFacts(name=name, colour=seat.colour, computer_by_default=seat.computer_by_default)


def _option(option: OptionFacts) -> games_pb2.OptionSpec:
    name = f"option.{option.key}"
    spec = games_pb2.OptionSpec(
        key=option.key,
        label=text_of_key(f"{name}.label"),
        help=text_of_key(f"{name}.help"),
        rule=option.rule,
        group=text_of_key(f"group.{option.group}"),
        changeable=_CHANGEABLE[option.changeable],
        competitive_value=option.competitive,
        rated_apart=option.rated_apart,
    )
    put_seat(spec, "owner_seat", option.seat)
    match option.kind:
        case "switch":
            spec.switch.CopyFrom(games_pb2.SwitchSpec(preset=bool(option.preset)))
        case "number":
            spec.number.CopyFrom(games_pb2.NumberSpec(min=option.min, max=option.max, step=option.step, preset=option.preset))
        case "choice":
            labels = [text_of_key(f"{name}.{value}") for value in option.choices]
            choices = [games_pb2.Choice(number=number, label=label) for number, label in enumerate(labels, 1)]
            spec.choice.CopyFrom(games_pb2.ChoiceSpec(choices=choices, preset=option.preset))
        case "line":
            lines = [games_pb2.Line(value=line, label=text_of_key(f"{name}.{line or 'empty'}")) for line in option.lines]
            spec.line.CopyFrom(games_pb2.LineSpec(length=option.max, preset=option.preset_line, lines=lines))
    return spec


def _order(kind: OrderFacts) -> games_pb2.OrderSpec:
    name = f"order.{kind.kind}"
    return games_pb2.OrderSpec(
        kind=kind.kind,
        label=text_of_key(f"{name}.label"),
        help=text_of_key(f"{name}.help"),
        fields=[_order_field(name, each) for each in kind.fields],
        last=kind.last,
    )


def _order_field(name: str, each: OrderField) -> games_pb2.OrderField:
    field = games_pb2.OrderField(key=each.key, label=text_of_key(f"{name}.{each.key}"), optional=each.optional)
    match each.kind:
        case "place":
            field.places = each.most
        case "switch":
            field.switch.CopyFrom(games_pb2.SwitchSpec(preset=bool(each.preset)))
        case "number":
            field.number.CopyFrom(games_pb2.NumberSpec(min=each.min, max=each.max, step=1, preset=each.preset))
        case "choice":
            choices = [
                games_pb2.Choice(number=number, label=text_of_key(f"{name}.{each.key}.{choice}"))
                for number, choice in enumerate(each.choices, 1)
            ]
            field.choice.CopyFrom(games_pb2.ChoiceSpec(choices=choices, preset=each.preset))
    return field


def _preset(known: AnyGame, preset: PresetFacts) -> games_pb2.Preset:
    name = f"preset.{preset.id}"
    return games_pb2.Preset(
        id=preset.id,
        label=text_of_key(f"{name}.label"),
        help=text_of_key(f"{name}.help"),
        rule=preset.rule,
        options=AnyMessage(
            type_url=PREFIX + known.codec.type_name(Kind.OPTIONS),
            value=preset_options(known, len(known.facts.seats), preset.options),
        ),
        max_seats=preset.max_seats,
        start_position=_board(known, preset.board) if preset.board else None,
        for_newcomers=preset.for_newcomers,
    )


def _board(known: AnyGame, name: str) -> AnyMessage:
    boards = cast("HasBoards", known)
    position = known.codec.encode(Kind.POSITION, boards.board(name))
    return AnyMessage(type_url=PREFIX + known.codec.type_name(Kind.POSITION), value=position)


def _level(level: LevelFacts) -> games_pb2.Level:
    name = f"level.{level.id}"
    return games_pb2.Level(
        id=level.id,
        label=text_of_key(f"{name}.label"),
        description=text_of_key(f"{name}.description"),
        think_ms=level.think_ms,
        max_depth=level.max_depth,
        least_ms=level.least_ms,
        run_games=level.run_games,
    )


_KNOWN = ("brettwerk/", "google/")
"""Files that every client has begin with these."""


def contract(game_id: str) -> bytes:
    """Return the encoded files of a game's messages that clients cannot know, each after those that it imports.

    Empty where there are none. Raises Refused (UNKNOWN) if there is no such game.
    """
    name = any_codec(game_id).game.codec.type_name(Kind.OPTIONS)
    try:
        file = descriptor_pool.Default().FindMessageTypeByName(name).file
    except KeyError:  # messages of another kind than protobuf's
        return b""
    found: dict[str, FileDescriptor] = {}
    _gather(file, found)
    files = descriptor_pb2.FileDescriptorSet()
    for each in found.values():
        each.CopyToProto(files.file.add())
    return files.SerializeToString(deterministic=True)


def _gather(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    if file.name.startswith(_KNOWN) or file.name in found:
        return
    for imported in file.dependencies:
        _gather(imported, found)
    found[file.name] = file


_FIELDS: dict[games_pb2.Game.Field.ValueType, tuple[str, ...]] = {
    games_pb2.Game.FIELD_OPTIONS: ("options", "presets"),
    games_pb2.Game.FIELD_LEVELS: ("levels",),
    games_pb2.Game.FIELD_ORDERS: ("orders",),
    games_pb2.Game.FIELD_PHRASES: ("phrases",),
}


def narrowed(
    found: pb.FindGameResponse, key_prefixes: Sequence[str], left_out: Iterable[games_pb2.Game.Field.ValueType]
) -> pb.FindGameResponse:
    """Return a game with the words whose keys begin with one of these, all if there are none, and without some fields.

    Fields of later releases are not known here, and stay.
    """
    asked = games_pb2.Game()
    asked.CopyFrom(found.game)
    for field in left_out:
        for name in _FIELDS.get(field, ()):
            asked.ClearField(name)  # type: ignore[arg-type]
    wanted = tuple(key_prefixes) or ("",)
    words = {key: text for key, text in found.catalogue.items() if key.startswith(wanted)}
    return pb.FindGameResponse(game=asked, catalogue=words, rules_page=found.rules_page, contract=found.contract)
