"""The judgement on what somebody was told: by the rules of docs/protocol.md, from outside and afterwards. Pure.

It knows the news that a player's feed has had, when the player has seen to a table, and what came by one way. Each way is told of
each subject the newest, once, not in quiet hours, and not too late for the player to care.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000
_SLACK_MS = 2_000
_MOMENT_MS = 60_000
"""A step of the simulation takes less by its own clock, and the next one comes many minutes later."""
_ON_ITS_WAY_MS = 60_000
"""So long around the moment in which it is killed a service may have sent what it had no time to note."""
_AWAY_MS = 300_000
"""So long after it was killed the service has heard of all that happened meanwhile."""
_AWAITED = ("your_turn", "nudged")
"""Kinds of news that a player has seen to who has acted."""
MANY = "many"
"""The subject of a message in place of many."""


@dataclass(frozen=True, slots=True)
class Item:
    """News in a feed."""

    version: int
    kind: str
    """The kind in lower case: your_turn."""
    subject: str
    """The session; else the challenge or the tournament."""
    at_ms: int
    until_ms: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """A message that came: what it tells, by subject and kind."""

    at_ms: int
    id: str
    """The same for each attempt; empty where the way has none."""
    shown: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Wishes:
    """How somebody wants to be told."""

    zone: str
    quiet_from: int
    """In minutes after midnight; the same as `quiet_until` for no quiet hours."""
    quiet_until: int
    wait_ms: int = 0
    """How long news wait for others."""
    grace_ms: int = DAY_MS
    """How much later than due a message is late, quiet hours not counted: the simulation's steps are coarse."""

    def is_quiet(self, at_ms: int) -> bool:
        """Return whether a moment is in quiet hours."""
        if self.quiet_from == self.quiet_until:
            return False
        local = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(ZoneInfo(self.zone))
        minute = local.hour * 60 + local.minute
        return (minute - self.quiet_from) % 1440 < (self.quiet_until - self.quiet_from) % 1440

    def due_ms(self, at_ms: int) -> int:
        """Return when something is to be told that came at a moment: after the wait, and not in quiet hours."""
        return self.waking_ms(at_ms + self.wait_ms)

    def limit_ms(self, due_ms: int) -> int:
        """Return from when on something is late that was due at a moment: quiet hours do not count."""
        left_ms = self.grace_ms
        while left_ms > 0:
            due_ms += min(HOUR_MS, left_ms)
            if not self.is_quiet(due_ms):
                left_ms -= HOUR_MS
        return self.waking_ms(due_ms)

    def waking_ms(self, at_ms: int) -> int:
        """Return the first moment from another one on that is not in quiet hours."""
        while self.is_quiet(at_ms):
            at_ms += MINUTE_MS - at_ms % MINUTE_MS
        return at_ms


