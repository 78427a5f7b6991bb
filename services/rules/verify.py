"""Replays a record and checks every step and every roll: a library function, and a command that needs no server.

    python -m services.rules.verify game.json        (the save file: the JSON form of a Record)

It exits with 0 for a good record, 1 for one that is wrong, 2 for a file that is none. It checks: versions without a gap, each
action's legality, its notation and, where time was over, that the rules name it; each step seed against the secret and the secret
against its published hash; that nothing revealed was taken back; the outcome and the last position.

Where a game goes on from a variation (of `Created` or `Loaded`: a fork, an imported or loaded save), its steps must be
legal with the seeds that it carries. Those seeds come from another session and are not provable by this secret, so
`chance_proved` speaks for the session's own plies only. Without a secret, seeds are taken as they stand and nothing is proved.

An imported save may go on with the chance that it had, which who brought it may know. A person who sits down later has chance
renewed: `renewal` says after which ply, and every own ply is checked against the secret that holds for it.
"""

import hashlib
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from google.protobuf import json_format

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import GameRefusal
from services.rules.any_codec import refused
from services.rules.replay import Replay
from services.rules.steps import outcome_message
from services.runtime import limits
from services.runtime.record_check import check_format, of_record
from services.runtime.refusal import Refused, damaged
from services.runtime.seats import make_former

FILE_BYTES = 64 * 1024 * 1024
"""The largest save file that the command reads."""


def verify(record: record_pb2.Record, go_on: Callable[[], bool] = lambda: True) -> record_pb2.Verification:
    """Return the findings of a replay of the record; only the first fault is reported.

    `go_on` is called before every ply. Raises Refused (DEADLINE) when it returns False. The record has its seats only in the
    former fields then, as hashes are of them.
    """
    make_former(record)
    replay = Replay(record, go_on)
    version = 0
    try:
        _check_whole(record)
        for version, entry in enumerate(record.entries, 1):
            replay.repeat(version, entry)
        replay.end()
        version = 0
        _check_end(record, replay)
    except (Refused, GameRefusal) as error:
        fault = of_record(error) if isinstance(error, Refused) else refused(error)
        if fault.reason == errors_pb2.REASON_DEADLINE:
            raise fault from None
        return record_pb2.Verification(fault=fault.refusal, fault_version=version, plies=replay.plies_replayed)
    return record_pb2.Verification(good=True, plies=replay.plies_replayed, chance_proved=replay.is_proved, renewal=replay.renewal)


def _check_whole(record: record_pb2.Record) -> None:
    check_format(record)
    if not record.entries:
        if record.sealed:
            raise Refused(errors_pb2.REASON_STILL_RUNNING, "the record is sealed until the game is over")
        raise damaged("the record has no entries", "entries")


def _check_end(record: record_pb2.Record, replay: Replay) -> None:
    if not replay.has_started:
        if record.HasField("outcome") or record.position_hash:
            raise damaged("the game has not begun, so it has no outcome and no position", "outcome")
        return
    game = replay.any_codec.game
    ended = None if game.to_act(replay.position) else game.outcome(replay.position)
    if (ended is not None) != record.HasField("outcome"):
        raise damaged("the game has ended" if ended else "the game has not ended", "outcome")
    if ended is not None and not _is_recorded(outcome_message(ended), record.outcome):
        raise damaged("the game ended otherwise", "outcome")
    if hashlib.sha256(game.codec.encode(Kind.POSITION, replay.position)).digest() != record.position_hash:
        raise damaged("the last position is another one", "position_hash")


def _is_recorded(found: games_pb2.Outcome, recorded: games_pb2.Outcome) -> bool:
    """Return whether an outcome is what a record tells, which has no winners and places when it is one of 0.1.0."""
    if not recorded.places:
        for field in ("winners", "places", "sides"):
            found.ClearField(field)
    return found == recorded


def main(arguments: list[str]) -> int:
    """Check the file that the arguments name, print a report, and return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m services.rules.verify game.json", file=sys.stderr)
        return 2
    try:
        record = read_record(Path(arguments[0]))
    except (OSError, ValueError, Refused) as error:
        print(f"cannot read {arguments[0]}: {error}", file=sys.stderr)
        return 2
    verification = verify(record)
    print(report(record, verification))
    return 0 if verification.good else 1


def read_record(path: Path) -> record_pb2.Record:
    """Return the record in a save file. Raises OSError, ValueError or Refused if there is none."""
    if path.stat().st_size > FILE_BYTES:
        raise ValueError(f"it has more than {FILE_BYTES} bytes")
    registry.games()  # loads the message types of all games, which the JSON of an Any needs
    text = path.read_text(encoding="utf-8")
    try:
        record = json_format.Parse(text, record_pb2.Record())
    except json_format.ParseError as error:
        with suppress(json_format.ParseError):
            check_format(json_format.Parse(text, record_pb2.Record(), ignore_unknown_fields=True))
        raise ValueError(str(error)) from error
    limits.check(record)
    return record


def report(record: record_pb2.Record, verification: record_pb2.Verification) -> str:
    """Return the result in a few lines of English."""
    lines = [f"{record.game}, session {record.session_id}: {len(record.entries)} entries, {verification.plies} plies replayed"]
    if record.HasField("outcome"):
        lines.append(f"outcome: {_outcome_text(record.outcome)} ({record.outcome.rule or record.outcome.reason.key})")
    if not verification.good:
        fault = verification.fault
        where = f"at version {verification.fault_version}" if verification.fault_version else "in the record as a whole"
        rule = f" [{fault.rule}]" if fault.rule else ""
        lines.append(f"WRONG {where}: {fault.message}{rule}")
    elif verification.chance_proved:
        lines.append("GOOD: every step is legal, and every roll comes from the secret whose hash was published")
    else:
        lines.append("GOOD: every step is legal; the rolls are not proved, since the record does not hold the secret")
    if verification.good and verification.HasField("renewal"):
        version, plies = verification.renewal.version, verification.renewal.plies
        lines.append(f"chance was renewed at version {version}: after ply {plies} the rolls come from another secret")
    return "\n".join(lines)


def _outcome_text(outcome: games_pb2.Outcome) -> str:
    """Return who has won and the places, by seats counted from 0; the scores where a record tells no more."""
    if not outcome.places:
        return " : ".join(f"{score:g}" for score in outcome.scores)
    won = " and ".join(f"seat {seat}" for seat in outcome.winners)
    places = ", ".join(f"seat {seat} is {place}." for seat, place in enumerate(outcome.places))
    return f"{f'won by {won}' if won else 'a draw'}; {places}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
