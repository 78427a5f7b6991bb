"""Settling before the start (WEC-NET-4, WEC-ONLINE-1, WEC-ONLINE-2): options, another beginning, "begin"."""

import asyncio

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import einstein_pb2, errors_pb2, play_pb2, record_pb2, sessions_pb2, wec_pb2
from services.runtime.seats import put_seat
from tests.services.session.app.saving import check
from tests.services.session.domain.commands.test_proposals import options
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import einstein, request_id
from tests.services.session.refusing import refused
from tests.services.session.settling import now, settling, wec_now, wec_options
from tests.services.session.table import Table
from tests.services.session.two_players import play_out

_State = sessions_pb2.Session
_Kind = sessions_pb2.Happening
CHOSEN = einstein_pb2.EINSTEIN_SETUP_CHOSEN


async def test_a_full_table_settles_and_starts_when_somebody_says_begin(table: Table) -> None:
    anna, ben, session = await settling(table)
    update = await ben.see(session, 1)
    assert update.session.state == _State.STATE_SETTLING
    assert update.session.settles and not update.HasField("view") and (update.own_seat, update.viewer_seat) == (2, 1)
    with refused("NOT_RUNNING"):
        await ben.act(session, 1, notation="A1", expected_version=update.version)
    with refused("NOT_RUNNING"):
        await ben.resign(session, 1)
    answer = await ben.begin(session, 1)
    assert (answer.seat, answer.session.state) == (1, _State.STATE_RUNNING)
    await anna.act(session, 0)
    with refused("NOT_SETTLING"):
        await anna.begin(session, 0)
    with refused("NOT_SETTLING"):
        await anna.wish_seat(session, 0, 1)
    await check_rebuilt(table, session)


async def test_other_options_need_the_other_side(table: Table) -> None:
    """WEC-NET-4, WEC-ONLINE-2: declined, asked again, accepted; and the game begins with what was agreed."""
    anna, ben, session = await settling(table)
    first = (await now(table, session)).options
    asked = await anna.propose(session, 0, options=options(setup=CHOSEN, show_roll=True))
    with refused("PROPOSAL"):
        await anna.propose(session, 0, options=options(show_roll=True))
    with refused("PROPOSAL"):
        await ben.begin(session, 1)
    await ben.reply(session, 1, asked.proposal_id, False)
    assert (await now(table, session)).options == first
    asked = await anna.propose(session, 0, options=options(show_roll=True))
    await ben.reply(session, 1, asked.proposal_id, True)
    update = await anna.see(session)
    assert update.happening.kind == _Kind.KIND_OPTIONS and not update.session.proposals
    await anna.begin(session, 0)
    assert einstein(await anna.see(session)).show_roll
    await check_rebuilt(table, session)


async def test_options_unknown_to_the_rules_are_refused_before_they_are_asked(wec, table: Table) -> None:
    anna, _, session = wec
    with refused("ILLEGAL"):
        await anna.propose(session, 0, options=wec_options(stun_range=99))
    with refused("MALFORMED"):
        await anna.propose(session, 0, options=options(show_roll=True))
    assert not (await anna.see(session)).session.proposals


async def test_only_proposals_for_the_beginning_are_made_before_the_start(table: Table) -> None:
    anna, ben, session = await settling(table)
    for what in ({"draw": True}, {"undo_to_plies": 0}):
        with refused("NOT_RUNNING"):
            await anna.propose(session, 0, **what)
    await ben.begin(session, 1)
    with refused("NOT_SETTLING"):
        await anna.propose(session, 0, setup=record_pb2.Setup())


async def test_the_beginner_must_know_the_settled_options_and_seats(table: Table) -> None:
    anna, ben, session = await settling(table)
    seen = (await anna.see(session)).version
    asked = await anna.propose(session, 0, options=options(show_roll=True))
    await ben.reply(session, 1, asked.proposal_id, True)
    with refused("STALE_VERSION"):
        await anna.begin(session, 0, expected_version=seen)
    seen = (await anna.see(session)).version
    await ben.wish_seat(session, 1, 0)
    await anna.begin(session, 0, expected_version=seen)


