"""The players service behind gRPC."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Any, TypeAlias

import grpc
from sqlalchemy import text

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import operation_pb2
from brettwerk_games.packages.trial import trial
from services.archive.archive import Archive
from services.archive.database_fault import require_no_fault
from services.archive.migrations import ARCHIVE
from services.archive.outbox import Outbox
from services.archive.talk_reports import TalkReports
from services.players.accounts.accounts import Accounts
from services.players.accounts.provider import Client, Provider
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.sign_outs import SignOuts
from services.players.bots.bots import Bots
from services.players.bots.tokens import ApiTokens
from services.players.calls import Calls
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.clubs.talk import ClubTalk
from services.players.intake.publisher import Publisher
from services.players.intake.worker import WorkerChild
from services.players.matchmaker import Matchmaker
from services.players.moderation.moderation import Moderation
from services.players.moderation.provider_roles import ProviderRoles
from services.players.moderation.reports import Reports
from services.players.moderation.upkeep import Upkeep
from services.players.news.followers import Following
from services.players.notifications.delivery import Delivering
from services.players.notifications.mail_delivery import MailDelivery
from services.players.notifications.notifications import Notifications
from services.players.notifications.push_delivery import PushDelivery
from services.players.notifications.webhook_delivery import WebhookDelivery
from services.players.opponents import blocks
from services.players.opponents.block_feed import BlockFeed
from services.players.opponents.player_search import Finding
from services.players.opponents.sessions import Sessions
from services.players.profiles.profiles import Profiles
from services.players.puzzles.puzzles import Puzzles
from services.players.puzzles.supply import PuzzleSupply
from services.players.ratings.fed_wins import Counting
from services.players.store import MIGRATIONS, open_store
from services.players.whole_account import WholeAccount
from services.runtime import left_out_games, redis_fault
from services.runtime.inner_calls import needed_inner_keys
from services.runtime.redis_url import open_blocking_redis
from services.runtime.refusal import Refused, malformed
from services.runtime.settings import Settings
from services.runtime.tasks import ended
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class PlayersServicer(players_pb2_grpc.PlayersServiceServicer):
    """Answers PlayersService."""

    def __init__(
        self,
        calls: Calls,
        sign_outs: SignOuts,
        tokens: ApiTokens,
        following: Following,
        finding: Finding,
        fed_wins: Counting,
        moderation: Moderation,
    ) -> None:
        self._sign_outs = sign_outs
        self._tokens = tokens
        self._following = following
        self._calls = calls
        self._finding = finding
        self._fed_wins = fed_wins
        self._moderation = moderation

    async def AnswerCall(self, request: players_pb2.AnswerCallRequest, context: Context) -> players_pb2.AnswerCallResponse:
        """Return the answer to a client's call. Raises Refused, with what the call refuses."""
        return await self._calls.answer(request)

    async def ListSignOuts(self, request: players_pb2.ListSignOutsRequest, context: Context) -> players_pb2.ListSignOutsResponse:
        """Return the players whose earlier tokens are void, after a cursor; waits for the next for `wait_ms`."""
        return await self._sign_outs.page(request)

    async def ListTokenChanges(
        self, request: players_pb2.ListTokenChangesRequest, context: Context
    ) -> players_pb2.ListTokenChangesResponse:
        """Return what has become of API tokens, after a cursor, and store which were used."""
        return await self._tokens.changes(request)

    async def NoteNews(self, request: players_pb2.NoteNewsRequest, context: Context) -> players_pb2.NoteNewsResponse:
        """Number news of the session service and hand it to those who follow; return an empty answer."""
        await self._following.note(request)
        return players_pb2.NoteNewsResponse()

    async def FindBlocks(self, request: players_pb2.FindBlocksRequest, context: Context) -> players_pb2.FindBlocksResponse:
        """Return those of `others` whom a player has blocked, or who have blocked the player."""
        return players_pb2.FindBlocksResponse(blocked=await self._finding.blocked(request.player_id, request.others))

    async def ListPlayersWithBlocks(
        self, request: players_pb2.ListPlayersWithBlocksRequest, context: Context
    ) -> players_pb2.ListPlayersWithBlocksResponse:
        """Return the players who have blocked somebody or are blocked, once there are others or it has waited for `wait_ms`."""
        return await self._finding.with_blocks(request)

    async def FindReliability(
        self, request: players_pb2.FindReliabilityRequest, context: Context
    ) -> players_pb2.FindReliabilityResponse:
        """Return how reliably a player finishes games of a clock, as far as that is known."""
        return players_pb2.FindReliabilityResponse(percent=await self._finding.reliability(request.player_id, request.clock))

    async def FindName(self, request: players_pb2.FindNameRequest, context: Context) -> players_pb2.FindNameResponse:
        """Return what a player with an account is called; an empty name for anybody else."""
        return players_pb2.FindNameResponse(name=await self._finding.name_of(request.player_id))

    async def ListFedWins(self, request: players_pb2.ListFedWinsRequest, context: Context) -> players_pb2.ListFedWinsResponse:
        """Return wins that are perhaps handed over, as the last search has found them (ratings/fed_wins.py)."""
        found = (operation_pb2.FedWins(**one._asdict()) for one in self._fed_wins.found)
        return players_pb2.ListFedWinsResponse(fed_wins=found)

    async def GetTalkRules(self, request: players_pb2.GetTalkRulesRequest, context: Context) -> players_pb2.GetTalkRulesResponse:
        """Return who may not talk and which words nobody may say, as far as the caller does not know it."""
        return await self._moderation.talk_rules(request)

    async def FindModerationRole(
        self, request: players_pb2.FindModerationRoleRequest, context: Context
    ) -> players_pb2.FindModerationRoleResponse:
        """Return a player's role in moderation."""
        return await self._moderation.role(request)

    async def FollowNews(
        self, request: players_pb2.FollowNewsRequest, context: Context
    ) -> AsyncGenerator[players_pb2.FollowNewsResponse, None]:
        """Yield a player's news for a gateway, after a version, until it ends the call.

        Raises Refused (MALFORMED) when it does not say whose.
        """
        if not request.player_id:
            raise malformed("player_id", "news needs a player")
        async with contextlib.aclosing(self._following.follow(request.player_id, request.after_version)) as messages:
            async for message in messages:
                yield message


