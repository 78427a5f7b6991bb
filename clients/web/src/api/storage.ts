/** The client's storage between visits: that of the browser, or memory for what the browser does not keep. */

/** The part of the browser's Storage that is used. */
export interface Storage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  /** Returns whether what is kept under a key goes with the page, where that can be. */
  forgets?(key: string): boolean;
}

type Kind = "localStorage" | "sessionStorage";

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

/** A storage that takes nothing: of a browser that has none for us (blocked cookies, a page in a frame). */
const none: Storage = {
  ...memory(),
  setItem: () => {
    throw new Error();
  },
};

/** Returns the browser's storage, or `none`: it may be missing, be refused, or refuse to be read (a damaged file of the browser). */
function found(kind: Kind): Storage {
  try {
    const given = window[kind] as Storage | null;
    given?.getItem("");
    return given ?? none;
  } catch {
    return none;
  }
}

/** The browser's storage of a kind; what it does not take, since it is switched off or full, is kept as long as the page lives. */
class BrowserStorage implements Storage {
  readonly #real: Storage;
  readonly #unkept = memory();

  constructor(kind: Kind) {
    this.#real = found(kind);
  }

  /** Returns whether what is kept under a key goes with the page. */
  forgets(key: string): boolean {
    return this.#unkept.getItem(key) !== null;
  }

  get length(): number {
    return this.#real.length + this.#unkept.length;
  }

  /** Returns a key; one that is kept in both ways is there twice. */
  key(index: number): string | null {
    const { length } = this.#real;
    return index < length ? this.#real.key(index) : this.#unkept.key(index - length);
  }

  getItem(key: string): string | null {
    return this.#unkept.getItem(key) ?? this.#real.getItem(key);
  }

  setItem(key: string, value: string): void {
    try {
      this.#real.setItem(key, value);
      this.#unkept.removeItem(key);
    } catch {
      this.#unkept.setItem(key, value);
    }
  }

  removeItem(key: string): void {
    this.#unkept.removeItem(key);
    this.#real.removeItem(key);
  }
}

const storages = new Map<Kind, BrowserStorage>();

/** Returns the browser's storage of a kind, the same for all of the page. */
export function browserStorage(kind: Kind): BrowserStorage {
  const known = storages.get(kind) ?? new BrowserStorage(kind);
  storages.set(kind, known);
  return known;
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
