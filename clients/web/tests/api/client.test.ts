import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Arrival, Refused, type Socket, Watch, type Watcher } from "@brettwerk/client/wire";
import { Reason } from "@brettwerk/client/v1/errors";
import { Resync_Cause } from "@brettwerk/client/v1/play";
import { memory } from "../../src/api/storage";
import { Wallet } from "../../src/api/wallet";
import { Peer, type Got } from "./peer";

let peer: Peer;
beforeEach(async () => {
  peer = await Peer.open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await peer.close();
});

function known(): Wallet {
  const wallet = new Wallet(memory());
  wallet.keepPlayer({ id: "p1", token: "secret", name: "Ada" });
  return wallet;
}

function watcher(seen: [bigint, Arrival][]): Watcher {
  return {
    session: "s1",
    seatToken: "t",
    updated: (update, arrival) => void seen.push([update.version, arrival]),
    ended: () => undefined,
  };
}

const act = { sessionId: "s1", seatToken: "t", expectedVersion: 3n, notation: "A1" };
const acted = (got: Got, version: bigint): void =>
  got.say({ case: "answer", value: { response: { case: "act", value: { version } } } });

test("a known player says who they are before anything else is sent", async () => {
  const client = peer.client({ wallet: known() });
  const answer = client.call("act", act);
  const hello = await peer.next("authenticate");
  expect(hello.request.kind.value).toMatchObject({ playerToken: "secret" });
  expect(peer.untaken).toBe(0);
  hello.answer();
  acted(await peer.next("act"), 4n);
  expect((await answer).version).toBe(4n);
});

test("a newcomer asks without a token and becomes a player when they want to", async () => {
  const client = peer.client();
  const games = client.call("listGames", {});
  (await peer.next("listGames")).say({ case: "answer", value: { response: { case: "listGames", value: {} } } });
  await games;
  const became = client.become("Ada");
  const made = await peer.next("createPlayer");
  made.say({
    case: "answer",
    value: { response: { case: "createPlayer", value: { playerId: "p1", playerToken: "secret", name: "Ada" } } },
  });
  (await peer.next("authenticate")).answer();
  await became;
  expect(client.wallet.player).toEqual({ id: "p1", token: "secret", name: "Ada" });
  await client.become("Ada");
  expect(peer.untaken).toBe(0);
});

test("another name makes the same player, who proves themselves with the new token from then on", async () => {
  const client = peer.client({ wallet: known() });
  (await peer.next("authenticate")).answer();
  const { id } = client.wallet.player ?? { id: "nobody" };
  const became = client.become("Bob");
  (await peer.next("renamePlayer")).say({
    case: "answer",
    value: { response: { case: "renamePlayer", value: { playerId: id, playerToken: "newer", name: "Bob" } } },
  });
  const hello = await peer.next("authenticate");
  expect(hello.request.kind.value).toMatchObject({ playerToken: "newer" });
  hello.answer();
  await became;
  expect(client.wallet.player).toEqual({ id, token: "newer", name: "Bob" });
});

test("a call that needs a player makes one and is sent again", async () => {
  const client = peer.client();
  const answer = client.call("act", act);
  (await peer.next("act")).refuse(Reason.NO_TOKEN);
  (await peer.next("createPlayer")).say({
    case: "answer",
    value: { response: { case: "createPlayer", value: { playerId: "p", playerToken: "new", name: "Guest" } } },
  });
  (await peer.next("authenticate")).answer();
  acted(await peer.next("act"), 9n);
  expect((await answer).version).toBe(9n);
});

test("a token that the server does not know is replaced by a new player of the same name", async () => {
  const client = peer.client({ wallet: known() });
  (await peer.next("authenticate")).refuse(Reason.NO_TOKEN);
  const made = await peer.next("createPlayer");
  expect(made.request.kind).toMatchObject({ value: { request: { value: { name: "Ada" } } } });
  made.say({
    case: "answer",
    value: { response: { case: "createPlayer", value: { playerId: "p2", playerToken: "new", name: "Ada" } } },
  });
  (await peer.next("authenticate")).answer();
  await expect.poll(() => client.wallet.player?.id).toBe("p2");
});

