import { expect, test } from "vitest";
import { readKept } from "../../src/app/settings_file";

test("kept settings come back whole", () => {
  const kept = readKept(
    { theme: "dark", sound: false, volume: 5, tours: ["einstein"], tables: { einstein: {} } },
    "de",
  );
  expect(kept).toMatchObject({ language: "de", theme: "dark", sound: false, volume: 5, tours: ["einstein"] });
  expect(readKept(JSON.parse(JSON.stringify(kept)), "en")).toEqual(kept);
});

test("an impossible setting is replaced by the original", () => {
  const original = readKept({}, "en");
  for (const value of [undefined, 7, [], { theme: "pink", volume: 1e9, tours: [1, "x".repeat(99)], tables: 3 }]) {
    expect(readKept(value, "en")).toEqual(original);
  }
});

test("a die that was left to the table before anybody could choose is shown", () => {
  expect(readKept({ roll: "table" }, "en").roll).toBe("always");
  for (const roll of ["agreed", "never"]) expect(readKept({ roll }, "en").roll).toBe(roll);
});

test("names of seats are short, and as many as there can be seats", () => {
  const names = { emperado: ["Ada", 7, "x".repeat(40), "", "e", "f", "g"], wec: "no list" };
  expect(readKept({ names }, "en").names).toEqual({ emperado: ["Ada", "", "x".repeat(12), "", "e", "f"], wec: [] });
});

test("a set is one that there is, for all games or for single ones", () => {
  const kept = readKept({ set: "cabinet", sets: { einstein: "studio", wec: "gold", plateau: 7 } }, "en");
  expect([kept.set, kept.sets]).toEqual(["cabinet", { einstein: "studio" }]);
  expect(readKept({ set: "gold", sets: "all" }, "en").sets).toEqual({});
  expect([readKept({}, "en").set, readKept({}, "en").sets]).toEqual(["studio", { plateau: "cabinet" }]);
  expect(readKept({ sets: {} }, "en").sets, "somebody who wanted no exception has none").toEqual({});
});

test("rest hours are minutes of a day, or nobody's choice", () => {
  const rest = { nightFrom: 1320, nightUntil: 480, weekends: true };
  expect(readKept({ rest }, "en").rest).toEqual(rest);
  for (const wrong of [{ nightFrom: 1440 }, { nightUntil: 0.5 }, { nightFrom: "22:00" }]) {
    expect(readKept({ rest: { ...rest, ...wrong } }, "en").rest).toBeUndefined();
  }
});