async def test_begin_repeated_is_carried_out_once_also_by_two_at_once(table: Table) -> None:
    anna, ben, session = await settling(table)
    await ben.wish_seat(session, 1, 0)
    version = (await anna.see(session)).version
    request = play_pb2.BeginGameRequest(
        session_id=session, seat_token=anna.token(session, 0), expected_version=version, request_id=request_id()
    )
    first = await anna.ask(begin_game=request)
    await table.restart()
    assert await anna.ask(begin_game=request) == first
    assert (await anna.see(session)).version == first.session.version


async def test_proposals_of_the_beginner_lapse_and_the_log_has_it(table: Table) -> None:
    anna, _, session = await settling(table)
    await anna.propose(session, 0, options=options(show_roll=True))
    await anna.begin(session, 0)
    assert not einstein(await anna.see(session)).show_roll
    assert not (await anna.see(session)).session.proposals


async def test_a_prepared_board_is_agreed_and_can_be_given_up_again(wec, table: Table) -> None:
    """WEC-ONLINE-2: prepared scenarios."""
    anna, ben, session = wec
    facts = await table.wiring.games.facts("wec")
    board = next(preset for preset in facts.presets if preset.id == "two_kings")
    setup = record_pb2.Setup(options=board.options, start_position=board.start_position)
    asked = await anna.propose(session, 0, setup=setup)
    await ben.reply(session, 1, asked.proposal_id, True)
    assert (await anna.see(session)).session.start_position == board.start_position
    asked = await ben.propose(session, 1, setup=record_pb2.Setup())
    await anna.reply(session, 0, asked.proposal_id, True)
    assert not (await anna.see(session)).session.HasField("start_position")
    asked = await anna.propose(session, 0, setup=setup)
    await ben.reply(session, 1, asked.proposal_id, True)
    await anna.begin(session, 0)
    update = await anna.see(session, 0)
    view = wec_pb2.WecView()
    assert update.view.Unpack(view) and len(view.pieces) == 34
    assert not update.session.HasField("start_position")
    await check_rebuilt(table, session)


async def test_a_saved_game_is_loaded_by_agreement_and_goes_on_with_the_same_colours(table: Table) -> None:
    """WEC-ONLINE-2, WEC-ONLINE-3: a game that was saved together, with the seats that they had."""
    anna, ben = table.player("Anna"), table.player("Ben")
    earlier = (await ben.create("me", "open")).id
    await anna.join(earlier)
    await play_out((ben, anna), earlier, 4)
    record = await anna.export(earlier)
    anna, ben, session = await settling(table)
    asked = await anna.propose(session, 0, load=record)
    assert not (await ben.see(session, 1)).session.proposals[0].load.entries
    await ben.reply(session, 1, asked.proposal_id, True)
    update = await ben.see(session, 1)
    assert update.session.loaded_plies == 4 and update.session.state == _State.STATE_SETTLING
    assert [seat.wished for seat in update.session.seats] == [2, 1]
    with refused("PROPOSAL"):
        await anna.propose(session, 0, options=options(show_roll=True))
    await ben.begin(session, 1)
    update = await anna.see(session)
    assert [seat.occupant.person.name for seat in update.session.seats] == ["Ben", "Anna"]
    assert update.session.plies == 4 and update.session.loaded_plies == 0
    await check_rebuilt(table, session)
    await ben.find_seats(session), await anna.find_seats(session)
    await play_out((ben, anna), session)
    verification = await check(anna, await anna.export(session))
    assert verification.good, verification.fault


async def test_a_saved_game_in_which_actions_can_be_hidden_does_not_tell_how_many_there_were(table: Table) -> None:
    anna = table.player("Anna")
    earlier = (await anna.create("me", "me", game="wec")).id
    for pick in range(4):
        await anna.act(earlier, (await anna.see(earlier)).to_act[0], pick=pick)
    record = await anna.export(earlier)
    anna, ben, session = await settling(table, game="wec")
    asked = await anna.propose(session, 0, load=record)
    await ben.reply(session, 1, asked.proposal_id, True)
    assert (await ben.see(session, 1)).session.loaded_plies == 1


async def test_hidden_things_stay_so_when_a_game_is_loaded(wec, table: Table) -> None:
    anna, _, session = wec
    elsewhere = (await anna.create("me", "open", game="wec")).id
    await table.player("Carl").join(elsewhere)
    record = await anna.export(elsewhere)
    with refused("STILL_RUNNING"):
        await anna.propose(session, 0, load=record)
    export = await anna.export(session)
    assert not export.entries


