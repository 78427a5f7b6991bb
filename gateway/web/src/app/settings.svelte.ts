/** What the player has set in this browser. */
import { browserStorage, readJson, writeJson } from "../api/storage";
import type { BoardSettings } from "../boards/board";

export type Language = "en" | "de";
export type Theme = "system" | "light" | "dark";

const KEY = "brettwerk.settings";
/** Also read by theme.js before the first paint. */
const THEME = "brettwerk.theme";

const storage = browserStorage("localStorage");
const before = (readJson(storage, KEY) ?? {}) as Record<string, unknown>;

function choose<Value extends string>(key: string, values: readonly Value[], otherwise: Value): Value {
  return values.find((value) => value === before[key]) ?? otherwise;
}

class Settings {
  language = $state<Language>(choose("language", ["en", "de"], navigator.language.startsWith("de") ? "de" : "en"));
  theme = $state<Theme>(choose("theme", ["system", "light", "dark"], "system"));
  name = $state(typeof before["name"] === "string" ? before["name"].slice(0, 40) : "");
  game = $state(typeof before["game"] === "string" ? before["game"] : "");
  autoplay = $state(before["autoplay"] !== false);
  plain = $state(before["plain"] === true);
  roll = $state(choose<BoardSettings["roll"]>("roll", ["table", "always", "never"], "table"));

  /** Shows and keeps what is set; to be called in an effect. */
  apply(): void {
    const { language, theme, name, game, autoplay, plain, roll } = this;
    document.documentElement.lang = language;
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    writeJson(storage, KEY, { language, theme, name, game, autoplay, plain, roll });
    try {
      storage.setItem(THEME, theme);
    } catch {
      // A full storage costs a flash of the other theme, no more.
    }
  }
}

export const settings = new Settings();
