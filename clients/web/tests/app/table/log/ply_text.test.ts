/** Plies in words. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ActionChoiceSchema } from "@brettwerk/client/v1/games";
import { Happening_Kind, UpdateSchema } from "@brettwerk/client/v1/sessions";
import { choiceWords, plyWords, type Speaker } from "../../../../src/app/table/log/ply_text";
import type { Board } from "../../../../src/boards/board";

const speaker = (board: Partial<Board>): Speaker => ({
  board: board as Board,
  say: (key, args = {}) => [key, ...Object.values(args)].join(" "),
  seatName: (seat) => `seat ${seat}`,
  t: (key, args = {}) => [key, ...Object.values(args)].join(" "),
});
const played = create(UpdateSchema, {
  happening: { kind: Happening_Kind.ACTED, concernedSeat: 0, ply: 1, notation: "3 b2-c3" },
});
const narration = (action: string) => () => ({ action, after: "", captures: false });

test("the board tells an action; its notation stands for one that it cannot tell", () => {
  expect(plyWords(played, speaker({ narrate: narration("3 moves") })).action).toBe("3 moves");
  expect(plyWords(played, speaker({ narrate: narration(""), quiet: "choice.done" })).action).toBe("choice.done");
  expect(plyWords(played, speaker({ narrate: narration("") })).action).toBe("3 b2-c3");
  expect(plyWords(played, speaker({})).action).toBe("3 b2-c3");
});

test("where notation says more than the events that were seen, it is read", () => {
  expect(plyWords(played, speaker({ narrate: narration("something"), read: (text) => `read ${text}` })).action).toBe(
    "read 3 b2-c3",
  );
});

test("an event of the game is narration by the client", () => {
  const resigned = create(UpdateSchema, { happening: { kind: Happening_Kind.RESIGNED, concernedSeat: 1, ply: 2 } });
  expect(plyWords(resigned, speaker({})).action).toContain("happened.resigned seat 1");
});

test("an action that may be played is read, or called what its button says", () => {
  const choice = create(ActionChoiceSchema, { notation: "b2-c3", label: { key: "choice.move", args: { to: "c3" } } });
  expect(choiceWords(choice, speaker({ read: (text) => `read ${text}` }))).toBe("read b2-c3");
  expect(choiceWords(choice, speaker({}))).toBe("choice.move c3");
  expect(choiceWords(create(ActionChoiceSchema, { notation: "b2-c3" }), speaker({}))).toBe("b2-c3");
  expect(choiceWords(undefined, speaker({}))).toBe("");
});
