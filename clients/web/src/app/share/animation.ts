/** A game as an animation (GIF): picture after picture of its board, as it is drawn in small everywhere. */
import { canvasOf } from "../table/result/picture_file";

/** The most pictures; of a longer game as many are taken, at equal distances. */
export const MAX_PICTURES = 200;
/** The longer side, in pixels. */
export const LONGEST = 600;
/** Colours; the last number of a byte stands for what stays as it was. */
const [COLOURS, SAME] = [255, 255];
/** How long all pictures but the last one take together at most, and each of them at least and at most, in milliseconds. */
const [WHOLE_MS, SHORTEST_MS, LONGEST_MS, LAST_MS] = [60_000, 120, 900, 3000];

/** The numbers of the pictures that are taken of so many: all, or MAX_PICTURES with the first and the last one. */
export function taken(count: number): readonly number[] {
  const pictures = Math.min(count, MAX_PICTURES);
  if (pictures < 2) return count > 0 ? [count - 1] : [];
  return Array.from({ length: pictures }, (_, index) => Math.round((index * (count - 1)) / (pictures - 1)));
}

/** How long each picture of so many is shown, in milliseconds. */
export function shownMs(pictures: number): number {
  return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, WHOLE_MS / pictures)));
}

/** The drawings of an animation, and who waits for it. */
export interface Film {
  /** How many pictures there are. */
  readonly count: number;
  /** Returns the drawing of a picture, which has all its looks in itself. */
  draw(number: number): Promise<SVGSVGElement>;
  /** Is told how many are drawn. */
  drawn(pictures: number): void;
  readonly signal: AbortSignal;
}

/** Returns the animation. Raises an Error where the browser cannot draw it, and what the signal says when it was given up. */
export async function animationOf({ count, draw, drawn, signal }: Film): Promise<Blob> {
  const { GIFEncoder, quantize, applyPalette } = await import("gifenc");
  /** Returns the points of a picture. Raises an Error. */
  async function points(number: number): Promise<ImageData> {
    signal.throwIfAborted();
    const canvas = await canvasOf(await draw(number), LONGEST);
    const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
    if (image === undefined) throw new Error("the picture cannot be drawn");
    return image;
  }
  // The colours of the beginning, the middle and the end are those of the whole game.
  const samples: ImageData[] = [];
  for (const number of new Set([0, Math.floor(count / 2), count - 1])) samples.push(await points(number));
  const palette = quantize(joined(samples), COLOURS);
  const encoder = GIFEncoder();
  let before: Uint8Array | undefined;
  for (let number = 0; number < count; number++) {
    const { data, width, height } = await points(number);
    const now = applyPalette(data, palette);
    encoder.writeFrame(before === undefined ? now : changes(before, now), width, height, {
      ...(before === undefined ? { palette: filled(palette) } : { transparent: true, transparentIndex: SAME }),
      delay: number === count - 1 ? LAST_MS : shownMs(count),
      dispose: 1,
    });
    before = now;
    drawn(number + 1);
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

/** Returns the points of several pictures, one after the other. */
function joined(pictures: readonly ImageData[]): Uint8Array {
  const all = new Uint8Array(pictures.reduce((sum, { data }) => sum + data.length, 0));
  let at = 0;
  for (const { data } of pictures) {
    all.set(data, at);
    at += data.length;
  }
  return all;
}

/** Returns a palette that has a colour for each number, so that SAME is one of them. */
function filled<Colour>(palette: readonly Colour[]): readonly (Colour | readonly [number, number, number])[] {
  return [...palette, ...Array.from({ length: SAME + 1 - palette.length }, () => [0, 0, 0] as const)];
}

/** Returns a picture of which only what is new is drawn: that takes few bytes. */
function changes(before: Uint8Array, now: Uint8Array): Uint8Array {
  return now.map((colour, point) => (colour === before[point] ? SAME : colour));
}
