/** Which squares shots are seen to sweep, and that only what has changed is drawn again. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { WecViewSchema, type WecView } from "@brettwerk/client/v1/wec";
import { lasting, lastingList } from "../../../src/boards/wec/lasting";
import { stacksOf } from "../../../src/boards/wec/stacks";
import { strikesOf } from "../../../src/boards/wec/strikes";

const view = (pieces: object[], options: object = {}, items: string[] = []): WecView =>
  create(WecViewSchema, { pieces, options, turn: { items: items.map((text) => ({ text })) } });
const seen = (shown: WecView, text: string): [number, number, string][] =>
  strikesOf(shown, [text]).map(({ square, step, outcome }) => [square, step, outcome]);

test("a Flame sweeps as many squares as the option says, the nearest first, and tells what was hit and what was countered", () => {
  const shown = view(
    [
      { id: 1, place: 33 },
      { id: 9, seat: 1, place: 53 },
    ],
    { flameRange: 2 },
  );
  const text = "MV:--,FI1:FL/FP(4,4)->(5,4),RS:FK*RP(5,4)0W";
  expect(seen(shown, text)).toEqual([
    [43, 1, "hit"],
    [53, 2, "countered"],
  ]);
  expect(seen(view([], {}), text)).toEqual([[43, 1, "hit"]]);
});

test("until the Turn ends nobody knows what came of a shot", () => {
  const text = "FI1:FL/FP(4,4)->(5,4)";
  expect(seen(view([{ id: 9, seat: 1, place: 43 }], {}, [text]), text)).toEqual([[43, 1, "swept"]]);
});

test("a Stun sweeps the level it is fired on, up to the first square where somebody is or to its range", () => {
  const text = "MV:--,FI1:ST/STP(1,1)->(1,2)";
  const people = [
    { id: 9, place: 104 },
    { id: 8, place: 5 },
  ];
  expect(seen(view(people), text).map(([square]) => square)).toEqual([1, 2, 3, 4, 5]);
  expect(seen(view(people, { stunRange: 2 }), text)).toEqual([
    [1, 1, "swept"],
    [2, 2, "swept"],
  ]);
});

test("a piece that came after the shot was not hit by it", () => {
  const shown = view([{ id: 1, place: 43 }]);
  expect(seen(shown, "MV:TA(3,4)>->(5,4),FI1:FL/FP(4,4)->(5,4),OR:FM")).toEqual([[43, 1, "swept"]]);
});

test("what flies explodes where it meets somebody, and does not where it leaves the board", () => {
  expect(seen(view([]), "MV:--,RS:R->(5,4)(1,0),Rv(6,4),RK*RP(6,4)0W")).toEqual([[53, 0, "hit"]]);
  expect(seen(view([]), "MV:--,RS:R->(5,4)(1,0),Rv(6,4),R*RP(6,4)0W")).toEqual([[53, 0, "countered"]]);
  expect(seen(view([]), "MV:--,RS:Sv(10,4)")).toEqual([]);
  expect(seen(view([]), "MV:--,FI1:RL/JE^(3,3)=>RP(3,3)")).toEqual([[22, 0, "swept"]]);
});

test("what is alike stays the same object, all the way down", () => {
  const before = [{ at: [1, 2] }, { at: [3] }];
  expect(lasting(before, [{ at: [1, 2] }, { at: [3] }])).toBe(before);
  const now = lastingList(before, [{ at: [1, 2] }, { at: [3, 4] }]);
  expect(now[0]).toBe(before[0]);
  expect(now[1]).toEqual({ at: [3, 4] });
  expect(lastingList(before, [{ at: [1, 2] }])).toHaveLength(1);
});

test("of the stacks of two views those are the same in which nothing has changed", () => {
  const one = stacksOf(
    view([
      { id: 1, place: 5 },
      { id: 2, place: 7 },
    ]),
  );
  const other = stacksOf(
    view([
      { id: 1, place: 6 },
      { id: 2, place: 7 },
    ]),
    one,
  );
  expect(other[7]).toBe(one[7]);
  expect([other[5]?.pieces.length, other[6]?.pieces.length]).toEqual([0, 1]);
});
