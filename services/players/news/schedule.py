"""When and which news are told to a player who is not there. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from brettwerk.v1 import news_pb2, record_pb2
from services.runtime.time_zones import zone_of

MAIL_WAIT = 15
"""Minutes that news wait for others that go into the same mail, where the player has not said otherwise."""
DAY = 24 * 60
OF_MODERATION = frozenset(range(news_pb2.News.KIND_REPORT_SEEN, news_pb2.News.KIND_RENAMED + 1))
"""The kinds of news of moderators, which are about the account."""
_TIMED = (news_pb2.News.KIND_YOUR_TURN, news_pb2.News.KIND_NUDGED, news_pb2.News.KIND_SUBSTITUTE_ASKED)


@dataclass(frozen=True, slots=True)
class Preferences:
    """The news that a player wants to be told, and when."""

    unpushed: frozenset[int] = frozenset()
    """Kinds of news."""
    unmailed: frozenset[int] = frozenset()
    quiet_from: int = 0
    """In minutes after midnight; the same as `quiet_until` for no quiet hours."""
    quiet_until: int = 0
    time_zone: str = ""
    mail_wait: int = MAIL_WAIT
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Item:
    """News as they are stored."""

    version: int
    kind: int
    session_id: str
    game: str
    title: str
    at_ms: int
    until_ms: int
    handled: bool
    challenge_id: str = ""
    """The challenge, where it is about one; there may be no session then."""

    tournament_id: str = ""
    """The tournament, where it is about one; there is no session at its end."""
    ruling: record_pb2.Ruling | None = None
    """The ruling of an arbiter, where it is about one."""

    @property
    def subject(self) -> str:
        """The thing that it is about: a session, a challenge or tournament that has none, or the player's own account."""
        about = self.session_id or self.challenge_id or self.tournament_id
        return about or (f"moderation {self.version}" if self.kind in OF_MODERATION else "account")

    @property
    def path(self) -> str:
        """Where the page of it is; challenges are answered on the first page."""
        if self.session_id:
            return f"/s/{self.session_id}"
        if self.kind == news_pb2.News.KIND_WEBHOOK_OFF or self.kind in OF_MODERATION:
            return "/account"
        return f"/tournament/{self.tournament_id}" if self.tournament_id else "/"


def to_tell(news: Iterable[Item], after: int, muted: frozenset[int], now_ms: int) -> Sequence[Item]:
    """Return the newest of the news of each table or challenge after a version, oldest first; `news` come in that order.

    Left out is what is muted, what the player has seen to (and so all before it), a turn or a question whose time is over, a
    challenge that was withdrawn, and whatever came before the end of a game.
    """
    newest: dict[str, Item] = {}
    for item in news:
        if item.version <= after:
            continue
        is_late = item.kind in _TIMED and 0 < item.until_ms <= now_ms
        is_past = item.handled or is_late or item.kind == news_pb2.News.KIND_CHALLENGE_WITHDRAWN
        if is_past or item.kind == news_pb2.News.KIND_GAME_OVER:
            newest.pop(item.subject, None)
        if not is_past and item.kind not in muted:
            newest[item.subject] = item
    return sorted(newest.values(), key=lambda item: item.version)


def after_quiet_hours(at_ms: int, preferences: Preferences) -> int:
    """Return the first moment from `at_ms` on that is in no quiet hours, in milliseconds since 1970."""
    begin, end = preferences.quiet_from, preferences.quiet_until
    if begin == end:
        return at_ms
    zone = zone_of(preferences.time_zone) or UTC
    local = datetime.fromtimestamp(at_ms / 1000, zone)
    minute = local.hour * 60 + local.minute
    if (minute - begin) % DAY >= (end - begin) % DAY:
        return at_ms
    day = local.date() + timedelta(days=1 if end <= minute else 0)
    wakes = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)
    return max(at_ms, int(wakes.timestamp() * 1000))


def mailed_at_ms(items: Sequence[Item], preferences: Preferences) -> int:
    """Return when a mail with such news is due: when the oldest has waited for others, and not in quiet hours."""
    oldest = min(item.at_ms for item in items)
    return after_quiet_hours(oldest + preferences.mail_wait * 60_000, preferences)
