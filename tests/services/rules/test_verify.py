import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from services.games import registry
from services.games.interface import AnyGame, Kind, Reoption, Resign
from services.rules import anys
from services.rules.verify import main, verify
from services.runtime.refusal import Refused
from tests.services.games.blind_duel.game import BlindDuel
from tests.services.rules.asking import packed
from tests.services.rules.recording import SESSION, Recording, other_any

EINSTEIN = registry.games()["einstein"]
MOST = 60


def played(game: AnyGame, seed: int = 1, **fields: Any) -> Recording:
    """Return a game played by lot; long ones are given up after a while."""
    recording = Recording(game, **fields).start().play(random.Random(seed), MOST)
    if game.to_act(recording.position):
        recording.decree(games_pb2.Decree(resign=1), Resign(1))
    return recording


@pytest.mark.parametrize("seed", range(5))
def test_what_was_played_is_good_and_proved(game: AnyGame, seed: int) -> None:
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        recording = played(game, seed, seats=seats, shares=(b"from the first seat",))
        verification = verify(recording.done())
        assert not verification.HasField("fault"), verification
        assert verification.good
        assert verification.chance_proved
        assert verification.plies == recording.plies


@given(rng=st.randoms(use_true_random=False))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_taking_back_and_playing_on_stays_good(rng: random.Random) -> None:
    recording = Recording(EINSTEIN, shares=(b"a", b"b")).start()
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


def test_a_game_goes_on_from_a_line_of_another_session() -> None:
    """The line's seeds are of the other session; the own plies count on after it and are proved."""
    first = Recording(EINSTEIN, session_id="01first", secret=bytes(32)).start().play(random.Random(5), 7)
    second = Recording(EINSTEIN, line=tuple(first.line), shares=(b"new",)).start()
    assert second.plies == first.plies == 7
    second.play(random.Random(6), 3)
    second.undo(5)
    second.play(random.Random(7))
    verification = verify(second.done())
    assert verification.good, verification.fault
    assert verification.chance_proved
    forged = second.done()
    forged.entries[0].created.line[3].notation = "1:1A1-A2"
    assert verify(forged).fault_version == 1


def test_an_imported_save_goes_on_with_the_chance_of_its_session() -> None:
    first = Recording(EINSTEIN, session_id="01first", shares=(b"x", b"y")).start().play(random.Random(5), 6)
    second = Recording(EINSTEIN, session_id="02second", line=tuple(first.line), chance_of="01first", shares=(b"x", b"y")).start()
    second.play(random.Random(9))
    record = second.done()
    assert verify(record).good
    record.entries[0].created.chance_of = ""
    assert not verify(record).good


def test_a_loaded_line_takes_the_place_of_what_was_played() -> None:
    saved = Recording(EINSTEIN, session_id="01saved", secret=bytes(32)).start().play(random.Random(5), 9)
    recording = Recording(EINSTEIN).start().play(random.Random(6), 4)
    recording.load(list(saved.line))
    recording.play(random.Random(7))
    verification = verify(recording.done())
    assert verification.good, verification.fault
    assert verification.plies == 4 + recording.plies
    forged = recording.done()
    loaded = next(entry for entry in forged.entries if entry.WhichOneof("change") == "loaded")
    loaded.loaded.line[2].seed = bytes(31)
    assert verify(forged).fault_version == loaded.version


def test_nothing_that_was_revealed_is_taken_back(duel: AnyGame) -> None:
    recording = Recording(duel).start().play(random.Random(1), 2)
    assert any(recording.reveals)
    recording.undo(0)
    verification = verify(recording.done())
    assert (verification.good, verification.fault_version) == (False, len(recording.record.entries))


def test_in_a_competitive_game_nothing_is_taken_back() -> None:
    recording = Recording(EINSTEIN, competitive=True).start().play(random.Random(1), 2)
    recording.undo(1)
    assert verify(recording.done()).fault.reason == errors_pb2.REASON_COMPETITIVE


def fault_of(record: record_pb2.Record) -> tuple[str, int]:
    """Return the reason of the fault, and the version it is found at."""
    verification = verify(record)
    assert not verification.good
    return errors_pb2.Reason.Name(verification.fault.reason).removeprefix("REASON_"), verification.fault_version


def test_nobody_plays_while_the_game_stands_still() -> None:
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    recording.add(paused=record_pb2.Paused(paused=True))
    recording.play(random.Random(1), 1)
    assert fault_of(recording.done()) == ("NOT_RUNNING", len(recording.record.entries))


def test_one_may_give_up_while_the_game_stands_still() -> None:
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    recording.add(paused=record_pb2.Paused(paused=True))
    recording.decree(games_pb2.Decree(resign=1), Resign(1))
    assert verify(recording.done()).good


def test_in_a_competitive_game_options_do_not_change() -> None:
    for competitive in (False, True):
        recording = Recording(EINSTEIN, competitive=competitive).start()
        shown = EINSTEIN.codec.decode(Kind.OPTIONS, bytes([24, 1]))
        recording.decree(games_pb2.Decree(options=packed(EINSTEIN, Kind.OPTIONS, shown)), Reoption(shown))
        if competitive:
            assert fault_of(recording.done()) == ("COMPETITIVE", len(recording.record.entries))
        else:
            assert verify(recording.done()).good


