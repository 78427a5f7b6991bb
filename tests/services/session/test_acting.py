"""Playing actions."""

from tests.services.session.table import Table


async def test_two_persons_play_a_game_to_its_end(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", public=True)
    assert await ben.join(session.id) == 1
    players = (anna, ben)
    for _ in range(80):
        update = await anna.see(session.id)
        if not update.to_act:
            break
        seat = update.to_act[0]
        answer = await players[seat].act(session.id, seat, pick=-1)
        assert answer.version == update.version + 1
    update = await anna.see(session.id)
    assert sum(update.session.outcome.scores) == 1
    assert len(update.session.secret) == 32
