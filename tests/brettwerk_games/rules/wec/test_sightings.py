"""No eye learns which of several like pieces comes into its sight (WEC-RUL-54, WEC-OBS-8). BRETTWERK_PAIRS: how many pairs."""

import os
from collections.abc import Iterable
from itertools import count, islice
from typing import Any

import pytest

from brettwerk_games.rules.interface import Kind as Carry
from brettwerk_games.rules.wec import GAME, sightings
from brettwerk_games.rules.wec.actions import Home, Move
from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.lookalikes import twin
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.piece_numbers import first_called, meant
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Called, Memory
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.working_copy import WorkingCopy
from tests.brettwerk_games.rules.wec.boards import SEED, Table, at, board
from tests.brettwerk_games.rules.wec.twins import twins
from tests.night import examples

PAIRS = int(os.environ.get("BRETTWERK_PAIRS", examples(60, 15)))
GIVEN, NOTICED = sightings._given, sightings._noticed


def aaas(table: Table, eye: int = 0) -> dict[int, int]:
    """The numbers of the AAAs that an eye sees, by place."""
    return {piece.place: piece.id for piece in table.view(eye).pieces if piece.kind == Kind.AAA and piece.seat != eye}


def marks(table: Table) -> dict[int, int]:
    return {mark.place: mark.piece for mark in table.view(0).memory.marks}


def met(*pieces: str) -> Table:
    """Black's detector has seen these pieces and stepped back."""
    return Table("B SHP(4,4)", *pieces).move("SHP", "(4,4)", "(5,3)").end()


def gone_to(table: Table, here: str, there: str) -> Table:
    """An AAA has gone from one place to another, unseen all the way."""
    pieces = [p._replace(place=at(there)) if p.place == at(here) else p for p in table.position.pieces]
    table.position = table.position._replace(pieces=tuple(pieces))
    return table


def follow(most: int) -> int:
    return sum(pair.follow() for pair in islice(twins(count()), most))


def test_a_piece_that_comes_into_sight_is_not_told_from_others_of_its_kind() -> None:
    assert follow(PAIRS) > PAIRS // 4


def test_on_an_edited_board_numbers_do_not_tell_how_many_hidden_pieces_stand_before_others() -> None:
    plain, other = (
        new(Options(), 2, board("W RP(6,4)", *more), SEED).position for more in ((), ("W AAA(10,9)", "W SU(9,9) Sub"))
    )
    for seat in (0, None):
        assert GAME.codec.encode(Carry.VIEW, view(plain, seat)) == GAME.codec.encode(Carry.VIEW, view(other, seat))
    assert [p.id for p in plain.pieces] != [p.id for p in other.pieces if p.kind not in (Kind.AAA, Kind.SUB)]


def test_a_number_stays_while_a_piece_goes_out_of_sight_and_comes_back() -> None:
    table = met("W AAA(7,7)")
    (number,) = marks(table).values()
    table.move("AAA", "(7,7)", "(6,6)")
    assert (aaas(table), marks(table)) == ({at("(6,6)"): number}, {})


def test_of_two_like_pieces_the_nearest_one_that_is_missed_is_thought_to_come_back() -> None:
    table = met("W AAA(7,7)", "W AAA(2,7)")
    first, second = marks(table)[at("(7,7)")], marks(table)[at("(2,7)")]
    gone_to(gone_to(table, "(2,7)", "(9,9)"), "(7,7)", "(3,7)").move("AAA", "(3,7)", "(3,6)")
    assert (aaas(table), marks(table)) == ({at("(3,6)"): second}, {at("(7,7)"): first})


def test_a_piece_that_nothing_like_it_is_missed_for_gets_a_new_number() -> None:
    table = met("W RP(6,2)", "W AAA(9,9)")
    known = {piece.id for piece in table.view(0).pieces}
    gone_to(table, "(9,9)", "(7,7)").move("AAA", "(7,7)", "(6,6)")
    (number,) = aaas(table).values()
    assert number == max(known) + 1


def test_on_the_standard_board_numbers_are_those_that_everybody_knows() -> None:
    position = new(Options(), 2, None, SEED).position
    assert not any(position.called)
    ids = {piece.id: (piece.kind, piece.hand) for piece in position.pieces}
    for pair in islice(twins(range(0, 40, 4)), 3):
        pair.follow()
        for piece in view(pair.here, 0).pieces:
            assert piece.seat == 0 or ids.get(piece.id, (piece.kind, piece.hand)) == (piece.kind, piece.hand)


def test_a_homing_projectile_does_not_tell_that_its_target_comes_back() -> None:
    table = Table("B DS(4,4)", "W SU(4,6) Sub", "W SU(4,2) Sub", submergence_detector_range=2, homing_range=3)
    (target,) = (piece.id for piece in table.view(0).pieces if piece.place == at("(4,6) Sub"))
    table.play(Home(table.find("DS", "(4,4)").id, Article.TORPEDO, target))
    assert [flying.target for flying in table.view(0).projectiles] == [target]
    table.move("DS", "(4,4)", "(3,3)")
    assert [flying.target for flying in table.view(0).projectiles] == [0]
    assert [flying.target for flying in table.position.projectiles] == [target]


HERE, THERE = at("(4,4) Sub"), at("(3,3) Sub")


def parted(*, second_goes: bool, homes_on: int = -1) -> tuple[Table, list[int]]:
    """Black sees two Subs that look alike, and may fire at one; one of them goes. Return the numbers that they had."""
    table = Table("B DS(4,6)", "W SU(4,4) Sub", "W SU(4,4) Sub", submergence_detector_range=2, homing_range=9)
    numbers = sorted(piece.id for piece in table.view(0).pieces if piece.place == HERE)
    if homes_on >= 0:
        table.play(Home(table.find("DS", "(4,6)").id, Article.TORPEDO, numbers[homes_on]))
    table.move("K", "(1,10)", "(1,9)").end()
    pair = sorted(piece.id for piece in table.position.pieces if piece.place == HERE)
    table.play(Move(pair[second_goes], THERE))
    return table, numbers


