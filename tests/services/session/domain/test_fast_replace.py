"""The session's own `replace` does what that of dataclasses does."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.session.domain.fast_replace import replace
from services.session.domain.state import Seat

SEAT = Seat()
NAMES = [field.name for field in dataclasses.fields(Seat)]


@given(st.dictionaries(st.sampled_from(NAMES), st.integers()))
def test_it_makes_what_dataclasses_make_and_leaves_the_first_one_alone(changes):
    before = dataclasses.asdict(SEAT)
    made = replace(SEAT, **changes)
    assert made == dataclasses.replace(SEAT, **changes)
    assert hash(made) == hash(dataclasses.replace(SEAT, **changes))
    assert dataclasses.asdict(SEAT) == before
    assert made is not SEAT


def test_a_field_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="no such field"):
        replace(SEAT, nonsense=1)  # type: ignore[call-arg]


def test_what_was_replaced_is_still_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(SEAT, left_ms=1).left_ms = 2  # type: ignore[misc]
