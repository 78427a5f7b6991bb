/** The elements of the page with nothing but a board (embed.html). */
import type { Speech } from "./words";

export class Page {
  readonly #notice = found("notice");
  readonly #game = found("game");
  readonly title = found("title");
  readonly state = found("state");
  readonly players = found("players");
  readonly board = found("board");
  readonly sentence = found("sentence");
  readonly lost = found("lost");
  readonly failed = found("failed");
  readonly replay = found("replay") as HTMLButtonElement;
  readonly replayed = found("replayed");
  readonly back = found("back") as HTMLButtonElement;
  readonly position = found("position") as HTMLInputElement;
  readonly on = found("on") as HTMLButtonElement;
  readonly described = found("described") as HTMLDetailsElement;
  readonly places = found("places");
  readonly facts = found("facts");
  readonly wordless = found("wordless");

  /** Writes what stays: the link to the table, and what controls are called. */
  begin(session: string, { say }: Speech): void {
    const open = found("open") as HTMLAnchorElement;
    open.href = `/s/${session}`;
    open.title = say("open.tab");
    open.textContent = say("open", { host: location.host });
    this.replay.textContent = say("replay");
    this.back.textContent = say("back");
    this.on.textContent = say("on");
    this.position.ariaLabel = say("position");
    found("words").textContent = say("words");
    // Moves are told aloud only while somebody is in the frame, since the page around it is read by itself.
    addEventListener("focus", () => (this.sentence.ariaLive = "polite"));
    addEventListener("blur", () => (this.sentence.ariaLive = "off"));
  }

  /** Says something in place of the game; nothing shows the game. */
  notice(sentence: string, isAlert = false): void {
    this.#notice.role = isAlert ? "alert" : null;
    this.tell(this.#notice, sentence);
    this.#game.hidden = sentence !== "";
  }

  /** Writes a sentence into a paragraph, which is there only while it says something. */
  tell(paragraph: HTMLElement, sentence: string): void {
    paragraph.textContent = sentence;
    paragraph.hidden = sentence === "";
  }
}

/** Returns an element with a text. */
export function element(name: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

/** Returns an entry of a list. */
export function item(className: string, ...parts: readonly (Node | string)[]): HTMLElement {
  const made = element("li", "", className);
  made.append(...parts);
  return made;
}

/** Returns a spot in the colour of a seat. */
export function seatMark(colour: string): HTMLElement {
  const mark = document.createElement("i");
  mark.style.backgroundColor = colour;
  return mark;
}

function found(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}
