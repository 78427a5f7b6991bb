/** The end of a Turn in words, with what came of it. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { WecEventSchema, type WecEvent } from "@brettwerk/client/v1/wec";
import { narrate } from "../../../src/boards/wec/narration";
import { say } from "./actions";

const texts = (black: string) => ({ black, white: "", spectator: "" });
const written = create(WecEventSchema, { kind: { case: "written", value: { ply: 1, texts: texts("MV:?") } } });
const stunned = create(WecEventSchema, { kind: { case: "happened", value: texts("ST*DO(1,2)3FL") } });

function spoken(...events: WecEvent[]): string {
  const { action, after } = narrate(events, say);
  return [action, after].join("|");
}

test("a Turn that ends says so in words, before what came of it", () => {
  expect(spoken(stunned, written)).toBe("board.wec.narration.ended|board.wec.narration.stunned kind.dozer 1, 2");
  expect(spoken(written)).toBe("board.wec.narration.ended|");
});
