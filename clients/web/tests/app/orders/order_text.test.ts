/** Orders as they are put together in the form, and in words. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardSchema, GameSchema, OrderSpecSchema, type Text } from "@brettwerk/client/v1/games";
import { OrderEnd, OrderReportSchema } from "@brettwerk/client/v1/orders";
import {
  detailsOf,
  gameOrder,
  lacking,
  nameOf,
  placeName,
  plannedOrder,
  presets,
  reportText,
} from "../../../src/app/orders/order_text";

const BOUNDS = { maxTurns: 3, maxActions: 200 };
const text = (key: string): { key: string } => ({ key });
const words = (found: Text | undefined): string => found?.key ?? "";
const attack = create(OrderSpecSchema, {
  kind: "attack",
  label: text("Attack"),
  fields: [
    { key: "source", label: text("From"), kind: { case: "places", value: 1 } },
    { key: "via", label: text("Via"), kind: { case: "places", value: 3 }, optional: true },
    { key: "keep", label: text("Keep"), kind: { case: "number", value: { min: 2n, max: 9n, preset: 2n } } },
    { key: "again", label: text("Again"), kind: { case: "switch", value: { preset: false } } },
    {
      key: "how",
      label: text("How"),
      kind: { case: "choice", value: { preset: 1, choices: [{ number: 1 }, { number: 2, label: text("fast") }] } },
    },
  ],
});
const game = create(GameSchema, { id: "duel", orders: [attack] });
const board = create(BoardSchema, {
  places: [
    { number: 0, name: "A1", label: text("Peru") },
    { number: 4, name: "B2" },
  ],
});

test("a new order has the presets, and lacks a place that must be chosen", () => {
  expect(presets(attack)).toEqual({ source: [], via: [], keep: [2], again: [0], how: [1] });
  expect(lacking(attack, presets(attack))?.key).toBe("source");
  expect(lacking(attack, { ...presets(attack), source: [4] })).toBeUndefined();
});

test("an order is told by its name and by all that is not as it is by itself", () => {
  const order = gameOrder("attack", { ...presets(attack), source: [0], via: [4, 7], again: [1], how: [2] }, BOUNDS);
  expect(nameOf(order, game, words)).toBe("Attack");
  expect(detailsOf(order, game, board, words)).toEqual(["From: Peru", "Via: B2, 7", "Again: yes", "How: fast"]);
  expect(order.maxTurns).toBe(3);
});

test("planned moves are the lines that say something", () => {
  const order = plannedOrder(" Peru +7 \n\nend\n", BOUNDS);
  expect(order && detailsOf(order, game, board, words)).toEqual(["Peru +7", "end"]);
  expect(order && nameOf(order, game, words)).toBe("Play these moves");
  expect(plannedOrder(" \n", BOUNDS)).toBeUndefined();
});

test("a place is called by its label, its name or its number", () => {
  expect([0, 4, 9].map((number) => placeName(board, number, words))).toEqual(["Peru", "B2", "9"]);
});

test("reports say what was played, how an order ended, or both", () => {
  const report = (notation: string, end: OrderEnd): string =>
    reportText(create(OrderReportSchema, { orderId: 2, notation, end }));
  expect(report("Peru +7", OrderEnd.UNSPECIFIED)).toBe("Order 2: Peru +7");
  expect(report("", OrderEnd.IMPOSSIBLE)).toBe("Order 2 has ended: it is no longer possible");
  expect(report("Peru +7", OrderEnd.BOUND)).toBe("Order 2: Peru +7. It has ended: it has lasted as long as it may");
});
