"""The calls about puzzles, with the puzzles that come with the games."""

from collections.abc import Awaitable
from datetime import date, timedelta
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk.v1 import einstein_pb2, errors_pb2
from brettwerk.v1 import puzzles_pb2 as pb
from services.archive.access import Access
from services.players import whole_account
from services.players.calls import Answered, Caller
from services.players.puzzles import days
from services.players.puzzles.collection import shipped
from services.players.puzzles.puzzles import Puzzles, shown_view
from services.runtime.refusal import Refused

TODAY = date(2026, 11, 26)
ANNA, BERT, NOBODY = Caller("anna", "Anna", ""), Caller("bert", "Bert", ""), Caller("", "", "")


def puzzles(store: Access, today: date = TODAY) -> Puzzles:
    return Puzzles(store, lambda: today)


async def answer(call: Awaitable[Answered]) -> Any:
    return (await call).response


async def get(store: Access, caller: Caller = ANNA, today: date = TODAY, **wanted: Any) -> pb.GetPuzzleResponse:
    request = pb.GetPuzzleRequest(**({"game": "einstein"} | wanted))
    found: pb.GetPuzzleResponse = await answer(puzzles(store, today).get_puzzle(request, caller))
    return found


def made_of(puzzle: pb.Puzzle) -> puzzles_made_pb2.MadePuzzle:
    return shipped("einstein")[puzzle.puzzle_id]


async def attempt(store: Access, puzzle: pb.Puzzle, action: AnyMessage, caller: Caller = ANNA) -> pb.TryPuzzleResponse:
    request = pb.TryPuzzleRequest(puzzle_id=puzzle.puzzle_id, action=action)
    found: pb.TryPuzzleResponse = await answer(puzzles(store).try_puzzle(request, caller))
    return found


async def test_a_new_server_has_a_puzzle_for_today_and_a_few_days_before_and_all_differ(store: Access):
    found = await answer(puzzles(store).list_puzzles(pb.ListPuzzlesRequest(game="einstein", days=60), ANNA))
    assert [one.day for one in found.puzzles] == [(TODAY - timedelta(n)).isoformat() for n in range(days.BEGINS_DAYS)]
    assert len({one.puzzle_id for one in found.puzzles}) == days.BEGINS_DAYS


async def test_a_view_has_both_fields_of_its_seat_though_the_puzzle_is_stored_with_the_former(store: Access):
    puzzle = (await get(store)).puzzle
    view = einstein_pb2.EinsteinView.FromString(puzzle.view.value)
    assert (view.viewer_seat, view.seat) == (puzzle.seat, puzzle.seat + 1)
    stored = einstein_pb2.EinsteinView.FromString(made_of(puzzle).view.value)
    assert (stored.HasField("viewer_seat"), stored.seat, stored.position) == (False, view.seat, view.position)


async def test_everybody_has_the_same_puzzle_on_a_day_and_it_stays(store: Access):
    first = (await get(store)).puzzle
    later = await get(store, BERT, TODAY + timedelta(3), day=TODAY.isoformat())
    assert later.puzzle.puzzle_id == first.puzzle_id
    assert (later.puzzle.earlier_day, later.puzzle.later_day) == ("2026-11-25", "2026-11-27")
    assert (await get(store, NOBODY, game="", puzzle_id=first.puzzle_id)).puzzle.view == first.view


async def test_no_puzzle_comes_again_before_all_have_had_a_day(store: Access):
    count = len(shipped("einstein"))
    seen = [(await get(store, today=TODAY + timedelta(n))).puzzle.puzzle_id for n in range(count + 1)]
    everything = await answer(
        puzzles(store, TODAY + timedelta(count)).list_puzzles(pb.ListPuzzlesRequest(game="einstein", days=60), ANNA)
    )
    in_order = [one.puzzle_id for one in reversed(everything.puzzles)][-count:]
    assert len(set(in_order)) == count
    assert seen[-1] == in_order[-1]


async def test_a_puzzle_of_this_server_comes_before_those_that_come_with_the_game(store: Access):
    await get(store)
    own = puzzles_made_pb2.MadePuzzle()
    own.CopyFrom(next(iter(shipped("einstein").values())))
    own.view.value += b"\x08\x00"  # another one
    store.run_here(lambda connection: days.add(connection, [own], 1))
    assert (await get(store, today=TODAY + timedelta(1))).puzzle.view == shown_view("einstein", own.view)


