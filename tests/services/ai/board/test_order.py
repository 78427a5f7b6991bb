"""The order of wants: classes, fairness between players and addresses, the place for quick ones, and estimates that fit."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ai.board.order import Finished, Order, Urgency
from tests.night import examples
from tests.services.ai.board.board_service import BoardService, played, want

several = settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def players(orders: list[Order]) -> list[str]:
    return [order.key.partition("-")[0] for order in orders]


@several
@given(counts=st.lists(st.integers(1, 12), min_size=2, max_size=6), most=st.integers(1, 8))
def test_players_are_served_by_turns_however_many_wants_each_has(url, counts, most):
    board_service = BoardService(url)
    try:
        left = {f"{number:02x}": count for number, count in enumerate(counts)}
        board_service.offer(*(want(f"{player}-{at}:0", mark=player) for player, count in left.items() for at in range(count)))
        served: Counter[str] = Counter()
        for player in players(board_service.serve_all(board_service.begin(), most=most)):
            waiting = [other for other in left if served[other] < left[other]]
            assert served[player] == min(served[other] for other in waiting)
            served[player] += 1
        assert served == left
    finally:
        board_service.close()


def test_ten_players_with_one_want_each_do_not_wait_for_a_hundred_of_another(board_service):
    board_service.offer(*(want(f"many-{at}:0", mark="aa", since_ms=board_service.now_ms - 60_000 + at) for at in range(100)))
    board_service.offer(*(want(f"one{at}-0:0", mark=f"b{at}", since_ms=board_service.now_ms) for at in range(10)))
    served = players(board_service.serve_all(board_service.begin()))
    assert max(served.index(f"one{at}") for at in range(10)) <= 10
    assert served[11:] == ["many"] * 99


def test_an_address_with_a_hundred_players_weighs_like_eight(board_service):
    crowd = (want(f"many-{at}:0", mark=f"aa{at:02x}", address="99", since_ms=board_service.now_ms - 60_000) for at in range(100))
    board_service.offer(*crowd)
    board_service.offer(
        *(want(f"one{at}-0:0", mark=f"b{at}", address=f"c{at}", since_ms=board_service.now_ms) for at in range(10))
    )
    served = players(board_service.serve_all(board_service.begin()))
    last = max(served.index(f"one{at}") for at in range(10))
    assert 17 <= last <= 17 + 100 // 24, "one more each time that not all of them can be put right at once"
    assert served.count("many") == 100


def served_within(board_service: BoardService, wants: list[dict[str, Any]], seconds: int) -> set[str]:
    """Return what one process serves in some time in which whatever it has done is wanted again at once."""
    worker = board_service.begin()
    finished: list[Finished] = []
    found: set[str] = set()
    fields = {one["key"]: one for one in wants}
    versions = dict.fromkeys(fields, 1)
    board_service.offer(*(want(since_ms=board_service.now_ms, **one) for one in wants))
    until = board_service.now_ms + 1000 * seconds
    while board_service.now_ms < until:
        worker.beat(1, (1, 2), closing=False)
        (order,) = worker.take(1, finished, 1).orders
        found.add(order.key)
        for _ in range(order.think_ms // 1000):
            board_service.now_ms += 1000
            worker.beat(1, (1, 2), closing=False)
        board_service.now_ms += order.think_ms % 1000
        finished = [played(order)]
        versions[order.key] += 1
        board_service.offer(want(version=versions[order.key], since_ms=board_service.now_ms, **fields[order.key]))
    return found


def test_a_player_s_quick_games_do_not_keep_the_slow_ones_waiting_for_ever(board_service):
    alike = {"waits": Urgency.NOBODY}
    wants = [{"key": f"quick{at}:0", "mark": f"{at % 3}", "named_ms": 100, "least_ms": 100, **alike} for at in range(6)]
    wants += [{"key": f"slow{at}:0", "mark": f"{at}", "named_ms": 3000, "least_ms": 3000, **alike} for at in range(3)]
    assert served_within(board_service, wants, 60) == {one["key"] for one in wants}


def test_every_want_is_served_however_many_there_are_at_one_address(board_service):
    wants = [{"key": f"quick{at}:0", "mark": f"{at:02x}", "named_ms": 100, "least_ms": 100, "address": "a"} for at in range(20)]
    wants += [{"key": f"slow{at}:0", "mark": f"f{at}", "named_ms": 3000, "least_ms": 3000, "address": "a"} for at in range(3)]
    assert served_within(board_service, wants, 60) == {one["key"] for one in wants}


def test_the_longest_wait_for_its_time_comes_first(board_service):
    board_service.offer(
        want("slow:0", named_ms=2000, least_ms=2000, since_ms=board_service.now_ms - 4000, mark="aa"),
        want("quick:0", named_ms=200, since_ms=board_service.now_ms - 1000, mark="bb"),
        want("slower:0", named_ms=2000, least_ms=2000, since_ms=board_service.now_ms - 9000, mark="cc"),
    )
    assert [order.key for order in board_service.serve_all(board_service.begin())] == ["slower:0", "quick:0", "slow:0"]


@several
@given(st.permutations([Urgency.PERSON, Urgency.WATCHER, Urgency.NOBODY, Urgency.BACKGROUND] * 3))
def test_classes_come_strictly_one_after_the_other(url, classes):
    board_service = BoardService(url)
    try:
        ages = range(0, 12_000, 1000)
        board_service.offer(
            *(
                want(f"s{age}:0", waits=waits, since_ms=board_service.now_ms - age)
                for waits, age in zip(classes, ages, strict=True)
            )
        )
        served = [order.waits for order in board_service.serve_all(board_service.begin())]
        assert served == sorted(classes)
    finally:
        board_service.close()


def test_every_fourth_is_a_hint_while_both_wait(board_service):
    board_service.offer(*(want(f"s{at}:0") for at in range(9)))
    board_service.offer(*(want(f"review:{at}", kind="review", waits=Urgency.HINT) for at in range(4)))
    served = [order.waits for order in board_service.serve_all(board_service.begin(), most=1)]
    person, hint = Urgency.PERSON, Urgency.HINT
    assert served == [person, person, person, hint] * 3 + [hint]


def test_while_all_slots_think_for_long_the_spare_process_gets_quick_ones_only(board_service):
    worker = board_service.begin(slots=1, pids=(1, 2))
    board_service.offer(*(want(f"slow{at}:0", named_ms=2000, least_ms=2000) for at in range(2)))
    assert worker.take(1, [], 8).orders[0].key == "slow0:0"
    assert worker.take(2, [], 8).orders == ()
    board_service.offer(want("nobody:0", waits=Urgency.NOBODY, named_ms=10, least_ms=10), want("quick:0", named_ms=256))
    taken = worker.take(2, [], 8)
    assert [order.key for order in taken.orders] == ["quick:0"]
    board_service.offer(want("review:a", waits=Urgency.HINT, kind="review", named_ms=700))
    assert [order.key for order in worker.take(2, [played(taken.orders[0])], 8).orders] == ["review:a"]


def test_a_ticket_that_led_to_the_spare_process_is_passed_on_to_a_worker_with_a_place(board_service):
    worker = board_service.begin("w1", slots=1, pids=(1, 2))
    board_service.offer(*(want(f"slow{at}:0", named_ms=2000, least_ms=2000) for at in range(2)))
    worker.take(1, [], 8)
    alone = worker.take(2, [], 8)
    assert (alone.orders, alone.waiting, alone.pass_on) == ((), 0, False)
    other = board_service.begin("w2", slots=1, pids=(3, 4))
    assert worker.take(2, [], 8).pass_on
    assert board_service.sweep(queued=1).tickets == 0, "one ticket is enough for one place"
    assert [order.key for order in other.take(3, [], 8).orders] == ["slow1:0"]


def test_many_quick_ones_are_taken_together_and_long_ones_alone(board_service):
    worker = board_service.begin(slots=2, pids=(1, 2, 3))
    board_service.offer(*(want(f"s{at}:0", named_ms=10, least_ms=10) for at in range(20)))
    assert len(worker.take(1, [], 8).orders) == 8
    assert len(worker.take(2, [], 3).orders) == 3
    assert worker.take(3, [], 0).orders == ()
    board_service.offer(*(want(f"t{at}:0", named_ms=60, least_ms=60, since_ms=0) for at in range(2)))
    assert [order.key for order in worker.take(3, [], 8).orders] == ["t0:0"]


@several
@given(
    persons=st.lists(st.tuples(st.integers(0, 30_000), st.sampled_from((100, 200, 1000))), min_size=1, max_size=12, unique=True)
)
def test_the_number_that_come_before_is_the_number_that_do(url, persons):
    board_service = BoardService(url)
    try:
        keys = [f"s{at}:0" for at in range(len(persons))]
        board_service.offer(
            *(
                want(key, mark=f"{at:02x}", since_ms=board_service.now_ms - age, named_ms=think, least_ms=think)
                for at, (key, (age, think)) in enumerate(zip(keys, persons, strict=True))
            )
        )
        worker = board_service.begin(slots=1)
        while keys:
            statuses, _ = board_service.statuses(*keys)
            (order,) = worker.take(1, [], 1).orders
            assert statuses[keys.index(order.key)].before == 0
            ahead = sorted(status.before for status in statuses)
            assert all(before <= at for at, before in enumerate(ahead)), "those that are wanted alike may share a place"
            assert max(ahead) < len(keys)
            board_service.withdraw(order.key, 1)
            worker.take(1, [], 0)
            keys.remove(order.key)
    finally:
        board_service.close()


def test_a_turn_comes_when_those_before_it_are_done(board_service):
    board_service.begin(slots=2)
    board_service.offer(*(want(f"s{at}:0", mark=f"{at:02x}", named_ms=600, least_ms=600, since_ms=at) for at in range(3)))
    board_service.offer(want("n:0", waits=Urgency.NOBODY))
    (first, last, nobody), _ = board_service.statuses("s0:0", "s2:0", "n:0")
    assert (first.before, first.wait_ms) == (0, 0)
    assert (last.before, last.wait_ms) == (2, 600)
    assert (nobody.before, nobody.wait_ms) == (3, 900)


def test_without_a_worker_the_time_of_a_turn_is_unknown(board_service):
    board_service.offer(want("a:0"), want("b:0", since_ms=0))
    (status,), demand = board_service.statuses("a:0")
    assert (status.before, status.wait_ms, demand.workers) == (1, 0, 0)


@pytest.mark.parametrize("retries", [30])
def test_an_order_is_found_however_much_has_to_be_put_right(board_service, retries):
    worker = board_service.begin(slots=1)
    for turn in range(2):
        board_service.offer(
            *(want(f"s{at}-{turn}:0", mark=f"{at:02x}", since_ms=board_service.now_ms - turn) for at in range(retries))
        )
        board_service.now_ms += 1
    served = players(board_service.serve_all(worker))
    assert Counter(served) == {f"s{at}": 2 for at in range(retries)}


def test_a_player_served_just_now_is_told_that_others_come_first(board_service):
    worker = board_service.begin()
    board_service.offer(*(want(f"many{at}:0", mark="aa", since_ms=board_service.now_ms - 9000) for at in range(2)))
    board_service.offer(
        *(want(f"one{at}:0", mark=f"b{at}", address="99", since_ms=board_service.now_ms - 1000 + at) for at in range(3))
    )
    assert [order.key for order in worker.take(1, [], 1).orders] == ["many0:0"]
    statuses, _ = board_service.statuses("many1:0", "one0:0", "one1:0", "one2:0")
    assert [status.before for status in statuses] == [3, 0, 1, 2]
    assert players(board_service.serve_all(worker, pid=2)) == ["one0:0", "one1:0", "one2:0", "many1:0"]
