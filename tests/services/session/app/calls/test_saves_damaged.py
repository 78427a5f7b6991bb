"""Saved games that are damaged or made up: refused, with the field that is wrong."""

from collections.abc import Callable

import pytest

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime import seats
from tests.services.session.app.saving import check, import_
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two


@pytest.mark.parametrize("damage", ["ply", "hash", "sealed", "format", "nothing", "notation", "no seats"])
async def test_damaged_saves_are_refused(table: Table, damage: str) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, 3)
    record = await anna.export(game)
    match damage:
        case "ply":
            record.ClearField("sealed")
            seats.put_seat(record.entries[-1].acted.ply, "actor_seat", 1 - record.entries[-1].acted.ply.actor_seat)
        case "hash":
            record.ClearField("sealed")
            record.position_hash = bytes(32)
        case "sealed":
            record.sealed = record.sealed[:-5] + b"AAAAA"
        case "format":
            record.format = 0
        case "nothing":
            del record.entries[:]
        case "notation":
            record.entries[-1].acted.ply.notation = "another"
        case "no seats":
            record.ClearField("sealed")
            record.entries[0].created.ClearField("seats")
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record, "me", "me")
    if damage == "no seats":
        assert "no beginning" in caught.value.refusal.message


def _foretold(record: record_pb2.Record) -> None:
    """Let the last entry say what only a later contract has a field for."""
    entry = record.entries[-1]
    entry.ClearField("acted")
    entry.MergeFromString(bytes([0b11111010, 0b01111111, 0]))  # field 2047, no bytes


@pytest.mark.parametrize(
    ("change", "reason", "said"),
    [
        (lambda record: setattr(record, "format", 2), "NEWER", {"what": "format", "value": "2", "known": "1"}),
        (
            lambda record: setattr(record.entries[0].created, "rules_version", "7"),
            "NEWER",
            {"what": "rules_version", "value": "7", "known": "1"},
        ),
        (_foretold, "NEWER", {"what": "entry", "value": "2047"}),
        (lambda record: setattr(record.entries[0].created, "rules_version", "0"), "RECORD_DAMAGED", {}),
        (lambda record: setattr(record.entries[0].created, "rules_version", ""), "RECORD_DAMAGED", {}),
        (lambda record: record.entries[-1].ClearField("acted"), "RECORD_DAMAGED", {}),
        (lambda record: setattr(record, "game", "plateau"), "RECORD_DAMAGED", {}),
        (lambda record: setattr(record, "game", "ludo"), "RECORD_DAMAGED", {}),
    ],
)
async def test_a_check_and_an_import_refuse_the_same_records_alike(
    table: Table, change: Callable[[record_pb2.Record], None], reason: str, said: dict[str, str]
) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, 3)
    record = await anna.export(game)
    record.ClearField("sealed")
    change(record)
    fault = (await check(anna, record)).fault
    with refused(reason) as caught:
        await import_(anna, record, "me", "me")
    assert errors_pb2.Reason.Name(fault.reason) == f"REASON_{reason}"
    for refusal in (fault, caught.value.refusal):
        assert said.items() <= refusal.details.items()
    assert (fault.message, fault.field) == (caught.value.refusal.message, caught.value.refusal.field)


async def test_a_record_of_a_newer_release_is_for_its_process_while_one_runs(table: Table) -> None:
    anna = table.player("Anna")
    record = await anna.export((await anna.create("me", "me")).id)
    record.format = 2
    table.wiring.ownership.newer_runs = True
    with refused("UNAVAILABLE") as caught:
        await import_(anna, record, "me", "me")
    assert caught.value.refusal.retry_after_ms


def _system_action(ply: record_pb2.Ply) -> None:
    ply.system_action.draw = True


def _nothing(ply: record_pb2.Ply) -> None:
    ply.ClearField("action")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda ply: seats.put_seat(ply, "actor_seat", None), "variation[3].actor_seat"),
        (lambda ply: seats.put_seat(ply, "actor_seat", 2), "variation[3].actor_seat"),
        (_system_action, "variation[3].actor_seat"),
        (_nothing, "variation[3].kind"),
    ],
)
async def test_a_ply_that_is_no_seats_is_damage_and_its_field_is_named(
    table: Table, change: Callable[[record_pb2.Ply], None], field: str
) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 3)
    record = await anna.export(game)
    record.ClearField("sealed")
    change(record.entries[-1].acted.ply)
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record, "me", "me")
    assert caught.value.refusal.field == field
    with refused("RECORD_DAMAGED") as caught:
        await anna.propose(game, 0, load=record)
    assert caught.value.refusal.field == field


