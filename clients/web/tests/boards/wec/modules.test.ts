/** The board of Weaponized Chess and what it makes of actions, strings and views. */
import { create } from "@bufbuild/protobuf";
import { ReachSchema } from "@brettwerk/client/v1/games";
import { expect, test } from "vitest";
import {
  WecActionSchema,
  WecArticle,
  WecEventSchema,
  WecKind,
  WecPieceSchema,
  WecViewSchema,
  type WecAction,
} from "@brettwerk/client/v1/wec";
import { ordersOf, dozing } from "../../../src/boards/wec/orders";
import { facingIn } from "../../../src/boards/wec/facing";
import { ALL_ARTICLES, articleLook, plateOf } from "../../../src/boards/wec/kinds";
import { boxesOf, layoutOf, stepDown } from "../../../src/boards/wec/layout";
import { reachOf } from "../../../src/boards/wec/reach.svelte";
import { premovesOf } from "../../../src/boards/wec/premoves.svelte";
import { readPreferences } from "../../../src/boards/wec/preferences";
import { drawnIn, gone } from "../../../src/boards/wec/motion";
import { pace } from "../../../src/boards/wec/pace";
import { stacksOf, waitsOf, type Stack } from "../../../src/boards/wec/stacks";
import { drawnAt, nameOf, neighbour, placeName, placeNamed, squareAt, SQUARES } from "../../../src/boards/wec/squares";
import { firesIn, strikesIn, wayIn } from "../../../src/boards/wec/turn_strings";
import { narrate } from "../../../src/boards/wec/narration";
import { choices, say } from "./actions";

test("every square is drawn once from each side, and found again", () => {
  for (const turned of [false, true]) {
    const seen = new Set<string>();
    for (let square = 0; square < SQUARES; square += 1) {
      const { row, column } = drawnAt(square, turned);
      seen.add(`${row} ${column}`);
      expect(squareAt(row, column, turned)).toBe(square);
    }
    expect(seen.size).toBe(SQUARES);
  }
  expect(drawnAt(0, false)).toEqual({ row: 9, column: 0 });
});

test("places have the names of the notation", () => {
  for (const place of [0, 99, 100, 207]) expect(placeNamed(placeName(place))).toBe(place);
  expect(placeName(133)).toBe("^(4,4)");
  expect(placeNamed("(11,1)")).toBeUndefined();
  expect(placeNamed("?")).toBeUndefined();
  expect(neighbour(0, 0)).toBeUndefined();
  expect(nameOf(neighbour(0, 2) ?? -1)).toBe("(2,2)");
});

test("a swap can be begun from both sides, a gift from the giver only", () => {
  const swap = create(WecActionSchema, {
    kind: { case: "exchange", value: { piece: 1, article: WecArticle.FLAME, other: 2, back: WecArticle.ROCKET } },
  }).kind;
  const gift = create(WecActionSchema, {
    kind: { case: "exchange", value: { piece: 1, article: WecArticle.FLAME, other: 2 } },
  }).kind;
  const orders = ordersOf(choices(swap, gift), (piece) => piece * 10);
  expect(orders.map(({ actor, tool, target, variant }) => [actor, tool, target, variant])).toEqual([
    [1, "article.flame", 20, "article.rocket"],
    [2, "article.rocket", 10, "article.flame"],
    [1, "article.flame", 20, ""],
  ]);
});

test("a doze is found by the squares that go along, in whatever order they were touched", () => {
  const doze = (squares: number[]): WecAction["kind"] =>
    create(WecActionSchema, { kind: { case: "doze", value: { piece: 1, direction: 1, squares } } }).kind;
  const orders = ordersOf(choices(doze([]), doze([10, 12]), doze([10])), () => 11);
  expect(dozing(orders, new Set([12, 10])).map((order) => order.choice.key)).toEqual([1]);
  expect(dozing(orders, new Set()).map((order) => order.choice.key)).toEqual([0]);
  expect(orders[0]?.target).toBe(21);
});

