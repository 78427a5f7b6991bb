"""Positions from records, and puzzles made of a real game by real engines."""

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.registry import games
from services.ai.puzzles.__main__ import play
from services.ai.puzzles.course import moments_of
from services.ai.puzzles.criteria import KEPT
from services.ai.puzzles.search import Moment
from services.ai.puzzles.tasks import made_of
from services.ai.runs.batch import step_seed
from services.ai.thought.assignment import packed_action

SESSION = "0aaaaaaaaaaaaaaaaaaaaaaaa"


def record_of(game_id: str, moments: Sequence[Moment], seed: int) -> record_pb2.Record:
    """Return the record of a game that was played from the preset."""
    game = games()[game_id]
    options = preset_options(game, 2)
    position: Any = game.new(game.codec.decode(Kind.OPTIONS, options), 2, None, step_seed(seed, 0)).position
    packed = AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(Kind.OPTIONS)}", value=options)
    version = game.facts.rules_version
    created = record_pb2.Created(game=game_id, rules_version=version, options=packed, seats=2)
    entries = [
        record_pb2.Entry(version=1, created=created),
        record_pb2.Entry(version=2, started=record_pb2.Started(seed=step_seed(seed, 0))),
    ]
    for number, moment in enumerate(moments):
        seat = game.to_act(position)[0]
        chance = step_seed(seed, number + 1)
        ply = record_pb2.Ply(actor=seat + 1, action=packed_action(game, moment.action), seed=chance)
        entries.append(record_pb2.Entry(version=number + 3, acted=record_pb2.Acted(ply=ply)))
        position = game.apply(position, seat, moment.action, chance).position
    ended = hashlib.sha256(game.codec.encode(Kind.POSITION, position)).digest()
    return record_pb2.Record(game=game_id, entries=entries, position_hash=ended)


@pytest.mark.nightly
@pytest.mark.parametrize("game_id", ["einstein", "plateau", "wec"])
def test_the_positions_of_a_record_are_those_that_were_seen(game_id: str):
    seen = play(games()[game_id], 2, 3)[:60]
    found = moments_of(games()[game_id], record_of(game_id, seen, 3))
    assert [(one.view, one.action) for one in found] == [(one.view, one.action) for one in seen]
    assert [one.version for one in found] == list(range(2, len(seen) + 2))


def test_plies_taken_back_are_left_out():
    seen = play(games()["einstein"], 2, 3)
    record = record_of("einstein", seen[:10], 3)
    whole = record_of("einstein", seen[:12], 3)
    record.entries.append(record_pb2.Entry(version=13, undone=record_pb2.Undone(plies=8)))
    record.entries.extend(record_of("einstein", seen[:12], 3).entries[-4:])
    record.position_hash = whole.position_hash
    assert [one.view for one in moments_of(games()["einstein"], record)] == [one.view for one in seen[:12]]


@pytest.mark.parametrize("change", ["hash", "rules", "start", "unknown"])
def test_a_game_that_cannot_be_told_from_its_record_gives_nothing(change: str):
    game = games()["einstein"]
    record = record_of("einstein", play(game, 2, 3)[:10], 3)
    if change == "hash":
        record.position_hash = bytes(32)
    elif change == "rules":
        record.entries[0].created.rules_version = "0"
    elif change == "start":
        record.entries[0].created.start_position.value = b"?"
    else:
        record.entries[4].acted.ply.action.value = b"\xff"
    assert not moments_of(game, record)


@pytest.mark.nightly
def test_real_engines_make_puzzles_of_a_game_and_say_where_they_come_from():
    game = games()["einstein"]
    for seed in range(1, 20):  # most games have one
        seen = play(game, 2, seed)
        made = made_of(SESSION, record_of("einstein", seen, seed), lambda: True)
        if made.puzzles:
            break
    (puzzle, *_) = made.puzzles
    assert puzzle.source.session_id == SESSION
    moment = seen[puzzle.source.version - 2]
    assert puzzle.view.value == game.codec.encode(Kind.VIEW, moment.view)
    assert puzzle.source.played == game.write(moment.view, moment.action)
    assert puzzle.actions[0].kept == 1.0
    assert puzzle.actions[-1].kept < KEPT


def test_puzzles_are_looked_for_only_while_there_is_time():
    record = record_of("einstein", play(games()["einstein"], 2, 1), 1)
    assert not made_of(SESSION, record, lambda: False).puzzles
