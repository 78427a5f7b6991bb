"""Bots and API tokens on both databases: who owns what, and what is left when it ends."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, bots_pb2, errors_pb2, opponents_pb2, profiles_pb2
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.sign_outs import SignOuts
from services.players.bots.bots import MAX_BOTS, Bots
from services.players.bots.tokens import MAX_TOKENS, ApiTokens
from services.players.calls import Caller
from services.players.opponents.player_search import Finding
from services.players.opponents.pool import Pool
from services.players.opponents.pool_clocks import clock_of, names
from services.players.profiles.profiles import Profiles
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from services.runtime.refusal import Refused

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
BERT = Caller("b" * 26, "Bert", "192.0.2.2")
GUEST = Caller("c" * 26, "Guest", "192.0.2.3")
PLAY, BOTS = bots_pb2.SCOPE_PLAY, bots_pb2.SCOPE_BOTS


class Place:
    def __init__(self, url: str) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = open_store(url)
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(""), self.clock)
        self.whole = WholeAccount(self.store, self.accounts.proofs, self.clock)
        self.tokens = ApiTokens(self.store, self.clock)
        self.bots = Bots(self.store, self.clock)
        self.numbers = iter(range(10_000_000, 99_999_999))

    def clock(self) -> int:
        return self.now_ms

    async def bot(self, name: str = "Dice", caller: Caller = ADA, request_id: str = "") -> bots_pb2.Bot:
        request = bots_pb2.CreateBotRequest(name=name, request_id=request_id or str(next(self.numbers)))
        response = (await self.bots.create(request, caller)).response
        assert isinstance(response, bots_pb2.CreateBotResponse)
        return response.bot

    async def token(self, caller: Caller = ADA, request_id: str = "", **said: Any) -> players_pb2.ApiTokenClaims:
        said = {"label": "laptop", "scopes": [PLAY], "request_id": request_id or str(next(self.numbers)), **said}
        claims = (await self.tokens.create(bots_pb2.CreateApiTokenRequest(**said), caller)).api_token
        assert claims is not None
        return claims

    async def listed(self, caller: Caller = ADA) -> list[bots_pb2.ApiToken]:
        response = (await self.tokens.list(bots_pb2.ListApiTokensRequest(), caller)).response
        assert isinstance(response, bots_pb2.ListApiTokensResponse)
        return list(response.tokens)

    async def void(self, after: int = 0) -> set[str]:
        page = await self.tokens.changes(players_pb2.ListTokenChangesRequest(after=after))
        return {change.token_id for change in page.changes if change.is_void}


@pytest.fixture
async def place(players_url: str) -> AsyncIterator[Place]:
    made = Place(players_url)
    for caller in (ADA, BERT):
        await made.accounts.start_link(accounts_pb2.StartLinkRequest(), caller)
    yield made
    made.store.close()


async def refused(awaitable: Any) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.refusal


def as_bot(claims: players_pb2.ApiTokenClaims) -> Caller:
    player = claims.player
    return Caller(player.player_id, player.name, "192.0.2.9", player.generation, claims.token_id)


async def test_a_bot_is_a_player_of_its_own_whom_others_find_and_see_marked(place: Place) -> None:
    bot = await place.bot("Dice  ")
    assert (bot.player_id[:4], bot.name) == ("bot-", "Dice")
    profile = (await Profiles(place.store).get_profile(profiles_pb2.GetProfileRequest(player_id=bot.player_id), BERT)).response
    assert isinstance(profile, profiles_pb2.GetProfileResponse)
    assert (profile.bot, profile.owner_id, profile.owner_name) == (True, ADA.player_id, "Ada")
    found = (await Finding(place.store).find(opponents_pb2.FindPlayersRequest(name="dic"), BERT)).response
    assert isinstance(found, opponents_pb2.FindPlayersResponse)
    assert [(one.name, one.bot) for one in found.players] == [("Dice", True)]


async def test_no_bot_is_called_like_a_computer(place: Place) -> None:
    bot = await place.bot()
    for call in (place.bot("Carla"), place.bots.rename(bots_pb2.RenameBotRequest(bot_id=bot.player_id, name="Carla"), ADA)):
        assert (await refused(call)).reason == errors_pb2.REASON_NAME_RESERVED


async def test_a_repeated_request_makes_one_bot_and_one_token(place: Place) -> None:
    first, again = await place.bot(request_id="the same one"), await place.bot(request_id="the same one")
    assert first == again
    one, other = [await place.token(request_id="the same token", bot_id=first.player_id) for _ in range(2)]
    assert one == other
    assert (await refused(place.token(request_id="the same token", label="other"))).reason == errors_pb2.REASON_REQUEST_ID_REUSED


async def test_only_accounts_own_bots_and_tokens_and_only_so_many(place: Place) -> None:
    assert (await refused(place.bot(caller=GUEST))).reason == errors_pb2.REASON_NO_ACCOUNT
    assert (await refused(place.token(GUEST))).reason == errors_pb2.REASON_NO_ACCOUNT
    bot = await place.bot()
    caller = as_bot(await place.token(bot_id=bot.player_id))
    assert (await refused(place.bot(caller=caller))).reason == errors_pb2.REASON_BOT
    assert (await refused(place.token(bot_id=bot.player_id, scopes=[BOTS]))).field == "scopes"
    assert (await refused(place.token(scopes=[]))).field == "scopes"
    for _ in range(MAX_BOTS - 1):
        await place.bot()
    assert (await refused(place.bot())).details["bound"] == "bots"
    for _ in range(MAX_TOKENS - 1):
        await place.token()
    assert (await refused(place.token())).details["bound"] == "api_tokens"


async def test_the_bots_and_tokens_of_another_player_are_out_of_reach(place: Place) -> None:
    bot, token = await place.bot(), await place.token()
    assert (await refused(place.token(BERT, bot_id=bot.player_id))).reason == errors_pb2.REASON_UNKNOWN
    for asked in (
        place.bots.rename(bots_pb2.RenameBotRequest(bot_id=bot.player_id, name="Mine"), BERT),
        place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot.player_id, suspended=True), BERT),
        place.whole.delete_bot(bots_pb2.DeleteBotRequest(bot_id=bot.player_id, name=bot.name), BERT),
        place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=token.token_id), BERT),
    ):
        assert (await refused(asked)).reason == errors_pb2.REASON_UNKNOWN
    assert await place.listed(BERT) == []
    assert await place.void() == set()


async def test_a_revoked_token_is_told_to_gateways_and_listed_no_more(place: Place) -> None:
    token, other = await place.token(), await place.token()
    for _ in range(2):  # a repeat changes nothing
        await place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=token.token_id), ADA)
    assert [one.token_id for one in await place.listed()] == [other.token_id]
    assert await place.void() == {token.token_id}
    assert await place.void(after=1) == {token.token_id}, "recent changes are listed again"


async def test_a_suspended_bot_has_no_valid_tokens_old_or_new_until_that_ends(place: Place) -> None:
    bot = await place.bot()
    old, own = await place.token(bot_id=bot.player_id), await place.token()
    await place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot.player_id, suspended=True), ADA)
    new = await place.token(bot_id=bot.player_id)
    assert await place.void() == {old.token_id, new.token_id}
    assert own.token_id not in await place.void()
    await place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=old.token_id), ADA)
    await place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot.player_id, suspended=False), ADA)
    assert await place.void() == {old.token_id}, "what was revoked stays revoked"


async def test_a_renamed_bot_keeps_its_tokens_which_learn_the_name(place: Place) -> None:
    bot = await place.bot()
    token = await place.token(bot_id=bot.player_id)
    await place.bots.rename(bots_pb2.RenameBotRequest(bot_id=bot.player_id, name="Cup"), ADA)
    page = await place.tokens.changes(players_pb2.ListTokenChangesRequest())
    assert [(one.token_id, one.is_void, one.name) for one in page.changes] == [(token.token_id, False, "Cup")]
    # a call that still has the old name in its token renames nobody
    await place.accounts.get_account(accounts_pb2.GetAccountRequest(), as_bot(token))
    assert [one.name for one in await place.listed()] == ["Cup"]


async def test_a_deleted_account_takes_its_bots_and_tokens_along(place: Place) -> None:
    bot = await place.bot()
    tokens = {(await place.token(bot_id=bot.player_id)).token_id, (await place.token()).token_id}
    await place.whole.delete_account(accounts_pb2.DeleteAccountRequest(name="Ada"), ADA)
    assert await place.void() == tokens
    request = profiles_pb2.GetProfileRequest(player_id=bot.player_id)
    assert (await refused(Profiles(place.store).get_profile(request, BERT))).reason == errors_pb2.REASON_UNKNOWN
    outs = await SignOuts(place.store).page(players_pb2.ListSignOutsRequest())
    assert {one.player_id for one in outs.sign_outs} == {ADA.player_id, bot.player_id}


async def test_a_deleted_bot_leaves_its_owner_and_cannot_come_back_by_its_request(place: Place) -> None:
    bot = await place.bot(request_id="the first one")
    token = await place.token(bot_id=bot.player_id)
    wrong = place.whole.delete_bot(bots_pb2.DeleteBotRequest(bot_id=bot.player_id, name="Cup"), ADA)
    assert (await refused(wrong)).field == "name"
    await place.whole.delete_bot(bots_pb2.DeleteBotRequest(bot_id=bot.player_id, name="Dice"), ADA)
    assert await place.void() == {token.token_id}
    assert (await refused(place.bot(request_id="the first one"))).reason == errors_pb2.REASON_REQUEST_ID_REUSED


async def test_signing_out_everywhere_revokes_api_tokens_too(place: Place) -> None:
    bot = await place.bot()
    tokens = {(await place.token(bot_id=bot.player_id)).token_id, (await place.token()).token_id}
    await place.whole.sign_out_everywhere(accounts_pb2.SignOutEverywhereRequest(), ADA)
    assert await place.void() == tokens


async def test_a_token_expires_and_is_then_forgotten(place: Place) -> None:
    token = await place.token(days=7)
    assert token.expires_s == place.now_ms // 1000 + 7 * 86_400
    await place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=token.token_id), ADA)
    place.now_ms += 7 * 86_400_000
    await place.token()
    assert await place.void() == set()


async def test_when_a_token_was_used_is_shown(place: Place) -> None:
    token = await place.token()
    uses = [players_pb2.TokenUse(token_id=token.token_id, at_ms=at_ms) for at_ms in (5_000,)]
    await place.tokens.changes(players_pb2.ListTokenChangesRequest(uses=uses))
    assert [one.last_used_at_ms for one in await place.listed()] == [5_000]


async def test_the_export_of_an_account_has_bots_and_tokens(place: Place) -> None:
    bot = await place.bot()
    await place.token(bot_id=bot.player_id)
    response = (await place.whole.export_account(accounts_pb2.ExportAccountRequest(), ADA)).response
    assert isinstance(response, accounts_pb2.ExportAccountResponse)
    exported = json.loads(response.json)
    assert [row["player_id"] for row in exported["players_bots"]] == [bot.player_id]
    assert [row["label"] for row in exported["players_api_tokens"]] == ["laptop"]


async def test_bots_do_not_search_where_games_count(place: Place) -> None:
    bot = await place.bot()
    caller = as_bot(await place.token(bot_id=bot.player_id))

    async def make(_arrangement_id: str, _address: str) -> None:
        raise AssertionError("nobody is paired")

    pool = Pool(place.store, make, place.clock)
    one = next(name for name in names("einstein") if name.competitive)
    seek = opponents_pb2.StartSeekRequest(
        game="einstein", clock=clock_of(one.clock), competitive=True, request_id="a seek of a bot"
    )
    assert (await refused(pool.start(seek, caller))).reason == errors_pb2.REASON_BOT
    seek.competitive = False
    await pool.start(seek, caller)


async def signed_out(place: Place) -> dict[str, int]:
    """Return the number of each player's last sign-out."""
    page = await SignOuts(place.store).page(players_pb2.ListSignOutsRequest())
    assert len({one.player_id for one in page.sign_outs}) == len(page.sign_outs), "only the last one is kept"
    return {one.player_id: one.number for one in page.sign_outs}


async def test_seat_tokens_of_a_bot_are_void_once_it_is_suspended_or_a_token_of_it_is_revoked(place: Place) -> None:
    bot = await place.bot()
    token = await place.token(bot_id=bot.player_id)
    await place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot.player_id, suspended=True), ADA)
    suspended = await signed_out(place)
    assert suspended.keys() == {bot.player_id}
    await place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot.player_id), ADA)
    assert await signed_out(place) == suspended, "what was void stays void"
    await place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=token.token_id), ADA)
    revoked = await signed_out(place)
    assert revoked.keys() == {bot.player_id} and revoked[bot.player_id] > suspended[bot.player_id]
    own = await place.token()
    await place.tokens.revoke(bots_pb2.RevokeApiTokenRequest(token_id=own.token_id), ADA)
    assert (await signed_out(place)).keys() == {bot.player_id, ADA.player_id}
    again = await place.token(bot_id=bot.player_id)
    await place.accounts.get_account(accounts_pb2.GetAccountRequest(), as_bot(again))
