import { expect, test } from "vitest";
import { narrate } from "../../src/boards/einstein/narration";

const say = (key: string, args: Readonly<Record<string, string>> = {}) => [key, ...Object.values(args)].join(" ");
const moved = (captured: number) => ({
  kind: { case: "moved", value: { stone: 4, source: 12, target: 13, captured } },
});

test("a move and the roll after it are told", () => {
  expect(narrate([moved(0), { kind: { case: "rolled", value: 5 } }], say)).toEqual({
    action: "choice.move 4 C3 D3",
    after: "",
    roll: "board.einstein.roll 5",
    captures: false,
  });
});

test("a capture is told as one", () => {
  expect(narrate([moved(7)], say)).toEqual({ action: "choice.capture 4 C3 D3", after: "", captures: true });
});

test("of events that are no move nothing is told", () => {
  expect(narrate([], say)).toEqual({ action: "", after: "", captures: false });
});
