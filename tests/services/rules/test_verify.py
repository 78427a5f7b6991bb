"""Records of good play are good, and what proves chance is told."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Resign
from services.rules import any_codec
from services.rules.verify import verify
from services.runtime.refusal import Refused
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel
from tests.night import examples
from tests.services.rules.recording import EINSTEIN, SESSION, Recording, played


@pytest.mark.parametrize("seed", range(5))
def test_a_played_game_is_good_and_proved(game: AnyGame, seed: int) -> None:
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        recording = played(game, seed, seats=seats, seed_contributions=(b"from the first seat",))
        verification = verify(recording.done())
        assert not verification.HasField("fault"), verification
        assert verification.good
        assert verification.chance_proved
        assert verification.plies == recording.plies


def test_a_record_of_0_1_0_is_good_without_winners_and_places(game: AnyGame) -> None:
    recording = played(game, 3, seats=len(game.facts.seats))
    for seat in (0, *range(2, len(game.facts.seats))):
        if game.to_act(recording.position):
            recording.system_action(games_pb2.SystemAction(resign=seat), Resign(seat))
    record = recording.done()
    assert record.outcome.places
    for field in ("winners", "places", "sides"):
        record.outcome.ClearField(field)
    assert verify(record).good


@given(rng=st.randoms(use_true_random=False))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_taking_back_and_playing_on_stays_good(rng: random.Random) -> None:
    recording = Recording(EINSTEIN, seed_contributions=(b"a", b"b")).start()
    replayed = 0
    for _ in range(6):
        before = recording.plies
        recording.play(rng, rng.randrange(1, 12))
        replayed += recording.plies - before
        if recording.plies and rng.random() < 0.7:
            recording.undo(rng.randrange(recording.plies))
    verification = verify(recording.done())
    assert verification.good, verification.fault
    assert verification.plies == replayed


def test_a_game_that_still_runs_is_good_too() -> None:
    assert verify(Recording(EINSTEIN).start().play(random.Random(3), 4).done()).good


def test_a_session_that_never_began_is_good_and_proves_nothing() -> None:
    recording = Recording(EINSTEIN)
    recording.add(closed=record_pb2.Closed())
    verification = verify(recording.done())
    assert (verification.good, verification.chance_proved, verification.plies) == (True, False, 0)


def test_without_the_secret_the_steps_are_checked_and_nothing_is_proved() -> None:
    record = played(EINSTEIN).done()
    record.secret = b""
    verification = verify(record)
    assert verification.good
    assert not verification.chance_proved
    record.entries[8].acted.ply.action.CopyFrom(record.entries[6].acted.ply.action)
    assert not verify(record).good


def test_entries_that_do_not_touch_the_play_change_nothing() -> None:
    recording = Recording(EINSTEIN).start()
    recording.add(proposed=record_pb2.Proposed(proposal=record_pb2.Proposal(id=1, seat=0, waiting=[1], draw=True)))
    recording.add(answered=record_pb2.Answered(proposal_id=1, seat=1))
    recording.add(paused=record_pb2.Paused(paused=True))
    recording.add(paused=record_pb2.Paused(paused=False))
    recording.add(credited=record_pb2.Credited(time_ms=5))
    recording.add(seat_changed=record_pb2.SeatChanged(seat=1))
    recording.play(random.Random(1))
    recording.add(rematched=record_pb2.Rematched(session_id="other"))
    assert verify(recording.done()).good


def test_a_turn_whose_time_was_over_is_played_as_the_rules_name_it() -> None:
    recording = Recording(EINSTEIN).start()
    recording.expire()
    assert verify(recording.done()).good
    seat = EINSTEIN.to_act(recording.position)[0]
    view = EINSTEIN.view(recording.position, seat)
    other = next(action for action in reversed(EINSTEIN.actions(view)) if action != EINSTEIN.expire(view))
    recording.act(seat, other, record_pb2.Acted.CAUSE_TIME)
    verification = verify(recording.done())
    assert (verification.good, verification.fault_version) == (False, len(recording.record.entries))


def test_a_game_goes_on_from_a_variation_of_another_session() -> None:
    """The line's seeds are of the other session; the own plies count on after it and are proved."""
    first = Recording(EINSTEIN, session_id="01first", secret=bytes(32)).start().play(random.Random(5), 7)
    second = Recording(EINSTEIN, variation=tuple(first.variation), seed_contributions=(b"new",)).start()
    assert second.plies == first.plies == 7
    second.play(random.Random(6), 3)
    second.undo(5)
    second.play(random.Random(7))
    verification = verify(second.done())
    assert verification.good, verification.fault
    assert verification.chance_proved
    forged = second.done()
    forged.entries[0].created.variation[3].notation = "1:1A1-A2"
    assert verify(forged).fault_version == 1


def test_an_imported_save_goes_on_with_the_chance_of_its_session() -> None:
    first = Recording(EINSTEIN, session_id="01first", seed_contributions=(b"x", b"y")).start().play(random.Random(5), 6)
    second = Recording(
        EINSTEIN, session_id="02second", variation=tuple(first.variation), chance_of="01first", seed_contributions=(b"x", b"y")
    ).start()
    second.play(random.Random(9))
    record = second.done()
    assert verify(record).good
    record.entries[0].created.chance_of = ""
    assert not verify(record).good


def test_a_loaded_variation_takes_the_place_of_what_was_played() -> None:
    saved = Recording(EINSTEIN, session_id="01saved", secret=bytes(32)).start().play(random.Random(5), 9)
    recording = Recording(EINSTEIN).start().play(random.Random(6), 4)
    recording.load(list(saved.variation))
    recording.play(random.Random(7))
    verification = verify(recording.done())
    assert verification.good, verification.fault
    assert verification.plies == 4 + recording.plies
    forged = recording.done()
    loaded = next(entry for entry in forged.entries if entry.WhichOneof("change") == "loaded")
    loaded.loaded.variation[2].seed = bytes(31)
    assert verify(forged).fault_version == loaded.version


class Undealt(BlindDuel):
    """A duel without chance: nobody needs a seed to repeat it."""

    facts = replace(BlindDuel.facts, chance=False)

    def new(self, options: Any, seats: int, start: Any, seed: bytes) -> Any:
        return super().new(options, seats, start, bytes(32))


def test_without_chance_and_secret_no_seed_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    game: AnyGame = Undealt()
    for known, good in ((game, True), (BlindDuel(), False)):
        monkeypatch.setattr(registry, "games", lambda known=known: {"blind_duel": known})
        any_codec._any_codec.cache_clear()
        record = played(known).done()
        record.secret = b""
        for entry in record.entries:
            if entry.WhichOneof("change") == "started":
                entry.started.seed = b""
            elif entry.WhichOneof("change") == "acted":
                entry.acted.ply.seed = b""
        assert verify(record).good == good


def test_a_sealed_record_waits_for_the_end() -> None:
    record = record_pb2.Record(format=1, game="einstein", session_id=SESSION, sealed=b"sealed")
    assert verify(record).fault.reason == errors_pb2.REASON_STILL_RUNNING


def test_a_check_ends_when_it_may_not_go_on() -> None:
    asked = iter([True, True, False])
    with pytest.raises(Refused) as caught:
        verify(played(EINSTEIN).done(), lambda: next(asked))
    assert caught.value.reason == errors_pb2.REASON_DEADLINE
