import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Resync_Cause, WatchResponseSchema, type WatchResponse } from "@brettwerk/client/v1/play";
import { Watch, type Arrival } from "@brettwerk/client/wire";

type Kind = Extract<MessageInitShape<typeof WatchResponseSchema>, { $typeName?: never }>["kind"];

function message(kind: NonNullable<Kind>): WatchResponse {
  return create(WatchResponseSchema, { kind });
}
const update = (version: bigint): WatchResponse => message({ case: "update", value: { version } });
const resync = (version: bigint, cause = Resync_Cause.UNSPECIFIED): WatchResponse =>
  message({ case: "resync", value: { cause, update: { version } } });
const heartbeat = (headVersion: bigint): WatchResponse => message({ case: "heartbeat", value: { headVersion } });

function watched(): { watch: Watch; seen: [bigint, Arrival][] } {
  const seen: [bigint, Arrival][] = [];
  const watch = new Watch({
    session: "s",
    seatToken: "",
    updated: (got, arrival) => void seen.push([got.version, arrival]),
    ended: () => undefined,
  });
  return { watch, seen };
}

test("versions are passed on in order, each once", () => {
  const { watch, seen } = watched();
  for (const each of [resync(4n), update(4n), update(5n), update(5n), update(3n), update(6n)]) {
    expect(watch.take(each)).toBe("well");
  }
  expect(seen.map(([version]) => version)).toEqual([4n, 5n, 6n]);
});

test("a missing version is not passed over: the watch asks again after the last one it has", () => {
  const { watch, seen } = watched();
  watch.take(resync(4n));
  expect(watch.take(update(6n))).toBe("again");
  expect(watch.last).toBe(4n);
  expect(watch.take(update(5n))).toBe("well");
  expect(watch.take(update(6n))).toBe("well");
  expect(seen.map(([version]) => version)).toEqual([4n, 5n, 6n]);
});

test("a whole picture replaces what is missing, forwards and backwards", () => {
  const { watch, seen } = watched();
  watch.take(resync(4n));
  watch.take(resync(9n, Resync_Cause.GAP));
  watch.take(update(10n));
  watch.take(resync(7n, Resync_Cause.AHEAD));
  watch.take(update(8n));
  expect(seen.slice(1)).toEqual([
    [9n, Resync_Cause.GAP],
    [10n, "next"],
    [7n, Resync_Cause.AHEAD],
    [8n, "next"],
  ]);
});

test("a picture of the same version counts only when somebody else sees it", () => {
  const { watch, seen } = watched();
  watch.take(resync(4n));
  watch.take(resync(4n, Resync_Cause.GAP));
  watch.take(resync(4n, Resync_Cause.SEAT));
  expect(seen).toEqual([
    [4n, Resync_Cause.UNSPECIFIED],
    [4n, Resync_Cause.SEAT],
  ]);
});

test("one heartbeat may overtake an update, a second one that finds the same hole may not", () => {
  const { watch } = watched();
  watch.take(resync(4n));
  expect(watch.take(heartbeat(5n))).toBe("well");
  watch.take(update(5n));
  expect(watch.take(heartbeat(6n))).toBe("well");
  expect(watch.take(heartbeat(6n))).toBe("again");
  expect(watch.take(heartbeat(5n))).toBe("well");
});

test("a picture of the same version that was made at another time counts: the server lost the first", () => {
  const { watch, seen } = watched();
  const made = (atMs: bigint): WatchResponse =>
    message({ case: "resync", value: { cause: Resync_Cause.AHEAD, update: { version: 4n, atMs } } });
  watch.take(made(10n));
  watch.take(made(10n));
  expect(seen.length).toBe(1);
  watch.take(made(20n));
  expect(seen.length).toBe(2);
  expect([watch.last, watch.lastAt]).toEqual([4n, 20n]);
});

test("every sign of life tells which computers are waited for, and at which version", () => {
  const heard: [number[], bigint][] = [];
  const watch = new Watch({
    session: "s",
    seatToken: "",
    updated: () => undefined,
    waiting: (waits, version) => void heard.push([waits.map(({ seat }) => seat), version]),
    ended: () => undefined,
  });
  watch.take(resync(4n));
  watch.take(message({ case: "heartbeat", value: { headVersion: 4n, computerWaits: [{ seat: 1 }, { seat: 3 }] } }));
  watch.take(heartbeat(4n));
  expect(heard).toEqual([
    [[1, 3], 4n],
    [[], 4n],
  ]);
});

test("news of a viewing goes to its viewers", () => {
  const received: bigint[] = [];
  const watch = new Watch({
    session: "s",
    seatToken: "",
    updated: () => undefined,
    viewing: { id: "v", received: ({ viewing }) => void received.push(viewing?.version ?? 0n) },
    ended: () => undefined,
  });
  expect(watch.question).toMatchObject({ case: "watch", value: { viewingId: "v" } });
  expect(watch.take(message({ case: "viewing", value: { viewing: { version: 5n } } }))).toBe("well");
  expect(received).toEqual([5n]);
});
