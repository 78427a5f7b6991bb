"""A made-up game that everything is right with, and then one lie at a time: each has to be found, and counted as what it is."""

from dataclasses import replace

import pytest

from brettwerk.v1 import sessions_pb2
from loadtests.chaos.evidence import Entry, Evidence
from loadtests.chaos.figures import MUST_BE_ZERO, Figures
from loadtests.chaos.judgement import Loss, judge, stalls, waits
from loadtests.chaos.ledger import Acknowledged, Ledger, Received, Watched, digest

HEAD = 12
SPECTATOR = -1


def picture(version: int, audience: int) -> sessions_pb2.Update:
    return sessions_pb2.Update(version=version, at_ms=1000 * version, own_seat=audience + 1)


def received(version: int, audience: int, cause: str | None = None) -> Received:
    return Received(version, digest(picture(version, audience)), 100.0 + version, cause)


def game() -> tuple[Ledger, Evidence]:
    """Seats 0 and 1 act in turns from version 4 on; both and a spectator watch, one of them with a break."""
    entries = [Entry(version) for version in (1, 2, 3)]
    ledger = Ledger("a session", "einstein", 100.0, persons=frozenset({0, 1}), running_since_s=103.0, over_at_s=112.0)
    for version in range(4, HEAD + 1):
        seat, action = version % 2, b"action %d" % version
        entries.append(Entry(version, seat + 1, action))
        ledger.acknowledged.append(Acknowledged(version, seat, action, 99.9 + version, 100.0 + version))
        ledger.notice(version, 100.0 + version)
    for audience in (0, 1, SPECTATOR):
        pictures = [received(3, audience, "UNSPECIFIED"), *(received(version, audience) for version in range(4, HEAD + 1))]
        if audience == 1:
            pictures[4] = replace(pictures[4], cause="GAP")
        ledger.watched.append(Watched(audience, pictures))
    updates = {
        audience: {version: digest(picture(version, audience)) for version in range(1, HEAD + 1)}
        for audience in (0, 1, SPECTATOR)
    }
    return ledger, Evidence(tuple(entries), updates)


def wrong(figures: Figures) -> dict[str, int]:
    return {name: count for name, count in figures.wrong.items() if count}


def test_a_game_that_everything_is_right_with_is_found_good():
    ledger, evidence = game()
    figures = judge(ledger, evidence)
    assert wrong(figures) == {}
    assert figures.is_good
    assert (figures.games, figures.actions, figures.gaps) == (1, 9, 1)


def test_an_acknowledged_action_that_is_not_in_the_log_is_lost():
    ledger, evidence = game()
    end = Acknowledged(HEAD + 1, 1, b"one more", 112.9, 113.0)
    ledger.acknowledged.append(end)
    assert wrong(judge(ledger, evidence)) == {"lost": 1}


def test_where_versions_hide_actions_the_actions_are_matched_by_their_bytes():
    ledger, evidence = game()
    ledger.acknowledged = [replace(one, version=one.version - 1) for one in ledger.acknowledged]
    assert wrong(judge(ledger, evidence)) == {"lost": 9, "doubled": 9}
    ledger.hides = True
    assert wrong(judge(ledger, evidence)) == {}
    ledger.acknowledged.append(replace(ledger.acknowledged[0], action=b"one more"))
    assert wrong(judge(ledger, evidence)) == {"lost": 1}
    del ledger.acknowledged[:2]
    assert wrong(judge(ledger, evidence)) == {"lost": 1, "doubled": 2}


def test_an_acknowledged_action_in_whose_place_another_one_stands_is_lost():
    ledger, evidence = game()
    ledger.acknowledged[3] = replace(ledger.acknowledged[3], action=b"another")
    found = wrong(judge(ledger, evidence))
    assert found == {"lost": 1, "doubled": 1}  # and nobody was told of what stands there


def test_an_action_that_two_were_acknowledged_is_one_of_them_lost():
    ledger, evidence = game()
    ledger.acknowledged.append(ledger.acknowledged[3])
    assert wrong(judge(ledger, evidence)) == {"lost": 1}


