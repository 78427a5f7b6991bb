/** Which squares shots are seen to sweep, and that only what has changed is drawn again. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { WecArticle, WecKind, WecViewSchema, type WecView } from "@brettwerk/client/v1/wec";
import { stableValue, stableList } from "../../../src/boards/wec/stable_values";
import { stacksOf } from "../../../src/boards/wec/stacks";
import { strikesOf } from "../../../src/boards/wec/strikes";

const view = (pieces: object[], options: object = {}, items: string[] = []): WecView =>
  create(WecViewSchema, { pieces, options, turn: { items: items.map((text) => ({ text })) } });
const seen = (shown: WecView, text: string): [number, number, string][] =>
  strikesOf(shown, [text]).map(({ square, step, outcome }) => [square, step, outcome]);

test("a Flame sweeps as many squares as the option says, the nearest first, and tells hits and counters apart", () => {
  const shown = view(
    [
      { id: 1, place: 33 },
      { id: 9, seat: 1, kind: WecKind.FLAME_PAWN, place: 53 },
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

test("a piece that came after the shot was not hit by it, however it came", () => {
  const [fired, square] = ["FI1:FL/FP(4,4)->(5,4)", 43];
  const articles = [{ kind: WecArticle.COUNTER_FLAME }];
  const outcome = (kind: WecKind, text: string): string | undefined =>
    seen(view([{ id: 1, kind, place: square, articles }]), text)[0]?.[2];
  const later: [WecKind, string][] = [
    [WecKind.PANZER, `MV:TA(3,4)>->(5,4),${fired},OR:FM`],
    [WecKind.FLAME_PAWN, `MV:CH(3,4)>->(5,4)-TRA->FP(3,4)(5,4),${fired},OR:FM`],
    [WecKind.ROCKET_PAWN, `MV:DO(3,3)->(4,3),DO>(4,3)TA(3,3),RP(4,4),${fired},OR:FM`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RE:(5,4)FP`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RS:FP->(4,4)(1,0),FPv(5,4)`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RS:FP(?,?)->(5,4)`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RS:FPv(5,4)`],
    [WecKind.PANZER, `MV:TA(?,?)1FL>->(5,4),${fired},OR:FM`],
    [WecKind.ROCKET_PAWN, `MV:DO(3,3)->(4,3),DO>(4,3)RP(?,?),${fired},OR:FM`],
  ];
  for (const [kind, text] of later) expect(outcome(kind, text), text).toBe("swept");
  const before: [WecKind, string][] = [
    [WecKind.PANZER, `MV:TA(3,4)>->(5,4),${fired}`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RE:(5,4)FP,OR:RF`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RE:(5,5)FP`],
    [WecKind.FLAME_PAWN, `MV:--,${fired},RS:S->(4,4)(1,0)`],
  ];
  for (const [kind, text] of before) expect(outcome(kind, text), text).toBe("countered");
  // Of those who may have moved unseen nobody knows, of the others everybody.
  const of = (seat: number): WecView =>
    view([
      { id: 1, kind: WecKind.FLAME_PAWN, place: 33 },
      { id: 2, seat, kind: WecKind.FLAME_PAWN, place: square },
    ]);
  expect([0, 1].map((seat) => seen(of(seat), `MV:?,${fired}`)[0]?.[2])).toEqual(["swept", "countered"]);
});

test("of two shots, a piece was hit by the one that was fired when it was there", () => {
  const text = "MV:TA(3,4)>->(5,4),FI1:FL/FP(4,4)->(5,4),FI2:FL/FP(5,5)->(5,4),OR:FMF";
  const articles = [{ kind: WecArticle.COUNTER_FLAME }];
  expect(seen(view([{ id: 1, kind: WecKind.PANZER, place: 43, articles }]), text)).toEqual([[43, 1, "countered"]]);
  expect(seen(view([{ id: 1, kind: WecKind.PANZER, place: 43 }]), text)).toEqual([[43, 1, "swept"]]);
  const gone = "MV:TA(5,4)>->(5,3),FI1:FL/FP(4,4)->(5,4),FI2:FL/FP(5,5)->(5,4),OR:FMF";
  expect(seen(view([{ id: 1, kind: WecKind.PANZER, place: 42, articles }]), gone)).toEqual([[43, 1, "countered"]]);
});

test("a piece that was hit and went on had countered it, unless something befell it where it is", () => {
  const fired = "MV:TA(5,4)>->(8,4),FI1:ST/STP(2,4)->(3,4)";
  const shown = view([{ id: 1, kind: WecKind.PANZER, place: 73, articles: [{ kind: WecArticle.COUNTER_STUN }] }]);
  expect(seen(shown, `${fired},OR:FM`).slice(-1)).toEqual([[43, 3, "countered"]]);
  expect(seen(shown, fired).slice(-1)).toEqual([[73, 6, "countered"]]);
  expect(seen(shown, `${fired},RS:ST*TA(8,4)2B,OR:FM`).find(([square]) => square === 43)?.[2]).toBe("swept");
});

test("a projectile explodes where it meets somebody, and does not where it leaves the board", () => {
  expect(seen(view([]), "MV:--,RS:R->(5,4)(1,0),Rv(6,4),RK*RP(6,4)0W")).toEqual([[53, 0, "hit"]]);
  expect(seen(view([]), "MV:--,RS:R->(5,4)(1,0),Rv(6,4),R*RP(6,4)0W")).toEqual([[53, 0, "countered"]]);
  expect(seen(view([]), "MV:--,RS:Sv(10,4)")).toEqual([]);
  expect(seen(view([]), "MV:--,FI1:RL/JE^(3,3)=>RP(3,3)")).toEqual([[22, 0, "swept"]]);
});

test("an equal value stays the same object, all the way down", () => {
  const before = [{ at: [1, 2] }, { at: [3] }];
  expect(stableValue(before, [{ at: [1, 2] }, { at: [3] }])).toBe(before);
  const now = stableList(before, [{ at: [1, 2] }, { at: [3, 4] }]);
  expect(now[0]).toBe(before[0]);
  expect(now[1]).toEqual({ at: [3, 4] });
  expect(stableList(before, [{ at: [1, 2] }])).toHaveLength(1);
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
