"""Matches of clubs: the calls by which one club challenges another, and both enter. The rest is a tournament's.

A private club is challenged by its id, which nobody guesses: its organisers are told the name of the other club, and the caller
its own, nothing more.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import regex
from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import club_matches_pb2 as calls_pb
from brettwerk.v1 import errors_pb2, news_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.clubs.roles import ORGANISERS
from services.players.game_data import require_game
from services.players.news import feed
from services.players.opponents import blocks
from services.players.opponents.sessions import Sessions
from services.players.request_ids import require_request_id
from services.players.tournaments import club_match_rows, description, entry, rounds, seatings, tournament_rows
from services.players.tournaments.boards import CHALLENGED, CHALLENGER, MAX_ENTERED, most_boards
from services.players.tournaments.club_match_rows import ACCEPTED, DECLINED, WAITS, WITHDRAWN, club_id_of
from services.players.tournaments.refusals import not_now, refused
from services.players.tournaments.tournament_rows import CANCELLED, MAX_JOINED, MAX_LIVE, OPEN
from services.players.tournaments.tournaments import MAX_OWN, MIN_JOIN_TIMEOUT_S, example
from services.runtime import metrics
from services.runtime.refusal import Refused, malformed, require_room, unknown
from services.runtime.wall_clock import wall_ms

MAX_OF_CLUB, MAX_WAITING = 20, 10
"""Matches of a club that are not over, and challenges to it that wait for an answer."""
AGAIN_MS = 86_400_000
"""How long a club does not challenge one again that did not accept."""
_SEATS, _GAMES = (2, 4, 6), (1, 2)
_NAME_BYTES = 60
_CHALLENGED, _ANSWERED = news_pb2.News.KIND_CLUB_CHALLENGED, news_pb2.News.KIND_CLUB_CHALLENGE_ANSWERED


class ClubMatches:
    """The calls. Raises Refused."""

    def __init__(
        self, store: Access, sessions: Sessions, wake: Callable[[dict[str, int]], None], now_ms: Callable[[], int] = wall_ms
    ) -> None:
        """`wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._sessions = sessions
        self._wake = wake
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "challenge_club": self.challenge,
            "answer_club_match": self.answer,
            "cancel_club_match": self.cancel,
            "enter_club_match": self.enter,
            "set_board_order": self.set_line_up,
            "list_club_matches": self.list,
        }

    async def challenge(self, request: calls_pb.ChallengeClubRequest, caller: Caller) -> Answered:
        """Challenge a club, or find the match of an equal request; return it.

        The session service judges what its games are to be like. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, CLUB for those who
        do not organise the club and where the two have to wait, BLOCKED, FULL, REQUEST_ID_REUSED, and what the session service
        refuses.
        """
        caller.require_player()
        now_ms = self._now_ms()
        _check(request, now_ms)
        digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
        asked_before = partial(tournament_rows.find_asked, owner_id=caller.player_id, request_id=request.request_id)
        known = await self._store.run(asked_before)
        names = ("", "")
        if known is None:
            # Asked outside the transaction, which must not wait for another service; a repeat is not judged again.
            names = await self._store.run(lambda connection: _names(connection, request, caller))
            terms = _terms(request, names)
            for seats in seatings.possible_sizes(terms.seats) if terms.seats else (2,):
                await self._sessions.arrange(example(terms, seats))

        def write(connection: Connection) -> tuple[pb.Tournament, dict[str, int]]:
            rows.own(connection, caller)
            heads = {} if asked_before(connection) else _challenge(connection, request, names, digest, caller, now_ms)
            row = asked_before(connection)
            assert row is not None
            match = club_match_rows.find(connection, row.tournament_id)
            if match is None or match.request != digest:
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for something else")
            return description.tournaments(connection, [row], caller.player_id)[0], heads

        made, heads = await self._store.run(write)
        self._wake(heads)
        if known is None:
            metrics.TOURNAMENTS.labels("club_match", "created").inc()
        return Answered(calls_pb.ChallengeClubResponse(match=made))

    async def answer(self, request: calls_pb.AnswerClubMatchRequest, caller: Caller) -> Answered:
        """Accept or decline a challenge; return the match.

        Raises Refused: NO_TOKEN, UNKNOWN, CLUB for those who do not organise the challenged club, TOURNAMENT once it is answered,
        withdrawn or has lapsed.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any], match: Row[Any]) -> dict[str, int]:
            _require_organiser(connection, [tournament.other_club_id], caller)
            wanted = ACCEPTED if request.accept else DECLINED
            if match.answer == wanted:
                return {}
            if match.answer != WAITS or not _is_open(tournament, now_ms):
                raise refused("answered", "the challenge waits for no answer any more")
            if request.accept and club_rows.find(connection, tournament.club_id) is None:
                raise unknown("club", "club_id")
            club_match_rows.answer(connection, tournament.tournament_id, wanted, now_ms)
            heads = {} if request.accept else rounds.end(connection, tournament, CANCELLED, now_ms)
            news = _news(connection, tournament, _ANSWERED, match.other_name, tournament.club_id, now_ms)
            return heads | feed.note(connection, news)

        return Answered(calls_pb.AnswerClubMatchResponse(match=await self._change(request.tournament_id, caller, write)))

    async def cancel(self, request: calls_pb.CancelClubMatchRequest, caller: Caller) -> Answered:
        """Take a challenge back, or cancel a match that has not started; return it.

        Raises Refused: NO_TOKEN, UNKNOWN, CLUB for those who organise neither club, TOURNAMENT once it has started.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any], match: Row[Any]) -> dict[str, int]:
            clubs = [tournament.club_id, *([tournament.other_club_id] if match.answer == ACCEPTED else [])]
            _require_organiser(connection, clubs, caller)
            if tournament.state == CANCELLED:
                return {}
            if tournament.state != OPEN:
                raise not_now(tournament)
            if match.answer == WAITS:
                club_match_rows.answer(connection, tournament.tournament_id, WITHDRAWN, now_ms)
            return rounds.end(connection, tournament, CANCELLED, now_ms)

        return Answered(calls_pb.CancelClubMatchResponse(match=await self._change(request.tournament_id, caller, write)))

    async def enter(self, request: calls_pb.EnterClubMatchRequest, caller: Caller) -> Answered:
        """Enter for a club, or no longer; return the match.

        Raises Refused: NO_TOKEN, UNKNOWN, CLUB for those who are no members, TOURNAMENT before the challenge is accepted, after
        the start, and for those who have entered for the other club, FULL.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, tournament: Row[Any], match: Row[Any]) -> None:
            club = _club(tournament, request.club_id)
            entered = {each: _entered(connection, tournament, each) for each in (CHALLENGER, CHALLENGED)}
            if request.withdraw:
                if tournament.state != OPEN:
                    raise not_now(tournament)
                if caller.player_id in entered[club]:
                    tournament_rows.drop(connection, tournament.tournament_id, caller.player_id)
                return
            if not club_rows.is_member(connection, request.club_id, caller.player_id):
                raise club_rows.refused("not_member", "only members of the club can do that")
            if caller.player_id in entered[club]:
                return
            if caller.player_id in entered[CHALLENGER if club == CHALLENGED else CHALLENGED]:
                raise refused("other_club", "this player has entered for the other club")
            if match.answer == WAITS and tournament.state == OPEN:
                raise refused("unanswered", "the challenge is not accepted yet")
            if not _is_open(tournament, now_ms):
                raise not_now(tournament)
            # A member who has left a club has made room in its line-up.
            club_match_rows.keep(connection, tournament.tournament_id, [*entered[CHALLENGER], *entered[CHALLENGED]])
            require_room(len(entered[club]), MAX_ENTERED, "players")
            require_room(tournament_rows.count_joined(connection, caller.player_id), MAX_JOINED, "joined_tournaments")
            player = tournament_rows.new_player(tournament.tournament_id, caller.player_id, caller.name, now_ms)
            tournament_rows.join(connection, player | {"club": club})

        return Answered(calls_pb.EnterClubMatchResponse(match=await self._change(request.tournament_id, caller, write)))

    async def set_line_up(self, request: calls_pb.SetBoardOrderRequest, caller: Caller) -> Answered:
        """Set the order of a club's players; return the match.

        Raises Refused: NO_TOKEN, MALFORMED for a player who is named twice, UNKNOWN, CLUB for those who do not organise it,
        TOURNAMENT after the start.
        """
        if len({*request.player_ids}) < len(request.player_ids):
            raise malformed("player_ids", "a player has one place in the line-up")

        def write(connection: Connection, tournament: Row[Any], _match: Row[Any]) -> None:
            club = _club(tournament, request.club_id)
            _require_organiser(connection, [request.club_id], caller)
            if tournament.state != OPEN:
                raise not_now(tournament)
            entered = _entered(connection, tournament, club)
            if missing := [one for one in request.player_ids if one not in entered]:
                raise unknown("player", "player_ids", missing[0])
            club_match_rows.set_line_up(connection, tournament.tournament_id, club, request.player_ids)

        return Answered(calls_pb.SetBoardOrderResponse(match=await self._change(request.tournament_id, caller, write)))

    async def list(self, request: calls_pb.ListClubMatchesRequest, caller: Caller) -> Answered:
        """Return a page of a club's matches. Raises Refused: MALFORMED, UNKNOWN, CLUB for those who are no members."""

        def read(connection: Connection) -> calls_pb.ListClubMatchesResponse:
            club = club_rows.find(connection, request.club_id)
            club_rows.require_member(connection, club, request.club_id, caller.player_id)
            return description.club_matches(connection, request, caller.player_id)

        return Answered(await self._store.run(read))

    async def _change(
        self, tournament_id: str, caller: Caller, write: Callable[[Connection, Row[Any], Row[Any]], dict[str, int] | None]
    ) -> pb.Tournament:
        """Change a match that nobody else changes meanwhile; return it as it is then. `write` returns who has news."""
        caller.require_player()

        def change(connection: Connection) -> tuple[pb.Tournament, dict[str, int]]:
            rows.own(connection, caller)
            held = tournament_rows.hold(connection, tournament_id)
            match = club_match_rows.find(connection, tournament_id)
            if held is None or match is None or not description.is_known_to(connection, held, caller.player_id):
                raise unknown("tournament", "tournament_id", tournament_id)
            heads = write(connection, held, match) or {}
            after = tournament_rows.find(connection, tournament_id)
            assert after is not None
            return description.tournaments(connection, [after], caller.player_id)[0], heads

        found, heads = await self._store.run(change)
        self._wake(heads)
        return found


def _check(request: calls_pb.ChallengeClubRequest, now_ms: int) -> None:
    """Return for a match that there can be, as far as this service knows. Raises Refused (MALFORMED, UNKNOWN)."""
    require_request_id(request.request_id)
    require_game(request.game)
    if not request.clock.kind:
        raise malformed("clock", "games of a match have a clock, because everybody waits for the last one")
    if request.club_id == request.other_club_id:
        raise malformed("other_club_id", "a club does not challenge itself")
    request.seats = request.seats or 2
    request.games = request.games or 1
    if request.seats not in _SEATS:
        raise malformed("seats", "half of the seats of a table are either club's: there are two, four or six")
    if request.games not in _GAMES[: 2 if request.seats == 2 else 1]:
        raise malformed("games", "two games are played at a board of two seats at most, one at a larger table")
    request.min_boards = request.min_boards or 1
    request.max_boards = request.max_boards or most_boards(request.seats)
    if not request.min_boards <= request.max_boards <= most_boards(request.seats):
        raise malformed("max_boards", f"there are {request.min_boards} to {most_boards(request.seats)} boards")
    if request.join_timeout_s and request.join_timeout_s < MIN_JOIN_TIMEOUT_S:
        raise malformed("join_timeout_s", f"a table waits at least {MIN_JOIN_TIMEOUT_S} seconds")
    if not now_ms < request.starts_at_ms <= now_ms + tournament_rows.OPEN_MS:
        raise malformed("starts_at_ms", "a match starts within the next 90 days")


def _names(connection: Connection, request: calls_pb.ChallengeClubRequest, caller: Caller) -> tuple[str, str]:
    """Return what the two clubs are called, to one who may challenge the other. Raises Refused (UNKNOWN, CLUB, BLOCKED)."""
    entry.require_club(connection, request.club_id, caller)
    _require_organiser(connection, [request.club_id], caller)
    own, other = (club_rows.find(connection, club_id) for club_id in (request.club_id, request.other_club_id))
    if own is None or other is None:
        raise unknown("club", "club_id" if own is None else "other_club_id")
    if blocks.among(connection, [caller.player_id, club_rows.owner_of(connection, other.club_id)]):
        raise Refused(errors_pb2.REASON_BLOCKED, "the owner of the club and this player do not meet")
    return own.name, other.name


def _challenge(
    connection: Connection,
    request: calls_pb.ChallengeClubRequest,
    names: tuple[str, str],
    digest: bytes,
    caller: Caller,
    now_ms: int,
) -> dict[str, int]:
    """Store a match, and tell those who can answer; return the new heads of their news. Raises Refused (CLUB, FULL)."""
    # Both clubs are held, in one order: bounds hold, and of two challenges to each other the second one finds the first.
    for club_id in sorted((request.club_id, request.other_club_id)):
        club_rows.hold(connection, club_id)
    _names(connection, request, caller)
    if club_match_rows.is_waiting(connection, request.club_id, request.other_club_id):
        raise club_rows.refused("challenged", "one of the two clubs has challenged the other, and waits for an answer")
    if club_match_rows.was_refused(connection, request.club_id, request.other_club_id, now_ms - AGAIN_MS):
        raise club_rows.refused("again", "a club that did not accept is challenged again after a day")
    for club_id in (request.club_id, request.other_club_id):
        require_room(club_match_rows.count_live(connection, club_id), MAX_OF_CLUB, "club_matches")
    require_room(club_match_rows.count_waiting(connection, request.other_club_id), MAX_WAITING, "club_challenges")
    require_room(tournament_rows.count_live(connection), MAX_LIVE, "tournaments")
    require_room(tournament_rows.count_live(connection, caller.player_id), MAX_OWN, "own_tournaments")
    tournament = tournament_rows.new_tournament(_terms(request, names), caller.player_id, caller.name, now_ms)
    tournament_rows.add(connection, tournament | {"other_club_id": request.other_club_id})
    made = tournament_rows.find_asked(connection, caller.player_id, request.request_id)
    assert made is not None
    match = {"tournament_id": made.tournament_id, "request": digest, "club_name": names[0], "other_name": names[1]}
    club_match_rows.add(connection, match | {"answer": WAITS, "answered_at_ms": 0, "min_boards": request.min_boards})
    return feed.note(connection, _news(connection, made, _CHALLENGED, names[0], request.other_club_id, now_ms))


def _terms(request: calls_pb.ChallengeClubRequest, names: tuple[str, str]) -> pb.CreateTournamentRequest:
    """Return the tournament that a match is."""
    return pb.CreateTournamentRequest(
        name=match_name(*names),
        game=request.game,
        options=request.options if request.HasField("options") else None,
        clock=request.clock,
        kind=pb.Tournament.KIND_CLUB_MATCH,
        rounds=request.games,
        max_players=request.max_boards * request.seats,
        starts_at_ms=request.starts_at_ms,
        join_timeout_s=request.join_timeout_s,
        request_id=request.request_id,
        seats=0 if request.seats == 2 else request.seats,
        club_id=request.club_id,
        friendly=request.friendly,
    )


def match_name(one: str, other: str) -> str:
    """Return what a match is called: by its clubs, whose names are cut where they are too long together.

    >>> match_name("Chess café", "Board games of the old town, every Monday at eight")
    'Chess café – Board games of the old town, every Mo…'
    """
    room = _NAME_BYTES - len(" – ".encode())
    if len(one.encode()) + len(other.encode()) > room:
        least = room // 2
        one = _cut(one, max(least, room - len(other.encode())))
        other = _cut(other, room - len(one.encode()))
    return f"{one} – {other}"


def _cut(name: str, most: int) -> str:
    if len(name.encode()) <= most:
        return name
    kept = ""
    for character in regex.findall(r"\X", name):
        if len(f"{kept}{character}…".encode()) > most:
            break
        kept += character
    return f"{kept.rstrip()}…"


def _news(
    connection: Connection, tournament: Row[Any], kind: news_pb2.News.Kind.ValueType, title: str, club_id: str, now_ms: int
) -> list[players_pb2.NotedNews]:
    """Return the news of a match for those who organise a club. `title`: what the other one is called."""
    news = news_pb2.News(
        kind=kind,
        game=tournament.game,
        title=title,
        at_ms=now_ms,
        until_ms=tournament.starts_at_ms if kind == _CHALLENGED else 0,
        tournament_id=tournament.tournament_id,
    )
    found = club_rows.members(connection, club_id, ORGANISERS)
    return [players_pb2.NotedNews(player_id=one.player_id, news=news) for one in found]


def _require_organiser(connection: Connection, clubs: Collection[str], caller: Caller) -> None:
    """Return for one who organises one of some clubs. Raises Refused (CLUB)."""
    if all(club_rows.role_of(connection, club_id, caller.player_id) not in ORGANISERS for club_id in clubs):
        raise club_rows.refused("not_organiser", "only organisers of the club can do that")


def _club(tournament: Row[Any], club_id: str) -> int:
    """Return which of the clubs of a match one is. Raises Refused (UNKNOWN)."""
    for club in (CHALLENGER, CHALLENGED):
        if club_id == club_id_of(tournament, club):
            return club
    raise unknown("club", "club_id", club_id)


def _entered(connection: Connection, tournament: Row[Any], club: int) -> Collection[str]:
    return [one.player_id for one in club_match_rows.entered(connection, tournament, club)]


def _is_open(tournament: Row[Any], now_ms: int) -> bool:
    return bool(tournament.state == OPEN and now_ms < tournament.starts_at_ms)
