/** The sentences below a board on another page: who plays, what happened last, and how it ended. */
import { fill } from "../text/fill";
import type { Game, Session, Text, Update } from "./answers";
import type { Speech } from "./words";

export class Sentences {
  readonly #speech: Speech;
  readonly #game: Game;
  readonly #list: Intl.ListFormat;

  constructor(speech: Speech, game: Game) {
    this.#speech = speech;
    this.#game = game;
    this.#list = new Intl.ListFormat(speech.language);
  }

  /** Returns a text of the game in words; nothing for words that are not there. */
  text(text: Text | undefined): string {
    return text === undefined ? "" : fill(this.#game.catalogue[text.key] ?? "", text.args);
  }

  /** Returns what the game is called. */
  name({ game }: Session): string {
    return this.#game.catalogue["game.name"] ?? game;
  }

  seat(seat: number): string {
    return this.text(this.#game.game.seats[seat]?.name) || String(seat + 1);
  }

  /** Returns who has a seat. */
  player({ seats }: Session, seat: number): string {
    const { person, computer } = seats[seat]?.occupant ?? {};
    // As everywhere: a bot says that it is one.
    if (person !== undefined) return person.playerId.startsWith("bot-") ? `${person.name} (Bot)` : person.name;
    const { say } = this.#speech;
    if (computer !== undefined) return this.#game.catalogue[`level.${computer.level}.name`] ?? say("computer");
    return say("seat.open");
  }

  /** Returns a picture of a session in a sentence or two; `isLast`: whether it is the newest one. */
  picture(shown: Update, session: Session, isLast: boolean): string {
    const { say } = this.#speech;
    if (session.state === "STATE_CLOSED" && isLast) return say("closed");
    if (shown.view === undefined) return say("waiting");
    const { outcome } = session;
    if (outcome !== undefined && isLast) {
      const names = this.#list.format(outcome.winners.map((seat) => this.player(session, seat)));
      return `${names === "" ? say("drawn") : say("won", { names })} ${this.text(outcome.reason)}`;
    }
    const { notation = "", concernedSeat, kind } = shown.happening ?? {};
    const sentences = [];
    if (concernedSeat !== undefined && kind === "KIND_ACTED") {
      const seat = this.seat(concernedSeat);
      const isReadable = notation !== "" && notation !== "?";
      sentences.push(isReadable ? say("move", { seat, move: notation }) : say("moved", { seat }));
    }
    const seats = this.#list.format(shown.toAct.map((seat) => this.seat(seat)));
    if (seats !== "") sentences.push(say("turn", { seats }));
    return sentences.join(" · ");
  }
}