test("a write whose answer was lost is sent again under the same request id, and answered once", async () => {
  const client = peer.client();
  const answer = client.call("act", act);
  const first = await peer.next("act");
  expect(first.requestId).toMatch(/^[\w-]{22}$/);
  peer.cut();
  const second = await peer.next("act");
  expect(second.requestId).toBe(first.requestId);
  acted(second, 4n);
  expect((await answer).version).toBe(4n);
  peer.cut();
  client.call("listGames", {}).catch(() => undefined);
  await peer.next("listGames");
  expect(client.unanswered).toBe(0);
});

test("a server that ends in order is left for another one at once, and only once without a pause", async () => {
  const client = peer.client({ backoffRange: { first: 60_000, most: 60_000 } });
  const answer = client.call("act", act);
  await peer.next("act");
  peer.leave();
  acted(await peer.next("act"), 4n);
  expect((await answer).version).toBe(4n);
  client.call("act", act).catch(() => undefined);
  await peer.next("act");
  peer.cut();
  await expect.poll(() => client.state).toBe("broken");
  expect(peer.sockets).toBe(2);
});

test("writes of a page that is gone are sent by the next one, and their seats are not lost", async () => {
  const outbox = memory();
  const before = peer.client({ outbox });
  void before.call("createSession", { game: "einstein", seats: [{ kind: { case: "me", value: true } }] });
  const lost = await peer.next("createSession");
  before.stop();

  const wallet = new Wallet(memory());
  const after = peer.client({ outbox, wallet });
  const again = await peer.next("createSession");
  expect(again.requestId).toBe(lost.requestId);
  again.say({
    case: "answer",
    value: {
      response: {
        case: "createSession",
        value: { session: { id: "s9" }, grants: [{ seat: 0, seatToken: "white" }] },
      },
    },
  });
  await expect.poll(() => wallet.seats("s9").get(0)).toBe("white");
  expect(after.unanswered).toBe(0);
  expect(outbox.length).toBe(0);
});

test("a refusal reaches the caller and ends the write", async () => {
  const client = peer.client();
  const answer = client.call("act", act);
  (await peer.next("act")).say({
    case: "answer",
    value: { response: { case: "refusal", value: { reason: Reason.ILLEGAL, rule: "EWN-TURN-3" } } },
  });
  const refused = await answer.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ refusal: { rule: "EWN-TURN-3" } });
  expect(client.unanswered).toBe(0);
});

test("a call that can succeed a little later is tried again, but not for ever", async () => {
  const client = peer.client();
  const answer = client.call("act", act).catch((error: unknown) => error);
  const ids = new Set<string>();
  for (let attempts = 0; attempts < 5; attempts++) {
    const got = await peer.next("act");
    ids.add(got.requestId);
    got.refuse(attempts % 2 ? Reason.TOO_MANY_REQUESTS : Reason.UNAVAILABLE, 1);
  }
  expect(await answer).toBeInstanceOf(Refused);
  expect(ids.size).toBe(1);
});

test("a call that can succeed much later only is refused at once", async () => {
  const client = peer.client();
  const answer = client.call("act", act).catch((error: unknown) => error);
  (await peer.next("act")).refuse(Reason.UNAVAILABLE, 30_000);
  expect(await answer).toMatchObject({ refusal: { reason: Reason.UNAVAILABLE, retryAfterMs: 30_000 } });
  expect(client.unanswered).toBe(0);
});

test("a watch goes on after the last version it has", async () => {
  const client = peer.client();
  const seen: [bigint, Arrival][] = [];
  client.watch(watcher(seen));
  const first = await peer.next("watch");
  expect(first.watch).toMatchObject({ sessionId: "s1", seatToken: "t", afterVersion: 0n });
  first.resync(5n);
  first.update(6n);
  await expect.poll(() => seen).toHaveLength(2);
  peer.cut();
  const second = await peer.next("watch");
  expect(second.watch.afterVersion).toBe(6n);
  second.update(6n);
  second.update(7n);
  await expect.poll(() => seen.map(([version]) => version)).toEqual([5n, 6n, 7n]);
});

