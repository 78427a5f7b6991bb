"""What becomes of what is in hand: nothing is lost with a worker, nothing is repeated for ever."""

import pytest

from services.ai.board.order import Finished, Taken, Urgency
from tests.services.ai.board.desk import THINKING, UNKNOWN, UNPLAYABLE, WAITING, Desk, played, want


def keys(taken: Taken) -> list[str]:
    return [order.key for order in taken.orders]


def test_a_worker_gets_nothing_before_its_first_beat_and_nothing_while_it_closes(desk):
    desk.offer(want())
    worker = desk.worker()
    assert keys(worker.take(1, [], 8)) == []
    worker.beat(1, [1], closing=True)
    assert keys(worker.take(1, [], 8)) == []
    worker.beat(1, [1], closing=False)
    assert keys(worker.take(1, [], 8)) == ["s:0"]


def test_what_a_dead_worker_had_is_wanted_again_as_soon_as_its_beats_are_missed(desk):
    desk.begin("w1").take(1, [], 8)
    desk.offer(want("a:0"), want("b:0"))
    worker, other = desk.begin("w1"), desk.begin("w2")
    worker.take(1, [], 1)
    worker.take(2, [], 1)
    desk.now_ms += 2000
    other.beat(1, (1, 2), closing=False)
    assert desk.sweep().demand.workers == 2
    swept = desk.sweep()
    assert (swept.demand.workers, swept.told, swept.tickets) == (1, {"returned": 2}, 2)
    taken = other.take(1, [], 1)
    assert (taken.orders[0].attempt, taken.waiting) == (2, 1)


def test_what_a_dead_process_had_is_wanted_again_with_the_next_beat(desk):
    worker = desk.begin(pids=(1, 2))
    desk.offer(want())
    assert keys(worker.take(2, [], 8)) == ["s:0"]
    assert worker.beat(1, [1, 3], closing=False) == ()
    assert keys(worker.take(3, [], 8)) == ["s:0"]


def test_a_process_that_is_too_new_to_be_known_is_not_taken_for_dead(desk):
    worker = desk.begin(pids=(1, 2))
    desk.offer(want())
    worker.take(7, [], 8)
    desk.now_ms += 1000
    worker.beat(1, [1, 2], closing=False)
    assert desk.state("s:0") == THINKING
    desk.now_ms += 1500
    worker.beat(1, [1, 2], closing=False)
    assert desk.state("s:0") == WAITING


def test_a_worker_that_says_goodbye_gives_everything_back_at_once(desk):
    worker = desk.begin()
    desk.offer(want())
    worker.take(1, [], 8)
    worker.goodbye()
    assert desk.state("s:0") == WAITING
    assert desk.demand().workers == 0


def test_a_process_that_thinks_for_too_long_is_named_to_its_parent(desk):
    worker = desk.begin()
    desk.offer(want(named_ms=500, least_ms=500))
    worker.take(1, [], 8)
    desk.now_ms += 6500
    assert worker.beat(1, (1, 2), closing=False) == ()
    desk.now_ms += 1
    assert worker.beat(1, (1, 2), closing=False) == (1,)


def test_orders_whose_answer_got_lost_on_the_way_are_given_again(desk):
    worker = desk.begin()
    desk.offer(want())
    lost = worker.take(1, [], 8)
    assert keys(lost) == keys(worker.take(1, [], 8)) == ["s:0"]
    assert keys(worker.take(2, [], 8)) == []


def test_a_newer_want_waits_until_the_older_one_is_done(desk):
    worker = desk.begin()
    desk.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    assert desk.offer(want(version=4)).noted == [0]
    assert keys(worker.take(2, [], 8)) == []
    assert desk.statuses("s:0")[0][0].version == 4
    taken = worker.take(1, [played(order)], 8)
    assert [(again.key, again.version, again.attempt) for again in taken.orders] == [("s:0", 4, 1)]


def test_a_newer_want_that_was_handled_along_is_not_given(desk):
    worker = desk.begin()
    desk.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    desk.offer(want(version=5))
    assert keys(worker.take(1, [Finished(order.key, 5, "played", 0, False)], 8)) == []
    assert desk.state("s:0") == UNKNOWN


