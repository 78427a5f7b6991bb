import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Reason } from "@brettwerk/client/v1/errors";
import { NewsResync_Cause, type WatchPlayerResponseSchema } from "@brettwerk/client/v1/news";
import { ConnectResponseSchema } from "@brettwerk/client/v1/play";
import { NewsWatch } from "@brettwerk/client/wire";
import { memory } from "../../src/api/storage";
import { Wallet } from "../../src/api/wallet";
import { Peer, type Got } from "./peer";

let peer: Peer;
beforeEach(async () => {
  peer = await Peer.open();
});
afterEach(() => peer.close());

type Message = NonNullable<Extract<MessageInitShape<typeof WatchPlayerResponseSchema>, { $typeName?: never }>["kind"]>;

const say = (got: Got, kind: Message): void => got.say({ case: "player", value: { kind } });
const news = (version: bigint): Message => ({ case: "news", value: { version } });
const resync = (headVersion: bigint, versions: bigint[], cause = NewsResync_Cause.UNSPECIFIED): Message => ({
  case: "resync",
  value: { headVersion, cause, news: versions.map((version) => ({ version })) },
});

function known(): Wallet {
  const wallet = new Wallet(memory());
  wallet.keepPlayer({ id: "p1", token: "secret", name: "Ada" });
  return wallet;
}

function follower(): { watch: NewsWatch; seen: string[]; ended: Reason[] } {
  const seen: string[] = [];
  const ended: Reason[] = [];
  const watch = new NewsWatch({
    received: ({ version }) => void seen.push(`news ${version}`),
    begun: (kept, cause) => void seen.push(`${NewsResync_Cause[cause]} ${kept.map(({ version }) => version).join()}`),
    ended: ({ reason }) => void ended.push(reason),
  });
  return { watch, seen, ended };
}

const after = (got: Got): bigint =>
  got.request.kind.case === "watchPlayer" ? got.request.kind.value.afterVersion : -1n;

test("news go on after the last one when the connection has broken, and none is told twice", async () => {
  const client = peer.client({ wallet: known() });
  (await peer.next("authenticate")).answer();
  const { watch, seen } = follower();
  client.follow(watch);
  const first = await peer.next("watchPlayer");
  expect(after(first)).toBe(0n);
  say(first, resync(2n, [1n, 2n]));
  say(first, news(3n));
  await expect.poll(() => seen).toEqual(["UNSPECIFIED 1,2", "news 3"]);
  peer.cut();
  (await peer.next("authenticate")).answer();
  const second = await peer.next("watchPlayer");
  expect(after(second)).toBe(3n);
  say(second, news(3n));
  say(second, news(4n));
  await expect.poll(() => seen).toEqual(["UNSPECIFIED 1,2", "news 3", "news 4"]);
});

test("where news are missing the watch is asked for again", async () => {
  const client = peer.client();
  const { watch, seen } = follower();
  client.follow(watch);
  const first = await peer.next("watchPlayer");
  say(first, resync(1n, [1n]));
  say(first, news(3n));
  await peer.next("unwatch");
  const second = await peer.next("watchPlayer");
  expect(after(second)).toBe(1n);
  say(second, resync(5n, [1n, 4n, 5n], NewsResync_Cause.GAP));
  await expect.poll(() => seen).toEqual(["UNSPECIFIED 1", "GAP 4,5"]);
});

test("a server that has lost the last version counts anew", () => {
  const { watch, seen } = follower();
  for (const kind of [resync(9n, []), resync(1n, [1n], NewsResync_Cause.AHEAD)]) {
    watch.hear(create(ConnectResponseSchema, { kind: { case: "player", value: { kind } } }));
  }
  expect(seen).toEqual(["UNSPECIFIED ", "AHEAD 1"]);
  expect(watch.question.value).toEqual({ afterVersion: 1n });
});

test("following news creates no player", async () => {
  const client = peer.client();
  const { watch, ended } = follower();
  client.follow(watch);
  (await peer.next("watchPlayer")).refuse(Reason.NO_TOKEN);
  await expect.poll(() => ended).toEqual([Reason.NO_TOKEN]);
  expect(client.wallet.player).toBeUndefined();
  expect(peer.untaken).toBe(0);
});

test("while the players service is away the watch is asked for again, and its follower is not bothered", async () => {
  const client = peer.client();
  const { watch, ended } = follower();
  client.follow(watch);
  (await peer.next("watchPlayer")).refuse(Reason.UNAVAILABLE);
  say(await peer.next("watchPlayer"), resync(0n, []));
  expect(ended).toEqual([]);
});

test("a new player is told to those who wait for one, once the server knows who it is", async () => {
  const client = peer.client();
  const heard: (string | undefined)[] = [];
  client.onPlayer(() => heard.push(client.wallet.player?.id));
  const became = client.become("Ada");
  (await peer.next("createPlayer")).say({
    case: "answer",
    value: { response: { case: "createPlayer", value: { playerId: "p1", playerToken: "secret", name: "Ada" } } },
  });
  const hello = await peer.next("authenticate");
  expect(heard).toEqual([]);
  hello.answer();
  await became;
  expect(heard).toEqual(["p1"]);
});