test("the pieces of a square do not cover one another and stay inside", () => {
  for (const places of [[5], [5, 5], [105, 5], [105, 105, 5], [105, 105, 5, 5, 205, 205]]) {
    const boxes = boxesOf(places);
    expect(boxes).toHaveLength(places.length);
    for (const { x, y, size } of boxes) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x, y) + size).toBeLessThanOrEqual(100);
    }
    const corners = new Set(boxes.map(({ x, y }) => `${x} ${y}`));
    expect(corners.size).toBe(places.length);
  }
});

test("pieces on three levels are hardly smaller than on two, as long as a square has room", () => {
  const size = (...places: number[]): number => Math.min(...boxesOf(places).map((box) => box.size));
  expect(size(105, 5, 205)).toBeGreaterThan(0.95 * size(105, 5));
  expect(size(105, 105, 5, 205)).toBe(size(105, 5));
  expect([stepDown([105, 5, 205]), stepDown([105, 105, 5]), stepDown([105, 5])]).toEqual([true, false, false]);
  const heights = boxesOf([105, 5, 205]).map(({ y }) => y);
  expect(heights).toEqual([...heights].sort((one, other) => one - other));
});

test("all else on a square is within it and covers neither the pieces nor each other", () => {
  for (const places of [[], [5], [105, 5], [105, 5, 205], [105, 105, 5, 205], [105, 105, 5, 5, 205, 205]]) {
    for (const [articles, shots] of [
      [2, 0],
      [0, 1],
      [1, 2],
      [2, 4],
      [0, 5],
    ] as const) {
      const layout = layoutOf(places, articles, shots);
      expect([layout.pieces.length, layout.articles.length, layout.shots.length]).toEqual([
        places.length,
        articles,
        shots,
      ]);
      const small = [
        ...layout.articles.map((spot) => ({ ...spot, half: 16 })),
        ...layout.shots.map((spot) => ({ ...spot, half: 18 })),
      ];
      for (const [index, { x, y, scale, half }] of small.entries()) {
        expect(Math.min(x, y)).toBeGreaterThan(0);
        expect(Math.max(x, y)).toBeLessThan(100);
        for (const other of small.slice(index + 1)) {
          const apart = Math.max(Math.abs(x - other.x), Math.abs(y - other.y));
          expect(apart).toBeGreaterThan(0.8 * (half * scale + other.half * other.scale));
        }
      }
      const feet = Math.max(0, ...layout.pieces.map((piece) => piece.y + piece.size));
      for (const spot of layout.shots) if (places.length > 0) expect(spot.y).toBeGreaterThan(feet);
    }
  }
});

test("pieces side by side have their numbers at the outer side", () => {
  expect(boxesOf([105, 105, 5, 205]).map(({ side }) => side)).toEqual(["left", "right", "left", "right"]);
  expect(boxesOf([105, 5, 205]).map(({ side }) => side)).toEqual(["left", "right", "left"]);
  expect(boxesOf([105, 5]).map(({ side }) => side)).toEqual([undefined, undefined]);
});

test("countdowns are those that the view tells", () => {
  const { pieces } = create(WecViewSchema, {
    pieces: [{ id: 1, turnsFirst: 2, articles: [{ kind: WecArticle.FLAME, turns: 4 }] }, { id: 2 }],
  });
  expect(pieces.map((piece) => waitsOf(piece))).toEqual([[2, 4], []]);
});

test("a moved piece is found by its name, a projectile by being a step away", () => {
  const stacks = (...places: [number, number][]): readonly Stack[] =>
    stacksOf(
      create(WecViewSchema, {
        pieces: [{ id: 7, place: places[0]?.[0] ?? 0 }],
        projectiles: places.map(([, square], index) => ({
          number: index + 1,
          weapon: WecArticle.ROCKET,
          square,
          launched: 3,
          strength: 1,
        })),
      }),
    );
  const before = drawnIn(stacks([0, 22], [0, 88]), false);
  const now = drawnIn(stacks([11, 89]), false);
  expect(gone(before, before)).toEqual([]);
  expect(gone(before, now)).toEqual([
    { name: "piece-7", dx: -100, dy: 100, shown: now[0]?.shown },
    { name: "shot-1", dx: -100, dy: 0, shown: now[1]?.shown },
  ]);
  expect(gone(drawnIn(stacks([0, 22]), false), drawnIn(stacks([0, 28]), false))).toEqual([]);
});

