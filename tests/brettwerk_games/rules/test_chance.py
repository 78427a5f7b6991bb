"""Chance from outside: commitments, step seeds and dice."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.rules.chance import SEED_BYTES, Dice, Draw, Drawn, Undrawn, commitment, deal, deal_seed, step_seed
from tests.night import SHARE

SECRET = bytes(range(32))
CONTRIBUTIONS = (b"white's share", b"")


def test_a_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).digest()


def test_step_seeds_stay_what_they_are() -> None:
    seeds = [step_seed(SECRET, "07abcdefghijklmnopqrstuv", ply, CONTRIBUTIONS).hex() for ply in (0, 1, 2**40)]
    assert seeds == [
        "f60ff59a710248cd097636d634c3a14397218ec6f5129226fed3a42079bbf505",
        "6a1258c6a6fd6eded13a0e84cb80d1575df6476b69d1ec08ce5cb9edfed357d9",
        "fb9b78878da8bee9a9bd7a11abfc26e31b318bb8ea3624d84dfa63e951115b31",
    ]


def test_a_step_seed_is_what_its_docstring_says() -> None:
    message = b"".join(
        len(part).to_bytes(8, "big") + part for part in (b"brettwerk step 1", b"session", (5).to_bytes(8, "big"), *CONTRIBUTIONS)
    )
    expected = hmac.new(SECRET, hashlib.sha256(message).digest(), hashlib.sha256).digest()
    assert step_seed(SECRET, "session", 5, CONTRIBUTIONS) == expected


def test_step_seeds_depend_on_everything() -> None:
    seeds = {
        step_seed(SECRET, "a", 1, CONTRIBUTIONS),
        step_seed(SECRET[::-1], "a", 1, CONTRIBUTIONS),
        step_seed(SECRET, "b", 1, CONTRIBUTIONS),
        step_seed(SECRET, "a", 2, CONTRIBUTIONS),
        step_seed(SECRET, "a", 1, ()),
        step_seed(SECRET, "a", 1, CONTRIBUTIONS[::-1]),
        step_seed(SECRET, "a", 1, (b"white's share",)),
        step_seed(SECRET, "a", 1, (b"white's ", b"share")),
    }
    assert len(seeds) == 8


def test_draws_stay_what_they_are() -> None:
    dice = Dice(SECRET, "roll")
    assert [dice.roll() for _ in range(20)] == [4, 4, 2, 1, 2, 5, 2, 6, 4, 4, 6, 5, 3, 5, 3, 6, 4, 3, 4, 3]
    assert Dice(SECRET, "setup").shuffled("ABCDEFGHIJ") == tuple("FBEJAIDHGC")
    assert [Dice(SECRET).below(2**32), Dice(SECRET).below(720)] == [3198964221, 621]


def test_draws_are_the_words_of_hmac_blocks_in_order() -> None:
    key = hmac.new(SECRET, b"roll", hashlib.sha256).digest()
    blocks = b"".join(hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest() for block in range(3))
    dice = Dice(SECRET, "roll")
    assert [dice.below(2**32) for _ in range(24)] == [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, 96, 4)]


def test_streams_of_different_purposes_differ() -> None:
    streams = {purpose: tuple(Dice(SECRET, purpose).below(2**32) for _ in range(4)) for purpose in ("", "roll", "setup", "first")}
    assert len(set(streams.values())) == 4


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_draws_are_below_their_bound(seed: bytes, bound: int) -> None:
    dice = Dice(seed)
    assert all(0 <= dice.below(bound) < bound for _ in range(10))


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=20))
def test_shuffling_keeps_the_items(seed: bytes, items: list[int]) -> None:
    assert sorted(Dice(seed).shuffled(items)) == sorted(items)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Dice(SECRET).below(bound)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    assert SEED_BYTES == 32
    with pytest.raises(ValueError, match="32 bytes"):
        Dice(bytes(length))


def test_draws_are_not_biased_where_the_bound_does_not_divide_the_range() -> None:
    dice = Dice(SECRET, "bias")
    low = sum(dice.below(3 * 2**30) < 2**30 for _ in range(6000))
    assert abs(low - 2000) < 130


def test_all_orders_are_drawn_equally_often() -> None:
    dice = Dice(SECRET, "orders")
    orders = Counter(dice.shuffled("ABC") for _ in range(6000))
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


@pytest.mark.nightly
def test_a_million_rolls_are_fair() -> None:
    """Chi-square with 5 degrees of freedom is above 20.5 once in a thousand; the seed is fixed, so it stays as it is."""
    dice = Dice(SECRET, "million")
    faces = Counter(dice.roll() for _ in range(1_000_000))
    expected = 1_000_000 / 6
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert sum((count - expected) ** 2 / expected for count in faces.values()) < 20.5


def test_first_rolls_of_many_steps_are_fair_and_independent() -> None:
    """A game's rolls: one of each step seed. Pairs of neighbours are counted too (35 degrees of freedom, 0.001: 66.6)."""
    steps = 100_000 if SHARE >= 1 else 20_000
    rolls = [Dice(step_seed(SECRET, "session", ply, CONTRIBUTIONS), "roll").roll() for ply in range(steps)]
    assert sum((rolls.count(face) - steps / 6) ** 2 / (steps / 6) for face in range(1, 7)) < 20.5
    pairs = Counter(zip(rolls[::2], rolls[1::2], strict=True))
    assert sum((pairs[a, b] - steps / 72) ** 2 / (steps / 72) for a in range(1, 7) for b in range(1, 7)) < 66.6


