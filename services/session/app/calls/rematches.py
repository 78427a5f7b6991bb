"""Rematches: there is one of each session, whoever asks for it first, and it has the same owner."""

from dataclasses import dataclass

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.app.calls.calls import Rows
from services.session.app.calls.creation import NewSessions, SessionIds
from services.session.app.calls.moderation import Blocks
from services.session.domain.commands import access, creation, endings, seats
from services.session.domain.commands.decision import Done
from services.session.domain.ids import checked
from services.session.domain.public_session import describe
from services.session.domain.variation import Variation, variation_of
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.write_builder import Request
from services.session.live.writer import Writer


@dataclass(eq=False, repr=False)
class Rematches:
    """Creates rematches, and seats those who come to them. Raises Refused."""

    _new_sessions: NewSessions
    _ids: SessionIds
    _rebuilds: Rebuilds
    _rules: RulesClient
    _games: Games
    _writer: Writer
    _blocks: Blocks

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "rematch": self.rematch,
        }

    async def rematch(self, asked: play_pb2.RematchRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create the rematch of a session, or seat the caller in the existing one."""
        state, archived = await self._rebuilds.state(checked(asked.session_id))
        rematch_id = self._ids.rematch(state)
        seat = None if archived else access.holder(state, asked.seat_token)
        variation = variation_of(await self._rebuilds.entries(state.id))
        plan = creation.rematch(state, variation.start_position, caller, seat, self._new_sessions.secret())
        created = plan.created.created
        creator = created.creator
        await self._blocks.check(creator.player_id, {each.player_id or each.kept_for for each in state.seats})

        if await self._rebuilds.live(rematch_id) is None:
            mark = await self._new_sessions.admit(rematch_id, plan, creator.player_id, caller.address)
            await self._suit_rematch(created, variation)
            facts = await self._games.facts(created.game)
            created.rules_version, created.holds_seeds = facts.rules_version, facts.holds_seeds
            created.counts_perceived = facts.hides_actions
            try:
                written = await self._writer.create(rematch_id, plan, request, _came_to_rematch, mark)
            except Refused as refused:
                # Another request has created it in the meantime: the caller comes to that one, below.
                if refused.reason != errors_pb2.REASON_REQUEST_ID_REUSED or await self._rebuilds.live(rematch_id) is None:
                    raise
            else:
                if not archived and not state.rematch_id:
                    await self._writer.write(state.id, endings.rematched(rematch_id), enforces_clocks=False)
                assert isinstance(written.answer, play_pb2.Answer)
                return written.answer
        if not archived and not state.rematch_id:
            await self._writer.write(state.id, endings.rematched(rematch_id), enforces_clocks=False)
        person = session_pb2.Caller(player_id=creator.player_id, name=creator.name)
        come = seats.take_kept_seats(person, _came_to_rematch)
        written = await self._writer.write(rematch_id, come, request, enforces_clocks=False)
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    async def _suit_rematch(self, created: record_pb2.Created, before: Variation) -> None:
        """Move what belongs to a seat along with its player, and change who begins as the rules say, if a game began at all."""
        ended = created.options if created.HasField("options") else None
        order, competitive = creation.rotated_seats(created.seats), created.competitive
        dealt = await self._rules.deal_options(created.game, ended, order, competitive=competitive)
        if dealt is not None:
            created.options.CopyFrom(dealt)
        if not before.plies:
            return
        seed = before.plies[0].seed
        begun = await self._rules.new(created.game, before.options, created.seats, before.start_position, seed)
        ended = created.options if created.HasField("options") else None
        options = await self._rules.rematch(created.game, ended, begun.step.position)
        if options is not None:
            created.options.CopyFrom(options)


def _came_to_rematch(done: Done) -> play_pb2.Answer:
    return play_pb2.Answer(rematch=play_pb2.RematchResponse(session=describe(done.shown), grants=done.grants))
