"""Answers the calls about puzzles. No answer has anything of a solution before it was found or asked for."""

import importlib
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk.v1 import errors_pb2, games_pb2
from brettwerk.v1 import puzzles_pb2 as pb
from services.archive.access import Access
from services.players.calls import Answered, Caller, Handler
from services.players.game_data import every_game, require_game
from services.players.puzzles import days, progress
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import complete

KEPT = 0.9
"""The share of the best action's chance that a right one keeps."""


class Puzzles:
    """The calls about puzzles."""

    def __init__(self, store: Access, today: Callable[[], date] = days.today) -> None:
        self._store = store
        self._today = today

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_puzzle": self.get_puzzle,
            "list_puzzles": self.list_puzzles,
            "try_puzzle": self.try_puzzle,
            "show_solution": self.show_solution,
        }

    async def get_puzzle(self, request: pb.GetPuzzleRequest, caller: Caller) -> Answered:
        """Return a puzzle. Raises Refused: MALFORMED for no day, UNKNOWN for a puzzle that there is not."""
        today = self._today()
        if not request.puzzle_id:
            require_game(request.game)
        day = _day(request.day, "day") if request.day else today

        def read(connection: Connection) -> pb.GetPuzzleResponse:
            if request.puzzle_id:
                row, made = _found(connection, request.puzzle_id)
            else:
                days.chosen(connection, request.game, today)
                at = days.day_of(connection, request.game, day.isoformat())
                if at is None:
                    raise unknown("puzzle", "day", day.isoformat())
                row, made = at, _kept(connection, at)
            earlier, later = days.neighbours(connection, row.game, row.day)
            puzzle = _shown(made, row)
            puzzle.earlier_day, puzzle.later_day = earlier, later
            return pb.GetPuzzleResponse(puzzle=puzzle, progress=progress.of(connection, caller.player_id, row.game, row.day))

        return Answered(await self._store.run(read))

    async def list_puzzles(self, request: pb.ListPuzzlesRequest, caller: Caller) -> Answered:
        """Return days of one game or of all. Raises Refused: MALFORMED for no day, UNKNOWN for a game that there is not."""
        if request.game:
            require_game(request.game)
        today = self._today()
        before = today + timedelta(1)
        if request.before_day:
            before = min(before, _day(request.before_day, "before_day"))

        def read(connection: Connection) -> pb.ListPuzzlesResponse:
            found: list[pb.PuzzleDay] = []
            for game in [request.game] if request.game else every_game():
                days.chosen(connection, game, today)
                rows = days.listed(connection, game, before, request.days or 1)
                done = progress.of_days(connection, caller.player_id, game, [row.day for row in rows])
                found += [_listed(row, done[row.day]) for row in rows]
            found.sort(key=lambda one: one.day, reverse=True)
            return pb.ListPuzzlesResponse(puzzles=found)

        return Answered(await self._store.run(read))

    async def try_puzzle(self, request: pb.TryPuzzleRequest, caller: Caller) -> Answered:
        """Return the share that an action keeps of the best one's chance, 0 to 1, and the puzzle's source if it is right.

        Raises Refused: UNKNOWN for a puzzle that there is not, ILLEGAL for another action.
        """

        def write(connection: Connection) -> pb.TryPuzzleResponse:
            row, made = _found(connection, request.puzzle_id)
            tried = _action(made, request.action)
            is_right = tried.kept >= KEPT
            if caller.player_id:
                progress.tried(connection, caller.player_id, row.game, row.day, right=is_right)
            done = progress.of(connection, caller.player_id, row.game, row.day)
            return pb.TryPuzzleResponse(kept=tried.kept, right=is_right, source=made.source if is_right else None, progress=done)

        return Answered(await self._store.run(write))

    async def show_solution(self, request: pb.ShowSolutionRequest, caller: Caller) -> Answered:
        """Return the solution. Raises Refused: UNKNOWN for a puzzle that there is not."""

        def write(connection: Connection) -> pb.ShowSolutionResponse:
            row, made = _found(connection, request.puzzle_id)
            if caller.player_id:
                progress.shown(connection, caller.player_id, row.game, row.day)
            done = progress.of(connection, caller.player_id, row.game, row.day)
            return pb.ShowSolutionResponse(actions=made.actions, source=made.source, progress=done)

        return Answered(await self._store.run(write))


def _found(connection: Connection, puzzle_id: str) -> tuple[Row[Any], puzzles_made_pb2.MadePuzzle]:
    row = days.last_of(connection, puzzle_id)
    if row is None:
        raise unknown("puzzle", "puzzle_id", puzzle_id)
    return row, _kept(connection, row)


def _kept(connection: Connection, row: Row[Any]) -> puzzles_made_pb2.MadePuzzle:
    made = days.read(connection, row.puzzle_id)
    if made is None:
        raise unknown("puzzle", "puzzle_id", row.puzzle_id)
    return made


def _shown(made: puzzles_made_pb2.MadePuzzle, row: Row[Any]) -> pb.Puzzle:
    """Return a puzzle without its solution: the actions stand as the rules list them."""
    listed: list[games_pb2.ActionChoice] = [
        one.action for _, one in sorted(zip(made.order, made.actions, strict=True), key=lambda pair: pair[0])
    ]
    return pb.Puzzle(
        puzzle_id=row.puzzle_id,
        game=row.game,
        day=row.day,
        view=shown_view(row.game, made.view),
        seat=made.seat,
        seats=made.seats,
        actions=listed,
        win_chance=made.win_chance,
        needed=KEPT,
        right=sum(one.kept >= KEPT for one in made.actions),
    )


def _listed(row: Row[Any], done: pb.PuzzleProgress) -> pb.PuzzleDay:
    return pb.PuzzleDay(game=row.game, day=row.day, puzzle_id=row.puzzle_id, seat=row.seat, progress=done)


def _action(made: puzzles_made_pb2.MadePuzzle, wanted: AnyMessage) -> pb.KeptChance:
    """Return one of a puzzle's actions. Raises Refused (ILLEGAL)."""
    name = wanted.type_url.rpartition("/")[2]
    for one in made.actions:
        if one.action.action.value == wanted.value and one.action.action.type_url.rpartition("/")[2] == name:
            return one
    raise Refused(errors_pb2.REASON_ILLEGAL, "the action is not one of those that the puzzle lists")


def _day(text: str, field: str) -> date:
    """Return a day. Raises Refused (MALFORMED)."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise malformed(field, "a day is written like 2026-11-26")
    return day


def shown_view(game: str, view: AnyMessage) -> AnyMessage:
    """Return the view of a puzzle with both fields of each seat that it has; that of an installed game as it is.

    A stored view is as it was made, since its bytes give the puzzle its id.
    """
    if not view.TypeName().startswith("brettwerk.v1."):
        return view
    importlib.import_module(f"brettwerk.v1.{game}_pb2")
    descriptor = descriptor_pool.Default().FindMessageTypeByName(view.TypeName())
    message = message_factory.GetMessageClass(descriptor).FromString(view.value)
    complete(message)
    return AnyMessage(type_url=view.type_url, value=message.SerializeToString(deterministic=True))