def test_nothing_is_played_before_the_start_or_after_the_close() -> None:
    record = played(EINSTEIN).done()
    record.entries[3].credited.time_ms = 1
    assert fault_of(record) == ("NOT_RUNNING", 5)
    for change in ("undone", "loaded", "acted", "started"):
        recording = Recording(EINSTEIN).start().play(random.Random(1), 3)
        recording.add(closed=record_pb2.Closed())
        late = recording.record.entries.add(version=len(recording.record.entries) + 1)
        getattr(late, change).SetInParent()
        reason, version = fault_of(recording.done())
        assert (reason, version) == ("RECORD_DAMAGED" if change == "started" else "NOT_RUNNING", late.version)
    never = Recording(EINSTEIN)
    never.add(undone=record_pb2.Undone(plies=0))
    assert fault_of(never.done()) == ("NOT_RUNNING", 4)


def test_a_game_that_goes_on_from_a_line_has_no_set_up_of_its_own() -> None:
    line = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).line)
    record = Recording(EINSTEIN, line=line).start().done()
    assert verify(record).good
    record.entries[3].started.seed = bytes(32)
    assert fault_of(record) == ("RECORD_DAMAGED", 4)


def test_a_game_begins_once_and_not_after_its_close() -> None:
    line = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).line)
    twice = Recording(EINSTEIN, line=line).start()
    twice.add(started=record_pb2.Started())
    assert fault_of(twice.done()) == ("RECORD_DAMAGED", 5)
    late = Recording(EINSTEIN)
    late.add(closed=record_pb2.Closed())
    late.start()
    assert fault_of(late.done()) == ("RECORD_DAMAGED", 5)


def test_a_game_that_still_runs_has_no_outcome() -> None:
    record = Recording(EINSTEIN).start().play(random.Random(1), 3).done()
    record.outcome.scores.extend([1, 0])
    assert fault_of(record) == ("RECORD_DAMAGED", 0)


@pytest.mark.parametrize("name", ["actor", "notation", "decree"])
def test_a_line_begins_with_the_set_up(name: str) -> None:
    line = tuple(Recording(EINSTEIN).start().play(random.Random(5), 3).line)
    record = Recording(EINSTEIN, line=line).start().done()
    first = record.entries[0].created.line[0]
    if name == "decree":
        first.decree.draw = True
    else:
        setattr(first, name, {"actor": 1, "notation": "x"}[name])
    assert fault_of(record) == ("RECORD_DAMAGED", 1)


@pytest.mark.parametrize("actor", [0, 3, 6])
def test_an_action_is_one_of_a_seat(actor: int) -> None:
    record = played(EINSTEIN).done()
    _acted(record).acted.ply.actor = actor
    assert fault_of(record) == ("RECORD_DAMAGED", 7)


def test_a_decree_is_nobodys_action() -> None:
    recording = Recording(EINSTEIN).start()
    recording.decree(games_pb2.Decree(resign=1), Resign(1))
    record = recording.done()
    assert verify(record).good
    record.entries[4].acted.ply.actor = 2
    assert fault_of(record) == ("RECORD_DAMAGED", 5)


class Undealt(BlindDuel):
    """A duel without chance: nobody needs a seed to repeat it."""

    facts = replace(BlindDuel.facts, chance=False)

    def new(self, options: Any, seats: int, start: Any, seed: bytes) -> Any:
        return super().new(options, seats, start, bytes(32))


def test_without_chance_and_secret_no_seed_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    game: AnyGame = Undealt()
    for known, good in ((game, True), (BlindDuel(), False)):
        monkeypatch.setattr(registry, "games", lambda known=known: {"blind_duel": known})
        anys._carrier.cache_clear()
        record = played(known).done()
        record.secret = b""
        for entry in record.entries:
            if entry.WhichOneof("change") == "started":
                entry.started.seed = b""
            elif entry.WhichOneof("change") == "acted":
                entry.acted.ply.seed = b""
        assert verify(record).good == good


Change = Callable[[record_pb2.Record], object]


def _acted(record: record_pb2.Record, number: int = 2) -> record_pb2.Entry:
    return [entry for entry in record.entries if entry.WhichOneof("change") == "acted"][number]


def _another_action(record: record_pb2.Record) -> None:
    """Another legal action, with its right notation: only what follows gives it away, at the latest the end."""
    recording = Recording(EINSTEIN).start().play(random.Random(1), 2)
    seat = EINSTEIN.to_act(recording.position)[0]
    view = EINSTEIN.view(recording.position, seat)
    ply = _acted(record).acted.ply
    other = next(a for a in EINSTEIN.actions(view) if packed(EINSTEIN, Kind.ACTION, a) != ply.action)
    ply.action.CopyFrom(packed(EINSTEIN, Kind.ACTION, other))
    ply.notation = EINSTEIN.write(view, other)


