"""Frames are read as the library that clients use writes them, however they are cut, and nothing gets past the bounds."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ProtocolError
from websockets.frames import Close, Frame, Opcode
from websockets.streams import StreamReader

from gateway import frames
from gateway.frames import Broken, FrameReader

MAX_BYTES = 70_000


def masked(opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, fin=fin).serialize(mask=True)


def read_all(reader: FrameReader) -> list[tuple[int, bytes]]:
    found = []
    while (frame := reader.next()) is not None:
        found.append(frame)
    return found


def broken_by(data: bytes) -> int:
    reader = FrameReader(MAX_BYTES)
    reader.feed(data)
    with pytest.raises(Broken) as broken:
        read_all(reader)
    return broken.value.code


payloads = st.binary(max_size=300) | st.sampled_from(
    [b"", b"x" * 125, b"x" * 126, b"x" * 65_535, b"x" * 65_536, b"x" * MAX_BYTES]
)
whole = st.tuples(st.just(frames.BINARY), payloads)
control = st.tuples(st.sampled_from([frames.PING, frames.PONG]), st.binary(max_size=125))


@given(st.lists(whole | control, max_size=8), st.data())
def test_frames_come_in_order_however_they_are_cut(sent: list[tuple[int, bytes]], data: st.DataObject) -> None:
    stream = b"".join(masked(*frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    reader, found = FrameReader(MAX_BYTES), []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        reader.feed(stream[begin:end])
        if data.draw(st.booleans()):
            found += read_all(reader)
    found += read_all(reader)
    assert found == sent
    assert not reader._data
    assert reader._pieces is None


@given(st.lists(st.binary(max_size=200), min_size=2, max_size=6))
def test_a_message_in_pieces_is_one_with_control_frames_between(pieces: list[bytes]) -> None:
    reader = FrameReader(MAX_BYTES)
    for number, piece in enumerate(pieces):
        opcode = frames.CONTINUED if number else frames.BINARY
        reader.feed(masked(frames.PING, b"?") + masked(opcode, piece, fin=number == len(pieces) - 1))
    found = read_all(reader)
    assert found == [*[(frames.PING, b"?")] * len(pieces), (frames.BINARY, b"".join(pieces))]
    assert reader._pieces is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frames.control(frames.PING, b"unmasked"), 1002),
        (b"\x82\x05unmasked", 1002),
        (b"\xc2\x80\0\0\0\0", 1002),
        (b"\x83\x80\0\0\0\0", 1002),
        (b"\x8b\x80\0\0\0\0", 1002),
        (b"\x09\x80\0\0\0\0", 1002),
        (b"\x89\xfe\0\x7e\0\0\0\0", 1002),
        (b"\x80\x80\0\0\0\0", 1002),
        (masked(frames.BINARY, b"a", fin=False) + masked(frames.BINARY, b"b"), 1002),
        (masked(frames.BINARY, b"a", fin=False) + masked(frames.TEXT, b"b"), 1002),
        (b"\x82\xff" + (MAX_BYTES + 1).to_bytes(8, "big"), 1009),
        (b"\x82\xff" + b"\xff" * 8, 1009),
        (masked(frames.BINARY, b"x" * MAX_BYTES, fin=False) + b"\x80\x81", 1009),
    ],
    ids=[
        "unmasked ping",
        "unmasked",
        "reserved bit",
        "reserved data opcode",
        "reserved control opcode",
        "ping in pieces",
        "long ping",
        "continuation of nothing",
        "message within a message",
        "text within a message",
        "length",
        "length of 64 bits",
        "length of all pieces",
    ],
)
def test_what_breaks_the_protocol_or_the_bound_is_known_by_its_head(data: bytes, code: int) -> None:
    assert broken_by(data) == code


def test_text_is_reported_when_it_begins() -> None:
    reader = FrameReader(MAX_BYTES)
    reader.feed(b"\x01\xff" + (60_000).to_bytes(8, "big"))
    assert reader.next() == (frames.TEXT, b"")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    reader = FrameReader(MAX_BYTES)
    reader.feed(data)
    with contextlib.suppress(Broken):
        read_all(reader)


def parsed(data: bytes) -> Frame:
    reader = StreamReader()
    reader.feed_data(data)
    parsing = Frame.parse(reader.read_exact, mask=False)
    try:
        while True:
            next(parsing)
    except StopIteration as end:
        frame: Frame = end.value
        return frame


@given(payloads)
def test_what_is_written_is_what_the_library_reads(payload: bytes) -> None:
    frame = parsed(frames.head(frames.BINARY, len(payload)) + payload)
    assert (frame.opcode, frame.data, frame.fin) == (Opcode.BINARY, payload, True)


@given(st.sampled_from([1000, 1001, 1002, 1013, 3000]), st.text(max_size=200))
def test_a_close_frame_keeps_its_bound(code: int, reason: str) -> None:
    frame = parsed(frames.close(code, reason))
    close = Close.parse(frame.data)
    assert close.code == code
    assert reason.startswith(close.reason)
    assert frames.code_of(bytes(frame.data)) == code
    assert parsed(frames.close(frames.NO_STATUS)).data == b""


@pytest.mark.parametrize(("payload", "code"), [(b"\x03", 1002), (b"\x03\xed", 1002), (b"\0\0", 1002), (b"\x03\xe8\xff", 1007)])
def test_a_close_frame_that_cannot_be_is_a_breach(payload: bytes, code: int) -> None:
    with pytest.raises(Broken) as broken:
        frames.code_of(payload)
    assert broken.value.code == code
    with pytest.raises((ProtocolError, UnicodeDecodeError)):
        Close.parse(payload)
