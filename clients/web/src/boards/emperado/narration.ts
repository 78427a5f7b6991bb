/** The events of EMPERADO in words. */
import type { EmperadoEvent } from "@brettwerk/client/v1/emperado";
import type { Say, Narration } from "../board";
import { COUNTRIES } from "./world";

/** Returns the name of a country. */
export function nameOf(country: number, say: Say): string {
  return say(`country.${COUNTRIES[country]?.id ?? ""}`);
}

/** Returns the name of a seat. */
export function seatName(seat: number, say: Say): string {
  return say(`seat.${seat}.name`);
}

/** Returns what was done, and what came with it, as it is spoken. */
export function narrate(events: readonly unknown[], say: Say): Narration {
  const actions: string[] = [];
  const others: string[] = [];
  let captures = false;
  let rolls = false;
  let heard: Narration["heard"];
  for (const { kind } of events as readonly EmperadoEvent[]) {
    if (kind.case === "fought") {
      const captured = kind.value.defendersLost === kind.value.defenders;
      captures ||= captured;
      rolls = true;
      heard = captured ? "conquest" : "battle";
    }
    if (kind.case === "drew" || kind.case === "exchanged") heard ??= "card";
    const sentence = narrateOne(kind, say);
    if (sentence === "") continue;
    (kind.case === "placed" || kind.case === "fought" || kind.case === "moved" || kind.case === "entered"
      ? actions
      : others
    ).push(sentence);
  }
  return { action: actions.join(" "), after: others.join(" "), captures, rolls, ...(heard && { heard }) };
}

function narrateOne(kind: EmperadoEvent["kind"], say: Say): string {
  switch (kind.case) {
    case "received": {
      const { seat, basic, continents, countries, cards } = kind.value;
      const sum = basic + continents + countries + cards;
      return say("board.emperado.narration.received", { seat: seatName(seat, say), armies: String(sum) });
    }
    case "exchanged":
      return say("board.emperado.narration.exchanged", { armies: String(kind.value.paid) });
    case "placed":
      return say("board.emperado.narration.placed", {
        country: nameOf(kind.value.country, say),
        armies: String(kind.value.armies),
      });
    case "fought": {
      const { source, target, attackers, defenders, attackersLost, defendersLost } = kind.value;
      const captured = defendersLost === defenders;
      return say(captured ? "board.emperado.narration.captured" : "board.emperado.narration.repelled", {
        source: nameOf(source, say),
        target: nameOf(target, say),
        attackers: String(attackers - attackersLost),
        defenders: String(defenders - defendersLost),
      });
    }
    case "entered":
      return say("board.emperado.narration.entered", {
        country: nameOf(kind.value.target, say),
        armies: String(kind.value.armies),
      });
    case "moved":
      return say("board.emperado.narration.moved", {
        source: nameOf(kind.value.source, say),
        target: nameOf(kind.value.target, say),
        armies: String(kind.value.armies),
      });
    case "eliminated":
      return say("board.emperado.narration.eliminated", { seat: seatName(kind.value.seat, say) });
    case "drew":
      return say("board.emperado.narration.drew", { seat: seatName(kind.value.seat, say) });
    default:
      return "";
  }
}
