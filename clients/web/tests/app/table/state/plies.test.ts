import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Happening_Kind, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import { pliesOf, startOf } from "../../../../src/app/table/state/plies";

let version = 0;
function update(kind: Happening_Kind, fields: { ply?: number; plies?: number; view?: boolean } = {}): Update {
  const { ply = 0, plies = 0, view = true } = fields;
  return create(UpdateSchema, {
    version: BigInt(++version),
    happening: { kind, ply, notation: `v${version}` },
    session: { plies },
    ...(view && { view: { typeUrl: "x/y" } }),
  });
}
const acted = (ply: number): Update => update(Happening_Kind.ACTED, { ply, plies: ply });
const versions = (updates: readonly Update[]): number[] => updates.map((each) => Number(each.version));

test("the line has the plies that were played and stand", () => {
  version = 0;
  const past = [
    update(Happening_Kind.CREATED, { view: false }),
    update(Happening_Kind.STARTED),
    acted(1),
    update(Happening_Kind.PROPOSED, { plies: 1 }),
    acted(2),
    acted(3),
    update(Happening_Kind.UNDONE, { plies: 1 }),
    acted(2),
    update(Happening_Kind.RESIGNED, { ply: 3, plies: 3 }),
  ];
  expect(versions(pliesOf(past))).toEqual([3, 8, 9]);
  expect(startOf(past, pliesOf(past))?.version).toBe(2n);
});

test("a line that was loaded replaces what was played, and goes on with its own numbers", () => {
  version = 0;
  const past = [update(Happening_Kind.STARTED), acted(1), update(Happening_Kind.LOADED, { plies: 7 }), acted(8)];
  expect(versions(pliesOf(past))).toEqual([4]);
  expect(startOf(past, pliesOf(past))?.version).toBe(3n);
});

test("before the game there is no line and no start", () => {
  version = 0;
  const past = [update(Happening_Kind.CREATED, { view: false })];
  expect(pliesOf(past)).toEqual([]);
  expect(startOf(past, [])).toBeUndefined();
});

test("a long line takes no more looks at an update than a short one", () => {
  version = 0;
  let looks = 0;
  const line = Array.from({ length: 3000 }, (_, index) => {
    const made = acted(index + 1);
    const { happening } = made;
    return Object.defineProperty(made, "happening", { get: () => (looks++, happening) });
  });
  expect(pliesOf(line)).toEqual(line);
  looks = 0;
  pliesOf(line);
  expect(looks).toBeLessThan(4 * line.length);
});
