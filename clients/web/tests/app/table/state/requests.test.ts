/** A player's requests at a table, one at a time; but nobody has to wait for a hint. */
import { expect, test } from "vitest";
import { Requests } from "../../../../src/app/table/state/requests.svelte";

function requests(): Requests {
  return new Requests({ id: "s", acting: 0, tokenOf: () => "", update: undefined, catchUp: () => undefined } as never);
}

test("a request while something else is on its way is not made", async () => {
  const all = requests();
  let end = (): void => undefined;
  const first = all.try("act", () => new Promise<void>((resolve) => (end = resolve)));
  expect(await all.try("act", () => Promise.resolve())).toBe(false);
  expect(await all.try("hint", () => Promise.resolve())).toBe(false);
  end();
  expect(await first).toBe(true);
  expect(all.doing).toBeUndefined();
});

test("a move is played while a hint is thought about, and a failure of the hint is not shown", async () => {
  const all = requests();
  let fail = (): void => undefined;
  const hint = all.try("hint", () => new Promise<void>((_, reject) => (fail = () => reject(new Error("stale")))));
  expect(await all.try("act", () => Promise.resolve())).toBe(true);
  fail();
  expect(await hint).toBe(false);
  expect(all.refusal).toBeUndefined();
  expect(all.doing).toBeUndefined();
});

test("a hint that was given up is wanted no more, nor told about, and another can be asked for", async () => {
  const all = requests();
  let wants: (() => boolean) | undefined;
  let fail = (): void => undefined;
  const first = all.try("hint", (wanted) => {
    wants = wanted;
    return new Promise<void>((_, reject) => (fail = () => reject(new Error("late"))));
  });
  expect(wants?.()).toBe(true);
  all.stopHint();
  expect(all.doing).toBeUndefined();
  expect(wants?.()).toBe(false);
  let end = (): void => undefined;
  const second = all.try("hint", () => new Promise<void>((resolve) => (end = resolve)));
  fail();
  expect(await first).toBe(false);
  expect(all.refusal).toBeUndefined();
  expect(all.doing).toBe("hint");
  end();
  expect(await second).toBe(true);
});

test("only a hint is given up: a move is on its way", async () => {
  const all = requests();
  let end = (): void => undefined;
  const move = all.try("act", () => new Promise<void>((resolve) => (end = resolve)));
  all.stopHint();
  expect(all.doing).toBe("act");
  end();
  expect(await move).toBe(true);
});

test("the request is known with its refusal", async () => {
  const all = requests();
  await all.try("hint", () => Promise.reject(new Error("no")));
  expect(all.refused).toBe("hint");
  expect(all.refusal?.message).toBe("no");
});
