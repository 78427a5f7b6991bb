import { afterEach, describe, expect, it, vi } from "vitest";
import { frameOf, mayEmbed } from "../../../src/app/share/frame";

afterEach(() => vi.unstubAllGlobals());

describe("the lines for another page", () => {
  const frame = { origin: "https://play.example", session: "07abc", language: "de", title: "", wide: false };

  it("are one frame with the board, and nothing that comes from players stands outside of its title", () => {
    const title = `"><script src=x>&'</script>`;
    const page = document.createElement("div");
    page.innerHTML = frameOf({ ...frame, title });
    expect(page.querySelectorAll("*")).toHaveLength(1);
    const shown = page.querySelector("iframe");
    expect(shown?.title).toBe(title);
    expect(shown?.src).toBe("https://play.example/embed/07abc?language=de");
  });

  it("have room for a wide board", () => {
    const sizes = [false, true].map((wide) =>
      /width="(\d+)" height="(\d+)"/.exec(frameOf({ ...frame, wide }))?.slice(1),
    );
    expect(sizes.map(([width, height] = []) => Number(width) > Number(height))).toEqual([false, true]);
  });
});

describe("whether pages may show a board", () => {
  it.each([
    ["default-src 'self'; frame-ancestors 'none'; base-uri 'none'", false],
    ["default-src 'self'; frame-ancestors https://club.example; base-uri 'none'", true],
    ["default-src 'self'; frame-ancestors *", true],
    ["", false],
  ])("is what the server says of the board's page: %s", async (policy, may) => {
    const headers = new Headers({ "content-security-policy": policy });
    const ask = vi.fn(() => Promise.resolve({ headers }));
    vi.stubGlobal("fetch", ask);
    expect(await mayEmbed("07abc")).toBe(may);
    expect(ask).toHaveBeenCalledWith("/embed/07abc", expect.objectContaining({ method: "HEAD" }));
  });

  it("is no, where nobody answers", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
    expect(await mayEmbed("07abc")).toBe(false);
  });
});
