"""The fate of wants in hand: nothing is lost with a worker, nothing is repeated for ever."""

import pytest

from services.ai.board.order import Finished, Taken, Urgency
from tests.services.ai.board.board_service import THINKING, UNKNOWN, UNPLAYABLE, WAITING, BoardService, played, want


def keys(taken: Taken) -> list[str]:
    return [order.key for order in taken.orders]


def test_a_worker_gets_nothing_before_its_first_beat_and_nothing_while_it_closes(board_service):
    board_service.offer(want())
    worker = board_service.worker()
    assert keys(worker.take(1, [], 8)) == []
    worker.beat(1, [1], closing=True)
    assert keys(worker.take(1, [], 8)) == []
    worker.beat(1, [1], closing=False)
    assert keys(worker.take(1, [], 8)) == ["s:0"]


def test_wants_of_a_dead_worker_come_back_as_soon_as_its_beats_are_missed(board_service):
    board_service.begin("w1").take(1, [], 8)
    board_service.offer(want("a:0"), want("b:0"))
    worker, other = board_service.begin("w1"), board_service.begin("w2")
    worker.take(1, [], 1)
    worker.take(2, [], 1)
    board_service.now_ms += 2000
    other.beat(1, (1, 2), closing=False)
    assert board_service.sweep().demand.workers == 2
    swept = board_service.sweep()
    assert (swept.demand.workers, swept.outcomes, swept.tickets) == (1, {"returned": 2}, 2)
    taken = other.take(1, [], 1)
    assert (taken.orders[0].attempt, taken.waiting) == (2, 1)


def test_wants_of_a_dead_process_come_back_with_the_next_beat(board_service):
    worker = board_service.begin(pids=(1, 2))
    board_service.offer(want())
    assert keys(worker.take(2, [], 8)) == ["s:0"]
    assert worker.beat(1, [1, 3], closing=False) == ()
    assert keys(worker.take(3, [], 8)) == ["s:0"]


def test_a_process_that_is_too_new_to_be_known_is_not_taken_for_dead(board_service):
    worker = board_service.begin(pids=(1, 2))
    board_service.offer(want())
    worker.take(7, [], 8)
    board_service.now_ms += 1000
    worker.beat(1, [1, 2], closing=False)
    assert board_service.state("s:0") == THINKING
    board_service.now_ms += 1500
    worker.beat(1, [1, 2], closing=False)
    assert board_service.state("s:0") == WAITING