test("a hole ends the watch and begins a new one, and late messages of the old one are ignored", async () => {
  const client = peer.client();
  const seen: [bigint, Arrival][] = [];
  client.watch(watcher(seen));
  const first = await peer.next("watch");
  first.resync(5n);
  first.update(8n);
  const unwatch = await peer.next("unwatch");
  expect(unwatch.request.kind).toMatchObject({ value: { watchId: first.request.id } });
  const second = await peer.next("watch");
  expect(second.watch.afterVersion).toBe(5n);
  first.update(9n);
  second.resync(9n, Resync_Cause.GAP);
  second.update(10n);
  await expect.poll(() => seen).toHaveLength(3);
  expect(seen.slice(1)).toEqual([
    [9n, Resync_Cause.GAP],
    [10n, "next"],
  ]);
});

test("a watch that is refused for good ends, one that is refused for now does not", async () => {
  const client = peer.client();
  const ended: Reason[] = [];
  client.watch({ ...watcher([]), ended: (refusal) => void ended.push(refusal.reason) });
  (await peer.next("watch")).refuse(Reason.UNAVAILABLE);
  (await peer.next("watch")).refuse(Reason.UNKNOWN);
  await expect.poll(() => ended).toEqual([Reason.UNKNOWN]);
});

/** Sets the device's clock back by an hour: silence is no matter of the time of day. */
function setBack(): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
}

for (const [clock, meanwhile] of [
  ["right", (): void => undefined],
  ["set back by an hour", setBack],
] as const) {
  test(`a line that is dead while an answer is awaited is given up for another, the device's clock ${clock}`, async () => {
    const client = peer.client({ silenceTimeout: 100 });
    const answer = client.call("act", act);
    const first = await peer.next("act");
    meanwhile();
    const sign = await peer.next("giveUp");
    expect(sign.socket).toBe(first.socket);
    const second = await peer.next("act");
    expect(second.socket).not.toBe(first.socket);
    expect(second.requestId).toBe(first.requestId);
    acted(second, 4n);
    expect((await answer).version).toBe(4n);
  });
}

test("a server that takes its time for an answer, and gives signs of life, is waited for", async () => {
  const client = peer.client({ silenceTimeout: 100 });
  const answer = client.call("act", act);
  const asked = await peer.next("act");
  for (let signs = 0; signs < 3; signs++) (await peer.next("giveUp")).answer();
  acted(asked, 4n);
  expect((await answer).version).toBe(4n);
  expect(peer.sockets).toBe(1);
});

test("a socket that opens and does not even say whether it knows the player is given up as well", async () => {
  const client = peer.client({ silenceTimeout: 100, wallet: known() });
  (await peer.next("authenticate")).answer();
  const answer = client.call("act", act);
  await peer.next("act");
  peer.cut();
  const mute = await peer.next("authenticate");
  await peer.next("giveUp");
  const again = await peer.next("authenticate");
  expect(again.socket).not.toBe(mute.socket);
  again.answer();
  acted(await peer.next("act"), 4n);
  expect((await answer).version).toBe(4n);
});

test("a watch is asked for a sign of life once it is silent for longer than by nature, and then given up", async () => {
  const client = peer.client({ silenceTimeout: 40 });
  client.follow(Object.assign(new Watch(watcher([])), { quietMs: 200 }));
  const first = await peer.next("watch");
  const begun = performance.now();
  first.resync(5n);
  const sign = await peer.next("giveUp");
  expect(performance.now() - begun).toBeGreaterThan(200);
  expect(sign.socket).toBe(first.socket);
  sign.answer();
  expect((await peer.next("giveUp")).socket).toBe(first.socket);
  expect((await peer.next("watch")).socket).not.toBe(first.socket);
});

