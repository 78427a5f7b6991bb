/** The service worker, run as it is in a world that has what a browser gives it. */
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { beforeEach, expect, test, vi } from "vitest";

const source = readFileSync("public/service-worker.js", "utf8")
  .replace('"development"', '"new"')
  .replace("FILES = []", 'FILES = ["/offline.html", "/assets/a.js"]');

type Listener = (event: Record<string, unknown>) => void;
const ORIGIN = "https://play.example.org";

/** A browser around the worker. */
class World {
  readonly listeners = new Map<string, Listener>();
  readonly caches = new Map<string, string[]>();
  readonly shown = vi.fn();
  readonly opened = vi.fn();
  readonly fetched = vi.fn((request: { url: string }) => Promise.resolve(`network ${request.url}`));
  pages: { url: string; focus: () => void }[] = [];

  constructor() {
    const self = {
      addEventListener: (name: string, listener: Listener) => this.listeners.set(name, listener),
      skipWaiting: vi.fn(),
      location: { origin: ORIGIN },
      registration: { showNotification: this.shown },
      clients: { claim: vi.fn(), matchAll: () => Promise.resolve(this.pages), openWindow: this.opened },
    };
    const caches = {
      open: (name: string) => Promise.resolve({ addAll: (files: string[]) => void this.caches.set(name, files) }),
      keys: () => Promise.resolve([...this.caches.keys()]),
      delete: (name: string) => Promise.resolve(this.caches.delete(name)),
      match: (request: string | { url: string }) => {
        const path = typeof request === "string" ? request : new URL(request.url).pathname;
        return Promise.resolve([...this.caches.values()].flat().includes(path) ? `kept ${path}` : undefined);
      },
    };
    runInContext(source, createContext({ self, caches, fetch: this.fetched, URL }));
  }

  /** Sends an event, and returns what the worker answers or waits for. */
  async send(name: string, event: Record<string, unknown> = {}): Promise<unknown> {
    let result: unknown;
    const take = (given: unknown): void => void (result = given);
    this.listeners.get(name)?.({ waitUntil: take, respondWith: take, ...event });
    return await result;
  }

  ask(path: string, mode = "no-cors", method = "GET"): Promise<unknown> {
    return this.send("fetch", { request: { url: `${ORIGIN}${path}`, mode, method } });
  }
}

let world: World;
beforeEach(() => (world = new World()));

const noNetwork = (): Promise<never> => Promise.reject(new TypeError("no network"));

test("a page comes from the network, and only without one from the cache", async () => {
  await world.send("install");
  expect(await world.ask("/s/07abc", "navigate")).toBe(`network ${ORIGIN}/s/07abc`);
  world.fetched.mockImplementation(noNetwork);
  expect(await world.ask("/s/07abc", "navigate")).toBe("kept /offline.html");
});

test("files of the build come from the cache, others of earlier builds from the network", async () => {
  await world.send("install");
  expect(await world.ask("/assets/a.js")).toBe("kept /assets/a.js");
  expect(await world.ask("/assets/other.js")).toBe(`network ${ORIGIN}/assets/other.js`);
});

test("answers of the server pass by the worker, and nothing of them is kept", async () => {
  await world.send("install");
  for (const path of ["/v1/GetAccount", "/brettwerk.v1.PlayService/ListGames", "/service-worker.js"]) {
    expect(await world.ask(path)).toBeUndefined();
  }
  expect(await world.ask("/s/07abc", "navigate", "POST")).toBeUndefined();
  expect([...world.caches]).toEqual([["brettwerk-files-new", ["/offline.html", "/assets/a.js"]]]);
});

test("a new build forgets all before the last one, and nothing that is another's", async () => {
  for (const name of ["brettwerk-files-1", "brettwerk-files-2", "others", "brettwerk-files-3"])
    world.caches.set(name, []);
  await world.send("install");
  await world.send("activate");
  expect([...world.caches.keys()]).toEqual(["others", "brettwerk-files-3", "brettwerk-files-new"]);
});

test("a push message is shown, and something is shown for every other", async () => {
  const message = { title: "Friday night", body: "It is your turn.", tag: "07abc", path: "/s/07abc" };
  await world.send("push", { data: { json: () => message } });
  const { title, path, ...rest } = message;
  expect(world.shown).toHaveBeenCalledWith(title, expect.objectContaining({ ...rest, data: { path } }));
  await world.send("push", { data: null });
  expect(world.shown).toHaveBeenLastCalledWith("Brettwerk", expect.objectContaining({ data: { path: "/" } }));
});

test("a notification leads to its table, on the page that shows it or on a new one, and to no other place", async () => {
  const click = (path: unknown): Promise<unknown> =>
    world.send("notificationclick", { notification: { close: vi.fn(), data: { path } } });
  const focus = vi.fn();
  world.pages = [{ url: `${ORIGIN}/s/07abc`, focus }];
  await click("/s/07abc");
  expect(focus).toHaveBeenCalledOnce();
  await click("/s/07abd");
  expect(world.opened).toHaveBeenCalledExactlyOnceWith("/s/07abd");
  for (const wrong of ["//evil.example", "https://evil.example", undefined, 7]) await click(wrong);
  expect(world.opened).toHaveBeenCalledOnce();
});
