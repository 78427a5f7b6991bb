"""Saved games: exported, verified, imported, forked, loaded."""

from google.protobuf import json_format

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.runtime import seats
from services.session.app.calls.saves import seats_of
from tests.services.session.app.saving import check, fork, import_, make_hidden
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import einstein, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two


async def test_a_finished_game_is_exported_whole_and_proves_its_dice(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game)
    record = await anna.export(game)
    assert not record.sealed
    assert len(record.secret) == 32
    verification = await check(anna, record)
    assert verification.good and verification.chance_proved, verification.fault
    text = json_format.MessageToJson(record)
    assert json_format.Parse(text, record_pb2.Record()) == record


async def test_a_running_game_shows_its_past_dice_but_not_its_secret(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 4)
    record = await anna.export(game)
    assert record.secret == b""
    secret = (await table.wiring.session_cache.newest(game)).state.secret
    assert secret not in record.SerializeToString()
    verification = await check(anna, record)
    assert verification.good and not verification.chance_proved
    with refused("STILL_RUNNING"):
        await anna.ask(verify_session=play_pb2.VerifySessionRequest(session_id=game))


async def test_a_saved_game_goes_on_with_the_dice_that_it_would_have_had(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, 3)
    record = await anna.export(game)
    saved = await import_(anna, record, "me", "me")
    assert saved.plies == 3
    assert einstein(await anna.see(saved.id)) == einstein(await anna.see(game))
    while (update := await anna.see(game)).to_act:
        await anna.act(game, update.to_act[0], pick=1)
        await anna.act(saved.id, update.to_act[0], pick=1)
        assert einstein(await anna.see(saved.id)) == einstein(await anna.see(game))
    record = await anna.export(saved.id)
    verification = await check(anna, record)
    assert verification.good and verification.chance_proved, verification.fault
    await check_rebuilt(table, saved.id)


async def test_a_record_says_who_acted_in_two_fields_and_is_read_with_either(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, 3)
    record = await anna.export(game)
    plies = [entry.acted.ply for entry in record.entries if entry.HasField("acted")]
    assert [ply.actor - 1 for ply in plies] == [ply.actor_seat for ply in plies]
    assert len(plies) == 3
    former, newer = record_pb2.Record(), record_pb2.Record()
    former.CopyFrom(record)
    seats.make_former(former)
    assert former != record, "that is how 1.0.0 wrote it"
    newer.CopyFrom(record)
    for entry in newer.entries:
        if entry.HasField("acted"):
            entry.acted.ply.ClearField("actor")
    for one in (former, newer):
        assert (await check(anna, one)).good
        assert (await import_(anna, one, "me", "me")).plies == 3
    log = await table.wiring.rebuilds.entries(game)
    assert not any(entry.acted.ply.HasField("actor_seat") for entry in log), "logs are stored as before"


async def test_the_future_of_a_game_that_another_plays_too_is_hidden(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 3)
    record = await anna.export(game)
    saved = await import_(anna, record, "me", "me")
    assert saved.commitment != (await anna.see(game)).session.commitment
    await ben.resign(game, 1)
    saved = await import_(anna, record, "me", "me")
    assert saved.commitment == (await anna.see(game)).session.commitment


async def test_without_wishes_the_same_computers_play_and_persons_seats_are_open(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "strong")).id
    await anna.act(game, 0)
    saved = await import_(anna, await anna.export(game))
    assert saved.state == sessions_pb2.Session.STATE_WAITING
    assert saved.seats[1].occupant.computer.level == "strong"
    assert await anna.join(saved.id) == 0
    await table.computer_moves()
    await anna.act(saved.id, 0)


async def test_a_hidden_running_game_is_sealed_and_tells_nothing_by_its_size(table: Table) -> None:
    await make_hidden(table)
    anna, ben, game = await two(table)
    await anna.act(game, 0)
    first = await anna.export(game)
    await ben.act(game, 1)
    second = await anna.export(game)
    assert not first.entries
    assert not first.position_hash
    assert len(first.SerializeToString()) == len(second.SerializeToString())
    with refused("NOT_YOUR_SEAT"):
        await import_(anna, second, "me", "me")
    with refused("STILL_RUNNING"):
        await import_(anna, second, "me", "open")
    with refused("STILL_RUNNING"):
        await fork(anna, game, 4, "me", "me")
    await ben.resign(game, 1)
    saved = await import_(anna, await anna.export(game), "me", "me")
    assert saved.plies == 3


async def test_a_hidden_game_against_computers_is_saved_and_loaded(table: Table) -> None:
    await make_hidden(table)
    anna = table.player("Anna")
    game = (await anna.create("me", "easy")).id
    await anna.act(game, 0)
    saved = await import_(anna, await anna.export(game), "me", "easy")
    assert saved.plies == 1


