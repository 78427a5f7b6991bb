"""Nobody takes the name of a computer, whatever letters they write it with."""

import json
from pathlib import Path

import pytest

from brettwerk.v1 import errors_pb2
from services.runtime.player_names import check_name
from services.runtime.refusal import Refused

GAMES = Path(__file__).parents[3] / "brettwerk_games"


def catalogues() -> dict[str, str]:
    """Return what levels and computers are called in all games and languages, by where that is written."""
    found: dict[str, str] = {}
    for file in sorted([*GAMES.glob("rules/*/text/*.json"), *GAMES.glob("languages/**/*.json"), GAMES / "rules/words.json"]):
        for key, said in json.loads(file.read_text(encoding="utf-8")).items():
            if key.startswith("level.") and key.endswith((".name", ".label")):
                words = said if isinstance(said, dict) else {"": said}
                found |= {f"{file.name} {key} {language}": word for language, word in words.items()}
    return found


@pytest.mark.parametrize("name", sorted({*catalogues().values(), "Computer", "Brettwerk"}))
def test_the_names_of_computers_are_refused(name):
    with pytest.raises(Refused) as refused:
        check_name(name)
    assert refused.value.reason == errors_pb2.REASON_NAME_RESERVED
    assert (refused.value.refusal.field, refused.value.refusal.details["name"]) == ("name", name)


@pytest.mark.parametrize(
    "name",
    [
        "COMPUTER",
        "C0mputer",
        "Соmрutеr",
        "Ｃｏｍｐｕｔｅｒ",
        "Computer 1",
        "Carla (B)",
        "CarIa",
        "*Carla*",
        "Brettwerk!",
        "Fritz (d)",
    ],
)
def test_names_that_look_like_those_of_computers_are_refused(name):
    with pytest.raises(Refused):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["Ada", "Carla B.", "Carla Schmidt", "Carlotta", "Ottokar", "Computerfan", "Стас", "?", "42", "Гость 12"]
)
def test_other_names_are_free(name):
    check_name(name)
