"""Signs of life: the head version, who is there, how the computers' moves stand, and who watches."""

from collections.abc import Callable, Iterable

from services.session.watch.followers import NOT_SENT, Follower, ShownWaits, Stream, by_stream, heartbeat
from services.session.watch.watchers import Watchers


class Heartbeats:
    """Sends them."""

    def __init__(
        self,
        waits: ShownWaits,
        watchers: Watchers,
        followers: Callable[[str], Iterable[Follower]],
        now_ms: Callable[[], int],
    ) -> None:
        """`followers` returns who follows a session here."""
        self._waits = waits
        self._watchers = watchers
        self._followers = followers
        self._now_ms = now_ms

    def send(self, followers: list[Follower], head: int, present: int, session_id: str) -> None:
        """Send watches of one stream a heartbeat, with what is shown of a session; without an id, of one that shows nothing."""
        for follower in followers:
            follower.present = present
        watchers = self._watchers.shown(session_id)
        beat = heartbeat(head, self._now_ms(), present, self._waits.shown(session_id), watchers.people, watchers.names)
        followers[0].stream.send(followers, beat)

    def send_all(self, followers: Iterable[tuple[Follower, int]]) -> None:
        """Send watches of any sessions a heartbeat; with each stands who is there."""
        alike: dict[tuple[int, int, str], list[Follower]] = {}
        for follower, present in followers:
            session_id = follower.session_id
            shows = self._waits.shown(session_id) or self._watchers.shown(session_id).people
            alike.setdefault((follower.last_number, present, session_id if shows else ""), []).append(follower)
        for (version, present, session_id), group in alike.items():
            for of_stream in by_stream(group).values():
                self.send(of_stream, version, present, session_id)

    def tell(self, session_id: str) -> None:
        """Tell all who follow a session how the computers' moves stand and who watches, unless they catch up."""
        groups: dict[tuple[Stream, int, int], list[Follower]] = {}
        for follower in self._followers(session_id):
            if follower.present != NOT_SENT and not follower.is_lagging and not follower.is_catching_up:
                groups.setdefault((follower.stream, follower.last_number, follower.present), []).append(follower)
        for (_, version, present), followers in groups.items():
            self.send(followers, version, present, session_id)

    def tell_presence(self, session_id: str, present: int) -> None:
        """Tell all who follow a session who is there, if they have had another picture of that."""
        for follower in self._followers(session_id):
            if follower.present not in (NOT_SENT, present) and not follower.is_lagging:
                self.send([follower], follower.last_number, present, session_id)