def test_a_worker_that_says_goodbye_gives_everything_back_at_once(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    worker.take(1, [], 8)
    worker.goodbye()
    assert board_service.state("s:0") == WAITING
    assert board_service.demand().workers == 0


def test_a_process_that_thinks_for_too_long_is_named_to_its_parent(board_service):
    worker = board_service.begin()
    board_service.offer(want(named_ms=500, least_ms=500))
    worker.take(1, [], 8)
    board_service.now_ms += 6500
    assert worker.beat(1, (1, 2), closing=False) == ()
    board_service.now_ms += 1
    assert worker.beat(1, (1, 2), closing=False) == (1,)


def test_orders_whose_answer_got_lost_on_the_way_are_given_again(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    lost = worker.take(1, [], 8)
    assert keys(lost) == keys(worker.take(1, [], 8)) == ["s:0"]
    assert keys(worker.take(2, [], 8)) == []


def test_a_newer_want_waits_until_the_older_one_is_done(board_service):
    worker = board_service.begin()
    board_service.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    assert board_service.offer(want(version=4)).noted == [0]
    assert keys(worker.take(2, [], 8)) == []
    assert board_service.statuses("s:0")[0][0].version == 4
    taken = worker.take(1, [played(order)], 8)
    assert [(again.key, again.version, again.attempt) for again in taken.orders] == [("s:0", 4, 1)]


def test_a_newer_want_that_was_handled_along_is_not_given(board_service):
    worker = board_service.begin()
    board_service.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    board_service.offer(want(version=5))
    assert keys(worker.take(1, [Finished(order.key, 5, "played", 0, False)], 8)) == []
    assert board_service.state("s:0") == UNKNOWN


def test_when_the_old_want_is_withdrawn_the_newer_one_waits_for_nobody(board_service):
    worker = board_service.begin(slots=2, pids=(1, 2, 3))
    board_service.offer(want(version=3))
    old = worker.take(1, [], 8).orders[0]
    board_service.offer(want(version=4))
    assert board_service.withdraw("s:0", 3) == 1
    new = worker.take(2, [], 8).orders[0]
    assert new.version == 4
    worker.take(1, [played(old, "late")], 0)
    assert board_service.state("s:0") == THINKING, "an answer to the old one is none to the new one"
    worker.take(2, [played(new)], 0)
    assert board_service.state("s:0") == UNKNOWN


def test_a_want_withdrawn_while_it_is_in_hand_does_not_come_back(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    worker.take(1, [], 8)
    assert board_service.withdraw("s:0", 1) == 1
    worker.goodbye()
    assert board_service.state("s:0") == UNKNOWN
    assert board_service.withdraw("s:0", 1) == 0


def test_an_answer_of_a_worker_taken_for_dead_counts_all_the_same(board_service):
    silent, other = board_service.begin("w1"), board_service.begin("w2")
    board_service.offer(want())
    order = silent.take(1, [], 8).orders[0]
    board_service.now_ms += 2900
    other.beat(1, (1, 2), closing=False)
    board_service.sweep()
    again = other.take(1, [], 8)
    assert keys(again) == ["s:0"]
    silent.beat(1, (1, 2), closing=False)
    silent.take(1, [played(order)], 8)
    assert board_service.state("s:0") == UNKNOWN
    assert keys(other.take(1, [played(again.orders[0], "late")], 8)) == []


def test_a_misfit_is_given_to_another_worker_and_never_to_one_that_tried(board_service):
    workers = [board_service.begin(f"w{number}") for number in range(3)]
    board_service.offer(want())
    for attempt, worker in enumerate(workers, 1):
        taken = worker.take(1, [], 8)
        assert [order.attempt for order in taken.orders] == [attempt]
        assert keys(worker.take(1, [played(taken.orders[0], "odd")], 8)) == []
        assert keys(worker.take(2, [], 8)) == []
    assert board_service.state("s:0") == UNPLAYABLE
    assert board_service.sweep().outcomes == {"unplayable": 1}
    assert board_service.demand().waiting == 0


def test_a_misfit_for_which_no_other_worker_comes_is_unplayable_after_ten_seconds(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    worker.take(1, [played(worker.take(1, [], 8).orders[0], "odd")], 8)
    board_service.sweep(after_ms=9_999)
    assert board_service.state("s:0") == WAITING
    board_service.sweep(after_ms=401)
    assert board_service.state("s:0") == UNPLAYABLE
    assert board_service.withdraw("s:0", 1) == 1
    assert board_service.state("s:0") == UNKNOWN


def test_a_misfit_is_wanted_again_when_its_position_changes(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    worker.take(1, [played(worker.take(1, [], 8).orders[0], "odd")], 8)
    board_service.offer(want(version=2))
    assert [order.version for order in worker.take(1, [], 8).orders] == [2]


def test_a_want_that_kills_processes_is_given_alone_and_three_times_at_most(board_service):
    worker = board_service.begin(pids=(0, 99))
    board_service.offer(*(want(f"s{at}:0", named_ms=10, least_ms=10, mark=f"{at}") for at in range(4)))
    assert len(worker.take(0, [], 8).orders) == 4
    died, done = 1, []
    for pid in range(1, 6):
        worker.beat(1, [pid, 99], closing=False)
        (order,) = worker.take(pid, [], 8).orders
        while order.key != "s0:0":
            done.append(order.key)
            (order,) = worker.take(pid, [played(order)], 8).orders
        died += 1
        if died == 3:
            break
    worker.beat(1, [99], closing=False)
    assert board_service.state("s0:0") == UNPLAYABLE
    done += [order.key for order in board_service.serve_all(worker, pid=99)]
    assert sorted(done) == ["s1:0", "s2:0", "s3:0"]


def test_a_want_at_which_whole_workers_die_ends_as_well(board_service):
    board_service.offer(want())
    for _ in range(10):
        assert board_service.state("s:0") == WAITING
        assert keys(board_service.begin().take(1, [], 8)) == ["s:0"]
        board_service.sweep(after_ms=3001)
    assert board_service.state("s:0") == UNPLAYABLE
    board_service.sweep(after_ms=600_001)
    assert board_service.state("s:0") == UNKNOWN, "it is not kept for ever"


def test_a_failed_hand_over_is_repeated_after_a_pause_that_grows(board_service):
    worker = board_service.begin()
    board_service.offer(want())
    pauses = []
    for _ in range(7):
        worker.take(1, [played(worker.take(1, [], 8).orders[0], "failed")], 0)
        began = board_service.now_ms
        while board_service.sweep().demand.waiting == 0:
            worker.beat(1, (1, 2), closing=False)
        worker.beat(1, (1, 2), closing=False)
        pauses.append(board_service.now_ms - began)
    assert pauses == [500, 500, 1000, 2000, 4000, 8000, 16_000], "looked at twice a second"


def test_a_want_with_an_end_is_gone_then_and_not_begun_shortly_before(board_service):
    worker = board_service.begin()
    soon = board_service.now_ms + 1000
    board_service.offer(want("review:a", kind="review", waits=Urgency.HINT, named_ms=700, ends_ms=soon))
    board_service.now_ms += 500
    assert worker.take(1, [], 8).orders[0].think_ms == 400
    board_service.offer(want("review:b", kind="review", waits=Urgency.HINT, ends_ms=soon))
    board_service.now_ms += 400
    assert keys(worker.take(2, [], 8)) == []
    assert board_service.state("review:b") == UNKNOWN
    board_service.offer(want("review:c", kind="review", waits=Urgency.HINT, ends_ms=soon))
    board_service.sweep()
    assert (board_service.state("review:a"), board_service.state("review:c")) == (UNKNOWN, UNKNOWN)


@pytest.mark.parametrize("outcome", ["played", "odd", "failed"])
def test_an_end_of_somebody_elses_order_changes_nothing_but_when_it_was_played(board_service, outcome):
    worker, other = board_service.begin("w1"), board_service.begin("w2")
    board_service.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    other.take(1, [played(order, outcome)], 0)
    assert board_service.state("s:0") == (UNKNOWN if outcome == "played" else THINKING)


def test_a_board_that_lost_everything_has_another_epoch(board_service):
    first = board_service.sweep().demand.epoch
    assert first
    assert board_service.offer(want()).demand.epoch == board_service.demand().epoch == board_service.sweep().demand.epoch == first
    board_service.client.flushall()
    assert board_service.demand().epoch not in ("", first)


def test_a_board_on_another_run_of_its_server_may_have_lost_something_and_has_another_epoch(board_service):
    first = board_service.sweep().demand.epoch
    board_service.offer(want())
    board_service.run_id = "second"
    second = board_service.sweep().demand.epoch
    assert second not in ("", first)
    assert board_service.demand().epoch == board_service.sweep().demand.epoch == second
    assert board_service.state("s:0") == WAITING, "and what it has it keeps"


def test_the_scripts_are_sent_again_to_a_redis_that_has_lost_them(board_service):
    worker = board_service.begin()
    board_service.client.script_flush()
    board_service.offer(want())
    board_service.client.script_flush()
    assert keys(worker.take(1, [], 8)) == ["s:0"]


def test_no_more_workers_are_known_than_the_board_has_room_for(board_service):
    for number in range(1024):
        board_service.begin(f"w{number}")
    late = board_service.begin("one too many")
    board_service.offer(want())
    assert keys(late.take(1, [], 8)) == []
    assert board_service.sweep().demand.workers == 1024


def tickets(board_service: BoardService, queued: int = 0) -> int:
    return board_service.sweep(queued).tickets


def test_there_are_as_many_tickets_as_idle_places_and_no_more_than_wants(board_service):
    assert board_service.offer(*(want(f"s{at}:0", named_ms=2000, least_ms=2000) for at in range(5))).tickets == 0
    worker = board_service.begin(slots=2, pids=(1, 2, 3))
    assert tickets(board_service) == 2
    assert tickets(board_service, queued=2) == 0
    assert tickets(board_service, queued=1) == 1
    worker.beat(2, (1, 2, 3), closing=False)
    worker.take(1, [], 8)
    worker.take(2, [], 8)
    assert tickets(board_service) == 0
    assert board_service.offer(want("quick:0")).tickets == 1
    assert board_service.offer(want("quick2:0")).tickets == 0
    worker.beat(2, (1, 2, 3), closing=True)
    assert tickets(board_service) == 0


def test_of_several_services_one_sweeps(board_service):
    board_service.offer(want())
    board_service.begin()
    first, second = board_service.sweep(), board_service.sweep(after_ms=10)
    assert (first.tickets, second.tickets) == (1, 0)
    assert first.classes == {**second.classes, Urgency.PERSON: first.classes[Urgency.PERSON]}
    assert second.classes[Urgency.PERSON].oldest_ms == board_service.now_ms - 1_000_000


def test_a_want_at_which_a_process_died_is_in_hand_alone(board_service):
    worker = board_service.begin(pids=(1, 99))
    board_service.offer(want("deadly:0", named_ms=10, least_ms=10, mark="aa"))
    worker.take(1, [], 8)
    worker.beat(1, [2, 99], closing=False)
    board_service.offer(*(want(f"s{at}:0", named_ms=10, least_ms=10, mark="bb", since_ms=at) for at in range(3)))
    first = worker.take(2, [], 8)
    assert keys(first) == ["s0:0"]
    assert keys(worker.take(99, [], 8)) == ["deadly:0"]
