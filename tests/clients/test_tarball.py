"""The tarball that scripts/build-clients makes, installed into a folder that has nothing else, plays games in Node.js."""

import json
import re
import shutil
import tarfile
from pathlib import Path

import pytest

from brettwerk.v1 import errors_pb2
from deploy.local import web
from deploy.local.deployment import Deployment
from tests.clients.cable import Cable
from tests.clients.node_programs import NODE, play, run
from tests.e2e.stranger import FEWEST_MOVES

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]

THROUGH_A_CABLE = """
import { Client, me } from "@brettwerk/client";
import { ListUpdatesRequestSchema } from "@brettwerk/client/v1/play";
import { Happening_Kind } from "@brettwerk/client/v1/sessions";

const client = new Client({ url: process.argv[2], name: "Ada" });
const cut = () => fetch(process.argv[3], { method: "POST" });
const { seats } = await client.createSession("einstein", [me(), me()]);
const watched = [];
const watching = (async () => {
  for await (const update of client.spectator(seats[0].sessionId).watch()) watched.push(Number(update.version));
})();
let played = 0;
const choose = async (update) => {
  played += 1;
  await cut();
  return update.actions[0].notation;
};
const [outcome] = await Promise.all([...seats.map((seat) => seat.play(choose)), watching]);
const { sessionId, token: seatToken } = seats[0];
const { updates } = await client.call("listUpdates", { sessionId, seatToken, pageSize: 1000 });
const acted = updates.filter((update) => update.happening.kind === Happening_Kind.ACTED).length;
console.log(JSON.stringify({ played, acted, watched, winners: outcome.winners, request: ListUpdatesRequestSchema.typeName }));
client.close();
"""

ON_A_DEAD_LINE = """
import { Client, me } from "@brettwerk/client";

const client = new Client({ url: process.argv[2], name: "Ada" });
const { seats } = await client.createSession("einstein", [me(), me()]);
const seen = await seats[0].update();
const mover = seats[seen.toAct[0]];
const { actions } = await mover.update();
await fetch(process.argv[3], { method: "POST" });
const realNow = Date.now;
Date.now = () => realNow() - 3_600_000;
const began = performance.now();
const { version } = await mover.act(seen, actions[0].notation);
const afterMs = performance.now() - began;
const now = await mover.update();
console.log(JSON.stringify({ afterMs, played: Number(version - seen.version), now: Number(now.version - seen.version) }));
client.close();
"""

NEWS = """
import { Client, me, nobody } from "@brettwerk/client";
import { News_Kind } from "@brettwerk/client/v1/news";

const ada = new Client({ url: process.argv[2], name: "Ada" });
const bert = new Client({ url: process.argv[3], name: "Bert" });
const { session } = await ada.createSession("einstein", [me(), nobody()]);
const received = ada.news();
const seat = await bert.joinSession(session.id);
const seen = [(await received.next()).value];
await fetch(process.argv[4], { method: "POST" });
await seat.resign();
while (seen.at(-1).kind !== News_Kind.GAME_OVER) seen.push((await received.next()).value);
const again = await ada.news(seen.at(-1).version - 1n).next();
const versions = seen.map(({ version }) => Number(version));
console.log(JSON.stringify({ versions, first: News_Kind[seen[0].kind], again: Number(again.value.version) }));
ada.close();
bert.close();
"""

REFUSALS = """
import { Client, Refused, computer, me } from "@brettwerk/client";

const reason = (error) => (error instanceof Refused ? error.reason : String(error));
const received = async (promise) => promise.then(() => "nothing", reason);
const url = process.argv[2];
const nobody = new Client({ url });
const stranger = new Client({ url, token: "no token of this server" });
const ada = new Client({ url, name: "Ada" });
const { seat } = await ada.createSession("einstein", [me(), computer("easy")]);
const first = (await seat.watch().next()).value;
const said = [
  await received(nobody.createSession("einstein", [me(), computer("easy")])),
  await received(stranger.games()),
  await received(stranger.spectator(seat.sessionId).watch().next()),
  await received(ada.joinSession("07aaaaaaaaaaaaaaaaaaaaaa")),
  await received(seat.act({ ...first, version: 0n }, "a1")),
];
const again = new Client({ url, token: ada.player.token });
const mine = await again.call("listSessions", { filter: 3 });
console.log(JSON.stringify({ said, mine: mine.sessions.map(({ id }) => id), session: seat.sessionId }));
for (const client of [nobody, stranger, ada, again]) client.close();
console.log(await received(ada.games()));
"""

