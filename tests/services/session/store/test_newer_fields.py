"""Fields that a newer release has written into messages that are known here survive what this release does with them."""

from collections.abc import Callable

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.value_codec import unknown_fields
from services.session.domain.ids import session_key
from services.session.domain.state import State
from services.session.domain.storage_format import FORMAT
from tests.services.session.newer_release import ROOM, commands, field, plant, raw
from tests.services.session.table import Table


@st.composite
def strange(draw: st.DrawFn) -> bytes:
    """Fields that no message has, encoded."""
    count = draw(st.integers(0, 3))
    return b"".join(field(draw(st.integers(ROOM, ROOM + 9)), draw(st.binary(max_size=8))) for _ in range(count))


def mix_in(message: Message, draw_strange: Callable[[], bytes]) -> None:
    """Add fields that are not known to a message and to all that are in it."""
    for known, value in message.ListFields():
        if known.message_type is not None and not known.message_type.GetOptions().map_entry:
            for part in value if not isinstance(value, Message) else (value,):
                mix_in(part, draw_strange)
    message.MergeFromString(draw_strange())


CLOCKS = st.builds(record_pb2.ClockSpec, kind=st.sampled_from(record_pb2.ClockSpec.Kind.values()))
OCCUPANTS = st.one_of(
    st.none(),
    st.builds(lambda name: record_pb2.Occupant(person=record_pb2.Person(player_id=name, name=name)), st.text(max_size=5)),
    st.just(record_pb2.Occupant(computer=record_pb2.Computer(level="easy"))),
)
ANY_MESSAGES = st.one_of(st.none(), st.builds(AnyMessage, type_url=st.just("x/y"), value=st.binary(max_size=9)))
PROPOSALS = st.one_of(
    st.builds(record_pb2.Proposal, id=st.integers(1, 9), waiting=st.just([1]), draw=st.booleans()),
    st.builds(record_pb2.Proposal, id=st.integers(1, 9), setup=st.builds(record_pb2.Setup, options=ANY_MESSAGES)),
)


@st.composite
def stored_states(draw: st.DrawFn) -> session_state_pb2.StoredState:
    numbers = st.integers(0, 2**40)
    made = session_state_pb2.StoredState(
        id="00" + "a" * 22,
        created=record_pb2.Created(
            game="einstein",
            options=draw(ANY_MESSAGES),
            clock=record_pb2.ClockSpec(kind=draw(st.sampled_from(record_pb2.ClockSpec.Kind.values()))),
        ),
        created_at_ms=draw(numbers),
        at_ms=draw(numbers),
        version=draw(numbers),
        position_version=draw(numbers),
        status=draw(st.sampled_from(sessions_pb2.Session.State.values())),
        seats=[
            session_state_pb2.StoredSeat(
                occupant=occupant, seed_contribution=draw(st.binary(max_size=4)), wished=draw(st.integers(0, 6))
            )
            for occupant in draw(st.lists(OCCUPANTS, max_size=3))
        ],
        proposals=draw(st.lists(PROPOSALS, max_size=2)),
        agreed=draw(st.one_of(st.none(), PROPOSALS)),
        options=draw(ANY_MESSAGES),
        position=draw(ANY_MESSAGES),
        plies=draw(st.binary(max_size=6)),
        to_act=draw(st.lists(st.integers(0, 5), max_size=2)),
        outcome=draw(st.one_of(st.none(), st.just(games_pb2.Outcome(scores=[1, 0], rule="X-1")))),
        former_options=[session_state_pb2.FormerOptions(plies=1, options=draw(ANY_MESSAGES))],
        draw_votes=draw(st.one_of(st.none(), st.just(games_pb2.DrawVotes(silent=1)))),
        min_reader=draw(st.integers(0, FORMAT)),
    )
    mix_in(made, lambda: draw(strange()))
    return made


@given(stored_states())
def test_fields_of_a_newer_release_survive_reading_and_writing_at_every_level(
    stored: session_state_pb2.StoredState,
) -> None:
    written = session_state_pb2.StoredState.FromString(State.decode(stored.SerializeToString()).encode())
    assert written.SerializeToString(deterministic=True) == stored.SerializeToString(deterministic=True)


async def test_they_survive_a_whole_game_that_this_release_plays_on(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", settles=True)).id

    def grow(stored: session_state_pb2.StoredState) -> None:
        stored.MergeFromString(field(ROOM, b"of the session"))
        stored.created.MergeFromString(field(ROOM, b"of its creation"))
        for number, seat in enumerate(stored.seats):
            seat.MergeFromString(field(ROOM, b"of seat %d" % number))

    await plant(table, session, grow)
    await ben.join(session)
    await anna.wish_seat(session, 0, 1)
    await anna.propose(session, 0, options=None, setup=record_pb2.Setup())
    await ben.reply(session, 1, 1, accept=True)
    await anna.begin(session, 0)
    await ben.find_seats(session)
    for _ in range(3):
        seat = (await anna.see(session)).to_act[0]
        await (anna if (session, seat) in anna.tokens else ben).act(session, seat)
    (seat,) = (seat for key, seat in anna.tokens if key == session)
    await anna.propose(session, seat, pause=True)
    await anna.set_seat(session, seat, "easy", by=seat)
    kept = await raw(table, session)
    assert unknown_fields(kept) == field(ROOM, b"of the session")
    assert unknown_fields(kept.created) == field(ROOM, b"of its creation")
    assert [unknown_fields(seat) for seat in kept.seats] == [field(ROOM, b"of seat %d" % n) for n in range(2)]


async def test_fields_in_entries_are_in_the_export_and_in_the_archive(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await anna.act(session, 0)
    key = session_key(session, "log")
    entries = [record_pb2.Entry.FromString(data) for data in await table.wiring.store.log(session)]
    entries[-1].MergeFromString(field(ROOM, b"of the entry"))
    entries[-1].acted.ply.MergeFromString(field(ROOM, b"of the ply"))
    await commands(table).lset(key, -1, entries[-1].SerializeToString())
    running = (await anna.export(session)).entries
    await anna.resign(session, 0)
    over = (await anna.export(session)).entries
    await table.pass_s(200)
    data = await table.wiring.archive.find(session)
    assert data is not None
    for found in (running, over, record_pb2.Record.FromString(data).entries):
        assert unknown_fields(found[len(entries) - 1]) == field(ROOM, b"of the entry")
        assert unknown_fields(found[len(entries) - 1].acted.ply) == field(ROOM, b"of the ply")