def test_an_action_acknowledged_just_before_a_power_cut_may_be_lost_and_an_earlier_one_may_not():
    ledger, evidence = game()
    ledger.acknowledged += [Acknowledged(HEAD + 1, 1, b"early", 114.8, 114.9), Acknowledged(HEAD + 1, 1, b"late", 115.4, 115.5)]
    figures = judge(ledger, evidence, [Loss(115.0, 116.0)])
    assert wrong(figures) == {"lost": 1}
    assert figures.lost_as_promised == 1
    assert "late" not in figures.findings["lost"][0]


def test_the_same_action_made_anew_after_a_power_cut_is_not_the_one_that_is_lost():
    ledger, evidence = game()
    last = ledger.acknowledged[-1]
    ledger.acknowledged.append(replace(last, sent_s=117.0, at_s=117.1))
    figures = judge(ledger, evidence, [Loss(111.5, 112.5)])
    assert wrong(figures) == {}
    assert figures.lost_as_promised == 1


def test_an_action_that_was_carried_out_twice_is_doubled():
    ledger, evidence = game()
    last = evidence.entries[-1]
    ledger.watched.clear()
    doubled = replace(evidence, entries=(*evidence.entries, replace(last, version=HEAD + 1)))
    assert wrong(judge(ledger, doubled)) == {"doubled": 1}
    ledger.unanswered = 1  # it may be the one that was sent and not answered
    assert wrong(judge(ledger, doubled)) == {}


def test_a_log_with_a_version_too_few_or_too_many_has_a_hole():
    ledger, evidence = game()
    ledger.watched.clear()
    ledger.acknowledged.clear()
    ledger.persons = frozenset()
    for entries in (evidence.entries[:5] + evidence.entries[6:], evidence.entries[:5] + evidence.entries[4:]):
        assert wrong(judge(ledger, replace(evidence, entries=entries))) == {"holes": 1}


@pytest.mark.parametrize("watcher", [0, 1, 2])
def test_two_updates_in_the_wrong_order_are_disordered(watcher: int):
    ledger, evidence = game()
    seen = ledger.watched[watcher].received
    seen[6], seen[7] = seen[7], seen[6]
    found = wrong(judge(ledger, evidence))
    assert found["disordered"] == 1
    assert set(found) <= {"disordered", "missed"}


def test_an_update_that_comes_twice_is_disordered():
    ledger, evidence = game()
    ledger.watched[0].received.insert(4, ledger.watched[0].received[4])
    assert wrong(judge(ledger, evidence)) == {"disordered": 1}


def test_a_new_beginning_without_a_cause_in_the_middle_of_a_watch_is_disordered():
    ledger, evidence = game()
    ledger.watched[0].received[4] = replace(ledger.watched[0].received[4], cause="UNSPECIFIED")
    assert wrong(judge(ledger, evidence)) == {"disordered": 1}


def test_a_new_beginning_when_hidden_things_are_revealed_is_in_order():
    ledger, evidence = game()
    received_by_one = ledger.watched[2].received
    received_by_one[-1] = replace(received_by_one[-1], cause="OPENED")
    del received_by_one[-4:-1]
    assert wrong(judge(ledger, evidence)) == {}


def test_an_update_that_is_left_out_is_missed_and_so_is_the_end():
    ledger, evidence = game()
    del ledger.watched[2].received[5]
    assert wrong(judge(ledger, evidence)) == {"missed": 1}
    ledger, evidence = game()
    ledger.watched[2].received.pop()
    assert wrong(judge(ledger, evidence)) == {"missed": 1}
    ledger.watched[2].left_early = True
    assert wrong(judge(ledger, evidence)) == {}


def test_a_watcher_who_was_shown_something_else_than_the_list_shows_disagrees_and_the_field_is_named():
    ledger, evidence = game()
    other = picture(7, 0)
    other.happening.notation = "a1-b2"
    ledger.watched[0].received[4] = replace(ledger.watched[0].received[4], digest=digest(other))
    figures = judge(ledger, evidence)
    assert wrong(figures) == {"disagreements": 1}
    assert "happening" in figures.findings["disagreements"][0]


