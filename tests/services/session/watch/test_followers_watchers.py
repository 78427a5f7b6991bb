"""The watchers of a table who do not sit at it."""

from typing import Any

from services.session.watch.followers import Follower, watching


def follower(seat: int | None = None, present: int = 0, **fields: Any) -> Follower:
    stream: Any = None
    return Follower(1, stream, "s", seat, 1, b"", 1, present=present, **fields)


def test_people_are_counted_once_and_those_who_play_not_at_all() -> None:
    everybody = [
        follower(),
        follower(player_id="ada"),
        follower(player_id="ada"),
        follower(player_id="ben"),
        follower(0, player_id="cleo"),
        follower(is_gone=True),
        follower(player_id="dora", is_passing=True),
    ]
    assert watching(everybody, {"ben"}).people == 2


def test_names_are_those_of_people_who_show_theirs() -> None:
    everybody = [follower(player_id="ada", name="Ada", shows_name=True), follower(player_id="ben", name="Ben")]
    assert watching(everybody, ()) == (2, ("Ada",))


def test_a_watch_whose_seat_is_still_looked_up_is_nobodys_yet() -> None:
    assert watching([follower(present=-1)], ()).people == 0
