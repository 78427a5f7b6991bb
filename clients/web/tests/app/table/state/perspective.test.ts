/** A seat's perspective of a session, and how it notices that the server has lost what it had sent. */
import { create } from "@bufbuild/protobuf";
import { expect, test, vi } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { ListUpdatesResponseSchema, Resync_Cause } from "@brettwerk/client/v1/play";
import { Session_State, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import type { Watcher } from "@brettwerk/client/wire";
import { games } from "../../../../src/app/games.svelte";
import { server } from "../../../../src/app/server.svelte";
import { isUntaken, Perspective } from "../../../../src/app/table/state/perspective.svelte";

const nothing = (): void => undefined;
const EVENTS = {
  happened: nothing,
  behind: () => false,
  begun: nothing,
  waiting: nothing,
  lost: nothing,
  moved: nothing,
  ended: nothing,
};

const made = (version: bigint, atMs: bigint): Update => create(UpdateSchema, { version, atMs });

test("a server that tells an earlier version, or another of the same number, has lost what it sent", () => {
  expect(isUntaken(made(5n, 50n), made(4n, 40n))).toBe(true);
  expect(isUntaken(made(5n, 50n), made(5n, 60n))).toBe(true);
});

test("a seat that was lost while nothing happened was not taken by anybody: its token has become void", () => {
  expect(isUntaken(made(5n, 50n), made(5n, 50n))).toBe(true);
  expect(isUntaken(made(5n, 50n), made(3n, 40n))).toBe(true); // as spectators count where something is hidden
});

test("a seat that changed hands since is another's doing, and so is one of which nothing was seen", () => {
  expect(isUntaken(made(5n, 50n), made(6n, 60n))).toBe(false);
  expect(isUntaken(undefined, made(5n, 50n))).toBe(false);
});

test("where spectators are told later, nobody can tell whether a seat was taken", () => {
  const delayed = create(UpdateSchema, { version: 3n, atMs: 40n, session: { spectatorDelay: 3 } });
  expect(isUntaken(made(5n, 50n), delayed)).toBe(false);
});

const ply = (version: bigint, notation: string, state = Session_State.RUNNING): Update =>
  create(UpdateSchema, {
    version,
    happening: { notation, ply: Number(version) },
    session: { id: "s", game: "wec", version, state },
  });

test.each([true, false])("hidden actions in the log (%s) are read in full once the game is over", async (hidden) => {
  games.all = [create(GameSchema, { id: "wec", hidden })];
  let watcher: Watcher | undefined;
  vi.spyOn(server, "watch").mockImplementation((each) => {
    watcher = each;
    return () => undefined;
  });
  const asked: bigint[] = [];
  vi.spyOn(server, "call").mockImplementation((_name, request) => {
    asked.push((request as { fromVersion: bigint }).fromVersion);
    const updates = [ply(1n, "MV:AAA(9,8)->(9,9)"), ply(2n, "END"), ply(3n, "", Session_State.FINISHED)];
    return Promise.resolve(create(ListUpdatesResponseSchema, { updates }) as never);
  });
  const perspective = new Perspective("s", 0, "token", EVENTS);
  for (const update of [ply(1n, "?"), ply(2n, "END"), ply(3n, "", Session_State.FINISHED)])
    watcher?.updated(update, "next");
  const first = hidden ? "MV:AAA(9,8)->(9,9)" : "?";
  await expect.poll(() => perspective.past.map((update) => update.happening?.notation)).toEqual([first, "END", ""]);
  expect(asked).toEqual(hidden ? [1n] : []);
});

test("actions in quick succession are taken in one go, all of them and in order", async () => {
  games.all = [create(GameSchema, { id: "wec" })];
  let watcher: Watcher | undefined;
  vi.spyOn(server, "watch").mockImplementation((each) => {
    watcher = each;
    return () => undefined;
  });
  const newest: bigint[] = [];
  const events = { ...EVENTS, behind: () => true, happened: (update: Update) => newest.push(update.version) };
  const perspective = new Perspective("s", undefined, "", events);
  for (const version of [1n, 2n, 3n, 4n]) watcher?.updated(ply(version, String(version)), "next");
  expect(newest).toEqual([1n]);
  await expect.poll(() => newest).toEqual([1n, 4n]);
  expect(perspective.past.map(({ version }) => version)).toEqual([1n, 2n, 3n, 4n]);
  expect(perspective.update?.version).toBe(4n);
});

test("a whole picture does not overtake the actions before it", () => {
  games.all = [create(GameSchema, { id: "wec" })];
  let watcher: Watcher | undefined;
  vi.spyOn(server, "watch").mockImplementation((each) => {
    watcher = each;
    return () => undefined;
  });
  const received: string[] = [];
  const events = {
    ...EVENTS,
    behind: () => true,
    happened: ({ version }: Update) => received.push(`happened ${String(version)}`),
    begun: ({ version }: Update) => received.push(`begun ${String(version)}`),
  };
  new Perspective("s", undefined, "", events);
  for (const version of [1n, 2n]) watcher?.updated(ply(version, ""), "next");
  watcher?.updated(ply(3n, ""), Resync_Cause.GAP);
  expect(received).toEqual(["happened 1", "happened 2", "begun 3"]);
});
