import { expect, test } from "vitest";
import { makeCall, Refused } from "@brettwerk/client/wire";
import { MAX_WRITES, Outbox } from "../../src/api/outbox";
import { memory } from "../../src/api/storage";

const resign = (id: string) => makeCall("resign", { sessionId: "s", seatToken: "t" }, id);

test("writes outlive the page, in order and byte for byte, until they are answered", () => {
  const storage = memory();
  const outbox = new Outbox(storage);
  for (const id of ["one", "two", "three"]) outbox.add(id, resign(id));
  outbox.remove("two");
  expect([...new Outbox(storage).calls]).toEqual([
    ["one", resign("one")],
    ["three", resign("three")],
  ]);
});

test("an empty outbox leaves nothing behind", () => {
  const storage = memory();
  const outbox = new Outbox(storage);
  outbox.add("one", resign("one"));
  outbox.remove("one");
  expect(storage.length).toBe(0);
});

test("an outbox is bounded", () => {
  const outbox = new Outbox(memory());
  for (let index = 0; index < MAX_WRITES; index++) outbox.add(`write ${index}`, resign("x"));
  expect(() => outbox.add("one more", resign("x"))).toThrow(Refused);
  expect(outbox.calls.size).toBe(MAX_WRITES);
});

test("damaged storage is passed over", () => {
  const storage = memory();
  for (const text of ["{", "7", '["x"]', '[["id"]]', '[["id", "%%"], ["id", "////"]]']) {
    storage.setItem("brettwerk.outbox", text);
    expect(new Outbox(storage).calls.size).toBe(0);
  }
});
