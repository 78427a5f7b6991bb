/** The notice of a computer that is waited for, and what can be done about it. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Acted_Cause } from "@brettwerk/client/v1/record";
import { ComputerWaitSchema, Resync_Cause } from "@brettwerk/client/v1/play";
import { Happening_Kind, Session_State, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import type { Watcher } from "@brettwerk/client/wire";
import { connection, server } from "../../../../src/app/server.svelte";
import { settings } from "../../../../src/app/settings.svelte";
import ActionList from "../../../../src/app/table/log/ActionList.svelte";
import AtTurn from "../../../../src/app/table/seats/AtTurn.svelte";
import ComputerWaits from "../../../../src/app/table/waits/ComputerWaits.svelte";
import Hint from "../../../../src/app/table/actions/Hint.svelte";
import SeatCard from "../../../../src/app/table/seats/SeatCard.svelte";
import { Table } from "../../../../src/app/table/state/table.svelte";
import { words as catalogues } from "../../../../src/app/text/words.svelte";
import { MOMENT_MS } from "../../../../src/app/table/waits/waits.svelte";
import de from "../../../../../../brettwerk_games/languages/de/page/text.json";

type Fields = Extract<MessageInitShape<typeof UpdateSchema>, { $typeName?: never }>;

let watcher: Watcher | undefined;
let table: Table;
let answer: Promise<unknown>;
const asked: [string, unknown][] = [];
const shown: object[] = [];

const seats = [
  { occupant: { kind: { case: "person" as const, value: { playerId: "ada", name: "Ada" } } } },
  { occupant: { kind: { case: "computer" as const, value: { level: "strong" } } } },
];
function made(version: bigint, fields: Fields = {}): Update {
  const session = { id: "s", game: "nim", version, seats, state: Session_State.RUNNING };
  return create(UpdateSchema, { version, session, toAct: [1], ...fields });
}
function tell(version: bigint, ...waits: MessageInitShape<typeof ComputerWaitSchema>[]): void {
  watcher?.waiting?.(
    waits.map((wait) => create(ComputerWaitSchema, wait)),
    version,
  );
  vi.advanceTimersByTime(MOMENT_MS);
  flushSync();
}
const find = (name: string): HTMLElement | null => document.querySelector(`[data-testid="${name}"]`);
const words = (name: string): string => find(name)?.textContent.replaceAll(/\s+/g, " ").trim() ?? "";

beforeEach(() => {
  vi.useFakeTimers();
  vi.restoreAllMocks();
  localStorage.clear();
  settings.language = "en";
  connection.state = "open";
  asked.length = 0;
  answer = new Promise(() => undefined);
  server.wallet.keepPlayer({ id: "ada", token: "t", name: "Ada" });
  server.wallet.keepSeat("s", 0, "mine");
  vi.spyOn(server, "watch").mockImplementation((each) => {
    watcher = each;
    return () => undefined;
  });
  vi.spyOn(server, "call").mockImplementation((name, request) => {
    asked.push([name, request]);
    return answer as never;
  });
  table = new Table("s");
  watcher?.updated(made(1n), Resync_Cause.UNSPECIFIED);
  const target = document.body;
  shown.push(
    mount(AtTurn, { target, props: { table } }),
    mount(ComputerWaits, { target, props: { table } }),
    mount(SeatCard, { target, props: { table, seat: 1 } }),
  );
  flushSync();
});
afterEach(async () => {
  for (const each of shown.splice(0)) await unmount(each);
  table.leave();
  server.wallet.forgetPlayer();
  connection.state = "opening";
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a computer that thinks is said to, where it was said to be at the move", () => {
  expect(words("seat-1")).toContain("to move");
  tell(1n, { seat: 1, thinks: true });
  expect(words("seat-1")).toContain("thinks");
  expect(words("at-turn")).toContain("thinks");
  expect(find("wait-1")).toBeNull();
});

test("a wait says how many come before and how long that takes, and is over with the next version", () => {
  tell(1n, { seat: 1, before: 14, waitMs: 20_000 });
  expect(words("wait-1")).toContain("is waiting for a free computer: 14 before you, about 20 s");
  expect(words("seat-1")).toContain("waits");
  catalogues.take("de", { text: de });
  settings.language = "de";
  flushSync();
  expect(words("wait-1")).toContain("wartet auf einen freien Computer: 14 vor dir, etwa 20 s");
  watcher?.updated(made(2n, { toAct: [0] }), "next");
  flushSync();
  expect(find("wait-1")).toBeNull();
});

test("a wait is not shown while the connection is broken: nobody knows how it stands", () => {
  tell(1n, { seat: 1, waitMs: 20_000 });
  connection.state = "broken";
  flushSync();
  expect(find("wait-1")).toBeNull();
});

test("after a long wait a player may take the seat", async () => {
  tell(1n, { seat: 1, waitMs: 3000 });
  expect(find("take-1")).toBeNull();
  tell(1n, { seat: 1, waitMs: 20_000 });
  find("take-1")?.click();
  await tick();
  expect(asked.at(-1)).toMatchObject(["setSeat", { sessionId: "s", seat: 1, wish: { kind: { case: "me" } } }]);
});

test("while another person plays, nobody's seat is offered", () => {
  const other = { occupant: { kind: { case: "person" as const, value: { playerId: "ben", name: "Ben" } } } };
  const session = { id: "s", game: "nim", seats: [...seats, other], state: Session_State.RUNNING };
  watcher?.updated(made(2n, { session }), "next");
  tell(2n, { seat: 1, noComputer: true });
  expect(words("wait-1")).toContain("the game will continue on its own");
  expect(find("take-1")).toBeNull();
});

test("a move that was played without thinking is marked, and the mark says why", () => {
  shown.push(mount(ActionList, { target: document.body, props: { table } }));
  const acted = { kind: Happening_Kind.ACTED, concernedSeat: 1 };
  watcher?.updated(made(2n, { happening: { ...acted, ply: 1, notation: "one" } }), "next");
  watcher?.updated(made(3n, { happening: { ...acted, ply: 2, notation: "two", cause: Acted_Cause.FALLBACK } }), "next");
  vi.advanceTimersByTime(1000); // what comes in quick succession is gathered
  flushSync();
  const marks = document.querySelectorAll<HTMLElement>("[data-testid=thoughtless]");
  expect(marks.length).toBe(1);
  expect(marks[0]?.closest("li")?.textContent).toContain("two");
  expect(marks[0]?.title).toContain("No computer was free");
  marks[0]?.click();
  flushSync();
  expect(words("thoughtless-why")).toContain("Played without thinking. No computer was free");
  marks[0]?.click();
  flushSync();
  expect(find("thoughtless-why")).toBeNull();
});

test("a hint is waited for as long as the player likes, and is given up by the same button", async () => {
  shown.push(mount(Hint, { target: document.body, props: { table } }));
  find("hint")?.click();
  await tick();
  expect(words("hint")).toBe("Thinking … Cancel");
  find("hint")?.click();
  await tick();
  expect(table.requests.doing).toBe("hint");
  vi.advanceTimersByTime(4000);
  await tick();
  expect(words("hint")).toBe("Thinking … 4 s Cancel");
  find("hint")?.click();
  await tick();
  expect(words("hint")).toBe("Hint");
  expect(asked.filter(([name]) => name === "getHint").length).toBe(1);
});

test("a hint that comes after it was given up is not shown", async () => {
  let give: (value: unknown) => void = () => undefined;
  answer = new Promise((resolve) => (give = resolve));
  const hint = table.choosing.hint();
  table.requests.stopHint();
  give({ forVersion: 1n, hints: [], winChance: 0.5 });
  await hint;
  expect(table.choosing.hints).toBeUndefined();
});