async def test_one_plays_on_from_any_version_with_new_dice(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 5)
    asked = await anna.propose(game, 0, help=True)
    await ben.reply(game, 1, asked.proposal_id, True)
    carl = table.player("Carl")
    forked = await fork(carl, game, 6, "me", "easy")
    assert forked.plies == 2
    assert forked.commitment != (await anna.see(game)).session.commitment
    assert (await carl.see(forked.id, 0)).to_act == [0]
    await carl.act(forked.id, 0)
    await table.computer_moves()
    await carl.undo(forked.id, 0, 2)
    await carl.undo(forked.id, 0, 0)
    await check_rebuilt(table, forked.id)
    with refused("UNKNOWN"):
        await fork(carl, game, 99)
    with refused("MALFORMED"):
        await fork(carl, game, 6, "me")
    rated = await anna.create("me", "easy", competitive=True)
    with refused("COMPETITIVE"):
        await fork(anna, rated.id, 4)


async def test_a_saved_variation_is_loaded_when_all_agree(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 4)
    record = await anna.export(game)
    wanted = einstein(await anna.see(game))
    await play_out((anna, ben), game, 2)
    asked = await anna.propose(game, 0, load=record)
    shown = (await ben.see(game, 1)).session.proposals[0].load
    assert shown.session_id == game
    assert not shown.entries
    await ben.reply(game, 1, asked.proposal_id, True)
    update = await ben.see(game, 1)
    assert update.session.plies == 4
    assert einstein(update) == wanted
    await play_out((anna, ben), game, 3)
    await check_rebuilt(table, game)
    await ben.resign(game, 1)
    verification = await check(anna, await anna.export(game))
    assert verification.good and verification.chance_proved, verification.fault
    with refused("GAME_OVER"):
        await anna.propose(game, 0, load=record)


async def test_an_empty_or_overlong_variation_is_not_proposed(table: Table, monkeypatch) -> None:
    anna, _, game = await two(table)
    record = await anna.export(game)
    waiting = await anna.create("me", "open")
    with refused("RECORD_DAMAGED"):
        await anna.propose(game, 0, load=await anna.export(waiting.id))
    monkeypatch.setattr("services.session.domain.commands.proposals.LOAD_BYTES", 10)
    with refused("FULL"):
        await anna.propose(game, 0, load=record)


async def test_a_repeated_import_is_one_session(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await anna.act(game, 0)
    request = play_pb2.ImportSessionRequest(
        record=await anna.export(game), seats=[wish("me"), wish("me")], request_id=request_id()
    )
    first = await anna.ask(import_session=request)
    assert await anna.ask(import_session=request) == first


async def test_a_game_is_exported_as_a_text_and_opened_from_it(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game)
    exporting = play_pb2.ExportSessionRequest(session_id=game, as_text=True)
    text = (await anna.ask(export_session=exporting)).text
    assert text.startswith('[Game "einstein"]')
    record = (await anna.ask(read_text=play_pb2.ReadTextRequest(text=text))).record
    assert (await check(anna, record)).good
    opened = await import_(anna, record, "me", "me")
    assert not opened.competitive
    assert einstein(await anna.see(opened.id)) == einstein(await anna.see(game))
    await check_rebuilt(table, opened.id)
    with refused("MALFORMED"):
        await anna.ask(read_text=play_pb2.ReadTextRequest(text=f"{text}\nnonsense"))


async def test_hidden_things_are_not_written_before_the_end(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 4)
    await make_hidden(table)
    with refused("STILL_RUNNING"):
        await anna.ask(export_session=play_pb2.ExportSessionRequest(session_id=game, as_text=True))


def test_a_save_has_the_seeds_of_the_first_players_and_of_those_who_renewed_chance() -> None:
    def seated(seat: int, name: str, contribution: bytes) -> record_pb2.Entry:
        occupant = record_pb2.Occupant(person=record_pb2.Person(player_id=name))
        return record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=occupant, seed_contribution=contribution))

    entries = [
        record_pb2.Entry(created=record_pb2.Created(game="einstein", seats=2)),
        seated(0, "ada", b"Ada's"),
        record_pb2.Entry(started=record_pb2.Started()),
        record_pb2.Entry(chance_renewed=record_pb2.ChanceRenewed(seat=1, seed_contribution=b"Ben's")),
        seated(1, "ben", b"of no account"),
        seated(0, "carl", b"too late"),
    ]
    occupants, contributions = seats_of(entries)
    assert [occupant.person.player_id for occupant in occupants if occupant is not None] == ["carl", "ben"]
    assert contributions == (b"Ada's", b"Ben's")
