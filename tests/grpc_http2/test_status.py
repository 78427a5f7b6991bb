"""The status in the headers of a call's end, and its deadline."""

import grpc
import pytest

from grpc_http2.status import DETAILS, Status, seconds, status_in, timeout_header


@pytest.mark.parametrize(
    "status",
    [
        Status(),
        Status(grpc.StatusCode.NOT_FOUND, "there is no such thing: 100 % \u00fc", (("x-a", "1"), (DETAILS, b"\0\xff"))),
    ],
    ids=["well", "refused"],
)
def test_a_status_is_read_as_it_was_written(status: Status) -> None:
    read = status_in([(b":status", b"200"), *status.trailers()])
    assert (read.code, read.message, tuple(read.metadata)) == (status.code, status.message, status.metadata)
    assert read.details == status.details


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ([(b":status", b"503")], grpc.StatusCode.UNAVAILABLE),
        ([(b":status", b"404")], grpc.StatusCode.UNIMPLEMENTED),
        ([(b":status", b"none")], grpc.StatusCode.UNKNOWN),
        ([(b"grpc-status", b"99")], grpc.StatusCode.UNKNOWN),
        ([(b"grpc-status", b"-1")], grpc.StatusCode.UNKNOWN),
        (None, grpc.StatusCode.UNKNOWN),
    ],
)
def test_every_end_of_a_call_has_a_code(headers: list[tuple[bytes, bytes]] | None, code: grpc.StatusCode) -> None:
    assert status_in(headers).code is code


def test_details_that_cannot_be_read_are_none() -> None:
    assert status_in([(b"grpc-status", b"5"), (DETAILS.encode(), b"\xff!")]).details == b""


@pytest.mark.parametrize(
    ("header", "read"),
    [(b"3S", 3.0), (b"20m", 0.02), (b"1H", 3600.0), (b"", None), (b"9", None), (b"123456789S", None), (b"-1S", None)],
)
def test_a_deadline_is_read_in_its_unit(header: bytes, read: float | None) -> None:
    assert seconds(header) == read
    if read is not None and read < 99_999:
        assert seconds(timeout_header(read)) == read
