"""Seeds that are held: every log is good in which they are those that the secret gives, and no forged one is."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import step_seed
from brettwerk_games.rules.emperado.options import Undo
from brettwerk_games.rules.interface import Kind, Resign
from services.rules.verify import verify
from tests.night import examples
from tests.services.rules.recording import SECRET, SESSION, Recording, acted

EMPERADO = registry.games()["emperado"]
ORIGIN = "03originoriginoriginorig"


def begun(*, variation: tuple[record_pb2.Ply, ...] = (), holds: bool = True, session_id: str = SESSION) -> Recording:
    """Return a game by honour that has just begun; `holds`: by the present rules, or by the first revision of them."""
    recording = Recording(EMPERADO, variation=variation, session_id=session_id)
    recording.options = recording.options._replace(undo=Undo.HONOUR)
    created = recording.record.entries[0].created
    created.options.value = EMPERADO.codec.encode(Kind.OPTIONS, recording.options)
    if not holds:
        created.rules_version, created.holds_seeds, recording.holds = "1", False, False
    return recording.start()


def with_undo(recording: Recording, rng: random.Random, plies: int) -> Recording:
    """Play by lot, and take something back now and then."""
    for _ in range(plies):
        recording.play(rng, 1)
        fixed = max((number for number, is_last in enumerate(recording.for_good) if is_last), default=0)
        if rng.random() < 0.3 and recording.plies > fixed:
            recording.undo(rng.randint(fixed, recording.plies - 1))
    return recording


def ended(recording: Recording) -> record_pb2.Record:
    recording.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    return recording.done()


@settings(max_examples=examples(25), deadline=None)
@given(seed=st.integers(0, 10_000), holds=st.booleans(), plies=st.integers(0, 60))
def test_games_of_both_revisions_are_proved_with_all_that_was_taken_back(seed: int, holds: bool, plies: int) -> None:
    record = ended(with_undo(begun(holds=holds), random.Random(seed), plies))
    found = verify(record)
    assert found.good and found.chance_proved, found.fault


@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 10_000), before=st.booleans(), plies=st.integers(1, 40))
def test_a_game_goes_on_from_a_variation_of_either_revision(seed: int, before: bool, plies: int) -> None:
    rng = random.Random(seed)
    origin = with_undo(begun(holds=before, session_id=ORIGIN), rng, plies)
    record = ended(with_undo(begun(variation=tuple(origin.variation)), rng, plies))
    found = verify(record)
    assert found.good and found.chance_proved, found.fault


def test_plies_between_two_that_stay_have_one_seed() -> None:
    recording, rng = begun(), random.Random(3)
    for _ in range(4):
        with_undo(recording, rng, 12)
        while not recording.for_good[-1]:
            recording.expire()
    plies = [entry.acted.ply for entry in recording.record.entries if entry.WhichOneof("change") == "acted"]
    fixed, expected = 0, []
    for number, is_last in enumerate(recording.for_good[1:], 1):
        expected.append(step_seed(SECRET, SESSION, fixed + 1, recording.seed_contributions))
        fixed = number if is_last else fixed
    assert [ply.seed for ply in recording.variation[1:]] == expected
    assert 1 < len(set(expected)) < len(expected) < len(plies)


def let_go(record: record_pb2.Record) -> None:
    record.entries[0].created.holds_seeds = False
    for entry in record.entries:
        if entry.WhichOneof("change") == "acted":
            entry.acted.ply.held = False


FAULTS: dict[str, Callable[[record_pb2.Record], None]] = {
    "a seed that is not held": lambda r: setattr(acted(r, 1).acted.ply, "held", False),
    "a seed of its own": lambda r: setattr(acted(r, 1).acted.ply, "seed", step_seed(SECRET, SESSION, 2, (b"", b""))),
    "a game that holds no seeds": lambda r: setattr(r.entries[0].created, "holds_seeds", False),
    "another way of throwing": let_go,
}


@pytest.mark.parametrize("name", FAULTS)
def test_no_forged_one_is_good(name: str) -> None:
    record = ended(begun().play(random.Random(1), 40))
    assert verify(record).good
    FAULTS[name](record)
    assert not verify(record).good


def test_games_without_such_seeds_have_none() -> None:
    recording = Recording(registry.games()["einstein"]).start().play(random.Random(1), 5)
    record = recording.done()
    acted(record, 1).acted.ply.held = True
    assert not verify(record).good
    record = recording.done()
    record.entries[0].created.holds_seeds = True
    assert verify(record).fault.field == "created.holds_seeds"
