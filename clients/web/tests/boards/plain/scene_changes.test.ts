/** The last move is marked where something else lies now, or where the game says that it was. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NarrationSchema, SceneSchema, type Scene } from "@brettwerk/client/v1/games";
import { movedPlaces } from "../../../src/boards/plain/scene_changes";

/** Returns a scene with a thing for each mark that is not empty. */
function scene(...marks: string[]): Scene {
  const places = marks.map((mark, index) => ({ name: `P${index}`, things: mark === "" ? [] : [{ mark }] }));
  return create(SceneSchema, { rows: 1, columns: marks.length, places });
}

test("a piece that has moved is marked where it was and where it is", () => {
  const moved = movedPlaces(scene("a", "", "b", "c", "d"), scene("", "a", "b", "c", "d"), []);
  expect([...moved]).toEqual(["P0", "P1"]);
});

test("a place that is new is marked if something lies there", () => {
  expect([...movedPlaces(scene("a"), scene("a", "b", ""), [])]).toEqual(["P1"]);
});

test("places that the game names are marked instead", () => {
  const said = create(NarrationSchema, { places: ["P2"] });
  expect([...movedPlaces(scene("a", "b", "c"), scene("b", "a", "c"), [said])]).toEqual(["P2"]);
  expect([...movedPlaces(undefined, scene("b"), [said])]).toEqual(["P2"]);
});

test("an event without a place, such as dice that are rolled anew, marks none", () => {
  expect(movedPlaces(scene("a", "b"), scene("b", "b"), [create(NarrationSchema)]).size).toBe(0);
});

test("a new deal is not marked, nor the first position", () => {
  const marks = Array.from({ length: 9 }, (_, at) => `${at}`);
  expect(movedPlaces(scene(...marks), scene(...marks.map((mark) => `${mark}x`)), []).size).toBe(0);
  expect(movedPlaces(undefined, scene(...marks), []).size).toBe(0);
});
