import type { EmperadoReceived } from "@brettwerk/client/v1/emperado";
import type { Say } from "../board";

/** Returns what the armies that a seat receives are made of, in words (EMP-REINF-1). */
export function partsOf({ basic, continents, countries, cards }: EmperadoReceived, say: Say): string {
  return say("board.emperado.parts", {
    basic: String(basic),
    continents: String(continents),
    countries: String(countries),
    cards: String(cards),
  });
}
