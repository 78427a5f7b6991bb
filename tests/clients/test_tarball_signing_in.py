"""Identity and company of the Node.js client: links, phrases, passwords, opponents; and updates without what is left out."""

import json
import uuid
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from tests.clients.node_programs import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SIGNING_IN = """
import { Client, Refused } from "@brettwerk/client";
import { Reason } from "@brettwerk/client/v1/errors";

const [url, login] = process.argv.slice(2);
const password = "four unlikely words together";
const ada = new Client({ url, name: "Ada" });
const { code } = await ada.call("startLink", {});
const { phrase } = await ada.call("setPhrase", {});
await ada.call("setPassword", { login, password, proof: { proof: { case: "phrase", value: phrase } } });
let devices = [];
const proofs = [
  { case: "link", value: code },
  { case: "phrase", value: phrase },
  { case: "login", value: { login, password } },
  { case: "link", value: code },
];
for (const proof of proofs) {
  const other = new Client({ url });
  try {
    const player = await other.signIn(proof, devices);
    const isKnown = devices.includes(player.deviceToken);
    devices = [player.deviceToken];
    const isKept = other.player === player;
    console.log(JSON.stringify({ is: player.id === ada.player.id, name: player.name, isKept, isKnown }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error instanceof Refused && Reason[error.refusal.reason] !== undefined }));
  }
  other.close();
}
ada.close();
"""

MEETING = """
import { Client } from "@brettwerk/client";
import { Update_Field } from "@brettwerk/client/v1/sessions";

const [url] = process.argv.slice(2);
const [ada, bert, cleo] = ["Ada", "Bert", "Cleo"].map((name) => new Client({ url, name }));
const aborted = new AbortController();
const left = cleo.findOpponent("einstein", {}, aborted.signal).catch(({ name }) => name);
aborted.abort();
console.log(JSON.stringify({ left: await left }));
const nobody = ada.call("listGames", {}, AbortSignal.abort()).catch(({ message }) => message);
console.log(JSON.stringify({ unasked: await nobody }));
const [one, other] = await Promise.all([ada.findOpponent("einstein"), bert.findOpponent("einstein")]);
console.log(JSON.stringify({ together: one.sessionId === other.sessionId, seats: [one.number, other.number].sort() }));
const seat = (await one.actions()).length > 0 ? one : other;
const whole = await seat.update();
const small = await seat.update({ leaveOut: [Update_Field.VIEW, Update_Field.ACTIONS] });
console.log(JSON.stringify([whole, small].map(({ view, actions }) => [view !== undefined, actions.length > 0])));
for await (const { view, actions } of seat.watch({ leaveOut: [Update_Field.ACTIONS] })) {
  console.log(JSON.stringify([view !== undefined, actions.length > 0]));
  break;
}
const all = await seat.actions();
const touched = all[0].places.slice(0, 1);
const begun = await seat.actions(touched);
console.log(JSON.stringify(begun.length === all.filter(({ places }) => places[0] === touched[0]).length));
const blind = (own) => async (update) => {
  if (update.actions.length > 0) throw new Error("a list was sent");
  return (await own.actions())[0];
};
const outcomes = await Promise.all([one, other].map((own) => own.play(blind(own), { leaveOut: [Update_Field.ACTIONS] })));
console.log(JSON.stringify(outcomes.map(({ winners }) => winners.length)));
for (const client of [ada, bert, cleo]) client.close();
"""


@pytest.mark.nightly
def test_a_player_who_proves_their_identity_is_the_same_player_elsewhere(installed: Path, deployment: Deployment) -> None:
    said = play(installed, SIGNING_IN, f"http://{deployment.web_address}", f"ada.{uuid.uuid4().hex[:12]}")
    signed_in = {"is": True, "name": "Ada", "isKept": True, "isKnown": False}
    again = {**signed_in, "isKnown": True}
    assert [json.loads(line) for line in said] == [signed_in, again, again, {"refused": True}]


def test_players_find_each_other_and_leave_out_of_updates_what_they_do_without(installed: Path, deployment: Deployment) -> None:
    said = play(installed, MEETING, f"http://{deployment.web_address}")
    left, unasked, met, updates, watched, begun, winners = map(json.loads, said)
    assert left == {"left": "AbortError"}
    assert unasked == {"unasked": "nobody waits for it any more"}
    assert met == {"together": True, "seats": [0, 1]}
    assert updates == [[True, True], [False, False]]
    assert watched == [True, False]
    assert begun is True
    assert winners == [1, 1]
