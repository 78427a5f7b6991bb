"""The rules service as the session service asks it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from services.runtime import call_scope
from services.runtime.link import LinkChannel
from services.runtime.refusal import UNREACHED, Refused, is_newer, malformed
from services.runtime.settings import Settings
from services.session.domain import plies
from services.session.domain.clocks import Timeouts
from services.session.domain.perception import NOBODY, UNLISTED, unlisted, with_lists
from services.session.domain.plies import Variation

RETRY_PAUSES_S = (0.1, 0.2, 0.4)
"""The pauses before a replay is retried if the rules could not be reached."""
REPLAY_TIMEOUT_S = 60.0
"""How long the check of a whole record may take."""

SHORT_VARIATION = 64
"""Up to how many plies of a variation are requested one by one, among all other requests."""

_Response = TypeVar("_Response")


class RulesClient:
    """Asks the rules. All that it does raises Refused: what the rules refuse, UNAVAILABLE and DEADLINE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        """Take the address at which the rules service accepts links. Raises ValueError if it is invalid."""
        self._channel = LinkChannel(address, "rules", "session", timeout_s=timeout_s)
        self.ask = rules_pb2_grpc.RulesServiceStub(self._channel)
        """The calls as rules.proto describes them; the methods here are for those that take more than that."""

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def new(
        self,
        game: str,
        options: AnyMessage | None,
        seats: int,
        start: AnyMessage | None,
        seed: bytes,
        audiences: int = NOBODY,
        *,
        setup: record_pb2.Ply | None = None,
        competitive: bool = False,
    ) -> rules_pb2.NewPositionResponse:
        """Return the step to a game's first position, with what these audiences (as bits) may see of it.

        `setup`: that of the variation that begins here, which has the seed and names the revision of the rules. `competitive`:
        whether the options, which nobody has checked yet, are to be those of a competitive session.
        """
        question = rules_pb2.NewPositionRequest(
            game=game,
            options=options,
            seats=seats,
            start_position=start,
            step_seed=seed,
            setup=setup,
            competitive=competitive,
        )
        response = await self.ask.NewPosition(_shown_to(audiences, question))
        _note_lists(response.step, audiences)
        return response

    async def split_options(
        self, game: str, seats: int, options: AnyMessage | None, wanted: AnyMessage, seat: int, *, competitive: bool = False
    ) -> rules_pb2.SplitOptionsResponse:
        """Return the parts of a change of options, in a competitive session or another: a seat's, and what concerns everybody."""
        question = rules_pb2.SplitOptionsRequest(
            game=game, seats=seats, options=options, wanted=wanted, seat=seat, competitive=competitive
        )
        return await self.ask.SplitOptions(question)

    async def play(
        self, game: str, position: AnyMessage, ply: record_pb2.Ply, rules_version: str = "", audiences: int = NOBODY
    ) -> rules_pb2.Step:
        """Return the step that a ply makes under a revision of the rules (empty: any).

        `audiences`: who gets to see it, as bits. Also raises Refused (MALFORMED) for a ply that is neither a seat's nor a system
        action.
        """
        kind, actor = ply.WhichOneof("kind"), ply.actor
        if (kind == "action") != bool(actor):
            raise malformed("ply.actor_seat", "an action names its seat, and a system action none")
        question = rules_pb2.ApplyActionRequest(game=game, step_seed=ply.seed, held=ply.held, rules_version=rules_version)
        question.position.CopyFrom(position)
        if kind == "system_action":
            question.system_action.CopyFrom(ply.system_action)
        else:
            acting = question.action
            acting.seat = actor - 1
            acting.action.CopyFrom(ply.action)
        return _note_lists((await self.ask.ApplyAction(_shown_to(audiences, question))).step, audiences)

    async def play_on(self, question: rules_pb2.PlayOnRequest) -> Sequence[rules_pb2.Step]:
        """Return what `play` would, ply by ply: the steps of at most 64 plies, up to one that the rules reject."""
        audiences = question.audiences
        return [_note_lists(step, audiences) for step in (await self.ask.PlayOn(_shown_to(audiences, question))).steps]

    async def look(self, game: str, position: AnyMessage, audiences: int) -> rules_pb2.Step:
        """Return what these audiences (as bits) may see of a position, and who is to act."""
        question = _shown_to(audiences, rules_pb2.ViewPositionRequest(game=game, position=position))
        return _note_lists((await self.ask.ViewPosition(question)).step, audiences)

    async def legal(
        self, game: str, view: AnyMessage, page_size: int = 0, page_token: str = "", places: Sequence[str] = ()
    ) -> rules_pb2.LegalActionsResponse:
        """Return a page of what the view's seat may do, of all of it or of what begins with these places."""
        question = rules_pb2.LegalActionsRequest(game=game, view=view, page_size=page_size, page_token=page_token, places=places)
        return await self.ask.LegalActions(question)

    async def read(self, game: str, view: AnyMessage, notation: str) -> AnyMessage:
        """Return the action that a notation means."""
        return (await self.ask.ParseNotation(rules_pb2.ParseNotationRequest(game=game, view=view, notation=notation))).action

    async def expiry(self, game: str, view: AnyMessage) -> AnyMessage:
        """Return the action that is played for the view's seat when its time is up."""
        return (await self.ask.NameExpiry(rules_pb2.NameExpiryRequest(game=game, view=view))).action

    async def replay(self, call: Callable[..., Awaitable[_Response]], request: Any) -> _Response:
        """Return the answer to a call that replays a game, in a minute at most, and charge its CPU time to the caller.

        It takes so long that a rules process may well be replaced in the meantime: then it is asked for again.
        """
        request.asked_by = call_scope.charged_caller()
        response: Any = None
        for pause_s in (*RETRY_PAUSES_S, None):
            try:
                response = await call(request, timeout=REPLAY_TIMEOUT_S)
                break
            except Refused as refused:
                # A value that only a newer release understands stays so for as long as this one waits.
                if pause_s is None or refused.reason != errors_pb2.REASON_UNAVAILABLE or is_newer(refused.refusal):
                    raise
                await asyncio.sleep(pause_s)
        call_scope.add_cpu(response.cpu_us / 1e6)
        replayed: _Response = _accepted(response)
        return replayed

    async def verify(self, packed_record: bytes) -> record_pb2.Verification:
        """Return the findings of a replay of an encoded record, by a process that knows its rules."""
        try:
            request = rules_pb2.VerifyRecordRequest(packed_record=packed_record)
            return (await self.replay(self.ask.VerifyRecord, request)).verification
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_NEWER:
                raise
            return record_pb2.Verification(fault=refused.refusal)

    async def play_variation(
        self, game: str, seats: int, variation: Variation, audiences: int = NOBODY
    ) -> tuple[rules_pb2.Step, plies.Marks]:
        """Return the last step of a variation, as these audiences (as bits) see it, and the marks of its plies."""
        if len(variation.plies) > SHORT_VARIATION:
            return await self._play_long(game, seats, variation, audiences)
        setup, *played = variation.plies
        first = NOBODY if played else audiences
        step = (await self.new(game, variation.options, seats, variation.start_position, setup.seed, first, setup=setup)).step
        marks, unaware = bytearray(), bytearray()
        for ply in played:
            before = tuple(step.to_act)
            step = await self.play(game, step.position, ply)
            marks += _mark(ply, before, reveals=step.reveals, retractable=step.retractable)
            unaware.append(step.unaware)
        if played:
            # Looked at anew: what the variation's last ply did did not happen in this session.
            step = await self.look(game, step.position, audiences)
        return step, plies.Marks(bytes(marks), bytes(unaware) if any(unaware) else b"")

    async def _play_long(self, game: str, seats: int, variation: Variation, audiences: int) -> tuple[rules_pb2.Step, plies.Marks]:
        played, marks = await self._play_whole(game, seats, variation.message(), audiences), bytearray()
        for ply, marked, to_act in zip(variation.plies[1:], played.plies[::2], played.plies[1::2], strict=True):
            seats_to_act = tuple(seat for seat in range(seats) if to_act >> seat & 1)
            marks += _mark(ply, seats_to_act, reveals=bool(marked & 1), retractable=bool(marked & 2))
        return played.step, plies.Marks(bytes(marks), played.unaware)

    async def write_variation(self, game: str, seats: int, variation: Variation) -> tuple[rules_pb2.Step, Variation]:
        """Return the last step of a variation from elsewhere, and the variation as the rules write it, its notation included.

        An empty one is begun, to see that it can be.
        """
        loaded = variation.message()
        if not variation.plies:
            loaded.variation.add(seed=bytes(SEED_BYTES))
        played = await self._play_whole(game, seats, loaded, writes=True)
        plies.write_setup(loaded, played)
        for ply, notation in zip(loaded.variation[1:], played.notations, strict=True):
            ply.notation = notation
        for one in played.canonical:
            plies.rewrite(loaded.variation[one.ply], one.content)
        if not variation.plies:
            loaded.ClearField("variation")
        return played.step, Variation.of(loaded)

    async def _play_whole(
        self, game: str, seats: int, variation: record_pb2.Loaded, audiences: int = NOBODY, *, writes: bool = False
    ) -> rules_pb2.PlayVariationResponse:
        """Return where a variation leads, in one request, which the rules service answers in a separate process."""
        packed = variation.SerializeToString()
        request = rules_pb2.PlayVariationRequest(game=game, seats=seats, packed_variation=packed, writes=writes)
        response = await self.replay(self.ask.PlayVariation, _shown_to(audiences, request))
        _note_lists(response.step, audiences)
        return response

    async def survey(self, packed_record: bytes) -> rules_pb2.SurveyRecordResponse:
        """Return what the game of an encoded record contributes to statistics. It may take half a minute."""
        request = rules_pb2.SurveyRecordRequest(packed_record=packed_record)
        return _accepted(await self.ask.SurveyRecord(request, timeout=REPLAY_TIMEOUT_S))


