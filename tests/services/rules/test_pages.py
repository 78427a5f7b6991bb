import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.pages import page
from services.runtime.refusal import Refused


@given(
    elements=st.lists(st.integers(), max_size=60),
    size=st.integers(0, 20),
    preset=st.integers(1, 10),
    most=st.integers(1, 15),
    about=st.binary(max_size=20),
)
def test_pages_together_are_the_list(elements: list[int], size: int, preset: int, most: int, about: bytes) -> None:
    found: list[int] = []
    token = ""
    while True:
        part, token = page(elements, token, size, preset, most, about)
        found += part
        assert len(part) <= most
        assert len(part) <= (size or preset)
        assert len(token) <= 200
        if not token:
            break
    assert found == elements


@given(token=st.text(min_size=1, max_size=40))
def test_a_token_that_was_not_given_out_is_refused(token: str) -> None:
    with pytest.raises(Refused, match="page token"):
        page(range(100), token, 10, 10, 10, b"numbers")


def test_a_token_of_a_longer_list_is_refused() -> None:
    _, token = page(range(100), "", 50, 10, 50, b"numbers")
    with pytest.raises(Refused, match="page token"):
        page(range(10), token, 50, 10, 50, b"numbers")


def test_a_token_of_another_list_is_refused() -> None:
    _, token = page(range(100), "", 10, 10, 50, b"numbers")
    assert page(range(100), token, 10, 10, 50, b"numbers")[0] == range(10, 20)
    with pytest.raises(Refused, match="page token"):
        page(range(100), token, 10, 10, 50, b"other numbers")
