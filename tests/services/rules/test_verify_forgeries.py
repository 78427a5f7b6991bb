"""Every change in a record is found, where it is."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import record_pb2
from brettwerk_games.rules.interface import Kind
from services.rules.verify import verify
from tests.night import examples
from tests.services.rules.asking import packed
from tests.services.rules.recording import EINSTEIN, Recording, acted, other_any, played

Change = Callable[[record_pb2.Record], object]


def _another_action(record: record_pb2.Record) -> None:
    """Another legal action, with its right notation: only what follows gives it away, at the latest the end."""
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    seat = EINSTEIN.to_act(recording.position)[0]
    view = EINSTEIN.view(recording.position, seat)
    ply = acted(record).acted.ply
    other = next(a for a in EINSTEIN.actions(view) if packed(EINSTEIN, Kind.ACTION, a) != ply.action)
    ply.action.CopyFrom(packed(EINSTEIN, Kind.ACTION, other))
    ply.notation = EINSTEIN.write(view, other)


def _swap(record: record_pb2.Record) -> None:
    one, two = acted(record, 1), acted(record, 3)
    kept = record_pb2.Acted()
    kept.CopyFrom(one.acted)
    one.acted.CopyFrom(two.acted)
    two.acted.CopyFrom(kept)


FORGERIES: dict[str, Change] = {
    "another seed": lambda r: setattr(acted(r).acted.ply, "seed", bytes(32)),
    "the seed of another ply": lambda r: setattr(acted(r).acted.ply, "seed", acted(r, 3).acted.ply.seed),
    "another set-up seed": lambda r: setattr(r.entries[3].started, "seed", bytes(32)),
    "another action": _another_action,
    "an action of another game": lambda r: acted(r).acted.ply.action.CopyFrom(other_any(acted(r).acted.ply.action)),
    "another seat": lambda r: setattr(acted(r).acted.ply, "actor", 3 - acted(r).acted.ply.actor),
    "a system action's actor on an action": lambda r: setattr(acted(r).acted.ply, "actor", 0),
    "another notation": lambda r: setattr(acted(r).acted.ply, "notation", "4:4C2-C3"),
    "no notation": lambda r: setattr(acted(r).acted.ply, "notation", ""),
    "nothing done": lambda r: acted(r).acted.ply.ClearField("action"),
    "two plies swapped": _swap,
    "a version twice": lambda r: setattr(r.entries[5], "version", 5),
    "an entry left out": lambda r: r.entries.pop(6),
    "the last entry left out": lambda r: r.entries.pop(),
    "an empty entry": lambda r: r.entries[6].ClearField("change"),
    "another share": lambda r: setattr(r.entries[1].seat_changed, "seed_contribution", b"other"),
    "a seat that there is not": lambda r: setattr(r.entries[1].seat_changed, "seat", 2),
    "no start": lambda r: r.entries[3].closed.SetInParent(),
    "two starts": lambda r: r.entries[4].started.CopyFrom(r.entries[3].started),
    "two creations": lambda r: r.entries[1].created.CopyFrom(r.entries[0].created),
    "another secret": lambda r: setattr(r, "secret", bytes(32)),
    "another commitment": lambda r: setattr(r.entries[0].created, "commitment", bytes(32)),
    "other options": lambda r: setattr(r.entries[0].created.options, "value", bytes([8, 2, 16, 1])),
    "another revision of the rules": lambda r: setattr(r.entries[0].created, "rules_version", "0"),
    "another game in the log": lambda r: setattr(r.entries[0].created, "game", "blind_duel"),
    "another session": lambda r: setattr(r, "session_id", "07zyxwvutsrqponmlkjihgfe"),
    "another outcome": lambda r: r.outcome.scores.__setitem__(slice(None), list(reversed(r.outcome.scores))),
    "another winner": lambda r: r.outcome.winners.__setitem__(slice(None), [1 - r.outcome.winners[0]]),
    "no winner": lambda r: r.outcome.ClearField("winners"),
    "a winner without places": lambda r: r.outcome.ClearField("places"),
    "other places": lambda r: r.outcome.places.__setitem__(slice(None), list(reversed(r.outcome.places))),
    "partners": lambda r: r.outcome.sides.extend([0, 0]),
    "another reason": lambda r: setattr(r.outcome, "rule", "EWN-END-9"),
    "no outcome": lambda r: r.ClearField("outcome"),
    "another last position": lambda r: setattr(r, "position_hash", bytes(32)),
    "no last position": lambda r: setattr(r, "position_hash", b""),
    "another format": lambda r: setattr(r, "format", 0),
    "another game": lambda r: setattr(r, "game", "ludo"),
    "nothing": lambda r: r.ClearField("entries"),
    "played after the end": lambda r: r.entries.add(version=len(r.entries) + 1).acted.CopyFrom(acted(r, -1).acted),
    "taken back what was not played": lambda r: setattr(r.entries.add(version=len(r.entries) + 1).undone, "plies", 99),
    "an empty line loaded": lambda r: r.entries.add(version=len(r.entries) + 1).loaded.SetInParent(),
}

WHERE = {
    "another seed": 7,
    "the seed of another ply": 7,
    "another set-up seed": 4,
    "an action of another game": 7,
    "another seat": 7,
    "a system action's actor on an action": 7,
    "another notation": 7,
    "no notation": 7,
    "nothing done": 7,
    "two plies swapped": 6,
    "a version twice": 6,
    "an entry left out": 7,
    "the last entry left out": 0,
    "an empty entry": 7,
    "another share": 4,
    "a seat that there is not": 2,
    "no start": 5,
    "two starts": 5,
    "two creations": 2,
    "another secret": 1,
    "another commitment": 1,
    "other options": 5,
    "another revision of the rules": 1,
    "another game in the log": 1,
    "another session": 4,
    "another outcome": 0,
    "another winner": 0,
    "no winner": 0,
    "a winner without places": 0,
    "other places": 0,
    "partners": 0,
    "another reason": 0,
    "no outcome": 0,
    "another last position": 0,
    "no last position": 0,
    "another format": 0,
    "another game": 1,
    "nothing": 0,
}
"""The version that the fault is found at: entries are the creation, two seats, the start, then the plies."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_change_is_found_where_it_is(forgery: str) -> None:
    record = played(EINSTEIN, seed_contributions=(b"one", b"two")).done()
    assert verify(record).good
    before = len(record.entries)
    FORGERIES[forgery](record)
    verification = verify(record)
    assert not verification.good, forgery
    assert not verification.chance_proved
    assert verification.fault.message
    if forgery in WHERE:
        assert verification.fault_version == WHERE[forgery], verification
    elif len(record.entries) > before:
        assert verification.fault_version == len(record.entries)
    else:
        assert verification.fault_version in (0, *range(7, len(record.entries) + 1))


