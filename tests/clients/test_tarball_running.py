"""Bots that live on a server in Node.js: owned, challenged, and played from one process with an API token."""

import itertools
import time
from functools import partial
from pathlib import Path

import pytest

from brettwerk.v1 import opponents_pb2, play_pb2, sessions_pb2
from brettwerk_client import Client, Seat
from deploy.local.deployment import Deployment
from tests.clients.cable import Cable
from tests.clients.faulty_proxy import FaultyProxy
from tests.clients.node_programs import Living, living, play
from tests.clients.owned_bots import (
    answered,
    bot_of,
    challenge,
    choose,
    play_out,
    rematch,
    revoke,
    until_declined,
    until_it_may_act,
    until_state,
)
from tests.clients.test_running_outages import BACK_S, FAULTS, SERVICES, Fault, mine
from tests.e2e.stranger import FEWEST_MOVES, in_background
from tests.night import at_night, by_day

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

HANGS = """
import { Client } from "@brettwerk/client";

const [url, token] = process.argv.slice(2);
const bot = ({ session }) => {
  console.log(JSON.stringify({ session: session.id }));
  return new Promise(() => undefined);
};
await new Client({ url, token }).run(bot);
"""

SHOWN_AGAIN = """
import { Seat } from "@brettwerk/client";

const turn = (version) => ({ version: BigInt(version), actions: [{ notation: "a1" }] });
class Watching extends Seat {
  async *watch() {
    for (const version of process.argv.slice(2)) yield turn(version);
  }
  async act({ version }) {
    return { version: version + 2n };
  }
}
await new Watching().play((update) => {
  console.log(`${update.version}`);
  return update.actions[0];
});
"""

THROWS = """
import { Client } from "@brettwerk/client";
import { News_Kind } from "@brettwerk/client/v1/news";

const [url, token] = process.argv.slice(2);
const say = (said) => console.log(JSON.stringify(said));
const client = new Client({ url, token });
let asked = 0;
let begun = () => undefined;
const second = new Promise((resolve) => (begun = resolve));
const bad = async ({ actions }) => {
  asked += 1;
  if (asked === 1) {
    await second;
    return actions[0];
  }
  begun();
  throw new Error("no idea");
};
await client.run(bad).catch(({ message }) => say({ thrown: message }));
const before = asked;
let challenged = 0;
for await (const { kind } of client.news()) {
  if (kind === News_Kind.CHALLENGED) challenged += 1;
  if (challenged === 3) break;
}
let over = 0;
const good = ({ actions }) => actions[0];
const ended = () => {
  over += 1;
  if (over === 3) client.close();
};
await client.run(good, { ended }).catch(() => say({ asked: asked - before, over }));
"""

MISTAKEN = """
import { Client } from "@brettwerk/client";
import { Reason } from "@brettwerk/client/v1/errors";

const [url, token] = process.argv.slice(2);
const client = new Client({ url, token });
const left = (sessionId, { refusal: { reason, field } }) => {
  console.log(JSON.stringify({ session: sessionId, left: Reason[reason], field }));
  client.close();
};
await client.run(() => "no notation", { left }).catch(({ refusal: { reason } }) => {
  console.log(JSON.stringify({ ended: Reason[reason] }));
});
"""

PATIENT = """
import { Client, Refused } from "@brettwerk/client";
import { Reason } from "@brettwerk/client/v1/errors";

const [url, token, wanted = "100", onMistake = "leave", notation = ""] = process.argv.slice(2);
const say = (said) => console.log(JSON.stringify(said));
const client = new Client({ url, token, retryMs: 1000 });
let asked = 0;
const accepts = ({ challengeId, sessionId, game, challenger }) => {
  say({ asked: challengeId !== "", session: sessionId, game, by: challenger.name });
  asked += 1;
  return asked <= Number(wanted);
};
const bot = ({ actions }) => notation || actions[Math.floor(Math.random() * actions.length)];
const ended = ({ sessionId, number }, { winners }) => say({ ended: sessionId, won: winners.includes(number) });
const waits = (all) => say({ waits: [...all.values()].map(({ refusal }) => Reason[refusal.reason]) });
await client.run(bot, { accepts, ended, waits, onMistake, atOnce: 50 });
"""


