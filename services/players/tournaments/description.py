"""Tournaments as clients are told them. In a transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, exists, func, or_, select, tuple_

from brettwerk.v1 import club_matches_pb2, opponents_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.accounts.deleted_players import PREFIX
from services.players.clubs import club_rows
from services.players.opponents import strength
from services.players.tournaments import arbiter_rows, club_match_description, club_match_rows, line_ups, tournament_rows
from services.players.tournaments.boards import CHALLENGED, CHALLENGER, club_of
from services.players.tournaments.formats import FORMATS, Format, Terms
from services.players.tournaments.results import WIN, Game
from services.players.tournaments.tables import TOURNAMENT_PLAYERS, TOURNAMENTS
from services.players.tournaments.tournament_rows import LIVE, OPEN, RUNNING
from services.runtime.refusal import malformed

DEFAULT_JOIN_TIMEOUT_S, DEFAULT_ARENA_JOIN_TIMEOUT_S = 300, 60
DAY_MS = 86_400_000
"""A clock is slow from so much time on."""
PAGE = 50
"""Tournaments of a page whose size nobody asks for."""


def asked(row: Row[Any]) -> pb.CreateTournamentRequest:
    """Return what a tournament's owner has asked for."""
    return pb.CreateTournamentRequest.FromString(row.request)


def kind_name(request: pb.CreateTournamentRequest) -> str:
    """Return what a kind of tournament is called in metrics, such as swiss or knock_out."""
    return pb.Tournament.Kind.Name(request.kind).removeprefix("KIND_").lower()


def format_of(request: pb.CreateTournamentRequest) -> Format:
    """Return the format of a tournament."""
    return FORMATS[kind_name(request)]


def join_timeout_s(request: pb.CreateTournamentRequest) -> int:
    """Return how long a table of a tournament waits for its players."""
    usual = DEFAULT_ARENA_JOIN_TIMEOUT_S if request.kind == pb.Tournament.KIND_ARENA else DEFAULT_JOIN_TIMEOUT_S
    return request.join_timeout_s or usual


def max_players(request: pb.CreateTournamentRequest) -> int:
    """Return how many can join."""
    return request.max_players or format_of(request).max_players


def plays_at_once(request: pb.CreateTournamentRequest) -> bool:
    """Return whether two who meet in a match of clubs play both of their games at the same time."""
    return request.kind == pb.Tournament.KIND_CLUB_MATCH and request.rounds > 1 and request.clock.time_ms >= DAY_MS


def seats_of(request: pb.CreateTournamentRequest) -> int:
    """Return how many seats a table has."""
    return request.seats or 2


def lacks_host(row: Row[Any], players: Sequence[Row[Any]]) -> bool:
    """Return whether a tournament's owner has to take part, and does not."""
    return format_of(asked(row)).needs_host and all(one.player_id != row.owner_id for one in players)


def is_joinable(row: Row[Any]) -> bool:
    """Return whether players can join: until the start, with late entry during the first half of the rounds, or in an arena."""
    if row.state == RUNNING and row.lasts_ms:
        return True
    if row.state == RUNNING:
        return asked(row).late_entry and row.round <= row.rounds // 2
    return bool(row.state == OPEN and not row.other_club_id)


def ends_at_ms(row: Row[Any]) -> int:
    """Return when an arena ends that has started."""
    ends: int = row.starts_at_ms + row.lasts_ms
    return ends


def rounds_of(request: pb.CreateTournamentRequest, count: int) -> int:
    """Return how many rounds so many entrants play."""
    return format_of(request).rounds(count, Terms(request.rounds, seats_of(request), at_once=plays_at_once(request)))


def tournaments(connection: Connection, found: Sequence[Row[Any]], player_id: str) -> list[pb.Tournament]:
    """Return tournaments as a player sees them; `player_id` is empty for nobody."""
    ids = [row.tournament_id for row in found]
    among = TOURNAMENT_PLAYERS.c.tournament_id.in_(ids)
    counting = select(TOURNAMENT_PLAYERS.c.tournament_id, func.count()).where(among).group_by(TOURNAMENT_PLAYERS.c.tournament_id)
    counts = {row[0]: row[1] for row in connection.execute(counting)}
    own = (TOURNAMENT_PLAYERS.c.player_id == player_id) & TOURNAMENT_PLAYERS.c.left_after.is_(None)
    joining = select(TOURNAMENT_PLAYERS.c.tournament_id, TOURNAMENT_PLAYERS.c.bye_round).where(among, own)
    joined = {row[0]: row[1] or 0 for row in connection.execute(joining)}
    made = [_tournament(row, counts.get(row.tournament_id, 0), joined.get(row.tournament_id)) for row in found]
    matches = club_match_description.matches(connection, [row for row in found if row.other_club_id], player_id)
    organised = arbiter_rows.organised_by(connection, player_id, [row.club_id for row in found])
    by_id = {one.tournament_id: one for one in made}
    for arbiter in arbiter_rows.named(connection, ids):
        by_id[arbiter.tournament_id].arbiters.append(player(arbiter.player_id, arbiter.name))
    for row, one in zip(found, made, strict=True):
        if one.tournament_id in matches:
            one.club_match.CopyFrom(matches[one.tournament_id])
            one.club_match.MergeFrom(_agreed(row))
        named = any(each.player_id == player_id for each in one.arbiters)
        may_judge = bool(player_id) and not row.other_club_id
        one.arbitrated = may_judge and (row.owner_id == player_id or named or row.club_id in organised)
    return made


