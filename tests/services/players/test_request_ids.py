"""An object that a request creates has one id, whichever process of the service makes it."""

import pytest

from brettwerk.v1 import errors_pb2
from services.players.request_ids import derived_id, require_request_id
from services.runtime.refusal import Refused


def test_a_repeat_has_the_id_of_the_first_request() -> None:
    made = derived_id("seek", "ada", "request-1")
    assert made == derived_id("seek", "ada", "request-1")
    # rows of earlier releases are found by it
    assert made == "c53f749d55eeb1bd7c54343e25392b82"


@pytest.mark.parametrize("other", [("seek", "ada", "request-2"), ("seek", "bob", "request-1"), ("bot", "ada", "request-1")])
def test_another_request_player_or_purpose_has_another_id(other: tuple[str, str, str]) -> None:
    assert derived_id(*other) != derived_id("seek", "ada", "request-1")


@pytest.mark.parametrize("request_id", ["", "seven__", "x" * 65, "ü" * 33])
def test_a_request_id_of_too_few_or_too_many_bytes_is_refused(request_id: str) -> None:
    for require in (require_request_id, lambda request_id: derived_id("seek", "ada", request_id)):
        with pytest.raises(Refused) as refused:
            require(request_id)
        assert refused.value.reason == errors_pb2.REASON_MALFORMED
        assert refused.value.refusal.field == "request_id"


@pytest.mark.parametrize("request_id", ["eight__8", "x" * 64, "ü" * 32])
def test_the_shortest_and_the_longest_request_id_are_taken(request_id: str) -> None:
    require_request_id(request_id)
