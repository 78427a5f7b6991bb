"""Every reason of the catalogue is an exception of its own, and says what a client of the same server would be told."""

import pytest

from brettwerk.v1 import errors_pb2
from brettwerk_client import refusals

NEVER_SENT = {errors_pb2.REASON_UNSPECIFIED, errors_pb2.REASON_UNKNOWN_CALLER}


def test_every_reason_that_clients_are_told_has_a_class_of_its_own() -> None:
    reasons = set(errors_pb2.Reason.values()) - NEVER_SENT
    classes = {reason: type(refusals.refused(errors_pb2.Refusal(reason=reason))) for reason in reasons}
    assert refusals.Refused not in classes.values()
    assert len(set(classes.values())) == len(reasons)
    assert all(one.reason_of_class == reason for reason, one in classes.items())


def test_a_reason_of_a_newer_server_is_raised_all_the_same() -> None:
    refused = refusals.refused(errors_pb2.Refusal(code=9, reason=999, message="not today"))  # type: ignore[arg-type]
    assert (type(refused), refused.code, str(refused), refused.is_passing) == (refusals.Refused, 9, "not today", False)


@pytest.mark.parametrize(
    ("refusal", "is_passing"),
    [
        (errors_pb2.Refusal(reason=errors_pb2.REASON_UNAVAILABLE), True),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_DEADLINE), True),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_TOO_MANY_REQUESTS, retry_after_ms=10), True),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_TOO_MANY_REQUESTS, details={"limit": "guesses"}), False),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_FULL, retry_after_ms=10), True),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_FULL), False),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_STALE_VERSION), False),
        (errors_pb2.Refusal(reason=errors_pb2.REASON_ILLEGAL), False),
    ],
)
def test_only_passing_refusals_are_tried_again(refusal: errors_pb2.Refusal, is_passing: bool) -> None:
    assert refusals.refused(refusal).is_passing is is_passing


def test_a_refusal_says_the_rule_or_the_field_that_it_is_about() -> None:
    assert str(refusals.refused(errors_pb2.Refusal(message="no", rule="EWN-TURN-1"))) == "no (EWN-TURN-1)"
    assert str(refusals.refused(errors_pb2.Refusal(message="no", field="action.stone"))) == "no (action.stone)"