async def test_a_puzzle_tells_nothing_of_its_solution(store: Access):
    found = (await get(store)).puzzle
    made = made_of(found)
    in_order_of_rules = [one.action for _, one in sorted(zip(made.order, made.actions, strict=True), key=lambda pair: pair[0])]
    assert list(found.actions) == in_order_of_rules
    assert "kept" not in pb.Puzzle.DESCRIPTOR.fields_by_name


async def test_attempts_say_what_an_action_keeps_and_are_noted_until_a_right_one(store: Access):
    found = (await get(store)).puzzle
    made = made_of(found)
    wrong = await attempt(store, found, made.actions[-1].action.action)
    assert (wrong.right, wrong.kept, wrong.HasField("source")) == (False, made.actions[-1].kept, False)
    right = await attempt(store, found, made.actions[0].action.action)
    assert (right.right, right.kept) == (True, 1.0)
    assert (right.progress.solved, right.progress.attempts, right.progress.streak) == (True, 2, 1)
    await attempt(store, found, made.actions[-1].action.action)
    assert (await get(store)).progress == right.progress
    assert not (await get(store, BERT)).progress.solved


async def test_a_shown_solution_is_no_solved_puzzle(store: Access):
    found = (await get(store)).puzzle
    shown = await answer(puzzles(store).show_solution(pb.ShowSolutionRequest(puzzle_id=found.puzzle_id), ANNA))
    assert list(shown.actions) == list(made_of(found).actions)
    after = await attempt(store, found, shown.actions[0].action.action)
    assert after.right
    assert (after.progress.solved, after.progress.shown, after.progress.attempts) == (False, True, 0)


async def test_days_in_a_row_are_counted(store: Access):
    for number in (3, 1, 0):
        found = (await get(store, day=(TODAY - timedelta(number)).isoformat())).puzzle
        last = await attempt(store, found, made_of(found).actions[0].action.action)
    assert last.progress.streak == 2


async def test_callers_without_a_token_may_try_and_leave_no_trace(store: Access):
    found = (await get(store, NOBODY)).puzzle
    tried = await attempt(store, found, made_of(found).actions[0].action.action, NOBODY)
    assert tried.right
    assert tried.progress == pb.PuzzleProgress()


async def test_an_account_takes_what_was_done_with_puzzles_along(store: Access):
    found = (await get(store)).puzzle
    await attempt(store, found, found.actions[0].action)
    assert "players_puzzle_progress" in store.run_here(lambda connection: whole_account.exported(connection, "anna"))
    store.run_here(lambda connection: whole_account.remove(connection, "anna", 1))
    assert (await get(store)).progress == pb.PuzzleProgress()


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"game": "nothing"}, errors_pb2.REASON_UNKNOWN),
        ({"day": "yesterday"}, errors_pb2.REASON_MALFORMED),
        ({"day": "20261126"}, errors_pb2.REASON_MALFORMED),
        ({"day": "2026-11-27"}, errors_pb2.REASON_UNKNOWN),
        ({"day": "2020-01-01"}, errors_pb2.REASON_UNKNOWN),
        ({"puzzle_id": "nothing"}, errors_pb2.REASON_UNKNOWN),
    ],
)
async def test_unknown_puzzles_and_games_are_refused(store: Access, wanted: dict[str, Any], reason: int):
    with pytest.raises(Refused) as refused:
        await get(store, **wanted)
    assert refused.value.reason == reason


async def test_a_puzzle_that_has_had_no_day_yet_is_unknown(store: Access):
    await get(store)
    listed = await answer(puzzles(store).list_puzzles(pb.ListPuzzlesRequest(game="einstein", days=60), ANNA))
    unseen = next(one for one in shipped("einstein") if one not in {each.puzzle_id for each in listed.puzzles})
    with pytest.raises(Refused) as refused:
        await answer(puzzles(store).show_solution(pb.ShowSolutionRequest(puzzle_id=unseen), ANNA))
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN


async def test_an_action_that_is_not_listed_is_refused_and_not_counted(store: Access):
    found = (await get(store)).puzzle
    other = AnyMessage(type_url=found.actions[0].action.type_url, value=b"\x0a\x00")
    with pytest.raises(Refused) as refused:
        await attempt(store, found, other)
    assert refused.value.reason == errors_pb2.REASON_ILLEGAL
    assert (await get(store)).progress.attempts == 0
