"""An options class is what facts, contract and rules pages say of options."""

import re
from enum import IntEnum
from typing import Any

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from brettwerk.v1 import limits_pb2
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.registry import games
from brettwerk_games.rules.wec.options import FACTS as WEC

NAMED_BY_THE_PLATFORM = {"emperado": {"computers"}}
"""Fields of options messages that nobody chooses."""
OPTIONS = [(game, option) for game in games().values() for option in game.facts.options]
CHOICES = [pair for pair in OPTIONS if pair[1].kind == "choice"]
NUMBERS = [pair for pair in OPTIONS if pair[1].kind == "number"]


def named(pair: tuple[AnyGame, OptionFacts]) -> str:
    return f"{pair[0].facts.id}-{pair[1].key}"


def message_type(game: AnyGame) -> Descriptor:
    found: Descriptor = descriptor_pool.Default().FindMessageTypeByName(game.codec.type_name(Kind.OPTIONS))
    return found


def field(game: AnyGame, option: OptionFacts) -> FieldDescriptor:
    return message_type(game).fields_by_name[option.key]


def standard(game: AnyGame) -> Any:
    return game.codec.decode(Kind.OPTIONS, b"")


@pytest.mark.parametrize("name", games())
def test_the_contract_and_the_code_have_the_options_of_the_facts(name: str) -> None:
    game = games()[name]
    others = NAMED_BY_THE_PLATFORM.get(name, set())
    keys = {option.key for option in game.facts.options}
    assert set(message_type(game).fields_by_name) - others == keys
    assert set(standard(game)._fields) - others == keys


@pytest.mark.parametrize("name", games())
def test_an_empty_message_is_the_standard_game(name: str) -> None:
    game = games()[name]
    assert standard(game) == game.codec.decode(Kind.OPTIONS, preset_options(game, len(game.facts.seats)))
    assert standard(game) == type(standard(game))()


@pytest.mark.parametrize("pair", CHOICES, ids=named)
def test_choices_are_numbered_as_in_the_contract_and_in_the_code(pair: tuple[AnyGame, OptionFacts]) -> None:
    game, option = pair
    kind: type[IntEnum] = type(getattr(standard(game), option.key))
    assert [(member.name.lower(), member.value) for member in kind] == [
        (choice, number) for number, choice in enumerate(option.choices, 1)
    ]
    contract = field(game, option).enum_type
    assert contract is not None
    values = contract.values
    assert [value.number for value in values] == list(range(len(option.choices) + 1))
    for value, choice in zip(values[1:], option.choices, strict=True):
        assert value.name.endswith(f"_{choice.upper()}")


@pytest.mark.parametrize("pair", NUMBERS, ids=named)
def test_the_contract_bounds_a_number_by_its_range(pair: tuple[AnyGame, OptionFacts]) -> None:
    game, option = pair
    limit = field(game, option).GetOptions().Extensions[limits_pb2.limit]
    assert (limit.min, limit.max) == (option.min, option.max)


@pytest.mark.parametrize("key", WEC.ranges)
def test_the_rules_page_of_wec_says_the_preset_and_the_range_of_a_number(key: str) -> None:
    least, most = WEC.ranges[key]
    (option,) = (each for each in WEC.options if each.key == key)
    (line,) = re.findall(rf'<a id="{option.rule}">.*', WEC.rules_page("en"))
    label = WEC.catalogue("en")[f"option.{key}.label"]
    name = label.removeprefix("Fire rate: ") if key.startswith("fire_rate") else f"*{label}*:"
    assert re.search(rf"{re.escape(name)} {option.preset} by default[,;]", line)
    assert line.endswith(f"allowed {least} to {most}.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_page_of_wec_names_options_as_the_settings_do(language: str) -> None:
    page = WEC.rules_page(language)
    assert [key for key in (option.key for option in WEC.options) if f"`{key}" in page] == []


def test_the_rules_page_of_emperado_says_the_presets_and_the_ranges() -> None:
    facts = games()["emperado"].facts
    table = facts.rules_page("en").partition("## 17. Options")[2].partition("\n## ")[0]
    preset = {option.key: option.preset for option in facts.options}
    for key in ("start_armies", "ghost_armies", "card_bonus_start"):
        least, most = facts.ranges[key]
        assert f"| {preset[key]} | {least} to {most} | {facts.settled[key]} |" in table
    (parameters,) = {facts.ranges[key] for key in ("solidarity", "coalition", "country_handicap")}
    first = ", ".join(str(preset[key]) for key in ("solidarity", "coalition", "country_handicap"))
    assert f"| {first} | {parameters[0]} to {parameters[1]} |" in table
    assert f"0 for none, 20 to {facts.ranges['max_rounds'][1]}" in table
    (times,) = {facts.ranges[key] for key in ("info_time", "table_time", "graphic_time")}
    assert f"{times[0]} to {times[1] - 1}, until a key" in table
