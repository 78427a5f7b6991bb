"""Every bound of the contract is kept, whatever message it stands in and however deep: one field at a time is broken."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

import brettwerk.v1
from brettwerk.internal.v1 import link_pb2, rules_pb2
from brettwerk.v1 import errors_pb2, games_pb2, limits_pb2, play_pb2, record_pb2
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.night import examples

TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def _all_messages() -> Iterator[Descriptor]:
    def within(descriptor: Descriptor) -> Iterator[Descriptor]:
        if not descriptor.GetOptions().map_entry:
            yield descriptor
            for inner in descriptor.nested_types:
                yield from within(inner)

    for module in pkgutil.iter_modules(brettwerk.v1.__path__):
        if module.name.endswith("_pb2") and module.name != "limits_pb2":
            file = importlib.import_module(f"brettwerk.v1.{module.name}").DESCRIPTOR
            for descriptor in file.message_types_by_name.values():
                yield from within(descriptor)


MESSAGES = list(_all_messages())


def limit_of(field: FieldDescriptor) -> limits_pb2.Limit:
    limit: limits_pb2.Limit = field.GetOptions().Extensions[limits_pb2.limit]
    return limit


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def new(descriptor: Descriptor) -> Message:
    """Return an empty message in which what may not be 0 is not."""
    message: Message = message_factory.GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if limit_of(field).min > 0 and not field.is_repeated and not field.has_presence:
            setattr(message, field.name, limit_of(field).min)
    return message


def text(field: FieldDescriptor, length: int) -> str | bytes:
    return "x" * length if field.type == FieldDescriptor.TYPE_STRING else bytes(length)


def lowest(field: FieldDescriptor, limit: limits_pb2.Limit) -> Any:
    """Return a value of one element that is allowed."""
    if field.message_type is not None:
        return new(field.message_type)
    if field.type in TEXTS:
        return text(field, 0)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return False
    return limit.min


def elements(message: Message, field: FieldDescriptor, count: int) -> None:
    target = getattr(message, field.name)
    if is_map(field):
        for n in range(count):
            target[str(n)] = ""
    else:
        target.extend([lowest(field, limit_of(field))] * count)


Case = tuple[Descriptor, FieldDescriptor, str]


def _cases() -> Iterator[Case]:
    for descriptor in MESSAGES:
        for field in descriptor.fields:
            limit = limit_of(field)
            if field.is_repeated and limit.items:
                yield descriptor, field, "items"
            if (field.type in TEXTS or is_map(field)) and limit.length:
                yield descriptor, field, "length"
            if field.type not in TEXTS and limit.max:
                yield descriptor, field, "max"
            if field.type not in TEXTS and limit.min:
                yield descriptor, field, "min"


CASES = list(_cases())


def put(message: Message, case: Case, excess: int) -> str:
    """Set the case's field to its bound and `excess` beyond it; return the path that is to be blamed."""
    _, field, kind = case
    limit, name = limit_of(field), field.name
    if kind == "items":
        elements(message, field, limit.items + excess)
        return name
    if is_map(field):
        getattr(message, name)["a"] = "x" * (limit.length + excess)
        return f"{name}[a]"
    value: Any
    if kind == "length":
        value = text(field, limit.length + excess)
    else:
        value = limit.max + excess if kind == "max" else limit.min - excess
    if field.is_repeated:
        getattr(message, name).append(value)
        return f"{name}[0]"
    setattr(message, name, value)
    return name


def refusal_of(message: Message) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        limits.check(message)
    return caught.value.refusal


def test_there_is_something_to_check() -> None:
    assert len(MESSAGES) > 150
    assert {kind for _, _, kind in CASES} == {"items", "length", "max", "min"}


def fault(case: Case) -> str:
    """Return what is wrong about how a bound of a field is kept; nothing when it may be reached and not passed."""
    at_bound, beyond = new(case[0]), new(case[0])
    put(at_bound, case, 0)
    path = put(beyond, case, 1)
    try:
        limits.check(at_bound)
    except Refused as refused:
        return f"refused at its bound: {refused.refusal.message}"
    try:
        limits.check(beyond)
    except Refused as refused:
        refusal = refused.refusal
        is_known = refusal.field == path and refusal.message.startswith(path) and refusal.reason == errors_pb2.REASON_MALFORMED
        return "" if is_known else f"told wrongly: {refusal}"
    return "accepted beyond its bound"


