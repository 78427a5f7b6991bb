import { mount, unmount } from "svelte";
import { describe, expect, it } from "vitest";
import { loadPicture } from "../../src/boards/picture";

describe("the picture of a game in the lobby", () => {
  it.each(["einstein", "emperado", "plateau", "wec"])("is drawn and not spoken: %s", async (game) => {
    const Picture = await loadPicture(game);
    if (Picture === undefined) throw new Error("no picture");
    const drawn = mount(Picture, { target: document.body });
    const drawings = [...document.body.querySelectorAll("svg")];
    expect(drawings.some((drawing) => drawing.querySelector("g, path") !== null)).toBe(true);
    expect(drawings.every((drawing) => drawing.getAttribute("aria-hidden") === "true")).toBe(true);
    await unmount(drawn);
  });

  it("may be missing", async () => {
    expect(await loadPicture("ludo")).toBeUndefined();
  });
});