@pytest.mark.parametrize("homes_on", [-1, 0, 1])
def test_of_two_that_look_alike_nobody_learns_which_one_goes(homes_on: int) -> None:
    received = []
    for second_goes in (False, True):
        table, numbers = parted(second_goes=second_goes, homes_on=homes_on)
        assert [piece.id for piece in table.view(0).pieces if piece.place == HERE] == numbers[:1]
        assert marks(table) == {HERE: numbers[1]}
        received.append(tuple(GAME.codec.encode(Carry.VIEW, table.view(seat)) for seat in (0, None)))
    assert received[0] == received[1]


def test_a_homing_projectile_at_one_of_two_look_alikes_has_the_number_of_its_target() -> None:
    for second_goes in (False, True):
        for homes_on, place in ((0, HERE), (1, THERE)):
            table, numbers = parted(second_goes=second_goes, homes_on=homes_on)
            (flying,) = table.position.projectiles
            assert [piece.place for piece in table.position.pieces if piece.id == flying.target] == [place]
            assert [one.target for one in table.view(0).projectiles] == [0 if homes_on else numbers[0]]


def test_a_lock_tells_two_pieces_apart_for_its_own_side_only() -> None:
    table = Table("B SHP(4,4)", "W AAA(4,5)", "W AAA(4,5)")
    locked = table.find("SHP", "(4,4)").lock
    one, other = (piece for piece in table.position.pieces if piece.place == at("(4,5)"))
    assert twin(table.position, 0, one) == (None if locked in (one.id, other.id) else other)
    pieces = tuple(piece._replace(lock=one.id) if piece.kind == Kind.STEALTH_PAWN else piece for piece in table.position.pieces)
    assert twin(table.position._replace(pieces=pieces), 0, one) is None
    pieces = tuple(piece._replace(lock=0) for piece in pieces)
    assert twin(table.position._replace(pieces=pieces), 0, one) == other


def test_actions_mean_pieces_by_the_numbers_of_their_seat() -> None:
    table = Table("W AAA(9,1)", "W JE(6,5) Air", "B JE(5,5) Air")
    table.position = table.position._replace(called=first_called(table.position))
    jet = table.find("JE", "(6,5) Air", seat=1).id
    (received,) = (piece.id for piece in table.view(0).pieces if piece.place == at("(6,5) Air"))
    assert received != jet
    action = Home(table.find("JE", "(5,5) Air", seat=0).id, Article.SAM, received)
    assert action in table.legal()
    assert meant(table.position, 0, action) == Home(action.piece, Article.SAM, jet)
    assert [flying.target for flying in table.play(action).position.projectiles] == [jet]
    assert [flying.target for flying in table.view(0).projectiles] == [received]


def test_names_given_to_seen_pieces_come_back_from_their_bytes() -> None:
    table = met("W RP(6,4)", "W AAA(7,7)")
    called = first_called(new(Options(), 2, board("W RP(6,4)", "W AAA(10,9)"), SEED).position)
    position = table.position._replace(called=called, memory=(*table.position.memory[:2], Memory(gone=(3,))))
    assert any(called) and any(position.memory[0])
    assert GAME.codec.decode(Carry.POSITION, GAME.codec.encode(Carry.POSITION, position)) == position


def ids(work: WorkingCopy, eye: int, come: Iterable[Piece], named: Called) -> dict[int, int]:
    """Pieces that come into sight are called by their ids."""
    return {piece.id: piece.id for piece in come}


def other_ones(work: WorkingCopy, eye: int, come: Iterable[Piece], named: Called) -> dict[int, int]:
    """Which of the missed ones comes into sight hangs on its id."""
    found = GIVEN(work, eye, come, named)
    for piece in come:
        like = [mark.piece for mark in work.before.memory[eye].marks if mark.kind == piece.kind]
        like = [number for number in like if number not in found.values()]
        if like and piece.id % 2:
            found[piece.id] = like[0]
    return found


def order_of_ids(work: WorkingCopy, eye: int, come: Iterable[Piece], named: Called) -> dict[int, int]:
    """Those that come into sight at once have their numbers in the order of their ids."""
    found = GIVEN(work, eye, come, named)
    return dict(zip(sorted(found), sorted(found.values()), strict=True))


def lasting_marks(work: WorkingCopy, eye: int, changed: Any, after: frozenset[int], swapped: Any) -> tuple[Memory, Called]:
    """A marker goes only when a piece with an even id comes into sight."""
    memory, called = NOTICED(work, eye, changed, after, swapped)
    if any(number % 2 and number not in after for number in work.before.unseen):
        memory = Memory(work.before.memory[eye].marks, memory.gone)
    return memory, called


def by_ids(work: WorkingCopy, eye: int, changed: Any, after: frozenset[int]) -> dict[int, int]:
    """Of two that look alike each keeps its number, which follows its id."""
    return {}


@pytest.mark.parametrize("homes_on", [-1, 0, 1])
def test_numbers_that_tell_who_parts_are_found(homes_on: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, "_parted", by_ids)
    with pytest.raises(AssertionError):
        test_of_two_that_look_alike_nobody_learns_which_one_goes(homes_on)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "leak"), [("_given", ids), ("_given", other_ones), ("_given", order_of_ids), ("_noticed", lasting_marks)]
)
def test_a_planted_leak_of_who_is_who_is_found(name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, name, leak)
    with pytest.raises(AssertionError):
        follow(200)