def is_known_to(connection: Connection, row: Row[Any], player_id: str) -> bool:
    """Return whether a player may know of a tournament: of a club's its members, those who take part, its owner and arbiters."""
    clubs = [club_id for club_id in (row.club_id, row.other_club_id) if club_id]
    if not clubs or (player_id and player_id == row.owner_id):
        return True
    if any(club_rows.is_member(connection, club_id, player_id) for club_id in clubs):
        return True
    if any(one.player_id == player_id for one in arbiter_rows.named(connection, [row.tournament_id])):
        return True
    own = (TOURNAMENT_PLAYERS.c.tournament_id == row.tournament_id) & (TOURNAMENT_PLAYERS.c.player_id == player_id)
    return connection.execute(select(TOURNAMENT_PLAYERS.c.player_id).where(own)).first() is not None


def whole(connection: Connection, row: Row[Any], player_id: str) -> pb.GetTournamentResponse:
    """Return a tournament with its standings and pairings."""
    response = pb.GetTournamentResponse(
        tournament=tournaments(connection, [row], player_id)[0],
        standings=_standings(connection, row, player_id),
        pairings=[pairing(row) for row in tournament_rows.pairings(connection, row.tournament_id)],
    )
    bracket = format_of(asked(row)).bracket
    if bracket is not None and 0 < row.round == row.rounds:
        games = tournament_rows.games(connection, row.tournament_id)
        entrants = [tournament_rows.entrant(one) for one in tournament_rows.players(connection, row.tournament_id)]
        final = bracket(entrants, games)
        for each, game in zip(response.pairings, games, strict=True):
            each.third_place = final.is_for_third_place(game, games)
    return response


def _tournament(row: Row[Any], players: int, bye_round: int | None) -> pb.Tournament:
    """Return a tournament. `bye_round`: of the caller, None for one who has not joined."""
    request = asked(row)
    return pb.Tournament(
        tournament_id=row.tournament_id,
        name=request.name,
        owner=None if row.other_club_id else player(row.owner_id, row.owner_name),
        game=row.game,
        options=request.options if request.HasField("options") else None,
        clock=request.clock,
        kind=request.kind,
        rounds=row.rounds,
        round=row.round,
        players=players,
        max_players=max_players(request),
        public=row.public,
        state=row.state,
        created_at_ms=row.created_at_ms,
        starts_at_ms=row.starts_at_ms,
        ended_at_ms=row.ended_at_ms,
        join_timeout_s=join_timeout_s(request),
        joined=bye_round is not None,
        bye_round=bye_round or 0,
        joinable=is_joinable(row),
        seats=seats_of(request),
        group_rounds=format_of(request).group_rounds(players) if row.rounds else 0,
        club_id="" if row.other_club_id else row.club_id,
        duration_s=request.duration_s,
        ends_at_ms=ends_at_ms(row) if row.lasts_ms and row.round else 0,
        round_pause_s=request.round_pause_s,
        round_due_at_ms=row.round_due_ms,
        series_id=row.series_id,
        friendly=request.friendly,
    )