BOARD = """
import { Client, anyOf } from "@brettwerk/client";
import { PlateauOptionsSchema, PlateauShape } from "@brettwerk/client/v1/plateau";
import { create } from "@bufbuild/protobuf";

const client = new Client({ url: process.argv[2] });
const options = anyOf(create(PlateauOptionsSchema, { shape: PlateauShape.FLAT }));
const board = await client.board("plateau", { seats: 4, options });
const named = new Map(board.places.map((place) => [place.name, place]));
const beside = named.get("A1").neighbours.map((number) => board.places.find((place) => place.number === number).name);
console.log(JSON.stringify({ places: board.places.length, beside, bases: board.groups.map(({ id }) => id) }));
const { places, groups } = await client.board("emperado");
console.log(JSON.stringify({ places: places.length, bonus: groups.reduce((sum, group) => sum + group.bonus, 0) }));
client.close();
"""

BY_CONNECT_WEB = """
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { registry } from "@brettwerk/client";
import { RefusalSchema } from "@brettwerk/client/v1/errors";
import { PlayService } from "@brettwerk/client/v1/play";

const [baseUrl, format] = process.argv.slice(2);
let token = "";
const sign = (next) => (request) => {
  if (token !== "") request.header.set("authorization", `Bearer ${token}`);
  return next(request);
};
const options = { baseUrl, useBinaryFormat: format === "binary", jsonOptions: { registry }, interceptors: [sign] };
const play = createClient(PlayService, createConnectTransport(options));
const id = () => crypto.randomUUID();

token = (await play.createPlayer({ name: "Ada", requestId: id() })).playerToken;
const wishes = [{ kind: { case: "me", value: true } }, { kind: { case: "computer", value: { level: "easy" } } }];
const { session, grants } = await play.createSession({ game: "einstein", seats: wishes, requestId: id() });
const [{ seatToken }] = grants;
let outcome, versions = [];
for await (const { kind } of play.watch({ sessionId: session.id, seatToken })) {
  const update = kind.case === "update" ? kind.value : kind.case === "resync" ? kind.value.update : undefined;
  if (update === undefined) continue;
  versions.push(Number(update.version));
  outcome = update.session.outcome;
  if (outcome !== undefined) break;
  const [choice] = update.actions;
  if (choice === undefined) continue;
  const act = { sessionId: session.id, seatToken, expectedVersion: update.version, action: choice.action, requestId: id() };
  await play.act(act).catch((error) => {
    if (error.code !== Code.Aborted) throw error;
  });
}
const refused = await play.getSession({ sessionId: "07aaaaaaaaaaaaaaaaaaaaaa" }).catch((error) => ConnectError.from(error));
const nothing = play.watch({ sessionId: "07aaaaaaaaaaaaaaaaaaaaaa" })[Symbol.asyncIterator]();
const ended = await nothing.next().catch((error) => ConnectError.from(error));
const received = [refused, ended].map((error) => [Code[error.code], error.findDetails(RefusalSchema)[0]?.reason]);
console.log(JSON.stringify({ versions, winners: outcome.winners, refused: received }));
process.exit();
"""

STRICT = """
import { Client, Refused, computer, me, unpack, type Bot } from "@brettwerk/client";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";

export const isLate = (error: unknown): boolean => error instanceof Refused && error.reason === "STALE_VERSION";

export const bot: Bot = (update) => {
  const view = unpack(update.view, EinsteinViewSchema);
  return view?.position?.roll === 6 ? update.actions.at(-1) : update.actions[0];
};

export async function play(url: string): Promise<number[]> {
  const client = new Client({ url, name: "Ada" });
  const { seat } = await client.createSession("einstein", [me(), computer("easy")], { competitive: true });
  const outcome = await seat.play(bot);
  client.close();
  return outcome?.winners ?? [];
}
"""


def test_the_bot_of_its_readme_plays_a_game(installed: Path, deployment: Deployment) -> None:
    (shown,) = re.findall(r"```js\n(.*?)```", (ROOT / "clients" / "typescript" / "README.md").read_text(), re.DOTALL)
    assert len([line for line in shown.splitlines() if line and not line.startswith("//")]) <= 10
    (said,) = play(installed, shown.replace("127.0.0.1:8000", deployment.web_address))
    assert re.fullmatch(r"won by \[ [01] \] EWN-END-\d", said)


@pytest.mark.nightly
def test_a_cable_that_is_cut_before_every_action_loses_and_repeats_nothing(installed: Path, deployment: Deployment) -> None:
    with Cable(deployment.web_address) as cable, cable.by_http(cable.cut) as scissors:
        (said,) = play(installed, THROUGH_A_CABLE, f"http://{cable.address}", scissors)
        received = json.loads(said)
    assert cable.cuts >= received["played"] == received["acted"] >= FEWEST_MOVES
    assert received["watched"] == list(range(received["watched"][0], received["watched"][-1] + 1))
    assert len(received["winners"]) == 1
    assert received["request"] == "brettwerk.v1.ListUpdatesRequest"


@pytest.mark.nightly
def test_a_line_that_is_dead_during_an_action_is_given_up_and_the_action_carried_out_once(
    installed: Path, deployment: Deployment
) -> None:
    with Cable(deployment.web_address) as cable, cable.by_http(cable.die_before_the_next_answer) as killer:
        (said,) = play(installed, ON_A_DEAD_LINE, f"http://{cable.address}", killer)
    received = json.loads(said)
    assert received["afterMs"] < 10_000
    assert received["played"] == received["now"] == 1


