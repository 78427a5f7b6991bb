import { afterEach, expect, test, vi } from "vitest";
import type { browserStorage } from "../../src/api/storage";

const throws = (name: string) => (): never => {
  throw new DOMException("", name);
};
const WINDOWS = {
  "is missing": { localStorage: null },
  "is refused": {
    get localStorage(): Storage {
      return throws("SecurityError")();
    },
  },
  "cannot be read": { localStorage: { length: 0, getItem: throws("NS_ERROR_FILE_CORRUPTED") } },
  "is full": { localStorage: { length: 0, getItem: () => null, setItem: throws("QuotaExceededError") } },
};

afterEach(() => void vi.unstubAllGlobals());

async function storageOf(window: object): Promise<ReturnType<typeof browserStorage>> {
  vi.resetModules();
  vi.stubGlobal("window", window);
  return (await import("../../src/api/storage")).browserStorage("localStorage");
}

test.each(Object.entries(WINDOWS))("a storage that %s keeps things as long as the page lives", async (_, window) => {
  const storage = await storageOf(window);
  expect([storage.length, storage.getItem("name")]).toEqual([0, null]);
  storage.setItem("name", "Ada");
  expect([storage.length, storage.key(0), storage.getItem("name")]).toEqual([1, "name", "Ada"]);
  expect(storage.forgets("name")).toBe(true);
});
