"""The members of the club: where they live, when they rest and are away, and by what they are told."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from loadtests.club.judge import DAY_MS, HOUR_MS, Item

ZONES = ("Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland", "UTC")
WAYS = (("push",), ("mail",), ("webhook",), ("push", "mail"), ("push", "mail", "webhook"), ())
"""By what people are told, in turn; some by nothing."""
AWAY_DAYS = (5, 12)


@dataclass(slots=True)
class Person:
    """A member."""

    number: int
    zone: str
    quiet_from: int
    """In minutes after midnight; the same as `quiet_until` for no quiet hours."""
    quiet_until: int
    sleeps_from: int
    """The hour in which they go to bed; they get up eight hours later."""
    ways: tuple[str, ...]
    mail_wait_min: int
    has_rest_hours: bool
    wants_seats: bool
    away: Sequence[tuple[int, int]]
    """When they are away, in milliseconds since 1970."""
    pace_h: float
    token: str = field(default="", repr=False)
    player_id: str = ""
    next_ms: int = 0
    """When they look at their games next."""
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    """Of their seats, by session."""
    left: set[str] = field(default_factory=set)
    """Sessions whose seat they have given up."""
    asked: set[str] = field(default_factory=set)
    """Sessions of whose seats they have asked for one."""
    turns: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Their turns so far, by session."""
    head: int = 0
    feed: dict[int, Item] = field(default_factory=dict)
    """All news that they have had."""
    seen: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """When they saw to each session."""
    last_act: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """When their last turn ended, by session."""
    acted: list[tuple[str, int, int]] = field(default_factory=list)
    """Their turns: the session, when they had acted there before, and when they did then."""
    ended: set[str] = field(default_factory=set)
    """Sessions with a seat of theirs that are over."""
    is_gone: bool = False
    """Whether they have left the club."""

    @property
    def name(self) -> str:
        """Their name."""
        return f"Member {self.number:03}"

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The headers of their calls."""
        return (("authorization", f"Bearer {self.token}"),)

    def is_awake(self, at_ms: int) -> bool:
        """Return whether they are up."""
        hour = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(ZoneInfo(self.zone)).hour
        return (hour - self.sleeps_from) % 24 >= 8

    def plan(self, now_ms: int, dice: random.Random) -> None:
        """Choose when they look at their games next."""
        at_ms = now_ms + round(self.pace_h * dice.uniform(0.5, 1.6) * HOUR_MS)
        for begins, ends in self.away:
            if begins <= at_ms < ends:
                at_ms = ends
        while not self.is_awake(at_ms):
            at_ms += HOUR_MS // 2
        self.next_ms = at_ms

    def leaves_soon(self, now_ms: int) -> int:
        """Return for how many days they are away from within two days on; 0 if they are not."""
        return next((round((ends - begins) / DAY_MS) for begins, ends in self.away if now_ms < begins < now_ms + 2 * DAY_MS), 0)


def members(count: int, days: int, pace_h: float, begins_ms: int, dice: random.Random) -> list[Person]:
    """Return so many people, who look at their games every `pace_h` hours or so."""
    made = []
    for number in range(count):
        away = []
        if days >= 60 and number % 3 == 0:
            for _ in range(max(1, days // 180)):
                begins = begins_ms + round(dice.uniform(0.1, 0.8) * days * DAY_MS)
                away.append((begins, begins + dice.randint(*AWAY_DAYS) * DAY_MS))
        is_quiet = number % 4 != 3
        made.append(
            Person(
                number=number,
                zone=ZONES[number % len(ZONES)],
                quiet_from=(22 * 60 + 30 * (number % 3)) % 1440 if is_quiet else 0,
                quiet_until=7 * 60 if is_quiet else 0,
                sleeps_from=(22 + number % 4) % 24,
                ways=WAYS[number % len(WAYS)],
                mail_wait_min=(15, 60, 240)[number % 3],
                has_rest_hours=number % 5 == 0,
                wants_seats=number % 3 == 1,
                away=sorted(away),
                pace_h=pace_h,
            )
        )
    return made
