"""Bots that live on a server: owned, challenged, and played from one process with an API token."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from brettwerk.v1 import accounts_pb2, bots_pb2, opponents_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk_client import Action, Client
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e
SCOPES = [bots_pb2.SCOPE_PLAY, bots_pb2.SCOPE_CHALLENGES_WRITE]
EXAMPLE = Path(__file__).parents[2] / "examples" / "citizen.py"


def bot_of(owner: Client, name: str = "Dice") -> tuple[str, bots_pb2.CreateApiTokenResponse]:
    """Return a new bot's id, and a token for it."""
    owner.call(owner.service.StartLink, accounts_pb2.StartLinkRequest())
    bot_id = owner.call(owner.service.CreateBot, bots_pb2.CreateBotRequest(name=name)).bot.player_id
    wanted = bots_pb2.CreateApiTokenRequest(label="test", scopes=SCOPES, bot_id=bot_id)
    return bot_id, owner.call(owner.service.CreateApiToken, wanted)


def choose(update: sessions_pb2.Update) -> Action:
    return random.choice(update.actions)


def challenge(client: Client, bot_id: str, *, competitive: bool = False) -> str:
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


def test_the_example_answers_and_plays(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        process = subprocess.Popen([sys.executable, EXAMPLE, deployment.grpc_address, made.api_token])
        try:
            game = answered(bert, challenge(bert, bot_id))
            assert bert.join_session(game.session_id).play(choose).places
        finally:
            process.kill()
            process.wait()


def test_a_token_acts_for_its_own_player_only(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner:
        _, made = bot_of(owner)
        other_id, _ = bot_of(owner, "Other")
        with Client(deployment.grpc_address, token=made.api_token) as client:
            session = client.call(client.service.ListSessions, play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))
            assert not session.sessions
            one = challenge(owner, other_id)
            answer = opponents_pb2.AnswerChallengeRequest(challenge_id=one, accept=True)
            with pytest.raises(Exception, match="challenge"):
                client.call(client.service.AnswerChallenge, answer)
