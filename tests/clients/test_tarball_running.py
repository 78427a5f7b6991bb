"""Bots that live on a server in Node.js: owned, challenged, and played from one process with an API token."""

from pathlib import Path

import pytest

from brettwerk.v1 import opponents_pb2, play_pb2, sessions_pb2
from brettwerk_client import Client, Seat
from deploy.local.deployment import Deployment
from tests.clients.cable import Cable
from tests.clients.node_programs import Living, living
from tests.clients.owned_bots import answered, bot_of, challenge, choose, revoke

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

CITIZEN = """
import { Client, Refused } from "@brettwerk/client";
import { Reason } from "@brettwerk/client/v1/errors";

const [url, token, scissors] = process.argv.slice(2);
const say = (said) => console.log(JSON.stringify(said));
const client = new Client({ url, token });
const asked = new Map();
const bot = async ({ session, actions }) => {
  asked.set(session.id, (asked.get(session.id) ?? 0) + 1);
  if (scissors !== undefined && asked.get(session.id) <= 3) await fetch(scissors, { method: "POST" });
  return actions[Math.floor(Math.random() * actions.length)];
};
const ended = ({ sessionId, number }, outcome) =>
  say({ session: sessionId, seat: number, asked: asked.get(sessionId), winners: outcome.winners });
try {
  await client.run(bot, { accepts: ({ competitive }) => !competitive, ended });
} catch (error) {
  say({ refused: error instanceof Refused ? Reason[error.refusal.reason] : String(error) });
}
client.close();
"""


def acted(seat: Seat, by: int) -> int:
    """Return how often a seat has acted."""
    request = play_pb2.ListUpdatesRequest(session_id=seat.session_id, seat_token=seat.token, page_size=1000)
    updates = seat.client.call(seat.client.service.ListUpdates, request).updates
    kind = sessions_pb2.Happening.KIND_ACTED
    return sum(update.happening.kind == kind and update.happening.seat == by + 1 for update in updates)


def play_one(client: Client, bot_id: str, bot: Living) -> None:
    """Challenge a bot and play to the end; it was asked once for each of its actions."""
    seat = client.join_session(answered(client, challenge(client, bot_id)).session_id)
    outcome = seat.play(choose)
    said = bot.said()
    assert (said["session"], said["winners"]) == (seat.session_id, list(outcome.winners))
    assert said["seat"] != seat.number
    assert said["asked"] == acted(seat, said["seat"])


def test_a_bot_accepts_what_its_filter_does_and_plays_on_whenever_its_cable_is_cut(
    installed: Path, deployment: Deployment
) -> None:
    with (
        Client(deployment.grpc_address, name="Ada") as owner,
        Client(deployment.grpc_address, name="Bert") as bert,
        Cable(deployment.web_address) as cable,
        cable.cut_by_http() as scissors,
    ):
        bot_id, made = bot_of(owner)
        with living(installed, CITIZEN, f"http://{cable.address}", made.api_token, scissors) as bot:
            play_one(bert, bot_id, bot)
            assert cable.cuts >= 3
            declined = answered(owner, challenge(owner, bot_id, competitive=True))
            assert declined.state == opponents_pb2.Challenge.STATE_DECLINED
            play_one(owner, bot_id, bot)
            revoke(owner, made)
            assert bot.said() == {"refused": "NO_TOKEN"}
            assert bot.ended() == 0
