import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from services.runtime import limits
from services.runtime.refusal import (
    DETAILS_BYTES,
    Refused,
    listed,
    malformed,
    moved,
    moved_shard,
    of_rpc_error,
    of_status,
    status_details,
    unavailable,
    unknown,
    wrong_seats,
)

REASONS = [value for value in errors_pb2.Reason.values() if value]

texts = st.text(max_size=1200)
refusals = st.builds(
    Refused,
    st.sampled_from(REASONS),
    texts,
    rule=texts,
    details=st.dictionaries(texts, texts, max_size=20),
    field=texts,
    retry_after_ms=st.integers(0, 2**32 - 1),
    head_version=st.integers(0, 2**64 - 1),
)


@pytest.mark.parametrize("reason", REASONS, ids=errors_pb2.Reason.Name)
def test_every_reason_has_a_code_that_says_that_a_call_failed_and_how(reason: errors_pb2.Reason.ValueType) -> None:
    refused = Refused(reason, "no")
    assert refused.code not in (grpc.StatusCode.OK, grpc.StatusCode.UNKNOWN)
    assert refused.refusal.code == refused.code.value[0]


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (errors_pb2.REASON_MALFORMED, grpc.StatusCode.INVALID_ARGUMENT),
        (errors_pb2.REASON_GAME_OVER, grpc.StatusCode.FAILED_PRECONDITION),
        (errors_pb2.REASON_STALE_VERSION, grpc.StatusCode.ABORTED),
        (errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE),
    ],
)
def test_a_refusal_is_sent_with_the_code_of_its_reason(reason: errors_pb2.Reason.ValueType, code: grpc.StatusCode) -> None:
    assert Refused(reason, "no").code is code


@given(refused=refusals)
def test_a_refusal_keeps_its_own_bounds_whatever_it_quotes(refused: Refused) -> None:
    limits.check(refused.refusal)


KINDS: dict[str, type[Message]] = {
    kind.DESCRIPTOR.full_name: kind
    for kind in (
        error_details_pb2.ErrorInfo,
        error_details_pb2.BadRequest,
        error_details_pb2.PreconditionFailure,
        error_details_pb2.RetryInfo,
        errors_pb2.Refusal,
    )
}


def details_of(refusal: errors_pb2.Refusal) -> dict[str, Message]:
    """Return the details by the name of their type."""
    status = status_pb2.Status.FromString(status_details(refusal))
    assert status.code == refusal.code
    found = [KINDS[detail.TypeName()].FromString(detail.value) for detail in status.details]
    return {message.DESCRIPTOR.name: message for message in found}


@given(refused=refusals)
def test_status_details_fit_into_a_trailer_and_keep_what_matters(refused: Refused) -> None:
    assert len(status_details(refused.refusal)) <= DETAILS_BYTES
    details = details_of(refused.refusal)
    info, kept = details["ErrorInfo"], details["Refusal"]
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert isinstance(kept, errors_pb2.Refusal)
    assert (info.domain, f"REASON_{info.reason}") == ("brettwerk", errors_pb2.Reason.Name(refused.reason))
    for name in ("code", "reason", "rule", "field", "retry_after_ms", "head_version"):
        assert getattr(kept, name) == getattr(refused.refusal, name)
    assert refused.refusal.message.startswith(kept.message)


def test_a_usual_refusal_is_sent_in_all_the_standard_shapes() -> None:
    refused = Refused(
        errors_pb2.REASON_ILLEGAL,
        "no",
        rule="EWN-TURN-3",
        details={"stone": "3"},
        field="action",
        retry_after_ms=1500,
    )
    details = details_of(refused.refusal)
    info, bad, broken, retry = (details[name] for name in ("ErrorInfo", "BadRequest", "PreconditionFailure", "RetryInfo"))
    assert dict(info.metadata) == {"stone": "3", "rule": "EWN-TURN-3"}  # type: ignore[attr-defined]
    assert bad.field_violations[0].field == "action"  # type: ignore[attr-defined]
    assert broken.violations[0].subject == "EWN-TURN-3"  # type: ignore[attr-defined]
    assert (retry.retry_delay.seconds, retry.retry_delay.nanos) == (1, 500_000_000)  # type: ignore[attr-defined]
    assert details["Refusal"] == refused.refusal


def failed(code: grpc.StatusCode, trailer: bytes | None = None) -> grpc.aio.AioRpcError:
    trailers = grpc.aio.Metadata(*([("grpc-status-details-bin", trailer)] if trailer is not None else []))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailers)


