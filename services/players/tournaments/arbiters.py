"""The call by which the owner of a tournament names its arbiters."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection

from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.access import Access
from services.players.accounts import rows
from services.players.accounts.names import names_of
from services.players.calls import Answered, Caller, Handler
from services.players.opponents import blocks
from services.players.tournaments import arbiter_rows, description, tournament_rows
from services.players.tournaments.arbiter_rows import MAX_ARBITERS
from services.players.tournaments.refusals import not_now, refused, require_owner
from services.players.tournaments.tournament_rows import LIVE
from services.runtime.refusal import malformed, require_room, unknown
from services.runtime.wall_clock import wall_ms


class Arbiters:
    """The call. Raises Refused."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"name_tournament_arbiter": self.name}

    async def name(self, request: pb.NameTournamentArbiterRequest, caller: Caller) -> Answered:
        """Make a player an arbiter of a tournament of the caller's, or no longer one, and return it.

        Arbiters withdraw themselves. Raises Refused: NO_TOKEN, MALFORMED for its owner, UNKNOWN, TOURNAMENT for another owner,
        one that is over or blocked players, FULL.
        """
        caller.require_player()

        def write(connection: Connection) -> pb.Tournament:
            rows.own(connection, caller)
            tournament = tournament_rows.hold(connection, request.tournament_id)
            if tournament is None:
                raise unknown("tournament", "tournament_id", request.tournament_id)
            if not (request.withdraw and request.player_id == caller.player_id):
                require_owner(tournament, caller)
            if tournament.state not in LIVE:
                raise not_now(tournament)
            if request.withdraw:
                arbiter_rows.drop(connection, tournament.tournament_id, request.player_id)
            else:
                self._add(connection, tournament.tournament_id, request.player_id, caller)
            return description.tournaments(connection, [tournament], caller.player_id)[0]

        return Answered(pb.NameTournamentArbiterResponse(tournament=await self._store.run(write)))

    def _add(self, connection: Connection, tournament_id: str, player_id: str, caller: Caller) -> None:
        if player_id == caller.player_id:
            raise malformed("player_id", "the owner of a tournament is an arbiter already")
        name = names_of(connection, [player_id]).get(player_id)
        if not name:
            raise unknown("player", "player_id", player_id)
        if blocks.among(connection, [caller.player_id, player_id]):
            raise refused("blocked", "one of these players has blocked the other")
        others = [one for one in arbiter_rows.named(connection, [tournament_id]) if one.player_id != player_id]
        require_room(len(others), MAX_ARBITERS, "arbiters")
        arbiter_rows.add(connection, tournament_id, player_id, name, self._now_ms())