@dataclass(slots=True)
class Verdict:
    """The findings, as sentences."""

    messages: int = 0
    items: int = 0
    repeated: int = 0
    """Messages that came again under the id of the first attempt, which receivers leave out."""
    twice: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    at_night: list[str] = field(default_factory=list)

    def add(self, other: "Verdict") -> None:
        """Add the findings of another one."""
        for name in ("messages", "items", "repeated"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("twice", "forgotten", "late", "at_night"):
            getattr(self, name).extend(getattr(other, name))

    @property
    def faults(self) -> int:
        """How many findings there are."""
        return len(self.twice) + len(self.forgotten) + len(self.late) + len(self.at_night)


def judge(
    who: str, items: Iterable[Item], seen: Mapping[str, Sequence[int]], messages: Iterable[Message], wishes: Wishes, end_ms: int,
    kills: Sequence[int] = (),
) -> Verdict:  # fmt: skip
    """Return the findings on one way of telling one player. `seen`: when the player has seen to each session.

    What was on its way when the players service was killed (`kills`) may come again, once its claim is over.
    """
    verdict = Verdict()
    by_subject: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda one: one.version):
        by_subject.setdefault(item.subject, []).append(item)
        verdict.items += 1
    shown: dict[int, int] = {}
    last: dict[str, set[int]] = {}
    ids: set[str] = set()
    for message in sorted(messages, key=lambda one: one.at_ms):
        if message.id and message.id in ids:
            verdict.repeated += 1
            continue
        ids.add(message.id)
        verdict.messages += 1
        if wishes.is_quiet(message.at_ms):
            verdict.at_night.append(f"{who}: {message.shown} at {_moment(message.at_ms, wishes)}")
        subjects = message.shown
        if any(subject == MANY for subject, _ in subjects):
            subjects = tuple(
                (subject, "")
                for subject, found in by_subject.items()
                if max(_newest(found, "", message.at_ms, seen.get(subject, ()), kills), default=0) > min(last.get(subject, {0}))
            )
        for subject, kind in subjects:
            # Which of several of one moment it told cannot be seen: all that it may have told are kept.
            newest = _newest(by_subject.get(subject, []), kind, message.at_ms, seen.get(subject, ()), kills)
            fresh = {version for version in newest if version > min(last.get(subject, {0}))}
            former = max((shown.get(version, 0) for version in newest), default=0)
            if fresh:
                last[subject] = fresh
                shown.setdefault(max(fresh), message.at_ms)
            elif former and any(abs(former - kill) <= _ON_ITS_WAY_MS and message.at_ms <= kill + DAY_MS for kill in kills):
                verdict.repeated += 1
            else:
                at, before = _moment(message.at_ms, wishes), _moment(former, wishes) if former else "never"
                verdict.twice.append(f"{who}: {kind} of {subject} at {at}, told before at {before}")
    for subject, found in by_subject.items():
        for number in range(len(found)):
            _missing(verdict, who, subject, found[number:], shown, seen.get(subject, ()), wishes, end_ms)
    return verdict


def _missing(
    verdict: Verdict, who: str, subject: str, rest: Sequence[Item], shown: Mapping[int, int], seen: Sequence[int],
    wishes: Wishes, end_ms: int,
) -> None:  # fmt: skip
    """Note an item (the first of `rest`, all later ones of its subject after it) that was told late or not at all."""
    item = rest[0]
    due_ms = wishes.due_ms(item.at_ms)
    limit_ms = wishes.limit_ms(due_ms)
    if limit_ms >= end_ms or (item.until_ms and item.until_ms <= limit_ms):
        return
    if any(item.at_ms - _SLACK_MS <= at_ms <= limit_ms for at_ms in seen):
        return
    if any(later.at_ms <= limit_ms for later in rest[1:]):
        return  # the later one is told in its place
    at_ms = min((at for later in rest if (at := shown.get(later.version))), default=0)
    if not at_ms:
        verdict.forgotten.append(f"{who}: {item.kind} of {subject}, of {_moment(item.at_ms, wishes)}")
    elif at_ms > limit_ms:
        hours = (at_ms - due_ms) / HOUR_MS
        verdict.late.append(f"{who}: {item.kind} of {subject}, {hours:.0f} h after {_moment(due_ms, wishes)}")


def _newest(found: Sequence[Item], kind: str, at_ms: int, seen: Sequence[int], kills: Sequence[int]) -> Set[int]:
    """Return the versions of what may have been the newest a moment before, of a kind if one is named.

    Moments are known to a second or two; nothing newer can have been there for a minute, and nobody has seen to it before. What
    happens at tables while the players service is away becomes news when it is back, one after the other.
    """
    since_ms = min([at_ms, *(kill for kill in kills if kill <= at_ms <= kill + _AWAY_MS)]) - _MOMENT_MS
    there = [one for one in found if one.at_ms <= at_ms + _SLACK_MS]
    sure = max((one.version for one in there if one.at_ms <= since_ms), default=0)
    return {
        one.version
        for one in there
        if one.version >= sure
        and (not kind or one.kind == kind)
        and not (one.kind in _AWAITED and any(one.at_ms + _MOMENT_MS <= moment <= since_ms for moment in seen))
    }


def _moment(at_ms: int, wishes: Wishes) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(ZoneInfo(wishes.zone)).strftime("%Y-%m-%d %H:%M:%S %Z")
