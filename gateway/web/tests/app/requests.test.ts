/** What a player asks for at a table, one thing at a time; but nobody has to wait for a hint. */
import { expect, test } from "vitest";
import { Requests } from "../../src/app/table/requests.svelte";

function requests(): Requests {
  return new Requests({ id: "s", acting: 0, tokenOf: () => "", update: undefined, catchUp: () => undefined } as never);
}

test("what is asked for while something else is on its way is not done", async () => {
  const all = requests();
  let end = (): void => undefined;
  const first = all.try("act", () => new Promise<void>((resolve) => (end = resolve)));
  expect(await all.try("act", () => Promise.resolve())).toBe(false);
  expect(await all.try("hint", () => Promise.resolve())).toBe(false);
  end();
  expect(await first).toBe(true);
  expect(all.doing).toBeUndefined();
});

test("a move is played while a hint is thought about, and what becomes of the hint troubles nobody", async () => {
  const all = requests();
  let fail = (): void => undefined;
  const hint = all.try("hint", () => new Promise<void>((_, reject) => (fail = () => reject(new Error("stale")))));
  expect(await all.try("act", () => Promise.resolve())).toBe(true);
  fail();
  expect(await hint).toBe(false);
  expect(all.refusal).toBeUndefined();
  expect(all.doing).toBeUndefined();
});
