"""The calls of a tournament's owner about the next round: to see it, to set pairings and forbid pairs, and to begin it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlalchemy import Connection, Row

from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.tournaments import by_hand, description, keeping_apart, next_round, rounds, tournament_rows
from services.players.tournaments.keeping_apart import MAX_FORBIDDEN
from services.players.tournaments.refusals import not_now, refused, require_owner
from services.players.tournaments.tournament_rows import LIVE, OPEN, RUNNING
from services.runtime.refusal import malformed, require_room, unknown
from services.runtime.wall_clock import wall_ms

T = TypeVar("T")
_PROBLEMS = {
    "away": "this player does not play in the round",
    "twice": "a player is paired once",
    "seats": "so many players do not sit at a table",
    "forbidden": "this pair is forbidden",
    "met": "these two have met",
    "second_bye": "this player has had a bye",
    "even": "only an odd number leaves somebody without an opponent",
    "rest": "the others cannot be seated at tables",
}


class RoundPlans:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, wake: Callable[[dict[str, int]], None], now_ms: Callable[[], int] = wall_ms) -> None:
        """`wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._wake = wake
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_round_plan": self.get_plan,
            "set_pairings": self.set_pairings,
            "forbid_pairs": self.forbid_pairs,
            "begin_round": self.begin_round,
        }

    async def get_plan(self, request: pb.GetRoundPlanRequest, caller: Caller) -> Answered:
        """Return the round that waits, and the forbidden pairs.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT for another owner.
        """
        return Answered(pb.GetRoundPlanResponse(plan=await self._plan(request.tournament_id, caller)))

    async def set_pairings(self, request: pb.SetPairingsRequest, caller: Caller) -> Answered:
        """Set pairings of the round that waits, in place of those set before, and return the round.

        Raises Refused: NO_TOKEN, MALFORMED for what is no pairing, UNKNOWN, TOURNAMENT for another owner, where no such round
        waits, where pairings are not free, and for what cannot be paired (`pairing` in the details says which, from 0).
        """
        if any(0 in one.players or not one.players for one in request.pairings):
            raise malformed("pairings", "a pairing is the numbers of players, from 1")
        pairings = [tuple(number - 1 for number in one.players) for one in request.pairings]

        def write(connection: Connection, tournament: Row[Any]) -> None:
            _require_waiting(tournament, request.round)
            if not description.format_of(description.asked(tournament)).is_paired_anew:
                raise refused("fixed", "the pairings of such a tournament follow from its kind")
            found = by_hand.problem(next_round.following(connection, tournament), pairings)
            if found is not None:
                place = {} if found.place is None else {"pairing": str(found.place)}
                raise refused(found.why, _PROBLEMS[found.why], **place)
            tournament_rows.change(connection, tournament.tournament_id, set_pairings=[[*each] for each in pairings] or None)

        await self._for_owner(request.tournament_id, caller, write)
        return Answered(pb.SetPairingsResponse(plan=await self._plan(request.tournament_id, caller)))

    async def forbid_pairs(self, request: pb.ForbidPairsRequest, caller: Caller) -> Answered:
        """Forbid all pairs among some players, or allow them again, and return the round that waits.

        Raises Refused: NO_TOKEN, MALFORMED for fewer than two, UNKNOWN, TOURNAMENT for another owner, one that is over, or where
        the pairings are fixed, FULL.
        """
        players = {*request.player_ids}
        if len(players) < 2:
            raise malformed("player_ids", "a pair is two players")

        def write(connection: Connection, tournament: Row[Any]) -> None:
            _require_free(tournament)
            found = {one.player_id for one in tournament_rows.players(connection, tournament.tournament_id)}
            if missing := sorted(players - found):
                raise unknown("player", "player_ids", missing[0])
            if request.withdraw:
                keeping_apart.allow(connection, tournament.tournament_id, players)
            else:
                keeping_apart.forbid(connection, tournament.tournament_id, players)
                count = keeping_apart.count_forbidden(connection, tournament.tournament_id)
                require_room(count - 1, MAX_FORBIDDEN, "forbidden_pairs")

        await self._for_owner(request.tournament_id, caller, write)
        return Answered(pb.ForbidPairsResponse(plan=await self._plan(request.tournament_id, caller)))

    async def begin_round(self, request: pb.BeginRoundRequest, caller: Caller) -> Answered:
        """Begin the round that waits, and return the tournament; nothing happens where it has begun.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT for another owner, or where no such round waits.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any]) -> tuple[pb.Tournament, dict[str, int]]:
            heads: dict[str, int] = {}
            if not 0 < request.round <= tournament.round:
                _require_waiting(tournament, request.round)
                heads = rounds.go_on(connection, tournament, now_ms)
            after = tournament_rows.find(connection, tournament.tournament_id)
            assert after is not None
            return description.tournaments(connection, [after], caller.player_id)[0], heads

        tournament, heads = await self._for_owner(request.tournament_id, caller, write)
        self._wake(heads)
        return Answered(pb.BeginRoundResponse(tournament=tournament))

    async def _plan(self, tournament_id: str, caller: Caller) -> pb.RoundPlan:
        """Return the plan of a tournament of the caller's. It holds nothing: a large round takes a second."""
        return await self._for_owner(tournament_id, caller, plan_of, tournament_rows.find)

    async def _for_owner(
        self,
        tournament_id: str,
        caller: Caller,
        work: Callable[[Connection, Row[Any]], T],
        find: Callable[[Connection, str], Row[Any] | None] = tournament_rows.hold,
    ) -> T:
        """Return what `work` does with a tournament of the caller's, which `find` holds unless nothing is to be changed."""
        caller.require_player()

        def do(connection: Connection) -> T:
            rows.own(connection, caller)
            found = find(connection, tournament_id)
            if found is None:
                raise unknown("tournament", "tournament_id", tournament_id)
            require_owner(found, caller)
            return work(connection, found)

        return await self._store.run(do)


def plan_of(connection: Connection, tournament: Row[Any]) -> pb.RoundPlan:
    """Return the round of a tournament that waits, as it would begin now, and the forbidden pairs."""
    found = {one.player_id: one.name for one in tournament_rows.players(connection, tournament.tournament_id)}
    forbidden = [
        pb.ForbiddenPair(one=description.player(one, found[one]), other=description.player(other, found[other]))
        for one, other in keeping_apart.forbidden(connection, tournament.tournament_id)
        if one in found and other in found
    ]
    plan = pb.RoundPlan(due_at_ms=tournament.round_due_ms, forbidden=forbidden)
    if tournament.state == RUNNING and tournament.round_due_ms:
        following = next_round.planned(connection, tournament)
        plan.round = tournament.round + 1
        for table, game in enumerate(following.games, 1):
            plan.pairings.append(description.planned_pairing(game, table, by_hand=game.numbers in following.chosen))
    return plan


def _require_waiting(tournament: Row[Any], number: int) -> None:
    if tournament.state != RUNNING:
        raise not_now(tournament)
    if not tournament.round_due_ms or number != tournament.round + 1:
        raise refused("not_waiting", "this round does not wait for the owner of the tournament")


def _require_free(tournament: Row[Any]) -> None:
    """Return where pairs can be forbidden: where each round is paired anew, and elsewhere until the start."""
    if tournament.state not in LIVE:
        raise not_now(tournament)
    rules = description.format_of(description.asked(tournament))
    if not rules.is_paired_anew and (rules.first_free is None or tournament.state != OPEN):
        raise refused("fixed", "the pairings of such a tournament follow from its kind")