test("events of computers are shown for a while, those of people at once, and those without motion take no time", () => {
  const seats = [false, true].map((computer) => ({
    name: "",
    who: "",
    colour: "",
    computer,
    mine: false,
    acts: false,
  }));
  const events = [
    create(WecEventSchema, { kind: { case: "acted", value: { seat: 1 } } }),
    create(WecEventSchema, { kind: { case: "happened", value: {} } }),
  ];
  const seconds = (seat: number | undefined, kept = {}): number =>
    pace({ seat, events, view: undefined, newest: undefined, seats, kept }).reduce(
      (sum, each) => sum + each.seconds,
      0,
    );
  expect(seconds(1)).toBeGreaterThan(seconds(1, { motion: "short" }));
  expect([seconds(0), seconds(undefined), seconds(1, { motion: "none" })]).toEqual([0, 0, 0]);
});

test("the strings of the notation tell ways, shots and hits", () => {
  const text = "MV:TA(2,4)1FL>->(5,4),FI1:FL/TA(5,4)1FL>->(6,4),RS:FK*RP(6,4)0W";
  expect(wayIn(text)).toEqual({ from: 13, to: 43, came: 43 });
  expect(firesIn(text)).toEqual([{ code: "FL", from: 43, to: 53, aimed: false, before: 0 }]);
  expect(strikesIn("FK*RP(6,4)0W")).toEqual([53]);
  expect(wayIn("MV:JE^(1,4)->^(3,4),RS:BP*JE^(2,4)0B")).toEqual({ from: 3, to: 23, came: 13 });
  expect(wayIn("MV:TA(2,4)>->(6,4),RS:TA*AAA(5,4)0W")).toEqual({ from: 13, to: 53, came: 43 });
  expect(wayIn("MV:--")).toBeUndefined();
  expect(wayIn("MV:?")).toBeUndefined();
});

test("a Move is narration in words, and so is its effect", () => {
  const event = (kind: object): unknown => create(WecEventSchema, { kind } as never);
  const narration = narrate(
    [
      event({ case: "acted", value: { seat: 0, texts: { black: "MV:Q(1,6)->(4,6)" } } }),
      event({ case: "happened", value: { black: "Q*FP(4,6)0W" } }),
    ],
    say,
  );
  expect(narration.action).toBe("board.wec.narration.moved kind.queen 1, 6 4, 6");
  expect(narration.after).toBe("board.wec.narration.taken kind.flame_pawn 4, 6");
  expect(narration.captures).toBe(true);
  expect(narrate([event({ case: "happened", value: { white: "ST*FP(4,6)3W" } })], say).captures).toBe(false);
});

test("every result has its sentence, and explosions and shots are heard", () => {
  const happened = (...texts: string[]) =>
    narrate(
      texts.map((black) => create(WecEventSchema, { kind: { case: "happened", value: { black } } })),
      say,
    );
  const words = "board.wec.narration";
  const sentences: [string[], string][] = [
    [["R->(5,4)(1,-1)"], `${words}.flew projectile.rocket 6, 3`],
    [["Tv(10,4)"], `${words}.flown projectile.torpedo 10, 4`],
    [["S*JE^(6,4)0W"], `${words}.countered kind.jet 6, 4`],
    [["JE->^(5,4)(0,0)"], `${words}.travels kind.jet 5, 4`],
    [["JEv(5,4)"], `${words}.arrived kind.jet 5, 4`],
    [["XK*CH^(5,4)0B"], `${words}.lost kind.chopper 5, 4`],
    [["something"], `${words}.unseen`],
  ];
  for (const [texts, after] of sentences) expect(happened(...texts).after).toBe(after);
  const blast = happened("R->(5,4)(1,0)", "Rv(6,4)", "RK*RP(6,4)0W");
  expect(blast.after).toContain(`${words}.exploded projectile.rocket 6, 4. ${words}.lost kind.rocket_pawn 6, 4`);
  expect([blast.heard, blast.captures, happened("Sv(10,4)").heard]).toEqual(["blast", true, undefined]);
});

