/** Orders as they are put together in the form, and in words. */
import { create } from "@bufbuild/protobuf";
import type { Board, Game, OrderField, OrderSpec, Text } from "@brettwerk/client/v1/games";
import { GameOrderSchema, OrderSchema, type Order, type OrderReport } from "@brettwerk/client/v1/orders";
import { say } from "./words";

/** The most orders of a seat, and the bounds of one. */
export const [MAX_ORDERS, MAX_ACTIONS, MAX_TURNS, MAX_MOVES] = [16, 200, 100, 32];

/** The numbers of an order's fields, by their keys. */
export type Values = Readonly<Record<string, readonly number[]>>;
type Words = (text: Text | undefined) => string;

/** Returns what the fields of a new order have. */
export function presets(spec: OrderSpec): Values {
  return Object.fromEntries(spec.fields.map((field) => [field.key, presetOf(field)]));
}

function presetOf({ kind }: OrderField): readonly number[] {
  switch (kind.case) {
    case "switch":
      return [Number(kind.value.preset)];
    case "number":
      return [Number(kind.value.preset)];
    case "choice":
      return [kind.value.preset];
    default:
      return [];
  }
}

/** Returns the first field in which a place is missing. */
export function lacking(spec: OrderSpec, values: Values): OrderField | undefined {
  return spec.fields.find(
    ({ key, kind, optional }) => kind.case === "places" && !optional && (values[key]?.length ?? 0) === 0,
  );
}

/** Returns a new order of the game. */
export function gameOrder(kind: string, values: Values, bounds: { maxTurns: number; maxActions: number }): Order {
  const given = Object.entries(values).map(([key, numbers]) => ({ key, numbers: [...numbers] }));
  const ofGame = create(GameOrderSchema, { kind, values: given });
  return create(OrderSchema, { kind: { case: "ofGame", value: ofGame }, ...bounds });
}

/** Returns an order of moves that were written down, one in each line; undefined without any. */
export function plannedOrder(lines: string, bounds: { maxTurns: number; maxActions: number }): Order | undefined {
  const moves = lines.split("\n").flatMap((line) => (line.trim() === "" ? [] : [{ notation: line.trim() }]));
  if (moves.length === 0) return undefined;
  return create(OrderSchema, { kind: { case: "planned", value: { actions: moves.slice(0, MAX_MOVES) } }, ...bounds });
}

/** Returns the name of an order. */
export function nameOf(order: Order, game: Game | undefined, words: Words): string {
  const { kind } = order;
  if (kind.case !== "ofGame") return say("planned");
  return words(game?.orders.find((spec) => spec.kind === kind.value.kind)?.label) || kind.value.kind;
}

/** Returns the fields of an order in words, without numbers that are as they are by themselves. */
export function detailsOf(order: Order, game: Game | undefined, board: Board | undefined, words: Words): string[] {
  const { kind } = order;
  if (kind.case === "planned") return kind.value.actions.map(({ notation }) => notation);
  const given = kind.case === "ofGame" ? kind.value : undefined;
  const spec = game?.orders.find((each) => each.kind === given?.kind);
  return (spec?.fields ?? []).flatMap((field) => {
    const numbers = given?.values.find(({ key }) => key === field.key)?.numbers ?? [];
    const isPreset = field.kind.case !== "places" && String(numbers) === String(presetOf(field));
    if (numbers.length === 0 || isPreset) return [];
    return [`${words(field.label)}: ${numbers.map((number) => valueText(field, number, board, words)).join(", ")}`];
  });
}

function valueText({ kind }: OrderField, number: number, board: Board | undefined, words: Words): string {
  switch (kind.case) {
    case "places":
      return placeName(board, number, words);
    case "switch":
      return say(number === 0 ? "no" : "yes");
    case "choice":
      return words(kind.value.choices.find((choice) => choice.number === number)?.label);
    default:
      return String(number);
  }
}

/** Returns what a place of the board is called. */
export function placeName(board: Board | undefined, number: number, words: Words): string {
  const place = board?.places.find((each) => each.number === number);
  return place === undefined ? String(number) : words(place.label) || place.name;
}

const ENDS = { 1: "end.done", 2: "end.impossible", 3: "end.bound", 4: "end.game" } as const;

/** Returns what came of an order in words. */
export function reportText({ orderId: order, notation, end }: OrderReport): string {
  const ended: number = end;
  const why = ended in ENDS ? say(ENDS[ended as keyof typeof ENDS]) : "";
  if (why === "") return say("report", { order, notation });
  return notation === "" ? say("report.end", { order, why }) : say("report.both", { order, notation, why });
}
