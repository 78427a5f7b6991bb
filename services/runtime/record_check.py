"""Whether a record can be read by this release: one check for all that read records, before their games are replayed.

A record that a newer release has written is refused with NEWER, as long as nobody who could read it is known; what no release
can have written is damaged.
"""

import re

from google.protobuf.unknown_fields import UnknownFieldSet

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused, damaged, is_newer, newer

FORMAT = 1
"""The format of records that is written and read here."""

_REVISION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*")


def check_format(record: record_pb2.Record, *, newer_runs: bool = False) -> None:
    """Return if a record has the format that is known here.

    `newer_runs`: whether a process of a newer release is known to run beside this one. Raises Refused: NEWER for a later format,
    UNAVAILABLE (newer) while such a process may read it, RECORD_DAMAGED for a format that there never was.
    """
    if record.format > FORMAT:
        raise (
            newer(f"format {record.format}") if newer_runs else newer_record("format", str(record.format), str(FORMAT), "format")
        )
    if record.format != FORMAT:
        raise damaged(f"the record has format {record.format}, this is read: {FORMAT}", "format")


def check_game(record: record_pb2.Record, created: record_pb2.Created) -> None:
    """Return if a record is of the game that its log tells, by a revision of its rules. Raises Refused (RECORD_DAMAGED)."""
    if not created.rules_version:
        raise damaged("the log does not say by which revision of the rules it was played", "created.rules_version")
    if created.game != record.game:
        raise damaged(f"the record is of {record.game or 'no game'}, its log of {created.game or 'none'}", "created.game")


def check_entry(entry: record_pb2.Entry) -> str:
    """Return the name of what an entry says. Raises Refused: NEWER if it is not known here, RECORD_DAMAGED if it is nothing."""
    which = entry.WhichOneof("change")
    if which is not None:
        return which
    unknown = UnknownFieldSet(entry)
    if len(unknown):
        known = ", ".join(str(field.number) for field in entry.DESCRIPTOR.fields)
        raise newer_record("entry", str(unknown[0].field_number), known, "entries")
    raise damaged("the entry says nothing", "entries")


def of_record(refused: Refused) -> Refused:
    """Return why a record is refused, given what the rules have against playing it.

    Of a session that is played, what is not known to a process may be known to the next one; where none of them knows it, a
    record is from a newer release (NEWER) or names what there never was (RECORD_DAMAGED). Anything else stays as it is.
    """
    details = refused.refusal.details
    what, _, value = details.get("newer", "").partition(" ")
    if not is_newer(refused.refusal) or what != "rules_version":
        return refused
    known = details.get("known", "")
    if _is_later(value, known):
        return newer_record(what, value, known, refused.refusal.field)
    return damaged(f"played by revision {value} of the rules; here there are: {known}", what)


def newer_record(what: str, value: str, known: str, field: str = "") -> Refused:
    """Return the refusal of a record that a newer release has written: what is not known of it, and what is known here."""
    message = (
        f"a newer release has written this record: its {what} is {value}, known here: {known}; "
        "open it on a server of that release, or upgrade this one"
    )
    details = {"what": what, "value": value, "known": known}
    return Refused(errors_pb2.REASON_NEWER, message, details=details, field=field)


def _is_later(revision: str, known: str) -> bool:
    """Return whether a revision (2, 2.1) comes after all known ones, which are listed by commas."""
    ours = [_numbers(one) for one in known.split(", ") if _REVISION.fullmatch(one)]
    return _REVISION.fullmatch(revision) is not None and bool(ours) and _numbers(revision) > max(ours)


def _numbers(revision: str) -> tuple[int, ...]:
    return tuple(map(int, revision.split(".")))
