/** What the player has set in this browser. */
import { browserStorage, readJson, writeJson } from "../api/storage";
import { readKept, type Kept } from "./settings_kept";

export type { Language, Theme } from "./settings_kept";

const KEY = "brettwerk.settings";
/** Also read by theme.js before the first paint. */
const THEME = "brettwerk.theme";

const storage = browserStorage("localStorage");
const read = (value: unknown): Kept => readKept(value, navigator.language.startsWith("de") ? "de" : "en");
const before = read(readJson(storage, KEY));

class Settings {
  language = $state(before.language);
  theme = $state(before.theme);
  name = $state(before.name);
  game = $state(before.game);
  autoplay = $state(before.autoplay);
  plain = $state(before.plain);
  roll = $state(before.roll);
  sound = $state(before.sound);
  volume = $state(before.volume);
  tours = $state.raw(before.tours);
  tables = $state.raw(before.tables);

  /** Everything that is set. */
  get kept(): Kept {
    const { language, theme, name, game, autoplay, plain, roll, sound, volume, tours, tables } = this;
    return { language, theme, name, game, autoplay, plain, roll, sound, volume, tours, tables };
  }

  /** Sets everything that a file holds, and the originals of what it lacks. */
  take(value: unknown): void {
    Object.assign(this, read(value));
  }

  /** Sets everything as it was at first; the player keeps his name and his language. */
  restore(): void {
    const { language, name, game, tours } = this;
    this.take({ language, name, game, tours });
  }

  /** Notes that the tour of a game is done. */
  toured(game: string): void {
    if (!this.tours.includes(game)) this.tours = [...this.tours, game];
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
