"""A session is its log: whatever was done, rebuilding it gives the equal state and the same bytes of every update."""

from dataclasses import replace

from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import games_pb2
from services.session.domain.perception import EVERYBODY, SPECTATOR
from services.session.domain.plies import variation_of
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate, message_for
from services.session.live.memory import Memory
from services.session.live.rebuilds import Rebuilt
from services.session.live.session_cache import SessionCache, SessionEvents
from services.session.live.transaction import Transaction, replay
from services.sharding.shards import SHARDS
from tests.night import examples
from tests.services.session.domain.commands.test_proposals import options
from tests.services.session.refusing import refused
from tests.services.session.table import Table


def without_tokens(state: State) -> State:
    """Return the state without what the log does not know."""
    return replace(state, created_from=b"", seats=tuple(replace(seat, token_hash=b"") for seat in state.seats))


def by_former_rules(state: State) -> State:
    """Return the state without what the rules of 0.1.0 did not tell: places, and which computers would agree to a draw."""
    if state.outcome is None:
        return replace(state, draw_votes=None)
    outcome = games_pb2.Outcome(scores=state.outcome.scores, reason=state.outcome.reason, rule=state.outcome.rule)
    return replace(state, draw_votes=None, outcome=outcome)


async def check_rebuilt(table: Table, session_id: str, *, is_former: bool = False) -> None:
    """The state and the updates in memory are those of the log, and those that a process finds that takes the session over.

    `is_former`: the state may still be the one that 0.1.0 has written.
    """
    wiring = table.owner(session_id)
    loaded = await wiring.session_cache.newest(session_id)
    state = loaded.state
    assert State.decode(state.encode()) == state
    rebuilt = await table.rebuilt(session_id)
    if is_former:
        assert by_former_rules(rebuilt.state) == by_former_rules(without_tokens(state))
    else:
        assert rebuilt.state == without_tokens(state)
    stranger = SessionCache(wiring.store, wiring.rules, lambda _: EVERYBODY, lambda _: False, SessionEvents())
    taken_over = await stranger.newest(session_id)
    assert taken_over.state == state
    assert taken_over.head == loaded.head
    assert taken_over.logged == loaded.logged
    for memory in (loaded.memory, taken_over.memory):
        kept = [packed for _, packed in memory._updates]
        assert [packed.version for packed in kept] == list(range(state.version - len(kept) + 1, state.version + 1))
        for packed, again in zip(reversed(kept), reversed(rebuilt.packed), strict=False):
            assert _facts(packed) == _facts(again)
            for audience in range(SPECTATOR + 1):
                if packed.audiences & ~packed.unaware & 1 << audience:
                    seat = None if audience == SPECTATOR else audience
                    assert message_for(packed, seat) == message_for(again, seat)
    assert [entry.version for entry in rebuilt.entries] == list(range(1, state.version + 1))
    for shown_from in (1, state.version // 2):
        await check_replayed(table, state, rebuilt, shown_from)


async def check_replayed(table: Table, state: State, rebuilt: Rebuilt, shown_from: int) -> None:
    """A reader of the whole log who asks of many plies at once finds what is found ply by ply."""
    entries, (first, second) = await table.wiring.rebuilds.entries(state.id), state.secrets
    if state.is_renewed:
        secrets = session_state_pb2.StoredSecrets(former_secret=first, secret=second)
    else:
        secrets = session_state_pb2.StoredSecrets(secret=first, next_secret=second)

    async def past(transaction: Transaction, plies: int) -> AnyMessage:
        variation = variation_of(entries[: transaction.state.version]).after(plies)
        step, _ = await table.wiring.rules.play_variation(state.game, len(state.seats), variation)
        return step.position

    transaction, memory = Transaction(table.wiring.rules, None, None, past), Memory()
    transaction.shown_from = shown_from
    await replay(state.id, transaction, entries, secrets, memory)
    assert transaction.state == rebuilt.state
    assert rebuilt.transaction is not None
    assert transaction.kept.items() <= rebuilt.transaction.kept.items()
    for (_, packed), again in zip(reversed(memory._updates), reversed(rebuilt.packed), strict=False):
        assert _facts(packed) == _facts(again)
        assert packed == again if packed.messages else packed.version < shown_from


def _facts(packed: PackedUpdate) -> tuple[object, ...]:
    """Return what all watches have in common."""
    return packed.version, packed.at_ms, packed.seat_changed, packed.dealt


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["act", "act", "act", "computer", "undo", "pause", "options", "hand over", "take back", "time"]),
        st.integers(0, 20),
    ),
    max_size=25,
)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_rebuilding_from_the_log_gives_the_equal_state_and_the_same_bytes(
    table: Table, steps: list[tuple[str, int]]
) -> None:
    anna = table.player("Anna")
    clock = {"kind": 2, "time_ms": 3_600_000, "increment_ms": 1000}
    session = (await anna.create("me", "easy", clock=clock)).id
    for step, number in steps:
        update = await anna.see(session)
        if update.session.HasField("outcome"):
            break
        mine = update.session.seats[0].occupant.HasField("person")
        paused = update.session.state == 3
        computers_turn = not paused and update.to_act and not update.session.seats[update.to_act[0]].occupant.HasField("person")
        match step:
            case "act" if mine and not paused and update.to_act == [0]:
                await anna.act(session, 0, pick=number)
            case "computer" if computers_turn:
                await table.computer_moves(number)
            case "undo" if mine and not paused:
                back = (await anna.see(session, 0)).free_undo_plies
                if back:
                    await anna.undo(session, 0, update.session.plies - back)
            case "pause" if mine:
                await anna.propose(session, 0, pause=not paused)
            case "options" if mine and not paused:
                await anna.propose(session, 0, options=options(show_roll=bool(number % 2)))
            case "hand over" if mine:
                await anna.set_seat(session, 0, "easy", by=0)
            case "take back" if not mine:
                await anna.set_seat(session, 0, "me")
            case "time":
                table.clock.pass_s(number / 10)
    await check_rebuilt(table, session)


