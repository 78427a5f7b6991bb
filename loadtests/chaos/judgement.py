"""Compares what the driver remembers of a session with what the system shows of it. Pure: it asks nobody."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from loadtests.chaos.evidence import Evidence
from loadtests.chaos.figures import Figures
from loadtests.chaos.ledger import Acknowledged, Ledger, Received, Watched

MAX_ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class Loss:
    """A time in which what is done may be lost, as a setting of the store promises: the last second before a power cut."""

    begin_s: float
    end_s: float

    def covers(self, sent_s: float, at_s: float) -> bool:
        """Return whether what was asked for and answered at these times may have been done then. An answer may take a while."""
        return sent_s <= self.end_s and self.begin_s <= at_s <= self.end_s + MAX_ANSWER_S


def judge(ledger: Ledger, evidence: Evidence, losses: Sequence[Loss] = ()) -> Figures:
    """Return what is wrong with one session."""
    figures = Figures(games=1, actions=len(ledger.acknowledged))
    _judge_log(figures, ledger, evidence, losses)
    for watched in ledger.watched:
        _judge_watched(figures, ledger, watched, evidence, losses)
    if not losses:  # what is recreated after a loss is another message of the same version
        _judge_bytes(figures, ledger)
    if not evidence.is_verified:
        figures.add("unverified", f"{ledger.session_id}: {evidence.fault}")
    return figures


def _judge_log(figures: Figures, ledger: Ledger, evidence: Evidence, losses: Sequence[Loss]) -> None:
    for number, entry in enumerate(evidence.entries, 1):
        if entry.version != number:
            figures.add("holes", f"{ledger.session_id}: entry {number} has version {entry.version}")
            break
    figures.fallbacks += sum(entry.is_fallback for entry in evidence.entries)
    in_log = Counter(
        (0 if ledger.hides else entry.version, entry.actor - 1, entry.action)
        for entry in evidence.entries
        if entry.actor - 1 in ledger.persons and not entry.is_fallback
    )
    answered = [replace(one, version=0) for one in ledger.acknowledged] if ledger.hides else ledger.acknowledged
    acknowledged = Counter((one.version, one.seat, one.action) for one in answered)
    for one in _not_in(in_log, answered):
        if any(loss.covers(one.sent_s, one.at_s) for loss in losses):
            figures.lost_as_promised += 1
        else:
            after = min((one.at_s - loss.end_s for loss in losses if loss.end_s < one.at_s), default=0.0)
            cut = f", {after:.1f} s after a power cut" if after else ""
            figures.add("lost", f"{ledger.session_id}: version {one.version} of seat {one.seat}{cut}")
    strange = sorted((in_log - acknowledged).elements())
    for version, seat, _ in strange[ledger.unanswered :]:
        figures.add("doubled", f"{ledger.session_id}: nobody was told of version {version} of seat {seat}")


def _not_in(in_log: Counter[tuple[int, int, bytes]], acknowledged: Sequence[Acknowledged]) -> list[Acknowledged]:
    left, missing = Counter(in_log), []
    for one in reversed(acknowledged):  # the same action may have been recreated after a loss: the log has the last one
        key = (one.version, one.seat, one.action)
        if left[key]:
            left[key] -= 1
        else:
            missing.append(one)
    return missing


def _judge_watched(figures: Figures, ledger: Ledger, watched: Watched, evidence: Evidence, losses: Sequence[Loss]) -> None:
    who = f"{ledger.session_id}: {'a spectator' if watched.audience < 0 else f'seat {watched.audience}'}"
    audience = watched.audience
    last: Received | None = None
    held: dict[int, tuple[Received, int]] = {}
    for update in watched.received:
        if update.cause is None and last is not None:
            if update.version <= last.version:
                figures.add("disordered", f"{who} was sent {update.version} after {last.version}")
            elif update.version > last.version + 1:
                figures.add("missed", f"{who} was sent {update.version} after {last.version}")
        elif update.cause is None:
            figures.add("disordered", f"{who} was sent {update.version} before any picture")
        elif update.cause == "AHEAD":
            if last is not None and evidence.updates[audience].get(last.version) == last.digest:
                figures.aheads_without_loss += 1
            elif not any(loss.begin_s <= update.at_s for loss in losses):
                figures.add("disordered", f"{who} was told AHEAD of {last and last.version} though nothing could be lost")
            held.clear()
        elif update.cause == "GAP":
            figures.gaps += 1
        elif update.cause == "OPENED":  # what was hidden counts now, so that versions have other numbers
            held.clear()
        elif update.cause == "SEAT":
            if not any(loss.begin_s <= update.at_s for loss in losses):
                figures.add("disagreements", f"{who} lost the seat at {update.version}")
            audience = -1
        elif last is not None:
            figures.add("disordered", f"{who} began anew at {update.version} after {last.version} without a cause")
        held[update.version] = update, audience
        last = update
    for version, (update, of) in held.items():
        truth = evidence.updates[of]
        if version not in truth:
            figures.add("disagreements", f"{who} was sent {version}, which there is not (newest: {evidence.head})")
        elif update.digest != truth[version]:
            fields = sorted(
                name for name in {*update.digest, *truth[version]} if update.digest.get(name) != truth[version].get(name)
            )
            figures.add("disagreements", f"{who} was sent another {version}: {', '.join(fields)}")
    if not watched.left_early and (last is None or last.version < evidence.head):
        figures.add("missed", f"{who} was not sent what came after {0 if last is None else last.version} ({evidence.head})")


def _judge_bytes(figures: Figures, ledger: Ledger) -> None:
    first: dict[tuple[int, int], bytes] = {}
    for watched in ledger.watched:
        for update in watched.received:
            if update.cause is None and first.setdefault((watched.audience, update.version), update.sent) != update.sent:
                figures.add("unequal", f"{ledger.session_id}: version {update.version} for {watched.audience}")


def stalls(ledger: Ledger, until_s: float) -> list[tuple[float, float]]:
    """Return when nothing happened at a table that was being played, and for how long, in seconds; the longest first."""
    if ledger.running_since_s is None:
        return []
    end = until_s if ledger.over_at_s is None else ledger.over_at_s
    times = sorted({ledger.running_since_s, end, *ledger.noticed_at_s.values()})
    inside = [at for at in times if ledger.running_since_s <= at <= end]
    return sorted(((at, later - at) for at, later in itertools.pairwise(inside)), key=lambda one: -one[1])


def waits(ledger: Ledger) -> float:
    """Return how much later than the first who knew of a version its last watcher was sent it, in seconds, at most."""
    longest = 0.0
    for watched in ledger.watched:
        for update in watched.received:
            known = ledger.noticed_at_s.get(update.version)
            if update.cause is None and known is not None:
                longest = max(longest, update.at_s - known)
    return longest
