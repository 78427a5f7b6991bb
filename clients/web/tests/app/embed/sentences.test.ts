import { describe, expect, it } from "vitest";
import type { Game, Session, Update } from "../../../src/app/embed/answers";
import { Sentences } from "../../../src/app/embed/sentences";
import { speak } from "../../../src/app/embed/words";

const catalogue = {
  "game.name": "EinStein",
  "seat.0.name": "White",
  "level.strong.name": "Stella",
  "reason.corner": "{who} has reached the corner.",
};
const text = (key: string, args = {}) => ({ key, args });
const game: Game = {
  game: {
    seats: [
      { name: text("seat.0.name"), colour: "#fff" },
      { name: text("seat.1.name"), colour: "#000" },
    ],
  },
  catalogue,
};
const session: Session = {
  game: "einstein",
  state: "STATE_RUNNING",
  title: "",
  seats: [
    { occupant: { person: { playerId: "bot-1", name: "Ada" } } },
    { occupant: { computer: { level: "strong" } } },
    { occupant: { computer: { level: "unheard" } } },
    {},
  ],
};
const happening = { kind: "KIND_ACTED", notation: "3 B2", concernedSeat: 0 };
const shown: Update = { version: "3", atMs: "1", view: {}, toAct: [1], happening, session };

describe("the sentences of a game on another page", async () => {
  const sentences = new Sentences(await speak(["en"]), game);

  it("names seats and those who have them", () => {
    expect([0, 1].map((seat) => sentences.seat(seat))).toEqual(["White", "2"]);
    const players = session.seats.map((_, seat) => sentences.player(session, seat));
    expect(players).toEqual(["Ada (Bot)", "Stella", "Computer", "free"]);
  });

  it("tells the last move and whose turn it is, and hides what nobody may read", () => {
    expect(sentences.picture(shown, session, true)).toBe("White: 3 B2 · To move: 2");
    const hidden = { ...shown, happening: { ...happening, notation: "?" } };
    expect(sentences.picture(hidden, session, true)).toBe("White has moved. · To move: 2");
    const { view, ...waiting } = shown;
    expect(view && sentences.picture(waiting, session, true)).toBe("The game has not begun yet.");
  });

  it("tells the end at the last picture only", () => {
    const outcome = { winners: [0], reason: text("reason.corner", { who: "White" }) };
    const over = { ...session, state: "STATE_FINISHED", outcome };
    expect(sentences.picture(shown, over, true)).toBe("Ada (Bot) won. White has reached the corner.");
    expect(sentences.picture(shown, over, false)).toBe("White: 3 B2 · To move: 2");
    const drawn = { ...over, outcome: { winners: [], reason: text("reason.unheard") } };
    expect(sentences.picture(shown, drawn, true).trim()).toBe("The game is drawn.");
  });
});
