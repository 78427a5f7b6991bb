from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules.any_codec import AnyCodec
from services.rules.position_cache import Remembered, counted_bytes
from tests.brettwerk_games.rules.kit.play import games_of
from tests.services.rules.asking import packed

A, B = "one game", "another game"


def test_a_kept_position_is_found_for_its_owner() -> None:
    memory = Remembered()
    memory.keep(A, b"x", 1)
    memory.keep(B, b"x", 2)
    assert (memory.find(A, b"x"), memory.find(B, b"x"), memory.find(A, b"y")) == (1, 2, None)
    memory.forget()
    assert memory.find(A, b"x") is None
    assert len(memory) == 0


def test_the_least_recently_used_is_forgotten_first() -> None:
    memory = Remembered(3 * counted_bytes(b"1"))
    for data in (b"1", b"2", b"3"):
        memory.keep(A, data, data)
    assert memory.find(A, b"1")
    memory.keep(A, b"2", b"2")
    memory.keep(A, b"4", b"4")
    assert [data for data in (b"1", b"2", b"3", b"4") if memory.find(A, data)] == [b"1", b"2", b"4"]


def test_long_positions_push_out_many_short_ones() -> None:
    memory = Remembered(10 * counted_bytes(b"1"))
    for number in range(100):
        memory.keep(A, bytes([number]), number)
        assert len(memory) == min(10, number + 1)
    long = b"x" * 1000
    memory.keep(A, long, "long")
    assert memory.find(A, long) == "long"
    assert len(memory) < 6
    memory.keep(A, b"x" * 100_000, "longer than all that is kept")
    assert len(memory) == 0
    memory.keep(A, b"1", "again")
    assert memory.find(A, b"1") == "again"


def test_positions_unused_between_two_looks_are_forgotten() -> None:
    memory = Remembered(10 * counted_bytes(b"1"))
    for data in (b"1", b"2", b"3"):
        memory.keep(A, data, data)
    memory.forget_idle()
    assert (len(memory), memory.use.entries) == (3, 3)
    assert memory.find(A, b"2")
    memory.keep(A, b"4", b"4")
    memory.forget_idle()
    assert [data for data in (b"1", b"2", b"3", b"4") if memory.find(A, data)] == [b"2", b"4"]
    assert (memory.use.entries, memory.use.bytes) == (2, 2 * counted_bytes(b"1"))
    for number in range(10, 30):  # full, so that the mark is reached as well
        memory.keep(A, bytes([number]), number)
    assert (len(memory), memory.use.bytes) == (10, memory.use.limit_bytes)
    memory.forget_idle()
    memory.forget_idle()
    assert (len(memory), memory.use.entries, memory.use.bytes) == (0, 0, 0)


def test_it_counts_what_it_holds_and_how_often_something_was_found() -> None:
    memory = Remembered(3 * counted_bytes(b"1"))
    for data in (b"1", b"2", b"3", b"4"):
        memory.keep(A, data, data)
    found = [memory.find(A, data) for data in (b"1", b"2", b"4")]
    use = memory.use
    assert (use.entries, use.bytes, use.hits, use.misses) == (3, use.limit_bytes, 2, 1)
    assert found == [None, b"2", b"4"]
    memory.forget()
    assert (use.entries, use.bytes) == (0, 0)


def test_a_position_that_comes_back_is_not_decoded_again(game: AnyGame) -> None:
    any_codec = AnyCodec(game)
    for position in games_of(game)[0].positions:
        message = any_codec.pack(Kind.POSITION, position)
        assert any_codec.unpack_stored(message, "position") is position
        other = AnyCodec(game).unpack_stored(message, "position")
        assert other == position
        assert packed(game, Kind.POSITION, other) == message
