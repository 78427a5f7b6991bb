/** A player's orders, sorted for choosing: first what kind, then who, then with what, then where to, then how. */
import type { WecAction } from "@brettwerk/client/v1/wec";
import type { Choice } from "../board";
import { neighbour, squareOf, SQUARES } from "./squares";

/** The kinds of what can be done, in the order of the bar. */
export const MODES = ["move", "fire", "pick_up", "exchange", "drop", "reinforce", "end"] as const;
export type Mode = (typeof MODES)[number];

/** One thing that can be done. */
export interface Order {
  readonly choice: Choice;
  readonly mode: Mode;
  /** The id of the piece that does it; 0 for the end of the Turn. */
  readonly actor: number;
  /** The key of the words for what it does it with. */
  readonly tool: string;
  /** The place or, where the level does not matter, the square that it aims at. */
  readonly target: number | undefined;
  /** The id of the piece that it aims at. */
  readonly aimed: number;
  /** Its difference from others with the same aim: the key of its words, empty for the usual way. */
  readonly variant: string;
  /** The neighbouring squares that are dozed along. */
  readonly squares: readonly number[];
}

const ARTICLES: readonly string[] = [
  "",
  "flame",
  "stun",
  "conversion",
  "rocket",
  "sam",
  "torpedo",
  "stealth",
  "counter_flame",
  "counter_stun",
  "counter_conversion",
  "counter_rocket",
  "counter_sam",
  "counter_torpedo",
  "counter_stealth",
  "bike",
  "jump_pack",
  "scuba",
  "xxx",
];
const ROUTES: readonly string[] = ["", "beeline", "port", "starboard"];

/** Returns the key of an article's words. */
export function articleKey(article: number): string {
  return `article.${ARTICLES[article] ?? ""}`;
}

/** Returns the key of what an article does, in a line. */
export function aboutArticle(article: number): string {
  return `about.article.${ARTICLES[article] ?? ""}`;
}

/** Returns the orders of choices; an exchange of two articles can be begun from both sides. */
export function ordersOf(choices: readonly Choice[], placeOf: (piece: number) => number): Order[] {
  return choices.flatMap((choice) => {
    const kind = (choice.action as WecAction | undefined)?.kind;
    return kind === undefined ? [] : sorted(choice, kind, placeOf);
  });
}

function sorted(choice: Choice, kind: WecAction["kind"], placeOf: (piece: number) => number): Order[] {
  const order = (mode: Mode, actor: number, tool: string, more: Partial<Order> = {}): Order => ({
    choice,
    mode,
    actor,
    tool,
    target: undefined,
    aimed: 0,
    variant: "",
    squares: [],
    ...more,
  });
  switch (kind.case) {
    case "move": {
      const { piece, place, carry } = kind.value;
      return [order("move", piece, "board.wec.tool.move", { target: place, variant: carry ? "board.wec.carry" : "" })];
    }
    case "doze": {
      const { piece, direction, squares } = kind.value;
      const target = neighbour(squareOf(placeOf(piece)), direction);
      return target === undefined ? [] : [order("move", piece, "board.wec.tool.doze", { target, squares })];
    }
    case "fire": {
      const { piece, weapon, direction } = kind.value;
      const target = neighbour(squareOf(placeOf(piece)), direction);
      return target === undefined ? [] : [order("fire", piece, articleKey(weapon), { target })];
    }
    case "home": {
      const { piece, weapon, target: aimed } = kind.value;
      const more = { target: placeOf(aimed), aimed, variant: "board.wec.homing" };
      return [order("fire", piece, articleKey(weapon), more)];
    }
    case "strike":
      return [order("fire", kind.value.piece, "board.wec.tool.strike", { target: kind.value.square })];
    case "travel": {
      const { piece, transport, square, route } = kind.value;
      const variant = `board.wec.route.${ROUTES[route] ?? "beeline"}`;
      return [order("fire", piece, articleKey(transport), { target: square, variant })];
    }
    case "pickUp":
      return [order("pick_up", kind.value.piece, articleKey(kind.value.article))];
    case "drop":
      return [order("drop", kind.value.piece, articleKey(kind.value.article))];
    case "exchange": {
      const { piece, article, other, back } = kind.value;
      const given = order("exchange", piece, articleKey(article), {
        target: placeOf(other),
        aimed: other,
        variant: (back as number) === 0 ? "" : articleKey(back),
      });
      if ((back as number) === 0) return [given];
      const turned = { target: placeOf(piece), aimed: piece, variant: articleKey(article) };
      return [given, order("exchange", other, articleKey(back), turned)];
    }
    case "reinforce":
      return [order("reinforce", kind.value.piece, "board.wec.tool.reinforce")];
    case "endTurn":
      return [order("end", 0, "board.wec.mode.end")];
    default:
      return [];
  }
}

/** Returns how many orders there are of each kind. */
export function countsOf(orders: readonly Order[]): Readonly<Record<Mode, number>> {
  const found = Object.fromEntries(MODES.map((mode) => [mode, 0])) as Record<Mode, number>;
  for (const { mode } of orders) found[mode]++;
  return found;
}

/** Returns the tools of an actor's orders, in the order in which they come. */
export function toolsOf(orders: readonly Order[]): string[] {
  return [...new Set(orders.map((order) => order.tool))];
}

/** Whether an order aims at a square, on whatever level. */
export function aimsAt(order: Order, square: number): boolean {
  return order.target !== undefined && order.target % SQUARES === square;
}

/** Returns the orders that doze exactly these neighbouring squares along, whatever their order. */
export function dozing(orders: readonly Order[], squares: ReadonlySet<number>): Order[] {
  return orders.filter(
    (order) => order.squares.length === squares.size && order.squares.every((each) => squares.has(each)),
  );
}
