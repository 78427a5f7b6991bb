/** The lines between the squares for the last Turn, and for advice. */
import type { WecView } from "@brettwerk/client/v1/wec";
import type { Advice } from "../board";
import { placeNamed, squareOf } from "./squares";
import { firesIn, wayIn } from "./turn_strings";

/** A line from square to square. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly look: "move" | "ordered" | "shot" | "advised" | "before";
}

/** Returns the strings of what was played in this Turn so far, or of the Turn before it. */
export function stringsOf(view: WecView): string[] {
  const now = [
    ...(view.turn?.items ?? []).map((item) => item.text),
    ...(view.turn?.results ?? []).map((each) => each.full),
  ];
  return now.length > 0 ? now : [view.history.at(-1) ?? ""];
}

/** Returns the lines of a Turn: the Move as ordered and, where it ended elsewhere, as it went (WEC-MOVE-6), and the Fires. */
export function linesOf(strings: readonly string[], advice: readonly Advice[]): Line[] {
  const text = strings.join(",");
  const found: Line[] = [];
  const way = wayIn(text);
  if (way !== undefined) {
    if (way.came !== way.to) found.push({ from: way.from, to: way.to, look: "ordered" });
    if (way.came !== way.from) found.push({ from: way.from, to: way.came, look: "move" });
  }
  for (const fired of firesIn(text)) {
    const [from, to] = [squareOf(fired.from), squareOf(fired.to)];
    const drawn = found.some((line) => line.look === "shot" && line.from === from && line.to === to);
    if (from !== to && !drawn) found.push({ from, to, look: "shot" });
  }
  const [from, to] = (advice[0]?.places ?? []).map((name) => placeNamed(name));
  if (from !== undefined && to !== undefined) found.push({ from: squareOf(from), to: squareOf(to), look: "advised" });
  return found;
}
