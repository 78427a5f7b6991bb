/** Viewers in step see the presenter's position; those who go on by themselves leave it, and can come back. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, expect, test, vi } from "vitest";
import { ViewingSchema, WatchedViewing_State, WatchedViewingSchema } from "@brettwerk/client/v1/viewings";
import { server } from "../../../src/app/server.svelte";
import { arrowPath } from "../../../src/app/viewing/mark_places";
import { stopAt, Viewing, type Looked } from "../../../src/app/viewing/viewing.svelte";

const STOPS = [2n, 5n, 6n, 7n];
const ME = "me";

class Board implements Looked {
  readonly id = "s";
  readonly stops = STOPS;
  looking: bigint | undefined;
  readonly viewing = new Viewing(this, "v");
  readonly talk = { hear: (): void => undefined };

  look(version: bigint | undefined): void {
    this.looking = version;
    this.viewing.looked();
  }
  step(by: number): void {
    const at = this.looking === undefined ? STOPS.length - 1 : STOPS.indexOf(this.looking);
    this.look(stopAt(STOPS, STOPS[Math.max(0, at + by)] ?? 7n));
  }
  lookFirst(): void {
    this.look(STOPS[0]);
  }
}

function tell(board: Board, change: Omit<MessageInitShape<typeof ViewingSchema>, "$typeName" | "$unknown">): void {
  const viewing = create(ViewingSchema, { id: "v", presenter: { playerId: "her" }, presented: true, ...change });
  board.viewing.hear(create(WatchedViewingSchema, { state: WatchedViewing_State.OPEN, viewing }));
  board.viewing.follow();
}

const asked: unknown[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.spyOn(server, "call").mockImplementation((_, request) => {
    asked.push((request as { change?: { value?: unknown } }).change?.value);
    return Promise.resolve(undefined as never);
  });
  vi.spyOn(server.wallet, "player", "get").mockReturnValue({ id: ME, name: "Me", token: "t" });
});

test("a version leads to the position that stands then; to the newest at the end", () => {
  expect(stopAt(STOPS, 1n)).toBe(2n);
  expect(stopAt(STOPS, 4n)).toBe(2n);
  expect(stopAt(STOPS, 6n)).toBe(6n);
  expect(stopAt(STOPS, 9n)).toBeUndefined();
  expect(stopAt([], 3n)).toBeUndefined();
});

test("viewers follow, leave the step by going on by themselves, and come back", () => {
  const board = new Board();
  tell(board, { version: 5n, marks: [{ place: "a1" }] });
  expect(board.looking).toBe(5n);
  expect(board.viewing.marks).toHaveLength(1);
  board.step(1);
  expect(board.viewing.inStep).toBe(false);
  expect(board.viewing.marks).toHaveLength(0);
  tell(board, { version: 7n });
  expect(board.looking).toBe(6n);
  board.viewing.rejoin();
  expect(board.looking).toBeUndefined();
  expect(asked).toEqual([]);
});

test("the presenter's steps are sent, the newest for all that were passed meanwhile, and are not taken back by older news", async () => {
  const board = new Board();
  tell(board, { version: 7n, presenter: { playerId: ME } });
  board.step(-1);
  board.step(-1);
  board.step(-1);
  tell(board, { version: 6n, presenter: { playerId: ME } });
  expect(board.looking).toBe(2n);
  await vi.waitFor(() => expect(asked).toEqual([6n, 2n]));
  tell(board, { version: 2n, presenter: { playerId: ME } });
  expect(board.viewing.version).toBe(2n);
  tell(board, { version: 5n, presenter: { playerId: ME } });
  expect(board.looking).toBe(5n);
});

test("those may draw whom the presenter lets", () => {
  const board = new Board();
  tell(board, { version: 7n });
  expect(board.viewing.mayDraw).toBe(false);
  tell(board, { version: 7n, viewers: [{ playerId: ME, name: "Me", draws: true }] });
  expect(board.viewing.mayDraw).toBe(true);
  tell(board, { version: 7n, everybodyDraws: true });
  expect(board.viewing.mayDraw).toBe(true);
  board.step(-1);
  expect(board.viewing.mayDraw).toBe(false);
});

test("an arrow has a point however near its places are", () => {
  const at = (x: number) => ({ x, y: 0, size: 40 });
  expect(arrowPath(at(0), at(100))).toMatch(/^M12 0L96 0M/);
  expect(arrowPath(at(0), at(0))).not.toContain("NaN");
});
