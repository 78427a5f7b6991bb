"""The tables of tournaments: what they are, who plays, and who meets whom in which round."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, Double, Index, Integer, LargeBinary, String, Table, false

from services.players.store import METADATA

TOURNAMENTS = Table(
    "players_tournaments",
    METADATA,
    Column("tournament_id", String(32), primary_key=True),
    Column("owner_id", String(64), nullable=False),
    Column("owner_name", String(40), nullable=False),
    Column("request_id", String(64), nullable=False),
    # an encoded CreateTournamentRequest: what it is called, and what its games are like
    Column("request", LargeBinary, nullable=False),
    Column("game", String(32), nullable=False),
    Column("public", Boolean, nullable=False),
    # Tournament.State
    Column("state", Integer, nullable=False),
    # 0 until they are known
    Column("rounds", Integer, nullable=False),
    # the round that is played; 0 before the start
    Column("round", Integer, nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    # when it starts or has started; 0 where its owner starts it
    Column("starts_at_ms", BigInteger, nullable=False),
    # 0 until it is over
    Column("ended_at_ms", BigInteger, nullable=False),
    # the series that it belongs to, and its number in it; empty and 0 for none
    Column("series_id", String(32), nullable=False, server_default=""),
    Column("series_number", Integer, nullable=False, server_default="0"),
    # when the round that waits for its owner begins; 0 if none waits
    Column("round_due_ms", BigInteger, nullable=False, server_default="0"),
    # the numbers of those whom its owner has paired by hand in that round, in turn order
    Column("set_pairings", JSON(none_as_null=True)),
    # whose members it is for; empty for everybody
    Column("club_id", String(32), nullable=False, server_default=""),
    # of an arena: how long it lasts from its start; 0 for all others
    Column("lasts_ms", BigInteger, nullable=False, server_default="0"),
    # of a match of clubs: the one that club_id has challenged; empty for all others
    Column("other_club_id", String(32), nullable=False, server_default=""),
    Index("players_tournaments_other_club", "other_club_id", "state"),
    Index("players_tournaments_club", "club_id", "state"),
    Index("players_tournaments_series", "series_id", "series_number"),
    Index("players_tournaments_request", "owner_id", "request_id", unique=True),
    Index("players_tournaments_owner", "owner_id", "state"),
    Index("players_tournaments_list", "state", "created_at_ms", "tournament_id"),
)

TOURNAMENT_PLAYERS = Table(
    "players_tournament_players",
    METADATA,
    Column("tournament_id", String(32), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("joined_at_ms", BigInteger, nullable=False),
    # in the list at the start, from 0; NULL before
    Column("number", Integer),
    # at the start
    Column("rating", Double, nullable=False),
    Column("provisional", Boolean, nullable=False),
    # the last round that they are paired in, where they have left
    Column("left_after", Integer),
    # of those who have joined late; NULL for the first
    Column("first_round", Integer),
    # the round that they sit out on request
    Column("bye_round", Integer),
    # in an arena, so far: points in halves, games, games won by playing, wins in a row
    Column("points", Integer, nullable=False, server_default="0"),
    Column("games", Integer, nullable=False, server_default="0"),
    Column("wins", Integer, nullable=False, server_default="0"),
    Column("streak", Integer, nullable=False, server_default="0"),
    # how many more times they had the first seat than the second one
    Column("seat_balance", Integer, nullable=False, server_default="0"),
    # the number of the last opponent
    Column("last_opponent", Integer),
    # the table that they are at; NULL while they have none
    Column("board", Integer),
    # since when they wait for an opponent, if they have no table
    Column("free_since_ms", BigInteger, nullable=False, server_default="0"),
    # in a match of clubs: for which of the two they play, 1 or 2, and their place in the order of its organisers, from 0
    Column("club", Integer),
    Column("line", Integer),
    Index("players_tournament_players_player", "player_id"),
    Index("players_tournament_players_number", "tournament_id", "number"),
    Index("players_tournament_players_free", "tournament_id", "board", "left_after"),
)

PAIRINGS = Table(
    "players_pairings",
    METADATA,
    Column("tournament_id", String(32), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    # from 1, the best first
    Column("board", Integer, primary_key=True, autoincrement=False),
    # the numbers of the two in the list at the start; NULL for a bye
    Column("first", Integer, nullable=False),
    Column("second", Integer),
    # the order of its session; empty where there is nothing to play
    Column("arrangement_id", String(32), nullable=False),
    # empty until it is made
    Column("session_id", String(40), nullable=False, server_default=""),
    # in halves; NULL until it is decided
    Column("first_points", Integer),
    Column("second_points", Integer),
    # whether it was decided by playing
    Column("played", Boolean, nullable=False, server_default=false()),
    # in a tournament of larger tables: the numbers of the others, and their points
    Column("others", JSON(none_as_null=True)),
    Column("other_points", JSON(none_as_null=True)),
    # at such a table, how many of all have seats, if the last ones did not come and the others play without them
    Column("seated", Integer),
    # why its points were corrected
    Column("correction", String(60)),
    # of an arena: whether it was not over at the end, so that it does not count
    Column("uncounted", Boolean, nullable=False, server_default=false()),
    # whether its owner has set it
    Column("by_hand", Boolean, nullable=False, server_default=false()),
    Index("players_pairings_arrangement", "arrangement_id"),
    Index("players_pairings_undecided", "first_points", "session_id"),
    Index("players_pairings_first", "tournament_id", "first"),
    Index("players_pairings_second", "tournament_id", "second"),
)

CLUB_MATCHES = Table(
    "players_club_matches",
    METADATA,
    # a tournament whose club_id is the club that has challenged other_club_id
    Column("tournament_id", String(32), primary_key=True),
    # SHA-256 of the request: a repeat is told from another one
    Column("request", LargeBinary, nullable=False),
    # what the two clubs were called then
    Column("club_name", String(60), nullable=False),
    Column("other_name", String(60), nullable=False),
    # ClubMatch.Answer, which never is that it has lapsed
    Column("answer", Integer, nullable=False),
    # 0 until there is one
    Column("answered_at_ms", BigInteger, nullable=False),
    Column("min_boards", Integer, nullable=False),
)

TOURNAMENT_ARBITERS = Table(
    "players_tournament_arbiters",
    METADATA,
    Column("tournament_id", String(32), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    # when the owner of the tournament has named them
    Column("name", String(40), nullable=False),
    Column("named_at_ms", BigInteger, nullable=False),
    Index("players_tournament_arbiters_player", "player_id"),
)

FORBIDDEN_PAIRS = Table(
    "players_forbidden_pairs",
    METADATA,
    # each pair has two rows, so that what is stored about a player is found by their own id
    Column("tournament_id", String(32), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("other_id", String(64), primary_key=True),
    Index("players_forbidden_pairs_player", "player_id"),
    Index("players_forbidden_pairs_other", "other_id"),
)
"""The pairs of players whom the owner of a tournament does not want to meet."""
