"""Instructions to a game's codec besides values and contract: other terms, checks, what may be left out, what is kept."""

from typing import Any, NamedTuple

import pytest

from brettwerk.v1 import einstein_pb2, wec_pb2
from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.derived.differences import As, Differences
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.registry import games


class Entry(NamedTuple):
    source: int
    target: int
    least: int


class Throw(NamedTuple):
    attacker: tuple[int, ...]
    defender: tuple[int, ...]
    won: int | None = None


class Ended(NamedTuple):
    winner: int | None
    end: int


def pairs(**differences: Any) -> Pairs:
    return Pairs("Emperado", pb.DESCRIPTOR.message_types_by_name, Differences(**differences))


def refused_field(pair: Any, message: Any) -> str:
    with pytest.raises(Malformed) as refused:
        pair.read(message)
    return refused.value.field


def test_a_value_is_the_bytes_of_its_message() -> None:
    pair = pairs().pair(Entry)
    assert pair.write(Entry(59, 0, 3)) == pb.EmperadoEntry(source=59, target=0, least=3).SerializeToString()
    assert pair.read(pb.EmperadoEntry(source=59, least=3)) == Entry(59, 0, 3)


def test_bounds_are_those_of_the_contract() -> None:
    pair = pairs().pair(Entry)
    assert refused_field(pair, pb.EmperadoEntry(source=60, least=1)) == "source"
    assert refused_field(pair, pb.EmperadoEntry(source=59)) == "least"
    assert pairs(judged=frozenset({"EmperadoEntry"})).pair(Entry).read(pb.EmperadoEntry(source=60)) == Entry(60, 0, 0)


def test_a_number_that_may_be_none_is_one_higher_in_its_message() -> None:
    pair = pairs().pair(Ended)
    for winner in (None, 0, 5):
        data = pair.write(Ended(winner, 1))
        assert pb.EmperadoEnded.FromString(data).winner == (0 if winner is None else winner + 1)
        assert pair.read(pb.EmperadoEnded.FromString(data)) == Ended(winner, 1)
    assert refused_field(pair, pb.EmperadoEnded(winner=7)) == "winner"


def test_a_field_in_other_terms_has_another_name_if_it_likes() -> None:
    class Renamed(NamedTuple):
        source: int
        target: int
        fewer: int

    def one_fewer(least: int) -> int:
        if least == 3:
            raise Malformed("three are too many")
        return least - 1

    messages = {"EmperadoRenamed": pb.EmperadoEntry.DESCRIPTOR}
    renamed = Pairs(
        "Emperado",
        messages,
        Differences(ways={"EmperadoEntry.least": As(int, lambda fewer: fewer + 1, one_fewer, of="fewer")}),
    ).pair(Renamed)
    assert renamed.read(pb.EmperadoEntry(least=2)) == Renamed(0, 0, 1)
    assert renamed.write(Renamed(0, 0, 1)) == pb.EmperadoEntry(least=2).SerializeToString()
    assert refused_field(renamed, pb.EmperadoEntry(least=3)) == "least"
    with pytest.raises(ValueError, match=r"fewer.*least"):
        Pairs("Emperado", messages).pair(Renamed)


def test_a_list_tells_which_element_is_wrong_unless_it_must_not() -> None:
    message = pb.EmperadoThrow(attacker=[6, 7])
    assert refused_field(pairs().pair(Throw), message) == "attacker[1]"
    assert refused_field(pairs(unnumbered=frozenset({"EmperadoThrow.attacker"})).pair(Throw), message) == "attacker"


def test_a_check_comes_after_the_bounds() -> None:
    checked = pairs(checks={Entry: lambda entry: ("target", "it is the source") if entry.source == entry.target else None})
    assert refused_field(checked.pair(Entry), pb.EmperadoEntry(source=60, target=60, least=1)) == "source"
    assert refused_field(checked.pair(Entry), pb.EmperadoEntry(source=5, target=5, least=1)) == "target"
    assert checked.pair(Entry).read(pb.EmperadoEntry(source=5, target=6, least=1)) == Entry(5, 6, 1)


def test_a_repeated_value_is_written_once() -> None:
    pair = pairs(kept={"EmperadoEntry": 4}).pair(Entry)
    assert pair.write(Entry(1, 2, 3)) is pair.write(Entry(1, 2, 3))


