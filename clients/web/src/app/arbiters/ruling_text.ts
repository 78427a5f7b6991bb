/** Rulings in words. */
import type { ArbiterActed } from "@brettwerk/client/v1/record";
import { personName } from "../bots/bot_name";
import { spanText } from "../table/clock/span";
import { say } from "./words";

/** Returns a ruling in a sentence, with its reason. */
export function rulingText({ arbiter, ruling }: ArbiterActed, seatName: (seat: number) => string): string {
  const words = { name: arbiter === undefined ? "" : personName(arbiter), reason: ruling?.reason ?? "" };
  switch (ruling?.kind.case) {
    case "pause":
      return say(ruling.kind.value ? "ruled.pause" : "ruled.resume", words);
    case "givenTime": {
      const { seat, timeMs } = ruling.kind.value;
      return say("ruled.time", { ...words, seat: seatName(seat), span: spanText(Number(timeMs)) });
    }
    case "forfeitedSeat":
      return say("ruled.forfeit", { ...words, seat: seatName(ruling.kind.value) });
    case "draw":
      return say("ruled.draw", words);
    default:
      return say("ruled.ranking", words);
  }
}
