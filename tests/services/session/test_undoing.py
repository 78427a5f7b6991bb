"""Taking back."""

from services.session.bounds import POSITIONS_KEPT
from tests.services.session.refusing import refused
from tests.services.session.table import Table, einstein
from tests.services.session.test_acting import play_out


async def test_against_a_computer_one_goes_back_to_the_own_turn(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    start = einstein(await anna.see(session.id, 0))
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 1
    await table.computer_moves()
    update = await anna.see(session.id, 0)
    assert update.free_undo_plies == 2
    await anna.undo(session.id, 0, to_plies=0)
    again = await anna.see(session.id, 0)
    assert einstein(again).squares == start.squares
    assert again.session.plies == 0
    assert again.free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_the_same_move_after_an_undo_rolls_the_same_dice(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    await anna.act(session.id, 0, pick=1)
    first = einstein(await anna.see(session.id))
    await anna.undo(session.id, 0, to_plies=0)
    await anna.act(session.id, 0, pick=1)
    assert einstein(await anna.see(session.id)) == first


async def test_only_points_where_the_seat_was_to_act_count(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    for _ in range(2):
        await anna.act(session.id, 0)
        await table.computer_moves()
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=3)
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=4)
    await anna.undo(session.id, 0, to_plies=0)


async def test_another_persons_ply_is_not_taken_back_without_asking(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 1
    await ben.act(session.id, 1)
    assert (await anna.see(session.id, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_competitive_sessions_know_no_undo(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy", competitive=True)
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 0
    with refused("COMPETITIVE"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_the_end_against_computers_can_be_taken_back_but_not_a_resignation(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    while (update := await anna.see(session.id)).to_act:
        await anna.act(session.id, update.to_act[0], pick=-1)
    assert update.session.HasField("outcome")
    loser = 1 if update.session.outcome.scores[0] else 0
    winner = 1 - loser
    await anna.undo(session.id, winner, to_plies=update.session.plies - 1)
    reopened = await anna.see(session.id)
    assert not reopened.session.HasField("outcome")
    assert reopened.session.secret == b""
    await anna.resign(session.id, loser)
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, winner, to_plies=update.session.plies - 1)


async def test_undo_reaches_further_back_than_positions_are_kept(table: Table, monkeypatch) -> None:
    assert POSITIONS_KEPT > 2
    monkeypatch.setattr("services.session.draft.POSITIONS_KEPT", 2)
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    start = einstein(await anna.see(session.id))
    await play_out((anna, anna), session.id, 6)
    await table.restart()
    await anna.undo(session.id, 0, to_plies=0)
    assert einstein(await anna.see(session.id)) == start
    assert (await table.house.store.position(session.id, 0)) is None
