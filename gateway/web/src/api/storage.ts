/** What the client keeps between visits: storage of the browser, or memory where the browser has none for us. */

/** The part of the browser's Storage that is used. */
export interface Storage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Returns a storage that lives as long as the page. */
export function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** Returns the browser's storage of a kind, or memory where it is switched off (private windows, blocked cookies). */
export function browserStorage(kind: "localStorage" | "sessionStorage"): Storage {
  try {
    const storage = window[kind];
    storage.setItem("brettwerk.probe", "");
    storage.removeItem("brettwerk.probe");
    return storage;
  } catch {
    return memory();
  }
}

/** Returns the JSON value kept under `key`, or undefined when there is none or it cannot be read. */
export function readJson(storage: Storage, key: string): unknown {
  try {
    const text = storage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps `value` as JSON. Returns false when the storage is full; nothing is lost but the memory of it. */
export function writeJson(storage: Storage, key: string, value: unknown): boolean {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