@given(refused=refusals)
def test_a_refusal_comes_out_of_the_status_that_it_went_into(refused: Refused) -> None:
    again = of_rpc_error(failed(refused.code, status_details(refused.refusal)), "rules")
    if refused.reason == errors_pb2.REASON_UNKNOWN_CALLER:
        assert again.reason == errors_pb2.REASON_UNAVAILABLE, "whoever asked us is not whom they do not know"
        return
    assert (again.reason, again.refusal.rule, again.code) == (refused.reason, refused.refusal.rule, refused.code)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.DEADLINE_EXCEEDED, errors_pb2.REASON_DEADLINE),
        (grpc.StatusCode.UNAVAILABLE, errors_pb2.REASON_UNAVAILABLE),
        (grpc.StatusCode.CANCELLED, errors_pb2.REASON_UNAVAILABLE),
        (grpc.StatusCode.INTERNAL, errors_pb2.REASON_INTERNAL),
        (grpc.StatusCode.UNIMPLEMENTED, errors_pb2.REASON_NO_SUCH_METHOD),
    ],
)
@pytest.mark.parametrize("trailer", [None, b"", b"\xff\xff\xff", b"no status"])
def test_a_failure_without_a_refusal_is_explained_by_its_code(code: grpc.StatusCode, reason: int, trailer: bytes | None) -> None:
    assert of_rpc_error(failed(code, trailer), "rules").reason == reason


def test_a_reason_of_a_newer_catalogue_is_a_fault_to_us() -> None:
    newer = errors_pb2.Refusal(reason=9999, message="newer")  # type: ignore[arg-type]
    assert Refused.of(newer).code is grpc.StatusCode.INTERNAL
    assert Refused.of(errors_pb2.Refusal()).reason == errors_pb2.REASON_INTERNAL


def test_the_short_forms_say_what_they_are_about() -> None:
    assert malformed("a.b", "no").refusal.field == "a.b"
    assert unknown("mail_address").refusal.details == {"what": "mail_address"}
    assert unknown("mail_address").refusal.message == "there is no such mail address"
    assert unavailable("rules").refusal.details["service"] == "rules"
    assert unavailable("rules").refusal.retry_after_ms


@given(st.integers(0, 255))
def test_a_refusal_after_a_move_names_its_shard(shard: int) -> None:
    refused = moved(shard)
    assert moved_shard(refused.refusal) == shard
    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.refusal.retry_after_ms
    assert moved_shard(of_status(refused.code, status_details(refused.refusal), "x").refusal) == shard


@pytest.mark.parametrize("shard", ["", "-1", "x", "1.5", "9" * 100, "\u00b2"])
def test_a_shard_that_is_no_number_is_none(shard: str) -> None:
    received = moved(0).refusal
    received.details["moved"] = shard
    assert moved_shard(received) is None


def test_another_refusal_is_not_taken_for_a_move() -> None:
    assert moved_shard(unavailable("rules").refusal) is None
    other = moved(3).refusal
    other.reason = errors_pb2.REASON_STALE_VERSION
    assert moved_shard(other) is None


def test_an_unknown_value_is_named_with_its_field_and_the_known_ones() -> None:
    refusal = unknown("level", "seats[1].computer.level", "godlike", ("easy", "normal")).refusal
    assert refusal.message == 'there is no such level as "godlike"; there are: easy, normal'
    assert refusal.field == "seats[1].computer.level"
    assert refusal.details == {"what": "level", "value": "godlike", "known": "easy, normal"}
    assert unknown("game", "game", "").refusal.message == 'there is no such game as ""'


def test_a_wrong_number_of_seats_is_named_with_the_possible_ones() -> None:
    refusal = wrong_seats("einstein", 2, 2, 1).refusal
    assert (refusal.field, refusal.message) == ("seats", "einstein is played with 2 seats, not 1")
    refusal = wrong_seats("emperado", 2, 6, 7, "wish.seats").refusal
    assert (refusal.field, refusal.message) == ("wish.seats", "emperado is played with 2 to 6 seats, not 7")


def test_a_list_of_known_values_stays_within_the_bounds_of_a_detail() -> None:
    assert listed(()) == ""
    assert listed(range(3)) == "0, 1, 2"
    many = listed(f"game_{number}" for number in range(100))
    assert len(many.encode()) <= 200
    assert many.startswith("game_0, game_1, ")
    assert many.endswith(", ...")
    assert unknown("game", "game", "x" * 500, [f"game_{number}" for number in range(100)]).refusal.details["known"] == many
