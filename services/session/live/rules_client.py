"""The rules service as the session service asks it: every question over one link."""

import asyncio
import itertools
from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2, rules_pb2, rules_pb2_grpc
from services.runtime import spent
from services.runtime.channel import open_channel
from services.runtime.link import LinkClient
from services.runtime.refusal import Refused, is_newer, malformed, of_rpc_error
from services.session.domain.updates import NOBODY
from services.session.live.former_rules import in_pieces

MAX_ASKED = 4
"""How many rules processes are asked, when a call is about what only those of a newer release know."""
REPLAY_TIMEOUT_S = 60.0
"""How long the check of a whole record may take."""

Call = rules_pb2.RulesCall


class RulesClient:
    """Asks the rules. Every method raises Refused: what the rules refuse, UNAVAILABLE and DEADLINE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._channel = open_channel(address, "session")
        self._stub = rules_pb2_grpc.RulesServiceStub(self._channel)
        self._link: LinkClient[
            rules_pb2.RulesCall, rules_pb2.RulesAnswer, rules_pb2.LinkRulesRequest, rules_pb2.LinkRulesResponse
        ] = LinkClient("rules", self._stub.LinkRules, _batch, lambda response: response.answers)

    async def close(self) -> None:
        """Close the link and its channel."""
        await self._link.close()
        await self._channel.close()

    async def new(
        self,
        game: str,
        options: AnyMessage | None,
        seats: int,
        start: AnyMessage | None,
        seed: bytes,
        audiences: int = NOBODY,
    ) -> rules_pb2.Step:
        """Return the step to a game's first position, with what these audiences (as bits) may see of it."""
        question = rules_pb2.NewPositionRequest(
            game=game, options=options, seats=seats, start_position=start, step_seed=seed, audiences=audiences
        )
        return in_pieces((await self._ask(Call(new_position=question))).new_position.step)

    async def try_start(
        self, game: str, options: AnyMessage | None, seats: int, start: AnyMessage | None
    ) -> rules_pb2.TryStartResponse:
        """Return what the rules make of a start position."""
        question = rules_pb2.TryStartRequest(game=game, options=options, seats=seats, start_position=start)
        return (await self._ask(Call(try_start=question))).try_start

    async def split_options(
        self, game: str, seats: int, options: AnyMessage | None, wanted: AnyMessage, seat: int
    ) -> rules_pb2.SplitOptionsResponse:
        """Return what of a change of options belongs to a seat, and what concerns all."""
        question = rules_pb2.SplitOptionsRequest(game=game, seats=seats, options=options, wanted=wanted, seat=seat)
        return (await self._ask(Call(split_options=question))).split_options

    async def deal_options(self, game: str, options: AnyMessage | None, order: Sequence[int]) -> AnyMessage | None:
        """Return the options after seats were dealt; None when they stay as they are."""
        question = rules_pb2.DealOptionsRequest(game=game, options=options, order=order)
        response = (await self._ask(Call(deal_options=question))).deal_options
        return response.options if response.HasField("options") else None

    async def play(
        self, game: str, position: AnyMessage, ply: record_pb2.Ply, rules_version: str = "", audiences: int = NOBODY
    ) -> rules_pb2.Step:
        """Return the step that a ply makes by a revision of the rules (empty: by whichever there is).

        `audiences`: who is to see it, as bits. Raises Refused (MALFORMED), too, for a ply that is no seat's and no decree.
        """
        if (ply.WhichOneof("kind") == "action") != bool(ply.actor):
            raise malformed("ply.actor", "an action names its seat plus one, and a decree none")
        question = rules_pb2.ApplyActionRequest(
            game=game, position=position, step_seed=ply.seed, rules_version=rules_version, audiences=audiences
        )
        if ply.WhichOneof("kind") == "decree":
            question.decree.CopyFrom(ply.decree)
        else:
            question.action.seat = ply.actor - 1
            question.action.action.CopyFrom(ply.action)
        return in_pieces((await self._ask(Call(apply_action=question))).apply_action.step)

    async def look(self, game: str, position: AnyMessage, audiences: int) -> rules_pb2.Step:
        """Return what these audiences (as bits) may see of a position, and who is to act."""
        question = rules_pb2.ViewPositionRequest(game=game, position=position, audiences=audiences)
        return in_pieces((await self._ask(Call(view_position=question))).view_position.step)

    async def legal(
        self, game: str, view: AnyMessage, page_size: int = 0, page_token: str = ""
    ) -> rules_pb2.LegalActionsResponse:
        """Return a page of what the view's seat may do."""
        question = rules_pb2.LegalActionsRequest(game=game, view=view, page_size=page_size, page_token=page_token)
        return (await self._ask(Call(legal_actions=question))).legal_actions

    async def read(self, game: str, view: AnyMessage, notation: str) -> AnyMessage:
        """Return the action that a notation means."""
        question = rules_pb2.ParseNotationRequest(game=game, view=view, notation=notation)
        return (await self._ask(Call(parse_notation=question))).parse_notation.action

    async def expiry(self, game: str, view: AnyMessage) -> AnyMessage:
        """Return the action that is played for the view's seat when its time is over."""
        question = rules_pb2.NameExpiryRequest(game=game, view=view)
        return (await self._ask(Call(name_expiry=question))).name_expiry.action

    async def rematch(self, game: str, options: AnyMessage | None, first: AnyMessage) -> AnyMessage | None:
        """Return the options of a rematch of a game that ended with `options` and began in `first`; None where they stay."""
        question = rules_pb2.NameRematchRequest(game=game, options=options, first_position=first)
        named = (await self._ask(Call(name_rematch=question))).name_rematch
        return named.options if named.HasField("options") else None

    async def draw(self, game: str, view: AnyMessage) -> games_pb2.Scene:
        """Return a view as a client can draw it that knows no game."""
        question = rules_pb2.DrawSceneRequest(game=game, view=view)
        return (await self._ask(Call(draw_scene=question))).draw_scene.scene

    async def verify(self, packed_record: bytes) -> record_pb2.Verification:
        """Return what a replay of an encoded record finds. It may take a minute, so it does not go over the link."""
        request = rules_pb2.VerifyRecordRequest(packed_record=packed_record, asked_by=spent.caller())
        try:
            response = await self._stub.VerifyRecord(request, timeout=REPLAY_TIMEOUT_S)
            if not response.cpu_us and response.verification.fault.field == "format":
                # Rules of 0.1.0, which read the field `record` only and tell no time, have seen no record at all.
                record = await asyncio.to_thread(record_pb2.Record.FromString, packed_record)
                whole = rules_pb2.VerifyRecordRequest(record=record, asked_by=spent.caller())
                response = await self._stub.VerifyRecord(whole, timeout=REPLAY_TIMEOUT_S)
        except grpc.RpcError as error:
            raise of_rpc_error(error, "rules") from error
        spent.add(response.cpu_us / 1e6)
        if response.HasField("refusal"):
            raise Refused.of(response.refusal)
        return response.verification

    async def play_line(
        self, game: str, seats: int, line: record_pb2.Loaded, *, audiences: int = NOBODY, writes: bool = False
    ) -> rules_pb2.PlayLineResponse:
        """Return where a line leads, with its notations when `writes`. It may take a while, so it does not go over the link."""
        request = rules_pb2.PlayLineRequest(
            game=game,
            seats=seats,
            packed_line=line.SerializeToString(),
            asked_by=spent.caller(),
            writes=writes,
            audiences=audiences,
        )
        try:
            response = await self._stub.PlayLine(request, timeout=REPLAY_TIMEOUT_S)
        except grpc.RpcError as error:
            raise of_rpc_error(error, "rules") from error
        spent.add(response.cpu_us / 1e6)
        if response.HasField("refusal"):
            raise Refused.of(response.refusal)
        in_pieces(response.step)
        return response

    async def games(self, page_size: int = 0, page_token: str = "") -> rules_pb2.FindGamesResponse:
        """Return a page of the games."""
        question = rules_pb2.FindGamesRequest(page_size=page_size, page_token=page_token)
        return (await self._ask(Call(find_games=question))).find_games

    async def game(self, game: str, language: str = "en") -> rules_pb2.FindGameResponse:
        """Return one game."""
        return (await self._ask(Call(find_game=rules_pb2.FindGameRequest(game=game, language=language)))).find_game

    async def _ask(self, call: rules_pb2.RulesCall) -> rules_pb2.RulesAnswer:
        """Ask the usual rules process and, where it is of an older release than what it is asked about, some others."""
        for asked in itertools.count(1):
            try:
                answer = await self._link.call(call, self._timeout_s, elsewhere=asked > 1)
            except Refused as refused:
                if asked == MAX_ASKED or not is_newer(refused.refusal):
                    raise
            else:
                spent.add(answer.cpu_us / 1e6)
                return answer
        raise AssertionError


def _batch(calls: Sequence[rules_pb2.RulesCall]) -> rules_pb2.LinkRulesRequest:
    return rules_pb2.LinkRulesRequest(calls=calls)


class Games:
    """The facts of the games, asked for once by a process."""

    def __init__(self, rules: RulesClient) -> None:
        self._rules = rules
        self._facts: dict[str, games_pb2.Game] = {}

    async def facts(self, game: str) -> games_pb2.Game:
        """Return a game's facts. Raises Refused (UNKNOWN) when there is none."""
        if game not in self._facts:
            self._facts[game] = (await self._rules.game(game)).game
        return self._facts[game]

    async def think_ms(self, game: str) -> Mapping[str, int]:
        """Return the thinking time of each level in milliseconds; nothing while the rules cannot be asked."""
        try:
            facts = await self.facts(game)
        except Refused as refused:
            if refused.reason in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE, errors_pb2.REASON_UNKNOWN):
                return {}
            raise
        return {level.id: level.think_ms for level in facts.levels}
