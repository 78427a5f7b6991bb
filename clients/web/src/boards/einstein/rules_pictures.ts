/** The pictures of the rules page: moves, the corners, and the choice that a roll leaves. */
import { mount, type ComponentProps } from "svelte";
import type { Picture, Pictures } from "../rules_pictures";
import type { Words } from "../tour";
import RulesPicture from "./RulesPicture.svelte";
import { SQUARES, type Stone } from "./squares";

const at = (name: string): number => SQUARES.indexOf(name);
const stone = (seat: number, number: number, name: string): Stone => ({ seat, number, square: at(name) });
const way = (from: string, to: string): readonly [number, number] => [at(from), at(to)];
const [WHITE, BLACK] = [0, 1];

type Drawn = Omit<ComponentProps<typeof RulesPicture>, "words">;

function picture(rule: string, words: Words, drawn: Drawn): Picture {
  return {
    at: rule,
    draw: ({ target, anchor, read }) =>
      mount(RulesPicture, { target, anchor, props: { ...drawn, words: read(words) } }),
  };
}

/** The stones of the rule's own example: 2, 5 and 6 are left. */
const LEFT = [stone(BLACK, 2, "B2"), stone(BLACK, 5, "A3"), stone(BLACK, 6, "D1"), stone(WHITE, 1, "E4")];

export const pictures: Pictures = () => [
  picture(
    "EWN-TURN-4",
    {
      en: "Black has the stones 2, 5 and 6 and rolls a 3: stone 2 or stone 5 may move.",
      de: "Schwarz hat die Steine 2, 5 und 6 und würfelt eine 3: Stein 2 oder Stein 5 darf ziehen.",
    },
    { stones: LEFT, ways: [], roll: 3, chosen: [at("B2"), at("A3")] },
  ),
  picture(
    "EWN-TURN-4",
    {
      en: "With a 1 there is no lower stone: only stone 2 may move.",
      de: "Bei einer 1 gibt es keinen niedrigeren Stein: Nur Stein 2 darf ziehen.",
    },
    { stones: LEFT, ways: [], roll: 1, chosen: [at("B2")] },
  ),
  picture(
    "EWN-MOVE-2",
    {
      en: "The three squares of a black stone and of a white one. At the edge only one is left, as for Black's 3.",
      de: "Die drei Felder eines schwarzen und eines weißen Steins. Am Rand bleibt nur eines, wie bei der schwarzen 3.",
    },
    {
      stones: [stone(BLACK, 5, "B2"), stone(WHITE, 6, "D4"), stone(BLACK, 3, "E1")],
      ways: [
        way("B2", "C2"),
        way("B2", "B3"),
        way("B2", "C3"),
        way("D4", "C4"),
        way("D4", "D3"),
        way("D4", "C3"),
        way("E1", "E2"),
      ],
    },
  ),
  picture(
    "EWN-END-1",
    {
      en: "The corners: Black runs for E5, White for A1.",
      de: "Die Ecken: Schwarz will nach E5, Weiß nach A1.",
    },
    {
      stones: [stone(BLACK, 4, "D4"), stone(WHITE, 2, "C1")],
      ways: [way("D4", "E5"), way("C1", "B1"), way("B1", "A1")],
      corners: [at("A1"), at("E5")],
    },
  ),
];
