"""Tournaments: the calls."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.clubs.roles import ORGANISERS
from services.players.game_data import require_game
from services.players.opponents import session_orders
from services.players.opponents.arrangement import asked as session_of
from services.players.opponents.sessions import Sessions
from services.players.request_ids import require_request_id
from services.players.tournaments import (
    arbiter_rows,
    arena_description,
    arenas,
    boards,
    club_match_rows,
    description,
    entry,
    rounds,
    seatings,
    tournament_rows,
)
from services.players.tournaments.formats import FORMATS, MIN_PLAYERS
from services.players.tournaments.refusals import not_now, refused, require_owner
from services.players.tournaments.results import LOSS, WIN
from services.players.tournaments.tournament_rows import CANCELLED, LIVE, MAX_JOINED, MAX_LIVE, OPEN, RUNNING
from services.runtime import metrics
from services.runtime.player_text import TITLE_BYTES, clean_text
from services.runtime.refusal import Refused, listed, malformed, require_room, unknown
from services.runtime.wall_clock import wall_ms

MAX_OWN = 5
"""Tournaments of an owner that are not over, beside those of series."""
MIN_JOIN_TIMEOUT_S, MIN_PAUSE_S = 5, 60
MIN_DURATION_S, MAX_DURATION_S = 60, 86_400
"""Of an arena."""
_CREATED = sorted({*FORMATS} - {"club_match"})  # it begins with a challenge


class Tournaments:
    """The calls about tournaments. Raises Refused."""

    def __init__(
        self, store: Access, sessions: Sessions, wake: Callable[[dict[str, int]], None], now_ms: Callable[[], int] = wall_ms
    ) -> None:
        """`wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._wake = wake
        self._sessions = sessions
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "create_tournament": self.create,
            "join_tournament": self.join,
            "leave_tournament": self.leave,
            "start_tournament": self.start,
            "cancel_tournament": self.cancel,
            "request_bye": self.request_bye,
            "correct_pairing": self.correct_pairing,
            "get_tournament": self.get,
            "list_tournaments": self.list,
        }

    async def create(self, request: pb.CreateTournamentRequest, caller: Caller) -> Answered:
        """Create a tournament, or find the one of an equal request; return it.

        The session service judges what its games are to be like, and what it is called. Raises Refused: NO_TOKEN, MALFORMED,
        UNKNOWN, CLUB, FULL, REQUEST_ID_REUSED, and what the session service refuses.
        """
        caller.require_player()
        now_ms = self._now_ms()
        request.name = clean_text(request.name, "name", TITLE_BYTES)
        check_request(request, now_ms)
        # Asked outside the transaction, which must not wait for another service; a repeat is not judged again.
        known = await self._store.run(
            partial(tournament_rows.find_asked, owner_id=caller.player_id, request_id=request.request_id)
        )
        if known is None:
            for seats in seatings.possible_sizes(request.seats) if request.seats else (2,):
                await self._sessions.arrange(example(request, seats))

        def write(connection: Connection) -> pb.Tournament:
            rows.own(connection, caller)
            if tournament_rows.find_asked(connection, caller.player_id, request.request_id) is None:
                entry.require_club(connection, request.club_id, caller)
                require_room(tournament_rows.count_live(connection), MAX_LIVE, "tournaments")
                require_room(tournament_rows.count_live(connection, caller.player_id), MAX_OWN, "own_tournaments")
                tournament_rows.add(connection, tournament_rows.new_tournament(request, caller.player_id, caller.name, now_ms))
            row = tournament_rows.find_asked(connection, caller.player_id, request.request_id)
            assert row is not None
            if known is None and description.format_of(request).needs_host:
                require_room(tournament_rows.count_joined(connection, caller.player_id), MAX_JOINED, "joined_tournaments")
                tournament_rows.join(
                    connection, tournament_rows.new_player(row.tournament_id, caller.player_id, caller.name, now_ms)
                )
            if row.request != request.SerializeToString(deterministic=True):
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another tournament")
            return description.tournaments(connection, [row], caller.player_id)[0]

        made = await self._store.run(write)
        if known is None:
            metrics.TOURNAMENTS.labels(description.kind_name(request), "created").inc()
        return Answered(pb.CreateTournamentResponse(tournament=made))

    async def join(self, request: pb.JoinTournamentRequest, caller: Caller) -> Answered:
        """Take part in a tournament that has not started, or allows late entry, and return it.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT once it is too late or for players whom its owner blocks, CLUB for those who
        are no members of its club, FULL.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any]) -> None:
            if tournament.other_club_id:
                raise refused("club_match", "members enter such a match for one of its clubs")
            if tournament.lasts_ms and tournament.state == RUNNING:
                entry.come_in(connection, tournament, caller, now_ms)
                return
            found = tournament_rows.players(connection, tournament.tournament_id)
            if any(one.player_id == caller.player_id and one.left_after is None for one in found):
                return
            if any(one.player_id == caller.player_id for one in found) or not description.is_joinable(tournament):
                raise not_now(tournament)
            entry.require(connection, tournament, caller, len(found))
            player = tournament_rows.new_player(tournament.tournament_id, caller.player_id, caller.name, now_ms)
            if tournament.state == RUNNING:
                player |= {**entry.late(connection, tournament, caller, len(found)), "first_round": tournament.round + 1}
            tournament_rows.join(connection, player)

        return Answered(pb.JoinTournamentResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def leave(self, request: pb.LeaveTournamentRequest, caller: Caller) -> Answered:
        """Leave a tournament, and return it; games under way go on. Raises Refused: NO_TOKEN, UNKNOWN."""

        def write(connection: Connection, tournament: Row[Any]) -> None:
            if tournament.state == OPEN:
                tournament_rows.drop(connection, tournament.tournament_id, caller.player_id)
            elif tournament.state == RUNNING and tournament.lasts_ms:
                arenas.leave(connection, tournament, caller.player_id)
            elif tournament.state == RUNNING:
                found = tournament_rows.players(connection, tournament.tournament_id)
                if any(one.player_id == caller.player_id and one.left_after is None for one in found):
                    changes = {"left_after": tournament.round}
                    tournament_rows.change_player(connection, tournament.tournament_id, caller.player_id, **changes)

        return Answered(pb.LeaveTournamentResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def start(self, request: pb.StartTournamentRequest, caller: Caller) -> Answered:
        """Start a tournament of the caller's now, and return it.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT for another owner, too few players, one whose owner has to take part and
        does not, or one that is over.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any]) -> dict[str, int]:
            require_owner(tournament, caller)
            if tournament.state == RUNNING:
                return {}
            if tournament.state != OPEN:
                raise not_now(tournament)
            if tournament.lasts_ms:
                return arenas.start(connection, tournament, now_ms)
            found = tournament_rows.players(connection, tournament.tournament_id)
            if description.lacks_host(tournament, found):
                raise refused("no_host", "its owner, whom all others play, does not take part")
            if len(found) < MIN_PLAYERS:
                raise refused("too_few", f"a tournament needs {MIN_PLAYERS} players")
            return rounds.start(connection, tournament, now_ms)

        return Answered(pb.StartTournamentResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def cancel(self, request: pb.CancelTournamentRequest, caller: Caller) -> Answered:
        """Cancel a tournament of the caller's, and return it. Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT for another owner."""
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any]) -> dict[str, int]:
            require_owner(tournament, caller)
            if tournament.state in LIVE and tournament.lasts_ms:
                return arenas.end(connection, tournament, CANCELLED, now_ms)
            if tournament.state in LIVE:
                return rounds.end(connection, tournament, CANCELLED, now_ms)
            if tournament.state != CANCELLED:
                raise not_now(tournament)
            return {}

        return Answered(pb.CancelTournamentResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def request_bye(self, request: pb.RequestByeRequest, caller: Caller) -> Answered:
        """Let the caller sit out the next round, or no longer, and return the tournament.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT where there is no next round, no byes on request, or no more of them.
        """

        def write(connection: Connection, tournament: Row[Any]) -> None:
            found = tournament_rows.players(connection, tournament.tournament_id)
            own = next((one for one in found if one.player_id == caller.player_id and one.left_after is None), None)
            following = tournament.round + 1
            if tournament.state != RUNNING:
                raise not_now(tournament)
            if own is None or following > tournament.rounds:
                raise refused("no_round", "there is no next round for this player")
            if not description.format_of(description.asked(tournament)).takes_changes:
                raise refused("no_bye", "nobody sits out a round of such a tournament")
            if own.bye_round is not None and own.bye_round < following:
                raise refused("had_bye", "a player sits out one round at most")
            changes = {"bye_round": None if request.withdraw else following}
            tournament_rows.change_player(connection, tournament.tournament_id, caller.player_id, **changes)

        return Answered(pb.RequestByeResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def correct_pairing(self, request: pb.CorrectPairingRequest, caller: Caller) -> Answered:
        """Correct the points of a pairing in a tournament of which the caller is an arbiter, and return the tournament.

        Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, WORD_NOT_ALLOWED, TOURNAMENT for anybody else, one that is not running or
        too far on; in a match of clubs CLUB for those who organise neither, TOURNAMENT for a club's own favour.
        """
        caller.require_player()
        reason = clean_text(request.reason, "reason", TITLE_BYTES)
        await self._sessions.arrange(_checked_words(reason, await self._asked(request.tournament_id)))
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any]) -> None:
            pairing = tournament_rows.pairing_at(connection, tournament.tournament_id, request.round, request.table)
            if not tournament.other_club_id:
                numbers = [] if pairing is None else [pairing.first, pairing.second, *(pairing.others or ())]
                playing = tournament_rows.players(connection, tournament.tournament_id, numbers)
                arbiter_rows.require(connection, tournament, caller.player_id, [one.player_id for one in playing])
            if tournament.state != RUNNING:
                raise not_now(tournament)
            if pairing is None or pairing.second is None:
                raise unknown("pairing", "table", str(request.table))
            asked = description.asked(tournament)
            rules = description.format_of(asked)
            entrants = tournament_rows.players(connection, tournament.tournament_id)
            is_knock_out = rules.bracket is not None and tournament.round > rules.group_rounds(len(entrants))
            if is_knock_out and pairing.round < tournament.round:
                raise refused("next_round", "the next round of the knock-out has begun")
            points = _points(request, 2 + len(pairing.others or ()), description.seats_of(asked))
            if tournament.other_club_id:
                _require_generous(connection, tournament, pairing, points, caller)
            session_orders.give_up(connection, [pairing.arrangement_id])
            tournament_rows.correct(connection, pairing, points, reason)
            if tournament.lasts_ms:
                arenas.note_result(connection, tournament, pairing, now_ms)

        return Answered(pb.CorrectPairingResponse(tournament=await self._change(request.tournament_id, caller, write)))

    async def _asked(self, tournament_id: str) -> pb.CreateTournamentRequest:
        row = await self._store.run(partial(tournament_rows.find, tournament_id=tournament_id))
        if row is None:
            raise unknown("tournament", "tournament_id", tournament_id)
        return description.asked(row)

    async def get(self, request: pb.GetTournamentRequest, caller: Caller) -> Answered:
        """Return a tournament with all its rounds."""

        def read(connection: Connection) -> pb.GetTournamentResponse:
            row = tournament_rows.find(connection, request.tournament_id)
            if row is None or not description.is_known_to(connection, row, caller.player_id):
                raise unknown("tournament", "tournament_id", request.tournament_id)
            if row.lasts_ms:
                return arena_description.whole(connection, row, caller.player_id, request.skip)
            return description.whole(connection, row, caller.player_id)

        return Answered(await self._store.run(read))

    async def list(self, request: pb.ListTournamentsRequest, caller: Caller) -> Answered:
        """Return a page of tournaments.

        Raises Refused: MALFORMED for a page token that no page had, NO_TOKEN for the caller's own, UNKNOWN or CLUB for those of a
        club of others.
        """
        if request.mine:
            caller.require_player()

        def read(connection: Connection) -> pb.ListTournamentsResponse:
            entry.require_club(connection, request.club_id, caller)
            return description.page(connection, request, caller.player_id)

        return Answered(await self._store.run(read))

    async def _change(
        self, tournament_id: str, caller: Caller, write: Callable[[Connection, Row[Any]], dict[str, int] | None]
    ) -> pb.Tournament:
        """Change a tournament that nobody else changes meanwhile; return it as it is then. `write` returns who has news."""
        caller.require_player()

        def change(connection: Connection) -> tuple[pb.Tournament, dict[str, int]]:
            rows.own(connection, caller)
            held = tournament_rows.hold(connection, tournament_id)
            # Strangers learn nothing of two clubs; of a club's own tournament they learn that it is for members.
            if held is None or (held.other_club_id and not description.is_known_to(connection, held, caller.player_id)):
                raise unknown("tournament", "tournament_id", tournament_id)
            heads = write(connection, held) or {}
            after = tournament_rows.find(connection, tournament_id)
            assert after is not None
            return description.tournaments(connection, [after], caller.player_id)[0], heads

        tournament, heads = await self._store.run(change)
        self._wake(heads)
        return tournament


def _require_generous(
    connection: Connection, tournament: Row[Any], pairing: Row[Any], points: Sequence[int], caller: Caller
) -> None:
    """Return where an organiser of a club corrects a match to its disadvantage. Raises Refused (CLUB, TOURNAMENT)."""
    own = [
        club
        for club in (boards.CHALLENGER, boards.CHALLENGED)
        if club_rows.role_of(connection, club_match_rows.club_id_of(tournament, club), caller.player_id) in ORGANISERS
    ]
    if not own:
        raise club_rows.refused("not_organiser", "only organisers of the clubs can do that")
    game = tournament_rows.game(pairing)
    before = game.points or (LOSS,) * len(game.numbers)
    for club in own:
        mine = [seat for seat, number in enumerate(game.numbers) if boards.club_of(number) == club]
        if sum(points[seat] for seat in mine) <= sum(before[seat] for seat in mine):
            return
    raise refused("own_favour", "a club corrects a match in favour of the other one only")


def check_request(request: pb.CreateTournamentRequest, now_ms: int) -> None:
    """Return for a tournament that there can be, as far as this service knows. Raises Refused (MALFORMED, UNKNOWN)."""
    require_request_id(request.request_id)
    require_game(request.game)
    if request.kind not in pb.Tournament.Kind.values() or description.kind_name(request) not in _CREATED:
        raise malformed("kind", f"there is no kind of tournament {request.kind}; there are: {listed(_CREATED)}")
    if not request.clock.kind:
        raise malformed("clock", "games of a tournament have a clock, because everybody waits for the last game of a round")
    if request.rounds and request.kind not in (pb.Tournament.KIND_SWISS, pb.Tournament.KIND_TABLES):
        raise malformed("rounds", "the number of rounds of such a tournament depends on the number of players")
    least, largest = (seatings.MIN_SEATS, seatings.MAX_SEATS) if request.kind == pb.Tournament.KIND_TABLES else (0, 0)
    if not least <= request.seats <= largest:
        raise malformed("seats", "tables have three to six seats in a tournament of larger tables, and two in all others")
    most = description.format_of(request).max_players
    if request.max_players and not MIN_PLAYERS <= request.max_players <= most:
        raise malformed("max_players", f"{MIN_PLAYERS} to {most} can join")
    if request.late_entry and not description.format_of(request).takes_changes:
        raise malformed("late_entry", "nobody can join late where all meet all, or whoever loses is out; in an arena all can")
    _check_duration(request)
    if request.round_pause_s and (request.round_pause_s < MIN_PAUSE_S or has_one_round(request)):
        raise malformed("round_pause_s", f"rounds wait at least {MIN_PAUSE_S} seconds, where there are several")
    if request.join_timeout_s and request.join_timeout_s < MIN_JOIN_TIMEOUT_S:
        raise malformed("join_timeout_s", f"a table waits at least {MIN_JOIN_TIMEOUT_S} seconds")
    if request.starts_at_ms and not now_ms < request.starts_at_ms <= now_ms + tournament_rows.OPEN_MS:
        raise malformed("starts_at_ms", "a tournament starts within the next 90 days")


def has_one_round(request: pb.CreateTournamentRequest) -> bool:
    """Return whether a tournament has no round that a later one follows."""
    return request.kind == pb.Tournament.KIND_ARENA or description.format_of(request).needs_host


def _check_duration(request: pb.CreateTournamentRequest) -> None:
    is_arena = request.kind == pb.Tournament.KIND_ARENA
    if request.duration_s and not is_arena:
        raise malformed("duration_s", "only an arena lasts a set time")
    if is_arena and not MIN_DURATION_S <= request.duration_s <= MAX_DURATION_S:
        raise malformed("duration_s", f"an arena lasts {MIN_DURATION_S} to {MAX_DURATION_S} seconds")
    if is_arena and 2 * request.clock.time_ms > request.duration_s * 1000:
        raise malformed("clock", "both players have to have this time within the arena")


def example(request: pb.CreateTournamentRequest, seats: int) -> session_pb2.ArrangeSessionRequest:
    """Return a session as the tournament's are, which is only checked."""
    options = request.options if request.HasField("options") else None
    checked = session_of(
        secrets.token_hex(16),
        request.game,
        [f"player {seat}" for seat in range(seats)],
        options=options,
        clock=request.clock,
        competitive=not request.friendly,
        title=request.name,
    )
    checked.only_checks = True
    return checked


def _checked_words(text: str, request: pb.CreateTournamentRequest) -> session_pb2.ArrangeSessionRequest:
    """Return a session by which the session service checks the words of a text."""
    asking = example(request, description.seats_of(request))
    asking.create.title = text
    return asking


def _points(request: pb.CorrectPairingRequest, count: int, seats: int) -> list[int]:
    """Return corrected points in halves. Raises Refused (MALFORMED) where so many players cannot have these."""
    points = [round(each * WIN) for each in request.points]
    is_whole = all(own == each * WIN for own, each in zip(points, request.points, strict=True))
    most = WIN * (seats - 1)
    if not is_whole or len(points) != count or min(points) < LOSS or max(points) > most or sum(points) > count * most // 2:
        raise malformed("points", "so many players cannot have these points, which are halves")
    return points
