"""Chance is renewed when somebody sits down who did not bring the saved game: who brought it knows the dice that it had."""

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules.chance import commitment, step_seed
from services.session.domain import plies
from services.session.domain.commands import seats
from services.session.domain.fold import fold
from services.session.domain.state import RUNNING, State, replace
from tests.services.session.app.saving import check, fork, import_
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, einstein, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out

SAVED = 3
"""Plies of the saved game."""


async def brought(table: Table) -> tuple[Player, record_pb2.Record, bytes]:
    """Return who brings a saved game along, with its record and its secret, which is known since the game is over."""
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, SAVED)
    record = await anna.export(game)
    await anna.resign(game, 0)
    return anna, record, (await anna.export(game)).secret


async def joined(table: Table, seed_contribution: bytes = b"a contribution of Ben's") -> tuple[Player, Player, str, list[bytes]]:
    """Return both at a copy that Ben has joined, and the seeds that Anna foretells, by ply."""
    anna, record, secret = await brought(table)
    copy = (await import_(anna, record, "me", "open")).id
    ben = table.player("Ben")
    await ben.join(copy, seed_contribution=seed_contribution)
    return anna, ben, copy, [step_seed(secret, record.session_id, ply, (b"", b"")) for ply in range(40)]


async def seeds(table: Table, session_id: str) -> list[bytes]:
    """Return the seeds of the plies that were played in a session itself."""
    entries = await table.wiring.rebuilds.entries(session_id)
    return [entry.acted.ply.seed for entry in entries if entry.WhichOneof("change") == "acted"]


async def state_of(table: Table, session_id: str) -> State:
    return (await table.wiring.session_cache.newest(session_id)).state


async def test_a_player_who_brought_a_game_foretells_no_roll_once_a_stranger_sits_there(table: Table) -> None:
    anna, ben, copy, foretold = await joined(table)
    rehearsal = (await import_(anna, (await brought(table))[1], "me", "me")).id
    await play_out((anna, ben), copy, 6)
    await play_out((anna, anna), rehearsal, 6)
    rolled = await seeds(table, copy)
    assert len(rolled) == 6
    assert not set(rolled) & set(foretold)


async def test_a_player_going_on_alone_has_the_dice_that_there_would_have_been(table: Table) -> None:
    anna, record, secret = await brought(table)
    copy = (await import_(anna, record, "me", "open")).id
    await anna.join(copy)
    await play_out((anna, anna), copy, 3)
    assert await seeds(table, copy) == [step_seed(secret, record.session_id, SAVED + ply, (b"", b"")) for ply in range(1, 4)]
    assert not (await state_of(table, copy)).is_renewed


async def test_the_contributions_that_seats_gave_count_on_in_a_saved_game(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "open")).id
    await ben.join(game, seed_contribution=b"a contribution of Ben's")
    await play_out((anna, ben), game, SAVED)
    await ben.set_seat(game, 1, "easy", by=1)  # who takes over later gives none
    record = await anna.export(game)
    await anna.resign(game, 0)
    secret = (await anna.export(game)).secret
    copy = (await import_(anna, record, "me", "me")).id
    await play_out((anna, anna), copy, 3)
    seed_contributions = (b"", b"a contribution of Ben's")
    assert await seeds(table, copy) == [step_seed(secret, game, SAVED + ply, seed_contributions) for ply in range(1, 4)]


async def test_a_player_who_joins_a_fork_gives_a_contribution_that_counts(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, SAVED)
    await anna.propose(game, 0, help=True)
    copy = (await fork(anna, game, (await anna.see(game)).version, "me", "open")).id
    assert not (await anna.see(copy)).session.public
    await ben.join(copy, seed_contribution=b"a contribution of Ben's")
    await play_out((anna, ben), copy, 3)
    state = await state_of(table, copy)
    assert state.seed_contributions == (b"", b"a contribution of Ben's")
    assert await seeds(table, copy) == [
        step_seed(state.secret, copy, SAVED + ply, state.seed_contributions) for ply in range(1, 4)
    ]


