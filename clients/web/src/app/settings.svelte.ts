/** The player's settings in this browser. */
import { browserStorage, readJson, writeJson } from "../api/storage";
import type { SetName } from "../boards/sets";
import { chosen } from "./text/languages";
import { isRecord, MAX_NAME, readKept, type Kept } from "./settings_file";

export type { Theme } from "./settings_file";

const KEY = "brettwerk.settings";
/** Also read by theme.js before the first paint. */
const THEME = "brettwerk.theme";

const storage = browserStorage("localStorage");
const read = (value: unknown): Kept => readKept(value, chosen(navigator.languages));
const before = read(readJson(storage, KEY));

class Settings {
  language = $state(before.language);
  theme = $state(before.theme);
  name = $state(before.name);
  game = $state(before.game);
  autoplay = $state(before.autoplay);
  confirm = $state(before.confirm);
  plain = $state(before.plain);
  premove = $state(before.premove);
  set = $state(before.set);
  sets = $state.raw(before.sets);
  roll = $state(before.roll);
  sound = $state(before.sound);
  volume = $state(before.volume);
  notify = $state(before.notify);
  showName = $state(before.showName);
  talk = $state(before.talk);
  rest = $state.raw(before.rest);
  tours = $state.raw(before.tours);
  tables = $state.raw(before.tables);
  boards = $state.raw(before.boards);
  names = $state.raw(before.names);

  /** Everything that is set. */
  get kept(): Kept {
    const { language, theme, name, game, autoplay, confirm, plain, roll, sound, volume, tours, tables, boards } = this;
    const { names, notify, showName, talk, rest, set, sets, premove } = this;
    const own = { showName, talk, rest, tours, tables, boards, names, set, sets, premove };
    return { language, theme, name, game, autoplay, confirm, plain, roll, sound, volume, notify, ...own };
  }

  /** Sets everything that a file holds, and the originals of what it lacks. */
  take(value: unknown): void {
    Object.assign(this, read(value));
  }

  /** Sets everything back to its default; the player keeps their name and their language. */
  restore(): void {
    const { language, name, game, tours, names } = this;
    this.take({ language, name, game, tours, names });
  }

  /** Notes that the tour of a game is done. */
  toured(game: string): void {
    if (!this.tours.includes(game)) this.tours = [...this.tours, game];
  }

  /** Has the tour of a game shown again. */
  tourAgain(game: string): void {
    this.tours = this.tours.filter((each) => each !== game);
  }

  /** Returns what the board of a game keeps. */
  keptBy(game: string): Readonly<Record<string, unknown>> {
    const kept = this.boards[game];
    return isRecord(kept) ? kept : {};
  }

  /** Keeps something for the board of a game, in place of what it had. */
  keepFor(game: string, kept: Readonly<Record<string, unknown>>): void {
    this.boards = { ...this.boards, [game]: kept };
  }

  /** Returns how the board of a game is drawn. */
  setOf(game: string): SetName {
    return this.sets[game] ?? this.set;
  }

  /** Draws the board of one game otherwise than the others; undefined draws it as them. */
  setFor(game: string, set: SetName | undefined): void {
    const { [game]: _, ...others } = this.sets;
    this.sets = set === undefined ? others : { ...others, [game]: set };
  }

  /** Returns what the player calls a seat of a game; nothing where they have no name for it. */
  seatName(game: string, seat: number): string {
    return this.names[game]?.[seat]?.trim() ?? "";
  }

  /** Calls a seat of a game something; nothing takes the name away. */
  callSeat(game: string, seat: number, name: string): void {
    const names = Array.from({ length: Math.max(seat + 1, this.names[game]?.length ?? 0) }, (_, each) =>
      each === seat ? name.slice(0, MAX_NAME) : (this.names[game]?.[each] ?? ""),
    );
    this.names = { ...this.names, [game]: names };
  }

  /** Shows and keeps what is set; to be called in an effect. */
  apply(): void {
    const { kept } = this;
    document.documentElement.lang = kept.language;
    if (kept.theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = kept.theme;
    writeJson(storage, KEY, kept);
    try {
      storage.setItem(THEME, kept.theme);
    } catch {
      // A full storage costs a flash of the other theme, no more.
    }
  }
}

export const settings = new Settings();
