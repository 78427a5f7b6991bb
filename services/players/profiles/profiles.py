"""Answers the calls about profiles, results, leaders and achievements."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection

from brettwerk.v1 import profiles_pb2 as pb
from brettwerk_games.languages.folders import LANGUAGES
from services.archive.access import Access
from services.players.accounts import bot_rows, rows
from services.players.accounts.names import lookalike, names_of
from services.players.achievements.catalogue import achievements
from services.players.achievements.progress import progress_of
from services.players.calls import Answered, Caller, Handler
from services.players.conduct import conduct_rows, description
from services.players.conduct.departures import Pace
from services.players.game_data import every_game
from services.players.profiles import history, leaders, totals
from services.players.profiles.totals import ratings_of
from services.runtime.bots import is_bot
from services.runtime.refusal import listed, malformed, unknown
from services.runtime.wall_clock import wall_ms


class Profiles:
    """The calls about what players have played."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_profile": self.get_profile,
            "find_lookalikes": self.find_lookalikes,
            "list_results": self.list_results,
            "list_leaders": self.list_leaders,
            "list_achievements": self.list_achievements,
        }

    async def get_profile(self, request: pb.GetProfileRequest, caller: Caller) -> Answered:
        """Return the profile of a player, of the caller where none is named. Raises Refused (NO_TOKEN, UNKNOWN)."""
        player_id = request.player_id or caller.player_id
        now_ms = self._now_ms()
        if player_id == caller.player_id:
            caller.require_player()

        def read(connection: Connection) -> pb.GetProfileResponse:
            if player_id == caller.player_id:
                rows.own(connection, caller)
                name, met = caller.name, totals.opponents(connection, player_id)
            elif player_id in (names := names_of(connection, [player_id])):
                name = names[player_id]
                met = totals.opponents(connection, player_id, caller.player_id) if caller.player_id else []
            else:
                raise unknown("player", "player_id", player_id)
            owner = bot_rows.owners(connection, [player_id]).get(player_id, bot_rows.Owner("", ""))
            conduct = conduct_rows.find(connection, [player_id])[player_id]
            longest, streak = totals.streaks(connection, player_id)
            return pb.GetProfileResponse(
                player_id=player_id,
                name=name,
                games=totals.summaries(connection, player_id),
                ratings=ratings_of(connection, player_id, now_ms),
                opponents=met,
                longest_streak=longest,
                streak=streak,
                bot=is_bot(player_id),
                owner_id=owner.player_id,
                owner_name=owner.name,
                live_reliability=description.reliability(conduct, Pace.LIVE, now_ms),
                slow_reliability=description.reliability(conduct, Pace.SLOW, now_ms),
                pause=description.pause(conduct, now_ms) if player_id == caller.player_id else None,
            )

        return Answered(await self._store.run(read))

    async def find_lookalikes(self, request: pb.FindLookalikesRequest, caller: Caller) -> Answered:
        """Return which of some players have names that look like an older account's, which is another player's."""

        def read(connection: Connection) -> pb.FindLookalikesResponse:
            found = ((player, lookalike(connection, player.player_id, player.name)) for player in request.players)
            lookalikes = (
                pb.Lookalike(player=player, account=pb.NamedPlayer(player_id=account.player_id, name=account.name))
                for player, account in found
                if account is not None
            )
            return pb.FindLookalikesResponse(lookalikes=lookalikes)

        return Answered(await self._store.run(read))

    async def list_results(self, request: pb.ListResultsRequest, caller: Caller) -> Answered:
        """Return a page of the caller's games. Raises Refused (MALFORMED)."""
        caller.require_player()

        def read(connection: Connection) -> pb.ListResultsResponse:
            rows.own(connection, caller)
            return history.page_of(connection, caller.player_id, request)

        return Answered(await self._store.run(read))

    async def list_leaders(self, request: pb.ListLeadersRequest, caller: Caller) -> Answered:
        """Return a page of a ranking. Raises Refused: MALFORMED, UNKNOWN or CLUB for that of a club of others."""
        now_ms = self._now_ms()

        def read(connection: Connection) -> pb.ListLeadersResponse:
            if request.club_id:
                rows.own(connection, caller)
            return leaders.page_of(connection, request, now_ms, caller.player_id)

        return Answered(await self._store.run(read))

    async def list_achievements(self, request: pb.ListAchievementsRequest, caller: Caller) -> Answered:
        """Return all achievements with the caller's progress: none where no player calls, who sees what there is to win.

        Raises Refused (MALFORMED) for a language that there is not.
        """
        if request.language not in LANGUAGES.codes():
            raise malformed("language", f"achievements are available in {listed(LANGUAGES.codes())}, not in {request.language}")
        all_of_them = [one for game in ("", *every_game()) for one in achievements(game)]

        def read(connection: Connection) -> pb.ListAchievementsResponse:
            if caller.player_id:
                rows.own(connection, caller)
            achievements = progress_of(connection, caller.player_id, all_of_them, request.language)
            return pb.ListAchievementsResponse(achievements=achievements)

        return Answered(await self._store.run(read))