def acted(seat: Seat, by: int) -> int:
    """Return how often a seat has acted."""
    request = play_pb2.ListUpdatesRequest(session_id=seat.session_id, seat_token=seat.token, page_size=1000)
    updates = seat.client.call(seat.client.service.ListUpdates, request).updates
    kind = sessions_pb2.Happening.KIND_ACTED
    return sum(update.happening.kind == kind and update.happening.concerned_seat == by for update in updates)


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
        cable.by_http(cable.cut) as scissors,
    ):
        bot_id, made = bot_of(owner)
        with living(installed, CITIZEN, f"http://{cable.address}", made.api_token, scissors) as bot:
            play_one(bert, bot_id, bot)
            assert cable.cuts >= FEWEST_MOVES
            declined = answered(owner, challenge(owner, bot_id, competitive=True))
            assert declined.state == opponents_pb2.Challenge.STATE_DECLINED
            play_one(owner, bot_id, bot)
            revoke(owner, made)
            assert bot.said() == {"refused": "NO_TOKEN"}
            assert bot.ended() == 0


@pytest.mark.nightly
def test_a_bot_that_was_killed_goes_on_with_its_game(installed: Path, deployment: Deployment) -> None:
    address = f"http://{deployment.web_address}"
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        with living(installed, HANGS, address, made.api_token) as bot:
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            playing = in_background(partial(play_out, seat))
            assert bot.said() == {"session": seat.session_id}
            bot.kill()
        with living(installed, CITIZEN, address, made.api_token) as bot:
            said = bot.said()
            playing.join(60)
        assert (said["session"], len(said["winners"])) == (seat.session_id, 1)
        assert said["asked"] == acted(seat, said["seat"])


def test_an_exception_of_a_bot_ends_its_run_at_once_and_another_run_goes_on_with_its_games(
    installed: Path, deployment: Deployment
) -> None:
    with (
        Client(deployment.grpc_address, name="Ada") as owner,
        Client(deployment.grpc_address, name="Bert") as bert,
        Client(deployment.grpc_address, name="Cleo") as cleo,
    ):
        bot_id, made = bot_of(owner)

        def play(client: Client) -> None:
            play_out(client.join_session(answered(client, challenge(client, bot_id)).session_id))

        with living(installed, THROWS, f"http://{deployment.web_address}", made.api_token) as bot:
            playing = [in_background(partial(play, one)) for one in (owner, bert)]
            assert bot.said() == {"thrown": "no idea"}
            playing.append(in_background(partial(play, cleo)))
            for each in playing:
                each.join(60)
            assert bot.said() == {"asked": 0, "over": 3}
            assert bot.ended() == 0