def test_when_the_old_want_is_withdrawn_the_newer_one_waits_for_nobody(desk):
    worker = desk.begin(slots=2, pids=(1, 2, 3))
    desk.offer(want(version=3))
    old = worker.take(1, [], 8).orders[0]
    desk.offer(want(version=4))
    assert desk.withdraw("s:0", 3) == 1
    new = worker.take(2, [], 8).orders[0]
    assert new.version == 4
    worker.take(1, [played(old, "late")], 0)
    assert desk.state("s:0") == THINKING, "an answer to the old one is none to the new one"
    worker.take(2, [played(new)], 0)
    assert desk.state("s:0") == UNKNOWN


def test_what_is_withdrawn_while_it_is_in_hand_does_not_come_back(desk):
    worker = desk.begin()
    desk.offer(want())
    worker.take(1, [], 8)
    assert desk.withdraw("s:0", 1) == 1
    worker.goodbye()
    assert desk.state("s:0") == UNKNOWN
    assert desk.withdraw("s:0", 1) == 0


def test_an_answer_of_who_was_taken_for_dead_counts_all_the_same(desk):
    silent, other = desk.begin("w1"), desk.begin("w2")
    desk.offer(want())
    order = silent.take(1, [], 8).orders[0]
    desk.now_ms += 2900
    other.beat(1, (1, 2), closing=False)
    desk.sweep()
    again = other.take(1, [], 8)
    assert keys(again) == ["s:0"]
    silent.beat(1, (1, 2), closing=False)
    silent.take(1, [played(order)], 8)
    assert desk.state("s:0") == UNKNOWN
    assert keys(other.take(1, [played(again.orders[0], "late")], 8)) == []


def test_a_misfit_is_given_to_another_worker_and_never_to_one_that_tried(desk):
    workers = [desk.begin(f"w{number}") for number in range(3)]
    desk.offer(want())
    for tries, worker in enumerate(workers, 1):
        taken = worker.take(1, [], 8)
        assert [order.attempt for order in taken.orders] == [tries]
        assert keys(worker.take(1, [played(taken.orders[0], "odd")], 8)) == []
        assert keys(worker.take(2, [], 8)) == []
    assert desk.state("s:0") == UNPLAYABLE
    assert desk.sweep().told == {"unplayable": 1}
    assert desk.demand().waiting == 0


def test_a_misfit_for_which_no_other_worker_comes_is_unplayable_after_ten_seconds(desk):
    worker = desk.begin()
    desk.offer(want())
    worker.take(1, [played(worker.take(1, [], 8).orders[0], "odd")], 8)
    desk.sweep(after_ms=9_999)
    assert desk.state("s:0") == WAITING
    desk.sweep(after_ms=401)
    assert desk.state("s:0") == UNPLAYABLE
    assert desk.withdraw("s:0", 1) == 1
    assert desk.state("s:0") == UNKNOWN


def test_a_misfit_is_wanted_again_when_its_position_changes(desk):
    worker = desk.begin()
    desk.offer(want())
    worker.take(1, [played(worker.take(1, [], 8).orders[0], "odd")], 8)
    desk.offer(want(version=2))
    assert [order.version for order in worker.take(1, [], 8).orders] == [2]


def test_a_want_that_kills_processes_is_given_alone_and_three_times_at_most(desk):
    worker = desk.begin(pids=(0, 99))
    desk.offer(*(want(f"s{at}:0", named_ms=10, least_ms=10, mark=f"{at}") for at in range(4)))
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
    assert desk.state("s0:0") == UNPLAYABLE
    done += [order.key for order in desk.serve_all(worker, pid=99)]
    assert sorted(done) == ["s1:0", "s2:0", "s3:0"]


def test_a_want_at_which_whole_workers_die_ends_as_well(desk):
    desk.offer(want())
    for _ in range(10):
        assert desk.state("s:0") == WAITING
        assert keys(desk.begin().take(1, [], 8)) == ["s:0"]
        desk.sweep(after_ms=3001)
    assert desk.state("s:0") == UNPLAYABLE
    desk.sweep(after_ms=600_001)
    assert desk.state("s:0") == UNKNOWN, "it is not kept for ever"


def test_what_could_not_be_handed_over_is_wanted_again_after_a_pause_that_grows(desk):
    worker = desk.begin()
    desk.offer(want())
    pauses = []
    for _ in range(7):
        worker.take(1, [played(worker.take(1, [], 8).orders[0], "failed")], 0)
        began = desk.now_ms
        while desk.sweep().demand.waiting == 0:
            worker.beat(1, (1, 2), closing=False)
        worker.beat(1, (1, 2), closing=False)
        pauses.append(desk.now_ms - began)
    assert pauses == [500, 500, 1000, 2000, 4000, 8000, 16_000], "looked at twice a second"


