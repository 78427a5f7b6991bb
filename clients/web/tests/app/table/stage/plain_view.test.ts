/** The story next to the plain board begins with what the player did last. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { UpdateSchema } from "@brettwerk/client/v1/sessions";
import { pliesSince } from "../../../../src/app/table/stage/plain_view.svelte";

const plies = (...seats: number[]) =>
  seats.map((concernedSeat, ply) =>
    create(UpdateSchema, { version: BigInt(ply), happening: { concernedSeat, ply: ply + 1 } }),
  );
const seatsOf = (found: ReturnType<typeof pliesSince>) => found.map(({ happening }) => happening?.concernedSeat);

test("it has the player's last ply and those after it", () => {
  expect(seatsOf(pliesSince(plies(0, 1, 0, 1, 2), 0))).toEqual([0, 1, 2]);
  expect(seatsOf(pliesSince(plies(0, 1, 0), 0))).toEqual([0]);
});

test("it has the newest ones where the player has not acted for long, or only watches", () => {
  expect(seatsOf(pliesSince(plies(0, 1, 2, 3, 4, 5), 0))).toEqual([2, 3, 4, 5]);
  expect(seatsOf(pliesSince(plies(0, 1, 0, 1, 0), undefined))).toEqual([1, 0, 1, 0]);
  expect(pliesSince([], 0)).toEqual([]);
});
