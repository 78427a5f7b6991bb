"""Computer players offer a draw in Weaponized Chess when a position has come up for the third time."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec import GAME, move_execution
from brettwerk_games.rules.wec.actions import Action, EndTurn
from brettwerk_games.rules.wec.perspective import Perspective
from services.rules.any_codec import AnyCodec
from services.session.domain.commands.decision import next_effect
from services.session.domain.state import replace
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player
from tests.services.session.settling import wec_options
from tests.services.session.table import Table

_State = sessions_pb2.Session
_Kind = sessions_pb2.Happening


class Shuffling:
    """Plays one piece of each side out and back, for a person and for the computer."""

    def __init__(self, table: Table, anna: Player, session: str) -> None:
        self.table, self.anna, self.session = table, anna, session
        self.last: dict[int, tuple[int, int]] = {}

    def action(self, packed: AnyMessage) -> AnyMessage:
        view = GAME.codec.decode(Kind.VIEW, packed.value)
        action: Action = EndTurn()
        if not view.turn.mover:
            moves = [move for move in move_execution.moves(Perspective(view)) if not move.carry]
            pieces = view.field.pieces
            known = self.last.get(view.eye)
            if known is None:
                action = next(move for move in moves if pieces[move.piece].kind.name == "CHOPPER" and move.place < 100)
            else:
                action = next(move for move in moves if (move.piece, move.place) == known)
            self.last[view.eye] = (action.piece, pieces[action.piece].place)
        found = AnyMessage()
        AnyCodec(GAME).put(Kind.ACTION, action, found)
        return found

    async def person_turns(self) -> None:
        for _ in range(2):
            update = await self.anna.see(self.session, 0)
            await self.anna.act(self.session, 0, action=self.action(update.view))

    async def computer_turns(self) -> None:
        for _ in range(2):
            asked = await self.table.until_asked()
            request = await self.table.submission(asked)
            assert asked.view is not None
            request.action.CopyFrom(self.action(asked.view))
            assert (await self.table.owner(self.session).computers.submit(request)).played

    async def rounds(self, number: int) -> None:
        for _ in range(number):
            await self.person_turns()
            await self.computer_turns()


async def test_the_computer_offers_a_draw_at_the_third_time_and_the_person_accepts(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(actions=3))).id
    shuffling = Shuffling(table, anna, session)
    await shuffling.rounds(3)
    assert not (await anna.see(session, 0)).session.proposals
    await shuffling.rounds(1)
    update = await anna.see(session, 0)
    assert update.happening.kind == _Kind.KIND_PROPOSED
    assert [(one.seat, one.draw, list(one.waiting)) for one in update.session.proposals] == [(1, True, [0])]
    await check_rebuilt(table, session)
    await anna.reply(session, 0, update.session.proposals[0].id, True)
    update = await anna.see(session, 0)
    assert list(update.session.outcome.scores) == [0.5, 0.5]
    assert update.session.outcome.rule == "WEC-RUL-55"
    await check_rebuilt(table, session)


async def test_an_offer_may_be_declined_or_passed_over_and_is_not_made_again_at_once(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(actions=3))).id
    shuffling = Shuffling(table, anna, session)
    await shuffling.rounds(4)
    offer = (await anna.see(session, 0)).session.proposals[0]
    await anna.reply(session, 0, offer.id, False)
    update = await anna.see(session, 0)
    assert update.session.state == _State.STATE_RUNNING
    assert not update.session.proposals
    await shuffling.rounds(1)
    assert len((await anna.see(session, 0)).session.proposals) == 1, "another position has come up three times"
    await anna.act(session, 0, action=shuffling.action((await anna.see(session, 0)).view))
    assert not (await anna.see(session, 0)).session.proposals, "who plays on has passed it over"


async def test_a_person_who_asks_then_is_not_declined(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(actions=3))).id
    shuffling = Shuffling(table, anna, session)
    await shuffling.rounds(1)
    await anna.propose(session, 0, draw=True)
    assert (await anna.see(session, 0)).happening.kind == _Kind.KIND_DECLINED
    await shuffling.rounds(3)
    await anna.propose(session, 0, draw=True)
    assert (await anna.see(session, 0)).session.state == _State.STATE_FINISHED


async def test_two_computers_agree_among_themselves(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("easy", "easy", game="wec", options=wec_options(actions=3))).id
    shuffling = Shuffling(table, anna, session)
    for _ in range(8):
        await shuffling.computer_turns()
    update = await anna.see(session)
    assert update.session.state == _State.STATE_FINISHED
    assert list(update.session.outcome.scores) == [0.5, 0.5]
    await check_rebuilt(table, session)


async def test_a_draw_is_offered_only_for_a_computer_and_with_a_player_there(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(actions=3))).id
    shuffling = Shuffling(table, anna, session)
    await shuffling.rounds(1)
    state = (await table.owner(session).session_cache.newest(session)).state
    offering = replace(state, draw_votes=games_pb2.DrawVotes(agreeing=3, offering=2))
    proposed = next_effect(offering)
    assert proposed is not None
    assert proposed.proposed.proposal == record_pb2.Proposal(id=1, seat=1, version=state.version + 1, draw=True, waiting=[0])
    nobody = replace(state.seats[0], occupant=None)
    assert next_effect(replace(offering, seats=(nobody, state.seats[1]))) is None
    assert next_effect(replace(offering, version=state.version + 1)) is None, (
        "it was offered, or something else has happened since"
    )
    assert next_effect(replace(offering, draw_votes=games_pb2.DrawVotes(agreeing=3, offering=1))) is None, "a person's seat"
