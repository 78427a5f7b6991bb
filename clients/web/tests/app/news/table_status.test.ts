import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Session_State, SessionSchema, TurnStateSchema } from "@brettwerk/client/v1/sessions";
import { inOrder, tableStatus, type TableStatus } from "../../../src/app/news/table_status";

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
  /** Days of vacation from now, and for later. */
  readonly vacation?: readonly [number, number];
}

const DAY = 86_400_000;
const NOW = 1_790_000_000_000;

function status({ id = "s", seats, toAct = [0], leftMs, atMs = 0n, state, vacation }: Given): TableStatus {
  const session = create(SessionSchema, {
    id,
    state: state ?? Session_State.RUNNING,
    seats: seats ?? [person("ada"), person("bert")],
    clock: { vacationDays: vacation === undefined ? 0 : 14 },
  });
  const [on, later] = vacation ?? [0, 0];
  const away = vacation && { vacationUntilMs: BigInt(NOW + on * DAY), vacationLeftMs: BigInt(later * DAY) };
  const clocks = leftMs === undefined ? [] : [0, 1].map((seat) => ({ leftMs, running: toAct.includes(seat), ...away }));
  return tableStatus(session, create(TurnStateSchema, { toAct, clocks, atMs }), "ada", NOW);
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

test("a computer keeps nobody waiting, but a clock does not stand still", () => {
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

test("a player on vacation has that time, too, and is not awaited", () => {
  const away = status({ leftMs: 5000n, vacation: [2, 3.5] });
  expect(away.leftMs).toBe(2 * DAY + 5000);
  expect(away.isAwaited).toBe(false);
  expect(away.vacations).toEqual([{ seat: 0, until: NOW + 2 * DAY, days: 6 }]);
  const back = status({ leftMs: 5000n, vacation: [-1, 3.5] });
  expect(back.leftMs).toBe(5000);
  expect(back.isAwaited).toBe(true);
  expect(back.vacations).toEqual([{ seat: 0, until: undefined, days: 4 }]);
});

test("there is vacation for persons, where the game has any, while it is played", () => {
  const none = [
    { leftMs: 5000n },
    { leftMs: 5000n, vacation: [0, 3] as const, state: Session_State.FINISHED },
    { leftMs: 5000n, vacation: [0, 3] as const, seats: [computer("ada"), person("bert")] },
  ];
  for (const each of none) expect(status(each).vacations).toEqual([]);
});