test("an impossible preference becomes the original", () => {
  expect(readPreferences({ simple: "yes", colours: "pink" })).toEqual(readPreferences({}));
  expect(readPreferences({ simple: true, colours: "slate" })).toMatchObject({ simple: true, colours: "slate" });
});

test("colours of one's own are kept, and other texts are not", () => {
  const own = { colours: "own", light: "#ff00ff", dark: "red;" };
  expect(readPreferences({ ...own, black: "#00ff00" })).toMatchObject({ ...own, dark: "#c9b58d", black: "#00ff00" });
});

test("a Panzer faces the way it last moved, and forward before that (WEC-MOVE-PANZER-5)", () => {
  const panzer = create(WecPieceSchema, { kind: WecKind.PANZER, place: 22 });
  const facing = (history: string[], turned = false, seat = 0): number =>
    facingIn(create(WecViewSchema, { history }), turned)({ ...panzer, seat });
  expect([facing([]), facing([], true), facing([], false, 1)]).toEqual([0, 180, 180]);
  expect(facing(["MV:TA(3,1)>->(3,3)"])).toBe(90);
  expect(facing(["MV:TA(3,1)>->(3,3)"], true)).toBe(-90);
  expect(facing(["MV:TA(4,4)>->(3,3)"])).toBe(-135);
  expect(facing(["MV:TA(3,1)>->(3,3)", "MV:TA(3,3)>->(5,3)", "MV:TA(2,3)>->(3,3)"])).toBe(0);
  expect(facing(["MV:JE(3,1)->(3,3)"])).toBe(0);
});

test("the counter of a weapon has its colour and a shape of its own", () => {
  for (const article of ALL_ARTICLES) {
    const { counters } = articleLook(article);
    if (counters === undefined) continue;
    expect(plateOf(article)).toEqual({ plate: "counter", hue: plateOf(counters).hue });
    expect(plateOf(counters).plate).toBe("weapon");
  }
  const looks = ALL_ARTICLES.map((article) => `${articleLook(article).picture} ${JSON.stringify(plateOf(article))}`);
  expect(new Set(looks).size).toBe(ALL_ARTICLES.length);
});

test("the reach and the hits of pieces are listed by square and level", () => {
  const reach = (piece: number, goes: number[], hits: number[]) => create(ReachSchema, { piece, goes, hits });
  const listed = [reach(1, [21, 121, 12], [21, 230]), reach(2, [40], [])];
  expect(reachOf(listed, new Set([1]))).toEqual(
    new Map([
      [21, { goes: [0, 1], hits: [0] }],
      [12, { goes: [0], hits: [] }],
      [30, { goes: [], hits: [2] }],
    ]),
  );
});

test("before the turn, only what a piece could do alone is offered", () => {
  const view = create(WecViewSchema, {
    eye: 1,
    pieces: [
      { id: 1, seat: 1, kind: WecKind.DOZER, place: 44 },
      { id: 2, seat: 0, kind: WecKind.DOZER, place: 64 },
    ],
  });
  const reaches = [
    create(ReachSchema, { piece: 1, goes: [43, 45], alone: [43] }),
    create(ReachSchema, { piece: 2, goes: [63], alone: [63] }),
  ];
  const offered = premovesOf(view, reaches, (key) => key);
  expect(offered.map(({ places }) => places)).toEqual([["(5,5)", "(5,4)"]]);
});