def test_every_field_may_be_at_its_bound_and_not_beyond() -> None:
    assert len(CASES) > 800
    assert {f"{case[1].full_name} {case[2]}": found for case in CASES if (found := fault(case))} == {}


@given(data=st.data())
@settings(max_examples=examples(300), deadline=None)
def test_a_broken_bound_is_found_at_any_depth_and_its_path_is_named(data: st.DataObject) -> None:
    """Walk down a random road of fields, and break a bound where it ends."""
    descriptor = data.draw(st.sampled_from(MESSAGES))
    message = root = new(descriptor)
    path: list[str] = []
    for _ in range(data.draw(st.integers(0, 8))):
        inner = [
            field
            for field in descriptor.fields
            if field.message_type is not None and field.message_type.file.package == "brettwerk.v1" and not is_map(field)
        ]
        if not inner:
            break
        field = data.draw(st.sampled_from(inner))
        assert field.message_type is not None
        descriptor = field.message_type
        if field.is_repeated:
            before = data.draw(st.integers(0, min(2, limit_of(field).items - 1)))
            getattr(message, field.name).extend([new(descriptor)] * before)
            message = getattr(message, field.name).add()
            message.CopyFrom(new(descriptor))
            path.append(f"{field.name}[{before}]")
        else:
            message = getattr(message, field.name)
            message.CopyFrom(new(descriptor))
            message.SetInParent()
            path.append(field.name)
    cases = [case for case in CASES if case[0] is descriptor]
    limits.check(root)
    if cases:
        path.append(put(message, data.draw(st.sampled_from(cases)), 1))
        assert refusal_of(root).field == ".".join(path)[:200]


def test_bytes_are_counted_not_characters() -> None:
    fitting, too_long = "ä" * 20, "ä" * 20 + "x"
    limits.check(play_pb2.CreatePlayerRequest(name=fitting))
    assert refusal_of(play_pb2.CreatePlayerRequest(name=too_long)).field == "name"


def test_a_field_of_at_least_one_may_not_be_left_out() -> None:
    assert refusal_of(games_pb2.Game()).field == "min_seats"
    nested = rules_pb2.FindGamesResponse(games=[games_pb2.Game(min_seats=2), games_pb2.Game()])
    assert refusal_of(nested).field == "games[1].min_seats"


def test_a_value_of_any_kind_is_bounded() -> None:
    request = rules_pb2.LegalActionsRequest()
    request.view.value = bytes(limits.ANY_BYTES)
    limits.check(request)
    request.view.value = bytes(limits.ANY_BYTES + 1)
    assert refusal_of(request).field == "view.value"
    request.view.value = b""
    request.view.type_url = "x" * (limits.NAME_BYTES + 1)
    assert refusal_of(request).field == "view.type_url"


def test_the_keys_of_a_map_are_bounded() -> None:
    message = games_pb2.Text(args={"k" * (limits.NAME_BYTES + 1): ""})
    assert refusal_of(message).field == "args"


def test_messages_inside_of_one_another_come_to_an_end() -> None:
    """A record in a proposal in a record: each has four messages around the next, and there may be as many as DEPTH."""
    record = record_pb2.Record()
    inner = record
    for _ in range(limits.DEPTH // 4 - 1):
        inner = inner.entries.add().proposed.proposal.load
    inner.entries.add().proposed.proposal.SetInParent()
    limits.check(record)
    inner.entries[0].proposed.proposal.load.SetInParent()
    refusal = refusal_of(record)
    assert refusal.reason == errors_pb2.REASON_MALFORMED
    assert refusal.field.startswith("entries[0].proposed.proposal.load.entries[0]")


def test_the_path_can_begin_somewhere_else() -> None:
    with pytest.raises(Refused) as caught:
        limits.check(play_pb2.CreatePlayerRequest(name="x" * 41), "calls[3]")
    assert caught.value.refusal.field == "calls[3].name"


def test_the_own_fields_of_a_message_can_be_checked_alone() -> None:
    too_many = link_pb2.OpenRequest(calls=[link_pb2.LinkCall()] * 1025)
    with pytest.raises(Refused) as caught:
        limits.check_own(too_many)
    assert caught.value.refusal.field == "calls"
    limits.check_own(link_pb2.OpenRequest(calls=[link_pb2.LinkCall(method="x" * 1000)]))