def test_what_has_an_end_is_gone_then_and_not_begun_shortly_before(desk):
    worker = desk.begin()
    soon = desk.now_ms + 1000
    desk.offer(want("review:a", kind="review", waits=Urgency.HINT, named_ms=700, ends_ms=soon))
    desk.now_ms += 500
    assert worker.take(1, [], 8).orders[0].think_ms == 400
    desk.offer(want("review:b", kind="review", waits=Urgency.HINT, ends_ms=soon))
    desk.now_ms += 400
    assert keys(worker.take(2, [], 8)) == []
    assert desk.state("review:b") == UNKNOWN
    desk.offer(want("review:c", kind="review", waits=Urgency.HINT, ends_ms=soon))
    desk.sweep()
    assert (desk.state("review:a"), desk.state("review:c")) == (UNKNOWN, UNKNOWN)


@pytest.mark.parametrize("outcome", ["played", "odd", "failed"])
def test_an_end_of_somebody_elses_order_changes_nothing_but_when_it_was_played(desk, outcome):
    worker, other = desk.begin("w1"), desk.begin("w2")
    desk.offer(want(version=3))
    order = worker.take(1, [], 8).orders[0]
    other.take(1, [played(order, outcome)], 0)
    assert desk.state("s:0") == (UNKNOWN if outcome == "played" else THINKING)


def test_a_board_that_lost_everything_has_another_epoch(desk):
    first = desk.offer(want()).demand.epoch
    assert first
    assert desk.demand().epoch == desk.sweep().demand.epoch == first
    desk.client.flushall()
    assert desk.demand().epoch not in ("", first)


def test_the_scripts_are_sent_again_to_a_redis_that_has_lost_them(desk):
    worker = desk.begin()
    desk.client.script_flush()
    desk.offer(want())
    desk.client.script_flush()
    assert keys(worker.take(1, [], 8)) == ["s:0"]


def test_no_more_workers_are_known_than_the_board_has_room_for(desk):
    for number in range(1024):
        desk.begin(f"w{number}")
    late = desk.begin("one too many")
    desk.offer(want())
    assert keys(late.take(1, [], 8)) == []
    assert desk.sweep().demand.workers == 1024


def tickets(desk: Desk, queued: int = 0) -> int:
    return desk.sweep(queued).tickets


def test_there_are_as_many_tickets_as_idle_places_and_no_more_than_wants(desk):
    assert desk.offer(*(want(f"s{at}:0", named_ms=2000, least_ms=2000) for at in range(5))).tickets == 0
    worker = desk.begin(slots=2, pids=(1, 2, 3))
    assert tickets(desk) == 2
    assert tickets(desk, queued=2) == 0
    assert tickets(desk, queued=1) == 1
    worker.beat(2, (1, 2, 3), closing=False)
    worker.take(1, [], 8)
    worker.take(2, [], 8)
    assert tickets(desk) == 0
    assert desk.offer(want("quick:0")).tickets == 1
    assert desk.offer(want("quick2:0")).tickets == 0
    worker.beat(2, (1, 2, 3), closing=True)
    assert tickets(desk) == 0


def test_of_several_services_one_sweeps(desk):
    desk.offer(want())
    desk.begin()
    first, second = desk.sweep(), desk.sweep(after_ms=10)
    assert (first.tickets, second.tickets) == (1, 0)
    assert first.classes == {**second.classes, Urgency.PERSON: first.classes[Urgency.PERSON]}
    assert second.classes[Urgency.PERSON].oldest_ms == desk.now_ms - 1_000_000


def test_nothing_else_is_in_hand_with_a_want_at_which_a_process_has_died(desk):
    worker = desk.begin(pids=(1, 99))
    desk.offer(want("deadly:0", named_ms=10, least_ms=10, mark="aa"))
    worker.take(1, [], 8)
    worker.beat(1, [2, 99], closing=False)
    desk.offer(*(want(f"s{at}:0", named_ms=10, least_ms=10, mark="bb", since_ms=at) for at in range(3)))
    first = worker.take(2, [], 8)
    assert keys(first) == ["s0:0"]
    assert keys(worker.take(99, [], 8)) == ["deadly:0"]
