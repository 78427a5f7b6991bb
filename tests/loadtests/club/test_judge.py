"""The judgement on what somebody was told."""

from datetime import UTC, datetime

from loadtests.club.judge import DAY_MS, HOUR_MS, MANY, MINUTE_MS, Item, Message, Verdict, Wishes, judge

NOON = int(datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp() * 1000)
AWAKE = Wishes("UTC", 0, 0, grace_ms=HOUR_MS)
ASLEEP = Wishes("Europe/Berlin", 22 * 60, 7 * 60, grace_ms=HOUR_MS)
END = NOON + 30 * DAY_MS


def turn(version: int, at_ms: int, subject: str = "table", until_ms: int = 0) -> Item:
    return Item(version, "your_turn", subject, at_ms, until_ms)


def shown(at_ms: int, subject: str = "table", kind: str = "your_turn", message_id: str = "") -> Message:
    return Message(at_ms, message_id, ((subject, kind),))


def verdict_of(items, messages, wishes=AWAKE, seen=(), kills=()) -> Verdict:
    return judge("Ada", items, {"table": seen}, messages, wishes, END, kills)


def test_a_turn_that_is_told_once_in_time_is_no_finding():
    found = verdict_of([turn(1, NOON)], [shown(NOON + MINUTE_MS)])
    assert (found.faults, found.messages, found.items) == (0, 1, 1)


def test_a_message_without_news_of_its_own_is_told_twice():
    found = verdict_of([turn(1, NOON)], [shown(NOON + MINUTE_MS), shown(NOON + 2 * MINUTE_MS)])
    assert len(found.twice) == 1 and found.faults == 1
    assert verdict_of([], [shown(NOON)]).twice


def test_two_turns_are_told_twice_for_good_reason():
    items, messages = [turn(1, NOON), turn(2, NOON + DAY_MS)], [shown(NOON + 1), shown(NOON + DAY_MS + 1)]
    assert verdict_of(items, messages, seen=[NOON + 2 * HOUR_MS]).faults == 0


def test_a_repeat_under_the_same_id_is_left_out_as_receivers_do():
    found = verdict_of([turn(1, NOON)], [shown(NOON + 1, message_id="a"), shown(NOON + 2, message_id="a")])
    assert (found.faults, found.repeated) == (0, 1)


def test_a_message_on_its_way_when_the_service_was_killed_may_come_again_and_no_other():
    items, messages = [turn(1, NOON)], [shown(NOON + 1000), shown(NOON + HOUR_MS)]
    assert verdict_of(items, messages, kills=[NOON + 1500]).faults == 0
    assert verdict_of(items, messages, kills=[NOON + 600_000]).twice


def test_a_turn_that_nobody_is_told_of_is_forgotten_unless_the_player_has_seen_to_it_or_its_time_is_over():
    assert verdict_of([turn(1, NOON)], []).forgotten
    assert verdict_of([turn(1, NOON)], [], seen=[NOON + HOUR_MS // 2]).faults == 0
    assert verdict_of([turn(1, NOON, until_ms=NOON + HOUR_MS)], []).faults == 0
    assert verdict_of([turn(1, NOON)], [], seen=[NOON + 3 * HOUR_MS]).forgotten
    assert verdict_of([turn(1, END - HOUR_MS)], []).faults == 0, "its time has not come"


def test_of_several_news_of_a_table_the_newest_is_told_in_place_of_all():
    items = [turn(1, NOON), Item(2, "game_over", "table", NOON + MINUTE_MS)]
    assert verdict_of(items, [shown(NOON + 2 * MINUTE_MS, kind="game_over")]).faults == 0
    assert len(verdict_of(items, []).forgotten) == 1


def test_news_of_one_moment_can_be_told_one_after_the_other_and_each_once():
    taken = [Item(number, "seat_taken", "table", NOON + number * 1000) for number in (1, 2, 3)]
    times = [NOON + 2500, NOON + 4000, NOON + 6 * HOUR_MS]
    assert verdict_of(taken, [shown(at_ms, kind="seat_taken") for at_ms in times]).faults == 0
    more = [*times, NOON + 7 * HOUR_MS]
    assert len(verdict_of(taken, [shown(at_ms, kind="seat_taken") for at_ms in more]).twice) == 1


def test_a_message_of_what_is_not_the_newest_any_more_is_a_finding():
    items = [Item(1, "seat_taken", "table", NOON), turn(2, NOON + HOUR_MS)]
    assert verdict_of(items, [shown(NOON + 2 * HOUR_MS), shown(NOON + 3 * HOUR_MS, kind="seat_taken")]).twice
    assert verdict_of(items, [shown(NOON + 2 * HOUR_MS, kind="seat_taken")]).twice


def test_a_turn_that_the_player_has_acted_in_cannot_have_been_told_later():
    items = [turn(1, NOON), turn(2, NOON + DAY_MS)]
    messages = [shown(NOON + DAY_MS + 1000), shown(NOON + DAY_MS + 2000)]
    assert len(verdict_of(items, messages, seen=[NOON + HOUR_MS // 2]).twice) == 1


def test_news_that_waited_for_the_service_come_one_after_the_other():
    items = [Item(1, "seat_taken", "table", NOON), turn(2, NOON + 100)]
    messages = [shown(NOON + 70_000, kind="seat_taken"), shown(NOON + 76_000)]
    assert verdict_of(items, messages, kills=[NOON + 500]).faults == 0
    assert verdict_of(items, messages).twice


def test_one_message_in_place_of_many_tells_all_of_them():
    items = [turn(number, NOON, f"table {number}") for number in range(1, 9)]
    assert verdict_of(items, [Message(NOON + 1, "", ((MANY, ""),))]).faults == 0


def test_quiet_hours_are_those_of_the_time_zone_and_a_message_in_them_is_a_finding():
    night = NOON + 10 * HOUR_MS  # 23:00 in Berlin
    assert verdict_of([turn(1, night)], [shown(night)], ASLEEP).at_night
    assert verdict_of([turn(1, night)], [shown(night)]).faults == 0
    morning = NOON + 18 * HOUR_MS  # 7:00
    assert verdict_of([turn(1, night)], [shown(morning)], ASLEEP).faults == 0
    assert ASLEEP.due_ms(night) == morning


def test_a_message_long_after_it_was_due_is_late():
    found = verdict_of([turn(1, NOON)], [shown(NOON + 5 * HOUR_MS)])
    assert len(found.late) == 1 and "5 h" in found.late[0]
