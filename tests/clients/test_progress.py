import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from brettwerk_client.progress import Hole, Progress
from brettwerk_client.turns import Turns

CAUSES = play_pb2.Resync


def update(version: int, at_ms: int = 1) -> play_pb2.WatchResponse:
    return play_pb2.WatchResponse(update=sessions_pb2.Update(version=version, at_ms=at_ms))


def resync(version: int, cause: play_pb2.Resync.Cause.ValueType, at_ms: int = 1) -> play_pb2.WatchResponse:
    return play_pb2.WatchResponse(resync=play_pb2.Resync(cause=cause, update=sessions_pb2.Update(version=version, at_ms=at_ms)))


def heartbeat(head: int) -> play_pb2.WatchResponse:
    return play_pb2.WatchResponse(heartbeat=play_pb2.Heartbeat(head_version=head))


def versions(progress: Progress, *messages: play_pb2.WatchResponse) -> list[int]:
    return [found.version for found in map(progress.take, messages) if found is not None]


def test_every_version_comes_once_and_in_order() -> None:
    progress = Progress()
    assert versions(progress, resync(3, CAUSES.CAUSE_UNSPECIFIED), update(3), update(4), update(4), update(5)) == [3, 4, 5]
    request = progress.request("07a", "token")
    assert (request.after_version, request.after_at_ms, request.session_id, request.seat_token) == (5, 1, "07a", "token")


def test_a_version_that_is_missing_is_noticed() -> None:
    progress = Progress(after_version=3, after_at_ms=1)
    with pytest.raises(Hole):
        progress.take(update(5))
    assert progress.last == 3


def test_a_heartbeat_that_is_ahead_twice_tells_of_a_hole() -> None:
    progress = Progress(after_version=3)
    assert progress.take(heartbeat(4)) is None
    assert versions(progress, update(4), heartbeat(5)) == [4]
    with pytest.raises(Hole):
        progress.take(heartbeat(5))


def test_a_server_that_was_set_back_begins_anew_with_a_lower_number() -> None:
    progress = Progress(after_version=9, after_at_ms=90)
    assert versions(progress, resync(7, CAUSES.CAUSE_AHEAD, 70), update(8)) == [7, 8]


def test_the_same_picture_is_news_only_to_somebody_else() -> None:
    progress = Progress(after_version=3, after_at_ms=1)
    assert versions(progress, resync(3, CAUSES.CAUSE_GAP)) == []
    assert versions(progress, resync(3, CAUSES.CAUSE_SEAT)) == [3]


@pytest.mark.parametrize(
    ("message", "is_void"),
    [
        (resync(3, CAUSES.CAUSE_SEAT), True),
        (resync(2, CAUSES.CAUSE_SEAT, at_ms=1), True),  # as spectators count where something is hidden
        (resync(4, CAUSES.CAUSE_SEAT, at_ms=2), False),
        (resync(3, CAUSES.CAUSE_GAP), False),
    ],
)
def test_a_seat_lost_without_a_new_version_means_a_void_token(message: play_pb2.WatchResponse, is_void: bool) -> None:
    progress = Progress(after_version=3, after_at_ms=1)
    progress.take(message)
    assert progress.has_void_token == is_void
    progress.take(update(progress.last + 1))
    assert not progress.has_void_token, "with another token all is well"


def test_a_seat_of_which_nothing_was_seen_may_be_somebody_elses() -> None:
    progress = Progress()
    progress.take(resync(3, CAUSES.CAUSE_SEAT))
    assert not progress.has_void_token


def test_a_bot_is_not_asked_about_what_was_before_its_own_action() -> None:
    turns, may_act = Turns(), sessions_pb2.Update(version=4)
    assert not turns.wants(may_act)
    may_act.actions.add(notation="a1")
    assert turns.wants(may_act)
    turns.acted(6)
    assert not turns.wants(may_act)
    may_act.version = 6
    assert turns.wants(may_act)


def test_a_bot_without_lists_is_asked_when_it_is_its_turn() -> None:
    turns = Turns([sessions_pb2.Update.FIELD_ACTIONS])
    running = sessions_pb2.Session(state=sessions_pb2.Session.STATE_RUNNING)
    update = sessions_pb2.Update(version=4, to_act=[1], session=running)
    assert [turns.wants(update, seat) for seat in (-1, 0, 1)] == [False, False, True]
    turns.acted(5)
    assert not turns.wants(update, 1)
    update.version, update.session.state = 6, sessions_pb2.Session.STATE_PAUSED
    assert not turns.wants(update, 1)


def test_a_bot_is_asked_again_when_the_server_lost_its_action() -> None:
    turns = Turns()
    for version in (3, 4):
        turns.wants(sessions_pb2.Update(version=version))
    turns.acted(5)
    lost = sessions_pb2.Update(version=3)
    lost.actions.add(notation="a1")
    assert turns.wants(lost)