class PlayersProcess:
    """The players service as a process (services/runtime/server.py), with the worker of its queue."""

    name = "players"
    full_names: Sequence[str] = ("brettwerk.internal.v1.PlayersService",)

    def __init__(self, config: Settings) -> None:
        """Raises ValueError for a database URL, an origin, a provider, a push key, a mail server or words that cannot be one."""
        self._store = open_store(config.players_database_url)
        keys = needed_inner_keys(config)
        origins = self._origins = OwnOrigins(config.sign_in_origins, config.passkey_domain)
        client = Client.of(config)
        self._provider = Provider(client) if client is not None else None
        heard, appeal = ProviderRoles.of(config).heard, config.appeal_address
        addresses = keys.key("players' addresses")
        self._accounts = Accounts(self._store, addresses, origins, provider=self._provider, heard=heard, appeal=appeal)
        self._tokens = ApiTokens(self._store)
        self._sign_outs = SignOuts(self._store)
        self._block_feed = BlockFeed(self._store)
        self._profiles = Profiles(self._store)
        self._puzzles = Puzzles(self._store)
        words = WordFile(config.talk_words)
        self._clubs, self._membership = Clubs(self._store, words), Membership(self._store)
        self._club_talk = ClubTalk(self._store, words, config.talk, appeal=appeal)
        self._words = words
        self._archive = Archive.open(config.database_url)
        self._broker = open_blocking_redis(config.broker_url, socket_timeout=2, socket_connect_timeout=2)
        self._worker = WorkerChild(config.grace_s * 0.7)  # within what `stop` as a whole may take
        self._outbox = Outbox.open(config.database_url)
        push, mail = PushDelivery.of(config, self._store), MailDelivery.of(config, self._store)
        hooks = WebhookDelivery.of(config, self._store, keys.key("players' webhooks"))
        self._notifications = Notifications(self._store, addresses, push, mail, hooks, wall_ms)
        self._delivering = Delivering(self._store, [way for way in (push, mail, hooks) if way is not None])
        self._following = Following(self._store, noted=self._delivering.call, blocks=blocks.among)
        self._config = config
        self._matchmaker: Matchmaker | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._changes, self._is_reached = self._store.changes(), False

    async def start(self, server: grpc.aio.Server) -> None:
        """Register the servicer, and start the worker and what feeds it.

        Exits with 2 and a sentence when a database or the broker does not let this process in.
        """
        await require_no_fault("BRETTWERK_DATABASE_URL", self._config.database_url, ARCHIVE)
        await require_no_fault("BRETTWERK_PLAYERS_DATABASE_URL", self._config.players_database_url, MIGRATIONS)
        await redis_fault.require_no_fault("BRETTWERK_BROKER_URL", self._config.broker_url)
        left_out_games.report(trial().left_out)
        self._origins.warn()
        # Not in the constructor: its channel to the session service belongs to the loop that runs now.
        matchmaker = self._matchmaker = Matchmaker(self._store, self._following, self._config, block_feed=self._block_feed)
        of_bots = {**Bots(self._store).handlers(), **self._tokens.handlers()}
        whole = WholeAccount(self._store, self._accounts.proofs)
        of_accounts, of_notifications = {**self._accounts.handlers(), **whole.handlers()}, self._notifications.handlers()
        of_games = {**self._profiles.handlers(), **self._puzzles.handlers()}
        of_clubs = {**self._clubs.handlers(), **self._membership.handlers(), **self._club_talk.handlers()}
        self._sessions = Sessions(self._config.session_address, self._config.call_timeout_s)
        reports = Reports(self._store, TalkReports(self._archive), self._sessions)
        moderation = Moderation(self._store, self._following.wake, self._words)
        of_moderation = {**reports.handlers(), **moderation.handlers()}
        calls = Calls(
            {**of_clubs, **of_accounts, **of_games, **of_notifications, **of_bots, **of_moderation, **matchmaker.handlers()}
        )
        fed_wins = Counting(self._store)
        servicer = PlayersServicer(
            calls,
            self._sign_outs,
            self._tokens,
            self._following,
            Finding(self._store, block_feed=self._block_feed),
            fed_wins,
            moderation,
        )
        upkeep = Upkeep(self._store, self._archive.changes(), reports, self._words, self._following.wake)
        players_pb2_grpc.add_PlayersServiceServicer_to_server(servicer, server)
        if self._config.results_worker:
            self._worker.start()
        asking = PuzzleSupply(self._store, self._outbox, self._config.puzzle_games, self._broker, bells=self._config.bell_folder)
        feeding, following, sign_outs = Publisher(self._outbox), self._following, self._sign_outs
        block_feed = self._block_feed
        works = [one.run() for one in (following, sign_outs, block_feed, self._delivering, matchmaker, asking, fed_wins, upkeep)]
        self._tasks = [asyncio.create_task(work) for work in (feeding.run(self._broker, self._config.bell_folder), *works)]

    async def is_ready(self) -> bool:
        """Return whether the database can be reached and its tables are up to date."""
        if self._is_reached and not self._changes.may_have_come():
            return True
        self._is_reached = False
        try:
            await self._store.run(lambda connection: connection.execute(text("SELECT 1")))
        except Refused:
            return False
        self._is_reached = True
        return True

    async def drain(self) -> None:
        """End the streams of news, and the calls that wait for sign-outs and blocks."""
        self._following.close()
        self._sign_outs.close()
        self._block_feed.close()

    async def stop(self) -> None:
        """End the worker and what feeds it, and close the databases."""
        await asyncio.gather(ended(*self._tasks), self._worker.stop())
        if self._matchmaker is not None:
            await asyncio.gather(self._matchmaker.close(), self._sessions.close())
        await self._delivering.close()
        if self._provider is not None:
            await self._provider.close()
        self._broker.close()
        self._outbox.close()
        self._archive.close()
        self._store.close()
