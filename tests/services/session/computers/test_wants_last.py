"""Just those moves are noted in the end that are wanted, whatever is done, and whatever goes away meanwhile."""

import contextlib

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused, unavailable
from services.session.computers.wants import wanted_seats
from tests.night import examples
from tests.services.session.player import Player
from tests.services.session.table import Table

GAME = ("act", "act", "computer", "computer goes on", "undo", "pause", "hand over", "take back", "resign")
AROUND = ("service away", "service back", "board lost", "restart", "time", "other process")
STEPS = st.lists(st.tuples(st.sampled_from((*GAME, *AROUND)), st.integers(0, 20)), max_size=30)


async def play(table: Table, anna: Player, session: str, step: str, number: int) -> None:
    """Do what is possible now."""
    update = await anna.see(session)
    if update.session.HasField("outcome"):
        return
    mine = update.session.seats[0].occupant.HasField("person")
    paused = update.session.state == 3
    match step:
        case "act" if mine and not paused and 0 in update.to_act:
            await anna.act(session, 0, pick=number)
        case "computer" | "computer goes on" if any(noted[0] == session for noted in table.ai.noted):
            await table.until_quiet()
            moves = [want for want in table.ai.moves if want.session_id == session]  # games of other examples may be wanted, too
            request = await table.submission(moves[-1 - number % min(3, len(moves))], number)
            request.goes_on = step == "computer goes on"
            response = await table.owner(session).computers.submit(request)
            noted = table.ai.noted.get((session, request.seat))
            if noted is not None and noted.version <= max(request.version, response.next.version):
                del table.ai.noted[session, request.seat]  # the worker says that it is done, or goes on and then falls silent
        case "undo" if mine and not paused:
            back = (await anna.see(session, 0)).free_undo_plies
            if back:
                await anna.undo(session, 0, update.session.plies - back)
        case "pause" if mine:
            await anna.propose(session, 0, pause=not paused)
        case "hand over" if mine:
            await anna.set_seat(session, 0, "easy", by=0)
        case "take back" if not mine:
            await anna.set_seat(session, 0, "me")
        case "resign" if mine and number == 20:
            with contextlib.suppress(Refused):  # who is out of the game cannot resign again
                await anna.resign(session, 0)


async def disturb(table: Table, session: str, step: str, number: int) -> None:
    """Let something go away, or come back."""
    match step:
        case "service away":
            table.ai.refusal = unavailable("board")
        case "service back":
            table.ai.refusal = None
        case "board lost":
            table.ai.noted.clear()
            table.ai.demand.epoch = f"epoch {len(table.ai.requests)} {number}"
        case "restart":
            await table.restart()
        case "time":
            await table.pass_s(number)
        case "other process":
            if len(table.processes) == 1:
                await table.another_process()
            await table.hand_over(session, table.processes[1 - table.processes.index(table.owner(session))])


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, game=st.sampled_from(["einstein", "emperado"]))
async def test_wants_and_board_agree_at_quiescence(table: Table, steps: list[tuple[str, int]], game: str) -> None:
    anna = table.player("Anna")
    table.ai.refusal = None
    table.ai.requests.clear()
    table.ai.noted.clear()
    session = (await anna.create("me", "easy", *(["easy"] if game == "emperado" else []), game=game)).id
    for step, number in steps:
        await play(table, anna, session, step, number)
        await disturb(table, session, step, number)
    table.ai.refusal = None
    await table.until_all_is_noted()
    table.clock.pass_s(70)
    await table.sweep()
    await table.until_all_is_noted()
    state = (await table.wiring.session_cache.newest(session)).state
    noted = {key: want for key, want in table.ai.noted.items() if key[0] == session}
    for seat in wanted_seats(state):
        want = noted.pop((session, seat))
        assert want.version == state.seats[seat].wanted_version
        assert (await table.find(want)).HasField("wanted")
    for want in noted.values():  # another process remembered them when the board was lost
        assert (await table.find(want)).refusal.reason == errors_pb2.REASON_NOT_YOUR_TURN
