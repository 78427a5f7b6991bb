import { expect, test } from "vitest";
import { commandOf, KEYS, placeOf, type Command } from "../../src/app/keys";

const stroke = (key: string, more = {}) => ({ key, ctrlKey: false, altKey: false, metaKey: false, ...more });

test("every key on the list does what the list says, and no key stands for two things", () => {
  const all = Object.values(KEYS).flat();
  expect(new Set(all).size).toBe(all.length);
  for (const command of Object.keys(KEYS) as Command[]) {
    for (const key of KEYS[command]) expect(commandOf(stroke(key), "page")).toBe(command);
  }
});

test("keys of the browser, of fields and of grids are left to them", () => {
  expect(commandOf(stroke("f", { ctrlKey: true }), "page")).toBeUndefined();
  expect(commandOf(stroke("j"), "field")).toBeUndefined();
  expect(commandOf(stroke("ArrowLeft"), "grid")).toBeUndefined();
  expect(commandOf(stroke("j"), "grid")).toBe("on");
});

test("the place of the focus is found", () => {
  document.body.innerHTML = '<input id="a"><div role="grid"><b id="b"></b></div><p id="c"></p>';
  expect(["a", "b", "c"].map((id) => placeOf(document.getElementById(id)))).toEqual(["field", "grid", "page"]);
});
