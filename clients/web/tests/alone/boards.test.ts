/** Boards are drawn, played and taken away by a page that has nothing but `src/boards`. */
import { create, fromBinary, type DescMessage } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import { EmperadoViewSchema } from "@brettwerk/client/v1/emperado";
import { SceneSchema } from "@brettwerk/client/v1/games";
import { PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import { WecViewSchema } from "@brettwerk/client/v1/wec";
import { mountBoard, PlainBoard, SETS, type BoardSeat, type Choice } from "../../src/boards";
import { loadExhibition } from "../../src/boards/exhibition";

const VIEWS: Readonly<Record<string, DescMessage>> = {
  einstein: EinsteinViewSchema,
  emperado: EmperadoViewSchema,
  plateau: PlateauViewSchema,
  wec: WecViewSchema,
};
const say = (key: string): string => key;
const seatsOf = (count: number): BoardSeat[] =>
  Array.from({ length: count }, (_, seat) => ({
    name: `seat ${seat}`,
    who: `player ${seat}`,
    colour: ["#c73e2d", "#2f6cc7", "#3a8f4d", "#8a5fb0"][seat] ?? "#888888",
    computer: false,
    mine: seat === 0,
    acts: seat === 0,
  }));

async function viewsOf(game: string): Promise<unknown[]> {
  const exhibition = await loadExhibition(game);
  const schema = VIEWS[game];
  if (exhibition === undefined || schema === undefined) throw new Error(`no views of ${game}`);
  return exhibition.views.map((view) => fromBinary(schema, base64Decode(view)));
}

let target: HTMLElement;
beforeEach(() => {
  target = document.createElement("div");
  document.body.append(target);
});
afterEach(() => target.remove());

it.each(Object.keys(VIEWS).flatMap((game) => SETS.map((set) => [game, set] as const)))(
  "%s is drawn in the set %s, follows the game, and goes",
  async (game, set) => {
    const [view, ...later] = await viewsOf(game);
    const seats = seatsOf((await loadExhibition(game))?.levels.length ?? 2);
    const board = await mountBoard(target, game, { view, say, seats }, set);
    await expect.poll(() => target.querySelector("[data-testid=board]")).not.toBeNull();
    expect(target.querySelector("[data-set]")?.getAttribute("data-set") ?? "studio").toBe(set);
    const before = target.innerHTML;
    board.update({ view: later.at(-1) });
    flushSync();
    await expect.poll(() => target.innerHTML).not.toBe(before);
    await board.remove();
    expect(target.innerHTML.replaceAll(/<!--.*?-->/g, "")).toBe("");
  },
);

it("a choice is made by touching its squares on a board", async () => {
  const [view] = await viewsOf("einstein");
  const onchoose = vi.fn<(choice: Choice) => void>();
  const choices: Choice[] = [{ key: 1, places: ["A2", "A3"], notation: "A2 A3", label: "A2 to A3" }];
  const board = await mountBoard(target, "einstein", { view, say, seats: seatsOf(2), choices, onchoose });
  for (const place of ["A2", "A3"]) {
    target.querySelector(`[data-testid="square-${place}"]`)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    flushSync();
  }
  expect(onchoose.mock.calls.map(([choice]) => choice.notation)).toEqual(["A2 A3"]);
  await board.remove();
});

it("a game without a board of its own is said so, and drawn on the plain one", async () => {
  await expect(mountBoard(target, "ludo", { view: {}, say })).rejects.toThrow("ludo has no board of its own");
  const scene = create(SceneSchema, { rows: 1, columns: 1, places: [{ name: "A1" }] });
  const given = { scene, colours: [], choices: [], busy: false, flipped: false, say };
  const props = { ...given, onchoose: vi.fn(), onwrite: () => Promise.resolve(true) };
  const plain = mount(PlainBoard, { target, props });
  flushSync();
  expect(target.querySelectorAll("[data-testid]").length).toBeGreaterThan(0);
  await unmount(plain);
});
