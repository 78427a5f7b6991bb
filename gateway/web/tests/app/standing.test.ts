import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Session_State, SessionSchema, TurnStateSchema } from "../../src/api/generated/brettwerk/v1/sessions_pb";
import { inOrder, standingOf, type Standing } from "../../src/app/news/standing";

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

function standing({ id = "s", seats, toAct = [0], leftMs, atMs = 0n, state }: Given): Standing {
  const session = create(SessionSchema, {
    id,
    state: state ?? Session_State.RUNNING,
    seats: seats ?? [person("ada"), person("bert")],
  });
  const clocks = leftMs === undefined ? [] : [0, 1].map((seat) => ({ leftMs, running: toAct.includes(seat) }));
  return standingOf(session, create(TurnStateSchema, { toAct, clocks, atMs }), "ada");
}

test("it is the player's turn where one of their seats is to act in a running game", () => {
  expect(standing({}).isMyTurn).toBe(true);
  expect(standing({ toAct: [1] }).isMyTurn).toBe(false);
  expect(standing({ state: Session_State.FINISHED }).isMyTurn).toBe(false);
  expect(standing({ seats: [computer("ada"), person("bert")] }).isMyTurn).toBe(false);
});

test("the time that is left is told to whose clock runs", () => {
  expect(standing({ leftMs: 5000n }).leftMs).toBe(5000);
  expect(standing({ leftMs: 5000n, toAct: [1] }).leftMs).toBeUndefined();
});

test("a computer waits for nobody, but a clock does not stand still", () => {
  const seats = [person("ada"), computer()];
  expect(standing({}).isAwaited).toBe(true);
  expect(standing({ seats }).isAwaited).toBe(false);
  expect(standing({ seats, leftMs: 5000n }).isAwaited).toBe(true);
});

test("tables that want the player come first, the most pressing before all others, and those that are over last", () => {
  const tables = [
    standing({ id: "over", state: Session_State.FINISHED, atMs: 9n }),
    standing({ id: "theirs", toAct: [1], atMs: 3n }),
    standing({ id: "played before", toAct: [1], atMs: 2n }),
    standing({ id: "without a clock", atMs: 1n }),
    standing({ id: "days", leftMs: 200_000_000n }),
    standing({ id: "minutes", leftMs: 60_000n }),
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