async def test_computers_agree_and_alone_they_do_not_wait(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", settles=True)).id
    assert (await anna.propose(session, 0, options=options(show_roll=True))).proposal_id == 0
    await anna.wish_seat(session, 0, 1)
    await anna.begin(session, 0)
    update = await anna.see(session, 1)
    assert update.session.seats[0].occupant.HasField("computer") and einstein(update).show_roll
    await table.computer_moves()
    await check_rebuilt(table, session)
    alone = await anna.create("easy", "easy", settles=True)
    assert alone.state == _State.STATE_RUNNING


async def test_three_people_settle_and_all_have_to_agree(table: Table) -> None:
    anna, ben, carl = (table.player(name) for name in ("Anna", "Ben", "Carl"))
    session = (await anna.create("me", "open", "open", game="emperado", settles=True)).id
    await ben.join(session), await carl.join(session)
    asked = await ben.propose(session, 1, setup=record_pb2.Setup())
    await anna.reply(session, 0, asked.proposal_id, True)
    with refused("PROPOSAL"):
        await carl.begin(session, 2)
    await carl.reply(session, 2, asked.proposal_id, True)
    await carl.wish_seat(session, 2, 0)
    await carl.begin(session, 2)
    names = [seat.occupant.person.name for seat in (await anna.see(session)).session.seats]
    assert names == ["Carl", "Ben", "Anna"]
    await check_rebuilt(table, session)


async def test_clocks_stand_while_a_table_settles(table: Table) -> None:
    anna, _, session = await settling(table, clock=record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=60_000))
    await table.pass_s(300)
    await anna.begin(session, 0)
    update = await anna.see(session)
    assert [clock.left_ms for clock in update.clocks] == [60_000, 60_000]
    assert [clock.running for clock in update.clocks].count(True) == 1


async def test_simultaneous_changes_of_both_lose_nothing(wec, table: Table) -> None:
    anna, ben, session = wec
    results = await asyncio.gather(
        anna.propose(session, 0, options=wec_options(government_black=2)),
        ben.propose(session, 1, options=wec_options(government_white=3)),
        return_exceptions=True,
    )
    found = await wec_now(table, session)
    assert (found.government_black == 2) == (not isinstance(results[0], Exception))
    assert (found.government_white == 3) == (not isinstance(results[1], Exception))
    await check_rebuilt(table, session)


async def test_a_start_position_that_is_too_large_for_everybody_is_refused(table: Table) -> None:
    anna, _, session = await settling(table)
    large = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinPosition", value=bytes(70_000))
    with refused("FULL"):
        await anna.propose(session, 0, setup=record_pb2.Setup(start_position=large))
    with refused("FULL"):
        await anna.create("me", "open", settles=True, start_position=large)


async def test_a_check_finds_what_nobody_agreed_to(wec, table: Table) -> None:
    anna, ben, session = wec
    await anna.propose(session, 0, options=wec_options(government_black=4))
    await ben.wish_seat(session, 1, 0)
    await anna.begin(session, 0)
    await anna.resign(session, 1)
    record = await anna.export(session)
    assert (await check(anna, record)).good

    def forged(change: str) -> record_pb2.Record:
        copy = record_pb2.Record()
        copy.CopyFrom(record)
        entry = next(entry for entry in copy.entries if entry.WhichOneof("change") == change)
        if change == "settled":
            entry.settled.options.CopyFrom(wec_options(government_black=4, stun_range=4))
        elif change == "dealt":
            entry.dealt.options.CopyFrom(wec_options(government_black=4))
        else:
            put_seat(entry.wished, "wished_seat", None)
        return copy

    faults = {change: (await check(anna, forged(change))).fault.field for change in ("settled", "dealt", "wished")}
    assert faults == {"settled": "settled.options", "dealt": "dealt.options", "wished": "dealt.order"}
    unsettled = record_pb2.Record()
    unsettled.CopyFrom(record)
    unsettled.entries[0].created.settles = False
    assert (await check(anna, unsettled)).fault.reason == errors_pb2.REASON_NOT_SETTLING
