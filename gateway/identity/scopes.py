"""The permissions of API tokens: which scopes each method needs. A method that is not named here is closed to API tokens.

A player's own token needs no scope.
"""

from collections.abc import Mapping
from typing import Final

from brettwerk.v1 import bots_pb2, errors_pb2
from gateway.identity.players import Player
from services.runtime.refusal import Refused

NAMES: Final[Mapping[bots_pb2.Scope.ValueType, str]] = {
    bots_pb2.SCOPE_PLAY: "play",
    bots_pb2.SCOPE_CHALLENGES_READ: "challenges:read",
    bots_pb2.SCOPE_CHALLENGES_WRITE: "challenges:write",
    bots_pb2.SCOPE_GAMES_READ: "games:read",
    bots_pb2.SCOPE_ACCOUNT_READ: "account:read",
    bots_pb2.SCOPE_TOURNAMENTS: "tournaments",
    bots_pb2.SCOPE_BOTS: "bots",
    bots_pb2.SCOPE_CLUBS: "clubs",
}
"""The names of scopes in refusals and on pages."""

FREE: Final = frozenset(
    {
        "ListGames",
        "GetGame",
        "DescribeView",
        "CheckStart",
        "GetSession",
        "ListOpenSeats",
        "ListUpdates",
        "ListActions",
        "ReadNotation",
        "ExportSession",
        "VerifySession",
        "CheckRecord",
        "GetStatistics",
        "ReadText",
        "GetSignInWays",
        "ListLeaders",
        "ListPools",
        "FindLookalikes",
        "GetArena",
        "GetTournament",
        "ListTournaments",
        "GetSeries",
        "ListSeries",
        "GetPuzzle",
        "ListPuzzles",
        "Watch",
    }
)
"""The methods that need no scope: everybody may do it, or a seat's token says who may."""

_PLAY, _GAMES = bots_pb2.SCOPE_PLAY, bots_pb2.SCOPE_GAMES_READ
_WRITE = (bots_pb2.SCOPE_CHALLENGES_WRITE,)
_READ = (bots_pb2.SCOPE_CHALLENGES_READ, bots_pb2.SCOPE_CHALLENGES_WRITE)
_ACCOUNT = (bots_pb2.SCOPE_ACCOUNT_READ,)
_TOURNAMENTS = (bots_pb2.SCOPE_TOURNAMENTS,)
_BOTS = (bots_pb2.SCOPE_BOTS,)
_CLUBS = (bots_pb2.SCOPE_CLUBS,)