def test_a_deal_gives_seats_to_those_who_alone_wish_for_them() -> None:
    seed = bytes(32)
    assert deal([None, None], seed) == (0, 1)
    assert deal([1, None], seed) == (1, 0)
    assert deal([1, 0], seed) == (1, 0)
    assert deal([0, 1], seed) == (0, 1)
    assert deal([2, None, None], seed) == (2, 1, 0)
    assert deal([1, 2, 0], seed) == (2, 0, 1)


def test_equal_wishes_are_decided_by_a_fair_lot() -> None:
    won = Counter(deal([0, 0], seed.to_bytes(32, "big")) for seed in range(2000))
    assert set(won) == {(0, 1), (1, 0)} and min(won.values()) > 900


@given(st.lists(st.none() | st.integers(0, 5), min_size=2, max_size=6), st.binary(min_size=32, max_size=32))
def test_a_deal_seats_everybody_once_and_meets_a_wish_wherever_there_is_one(wishes: list[int | None], seed: bytes) -> None:
    wishes = [None if wish is None or wish >= len(wishes) else wish for wish in wishes]
    order = deal(wishes, seed)
    assert sorted(order) == list(range(len(wishes)))
    winners = {order[seat] for seat in range(len(wishes)) if seat in wishes}
    assert all(wishes[order[seat]] == seat for seat in range(len(wishes)) if seat in wishes)
    assert all(order[n] == n for n in range(len(wishes)) if n not in winners and n not in wishes), "whoever can stay stays"


def test_the_seed_of_a_deal_depends_on_everything_and_is_no_step_seed() -> None:
    seeds = {
        deal_seed(bytes(32), "a", [b"", b""]),
        deal_seed(bytes(31) + b"1", "a", [b"", b""]),
        deal_seed(bytes(32), "b", [b"", b""]),
        deal_seed(bytes(32), "a", [b"1", b""]),
        deal_seed(bytes(32), "a", [b"", b"1"]),
        *(step_seed(bytes(32), "a", ply, [b"", b""]) for ply in range(9)),
    }
    assert len(seeds) == 14


def test_dice_of_what_was_drawn_draw_that_and_ask_for_the_next() -> None:
    drawn = Drawn().after(Draw("roll", 1, 6), 3)
    dice = Dice(drawn, "roll")
    assert dice.roll() == 4
    assert dice.below(1) == 0
    with pytest.raises(Undrawn, match="draw 3 of 'roll', below 2, is still to be made") as asked:
        dice.below(2)
    assert Dice(drawn.after(asked.value.draw, 1), "roll").shuffled("a") == ("a",)
    with pytest.raises(Undrawn, match="draw 1 of 'cards'"):
        Dice(drawn, "cards").below(6)


def test_dice_of_what_was_drawn_know_blocks_of_eight() -> None:
    dice = Dice(Drawn().after(Draw("", 17, 6), 5))
    dice.go_to(2)
    assert dice.below(6) == 5


def test_chance_is_taken_by_dice_alone_where_it_is_drawn_step_by_step() -> None:
    reads: tuple[Callable[[Any], object], ...] = (bytes, list, len, hashlib.sha256)
    for read in reads:
        with pytest.raises(TypeError):
            read(Drawn())
