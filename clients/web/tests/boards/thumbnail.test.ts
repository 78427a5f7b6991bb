import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import { EmperadoViewSchema } from "@brettwerk/client/v1/emperado";
import { PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import { WecKind, WecViewSchema } from "@brettwerk/client/v1/wec";
import { SETS } from "../../src/boards/sets";
import { coverOf } from "../../src/boards/cover";
import { hasThumbnail, loadThumbnail } from "../../src/boards/thumbnail";

const seats = { colours: ["#c73e2d", "#2f6cc7"] };

async function drawn(game: string, view: unknown): Promise<string> {
  const Thumbnail = await loadThumbnail(game);
  if (Thumbnail === undefined) throw new Error("no small board");
  const target = document.createElement("div");
  const shown = mount(Thumbnail, { target, props: { view, ...seats } });
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