def _agreed(row: Row[Any]) -> pb.ClubMatch:
    """Return what the clubs of a match have agreed."""
    request = asked(row)
    seats = seats_of(request)
    return pb.ClubMatch(games=request.rounds, at_once=plays_at_once(request), max_boards=max_players(request) // seats)


def _line_ups(connection: Connection, row: Row[Any], player_id: str) -> list[pb.Standing]:
    """Return who has entered for a match of clubs, as a player sees it: the order that another club has set is not told."""
    found = []
    known: strength.Known = {}
    for club in (CHALLENGER, CHALLENGED):
        is_own = club_rows.is_member(connection, club_match_rows.club_id_of(row, club), player_id)
        listed = line_ups.line_up(connection, row, club, as_ordered=is_own)
        known |= strength.strengths(connection, [one.player_id for one in listed], [row.game])
        found += [(club, one) for one in listed]
    return [pb.Standing(player=strength.rated(known, one.player_id, one.name, row.game), club=club) for club, one in found]


def _standings(connection: Connection, row: Row[Any], player_id: str) -> list[pb.Standing]:
    if row.other_club_id and row.state == OPEN:
        return _line_ups(connection, row, player_id)
    found = tournament_rows.players(connection, row.tournament_id)
    if not found or found[0].number is None:
        return [pb.Standing(player=player(one.player_id, one.name)) for one in found]
    by_number = {one.number: one for one in found}
    entrants = [tournament_rows.entrant(one) for one in found]
    placed = format_of(asked(row)).standings(entrants, tournament_rows.games(connection, row.tournament_id))
    listed = []
    for place in placed:
        one = by_number[place.number]
        listed.append(
            pb.Standing(
                place=place.place,
                player=player(one.player_id, one.name, one.rating, provisional=one.provisional),
                number=place.number + 1,
                points=place.points / WIN,
                direct=place.direct / WIN,
                buchholz_cut=place.buchholz_cut / WIN,
                buchholz=place.buchholz / WIN,
                buchholz_median=place.buchholz_median / WIN,
                sonneborn_berger=place.sonneborn_berger / (WIN * WIN),
                wins=place.wins,
                left=one.left_after is not None,
                first_round=one.first_round or 1,
                group=place.group,
                group_place=place.group_place,
                club=club_of(place.number) if row.other_club_id else 0,
            )
        )
    return listed


def pairing(row: Row[Any]) -> pb.Pairing:
    """Return a pairing."""
    is_decided = row.first_points is not None
    return pb.Pairing(
        round=row.round,
        table=row.board,
        first=row.first + 1,
        second=0 if row.second is None else row.second + 1,
        session_id=row.session_id,
        decided=is_decided,
        first_points=(row.first_points or 0) / WIN,
        second_points=(row.second_points or 0) / WIN,
        unplayed=is_decided and not row.played,
        others=[number + 1 for number in row.others or ()],
        other_points=[points / WIN for points in row.other_points or ()],
        correction=row.correction or "",
        uncounted=row.uncounted,
        by_hand=row.by_hand,
    )


def planned_pairing(game: Game, table: int, *, by_hand: bool) -> pb.Pairing:
    """Return a pairing of a round that has not begun."""
    return pb.Pairing(
        round=game.round_number,
        table=table,
        first=game.first + 1,
        second=0 if game.second is None else game.second + 1,
        others=[number + 1 for number in game.others],
        by_hand=by_hand,
    )


def player(player_id: str, name: str, rating: float = 0.0, *, provisional: bool = False) -> opponents_pb2.RatedPlayer:
    """Return a player; one whose account was deleted has no id."""
    shown_id = "" if player_id.startswith(PREFIX) else player_id
    return opponents_pb2.RatedPlayer(player_id=shown_id, name=name, rating=rating, provisional=provisional)


def page(connection: Connection, request: pb.ListTournamentsRequest, player_id: str) -> pb.ListTournamentsResponse:
    """Return a page of tournaments, the newest first. Raises Refused (MALFORMED) for a page token that none has had."""
    joined = exists().where(
        TOURNAMENT_PLAYERS.c.tournament_id == TOURNAMENTS.c.tournament_id, TOURNAMENT_PLAYERS.c.player_id == player_id
    )
    own = or_(TOURNAMENTS.c.owner_id == player_id, joined) if player_id else TOURNAMENTS.c.public
    live = TOURNAMENTS.c.state.in_(LIVE)
    query = select(TOURNAMENTS).where(~live if request.over else live)
    if request.mine:
        query = query.where(own)
    if request.club_id:
        query = query.where(TOURNAMENTS.c.club_id == request.club_id, TOURNAMENTS.c.other_club_id == "")
    elif not request.mine:
        query = query.where(or_(TOURNAMENTS.c.public, own))
    if request.game:
        query = query.where(TOURNAMENTS.c.game == request.game)
    found, more = _paged(connection, query, request.page_size or PAGE, request.page_token)
    return pb.ListTournamentsResponse(tournaments=tournaments(connection, found, player_id), next_page_token=more)


def club_matches(
    connection: Connection, request: club_matches_pb2.ListClubMatchesRequest, player_id: str
) -> club_matches_pb2.ListClubMatchesResponse:
    """Return a page of a club's matches, the newest first. Raises Refused (MALFORMED) for a page token that none has had."""
    live = TOURNAMENTS.c.state.in_(LIVE)
    query = select(TOURNAMENTS).where(~live if request.over else live, club_match_rows.of_club(request.club_id))
    found, more = _paged(connection, query, request.page_size or PAGE, request.page_token)
    return club_matches_pb2.ListClubMatchesResponse(matches=tournaments(connection, found, player_id), next_page_token=more)


def _paged(connection: Connection, query: "Select[Any]", size: int, page_token: str) -> tuple[Sequence[Row[Any]], str]:
    """Return a page of the tournaments of a query, the newest first, and the token of the next one."""
    order = tuple_(TOURNAMENTS.c.created_at_ms, TOURNAMENTS.c.tournament_id)
    if page_token:
        query = query.where(order < tuple_(*_read(page_token)))
    query = query.order_by(TOURNAMENTS.c.created_at_ms.desc(), TOURNAMENTS.c.tournament_id.desc())
    found = connection.execute(query.limit(size + 1)).all()
    shown = found[:size]
    return shown, f"{shown[-1].created_at_ms}.{shown[-1].tournament_id}" if len(found) > size else ""


def _read(token: str) -> tuple[int, str]:
    at_ms, _, tournament_id = token.partition(".")
    if not (at_ms.isascii() and at_ms.isdigit() and len(at_ms) < 19 and tournament_id):
        raise malformed("page_token", "this is not a page token")
    return int(at_ms), tournament_id
