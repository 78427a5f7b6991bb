"""Bots of an owner, for tests with a deployment, and how somebody comes to a game with one."""

import random
from collections.abc import Sequence

from brettwerk.v1 import accounts_pb2, bots_pb2, opponents_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk_client import Action, Client, Seat

SCOPES = (bots_pb2.SCOPE_PLAY, bots_pb2.SCOPE_CHALLENGES_WRITE)


def bot_of(
    owner: Client, name: str = "Dice", scopes: Sequence[bots_pb2.Scope.ValueType] = SCOPES
) -> tuple[str, bots_pb2.CreateApiTokenResponse]:
    """Return a new bot's id, and a token for it."""
    owner.call(owner.service.StartLink, accounts_pb2.StartLinkRequest())
    bot_id = owner.call(owner.service.CreateBot, bots_pb2.CreateBotRequest(name=name)).bot.player_id
    wanted = bots_pb2.CreateApiTokenRequest(label="test", scopes=scopes, bot_id=bot_id)
    return bot_id, owner.call(owner.service.CreateApiToken, wanted)


def revoke(owner: Client, made: bots_pb2.CreateApiTokenResponse) -> None:
    """Make a token void."""
    owner.call(owner.service.RevokeApiToken, bots_pb2.RevokeApiTokenRequest(token_id=made.token.token_id))


def choose(update: sessions_pb2.Update) -> Action:
    """Return any action."""
    return random.choice(update.actions)


def play_out(seat: Seat) -> None:
    """Play to the end."""
    seat.play(choose)


def challenge(client: Client, bot_id: str, *, competitive: bool = False) -> str:
    """Challenge a bot to a game of EinStein; return the challenge."""
    request = opponents_pb2.ChallengePlayerRequest(
        player_id=bot_id,
        game="einstein",
        competitive=competitive,
        clock=record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000) if competitive else None,
    )
    return client.call(client.service.ChallengePlayer, request).challenge.challenge_id


def answered(client: Client, challenge_id: str) -> opponents_pb2.Challenge:
    """Return a challenge once it was answered, with its session where there is one."""
    for news in client.news():
        found = client.call(client.service.ListChallenges, opponents_pb2.ListChallengesRequest()).sent
        one = next(one for one in found if one.challenge_id == challenge_id)
        if one.session_id or one.state == opponents_pb2.Challenge.STATE_DECLINED:
            return one
        assert news
    raise AssertionError("news end")


def rematch(seat: Seat) -> Seat:
    """Ask for a rematch; return the seat there."""
    request = play_pb2.RematchRequest(session_id=seat.session_id, seat_token=seat.token)
    return seat.client.table(seat.client.call(seat.client.service.Rematch, request)).seat


def until_state(seat: Seat, *states: sessions_pb2.Session.State.ValueType) -> sessions_pb2.Session:
    """Return the session as soon as it is in one of these states."""
    return next(update.session for update in seat.watch(to_the_end=False) if update.session.state in states)


def until_it_may_act(seat: Seat) -> None:
    """Return as soon as the seat is to act: the other one waits."""
    next(update for update in seat.watch() if update.actions)


def until_declined(seat: Seat) -> None:
    """Return as soon as no seat is kept for anybody any more, and the table still waits."""
    session = next(one.session for one in seat.watch() if not any(each.kept_for for each in one.session.seats))
    assert session.state == sessions_pb2.Session.STATE_WAITING