@pytest.mark.nightly
def test_news_of_tables_that_are_not_watched_go_on_where_the_cable_was_cut(installed: Path, deployment: Deployment) -> None:
    with Cable(deployment.web_address) as cable, cable.by_http(cable.cut) as scissors:
        (said,) = play(installed, NEWS, f"http://{cable.address}", f"http://{deployment.web_address}", scissors)
    received = json.loads(said)
    assert received["versions"] == list(range(1, len(received["versions"]) + 1))
    assert (received["first"], received["again"]) == ("SEAT_TAKEN", received["versions"][-1])


def test_refusals_are_errors_that_say_what_the_server_says(installed: Path, deployment: Deployment) -> None:
    said, closed = play(installed, REFUSALS, f"http://{deployment.web_address}")
    received = json.loads(said)
    assert received["said"] == ["NO_TOKEN", "NO_TOKEN", "NO_TOKEN", "UNKNOWN", "STALE_VERSION"]
    assert received["mine"] == [received["session"]]
    assert closed == "UNAVAILABLE"


def test_a_board_is_that_of_the_options_and_seats_that_are_asked_for(installed: Path, deployment: Deployment) -> None:
    plateau, emperado = map(json.loads, play(installed, BOARD, f"http://{deployment.web_address}"))
    assert plateau == {"places": 252, "beside": ["A2", "B1"], "bases": [f"base.{seat}" for seat in range(4)]}
    assert emperado == {"places": 60, "bonus": 31}


@pytest.fixture(scope="module")
def with_connect(installed: Path) -> Path:
    """The same with the Connect protocol's own client for browsers, which runs in Node.js, too."""
    packages = ["@connectrpc/connect@2.2.0", "@connectrpc/connect-web@2.2.0"]
    run(NODE.npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages, folder=installed)
    return installed


@pytest.mark.parametrize("form", ["json", "binary"])
def test_clients_that_are_generated_for_connect_play_a_game(with_connect: Path, deployment: Deployment, form: str) -> None:
    (said,) = play(with_connect, BY_CONNECT_WEB, f"http://{deployment.web_address}", form)
    received = json.loads(said)
    assert received["versions"] == list(range(received["versions"][0], received["versions"][-1] + 1))
    assert len(received["winners"]) == 1
    assert received["refused"] == [["NotFound", errors_pb2.REASON_UNKNOWN]] * 2


@pytest.mark.nightly
@pytest.mark.parametrize("module", ["NodeNext", "ESNext"])
def test_its_types_hold_in_a_strict_program_of_another(installed: Path, module: str) -> None:
    (installed / "strict.ts").write_text(STRICT)
    resolution = "NodeNext" if module == "NodeNext" else "bundler"
    options = ["--strict", "--noEmit", "--target", "ES2023", "--module", module, "--moduleResolution", resolution]
    run(web.SOURCES / "node_modules" / ".bin" / "tsc", *options, "--exactOptionalPropertyTypes", "strict.ts", folder=installed)


def test_it_holds_the_public_contract_without_any_and_without_messages_between_services(tarball: Path) -> None:
    with tarfile.open(tarball) as opened:
        names = opened.getnames()
        types = {name: opened.extractfile(name).read().decode() for name in names if name.endswith(".d.ts")}  # type: ignore[union-attr]
        package = json.loads(opened.extractfile("package/package.json").read())  # type: ignore[union-attr]
    assert "package/dist/generated/brettwerk/v1/play_pb.js" in names
    assert "package/LICENSE" in names
    internal = ("ai", "audience", "link", "players", "rules", "session", "session_state")
    assert not [name for name in names if name.endswith(tuple(f"/{each}_pb.js" for each in internal))]
    own = {name: text for name, text in types.items() if "/generated/" not in name}
    assert len(own) > 8
    assert not [name for name, text in own.items() if re.search(r":\s*any\b|<any>|as any", text)]
    assert package["license"] == "Apache-2.0"


def test_a_bundler_for_browsers_leaves_the_sockets_of_node_out(installed: Path) -> None:
    (installed / "page.js").write_text('import { Client } from "@brettwerk/client";\nnew Client({ url: location.href });\n')
    (installed / "index.html").write_text('<!doctype html><script type="module" src="./page.js"></script>')
    out = installed / "built"
    shutil.rmtree(out, ignore_errors=True)
    run(web.SOURCES / "node_modules" / ".bin" / "vite", "build", "--outDir", str(out), folder=installed)
    built = "".join(path.read_text() for path in out.rglob("*.js"))
    assert "brettwerk.v1.PlayService" in built or "/v1/connect" in built
    assert "node:net" not in built
    assert "permessage-deflate" not in built
