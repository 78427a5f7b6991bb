/** A table whose server was set back: the player sits down again where the server has forgotten that they sat. */
import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test, vi } from "vitest";
import { Resync_Cause } from "@brettwerk/client/v1/play";
import { Session_State, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import type { Watcher } from "@brettwerk/client/wire";
import { server } from "../../../../src/app/server.svelte";
import { Table } from "../../../../src/app/table/state/table.svelte";

const made = (version: bigint, atMs: bigint): Update =>
  create(UpdateSchema, { version, atMs, session: { id: "s", version, seats: [{}, {}] } });

let watchers: Watcher[];
let joined: number[];

beforeEach(() => {
  watchers = [];
  joined = [];
  localStorage.clear();
  server.wallet.keepSeat("s", 1, "void");
  vi.spyOn(server, "watch").mockImplementation((watcher) => {
    watchers.push(watcher);
    return () => undefined;
  });
  vi.spyOn(server, "call").mockImplementation((name, request) => {
    if (name !== "joinSession") return Promise.reject(new Error(name));
    joined.push((request as { seat: number }).seat);
    server.wallet.keepSeat("s", 1, "new");
    return Promise.resolve({} as never);
  });
});

test("a seat that was lost with the versions in which the player took it is taken again", async () => {
  const table = new Table("s");
  watchers[0]?.updated(made(3n, 30n), Resync_Cause.UNSPECIFIED);
  watchers[0]?.updated(made(2n, 20n), Resync_Cause.SEAT);
  await expect.poll(() => watchers.at(-1)?.seatToken).toBe("new");
  expect(joined).toEqual([1]);
  expect(table.seats).toEqual([1]);
});

test("a seat that changed hands is not: another page of the player's, or the player, wanted that", async () => {
  const table = new Table("s");
  watchers[0]?.updated(made(3n, 30n), Resync_Cause.UNSPECIFIED);
  watchers[0]?.updated(made(4n, 40n), Resync_Cause.SEAT);
  await Promise.resolve();
  expect(watchers.at(-1)?.seatToken).toBe("");
  expect(joined).toEqual([]);
  expect(table.seats).toEqual([]);
});

test("clocks stand for people who see the game some actions later, and run for its players", () => {
  const session = { id: "s", version: 3n, spectatorDelay: 2, seats: [{}, {}] };
  const player = new Table("s");
  watchers[0]?.updated(create(UpdateSchema, { version: 3n, session }), Resync_Cause.UNSPECIFIED);
  expect(player.late).toBe(false);
  server.wallet.forgetSeat("s", 1);
  const spectator = new Table("s");
  watchers[1]?.updated(create(UpdateSchema, { version: 3n, session }), Resync_Cause.UNSPECIFIED);
  expect(spectator.late).toBe(true);
  watchers[1]?.updated(
    create(UpdateSchema, { version: 9n, session: { ...session, state: Session_State.FINISHED } }),
    Resync_Cause.OPENED,
  );
  expect(spectator.late).toBe(false);
});