NEEDS: Final[Mapping[str, tuple[bots_pb2.Scope.ValueType, ...]]] = {
    "CreateSession": (_PLAY,),
    "JoinSession": (_PLAY,),
    "LeaveSession": (_PLAY,),
    "SetSeat": (_PLAY,),
    "Act": (_PLAY,),
    "Undo": (_PLAY,),
    "Resign": (_PLAY,),
    "TakeVacation": (_PLAY,),
    "Nudge": (_PLAY,),
    "ClaimTime": (_PLAY,),
    "AskForSeat": (_PLAY,),
    "AnswerSubstitute": (_PLAY,),
    "NameArbiter": (_PLAY,),
    "RuleAsArbiter": (_PLAY,),
    "GetTableTalk": (_PLAY,),
    "SetRestHours": (_PLAY,),
    "GetRestHours": (_PLAY,),
    "SetConditionalMoves": (_PLAY,),
    "GetConditionalMoves": (_PLAY,),
    "SetOrders": (_PLAY,),
    "GetOrders": (_PLAY,),
    "LookAhead": (_PLAY,),
    "WishSeat": (_PLAY,),
    "BeginGame": (_PLAY,),
    "Propose": (_PLAY,),
    "AnswerProposal": (_PLAY,),
    "Rematch": (_PLAY,),
    "CloseSession": (_PLAY,),
    "GetHint": (_PLAY,),
    "SaveSession": (_PLAY,),
    "DeleteSave": (_PLAY,),
    "ImportSession": (_PLAY,),
    "ForkSession": (_PLAY,),
    "StartRun": (_PLAY,),
    "GetRun": (_PLAY,),
    "ListRuns": (_PLAY,),
    "CancelRun": (_PLAY,),
    "TryPuzzle": (_PLAY,),
    "ShowSolution": (_PLAY,),
    "Say": (_PLAY,),
    "ReportTalk": (_PLAY,),
    "FileReport": (_PLAY,),
    "StartViewing": (_PLAY,),
    "ChangeViewing": (_PLAY,),
    "SayInViewing": (_PLAY,),
    "MutePlayer": (_PLAY,),
    "WatchPlayer": (_PLAY,),
    "ListSessions": (_GAMES, _PLAY),
    "ListSaves": (_GAMES, _PLAY),
    "SearchGames": (_GAMES,),
    "ListResults": (_GAMES,),
    "ListAchievements": (_GAMES,),
    "GetProfile": (_GAMES,),
    "GetAccount": _ACCOUNT,
    "ListMutedPlayers": _ACCOUNT,
    "ListBlockedPlayers": _ACCOUNT,
    "FindPlayers": _READ,
    "ListChallenges": _READ,
    "ChallengePlayer": _WRITE,
    "AnswerChallenge": _WRITE,
    "WithdrawChallenge": _WRITE,
    "BlockPlayer": _WRITE,
    "StartSeek": _WRITE,
    "FollowSeek": _WRITE,
    "StopSeek": _WRITE,
    "CreateTournament": _TOURNAMENTS,
    "JoinTournament": _TOURNAMENTS,
    "LeaveTournament": _TOURNAMENTS,
    "StartTournament": _TOURNAMENTS,
    "CancelTournament": _TOURNAMENTS,
    "RequestBye": _TOURNAMENTS,
    "CorrectPairing": _TOURNAMENTS,
    "NameTournamentArbiter": _TOURNAMENTS,
    "GetRoundPlan": _TOURNAMENTS,
    "SetPairings": _TOURNAMENTS,
    "ForbidPairs": _TOURNAMENTS,
    "BeginRound": _TOURNAMENTS,
    "CreateSeries": _TOURNAMENTS,
    "JoinSeries": _TOURNAMENTS,
    "LeaveSeries": _TOURNAMENTS,
    "CancelSeries": _TOURNAMENTS,
    "GetClub": _CLUBS,
    "ListClubs": _CLUBS,
    "JoinClub": _CLUBS,
    "LeaveClub": _CLUBS,
    "AddClubTable": _CLUBS,
    "RemoveClubTable": _CLUBS,
    "SayInClub": _CLUBS,
    "ListClubTalk": _CLUBS,
    "RemoveClubLine": _CLUBS,
    "EnterClubMatch": _CLUBS,
    "ListClubMatches": _CLUBS,
    "EnterArena": (*_BOTS, _PLAY),
    "ListBots": _BOTS,
    "CreateBot": _BOTS,
    "RenameBot": _BOTS,
    "SuspendBot": _BOTS,
    "DeleteBot": _BOTS,
}
"""The scopes that let an API token use a method: any one of them will do. The first is the one that a refusal names."""

PERSONAL: Final = frozenset(
    {
        "CreatePlayer",
        "GetOverview",
        "ListEndgameTables",
        "ChangeEndgameTables",
        "GetModeration",
        "ListReports",
        "DecideReport",
        "ActOnPlayer",
        "ListRestrictions",
        "ListActs",
        "ListConduct",
        "ListWords",
        "ChangeWords",
        "RenamePlayer",
        "StartLink",
        "SetPhrase",
        "SetPassword",
        "StartProviderSignIn",
        "StartPasskey",
        "AddPasskey",
        "RenamePasskey",
        "RemovePasskey",
        "GetNotifications",
        "SetNotifications",
        "AddPushDevice",
        "RemovePushDevice",
        "StartMail",
        "ConfirmMail",
        "RemoveMail",
        "UnsubscribeMail",
        "SendTest",
        "ListWebhooks",
        "AddWebhook",
        "ChangeWebhook",
        "RemoveWebhook",
        "SignIn",
        "SignOutEverywhere",
        "DeleteAccount",
        "ExportAccount",
        "CreateClub",
        "ChangeClub",
        "SetClubRole",
        "CreateClubLink",
        "RevokeClubLink",
        "ChallengeClub",
        "AnswerClubMatch",
        "CancelClubMatch",
        "SetBoardOrder",
        "ListApiTokens",
        "CreateApiToken",
        "RevokeApiToken",
    }
)
"""Methods closed to all API tokens: a holder must not become the owner, nor get another. They are named so as to forget none."""


def check(method: str, player: Player | None) -> None:
    """Return if a caller may use a method, as far as scopes go. Raises Refused (NO_SCOPE), which names the scope."""
    if player is None or not player.token_id or method in FREE:
        return
    needed = NEEDS.get(method, ())
    if any(player.scopes >> scope & 1 for scope in needed):
        return
    name = NAMES[needed[0]] if needed else ""
    said = f"{method} needs the scope {name}" if needed else f"{method} is not possible with an API token"
    raise Refused(errors_pb2.REASON_NO_SCOPE, said, details={"scope": name, "method": method})
