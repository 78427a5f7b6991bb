/** Words for squares, pieces and articles. */
import type { WecPiece } from "@brettwerk/client/v1/wec";
import type { Say } from "../board";
import { articleKey } from "./orders";
import { lookOf } from "./kinds";
import { acts, type Mark } from "./marks";
import type { Reached } from "./reach.svelte";
import { waitsOf, type Stack } from "./stacks";
import { LEVEL_KEYS, levelOf, SIZE } from "./squares";

/** Returns the sentence of a key about one or several numbers of Turns. */
export function turnsWords(key: string, turns: readonly number[], say: Say): string {
  return say(turns.every((each) => each === 1) ? `${key}.one` : key, { turns: turns.join(", ") });
}

/** Returns a piece in one sentence: whose, what, which level, what it carries, how it fares. */
function pieceWords(piece: WecPiece, say: Say): string {
  const parts = [
    `${say(`seat.${piece.seat}.name`)}: ${say(`kind.${lookOf(piece.kind).key}`)}`,
    say(`board.wec.level.${LEVEL_KEYS[levelOf(piece.place)] ?? "ground"}`),
  ];
  if ((piece.hand as number) > 0) parts.push(say(`board.wec.hand.${piece.hand}`));
  if (piece.articles.length > 0) parts.push(piece.articles.map((article) => say(articleKey(article.kind))).join(", "));
  if (piece.turnsStunned > 0) parts.push(turnsWords("board.wec.stunned", [piece.turnsStunned], say));
  const waits = waitsOf(piece);
  if (waits.length > 0) parts.push(turnsWords("board.wec.wait", waits, say));
  if (piece.transit !== undefined) parts.push(say("board.wec.transit"));
  return parts.join(", ");
}

/** Returns everything that is on a square in words. */
export function stackWords(stack: Stack, say: Say): string {
  const parts = stack.pieces.map((piece) => pieceWords(piece, say));
  if (stack.articles.length > 0) {
    const articles = stack.articles.map((article) => say(articleKey(article.kind))).join(", ");
    parts.push(say("board.wec.lying", { articles }));
  }
  for (const { weapon, seat, strength, homing } of stack.projectiles) {
    const name = say(articleKey(weapon).replace("article", "projectile"));
    const key = homing ? "board.wec.homes" : "board.wec.flies";
    parts.push(say(key, { projectile: name, seat: say(`seat.${seat}.name`), strength: String(strength) }));
  }
  for (const reserve of stack.reserves) {
    const known = (reserve.kind as number) > 0;
    const kind = known ? say(`kind.${lookOf(reserve.kind).key}`) : "";
    const key = known ? "board.wec.reserve" : "board.wec.reserve.unknown";
    parts.push(say(key, { seat: say(`seat.${reserve.seat}.name`), kind }));
  }
  const row = Math.floor(stack.square / SIZE) + 1;
  const column = (stack.square % SIZE) + 1;
  const square = say("board.wec.square", { row: String(row), column: String(column) });
  return parts.length === 0 ? `${square}, ${say("board.wec.empty")}` : `${square}: ${parts.join("; ")}`;
}

/** Returns a square in words with whether the pieces that are looked at could go there or hit something there. */
function reachedWords(place: string, reached: Reached | undefined, say: Say): string {
  if (reached === undefined) return place;
  const key = reached.hits.length === 0 ? "goes" : reached.goes.length === 0 ? "hits" : "both";
  return say(`board.wec.reach.${key}`, { place });
}

/** Returns in one sentence how much the pieces on a square reach. */
export function reachWords(stack: Stack, found: ReadonlyMap<number, Reached>, say: Say): string {
  const all = [...found.values()];
  return say("board.wec.reach", {
    pieces: stack.pieces.map((piece) => say(`kind.${lookOf(piece.kind).key}`)).join(", "),
    goes: String(all.filter(({ goes }) => goes.length > 0).length),
    hits: String(all.filter(({ hits }) => hits.length > 0).length),
  });
}

/** Returns what is spoken for a square: what is there, whether it is reached, and what can be chosen there. */
export function labelOf(stack: Stack, reached: Reached | undefined, mark: Mark | undefined, say: Say): string {
  const place = reachedWords(stackWords(stack, say), reached, say);
  if (mark === "candidate") return say("board.next", { place });
  if (acts(mark)) return say(mark === "moving" ? "board.picked" : `board.wec.mark.${mark}`, { place });
  if (mark === undefined) return place;
  return say(mark === "target" ? "board.target" : `board.wec.mark.${mark}`, { place });
}

/** The parts that the label of a square is made of, and the label. */
interface Labelled {
  readonly stack: Stack;
  readonly reached: Reached | undefined;
  readonly mark: Mark | undefined;
  readonly say: Say;
  readonly label: string;
}

/** The labels of all squares; those of squares in which nothing has changed are not made again. */
export class Labels {
  #made: readonly Labelled[] = [];

  /** Returns the labels by square. */
  of(
    stacks: readonly Stack[],
    reach: ReadonlyMap<number, Reached>,
    marks: ReadonlyMap<number, Mark>,
    say: Say,
  ): readonly string[] {
    this.#made = stacks.map((stack, square) => {
      const [reached, mark, last] = [reach.get(square), marks.get(square), this.#made[square]];
      const stands = last?.stack === stack && last.reached === reached && last.mark === mark && last.say === say;
      return stands ? last : { stack, reached, mark, say, label: labelOf(stack, reached, mark, say) };
    });
    return this.#made.map(({ label }) => label);
  }
}