async def test_the_hash_of_the_new_secret_is_known_before_the_stranger_gives_a_contribution(table: Table) -> None:
    anna, record, _ = await brought(table)
    session = await import_(anna, record, "me", "open")
    promised = session.next_commitment
    assert len(promised) == 32 and promised != session.commitment
    ben = table.player("Ben")
    await ben.join(session.id, seed_contribution=b"a contribution of Ben's")
    seen = (await ben.see(session.id)).session
    assert (seen.commitment, seen.next_commitment) == (promised, b"")
    await play_out((anna, ben), session.id, 4)
    await ben.resign(session.id, 1)
    record = await ben.export(session.id)
    assert commitment(record.next_secret) == promised
    seed_contributions = (b"", b"a contribution of Ben's")
    own = [step_seed(record.next_secret, session.id, SAVED + ply, seed_contributions) for ply in range(1, 6)]
    assert await seeds(table, session.id) == own
    await check_rebuilt(table, session.id)


async def test_the_check_of_the_record_shows_since_when_chance_is_new(table: Table) -> None:
    anna, ben, copy, _ = await joined(table)
    await play_out((anna, ben), copy, 4)
    running = await anna.export(copy)
    found = await check(anna, running)
    assert found.good and not found.chance_proved and found.renewal.plies == SAVED
    await ben.resign(copy, 1)
    found = await check(anna, await anna.export(copy))
    assert found.good and found.chance_proved, found.fault
    assert found.renewal.plies == SAVED
    forged = await anna.export(copy)
    del forged.entries[found.renewal.version - 1]
    for version, entry in enumerate(forged.entries, 1):
        entry.version = version
    assert not (await check(anna, forged)).good


async def test_the_new_secret_leaves_the_server_at_the_end_only(table: Table) -> None:
    anna, record, _ = await brought(table)
    copy = (await import_(anna, record, "me", "open")).id
    kept = (await state_of(table, copy)).next_secret
    assert len(kept) == 32
    ben = table.player("Ben")
    await ben.join(copy)
    await play_out((anna, ben), copy, 2)
    assert (await state_of(table, copy)).secret == kept
    received = (await table.rebuilt(copy)).packed
    assert not any(kept in message for packed in received for message in packed.messages)
    assert kept not in (await anna.export(copy)).SerializeToString()
    await ben.resign(copy, 1)
    assert (await ben.see(copy)).session.secret == kept


async def test_all_are_told_that_chance_was_renewed_and_for_whom(table: Table) -> None:
    anna, _, copy, _ = await joined(table)
    request = play_pb2.ListUpdatesRequest(session_id=copy)
    updates = (await anna.ask(list_updates=request)).updates
    kinds = [update.happening.kind for update in updates]
    at = kinds.index(sessions_pb2.Happening.KIND_CHANCE_RENEWED)
    assert kinds[at : at + 3] == [
        sessions_pb2.Happening.KIND_CHANCE_RENEWED,
        sessions_pb2.Happening.KIND_SEAT,
        sessions_pb2.Happening.KIND_STARTED,
    ]
    assert updates[at].happening.seat == 2


