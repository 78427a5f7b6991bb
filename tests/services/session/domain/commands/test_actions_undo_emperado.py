"""EMPERADO at a real session service: what can be taken back, and what comes of the same again."""

import random
from collections.abc import Awaitable, Callable

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import emperado_pb2
from services.rules.verify import verify
from tests.services.session.emperado import choose, game, options, position_of
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table


def _fought(event: AnyMessage) -> bool:
    message = emperado_pb2.EmperadoEvent()
    return event.Unpack(message) and message.WhichOneof("kind") == "fought"


async def test_placing_is_taken_back_and_attacks_are_not(table: Table) -> None:
    """EMP-UNDO-1, EMP-UNDO-3: safe."""
    anna, session = await game(table, "me", "easy")
    before = position_of(await anna.see(session, 0))
    await anna.act(session, 0, 0)
    update = await anna.see(session, 0)
    assert update.free_undo_plies == 1
    await anna.undo(session, 0, update.session.plies - 1)
    assert position_of(await anna.see(session, 0)) == before
    while position_of(await anna.see(session, 0)).to_place:
        await choose(anna, session, 0)
    update = await anna.see(session, 0)
    attack = next(choice for choice in update.actions if "->" in choice.notation)
    await anna.act(session, 0, action=attack.action)
    update = await anna.see(session, 0)
    assert update.free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, update.session.plies - 1)


async def test_all_that_was_placed_is_taken_back_step_by_step(table: Table) -> None:
    """EMP-UNDO-2."""
    anna, session = await game(table, "me", "easy")
    seen = [await anna.see(session, 0)]
    while position_of(seen[-1]).to_place:
        await anna.act(session, 0, 0)
        seen.append(await anna.see(session, 0))
    assert len(seen) > 2
    for before in reversed(seen[:-1]):
        await anna.undo(session, 0, before.session.plies)
        assert position_of(await anna.see(session, 0)) == position_of(before)
    assert (await anna.see(session, 0)).free_undo_plies == 0


@pytest.mark.parametrize("seed", range(6))
async def test_safe_never_goes_back_over_an_attack_however_much_follows_it(table: Table, seed: int) -> None:
    """EMP-UNDO-2, EMP-UNDO-3: every number of plies that the attack is part of is refused."""
    chance = random.Random(seed)
    anna, session = await game(table, "me", "easy")
    began = (await anna.see(session, 0)).session.plies
    last_attack = 0
    for _ in range(14):
        update = await anna.see(session, 0)
        staying = [each for each in update.actions if each.notation != "done"]
        if not staying:
            break
        await anna.act(session, 0, action=chance.choice(staying).action)
        update = await anna.see(session, 0)
        if any(event.type_url and _fought(event) for event in update.happening.events):
            last_attack = update.session.plies
        if last_attack:
            with refused("NOTHING_TO_UNDO"):
                await anna.undo(session, 0, last_attack - 1)
        assert update.free_undo_plies == int(update.session.plies > max(last_attack, began))
    assert last_attack, "something was attacked"


