import base64
import json

from hypothesis import given
from hypothesis import strategies as st

from services.ai.waiting import asked_ms


def message(body: object) -> str:
    return json.dumps({"body": base64.b64encode(json.dumps(body).encode()).decode()})


@given(st.integers(0, 2**53))
def test_when_a_request_was_asked_is_read_from_its_message(asked):
    assert asked_ms(message([[], {"asked_ms": asked}, {}])) == asked


@given(st.one_of(st.none(), st.text(), st.binary(), st.integers().map(lambda n: message([[], {"asked_ms": str(n) + "x"}]))))
def test_what_cannot_be_read_is_none(given_message):
    assert asked_ms(given_message) is None