@given(rng=st.randoms(use_true_random=False))
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_change_of_any_byte_of_the_play_is_found(rng: random.Random) -> None:
    """Flip a bit anywhere in what the rules and chance were given; what cannot be read any more is found by the parser."""
    record = played(EINSTEIN, rng.randrange(100), seed_contributions=(b"one", b"two")).done()
    entry = rng.choice([e for e in record.entries if e.WhichOneof("change") == "acted"])
    ply = entry.acted.ply
    name = rng.choice(["seed", "action", "notation"])
    if name == "action":
        data = bytearray(ply.action.value)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if mean_the_same(bytes(data), ply.action.value):
            return
        ply.action.value = bytes(data)
    elif name == "seed":
        seed = bytearray(ply.seed)
        seed[rng.randrange(32)] ^= 1 << rng.randrange(8)
        ply.seed = bytes(seed)
    else:
        place = rng.randrange(len(ply.notation))
        ply.notation = ply.notation[:place] + chr(ord(ply.notation[place]) ^ 1) + ply.notation[place + 1 :]
    assert not verify(record).good


def mean_the_same(one: bytes, two: bytes) -> bool:
    """Tell whether two encodings mean the same action (unknown fields do not count)."""
    try:
        return bool(EINSTEIN.codec.decode(Kind.ACTION, one) == EINSTEIN.codec.decode(Kind.ACTION, two))
    except Exception:  # noqa: BLE001 - it is none
        return False
