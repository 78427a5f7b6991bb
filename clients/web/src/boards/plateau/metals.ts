/** How the empires look: a metal, a shape and a weave each, so that no one needs colours to tell them apart. Drawn around 0 0, 10 in radius. */
import { placed } from "./outlines";

interface Stamp {
  /** Outline of an army. */
  readonly shape: string;
  /** The drawing on the emblem. */
  readonly sign: string;
  readonly light: string;
  readonly base: string;
  readonly edge: string;
  /** The colour of the writing on it. */
  readonly ink: string;
  /** Lines over the board, by day and by night. */
  readonly line: string;
}

interface Metal extends Stamp {
  /** Where it throws its shade, and the rims of an emblem, around it and inside. */
  readonly shade: string;
  readonly halo: string;
  readonly rim: string;
}

const round = (value: number): number => Math.round(value * 100) / 100;

function polygon(corners: number, radius: number, turn: number): string {
  const points = Array.from({ length: corners }, (_, index) => {
    const angle = ((index + turn) * 2 * Math.PI) / corners;
    return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  });
  return `M${points.join("L")}Z`;
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const angle = (index * Math.PI) / points;
    const radius = index % 2 === 0 ? outer : inner;
    return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  });
  return `M${corners.join("L")}Z`;
}

const STAMPS: readonly Stamp[] = [
  // Babylon: a golden disc, the star of Ishtar.
  {
    shape: "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z",
    sign: star(8, 6.8, 2.9),
    light: "#ffe08a",
    base: "#d9a521",
    edge: "#7a5600",
    ink: "#2b1f00",
    line: "light-dark(#b07f00, #e6b83a)",
  },
  // Media-Persia: a silver hexagon, the winged sun.
  {
    shape: polygon(6, 11, 0.5),
    sign: "M-8-2.6L-2.6-1.2A3 3 0 0 1 2.6-1.2L8-2.6Q6.6 1.6 2.8 1.8A3 3 0 0 1-2.8 1.8Q-6.6 1.6-8-2.6ZM-2 3.4H2L0 6.4Z",
    light: "#fbfdff",
    base: "#b4c1ce",
    edge: "#4b5a69",
    ink: "#131c26",
    line: "light-dark(#6b7f93, #c3d0dc)",
  },
  // Greece: a bronze square, a temple.
  {
    shape:
      "M-7.4-9.2H7.4A1.8 1.8 0 0 1 9.2-7.4V7.4A1.8 1.8 0 0 1 7.4 9.2H-7.4A1.8 1.8 0 0 1-9.2 7.4V-7.4A1.8 1.8 0 0 1-7.4-9.2Z",
    sign: "M0-6.6L6.6-2.6V-1.4H-6.6V-2.6ZM-5.6-.6H-3.6V4H-5.6ZM-1-.6H1V4H-1ZM3.6-.6H5.6V4H3.6ZM-6.6 4.6H6.6V6.2H-6.6Z",
    light: "#c98a52",
    base: "#8d4d1d",
    edge: "#3c1c05",
    ink: "#fff4e6",
    line: "light-dark(#8d4d1d, #d08a50)",
  },
  // Rome: an iron shield, the eagle.
  {
    shape: "M-9.2-8.8Q0-11.4 9.2-8.8V1.4Q8.4 8 0 11Q-8.4 8-9.2 1.4Z",
    sign: "M0-6.4A1.7 1.7 0 0 1 1.2-3.4Q4.6-3.6 7.4-6.2Q7-.4 2.2 1.6L3.2 5.6L0 4L-3.2 5.6L-2.2 1.6Q-7-.4-7.4-6.2Q-4.6-3.6-1.2-3.4A1.7 1.7 0 0 1 0-6.4Z",
    light: "#767e89",
    base: "#3b4149",
    edge: "#0e1114",
    ink: "#ffffff",
    line: "light-dark(#2b3036, #97a3b1)",
  },
];

const NONE: Stamp = { shape: "", sign: "", light: "#888", base: "#888", edge: "#444", ink: "#fff", line: "#888" };

const cut = (stamp: Stamp): Metal => ({
  ...stamp,
  shade: placed(stamp.shape, 1, 0.3, 1.3),
  halo: placed(stamp.shape, 1.2),
  rim: placed(stamp.shape, 0.84),
});

export const METALS: readonly Metal[] = STAMPS.map(cut);
const UNKNOWN = cut(NONE);

/** Returns how the empire of a seat looks. */
export function metal(seat: number): Metal {
  return METALS[seat] ?? UNKNOWN;
}