def _shown_to(audiences: int, question: Any) -> Any:
    """Return a question that asks for pieces for these audiences, with the lists that are among them."""
    question.audiences, question.unlisted = audiences & UNLISTED, unlisted(audiences)
    return question


def _note_lists(step: rules_pb2.Step, audiences: int) -> rules_pb2.Step:
    """Note with a step's audiences which lists it has, of those asked for, and return it."""
    step.audiences |= with_lists(step.audiences) & audiences
    return step


def _mark(ply: record_pb2.Ply, to_act: tuple[int, ...], *, reveals: bool, retractable: bool) -> bytes:
    """Return the mark of a ply of a variation. The options before a change are known only if that was made in the session."""
    retractable = retractable and ply.system_action.WhichOneof("kind") != "options"
    return plies.mark(ply, person=False, reveals=reveals, retractable=retractable, to_act=to_act, variation=True)


def _accepted(response: _Response) -> _Response:
    """Return a response that may have a refusal in it. Raises Refused."""
    answer: Any = response
    if answer.HasField("refusal"):
        raise Refused.of(answer.refusal)
    return response


class Games:
    """The facts of the games, requested once by each process, and how long their sessions wait."""

    def __init__(self, rules: RulesClient, config: Settings) -> None:
        self._rules = rules
        self._config = config
        self._facts: dict[str, games_pb2.Game] = {}
        self._timeouts: dict[str, Timeouts] = {}

    async def facts(self, game: str) -> games_pb2.Game:
        """Return a game's facts. Raises Refused (UNKNOWN) if there is no such game."""
        if game not in self._facts:
            question = rules_pb2.FindGameRequest(game=game, language="en", without_rules_page=True)
            self._facts[game] = (await self._rules.ask.FindGame(question)).game
        return self._facts[game]

    async def hides(self, game: str) -> bool:
        """Return whether anything is hidden in a game. Raises Refused (UNKNOWN) if there is no such game."""
        return (await self.facts(game)).hidden

    async def timeouts(self, game: str) -> Timeouts:
        """Return how long a game's sessions wait; without its levels' thinking times while the rules cannot be reached."""
        known = self._timeouts.get(game)
        if known is not None:
            return known
        think_ms: dict[str, int] = {}
        try:
            think_ms = {level.id: level.think_ms for level in (await self.facts(game)).levels}
        except Refused as refused:
            if refused.reason not in (*UNREACHED, errors_pb2.REASON_UNKNOWN):
                raise
        timeouts = Timeouts(
            think_ms,
            round(self._config.ai_grace_s * 1000),
            round(self._config.abandon_s * 1000),
            unmoved_ms=round(self._config.unmoved_s * 1000),
        )
        if think_ms:  # else it is asked again: nothing is known yet
            self._timeouts[game] = timeouts
        return timeouts
