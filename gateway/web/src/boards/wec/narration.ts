/** The events of an action in words. */
import type { WecEvent, WecTexts } from "../../api/generated/brettwerk/v1/wec_pb";
import type { Say, Narration } from "../board";
import { kindOf, lookOf } from "./kinds";
import { inWords } from "./reading";

const PIECE = String.raw`([A-Z]+)([v^]?)\((\d+),(\d+)\)[0-9A-Z]*[<>]?`;
const RESULTS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`^(?:FK|RK|TK|SK|STK|CK|XK)\*${PIECE}`), "board.wec.narration.lost"],
  [new RegExp(String.raw`^ST\*${PIECE}`), "board.wec.narration.stunned"],
  [new RegExp(String.raw`^CS\*${PIECE}`), "board.wec.narration.converted"],
  [new RegExp(String.raw`^BP\*${PIECE}`), "board.wec.narration.bumped"],
  [new RegExp(String.raw`^[A-Z?]+\*${PIECE}`), "board.wec.narration.taken"],
];

/** Returns what an eye reads of a text. */
function read(texts: WecTexts | undefined): string {
  return texts === undefined ? "" : texts.black || texts.white || texts.spectator;
}

/** Returns the events of a step as they are spoken: what was done, then what came of it. */
export function narrate(events: readonly unknown[], say: Say): Narration {
  const action: string[] = [];
  const after: string[] = [];
  let captures = false;
  for (const { kind } of events as readonly WecEvent[]) {
    if (kind.case === "acted") action.push(inWords(read(kind.value.texts), say));
    if (kind.case === "happened") {
      const text = read(kind.value);
      captures ||= /K\*|^[A-Z?]+\*/.test(text) && !/^(?:ST|CS|BP|[RTS])\*/.test(text);
      after.push(result(text, say));
    }
  }
  return { action: join(action), after: join(after), captures };
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(". ");
}

function result(text: string, say: Say): string {
  for (const [pattern, key] of RESULTS) {
    const found = pattern.exec(text);
    if (found !== null) {
      const [, code = "", , row = "", column = ""] = found;
      return say(key, { kind: say(`kind.${lookOf(kindOf(code)).key}`), square: `${row}, ${column}` });
    }
  }
  return "";
}