def test_a_field_that_is_not_read_needs_no_value() -> None:
    class Short(NamedTuple):
        source: int
        target: int

    messages = {"EmperadoShort": pb.EmperadoEntry.DESCRIPTOR}
    with pytest.raises(ValueError, match="least"):
        Pairs("Emperado", messages).pair(Short)
    pair = Pairs("Emperado", messages, Differences(unread=frozenset({"EmperadoEntry.least"}))).pair(Short)
    assert pair.read(pb.EmperadoEntry(source=1, target=2, least=99)) == Short(1, 2)


def test_a_difference_from_what_the_contract_has_not_is_found_at_once() -> None:
    for name in ("EmperadoEntry.leest", "EmperadoEntries"):
        with pytest.raises(ValueError, match=name):
            pairs(unread=frozenset({name}))


class Line(NamedTuple):
    full: str
    texts: tuple[str, str, str]


class Counts(NamedTuple):
    ready: tuple[int, int]


BY_HAND = frozenset({"WecLine.in_full"})


def wec(name: str, message: Any, **differences: Any) -> Pairs:
    return Pairs("Wec", {f"Wec{name}": message.DESCRIPTOR}, Differences(**differences))


def test_a_tuple_is_a_message_of_as_many_fields() -> None:
    pair = wec("Line", wec_pb2.WecLine, unread=BY_HAND).pair(Line)
    message = wec_pb2.WecLine(full="M", texts=wec_pb2.WecTexts(black="M", spectator="?"))
    assert pair.read(message) == Line("M", ("M", "", "?"))
    assert pair.write(Line("M", ("M", "", "?"))) == message.SerializeToString()
    message.texts.white = "x" * 4001
    assert refused_field(pair, message) == "texts.white"


def test_a_message_is_missing_unless_it_may_be_left_out() -> None:
    message = wec_pb2.WecLine(full="M")
    assert refused_field(wec("Line", wec_pb2.WecLine, unread=BY_HAND).pair(Line), message) == "texts"
    may_lack = Differences(left_out=frozenset({"WecTexts"}), unread=BY_HAND)
    lenient = Pairs("Wec", wec_pb2.DESCRIPTOR.message_types_by_name, may_lack)
    assert lenient.pair(Line).read(message) == Line("M", ("", "", ""))


def test_a_tuple_is_as_many_fields_that_begin_with_its_name() -> None:
    rest = {field.name for field in wec_pb2.WecPiece.DESCRIPTOR.fields} - {"ready_first", "ready_second"}
    unread = frozenset(f"WecPiece.{name}" for name in rest)
    pair = wec("Counts", wec_pb2.WecPiece, unread=unread).pair(Counts)
    assert pair.read(wec_pb2.WecPiece(ready_first=3, ready_second=300)) == Counts((3, 300))
    assert pair.write(Counts((0, 300))) == wec_pb2.WecPiece(ready_second=300).SerializeToString()


def test_an_alternative_may_be_a_number_of_its_own() -> None:
    codec = games()["einstein"].codec
    assert codec.decode(Kind.EVENT, einstein_pb2.EinsteinEvent(rolled=6).SerializeToString()) == (6,)
    for said, data in ((6, "1006"), (1, "1001")):
        rolled = codec.decode(Kind.EVENT, einstein_pb2.EinsteinEvent(rolled=said).SerializeToString())
        assert codec.encode(Kind.EVENT, rolled).hex() == data


def test_a_derived_field_is_written_and_not_read() -> None:
    class Flying(NamedTuple):
        square: int

        @property
        def place(self) -> int:
            return 100 + self.square

    rest = {field.name for field in wec_pb2.WecProjectile.DESCRIPTOR.fields} - {"square", "place"}
    unread = frozenset(f"WecProjectile.{name}" for name in rest)
    pair = wec("Flying", wec_pb2.WecProjectile, unread=unread, written=frozenset({"WecProjectile.place"})).pair(Flying)
    assert pair.write(Flying(7)) == wec_pb2.WecProjectile(square=7, place=107).SerializeToString()
    assert pair.read(wec_pb2.WecProjectile(square=7, place=299)) == Flying(7)
