"""Which names look alike, and which do not."""

import pytest

from services.runtime.player_names import SKELETON_LENGTH, skeleton
from services.runtime.player_text import NAME_BYTES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "Аdа"),  # Cyrillic
        ("Ada", "𝐀𝐝𝐚"),
        ("Ada", "Ａｄａ"),
        ("Ada", "ADA"),
        ("Ada", "Ada\u200d"),
        ("scope", "ѕсоре"),
        ("PayPal", "PaypaI"),
        ("modern", "rnodern"),
        ("O0", "0O"),
        ("José", "Jоse\u0301"),
        ("Ольга", "Oльгa"),  # Latin
        ("Ελένη", "Eλένη"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Eda"), ("José", "Jose"), ("Ada", "Ada2"), ("Ольга", "Olga"), ("山田", "山口"), ("שלום", "שלוט")]
)
def test_names_that_do_not_look_alike_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_skeleton_has_room_in_its_column() -> None:
    assert len(skeleton("ﷺ" * NAME_BYTES)) == SKELETON_LENGTH
