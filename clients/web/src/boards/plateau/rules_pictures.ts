/** The pictures of the rules page: the start positions that it has as text, round and flat, the edges that meet, and a march. */
import { mount } from "svelte";
import type { Picture, Pictures } from "../rules_pictures";
import type { Words } from "../tour";
import { EMBLEM, MARKS, type Army } from "./armies";
import { LATITUDES } from "./nodes";
import RulesPicture from "./RulesPicture.svelte";

/** How the figures of the page write the empires, by seat, and the red area of a flat board. */
const EMPIRES = "bmgr";
const RED = "#";
const LINE = /^([A-K])\s+(\S.*)$/;

/** Returns the start that a figure of the page shows: its longitudes, armies and, on a flat board, red area; undefined for other texts. */
export function startIn(text: string): { longitudes: number; armies: Army[]; red: number[] } | undefined {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const longitudes = head.trim().split(/\s+/).length;
  const rows = lines.map((line) => LINE.exec(line)?.[2]?.split(/\s+/));
  if (rows.length !== LATITUDES.length || rows.some((row) => row?.length !== longitudes)) return undefined;
  const armies = rows.flatMap((row, ring) =>
    (row ?? []).flatMap((sign, longitude) => {
      const [seat, kind] = [EMPIRES.indexOf(sign.charAt(0)), MARKS.indexOf(sign.charAt(1))];
      return sign.length === 2 && seat >= 0 && kind > 0 ? [{ seat, kind, node: ring * longitudes + longitude }] : [];
    }),
  );
  const red = rows.flatMap((row, ring) =>
    (row ?? []).flatMap((sign, longitude) => (sign === RED ? [ring * longitudes + longitude] : [])),
  );
  return { longitudes, armies, red };
}

interface Drawn {
  readonly longitudes: number;
  readonly armies: readonly Army[];
  readonly red?: readonly number[];
  readonly way?: readonly number[];
}

function picture(at: number | string, words: Words, drawn: Drawn): Picture {
  return {
    at,
    draw: ({ target, anchor, read }) =>
      mount(RulesPicture, { target, anchor, props: { ...drawn, words: read(words) } }),
  };
}

const ARENA = 16;
/** Returns a node of the arena by its name. */
const node = (name: string): number => LATITUDES.indexOf(name.charAt(0)) * ARENA + Number(name.slice(1)) - 1;
const army = (seat: number, kind: number, name: string): Army => ({ seat, kind, node: node(name) });
const [BABYLON, OTHER, TWO, FOUR] = [0, 1, 1, 2];

export const pictures: Pictures = (figures) => [
  ...figures.flatMap(({ text, title }, number) => {
    const start = startIn(text);
    if (start === undefined) return [];
    const isRound = start.red.length === 0;
    const words = {
      en: isRound ? `${title}: the start as a wheel, and the same board unrolled.` : `${title}: the start.`,
      de: isRound ? `${title}: der Beginn als Rad und dasselbe Brett ausgerollt.` : `${title}: der Beginn.`,
    };
    return [picture(number, words, start)];
  }),
  picture(
    "EP-BOARD-6",
    {
      en: "The edges meet: D8 and D9 are neighbours. Unrolled, the board ends at the dashed lines and goes on at the other one; the last rows are drawn at both ends.",
      de: "Die Ränder stoßen aneinander: D8 und D9 sind Nachbarn. Ausgerollt endet das Brett an den gestrichelten Linien und geht an der anderen weiter; die letzten Reihen sind an beiden Enden gezeichnet.",
    },
    { longitudes: ARENA, armies: [army(BABYLON, TWO, "D8")], way: [node("D8"), node("D9")] },
  ),
  picture(
    "EP-MOVE-2",
    {
      en: "A march of four steps: along the ring, inward and on, around the army that is in the way, never diagonally.",
      de: "Ein Marsch von vier Schritten: auf dem Ring, nach innen und weiter, um die Armee herum, die im Weg steht, nie schräg.",
    },
    {
      longitudes: ARENA,
      armies: [
        army(BABYLON, FOUR, "C1"),
        army(OTHER, TWO, "C3"),
        army(OTHER, EMBLEM, "A9"),
        army(BABYLON, EMBLEM, "A1"),
      ],
      way: ["C1", "C2", "D2", "D3", "D4"].map(node),
    },
  ),
];
