"""EMPERADO at a real session service: who plays which seat, draws, saving in the middle of a turn, a new game."""

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules.emperado.position import MAX_ACTIONS
from services.rules.verify import verify
from services.session.domain.records import full_record
from tests.night import at_night
from tests.services.session.app.saving import check, fork, import_
from tests.services.session.emperado import choose, close, computers, game, options, position_of
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_Kind = sessions_pb2.Happening
_State = sessions_pb2.Session


async def test_a_game_is_told_who_plays_before_the_first_action(table: Table) -> None:
    anna, session = await game(table, "me", "easy", "strong")
    update = await anna.see(session, 0)
    assert computers(update) == (False, True, True, False, False, False)
    assert update.happening.kind == _Kind.KIND_TOLD
    assert update.free_undo_plies == 0
    await check_rebuilt(table, session)


async def test_the_handicap_counts_in_the_very_first_turn(table: Table) -> None:
    """EMP-REINF-6."""
    anna, session = await game(table, "me", "easy", options=options(country_handicap=-9))
    assert position_of(await anna.see(session, 0)).to_place == 3 + 1 + (29 + 9 - 30) // 3


async def test_a_seat_that_becomes_a_computers_in_its_turn_is_told_and_finishes_it(table: Table) -> None:
    """EMP-PLAYER-2, EMP-PLAYER-3, case 61."""
    anna, session = await game(table, "me", "me")
    await anna.act(session, 0, 0)
    left = position_of(await anna.see(session, 0)).to_place
    assert left
    await anna.set_seat(session, 0, "strong", by=0)
    update = await anna.see(session, 1)
    assert computers(update)[:2] == (True, False)
    assert position_of(update).to_place == left
    asked = await table.until_asked()
    assert (asked.seat, asked.version) == (0, update.version)
    await table.computer_moves()
    await anna.set_seat(session, 0, "me")
    assert computers(await anna.see(session, 0))[:2] == (False, False)
    await anna.act(session, 0, 0)
    await check_rebuilt(table, session)


async def test_a_leaving_player_is_followed_by_a_computer_that_the_game_knows_of(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="emperado")).id
    await ben.join(session)
    token = ben.token(session, 1)
    await ben.ask(leave_session=play_pb2.LeaveSessionRequest(session_id=session, seat_token=token, request_id=request_id()))
    assert computers(await anna.see(session, 0))[:2] == (False, True)


async def test_a_log_that_tells_the_game_otherwise_is_found_out(table: Table) -> None:
    anna, session = await game(table, "me", "easy")
    await anna.resign(session, 0)
    state = (await table.wiring.session_cache.newest(session)).state
    record = full_record(state, await table.wiring.rebuilds.entries(session))
    assert verify(record).good
    received = next(e for e in record.entries if e.acted.ply.system_action.WhichOneof("kind") == "computers")
    received.acted.ply.system_action.computers = 0
    assert verify(record).fault_version == received.version


@pytest.mark.parametrize("most", [40, at_night(MAX_ACTIONS)])
async def test_a_game_that_nobody_decides_is_drawn_by_its_own_bound(table: Table, monkeypatch, most: int) -> None:
    """EMP-LIMIT-1: before the session's log is full, and with a record that holds."""
    monkeypatch.setattr("brettwerk_games.rules.emperado.play.MAX_ACTIONS", most)
    anna, session = await game(table, "me", "me")
    for played in range(most):
        seat = (await anna.see(session)).to_act[0]
        update = await anna.see(session, seat)
        assert update.session.state == _State.STATE_RUNNING, f"it ended after {played} actions"
        texts = [each.notation for each in update.actions]
        await anna.act(session, seat, notation=texts[0] if position_of(update).to_place else texts[-1])
    over = await anna.see(session)
    assert over.session.state == _State.STATE_FINISHED
    assert (over.session.outcome.rule, list(over.session.outcome.places)) == ("EMP-LIMIT-1", [1, 1])
    state = (await table.wiring.session_cache.newest(session)).state
    assert verify(full_record(state, await table.wiring.rebuilds.entries(session))).good


async def test_options_are_agreed_without_touching_who_plays(table: Table) -> None:
    """EMP-PARAM-1: changed at any time."""
    anna, session = await game(table, "me", "easy")
    await anna.propose(session, 0, options=options(solidarity=-9, coalition=10))
    seen = position_of(await anna.see(session, 0)).options
    assert (seen.solidarity, seen.coalition, seen.computers[:2]) == (-9, 10, (False, True))
    await check_rebuilt(table, session)


async def test_an_owner_watching_only_computers_changes_options_and_others_do_not(table: Table) -> None:
    """EMP-PARAM-1, EMP-TABLE-4."""
    anna, session = await game(table, "easy", "easy", "easy")

    async def change(who: Player, **fields) -> None:
        proposal = record_pb2.Proposal(options=options(**fields))
        await who.ask(propose=play_pb2.ProposeRequest(session_id=session, proposal=proposal, request_id=request_id()))

    await change(anna, coalition=7)
    assert position_of(await anna.see(session, None)).options.coalition == 7
    with refused("NO_TOKEN"):
        await change(table.player("Ben"), coalition=8)
    await anna.set_seat(session, 0, "me")
    await change(anna, coalition=9)
    assert position_of(await anna.see(session, 0)).options.coalition == 9
    await check_rebuilt(table, session)


