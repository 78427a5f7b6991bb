/** The events of a ply in words. */
import type { PlateauEvent, PlateauView } from "@brettwerk/client/v1/plateau";
import type { Say, Narration } from "../board";
import { boardOf, KINDS } from "./armies";

/** Returns what moved and what came of it, as it is spoken; the view names the nodes. */
export function narrate(events: readonly unknown[], say: Say, view?: () => unknown): Narration {
  let names: readonly string[] | undefined;
  const name = (node: number | undefined): string => {
    names ??= view === undefined ? [] : boardOf(view() as PlateauView).names;
    return names[node ?? 0] ?? "";
  };
  let action = "";
  let captures = false;
  let heard: Narration["heard"];
  const after: string[] = [];
  for (const { kind } of events as readonly PlateauEvent[]) {
    if (kind.case === "moved") {
      const { seat, army, path, captured, conqueredSeat } = kind.value;
      const conquers = conqueredSeat !== undefined;
      captures = captured > 0 || conquers;
      heard = conquers ? "conquest" : captured > 0 ? undefined : "march";
      const key = conquers ? "choice.conquer" : captured > 0 ? "choice.capture" : "choice.move";
      action = say(key, {
        army: say(`army.${seat}.${KINDS[army] ?? ""}`),
        source: name(path[0]),
        target: name(path.at(-1)),
        steps: String(path.length - 1),
      });
    } else if (kind.case === "ceased") {
      const steps = String(kind.value.small + kind.value.emblem);
      action = say("board.plateau.narration.ceased", { empire: say(`seat.${kind.value.seat}.name`), steps });
    } else if (kind.case === "skipped") {
      after.push(say("board.plateau.narration.skipped", { empire: say(`seat.${kind.value.seat}.name`) }));
    } else if (kind.case === "fell") {
      const { seat, conquerorSeat: by, inherited } = kind.value;
      const key = by === undefined ? "out" : inherited > 0 ? "inherited" : "fell";
      const args = {
        empire: say(`seat.${seat}.name`),
        by: by === undefined ? "" : say(`seat.${by}.name`),
        armies: String(inherited),
      };
      after.push(say(`board.plateau.narration.${key}`, args));
    }
  }
  return { action, after: after.join(" "), captures, ...(heard && { heard }) };
}