async def test_plies_rolled_with_the_chance_from_before_are_not_taken_back(table: Table) -> None:
    """A roll that is known would be made anew, or the other way round: one would be foretold. So the saved line stands."""
    anna, ben, copy, _ = await joined(table)
    assert (await anna.see(copy, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.propose(copy, 0, undo_to_plies=SAVED - 1)
    await play_out((anna, ben), copy, 2)
    before = await seeds(table, copy)
    asked = await anna.propose(copy, 0, undo_to_plies=SAVED)
    await ben.reply(copy, 1, asked.proposal_id, True)
    await play_out((anna, ben), copy, 2)
    assert (await seeds(table, copy))[2:] == before
    await check_rebuilt(table, copy)


async def test_chance_is_renewed_once(table: Table) -> None:
    anna, record, _ = await brought(table)
    copy = (await import_(anna, record, "open", "open")).id
    for name in ("Ben", "Carl"):
        await table.player(name).join(copy, seed_contribution=name.encode())
    entries = await table.wiring.rebuilds.entries(copy)
    assert [entry.WhichOneof("change") for entry in entries].count("chance_renewed") == 1
    assert (await state_of(table, copy)).seed_contributions == (b"Ben", b"Carl")


async def test_a_stranger_who_leaves_again_has_renewed_it_all_the_same(table: Table) -> None:
    anna, record, _ = await brought(table)
    copy = (await import_(anna, record, "me", "open")).id
    ben = table.player("Ben")
    await ben.join(copy)
    assert (await state_of(table, copy)).is_renewed


async def test_a_save_of_the_renewed_game_goes_on_with_the_new_chance_and_promises_another(table: Table) -> None:
    anna, ben, copy, _ = await joined(table)
    await play_out((anna, ben), copy, 2)
    record = await anna.export(copy)
    await play_out((anna, ben), copy, 1)
    await ben.resign(copy, 1)
    again = (await import_(anna, record, "me", "open")).id
    promised = (await anna.see(again)).session.next_commitment
    assert len(promised) == 32
    await anna.join(again)
    await play_out((anna, anna), again, 1)
    assert (await seeds(table, again))[0] == (await seeds(table, copy))[2]
    await anna.resign(again, 0)
    found = await check(anna, await anna.export(again))
    assert found.good and found.chance_proved and not found.HasField("renewal"), found.fault


async def test_a_fork_and_a_rematch_have_chance_of_their_own_from_the_first(table: Table) -> None:
    anna, ben, copy, _ = await joined(table)
    await play_out((anna, ben), copy, 2)
    asked = await anna.propose(copy, 0, help=True)
    await ben.reply(copy, 1, asked.proposal_id, True)
    forked = await fork(anna, copy, 4, "me", "open")
    assert forked.next_commitment == b""
    await table.player("Carl").join(forked.id)
    assert not (await state_of(table, forked.id)).is_renewed
    await ben.resign(copy, 1)
    rematch = play_pb2.RematchRequest(session_id=copy, seat_token=anna.token(copy, 0), request_id=request_id())
    session = (await anna.ask(rematch=rematch)).session
    created = (await state_of(table, session.id)).created
    assert (created.chance_of, created.next_commitment) == ("", b"")


async def test_a_stranger_to_whom_a_seat_was_kept_renews_chance_in_mid_game(table: Table) -> None:
    """Such sessions are from before strangers renewed chance: nothing was promised for it, and the secret is drawn now."""
    anna, record, secret = await brought(table)
    copy = (await import_(anna, record, "me", "easy")).id
    before = await state_of(table, copy)
    before.created.ClearField("next_commitment")
    kept = replace(before.seats[1], kept_for="p-ben")
    before = replace(before.with_seat(1, kept), next_secret=b"", status=RUNNING)
    ben = table.player("Ben")
    drawn = b"d" * 32
    request = play_pb2.JoinSessionRequest(session_id=copy, seat=1, seed_contribution=b"a contribution of Ben's")
    decision = seats.join(request, ben.caller, lambda: drawn)(before, before.at_ms)
    assert decision.next_secret == drawn
    after = replace(before, next_secret=decision.next_secret)
    for number, entry in enumerate(decision.entries, 1):
        entry.version = before.version + number
        after = fold(after, entry)
    assert (after.secret, after.former_secret, after.seed_contributions) == (drawn, secret, (b"", b"a contribution of Ben's"))
    assert after.chance_id == copy
    assert plies.floor(after) == SAVED
    assert not seats.join(request, ben.caller, lambda: drawn)(after.with_seat(1, kept), 0).next_secret


@pytest.mark.parametrize("promised", [True, False])
async def test_a_renewed_session_comes_back_from_its_bytes(table: Table, promised: bool) -> None:
    anna, ben, copy, _ = await joined(table)
    state = await state_of(table, copy)
    if not promised:
        state.created.ClearField("next_commitment")
    assert State.decode(state.encode()) == state
    await table.restart()
    await play_out((anna, ben), copy, 3)
    assert einstein(await anna.see(copy)) == einstein(await ben.see(copy))