def _swap(record: record_pb2.Record) -> None:
    one, two = _acted(record, 1), _acted(record, 3)
    kept = record_pb2.Acted()
    kept.CopyFrom(one.acted)
    one.acted.CopyFrom(two.acted)
    two.acted.CopyFrom(kept)


FORGERIES: dict[str, Change] = {
    "another seed": lambda r: setattr(_acted(r).acted.ply, "seed", bytes(32)),
    "the seed of another ply": lambda r: setattr(_acted(r).acted.ply, "seed", _acted(r, 3).acted.ply.seed),
    "another set-up seed": lambda r: setattr(r.entries[3].started, "seed", bytes(32)),
    "another action": _another_action,
    "an action of another game": lambda r: _acted(r).acted.ply.action.CopyFrom(other_any(_acted(r).acted.ply.action)),
    "another seat": lambda r: setattr(_acted(r).acted.ply, "actor", 3 - _acted(r).acted.ply.actor),
    "a decree's actor on an action": lambda r: setattr(_acted(r).acted.ply, "actor", 0),
    "another notation": lambda r: setattr(_acted(r).acted.ply, "notation", "4:4C2-C3"),
    "no notation": lambda r: setattr(_acted(r).acted.ply, "notation", ""),
    "nothing done": lambda r: _acted(r).acted.ply.ClearField("action"),
    "two plies swapped": _swap,
    "a version twice": lambda r: setattr(r.entries[5], "version", 5),
    "an entry left out": lambda r: r.entries.pop(6),
    "the last entry left out": lambda r: r.entries.pop(),
    "an empty entry": lambda r: r.entries[6].ClearField("change"),
    "another share": lambda r: setattr(r.entries[1].seat_changed, "share", b"other"),
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
    "another reason": lambda r: setattr(r.outcome, "rule", "EWN-END-9"),
    "no outcome": lambda r: r.ClearField("outcome"),
    "another last position": lambda r: setattr(r, "position_hash", bytes(32)),
    "no last position": lambda r: setattr(r, "position_hash", b""),
    "another format": lambda r: setattr(r, "format", 0),
    "another game": lambda r: setattr(r, "game", "ludo"),
    "nothing": lambda r: r.ClearField("entries"),
    "played after the end": lambda r: r.entries.add(version=len(r.entries) + 1).acted.CopyFrom(_acted(r, -1).acted),
    "taken back what was not played": lambda r: setattr(r.entries.add(version=len(r.entries) + 1).undone, "plies", 99),
    "an empty line loaded": lambda r: r.entries.add(version=len(r.entries) + 1).loaded.SetInParent(),
}

WHERE = {
    "another seed": 7,
    "the seed of another ply": 7,
    "another set-up seed": 4,
    "an action of another game": 7,
    "another seat": 7,
    "a decree's actor on an action": 7,
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
    record = played(EINSTEIN, shares=(b"one", b"two")).done()
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
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_byte_of_the_play_is_changed_it_is_found(rng: random.Random) -> None:
    """Flip a bit anywhere in what the rules and chance were given; what cannot be read any more is found by the parser."""
    record = played(EINSTEIN, rng.randrange(100), shares=(b"one", b"two")).done()
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


def test_a_sealed_record_waits_for_the_end() -> None:
    record = record_pb2.Record(format=1, game="einstein", session_id=SESSION, sealed=b"sealed")
    assert verify(record).fault.reason == errors_pb2.REASON_STILL_RUNNING


def test_a_check_ends_when_it_may_not_go_on() -> None:
    asked = iter([True, True, False])
    with pytest.raises(Refused) as caught:
        verify(played(EINSTEIN).done(), lambda: next(asked))
    assert caught.value.reason == errors_pb2.REASON_DEADLINE


def _saved(folder: Path, record: record_pb2.Record) -> str:
    path = folder / "game.json"
    path.write_text(json_format.MessageToJson(record), encoding="utf-8")
    return str(path)


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(EINSTEIN).done()
    assert main([_saved(tmp_path, record)]) == 0
    told = capsys.readouterr().out
    assert "GOOD" in told
    assert SESSION in told
    assert record.outcome.rule in told
    _acted(record).acted.ply.seed = bytes(32)
    assert main([_saved(tmp_path, record)]) == 1
    assert "WRONG at version 7" in capsys.readouterr().out
    record = played(EINSTEIN).done()
    record.secret = b""
    assert main([_saved(tmp_path, record)]) == 0
    assert "not proved" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["", "{", "7", '{"format": "x"}', '{"entries": [{"created": {"options": {"@type": "no/such"}}}]}', "\0"]
)
def test_a_file_that_is_no_record_is_told_from_a_bad_one(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_the_command_needs_a_file(tmp_path: Path) -> None:
    assert main([]) == 2
    assert main([str(tmp_path / "none.json")]) == 2
    assert main([str(tmp_path)]) == 2


def test_the_command_runs_without_any_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "services.rules.verify", _saved(tmp_path, played(EINSTEIN).done())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "GOOD" in done.stdout
