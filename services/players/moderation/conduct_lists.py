"""The lists of rating abuse and of leavers as moderators get them: the report of conduct/report.py in the contract's words."""

from collections.abc import Mapping

from sqlalchemy import Connection

from brettwerk.v1 import moderation_pb2 as pb
from brettwerk.v1 import profiles_pb2
from services.players.accounts import deleted_players
from services.players.conduct.recent_report import Dated
from services.players.conduct.report import Leaver
from services.players.conduct.thrown_games import ThrownGames
from services.players.conduct.traded_wins import TradedWins
from services.players.moderation.acts import called
from services.players.results.rating_kind import APART_TWO, TWO

_KINDS = {TWO: profiles_pb2.PLAY_KIND_TWO, APART_TWO: profiles_pb2.PLAY_KIND_APART_TWO}
"""The kinds of play of duels."""
Names = Mapping[str, str]
"""The names of players, by id; nobody whose account is deleted."""


def described(connection: Connection, dated: Dated, now_ms: int) -> pb.ListConductResponse:
    """Return a report with the names as they are now, without pauses that are over and accounts that were deleted since."""
    found = dated.report
    players = found.players()
    gone = deleted_players.gone(connection, players)
    names = called(connection, [player for player in players if player not in gone])
    pausing = (one for one in found.leavers if one.until_ms > now_ms and one.player_id in names)
    return pb.ListConductResponse(
        made_at_ms=dated.made_at_ms,
        games=found.games,
        traded_wins=(_pair(pair, names) for pair in found.traded_wins),
        more_traded_wins=found.left_out.traded_wins,
        thrown_games=(_thrown(one, names) for one in found.thrown_games),
        more_thrown_games=found.left_out.thrown_games,
        leavers=(_leaver(one, names) for one in pausing),
        more_leavers=found.left_out.pausing,
    )


def _pair(pair: TradedWins, names: Names) -> pb.TradedWins:
    return pb.TradedWins(
        game=pair.pool.game,
        kind=_KINDS[pair.pool.kind],
        players=(
            pb.TradingPlayer(**_named(player, names), wins=wins, gain_share=share)
            for player, wins, share in zip(pair.players, pair.wins, pair.gain_shares, strict=True)
        ),
        soon="soon" in pair.signs,
        in_turns="turns" in pair.signs,
        games=pair.games,
        given_up_soon=pair.soon,
        changes=pair.changes,
        session_ids=pair.sessions,
    )


def _thrown(one: ThrownGames, names: Names) -> pb.ThrownGames:
    return pb.ThrownGames(
        game=one.pool.game,
        kind=_KINDS[one.pool.kind],
        **_named(one.player_id, names),
        sandbagging="sandbagging" in one.signs,
        soon="soon" in one.signs,
        games=one.games,
        lost=one.lost,
        given_up_soon=one.soon,
        thrown=one.thrown,
        highest=one.highest,
        cost=one.cost,
        gained_back=one.gained_back,
        session_ids=one.sessions,
    )


def _leaver(one: Leaver, names: Names) -> pb.Leaver:
    return pb.Leaver(
        **_named(one.player_id, names),
        until_ms=one.until_ms,
        pauses=one.pauses,
        games=one.games,
        left=one.left,
        live_percent=one.live,
        slow_percent=one.slow,
    )


def _named(player: str, names: Names) -> dict[str, str]:
    return {"player_id": player, "name": names[player]} if player in names else {}
