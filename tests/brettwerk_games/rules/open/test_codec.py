"""The bytes of a game are derived from its values and its contract, whose bounds hold."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.message_factory import GetMessageClass

from brettwerk_games.packages.building import compile_contract
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.open.codec import derived_codec
from brettwerk_games.rules.open.values import OpenEnding, OpenPosition, Played, View
from brettwerk_games.rules.refusals import Malformed

CONTRACT = """
syntax = "proto3";
package trial.v1;
import "brettwerk/v1/limits.proto";
import "brettwerk/v1/open_game.proto";
message TrialOptions { uint32 size = 1 [(brettwerk.v1.limit).min = 3, (brettwerk.v1.limit).max = 9]; bool wide = 2; }
message TrialPosition {
  repeated uint32 squares = 1 [(brettwerk.v1.limit).items = 3, (brettwerk.v1.limit).max = 2];
  uint32 to_move = 2 [(brettwerk.v1.limit).max = 1];
  brettwerk.v1.OpenEnding ending = 3;
}
message TrialView { TrialPosition position = 1; optional uint32 seat = 2 [(brettwerk.v1.limit).max = 1]; }
message TrialAction { oneof kind { TrialPut put = 1; TrialPass pass = 2; } }
message TrialPut { uint32 square = 1 [(brettwerk.v1.limit).max = 2]; string word = 2 [(brettwerk.v1.limit).length = 4]; }
message TrialPass {}
message TrialEvent { oneof kind { TrialPlayed played = 1; brettwerk.v1.OpenEnding ending = 2; } }
message TrialPlayed { uint32 seat = 1 [(brettwerk.v1.limit).max = 1]; TrialAction action = 2; }
"""


@dataclass(frozen=True, slots=True)
class Options:
    size: int = 5
    wide: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Put:
    square: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    pass


BEGUN = Position(squares=(0, 1, 2), to_move=1)
VALUES = [
    (Kind.OPTIONS, Options(9, wide=False)),
    (Kind.POSITION, BEGUN),
    (Kind.POSITION, replace(BEGUN, ending=OpenEnding("four", 0))),
    (Kind.VIEW, View(BEGUN, 0)),
    (Kind.VIEW, View(BEGUN)),
    (Kind.ACTION, Put(2, "word")),
    (Kind.ACTION, Pass()),
    (Kind.EVENT, Played(1, Pass())),
    (Kind.EVENT, OpenEnding("full")),
]


def contract(folder: Path, text: str = CONTRACT) -> Path:
    game = folder / "trial"
    game.mkdir()
    (game / "trial.proto").write_text(text)
    compile_contract([game / "trial.proto"], game / "contract.binpb")
    return game


def require_sound(position: Any) -> None:
    if sum(position.squares) > 4:
        raise Malformed("too much stands there", field="squares")


@pytest.fixture(scope="module")
def codec(tmp_path_factory: pytest.TempPathFactory):
    return derived_codec(contract(tmp_path_factory.mktemp("contract")), Options, Position, Put | Pass, require_sound)


def message(codec, kind: Kind, **fields: Any) -> bytes:
    descriptor = descriptor_pool.Default().FindMessageTypeByName(codec.type_name(kind))
    return GetMessageClass(descriptor)(**fields).SerializeToString()


@pytest.mark.parametrize(("kind", "value"), VALUES)
def test_a_value_comes_back(codec, kind: Kind, value: Any) -> None:
    assert codec.decode(kind, codec.encode(kind, value)) == value


def test_messages_are_named_after_the_game(codec) -> None:
    assert codec.type_name(Kind.ACTION) == "trial.v1.TrialAction"


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        (Kind.OPTIONS, {"size": 2}, "size"),
        (Kind.OPTIONS, {"size": 10}, "size"),
        (Kind.POSITION, {"squares": [0, 3]}, "squares[1]"),
        (Kind.POSITION, {"squares": [0] * 4}, "squares"),
        (Kind.POSITION, {"squares": [2, 2, 2]}, "squares"),
        (Kind.VIEW, {"position": {"to_move": 2}}, "position.to_move"),
        (Kind.VIEW, {}, "position"),
        (Kind.VIEW, {"position": {}, "seat": 2}, "seat"),
        (Kind.ACTION, {}, "kind"),
        (Kind.ACTION, {"put": {"square": 3}}, "put.square"),
        (Kind.ACTION, {"put": {"word": "words"}}, "put.word"),
        (Kind.EVENT, {"played": {"action": {"put": {"square": 3}}}}, "played.action.put.square"),
    ],
)
def test_a_message_against_the_contract_is_refused_with_its_field(codec, kind: Kind, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Malformed) as refusal:
        codec.decode(kind, message(codec, kind, **fields))
    assert refusal.value.field == field


def test_a_number_that_is_left_out_and_cannot_be_0_has_its_value_at_first(codec) -> None:
    assert codec.decode(Kind.OPTIONS, b"") == Options(5, wide=False)


@dataclass(frozen=True, slots=True)
class Unlike:
    length: int = 5


def test_values_that_are_not_those_of_the_contract_are_found_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"length.*size"):
        derived_codec(contract(tmp_path), Unlike, Position, Put | Pass, require_sound)
