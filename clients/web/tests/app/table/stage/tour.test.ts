/** The first steps: what they say is there in both languages, and they point at what is there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settings } from "../../../../src/app/settings.svelte";
import Tour from "../../../../src/app/table/stage/Tour.svelte";
import { pointer } from "../../../../src/boards/tour_target.svelte";
import { loadTour } from "../../../../src/boards/tour";

const GAMES = ["einstein", "emperado", "plateau", "wec"];
const steps = [1, 2, 3].map((number) => ({
  target: `part ${number}`,
  title: { en: `title ${number}`, de: `Titel ${number}` },
  text: { en: `text ${number}`, de: `Satz ${number}` },
}));

let component: object | undefined;
const done = vi.fn();

function show(again = false): void {
  component = mount(Tour, { target: document.body, props: { steps, again, ondone: done } });
  flushSync();
}

const press = async (name: string): Promise<void> => {
  document.querySelector<HTMLElement>(`[data-testid="tour-${name}"]`)?.click();
  await tick();
};
const said = (): string => document.querySelector("[data-testid=tour]")?.textContent.replaceAll(/\s+/g, " ") ?? "";

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  settings.language = "en";
  done.mockClear();
});
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

function targetsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte"));
  const code = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return [...code.matchAll(/@attach tourTarget\("(\w+)"\)/g)].map(([, name = ""]) => name);
}

test.each(GAMES)("%s has first steps in both languages, about parts that the page or its board has", async (game) => {
  const tour = await loadTour(game);
  expect(tour.length).toBeGreaterThanOrEqual(5);
  const targets = [...targetsIn("src/app"), ...targetsIn(`src/boards/${game}`)];
  for (const { target, title, text } of tour) {
    expect(targets, target).toContain(target);
    for (const words of [title, text]) expect(Math.min(words.en.length, words.de.length)).toBeGreaterThan(4);
    expect(Math.max(text.en.length, text.de.length), text.en).toBeLessThan(420);
  }
});

test("no part is pointed at twice, and none is never pointed at", async () => {
  const tours = await Promise.all(GAMES.map((game) => loadTour(game)));
  for (const [index, game] of GAMES.entries()) {
    const own = targetsIn(`src/boards/${game}`);
    expect(new Set(own).size, game).toBe(own.length);
    for (const target of own) expect(tours[index]?.map((step) => step.target)).toContain(target);
  }
  for (const target of targetsIn("src/app")) expect(tours.flat().map((step) => step.target)).toContain(target);
});

test("a game without first steps has none", async () => {
  expect(await loadTour("nim")).toEqual([]);
});

test("the steps are walked to and fro, and their parts are pointed at", async () => {
  show();
  expect(said()).toContain("1 / 3 title 1 text 1");
  expect(document.querySelector("[data-testid=tour-back]")).toBeNull();
  expect(pointer.at).toBe("part 1");
  expect(document.activeElement).toBe(document.body);
  await press("next");
  await press("next");
  expect(said()).toContain("3 / 3 title 3 text 3");
  expect(pointer.at).toBe("part 3");
  expect(document.activeElement?.tagName).toBe("H2");
  expect(document.querySelector("[data-testid=tour-next]")).toBeNull();
  await press("back");
  expect(pointer.at).toBe("part 2");
  await press("next");
  await press("done");
  expect(done).toHaveBeenCalledOnce();
});

test("they can be left at once, and then nothing is pointed at", async () => {
  show();
  await press("skip");
  expect(done).toHaveBeenCalledOnce();
  if (component) await unmount(component);
  component = undefined;
  expect(pointer.at).toBe("");
});

test("a reader who asks for them is taken to them, in their language", async () => {
  settings.language = "de";
  show(true);
  await tick();
  await tick();
  expect(document.activeElement?.textContent).toContain("Titel 1");
  settings.language = "en";
});