async def test_options_are_not_changed_over_the_heads_of_persons(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("easy", "open", game="emperado")).id
    await ben.join(session)
    proposal = record_pb2.Proposal(options=options(coalition=7))
    request = play_pb2.ProposeRequest(session_id=session, proposal=proposal, request_id=request_id())
    with refused("NO_TOKEN"):
        await anna.ask(propose=request)


async def test_weaker_computers_agree_to_a_draw(table: Table) -> None:
    """EMP-END-4: of three equal ones, none has half of all strength."""
    anna, session = await game(table, "me", "easy", "easy")
    await anna.propose(session, 0, draw=True)
    update = await anna.see(session, 0)
    assert update.session.state == _State.STATE_FINISHED
    assert update.session.outcome.rule == "EMP-END-4"
    assert await check_verified(table, anna, session)


async def test_a_computer_with_half_of_all_strength_declines_a_draw(table: Table) -> None:
    """EMP-END-4: B has thirty countries of sixty."""
    anna, session = await game(table, "me", "easy", options=options(country_handicap=9))
    await anna.propose(session, 0, draw=True)
    update = await anna.see(session, 0)
    assert update.session.state == _State.STATE_RUNNING
    assert update.happening.kind == _Kind.KIND_DECLINED


async def test_persons_in_the_game_are_asked_for_a_draw_and_those_out_of_it_are_not(table: Table) -> None:
    anna, ben, carl = (table.player(name) for name in ("Anna", "Ben", "Carl"))
    session = (await anna.create("me", "open", "open", "easy", game="emperado")).id
    await ben.join(session)
    await carl.join(session)
    await carl.resign(session, 2)
    asked = await anna.propose(session, 0, draw=True)
    assert (await anna.see(session, 0)).session.proposals[0].waiting == [1]
    await ben.reply(session, 1, asked.proposal_id, True)
    outcome = (await anna.see(session, 0)).session.outcome
    assert (list(outcome.winners), list(outcome.places)) == ([], [1, 1, 4, 1])
    assert list(outcome.scores) == [1 / 3, 1 / 3, 0, 1 / 3]


async def test_a_game_saved_in_the_middle_of_a_turn_goes_on_identically(table: Table) -> None:
    """EMP-SAVE-3: position, dice and cards."""
    anna, session = await game(table, "me", "me", "easy", options=options(solidarity=7))
    for _ in range(3):
        await choose(anna, session, 0)
    record = await anna.export(session)
    assert not record.entries, "what is hidden is sealed"
    opened = (await import_(anna, record, "me", "me", "easy")).id
    assert (await anna.see(opened, 0)).view == (await anna.see(session, 0)).view
    for _ in range(60):
        update = await anna.see(session, 0)
        seat = update.to_act[0]
        if seat == 2:
            break
        await choose(anna, session, seat)
        await choose(anna, opened, seat)
        ours, theirs = await anna.see(session, seat), await anna.see(opened, seat)
        assert ours.view == theirs.view
        assert list(ours.happening.events) == list(theirs.happening.events)
    assert update.to_act == [2], "both turns were played to their end"
    await close(anna, session)
    await check_rebuilt(table, opened)


async def test_a_save_that_other_seats_go_on_with_lists_them(table: Table) -> None:
    anna, session = await game(table, "me", "easy")
    await anna.act(session, 0, 0)
    opened = (await import_(anna, await anna.export(session), "strong", "me")).id
    assert computers(await anna.see(opened, 1))[:2] == (True, False)
    await check_rebuilt(table, opened)


async def test_a_finished_game_is_played_on_from_a_version_by_others(table: Table) -> None:
    anna, session = await game(table, "me", "easy")
    version = (await anna.see(session, 0)).version
    await anna.resign(session, 0)
    other = (await fork(anna, session, version, "me", "me")).id
    assert computers(await anna.see(other, 0))[:2] == (False, False)


async def test_a_new_game_has_the_same_settings_and_another_deal(table: Table) -> None:
    """EMP-SAVE-5, case 67."""
    anna, session = await game(table, "me", "easy", "strong", options=options(coalition=13, start_armies=2))
    await anna.propose(session, 0, options=options(coalition=14, start_armies=2))
    before = position_of(await anna.see(session, 0))
    await anna.resign(session, 0)
    await close(anna, session)
    request = play_pb2.RematchRequest(session_id=session, seat_token=anna.token(session, 0), request_id=request_id())
    rematch = (await anna.ask(rematch=request)).session
    seat = next(n for n, seat in enumerate(rematch.seats) if seat.occupant.WhichOneof("kind") == "person")
    after = position_of(await anna.see(rematch.id, seat))
    assert after.options.coalition == 14
    assert after.options.start_armies == 2
    assert sum(after.options.computers) == 2
    assert after.owners != before.owners


async def check_verified(table: Table, who: Player, session: str) -> bool:
    found = await check(who, await who.export(session))
    return found.good and found.chance_proved
