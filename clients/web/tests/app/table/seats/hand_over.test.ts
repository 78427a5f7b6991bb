/** People who share a device hand it over, in every game that hides something, whatever board it has. */
import { create } from "@bufbuild/protobuf";
import { GameSchema } from "@brettwerk/client/v1/games";
import { Resync_Cause } from "@brettwerk/client/v1/play";
import { Session_State, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import type { Watcher } from "@brettwerk/client/wire";
import { beforeEach, expect, test, vi } from "vitest";
import type { Board } from "../../../../src/boards/board";
import { games } from "../../../../src/app/games.svelte";
import { server } from "../../../../src/app/server.svelte";
import { Table } from "../../../../src/app/table/state/table.svelte";

const SEATS = 3;
let watchers: Watcher[];
let facts: { hidden: boolean } | undefined;

function made(version: number, toAct: number[], viewerSeat: number, state = Session_State.RUNNING): Update {
  const session = { id: "s", game: "duel", version: BigInt(version), seats: [{}, {}, {}], state };
  return create(UpdateSchema, { version: BigInt(version), atMs: BigInt(version), toAct, viewerSeat, session });
}

/** Returns a table at which the player has the first two seats of three. */
function table(board?: Partial<Board>): Table {
  const found = new Table("s");
  if (board !== undefined) found.board = board as Board;
  return found;
}

/** Tells both perspectives that somebody is to act. */
function acts(version: number, seat: number, state?: Session_State): void {
  for (const watcher of [...watchers]) {
    const viewer = Number(watcher.seatToken.split(" ")[1]);
    watcher.updated(made(version, [seat], viewer, state), Resync_Cause.UNSPECIFIED);
  }
}

beforeEach(() => {
  watchers = [];
  facts = { hidden: true };
  localStorage.clear();
  for (const seat of [0, 1]) server.wallet.keepSeat("s", seat, `token ${seat}`);
  vi.spyOn(server, "call").mockRejectedValue(new Error("nobody answers"));
  vi.spyOn(server, "watch").mockImplementation((watcher) => {
    watchers.push(watcher);
    return () => undefined;
  });
  vi.spyOn(games, "get").mockImplementation(() => facts && create(GameSchema, { id: "duel", ...facts }));
});

test("a game with hidden things is covered until the one whose turn it is has the device", () => {
  const here = table();
  acts(1, 0);
  expect([here.hides, here.awaits]).toEqual([true, true]);
  here.take(0);
  expect([here.hides, here.awaits]).toEqual([false, false]);
  acts(2, 1);
  expect([here.hides, here.awaits, here.perspective?.seat]).toEqual([true, true, 1]);
});

test("a game that hides nothing is not handed over; of one that is not known yet nothing is shown", () => {
  facts = { hidden: false };
  const here = table();
  acts(1, 0);
  expect([here.hides, here.awaits]).toEqual([false, false]);
  facts = undefined;
  const early = table();
  acts(1, 0);
  expect(early.hides).toBe(true);
});

test("a board that leaves out what is secret is shown", () => {
  const here = table({ covers: true });
  acts(1, 0);
  expect([here.hides, here.covered, here.awaits]).toEqual([false, true, true]);
});

test("a ply of another tab in between takes the device away here as well", () => {
  const here = table();
  acts(1, 0);
  here.take(0);
  acts(2, 1);
  acts(3, 0);
  expect(here.hides).toBe(true);
});

test("while somebody elsewhere plays, whoever has the device goes on seeing what they see, and others can ask to", () => {
  const here = table();
  acts(1, 1);
  here.take(1);
  acts(2, SEATS - 1);
  expect([here.perspective?.seat, here.hides]).toEqual([1, false]);
  here.take(0);
  expect([here.perspective?.seat, here.hides]).toEqual([0, false]);
});

test("those who do not mind see everything, and so does everybody once the game is over", () => {
  const open = table();
  acts(1, 0);
  open.openHands();
  acts(2, 1);
  expect(open.hides).toBe(false);
  const over = table();
  acts(3, 1, Session_State.FINISHED);
  expect(over.hides).toBe(false);
});
