import { create, toJson, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import { EmperadoViewSchema } from "@brettwerk/client/v1/emperado";
import { PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import { WecHand, WecKind, WecViewSchema } from "@brettwerk/client/v1/wec";
import type { View } from "../../../src/app/embed/answers";
import { numbered } from "../../../src/app/embed/wec_view";
import { loadThumbnail } from "../../../src/boards/thumbnail";

async function drawn(game: string, view: unknown): Promise<string> {
  const small = await loadThumbnail(game, view);
  if (small === undefined) throw new Error("no small board");
  const target = document.createElement("div");
  const shown = mount(small.Thumbnail, { target, props: { view, colours: ["#c73e2d", "#2f6cc7"] } });
  flushSync();
  const html = target.innerHTML;
  await unmount(shown);
  return html;
}

/** Returns a board of a message, and of the same in JSON. */
async function both<Desc extends DescMessage>(
  game: string,
  schema: Desc,
  fields: MessageInitShape<Desc>,
  read: (view: View) => View = (view) => view,
): Promise<readonly [string, string]> {
  const message = create(schema, fields);
  const json = toJson(schema, message, { alwaysEmitImplicit: true }) as View;
  return [await drawn(game, message), await drawn(game, read(json))];
}

afterEach(() => vi.restoreAllMocks());

describe("a board that is drawn from JSON", () => {
  it("looks as one that is drawn from a message", async () => {
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(800);
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(800);
    const squares = Array.from({ length: 25 }, (_, square) => (square < 12 ? square + 1 : 0));
    const nodes = Array.from({ length: 264 }, (_, node) => node % 17);
    const owners = Array.from({ length: 60 }, (_, country) => country % 3);
    const boards = [
      await both("einstein", EinsteinViewSchema, { position: { squares } }),
      await both("emperado", EmperadoViewSchema, { position: { owners, armies: owners.map((each) => each + 7) } }),
      await both("plateau", PlateauViewSchema, { position: { nodes, fallen: [1] }, guide: { bases: [3, 90] } }),
      await both("plateau", PlateauViewSchema, { position: { nodes }, guide: { red: [131, 132], bases: [3, 90] } }),
    ];
    for (const [message, json] of boards) {
      expect(json).toBe(message);
      expect(message.length).toBeGreaterThan(500);
    }
  });

  it("knows the names that enums have in JSON", async () => {
    const kinds = Object.values(WecKind).filter((kind) => typeof kind === "number");
    const hands = Object.values(WecHand).filter((hand) => typeof hand === "number");
    const pieces = kinds.map((kind, index) => {
      return { id: index + 1, kind, hand: hands[index % hands.length] ?? 0, seat: index % 2, place: index * 3 };
    });
    const [message, json] = await both("wec", WecViewSchema, { pieces }, numbered);
    expect(json).toBe(message);
  });
});
