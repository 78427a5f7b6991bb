"""The history in the bytes of a position: every text up to the fourth revision, and none twice from the fifth on."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import REVISION, End, Line, Position
from brettwerk_games.rules.wec.rules import over
from brettwerk_games.rules.wec.start import new_by
from tests.brettwerk_games.rules.wec import plain
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.random_games import play_from

FORMER = (1, 2, 3, 4)
COMPETITIVE = Options(competitive=True)
SEEN = Line("MV:FP(2,5)->(3,5)", ("MV:FP(2,5)->(3,5)",) * 3)
HALF_SEEN = Line("MV:JE(3,3)->(4,3)", ("MV:JE(3,3)->(4,3)", "MV:JE(3,3)->(?,?)", "MV:?"))
UNTOLD = Line("MV:FP(2,5)->(3,5)", ("", "MV:FP(2,5)->(3,5)", ""))
"""No game has such a line, but bytes that say nothing must not say all."""
BYTES = {
    1: (
        "524e 0a114d563a465028322c35292d3e28332c3529 1239 0a114d563a465028322c35292d3e28332c3529"
        "12114d563a465028322c35292d3e28332c3529 1a114d563a465028322c35292d3e28332c3529"
        "5241 0a114d563a4a4528332c33292d3e28342c3329 122c 0a114d563a4a4528332c33292d3e28342c3329"
        "12114d563a4a4528332c33292d3e283f2c3f29 1a044d563a3f"
    ),
    5: (
        "5215 0a114d563a465028322c35292d3e28332c3529 1807"
        "5230 0a114d563a4a4528332c33292d3e28342c3329 1219 12114d563a4a4528332c33292d3e283f2c3f29 1a044d563a3f 1801"
    ),
}
"""The field of the lines, by the first revision that has it so."""


def start(revision: int, options: Options = COMPETITIVE) -> Position:
    return new_by(str(revision), options, 2, None, SEED).position


def encoded(position: Position) -> bytes:
    return GAME.codec.encode(Kind.POSITION, position)


def decoded(data: bytes) -> Position:
    position: Position = GAME.codec.decode(Kind.POSITION, data)
    return position


def games(revision: int) -> Iterator[Position]:
    """Yield positions at the beginning of Turns, of games in which pieces hide."""
    for number in range(3):
        yield from [b for a, b in pairwise(play_from(start(revision), number, 60)) if a.ply < b.ply][::6]


@pytest.mark.parametrize("revision", [*FORMER, REVISION])
def test_lines_have_the_bytes_of_their_revision(revision: int) -> None:
    before = start(revision)
    wanted = bytes.fromhex(BYTES[1 if revision in FORMER else 5])
    data = encoded(before._replace(history=(SEEN, HALF_SEEN)))
    assert wanted in data
    assert len(data) == len(encoded(before)) + len(wanted)


@pytest.mark.parametrize("revision", [*FORMER, REVISION])
def test_games_of_every_revision_come_back_from_their_bytes(revision: int) -> None:
    for position in games(revision):
        data = encoded(position)
        assert data == plain.encoded(position)
        assert decoded(data) == position
        assert encoded(decoded(data)) == data
        ended = over(position, End.RESIGNED, 1).position
        assert decoded(encoded(ended)) == ended


def test_the_fifth_revision_says_the_same_in_fewer_bytes() -> None:
    for now, former in zip(games(REVISION), games(4), strict=True):
        assert now == former._replace(revision=REVISION)
        texts = sum(len(text) for line in now.history for text in line.texts if text == line.full)
        assert len(encoded(now)) < len(encoded(former)) - texts
        for seat in (0, 1, None):
            views = [GAME.codec.encode(Kind.VIEW, GAME.view(position, seat)) for position in (now, former, decoded(encoded(now)))]
            assert len(set(views)) == 1
    assert any(text != line.full for line in now.history for text in line.texts)
    assert len(encoded(now)) < 0.6 * len(encoded(former))


def test_a_line_can_be_in_positions_of_both_kinds() -> None:
    for first, second in ((4, REVISION), (REVISION, 4)):
        history = (Line(*SEEN), Line(*HALF_SEEN))
        for revision in (first, second, first):
            position = start(revision)._replace(history=history)
            assert encoded(position) == plain.encoded(position)


TEXTS = st.sampled_from(("MV:?", "MV:FP(2,5)->(3,5)", "MV:FP(2,5)->(?,?)", ""))


@given(st.lists(st.builds(Line, TEXTS, st.tuples(TEXTS, TEXTS, TEXTS)), max_size=4), st.sampled_from((1, 4, REVISION)))
def test_no_text_becomes_another_one(history: list[Line], revision: int) -> None:
    position = start(revision)._replace(history=tuple(history))
    assert encoded(position) == plain.encoded(position)
    assert decoded(encoded(position)) == position


@pytest.mark.parametrize("revision", [*FORMER, REVISION])
def test_an_eye_without_a_text_is_told_nothing(revision: int) -> None:
    position = decoded(encoded(start(revision)._replace(history=(UNTOLD,))))
    assert [GAME.view(position, seat).history for seat in (0, 1, None)] == [("",), (UNTOLD.full,), ("",)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: setattr(line, "in_full", 8),
        lambda line: setattr(line.texts, "black", "MV:?"),
        lambda line: setattr(line.texts, "spectator", line.full),
    ],
)
def test_a_line_that_contradicts_itself_is_malformed(spoil: Any) -> None:
    message = pb.WecPosition.FromString(encoded(start(REVISION)._replace(history=(SEEN, SEEN))))
    spoil(message.history[1])
    with pytest.raises(Malformed) as refusal:
        decoded(message.SerializeToString())
    assert refusal.value.field == "history[1].in_full"


@pytest.mark.parametrize(("options", "shared"), [(Options(), True), (COMPETITIVE, False)])
def test_views_share_a_history_that_everybody_may_read(options: Options, *, shared: bool) -> None:
    *_, position = play_from(start(REVISION, options), 3, 60)
    views = [GAME.view(position, seat) for seat in (0, 1, None)]
    shown = pb.WecView(history=views[0].history).SerializeToString()
    parts = GAME.codec.encode_views(views, b"")
    assert all(shown in each for each in parts) == shared


@pytest.mark.parametrize("revision", [*FORMER, REVISION])
def test_a_game_from_the_board_of_another_begins_without_its_history(revision: int) -> None:
    *_, board = games(revision)
    for now in (4, REVISION):
        begun = new_by(str(now), Options(), 2, decoded(encoded(board)), SEED).position
        assert begun.history == () and begun.revision == now
        assert decoded(encoded(begun)) == begun
