import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  beginsWith,
  kept,
  keepable,
  played,
  turnsOf,
  withoutEnd,
  withPath,
  type Line,
  type Move,
} from "../../../src/app/conditional/lines";

/** Returns a move of a seat that is told from others by a letter; `next`: who is to act after it. */
function move(text: string, next?: readonly number[]): Move {
  const value = new TextEncoder().encode(text.slice(1));
  const action = create(AnySchema, { typeUrl: "type.googleapis.com/test", value });
  return { seat: Number(text[0]), action, notation: text.slice(1), ...(next && { next }) };
}
const line = (text: string): Line => text.split(" ").map((each) => move(each));
const texts = (lines: readonly Line[]): string[] =>
  lines.map((each) => each.map(({ seat, notation }) => `${seat}${notation}`).join(" "));

describe("lines", () => {
  it("go on where they ended, and branch anywhere else", () => {
    let lines: readonly Line[] = [];
    for (const path of ["0a", "0a 1b", "0a 1b 0c", "0a 1d", "0a 1b"]) lines = withPath(lines, line(path));
    expect(texts(lines)).toEqual(["0a 1b 0c", "0a 1d"]);
  });

  it("end earlier when what ended them is taken back, and are gone with their first move", () => {
    const lines = [line("0a 1b 0c"), line("0a 1d")];
    expect(texts(withoutEnd(lines, line("0a 1b 0c"), 1))).toEqual(["0a 1b", "0a 1d"]);
    expect(texts(withoutEnd(lines, line("0a 1b 0c"), 2))).toEqual(["0a 1d"]);
    expect(withoutEnd(lines, line("0a 1b"), 1)).toBe(lines);
    expect(withoutEnd([line("0a")], line("0a"), 1)).toEqual([]);
  });

  it("go on with what was played, or are dropped", () => {
    const lines = [line("0a 1b"), line("0c 1d"), line("0a 1e 0f")];
    expect(texts(played(lines, (each) => each.notation === "a"))).toEqual(["1b", "1e 0f"]);
    expect(played([line("0a")], () => true)).toEqual([]);
  });

  it("are kept up to the last answer with which the turn is over", () => {
    expect(keepable(line("0a 0b"), 1)).toBe(0);
    expect(keepable(line("1a 0b 1c"), 1)).toBe(0);
    expect(keepable(line("0a 1b 1c 0d 0e"), 1)).toBe(3);
    expect(keepable([...line("0a 1b"), move("1c", [1])], 1)).toBe(0);
    expect(keepable([...line("0a 1b 0d"), move("1c", [1])], 1)).toBe(2);
    expect(keepable([...line("0a 1b"), move("1c", [0])], 1)).toBe(3);
    expect(keepable([...line("0a"), move("1c", [])], 1)).toBe(2);
  });

  it("are kept once, where one begins with another", () => {
    const lines = [line("0a 1b 0c"), line("0a 1b 0d 1e"), line("0f"), line("0a 1b 0d 1e")];
    expect(texts(kept(lines, 1))).toEqual(["0a 1b 0d 1e"]);
  });

  it("are told in turns, and begin with what they begin with", () => {
    expect(turnsOf(line("0a 0b 1c 0d")).map(({ from, moves }) => [from, moves.length])).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
    ]);
    expect(beginsWith(line("0a"), line("0a 1b"))).toBe(false);
    expect(beginsWith(line("0a 1b"), line("1a"))).toBe(false);
    expect(beginsWith(line("0a"), [])).toBe(true);
  });
});