def _stranger(record: record_pb2.Record) -> None:
    """Let somebody who is not there have a seat that there is not: so it is a game between people, who might agree on help."""
    occupant = record_pb2.Occupant(person=record_pb2.Person(player_id="somebody", name="Cem"))
    record.entries.add(seat_changed=record_pb2.SeatChanged(seat=5, occupant=occupant))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_stranger, "seat_changed.seat"),
        (lambda record: record.entries.add(chance_renewed=record_pb2.ChanceRenewed(seat=2)), "chance_renewed.seat"),
        (lambda record: record.entries.add(dealt=record_pb2.Dealt(order=[0, 2])), "dealt.order"),
        (lambda record: record.entries.add(dealt=record_pb2.Dealt(order=[1, 1])), "dealt.order"),
        (lambda record: record.entries.add(dealt=record_pb2.Dealt(order=[0])), "dealt.order"),
        (lambda record: record.entries.add(created=record_pb2.Created(game="einstein", seats=1)), "created"),
        (lambda record: record.entries[0].created.saved_from.held_by.append("somebody"), "created.saved_from.held_by"),
    ],
)
@pytest.mark.parametrize("has_begun", [False, True])
async def test_a_seat_that_there_is_not_is_damage_and_its_field_is_named(
    table: Table, change: Callable[[record_pb2.Record], None], field: str, has_begun: bool
) -> None:
    anna = table.player("Anna")
    record = await anna.export((await anna.create("me", "me" if has_begun else "open")).id)
    record.ClearField("sealed")
    record.ClearField("position_hash")
    change(record)
    at = 0 if field.startswith("created.") else len(record.entries) - 1
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record, "me", "me")
    assert caught.value.refusal.field == f"entries[{at}].{field}"


async def test_the_notation_in_a_save_is_written_anew(table: Table) -> None:
    """Else the game that goes on from it would not stand its own check."""
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await play_out((anna, anna), game, 3)
    record = await anna.export(game)
    record.ClearField("sealed")
    record.entries[-1].acted.ply.notation = "another"
    copy = (await import_(anna, record, "me", "me")).id
    await anna.resign(copy, 0)
    verification = await check(anna, await anna.export(copy))
    assert verification.good, verification.fault


async def test_a_system_action_of_a_seat_that_there_is_not_is_no_variation(table: Table) -> None:
    anna = table.player("Anna")
    game = (await anna.create("me", "me")).id
    await anna.act(game, 0)
    await anna.resign(game, 0)
    record = await anna.export(game)
    seats.put_seat(record.entries[-1].acted.ply, "actor_seat", 5)
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record, "me", "me")
    assert caught.value.refusal.field == "variation[2].actor_seat"


async def test_a_record_of_a_game_that_cannot_begin_so_is_damaged_before_it_has_begun(table: Table) -> None:
    anna = table.player("Anna")
    record = await anna.export((await anna.create("me", "open")).id)
    record.ClearField("sealed")
    created = record.entries[0].created
    created.options.type_url = "type.googleapis.com/brettwerk.v1.WecOptions"
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record, "me", "open")
    assert caught.value.refusal.field == "options"
    created.ClearField("options")
    created.seats = 5
    with refused("RECORD_DAMAGED") as caught:
        await import_(anna, record)
    assert caught.value.refusal.field == "seats"


@pytest.mark.parametrize(("kind", "field"), [(1, "clock.time_ms"), (57, "clock.kind")])
async def test_a_clock_that_is_none_is_refused(table: Table, kind: int, field: str) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.Kind.ValueType(kind))
    anna = table.player("Anna")
    with refused("MALFORMED") as caught:
        await anna.create("me", "me", clock=clock)
    assert caught.value.refusal.field == field
    record = await anna.export((await anna.create("me", "me")).id)
    record.ClearField("sealed")
    record.entries[0].created.clock.CopyFrom(clock)
    with refused("MALFORMED") as caught:
        await import_(anna, record, "me", "me")
    assert caught.value.refusal.field == field
