import { create, toJson } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import { EmperadoViewSchema } from "@brettwerk/client/v1/emperado";
import { BoardSchema } from "@brettwerk/client/v1/games";
import { PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import { WecKind, WecViewSchema } from "@brettwerk/client/v1/wec";
import { SETS } from "../../src/boards/sets";
import { coverOf } from "../../src/boards/cover";
import type { MapBoard } from "../../src/boards/plain/board_map";
import { hasThumbnail, loadThumbnail, type BoardOptions, type ReadBoard } from "../../src/boards/thumbnail";

const seats = { colours: ["#c73e2d", "#2f6cc7"] };

async function drawn(game: string, view: unknown, read?: ReadBoard): Promise<string> {
  const small = await loadThumbnail(game, view, read);
  if (small === undefined) throw new Error("no small board");
  const target = document.createElement("div");
  const shown = mount(small.Thumbnail, { target, props: { view, board: small.board, ...seats } });
  flushSync();
  const html = target.innerHTML;
  expect(target.querySelectorAll("button, a, [tabindex]")).toHaveLength(0);
  await unmount(shown);
  return html;
}

function isWide(pixels: number): void {
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(pixels);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(pixels);
}
afterEach(() => vi.restoreAllMocks());

describe("a board in small", () => {
  it("shows the stones of EinStein", async () => {
    const squares = Array.from({ length: 25 }, (_, square) => (square === 3 ? 5 : 0));
    expect(await drawn("einstein", create(EinsteinViewSchema, { position: { squares } }))).toContain(">5</text>");
  });

  it("shows the armies of EMPERADO in the colours of their owners", async () => {
    const owners = Array.from({ length: 60 }, (_, country) => (country === 7 ? 2 : 0));
    const armies = Array.from({ length: 60 }, (_, country) => (country === 7 ? 1234 : 1));
    isWide(600);
    const html = await drawn("emperado", create(EmperadoViewSchema, { position: { owners, armies } }));
    expect(html).toContain(">1234</text>");
    expect(html).toContain('fill="#2f6cc7"');
  });

  it("leaves out how many armies there are where nobody could read it", async () => {
    isWide(500);
    const position = { owners: [2], armies: [1234] };
    const html = await drawn("emperado", create(EmperadoViewSchema, { position }));
    expect(html).toContain('fill="#2f6cc7"');
    expect(html).not.toContain("</text>");
  });

  describe("of EMPERADO on another map", () => {
    const isles = create(BoardSchema, {
      width: 2000,
      height: 1000,
      places: [0, 1, 2].map((number) => ({
        number,
        name: `isle ${String(number)}`,
        x: 500 * (number + 1),
        y: 500,
        neighbours: number === 1 ? [0, 2] : [1],
        outlines:
          number === 2 ? [] : [{ points: [500 * number + 400, 400, 500 * number + 600, 400, 500 * number + 500, 600] }],
      })),
    });
    const view = create(EmperadoViewSchema, {
      position: { owners: [1, 2, 0], armies: [3, 1234, 5], options: { map: "isles" } },
    });

    it("has the places of that map in their owners' colours, as its message or its JSON says", async () => {
      isWide(1200);
      const asked: (readonly [string, BoardOptions])[] = [];
      const html = await drawn("emperado", view, (game, options) => {
        asked.push([game, options]);
        return Promise.resolve(isles);
      });
      expect(asked).toEqual([["emperado", { type: "brettwerk.v1.EmperadoOptions", fields: { map: "isles" } }]]);
      expect(html).toContain('viewBox="0 0 2000 1000"');
      expect(html.match(/class="land/g)).toHaveLength(3);
      expect(html).toMatch(/d="M900 400L1100 400L1000 600Z" fill="#2f6cc7"/);
      expect(html).toContain(">1234</text>");
      const json = toJson(BoardSchema, isles, { alwaysEmitImplicit: true }) as unknown as MapBoard;
      expect(await drawn("emperado", view, () => Promise.resolve(json))).toBe(html);
    });

    it("leaves out how many armies there are where nobody could read it", async () => {
      isWide(200);
      expect(await drawn("emperado", view, () => Promise.resolve(isles))).not.toContain("</text>");
    });

    it("is missing where nobody says what the map is, and is never the usual world", async () => {
      const reads: readonly (ReadBoard | undefined)[] = [
        undefined,
        () => Promise.resolve(undefined),
        () => Promise.resolve(create(BoardSchema, { places: [{ name: "A" }] })),
      ];
      for (const read of reads) expect(await loadThumbnail("emperado", view, read)).toBeUndefined();
      await expect(loadThumbnail("emperado", view, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    });

    it("is not asked for where the usual world is played on", async () => {
      const usual = create(EmperadoViewSchema, { position: { owners: [2], armies: [3] } });
      const read = vi.fn<ReadBoard>();
      expect((await loadThumbnail("emperado", usual, read))?.board).toBeUndefined();
      expect((await loadThumbnail("emperado"))?.board).toBeUndefined();
      expect(read).not.toHaveBeenCalled();
    });
  });

  it("shows the armies of the plateau, round or flat", async () => {
    const nodes = Array.from({ length: 264 }, (_, node) => (node === 100 ? 7 : 0));
    expect(await drawn("plateau", create(PlateauViewSchema, { position: { nodes } }))).toContain(">6</text>");
    const flat = { position: { nodes }, guide: { red: [131, 132] } };
    expect(await drawn("plateau", create(PlateauViewSchema, flat))).toContain(">6</text>");
  });

  it("shows the pieces of Weaponized Chess", async () => {
    const pieces = [{ id: 1, seat: 1, kind: WecKind.KING, place: 44 }];
    expect(await drawn("wec", create(WecViewSchema, { pieces }))).toContain("piece ground white");
  });

  it("may be missing, as a cover may", async () => {
    expect([hasThumbnail("ludo"), await loadThumbnail("ludo"), coverOf("ludo", "studio")]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    expect(
      ["einstein", "emperado", "plateau", "wec"].every((game) => hasThumbnail(game) && coverOf(game, "studio")),
    ).toBe(true);
  });

  it("has a cover of its own in every set", () => {
    for (const game of ["einstein", "emperado", "plateau", "wec"]) {
      const covers = SETS.flatMap((set) => Object.values(coverOf(game, set) ?? {}) as string[]);
      expect(new Set(covers).size, game).toBe(2 * SETS.length);
    }
    expect(coverOf("ludo", "cabinet")).toBeUndefined();
  });
});