async def test_a_watched_game_of_two_is_its_log_too(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open")).id
    await ben.join(session, seed_contribution=b"share")
    await anna.act(session, 0)
    await ben.act(session, 1)
    asked = await anna.propose(session, 0, undo_to_plies=1)
    await ben.reply(session, 1, asked.proposal_id, False)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    await ben.reply(session, 1, asked.proposal_id, True)
    await anna.act(session, 0)
    await anna.propose(session, 0, pause=True)
    await ben.resign(session, 1)
    await check_rebuilt(table, session)


async def test_a_history_that_a_store_has_lost_is_made_anew(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 1)
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    client = table.wiring.store._client
    kept = {key: await client.dump(key) or b"" async for key in client.scan_iter("*")}
    await anna.act(session, 0, pick=0)
    await anna.act(session, 1, pick=0)
    first = await table.wiring.rebuilds.updates(session, 1, 6)
    for key, data in kept.items():
        await client.restore(key, 0, data, replace=True)
    table.wiring.session_cache.validity.doubt(range(SHARDS))
    await anna.act(session, 0, pick=1)
    await anna.act(session, 1, pick=1)
    second = await table.wiring.rebuilds.updates(session, 1, 6)
    assert second[:4] == first[:4]
    assert second[4:] != first[4:]
    assert second == (await table.rebuilt(session)).packed


async def test_a_past_that_nobody_has_asked_for_between_two_looks_leaves_memory(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 1)
    anna, rebuilds = table.player("Anna"), table.wiring.rebuilds
    first, second = [(await anna.create("me", "me")).id for _ in range(2)]
    for session in (first, second):
        await rebuilds.updates(session, 1, 3)
    rebuilds.forget_idle()
    await rebuilds.updates(second, 1, 3)
    held = rebuilds.use.bytes
    rebuilds.forget_idle()
    assert list(rebuilds._cache) == [second]
    assert rebuilds.use.entries == 1
    assert 0 < rebuilds.use.bytes < held
    assert len(await rebuilds.updates(first, 1, 3)) == 3


async def test_a_history_that_is_too_large_is_refused_and_the_newest_updates_are_there(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 1)
    monkeypatch.setattr("services.session.live.rebuilds.HISTORY_BYTES", 1000)
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    await anna.act(session, 0)
    await anna.act(session, 1)
    with refused("FULL"):
        await table.wiring.rebuilds.updates(session, 1, 6)
    assert len(await table.wiring.rebuilds.updates(session, 6, 6)) == 1
