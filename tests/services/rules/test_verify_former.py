"""Records that began with a former revision of chess hold by it, and not by the rules of today."""

import random
from typing import Any

import pytest

from brettwerk.v1 import games_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import Kind, Reoption, Step
from brettwerk_games.rules.wec.start import new_by
from services.rules.verify import verify
from tests.services.rules.asking import packed
from tests.services.rules.recording import Recording

WEC = registry.games()["wec"]


class Former:
    """Chess as it was begun by a former revision of its rules."""

    def __init__(self, revision: str = "1") -> None:
        self.revision = revision

    def __getattr__(self, name: str) -> Any:
        return getattr(WEC, name)

    def new(self, options: Any, seats: int, start: Any, seed: bytes) -> Step[Any, Any]:
        return new_by(self.revision, options, seats, start, seed)


def played(seed: int, revision: str = "1", *, competitive: bool = False) -> Recording:
    game: Any = Former(revision)
    recording = Recording(game).start()
    if competitive:
        options = recording.position.options._replace(competitive=True)
        recording.system_action(games_pb2.SystemAction(options=packed(WEC, Kind.OPTIONS, options)), Reoption(options))
    rng = random.Random(seed)
    for _ in range(120):
        seat = game.to_act(recording.position)[0]
        actions = game.actions(game.view(recording.position, seat))
        kind = rng.choice(sorted({type(action).__name__ for action in actions}))
        recording.act(seat, rng.choice([action for action in actions if type(action).__name__ == kind]))
    recording.record.entries[0].created.rules_version = revision
    return recording


@pytest.mark.parametrize(
    ("seed", "revision"), [(0, "1"), (1, "1"), (2, "1"), (0, "2"), (1, "2"), (0, "3"), (1, "3"), (0, "4"), (1, "4")]
)
def test_a_record_of_a_former_revision_holds(seed: int, revision: str) -> None:
    recording = played(seed, revision)
    assert recording.position.revision == int(revision)
    verification = verify(recording.done(), lambda: True)
    assert verification.good, verification.fault
    assert verification.chance_proved is False or verification.plies == recording.plies


@pytest.mark.parametrize("revision", ["4", "5"])
@pytest.mark.parametrize("competitive", [False, True])
def test_a_record_holds_in_which_eyes_read_different_texts(revision: str, *, competitive: bool) -> None:
    """Their last positions differ in how the history is written: from the fifth revision on, no text is there twice."""
    recording = played(6, revision, competitive=competitive)
    lines = recording.position.history
    assert {line.texts == (line.full,) * 3 for line in lines} == {True, False}
    verification = verify(recording.done(), lambda: True)
    assert verification.good, verification.fault


def test_a_variation_that_names_no_revision_is_of_the_first() -> None:
    before = played(4)
    variation = list(before.variation)
    variation[0].rules_version = ""
    game: Any = Former()
    after = Recording(game, variation=tuple(variation)).start()
    assert after.position.revision == 1
    verification = verify(after.done(), lambda: True)
    assert verification.good, verification.fault


def test_a_record_begun_by_another_revision_than_it_says_does_not_hold() -> None:
    record = played(5).done()
    record.entries[0].created.rules_version = "4"
    assert not verify(record, lambda: True).good