def test_a_game_in_which_a_bot_plays_nonsense_is_left_with_the_servers_reason(installed: Path, deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        with living(installed, MISTAKEN, f"http://{deployment.web_address}", made.api_token) as bot:
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            playing = in_background(partial(play_out, seat))
            assert bot.said() == {"session": seat.session_id, "left": "MALFORMED", "field": "notation"}
            assert bot.said() == {"ended": "UNAVAILABLE"}
            assert bot.ended() == 0
        seat.resign()
        playing.join(60)


def test_accepts_is_asked_about_a_rematch_and_an_unwanted_one_is_declined(installed: Path, deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        with living(installed, PATIENT, f"http://{deployment.web_address}", made.api_token, "2") as bot:
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            until_state(seat, sessions_pb2.Session.STATE_RUNNING)
            seat.resign()
            again = rematch(seat)
            until_state(again, sessions_pb2.Session.STATE_RUNNING)
            again.resign()
            last = rematch(again)
            until_declined(last)
            lines = iter(bot.said, None)  # games that end stand between the questions, and what is waited for
            questions = list(itertools.islice((line for line in lines if "asked" in line), 3))
    assert questions == [
        {"asked": True, "session": "", "game": "einstein", "by": "Bert"},
        {"asked": False, "session": again.session_id, "game": "einstein", "by": "Bert"},
        {"asked": False, "session": last.session_id, "game": "einstein", "by": "Bert"},
    ]


def test_a_bot_takes_its_seat_back_when_its_token_has_become_void(installed: Path, deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        with (
            living(installed, PATIENT, f"http://{deployment.web_address}", made.api_token) as bot,
            Client(deployment.grpc_address, token=made.api_token) as another,
        ):
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            assert bot.next_with("asked")["asked"]
            until_it_may_act(seat)
            another.join_session(seat.session_id, 1 - seat.number)  # the bot only watches now
            assert seat.play(choose).places
            assert bot.next_with("ended")["ended"] == seat.session_id


def test_a_game_is_resigned_after_a_mistake(installed: Path, deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner, Client(deployment.grpc_address, name="Bert") as bert:
        bot_id, made = bot_of(owner)
        given = (f"http://{deployment.web_address}", made.api_token, "100", "resign", "no notation")
        with living(installed, PATIENT, *given) as bot:
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            assert seat.play(choose).winners == [seat.number]
            assert bot.next_with("asked")["asked"]
            assert bot.next_with("ended") == {"ended": seat.session_id, "won": False}


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("away_s", [5, at_night(180)])
@pytest.mark.parametrize("fault", by_day(FAULTS, FaultyProxy.cut_messages), ids=lambda fault: fault.__name__)
def test_a_bot_waits_through_outages_on_the_way_and_forgets_no_game(
    installed: Path, deployment: Deployment, fault: Fault, away_s: float
) -> None:
    with (
        Client(deployment.grpc_address, name="Ada") as owner,
        Client(deployment.grpc_address, name="Bert") as bert,
        FaultyProxy(deployment.web_address) as proxy,
    ):
        bot_id, made = bot_of(owner)
        with living(installed, PATIENT, f"http://{proxy.address}", made.api_token) as bot:
            seat = bert.join_session(answered(bert, challenge(bert, bot_id)).session_id)
            assert bot.next_with("asked")["asked"]
            with proxy.having(fault):
                playing = in_background(partial(play_out, seat))
                time.sleep(away_s)  # how long the outage lasts is what is tried
                while "UNAVAILABLE" not in bot.next_with("waits")["waits"]:
                    pass
            began = time.monotonic()
            assert answered(owner, challenge(owner, bot_id)).session_id
            assert time.monotonic() - began < BACK_S
            playing.join(60)
            # In either order: news may be well before the game is.
            still: list[dict[str, object]] = [{"ended": seat.session_id}, {"waits": []}]
            while still:
                said = bot.said()
                still = [each for each in still if not each.items() <= said.items()]


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("process", "times"), [("gateway", 1), *((each, 20) for each in SERVICES)])
def test_a_bot_answers_after_every_restart_of_a_service(
    installed: Path, own_deployment: Deployment, process: str, times: int
) -> None:
    with Client(own_deployment.grpc_address, name="Ada") as owner:
        bot_id, made = bot_of(owner)
        with living(installed, PATIENT, f"http://{own_deployment.web_address}", made.api_token) as bot:
            assert answered(owner, challenge(owner, bot_id)).session_id
            for _ in range(times):
                own_deployment.restart(process, lambda: time.sleep(3))  # longer than a call is tried again
                own_deployment.wait(process)
                owner.call(owner.service.ListSessions, mine())  # the others are back, too
                began = time.monotonic()
                assert answered(owner, challenge(owner, bot_id)).session_id
                assert time.monotonic() - began < BACK_S
            assert bot.next_with("asked")["asked"]


@pytest.mark.parametrize(
    ("shown", "asked"), [("345", "35"), ("343", "33")], ids=["what was before its action", "the server lost its action"]
)
def test_a_bot_is_asked_once_unless_its_action_was_lost(installed: Path, shown: str, asked: str) -> None:
    assert play(installed, SHOWN_AGAIN, *shown) == list(asked)