test("a write that has no answer for long is reported, until it has one", async () => {
  const client = peer.client({ late: 50 });
  const received: boolean[] = [];
  client.onLate = (isLate) => received.push(isLate);
  const answer = client.call("act", act);
  const list = client.call("listGames", {});
  const asked = await peer.next("act");
  await expect.poll(() => received).toEqual([true]);
  acted(asked, 4n);
  await answer;
  expect(received).toEqual([true, false]);
  (await peer.next("listGames")).say({ case: "answer", value: { response: { case: "listGames", value: {} } } });
  await list;
  expect(received).toEqual([true, false]);
});

test("of two actions on a dead line each is sent again once, in their order and under its own id", async () => {
  const client = peer.client({ silenceTimeout: 100 });
  const answers = [client.call("act", act), client.call("act", { ...act, notation: "B2" })];
  const ids = [(await peer.next("act")).requestId, (await peer.next("act")).requestId];
  await peer.next("giveUp");
  const [one, other] = [await peer.next("act"), await peer.next("act")];
  expect([one.requestId, other.requestId]).toEqual(ids);
  acted(one, 4n);
  other.refuse(Reason.STALE_VERSION);
  expect((await answers[0])?.version).toBe(4n);
  await expect(answers[1]).rejects.toThrow(Refused);
  expect(client.unanswered).toBe(0);
  expect(peer.untaken).toBe(0);
});

test("a connection whose network is gone is given up at once, and its calls are sent on the next one", async () => {
  const client = peer.client({ wallet: known() });
  (await peer.next("authenticate")).answer();
  const answer = client.call("act", act);
  await peer.next("act");
  client.interrupt();
  expect(client.state).toBe("broken");
  (await peer.next("authenticate")).answer();
  acted(await peer.next("act"), 4n);
  expect((await answer).version).toBe(4n);
});

test("a connection that does not open is given up for another", async () => {
  const sockets: Socket[] = [];
  const deaf: Socket = {
    binaryType: "arraybuffer",
    readyState: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: () => undefined,
    close: () => undefined,
  };
  const client = peer.client({
    opening: 500,
    open: () => {
      sockets.push(sockets.length === 0 ? deaf : peer.socket());
      return sockets.at(-1) ?? deaf;
    },
  });
  const answer = client.call("act", act);
  acted(await peer.next("act"), 4n);
  expect((await answer).version).toBe(4n);
  expect(sockets).toHaveLength(2);
});

test("the state of the connection is told", async () => {
  const client = peer.client();
  const states: string[] = [];
  client.onState((state) => states.push(state));
  const answer = client.call("listGames", {});
  (await peer.next("listGames")).say({ case: "answer", value: { response: { case: "listGames", value: {} } } });
  await answer;
  peer.cut();
  await expect.poll(() => states).toEqual(["open", "broken", "open"]);
});

test("a call that was given up is given up at the server, too, and hears nothing any more", async () => {
  const client = peer.client();
  const given = new AbortController();
  const hint = client.call("getHint", { sessionId: "s1", seatToken: "t" }, given.signal);
  const asked = await peer.next("getHint");
  given.abort();
  await expect(hint).rejects.toThrow(Refused);
  const givingUp = await peer.next("giveUp");
  expect(givingUp.request.kind.value).toMatchObject({ callId: asked.request.id });
  givingUp.answer();
  const again = client.call("getHint", { sessionId: "s1", seatToken: "t" });
  asked.say({ case: "answer", value: { response: { case: "getHint", value: { forVersion: 1n } } } });
  (await peer.next("getHint")).say({
    case: "answer",
    value: { response: { case: "getHint", value: { forVersion: 2n } } },
  });
  expect((await again).forVersion).toBe(2n);
  given.abort();
});

test("a call that is over cannot be given up", async () => {
  const client = peer.client();
  const given = new AbortController();
  const answer = client.call("act", act, given.signal);
  acted(await peer.next("act"), 4n);
  await answer;
  given.abort();
  const next = client.call("act", act);
  acted(await peer.next("act"), 5n);
  expect((await next).version).toBe(5n);
});