async def test_by_honour_several_attacks_that_are_taken_back_throw_the_same_again(table: Table) -> None:
    """EMP-UNDO-2, EMP-UNDO-3: back over three actions, and the same events a second time."""
    anna, session = await game(table, "me", "easy", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    while position_of(await anna.see(session, 0)).to_place:
        await choose(anna, session, 0)
    start = (await anna.see(session, 0)).session.plies

    async def three() -> list[tuple[list[AnyMessage], AnyMessage]]:
        seen = []
        for _ in range(3):
            update = await anna.see(session, 0)
            attack = next(choice for choice in update.actions if "->" in choice.notation)
            await anna.act(session, 0, action=attack.action)
            update = await anna.see(session, 0)
            seen.append((list(update.happening.events), update.view))
        return seen

    first = await three()
    await anna.undo(session, 0, start)
    assert await three() == first


async def test_by_honour_an_attack_that_is_taken_back_throws_the_same_again(table: Table) -> None:
    """EMP-UNDO-3, case 56."""
    anna, session = await game(table, "me", "easy", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    while position_of(await anna.see(session, 0)).to_place:
        await choose(anna, session, 0)
    update = await anna.see(session, 0)
    attack = next(choice for choice in update.actions if "->" in choice.notation)
    await anna.act(session, 0, action=attack.action)
    first = await anna.see(session, 0)
    await anna.undo(session, 0, update.session.plies)
    await anna.act(session, 0, action=attack.action)
    again = await anna.see(session, 0)
    assert list(again.happening.events) == list(first.happening.events)
    assert again.view == first.view


async def _attacked(anna: Player, session: str, attack: AnyMessage) -> list[AnyMessage]:
    """Attack, and return what is told of it."""
    await anna.act(session, 0, action=attack)
    return list((await anna.see(session, 0)).happening.events)


async def _move(anna: Player, session: str) -> None:
    update = await anna.see(session, 0)
    await anna.act(session, 0, action=next(each for each in update.actions if "=>" in each.notation).action)


async def _change_a_parameter(anna: Player, session: str) -> None:
    changed = options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR, coalition=41)
    await anna.propose(session, 0, options=changed)


async def _change_players(anna: Player, session: str) -> None:
    await anna.set_seat(session, 1, "me", by=0)


async def _load_a_save(anna: Player, session: str) -> None:
    await anna.propose(session, 0, load=await anna.export(session))


@pytest.mark.parametrize("idle", [_move, _change_a_parameter, _change_players, _load_a_save])
async def test_by_honour_nothing_in_between_throws_anew(table: Table, idle: Callable[[Player, str], Awaitable[None]]) -> None:
    """EMP-UNDO-3: dice go by the throws that were made, and go back with the position."""
    anna, session = await game(table, "me", "easy", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    while position_of(await anna.see(session, 0)).to_place:
        await choose(anna, session, 0)
    update = await anna.see(session, 0)
    moving = next(each for each in update.actions if "=>" in each.notation)
    free = (each for each in update.actions if "->" in each.notation and each.places[0] not in moving.places)
    attack = next(free).action  # armies that have moved are blocked, and so are those that they joined
    first = await _attacked(anna, session, attack)
    await anna.undo(session, 0, update.session.plies)
    await idle(anna, session)
    assert await _attacked(anna, session, attack) == first


async def test_by_honour_others_are_asked_before_an_attack_is_taken_back(table: Table) -> None:
    """EMP-UNDO-3: what was placed is taken back without asking; who sits there alone asks nobody."""
    anna, session = await game(table, "me", "open", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    ben = table.player("Ben")
    await ben.join(session)
    await anna.act(session, 0, 0)
    assert (await anna.see(session, 0)).free_undo_plies == 1
    while position_of(await anna.see(session, 0)).to_place:
        await choose(anna, session, 0)
    before = await anna.see(session, 0)
    attack = next(each for each in before.actions if "->" in each.notation).action
    first = await _attacked(anna, session, attack)
    assert (await anna.see(session, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, before.session.plies)
    asked = await anna.propose(session, 0, undo_to_plies=before.session.plies)
    await ben.reply(session, 1, asked.proposal_id, True)
    assert position_of(await anna.see(session, 0)) == position_of(before)
    assert await _attacked(anna, session, attack) == first


async def test_dice_that_are_held_are_proved_and_rebuilt(table: Table) -> None:
    """The seed is that of the first ply that can still be taken back: a check of the record repeats it."""
    anna, session = await game(table, "me", "me", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    for _ in range(25):
        seat = (await anna.see(session, 0)).to_act[0]
        await choose(anna, session, seat)
    update = await anna.see(session, 0)
    if update.free_undo_plies:
        await anna.undo(session, 0, update.session.plies - update.free_undo_plies)
    live = (await table.wiring.session_cache.newest(session)).state
    assert (await table.rebuilt(session)).state.position == live.position
    await anna.resign(session, 1)
    record = await anna.export(session)
    found = verify(record)
    assert found.good and found.chance_proved, found.fault
    own = [entry.acted.ply for entry in record.entries if entry.WhichOneof("change") == "acted"]
    assert all(ply.held for ply in own)
    assert len({ply.seed for ply in own}) < len(own)


async def test_a_turn_that_was_ended_is_not_taken_back(table: Table) -> None:
    """EMP-UNDO-2, case 57."""
    anna, session = await game(table, "me", "me", options=options(undo=emperado_pb2.EMPERADO_UNDO_HONOUR))
    while not (await anna.see(session, 1)).actions:
        await choose(anna, session, 0)
    assert (await anna.see(session, 1)).free_undo_plies == 0
    assert (await anna.see(session, 0)).free_undo_plies == 0