def test_two_spectators_who_were_sent_different_bytes_of_the_same_picture_are_unequal():
    ledger, evidence = game()
    stays = ledger.watched[2]
    stays.received = [replace(one, sent=b"%d" % one.version) for one in stays.received]
    ledger.watched.append(replace(stays, received=list(stays.received)))
    assert wrong(judge(ledger, evidence)) == {}
    ledger.watched[3].received[4] = replace(stays.received[4], sent=b"the same, encoded otherwise")
    assert wrong(judge(ledger, evidence)) == {"unequal": 1}
    assert wrong(judge(ledger, evidence, [Loss(100.0, 101.0)])) == {}  # a version that was lost is made anew, and is another one


def test_a_watcher_who_keeps_a_version_that_the_log_does_not_have_disagrees():
    ledger, evidence = game()
    ledger.watched[0].received.append(received(HEAD + 1, 0))
    assert wrong(judge(ledger, evidence)) == {"disagreements": 1}


def test_a_seat_that_is_lost_without_a_loss_of_the_store_is_a_disagreement():
    ledger, evidence = game()
    seen = ledger.watched[0].received
    seen[4:] = [received(7, SPECTATOR, "SEAT"), *(received(version, SPECTATOR) for version in range(8, HEAD + 1))]
    assert wrong(judge(ledger, evidence)) == {"disagreements": 1}
    assert wrong(judge(ledger, evidence, [Loss(100.0, 101.0)])) == {}


def test_ahead_is_counted_apart_when_nothing_was_lost():
    ledger, evidence = game()
    ledger.watched[0].received.insert(5, received(7, 0, "AHEAD"))
    figures = judge(ledger, evidence, [Loss(100.0, 101.0)])
    assert figures.aheads_without_loss == 1
    assert wrong(figures) == {}


def test_after_ahead_what_was_shown_before_is_forgotten():
    ledger, evidence = game()
    lost = [Received(version, {"version": b"lost"}, 110.0) for version in (8, 9)]
    ledger.watched[0].received[5:5] = [*lost, received(7, 0, "AHEAD")]
    assert wrong(judge(ledger, evidence, [Loss(100.0, 101.0)])) == {}
    assert wrong(judge(ledger, evidence)) == {"disordered": 1}  # nothing could be lost


def test_a_check_that_finds_a_fault_is_unverified():
    ledger, evidence = game()
    assert wrong(judge(ledger, replace(evidence, is_verified=False, fault="a roll at version 5"))) == {"unverified": 1}


def test_moves_that_were_made_for_a_computer_player_are_counted_and_belong_to_nobody():
    ledger, evidence = game()
    ledger.watched.clear()
    entries = (*evidence.entries, Entry(HEAD + 1, 1, b"for the computer", is_fallback=True))
    figures = judge(ledger, replace(evidence, entries=entries))
    assert wrong(figures) == {}
    assert figures.fallbacks == 1


def test_a_stall_is_the_longest_time_in_which_nobody_heard_of_anything():
    ledger, _ = game()
    ledger.noticed_at_s = {4: 103.5, 5: 104.0, 6: 110.0, 7: 111.0}
    assert stalls(ledger, 200.0)[0] == (104.0, 6.0)
    ledger.over_at_s = None
    assert stalls(ledger, 200.0)[0] == (111.0, 89.0)
    ledger.running_since_s = None
    assert stalls(ledger, 200.0) == []


def test_the_longest_wait_is_that_of_the_last_watcher_for_what_somebody_knew():
    ledger, _ = game()
    ledger.watched[1].received[-1] = replace(ledger.watched[1].received[-1], at_s=120.0)
    assert waits(ledger) == pytest.approx(8.0)


def test_the_line_names_every_figure_and_figures_add_up():
    ledger, evidence = game()
    ledger.acknowledged.append(Acknowledged(HEAD + 1, 1, b"one more", 112.9, 113.0))
    total = Figures()
    for _ in range(2):
        one = judge(ledger, evidence)
        one.failures["ActRequest: UNAVAILABLE"] += 2
        total.include(one)
    shown = dict(word.split("=") for word in total.line().split())
    assert shown["lost"] == "2"
    assert shown["games"] == "2"
    assert shown["failed"] == "4"
    assert any("ActRequest: UNAVAILABLE" in line and "4 times" in line for line in total.sentences())
    assert list(shown)[: len(MUST_BE_ZERO)] == list(MUST_BE_ZERO)
    assert not total.is_good
