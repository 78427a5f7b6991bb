/** Where a plot of ratings has its points, its band of uncertainty and its marks. */
import type { RatingPoint } from "@brettwerk/client/v1/profiles";

/** The room that a plot has, and the edges that are left for its marks. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A place on an axis, and what it stands for. */
export interface Mark {
  readonly at: number;
  readonly value: number;
}

interface Plot {
  /** Of the rating, as an SVG path. */
  readonly line: string;
  /** Of two deviations to both sides. */
  readonly band: string;
  /** The point of the last game. */
  readonly last: { readonly x: number; readonly y: number };
  readonly ratings: readonly Mark[];
  /** The first and the last moment, in milliseconds since 1970. */
  readonly times: readonly Mark[];
}

const LINES = 4;

/** Returns a step of an axis, 1, 2 or 5 times a power of ten, so that `span` has about four of them. */
export function stepOf(span: number): number {
  const rough = Math.max(span, 1) / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}

/** Returns the plot of ratings over time, or of one after another where all games ended at one moment; none of no game. */
export function plotOf(points: readonly RatingPoint[], room: Room): Plot | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [begin, end] = [Number(first.atMs), Number(last.atMs)];
  const across = room.width - room.left - room.right;
  const down = room.height - room.top - room.bottom;
  const lowest = Math.min(...points.map(({ rating, deviation }) => rating - 2 * deviation));
  const highest = Math.max(...points.map(({ rating, deviation }) => rating + 2 * deviation));
  const step = stepOf(highest - lowest);
  const floor = Math.floor(lowest / step) * step;
  const ceiling = Math.max(floor + step, Math.ceil(highest / step) * step);
  const x = (point: RatingPoint, index: number): number => {
    const share = end > begin ? (Number(point.atMs) - begin) / (end - begin) : (index + 0.5) / points.length;
    return room.left + share * across;
  };
  const y = (rating: number): number => room.top + ((ceiling - rating) / (ceiling - floor)) * down;
  const path = (rating: (point: RatingPoint) => number): string[] =>
    points.map((point, index) => `${x(point, index).toFixed(1)} ${y(rating(point)).toFixed(1)}`);
  const above = path((point) => point.rating + 2 * point.deviation);
  const below = path((point) => point.rating - 2 * point.deviation).reverse();
  const marks = Array.from({ length: Math.round((ceiling - floor) / step) + 1 }, (_, index) => floor + index * step);
  return {
    line: `M${path((point) => point.rating).join("L")}`,
    band: `M${[...above, ...below].join("L")}Z`,
    last: { x: x(last, points.length - 1), y: y(last.rating) },
    ratings: marks.map((value) => ({ at: y(value), value })),
    times: [
      { at: room.left, value: begin },
      { at: room.width - room.right, value: end },
    ],
  };
}
