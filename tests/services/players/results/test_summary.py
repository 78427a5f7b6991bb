"""The results of finished sessions for those who sat at them."""

from brettwerk.v1 import emperado_pb2, games_pb2, record_pb2
from services.players.results.summary import ABANDONED, CLOSED, DRAWN, FINISHED, LOST, UNFINISHED, WON, summary_of
from tests.services.players.intake.finished_games import computer, log, outcome, person, session

ANNA, BERT, CLEO = person("anna"), person("bert"), person("cleo")


def changed(seat: int, who: record_pb2.Occupant | None) -> record_pb2.Entry:
    return record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=who))


def test_winner_and_loser_have_results_and_places() -> None:
    summary = summary_of(session(ANNA, BERT, ended=outcome(1), competitive=True), log(ANNA, BERT))
    assert (summary.status, summary.competitive, summary.seats, summary.plies) == (FINISHED, True, 2, 24)
    assert [(one.player_id, one.result, one.place, one.began) for one in summary.results] == [
        ("anna", LOST, 2, True),
        ("bert", WON, 1, True),
    ]


def test_a_game_without_winners_is_drawn() -> None:
    summary = summary_of(session(ANNA, BERT, ended=outcome()), log(ANNA, BERT))
    assert [(one.result, one.place) for one in summary.results] == [(DRAWN, 1), (DRAWN, 1)]


def test_a_player_who_left_has_abandoned_the_game_whatever_the_computer_made_of_it() -> None:
    entries = [*log(ANNA, BERT), changed(0, computer())]
    summary = summary_of(session(computer(), BERT, ended=outcome(0)), entries)
    assert [(one.player_id, one.level, one.result, one.place) for one in summary.results] == [
        ("anna", "", ABANDONED, 2),
        ("", "easy", WON, 1),
        ("bert", "", LOST, 2),
    ]


def test_a_player_who_came_back_has_abandoned_nothing() -> None:
    entries = [*log(ANNA, BERT), changed(0, computer()), changed(0, ANNA)]
    summary = summary_of(session(ANNA, BERT, ended=outcome(0)), entries)
    assert [(one.player_id, one.result, one.began) for one in summary.results] == [("anna", WON, True), ("bert", LOST, True)]


def test_a_player_who_took_a_seat_over_did_not_begin_the_game() -> None:
    entries = [*log(ANNA, BERT), changed(1, CLEO)]
    summary = summary_of(session(ANNA, CLEO, ended=outcome(1)), entries)
    assert [(one.player_id, one.result, one.began) for one in summary.results] == [
        ("anna", LOST, True),
        ("bert", ABANDONED, True),
        ("cleo", WON, False),
    ]


def test_seats_that_were_dealt_are_those_of_the_beginning() -> None:
    dealt = record_pb2.Entry(dealt=record_pb2.Dealt(order=[1, 0]))
    begun = record_pb2.Entry(started=record_pb2.Started())
    summary = summary_of(session(BERT, ANNA, ended=outcome(0)), [changed(0, ANNA), changed(1, BERT), dealt, begun])
    assert [(one.player_id, one.result, one.began) for one in summary.results] == [("bert", WON, True), ("anna", LOST, True)]


def test_a_session_that_was_closed_is_unfinished_for_all() -> None:
    summary = summary_of(session(ANNA, computer()), log(ANNA, computer()))
    assert summary.status == CLOSED
    assert [(one.result, one.place) for one in summary.results] == [(UNFINISHED, 0), (UNFINISHED, 0)]


def test_a_substitute_has_a_share_of_the_game_from_when_they_sat_down() -> None:
    entries = log(ANNA, BERT)
    offered = record_pb2.Entry(seat_offered=record_pb2.SeatOffered(seat=1, player_id="bert"))
    at = len(entries) - 6
    entries[at:at] = [changed(1, computer()), offered, changed(1, CLEO)]
    summary = summary_of(session(ANNA, CLEO, ended=outcome(1), competitive=True), entries)
    assert [(one.player_id, one.result, one.began, one.share) for one in summary.results] == [
        ("anna", LOST, True, 0),
        ("bert", ABANDONED, True, 0),
        ("cleo", WON, False, 250),
    ]
    entries[-1:-1] = [changed(1, computer())]
    left = summary_of(session(ANNA, computer(), ended=outcome(1), competitive=True), entries)
    assert all(not one.share for one in left.results), "who leaves again is no substitute"


def test_a_competitive_game_counts_for_the_rating_of_its_map() -> None:
    over = session(ANNA, BERT, ended=outcome(1), competitive=True)
    over.game = "emperado"
    for name, kind in (("", "two"), ("five_islands", "apart2")):
        over.options.Pack(emperado_pb2.EmperadoOptions(map=name))
        assert summary_of(over, log(ANNA, BERT)).kind == kind
    over.competitive = False
    assert summary_of(over, log(ANNA, BERT)).kind == ""


def test_a_game_that_an_arbiter_has_decided_or_stopped_for_good_counts_for_no_rating() -> None:
    usual = summary_of(session(ANNA, BERT, ended=outcome(1), competitive=True), log(ANNA, BERT))
    ply = record_pb2.Ply(system_action=games_pb2.SystemAction(resign=0))
    ruled = record_pb2.Entry(acted=record_pb2.Acted(ply=ply, cause=record_pb2.Acted.CAUSE_ARBITER))
    summary = summary_of(session(ANNA, BERT, ended=outcome(1), competitive=True), [*log(ANNA, BERT), ruled])
    assert (bool(usual.kind), summary.kind) == (True, "")
    assert [one.result for one in summary.results] == [LOST, WON]
    halted = record_pb2.Entry(arbiter_acted=record_pb2.ArbiterActed(ruling=record_pb2.Ruling(pause=True)))
    closed = record_pb2.Entry(closed=record_pb2.Closed())
    given_up = summary_of(session(ANNA, BERT, competitive=True), [*log(ANNA, BERT), halted, closed])
    assert [one.result for one in given_up.results] == [UNFINISHED, UNFINISHED]
