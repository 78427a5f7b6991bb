"""Chance that was renewed when somebody sat down who did not bring the saved game: every such log is good, no forged one is."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules.chance import commitment, step_seed
from brettwerk_games.rules.interface import Resign
from services.rules.verify import report, verify
from tests.night import examples
from tests.services.rules.recording import EINSTEIN, SECRET, Recording

NEXT = bytes(range(32))
ORIGIN = "03originoriginoriginorig"


def copied(
    before: int, alone: int, together: int, *, seed_contribution: bytes = b"Ben", seed: int = 1, promised: bool = True
) -> Recording:
    """Return a copy of a game of so many plies, with more that its owner played alone, and more after a stranger sat down."""
    rng = random.Random(seed)
    variation = Recording(EINSTEIN, session_id=ORIGIN).start().play(rng, before).variation
    persons = 1 if alone == 0 else 2
    copy = Recording(EINSTEIN, variation=tuple(variation), chance_of=ORIGIN, next_secret=NEXT, persons=persons)
    if not promised:
        copy.record.entries[0].created.ClearField("next_commitment")
    if alone:
        copy.record.entries[2].seat_changed.occupant.person.player_id = "p0"
        copy.start().play(rng, alone)
        copy.renew(1, "p1", seed_contribution)
    else:
        copy.renew(1, "p1", seed_contribution)
        copy.start()
    return copy.play(rng, together)


def ended(copy: Recording) -> record_pb2.Record:
    if EINSTEIN.to_act(copy.position):
        copy.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    return copy.done()


def renewal_at(record: record_pb2.Record) -> int:
    return next(n for n, entry in enumerate(record.entries) if entry.WhichOneof("change") == "chance_renewed")


def numbered(record: record_pb2.Record) -> None:
    for version, entry in enumerate(record.entries, 1):
        entry.version = version


@settings(max_examples=examples(40), deadline=None)
@given(
    before=st.integers(0, 6),
    alone=st.integers(0, 4),
    together=st.integers(0, 6),
    seed_contribution=st.binary(max_size=64),
    seed=st.integers(0, 1000),
    promised=st.booleans(),
)
def test_every_log_in_which_chance_was_renewed_is_good_and_its_rolls_are_proved(
    before: int, alone: int, together: int, seed_contribution: bytes, seed: int, promised: bool
) -> None:
    copy = copied(before, alone, together, seed_contribution=seed_contribution, seed=seed, promised=promised)
    record = ended(copy)
    found = verify(record)
    assert found.good and found.chance_proved, found.fault
    assert found.renewal.version == renewal_at(record) + 1
    assert found.renewal.plies == before + alone
    last = record.entries[-1].acted.ply
    assert last.seed == step_seed(NEXT, record.session_id, copy.plies, (b"", seed_contribution))


FAULTS: dict[str, Callable[[record_pb2.Record, random.Random], None]] = {}


def fault(plant: Callable[[record_pb2.Record, random.Random], None]) -> Callable[[record_pb2.Record, random.Random], None]:
    FAULTS[plant.__name__.strip("_")] = plant
    return plant


@fault
def _removed(record: record_pb2.Record, _: random.Random) -> None:
    del record.entries[renewal_at(record)]


@fault
def _removed_with_its_secret(record: record_pb2.Record, _: random.Random) -> None:
    del record.entries[renewal_at(record)]
    record.next_secret = b""


@fault
def _moved(record: record_pb2.Record, rng: random.Random) -> None:
    at = renewal_at(record)
    entries = list(record.entries)
    renewed = entries.pop(at)
    entries.insert(rng.choice([n for n in range(1, len(entries) + 1) if n != at]), renewed)
    kept = [record_pb2.Entry.FromString(entry.SerializeToString()) for entry in entries]
    del record.entries[:]
    record.entries.extend(kept)


@fault
def _moved_with_the_newcomer(record: record_pb2.Record, _: random.Random) -> None:
    at = renewal_at(record)
    entries = list(record.entries)
    entries = [*entries[:at], *entries[at + 2 :], *entries[at : at + 2]]
    kept = [record_pb2.Entry.FromString(entry.SerializeToString()) for entry in entries]
    del record.entries[:]
    record.entries.extend(kept)


@fault
def _doubled(record: record_pb2.Record, _: random.Random) -> None:
    at = renewal_at(record)
    pair = [record_pb2.Entry.FromString(entry.SerializeToString()) for entry in record.entries[at : at + 2]]
    record.entries.extend(pair)


@fault
def _of_another_secret(record: record_pb2.Record, rng: random.Random) -> None:
    record.next_secret = rng.randbytes(32)


@fault
def _of_another_secret_than_was_promised(record: record_pb2.Record, rng: random.Random) -> None:
    record.next_secret = rng.randbytes(32)
    record.entries[renewal_at(record)].chance_renewed.commitment = commitment(record.next_secret)


@fault
def _of_the_first_secret(record: record_pb2.Record, _: random.Random) -> None:
    record.next_secret = SECRET


@fault
def _with_another_contribution(record: record_pb2.Record, _: random.Random) -> None:
    at = renewal_at(record)
    record.entries[at].chance_renewed.seed_contribution = record.entries[at + 1].seat_changed.seed_contribution = b"another"


@fault
def _for_another_seat(record: record_pb2.Record, _: random.Random) -> None:
    record.entries[renewal_at(record)].chance_renewed.seat = 0


@fault
def _for_a_seat_that_there_is_not(record: record_pb2.Record, _: random.Random) -> None:
    record.entries[renewal_at(record)].chance_renewed.seat = 5


@fault
def _for_who_brought_the_game(record: record_pb2.Record, _: random.Random) -> None:
    record.entries[renewal_at(record) + 1].seat_changed.occupant.person.player_id = "p0"


@fault
def _without_another_games_chance(record: record_pb2.Record, _: random.Random) -> None:
    record.entries[0].created.chance_of = ""


@pytest.mark.parametrize("name", FAULTS)
@settings(max_examples=examples(8), deadline=None)
@given(before=st.integers(0, 4), alone=st.integers(0, 3), seed=st.integers(0, 1000))
def test_a_log_in_which_the_renewal_was_forged_is_found_out(name: str, before: int, alone: int, seed: int) -> None:
    record = ended(copied(before, alone, 3, seed=seed))
    assert verify(record).good
    FAULTS[name](record, random.Random(seed))
    numbered(record)
    found = verify(record)
    assert not found.good
    assert found.fault.reason == errors_pb2.REASON_RECORD_DAMAGED, found.fault


def test_a_renewal_at_the_very_end_needs_its_newcomer() -> None:
    record = copied(2, 2, 0).done()
    del record.entries[-1]
    found = verify(record)
    assert (found.good, found.fault.field) == (False, "chance_renewed")


def test_plies_from_before_the_renewal_are_not_taken_back() -> None:
    copy = copied(3, 2, 2)
    copy.undo(5)
    assert verify(copy.done()).good
    copy.add(undone=record_pb2.Undone(plies=4, seat=1))
    found = verify(copy.done())
    assert (found.good, found.fault.field) == (False, "undone.plies")


def test_without_the_next_secret_the_later_rolls_are_not_called_proved() -> None:
    record = ended(copied(2, 0, 3))
    record.next_secret = b""
    found = verify(record)
    assert found.good and not found.chance_proved


def test_a_log_from_before_chance_was_ever_renewed_stays_good() -> None:
    variation = Recording(EINSTEIN, session_id=ORIGIN).start().play(random.Random(1), 3).variation
    old = Recording(EINSTEIN, variation=tuple(variation), chance_of=ORIGIN).start().play(random.Random(2), 5)
    found = verify(ended(old))
    assert found.good and found.chance_proved and not found.HasField("renewal")


def test_the_report_says_since_when_the_rolls_come_from_another_secret() -> None:
    record = ended(copied(3, 2, 2))
    assert "after ply 5 the rolls come from another secret" in report(record, verify(record))
