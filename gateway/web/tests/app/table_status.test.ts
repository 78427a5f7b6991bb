import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Session_State, SessionSchema, TurnStateSchema } from "../../src/api/generated/brettwerk/v1/sessions_pb";
import { inOrder, tableStatus, type TableStatus } from "../../src/app/news/table_status";

type Seats = NonNullable<MessageInitShape<typeof SessionSchema>["seats"]>;

const person = (playerId: string): Seats[number] => ({ occupant: { kind: { case: "person", value: { playerId } } } });
const computer = (keptFor = ""): Seats[number] => ({
  keptFor,
  occupant: { kind: { case: "computer", value: { level: "easy" } } },
});

interface Given {
  readonly id?: string;
  readonly seats?: Seats;
  readonly toAct?: number[];
  readonly leftMs?: bigint;
  readonly atMs?: bigint;
  readonly state?: Session_State;
}

function status({ id = "s", seats, toAct = [0], leftMs, atMs = 0n, state }: Given): TableStatus {
  const session = create(SessionSchema, {
    id,
    state: state ?? Session_State.RUNNING,
    seats: seats ?? [person("ada"), person("bert")],
  });
  const clocks = leftMs === undefined ? [] : [0, 1].map((seat) => ({ leftMs, running: toAct.includes(seat) }));
  return tableStatus(session, create(TurnStateSchema, { toAct, clocks, atMs }), "ada");
}

test("it is the player's turn where one of their seats is to act in a running game", () => {
  expect(status({}).isMyTurn).toBe(true);
  expect(status({ toAct: [1] }).isMyTurn).toBe(false);
  expect(status({ state: Session_State.FINISHED }).isMyTurn).toBe(false);
  expect(status({ seats: [computer("ada"), person("bert")] }).isMyTurn).toBe(false);
});

test("the time that is left is told to whose clock runs", () => {
  expect(status({ leftMs: 5000n }).leftMs).toBe(5000);
  expect(status({ leftMs: 5000n, toAct: [1] }).leftMs).toBeUndefined();
});

test("a computer waits for nobody, but a clock does not stand still", () => {
  const seats = [person("ada"), computer()];
  expect(status({}).isAwaited).toBe(true);
  expect(status({ seats }).isAwaited).toBe(false);
  expect(status({ seats, leftMs: 5000n }).isAwaited).toBe(true);
});

test("tables that want the player come first, the most pressing before all others, and those that are over last", () => {
  const tables = [
    status({ id: "over", state: Session_State.FINISHED, atMs: 9n }),
    status({ id: "theirs", toAct: [1], atMs: 3n }),
    status({ id: "played before", toAct: [1], atMs: 2n }),
    status({ id: "without a clock", atMs: 1n }),
    status({ id: "days", leftMs: 200_000_000n }),
    status({ id: "minutes", leftMs: 60_000n }),
  ];
  expect(inOrder(tables).map(({ session }) => session.id)).toEqual([
    "minutes",
    "days",
    "without a clock",
    "theirs",
    "played before",
    "over",
  ]);
});
