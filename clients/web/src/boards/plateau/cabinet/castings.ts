/** How the empires are cast: a metal and an outline each, as different as those of the first set. Drawn around 0 0, 10 in radius. */
import { placed } from "../outlines";

interface Mould {
  readonly outline: string;
  /** From the light to the shade. */
  readonly metal: readonly [string, string, string];
  readonly edge: string;
  readonly ink: string;
  /** The colour of the light that an inscription throws. */
  readonly gleam: string;
  readonly sign: string;
}

interface Casting extends Mould {
  /** Where it throws its shade, the beads along its edge, its inner face, and the light at the lower edge of its sign. */
  readonly shade: string;
  readonly beads: string;
  readonly face: string;
  readonly gleams: string;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Returns a rosette: petals around a circle. */
function rosette(petals: number, far: number, near: number): string {
  const at = (turn: number, radius: number): string => {
    const angle = (turn / petals) * 2 * Math.PI;
    return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  };
  const curves = Array.from({ length: petals }, (_, petal) => `Q${at(petal + 0.5, far)} ${at(petal + 1, near)}`);
  return `M${at(0, near)}${curves.join("")}Z`;
}

/** Returns a star with rays that are lit from one side. */
export function rays(count: number, far: number, near: number): string {
  return `M${Array.from({ length: count * 2 }, (_, index) => {
    const angle = (index * Math.PI) / count;
    const radius = index % 2 === 0 ? far : near;
    return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  }).join("L")}Z`;
}

const MOULDS: readonly Mould[] = [
  // Babylon: a rosette of gold, and the sun.
  {
    outline: rosette(16, 11.1, 9.5),
    metal: ["#fff0b0", "#dca92c", "#94650c"],
    edge: "#5a3b00",
    ink: "#2b1c00",
    gleam: "#fff3bd",
    sign: rays(12, 7, 3.6),
  },
  // Media-Persia: a hexagon of silver with hollow sides, and wings.
  {
    outline: "M0-11.2Q4.6-8.4 9.7-5.6Q9.1 0 9.7 5.6Q4.6 8.4 0 11.2Q-4.6 8.4-9.7 5.6Q-9.1 0-9.7-5.6Q-4.6-8.4 0-11.2Z",
    metal: ["#ffffff", "#b9c6d2", "#6c7c8b"],
    edge: "#33414e",
    ink: "#101a24",
    gleam: "#ffffff",
    sign: "M0-4.6L1.4-2.4Q5-5 8-3.4Q7.4-1.6 5.6-1Q6.4.2 5 .8Q5 2 2.2 2.2L1.6 5.4L0 3.8L-1.6 5.4L-2.2 2.2Q-5 2-5 .8Q-6.4.2-5.6-1Q-7.4-1.6-8-3.4Q-5-5-1.4-2.4Z",
  },
  // Greece: bronze with corners cut out, and a pillar.
  {
    outline:
      "M-6.4-9.8H6.4A3.4 3.4 0 0 0 9.8-6.4V6.4A3.4 3.4 0 0 0 6.4 9.8H-6.4A3.4 3.4 0 0 0-9.8 6.4V-6.4A3.4 3.4 0 0 0-6.4-9.8Z",
    metal: ["#e0a06a", "#95532a", "#542609"],
    edge: "#2c1203",
    ink: "#fff1df",
    gleam: "#3a1a06",
    sign: "M-5.6-6.4H5.6V-4.6Q4.6-2.8 3.6-4.2H-3.6Q-4.6-2.8-5.6-4.6ZM-3.2-3.4H-1.8V4.2H-3.2ZM-.7-3.4H.7V4.2H-.7ZM1.8-3.4H3.2V4.2H1.8ZM-4.8 4.8H4.8V6.4H-4.8Z",
  },
  // Rome: a shield of iron, and a wreath around a sword.
  {
    outline: "M0-10.8Q4.6-9 9.2-9.8Q10.2-2.6 9 2.6Q6.8 8.4 0 11.4Q-6.8 8.4-9 2.6Q-10.2-2.6-9.2-9.8Q-4.6-9 0-10.8Z",
    metal: ["#8f98a5", "#444b55", "#1d2127"],
    edge: "#07090b",
    ink: "#ffffff",
    gleam: "#0b0d10",
    sign: "M0-7.2L1.4-5V1.4H3.4V2.8H1V5.4H-1V2.8H-3.4V1.4H-1.4V-5ZM-3-5.4Q-7.4-2.6-6.2 2.2Q-5.4 4.8-2.6 6.4Q-4.6 3.4-4.8 1Q-5-2.4-3-5.4ZM3-5.4Q7.4-2.6 6.2 2.2Q5.4 4.8 2.6 6.4Q4.6 3.4 4.8 1Q5-2.4 3-5.4Z",
  },
];

const NONE: Mould = {
  outline: "",
  metal: ["#999", "#888", "#666"],
  edge: "#444",
  ink: "#fff",
  gleam: "#333",
  sign: "",
};

const cast = (mould: Mould): Casting => ({
  ...mould,
  shade: placed(mould.outline, 1, 0.7, 1.5),
  beads: placed(mould.outline, 0.9),
  face: placed(mould.outline, 0.79),
  sign: placed(mould.sign, 0.86),
  gleams: placed(mould.sign, 0.86, 0.45, 0.5),
});

export const CASTINGS: readonly Casting[] = MOULDS.map(cast);
const UNKNOWN = cast(NONE);

/** Returns how the empire of a seat is cast. */
export function casting(seat: number): Casting {
  return CASTINGS[seat] ?? UNKNOWN;
}

/** Returns every second sector between `count` spokes, the first of which points down, from an inner to an outer radius around 0 0. */
export function sectors(count: number, inner: number, outer: number): string {
  const at = (spoke: number, radius: number): string => {
    const turn = Math.PI + (spoke / count) * 2 * Math.PI;
    return `${(radius * Math.sin(turn)).toFixed(1)} ${(-radius * Math.cos(turn)).toFixed(1)}`;
  };
  return Array.from({ length: count / 2 }, (_, index) => {
    const [from, to] = [2 * index, 2 * index + 1];
    return `M${at(from, inner)}L${at(from, outer)}A${outer} ${outer} 0 0 1 ${at(to, outer)}L${at(to, inner)}A${inner} ${inner} 0 0 0 ${at(from, inner)}Z`;
  }).join("");
}
