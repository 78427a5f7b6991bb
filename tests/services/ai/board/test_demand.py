"""Thinking time follows demand, and demand is bounded."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ai.board.board import INLINE_BYTES
from services.ai.board.order import Finished, Urgency
from tests.night import examples
from tests.services.ai.board.board_service import BoardService, played, want

several = settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@several
@given(
    waiting=st.integers(1, 300),
    slots=st.integers(1, 8),
    think=st.sampled_from((20, 200, 1000, 3000)),
    share=st.floats(0, 1),
    waits=st.sampled_from((Urgency.PERSON, Urgency.HINT, Urgency.WATCHER, Urgency.NOBODY)),
)
def test_persons_moves_are_granted_what_a_second_of_all_workers_allows(url, waiting, slots, think, share, waits):
    board_service = BoardService(url)
    try:
        least = max(1, int(think * share))
        wants = [want(f"s{at}:0", waits=waits, named_ms=think, least_ms=least) for at in range(waiting)]
        board_service.offer(*wants)
        worker = board_service.begin(slots=slots, pids=range(slots + 1))
        order = worker.take(1, [], 1).orders[0]
        assert least <= order.think_ms <= order.named_ms == think
        if waits in (Urgency.WATCHER, Urgency.NOBODY):
            assert order.think_ms == think
        elif waiting * think <= 1000 * slots:
            assert order.think_ms == think, "nobody hurries while there is time"
        else:
            assert order.think_ms == max(least, int(think * 1000 * slots / (waiting * think)))
    finally:
        board_service.close()


def test_the_time_a_level_takes_is_learnt_from_thoughts_that_had_all_their_time(board_service):
    worker = board_service.begin()
    finished: list[Finished] = []
    for version in range(1, 40):
        board_service.offer(want(version=version, named_ms=1000, least_ms=1000))
        orders = worker.take(1, finished, 1).orders
        finished = [played(orders[0], spent_ms=10, was_full=True)]
    worker.take(1, finished, 0)
    board_service.offer(want(version=99, named_ms=1000, least_ms=1000))
    assert 10 <= board_service.demand().backlog_ms <= 11
    finished = [played(worker.take(1, [], 1).orders[0], spent_ms=900, was_full=False)]
    worker.take(1, finished, 0)
    board_service.offer(want(version=100, named_ms=1000, least_ms=1000))
    assert board_service.demand().backlog_ms <= 11


def test_the_seconds_that_are_wanted_are_reported_once(board_service):
    offered = board_service.offer(want("a:0", named_ms=1500), want("b:0", waits=Urgency.NOBODY, named_ms=500))
    assert {waits: seconds for waits, seconds in offered.seconds.items() if seconds} == {
        Urgency.PERSON: 1.5,
        Urgency.NOBODY: 0.5,
    }
    again = board_service.offer(want("a:0", named_ms=1500))
    assert (again.noted, sum(again.seconds.values())) == ([], 0)


def test_past_demand_fades_as_the_load_average_of_unix_does(board_service):
    assert (board_service.demand().wanted_ms, board_service.demand().is_active) == (0, False)
    for at in range(300):
        board_service.offer(want(f"s{at}:0", named_ms=1000))
        board_service.withdraw(f"s{at}:0", 1)
        board_service.now_ms += 500
    assert 1800 < board_service.demand().wanted_ms < 2000, "two seconds of thinking in each second"
    board_service.now_ms += 59_000
    assert 600 < board_service.demand().wanted_ms < 750
    assert board_service.demand().is_active
    board_service.now_ms += 1000
    assert not board_service.demand().is_active, "nothing waits, and nothing was wanted for a minute"
    board_service.offer(want("last:0"))
    board_service.now_ms += 3_600_000
    assert (board_service.demand().wanted_ms, board_service.demand().is_active) == (0, True), "it still waits"


@pytest.mark.nightly
def test_there_is_room_for_twenty_thousand_and_the_last_tenth_is_for_waiting_people(board_service):
    offered = board_service.offer(*(want(f"n{at}:0", waits=Urgency.NOBODY, mark=f"{at % 500:x}") for at in range(18_005)))
    assert list(offered.no_room) == list(range(18_000, 18_005))
    assert offered.demand.noted == 18_000
    people = board_service.offer(*(want(f"p{at}:0", mark=f"{at:x}") for at in range(2_003)))
    assert list(people.no_room) == [2000, 2001, 2002]
    assert board_service.offer(want("n0:0", version=2, waits=Urgency.NOBODY)).no_room == [], "what is noted may always be renewed"
    assert board_service.withdraw("p7:0", 1) == 1
    assert board_service.offer(want("p2001:0")).no_room == []
    assert board_service.offer(want("p2002:0")).no_room == [0]
    assert board_service.demand().noted == 20_000


def test_payloads_of_wants_are_bounded_in_bytes(board_service):
    large = b"x" * (INLINE_BYTES // 8)
    brought = [want(f"review:{at}", kind="review", waits=Urgency.HINT, payload=large) for at in range(9)]
    assert board_service.offer(*brought).no_room == [8]
    assert board_service.offer(want("a:0")).no_room == []
    assert board_service.withdraw("a:0", 1) == board_service.withdraw("review:0", 1) == 1
    assert board_service.offer(brought[8]).no_room == []
    worker = board_service.begin(slots=9)
    taken = worker.take(1, [], 1).orders
    assert board_service.offer(want("review:new", kind="review", payload=large)).no_room == [0], "what is in hand counts, too"
    worker.take(1, [played(order, "reviewed") for order in taken], 0)
    assert board_service.offer(want("review:new", kind="review", payload=large)).no_room == []


def test_wants_that_are_gone_leave_their_marks_for_a_short_time_only(board_service):
    worker = board_service.begin()
    for at in range(50):
        ends = board_service.now_ms + 5000 if at % 2 else 0
        board_service.offer(want(f"s{at}:0", mark=f"{at:02x}", address="1", kind="review" if at % 3 else "move", ends_ms=ends))
        order = worker.take(1, [], 1).orders[0]
        board_service.offer(want(f"s{at}:0", version=2, mark=f"{at:02x}", kind="review", payload=b"y"))
        worker.take(1, [played(order)], 0)
        assert board_service.withdraw(f"s{at}:0", 2) == 1
    worker.goodbye()
    board_service.sweep(after_ms=600_001)
    assert {key.decode().removeprefix("bw:{wanted}:") for key in board_service.client.scan_iter()} == {"state"}
    left = {name.decode(): value for name, value in board_service.client.hgetall("bw:{wanted}:state").items()}
    kept = {"epoch", "run", "swept", "turn", "clock", "lately", "lately_at"}
    assert {name: value for name, value in left.items() if name not in kept} == {}


def test_a_want_granted_little_for_high_demand_is_not_taken_for_one_that_ends(board_service):
    board_service.offer(*(want(f"p{at}:0", mark=f"{at:x}", named_ms=2000, least_ms=10) for at in range(40)))
    brought = want(
        "review:0", kind="review", waits=Urgency.HINT, named_ms=100, least_ms=10, ends_ms=board_service.now_ms + 60_000
    )
    board_service.offer(
        brought,
        want("review:1", kind="review", waits=Urgency.HINT, named_ms=100, least_ms=10, ends_ms=board_service.now_ms + 120),
    )
    done = board_service.serve_all(board_service.begin())
    assert [order.think_ms < 50 for order in done if order.key == "review:0"] == [True]
    assert "review:1" not in {order.key for order in done}, "there was no time left for it"
