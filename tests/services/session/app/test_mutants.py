"""Records that were changed somewhere are refused, or what is made of them stands its check; they are never a fault of ours."""

import random
from collections import Counter

import pytest

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from loadtests.fuzz.mutations import Mutator
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.night import examples
from tests.services.session.app.saving import check
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table

CHANGED = examples(150)
"""Records that are tried for each game."""
PLIES = 8


async def saved(anna: Player, game: str) -> record_pb2.Record:
    """Return the record of a game that was played for a while and given up."""
    session = (await anna.create("me", "me", game=game)).id
    for ply in range(PLIES):
        update = await anna.see(session)
        await anna.act(session, update.to_act[0], pick=5 * ply)
    await anna.resign(session, 0)
    return await anna.export(session)


def changed(mutator: Mutator, record: record_pb2.Record) -> record_pb2.Record:
    """Return the record with a change or two, half of them in its plies."""
    copy = record_pb2.Record()
    copy.CopyFrom(record)
    copy.ClearField("position_hash")
    plies = [entry.acted.ply for entry in copy.entries if entry.WhichOneof("change") == "acted"]
    if mutator.rng.random() < 0.5:
        ply = mutator.rng.choice(plies)
        ply.CopyFrom(mutator.mutant(ply, mutator.rng.choice((1, 1, 2))))
        return copy
    return mutator.mutant(copy, mutator.rng.choice((1, 1, 2)))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", ["einstein", "emperado", "plateau", "wec"])
async def test_a_changed_record_is_refused_or_leads_to_a_game_that_stands_its_check(table: Table, game: str) -> None:
    anna = table.player("Anna")
    record = await saved(anna, game)
    mutator = Mutator(random.Random(f"{game} records"))
    mutator.any_values = [entry.acted.ply.action for entry in record.entries if entry.acted.ply.HasField("action")]
    said: Counter[str] = Counter()
    for _ in range(CHANGED):
        mutant = changed(mutator, record)
        request = play_pb2.ImportSessionRequest(record=mutant, request_id=request_id())
        try:
            limits.check_request(request)
            session = (await anna.ask(import_session=request)).session
        except Refused as refused:
            said[errors_pb2.Reason.Name(refused.reason)] += 1
            continue
        except Exception as error:
            raise AssertionError(str(mutant)) from error
        said["opened"] += 1
        while any(not seat.HasField("occupant") for seat in session.seats):
            await anna.join(session.id)
            session = (await anna.see(session.id)).session
        token = anna.token(session.id)
        closing = play_pb2.CloseSessionRequest(session_id=session.id, seat_token=token, request_id=request_id())
        update = await anna.see(session.id, next(seat for known, seat in anna.tokens if known == session.id))
        if not update.session.HasField("outcome"):
            await anna.ask(close_session=closing)
        verification = await check(anna, await anna.export(session.id))
        assert verification.good, (verification, mutant)
    assert said["opened"] > CHANGED // 20, said
    assert said["REASON_RECORD_DAMAGED"] > CHANGED // 5, said
