/**
 * Draws the covers of all games from their boards: `Cover.svelte` becomes a file for the day and one for the night, and two more for
 * each further set of boards and pieces that the game has.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createServer } from "vite";

const boards = new URL("../src/boards/", import.meta.url);

/** Returns a text with every light-dark(day, night) replaced by one of both. */
function lit(text, byNight) {
  let drawn = "";
  let rest = text;
  for (let at = rest.indexOf("light-dark("); at >= 0; at = rest.indexOf("light-dark(")) {
    const parts = [""];
    let depth = 0;
    let end = at + "light-dark(".length;
    for (; depth > 0 || rest[end] !== ")"; end++) {
      if (rest[end] === "," && depth === 0) {
        parts.push("");
        continue;
      }
      depth += rest[end] === "(" ? 1 : rest[end] === ")" ? -1 : 0;
      parts[parts.length - 1] += rest[end];
    }
    drawn += rest.slice(0, at) + parts[byNight ? 1 : 0].trim();
    rest = rest.slice(end + 1);
  }
  return drawn + rest;
}

const plain = (css) =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};:,>]) ?/g, "$1");

/** Returns what was rendered as a drawing of its own, with the colours that its folders have. */
function draw({ head, body }, folders) {
  const sheets = [...new Set(folders.map((folder) => new URL("colours.css", folder).pathname))];
  const styles = [
    ...[...head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css),
    ...sheets.filter((sheet) => existsSync(sheet)).map((sheet) => readFileSync(sheet, "utf8")),
  ];
  return body
    .replace(/<!--.*?-->/gs, "")
    .replace(/>\s+</g, "><")
    .replace(/\s+/g, " ")
    .replace(/(<svg[^>]*>)/, `$1<style>${plain(styles.join(""))}</style>`)
    .trim();
}

/** Returns the covers by the paths of their files. */
export async function drawCovers() {
  const server = await createServer({
    configFile: false,
    root: new URL("..", import.meta.url).pathname,
    logLevel: "error",
    plugins: [svelte({ configFile: false, compilerOptions: { css: "injected" } })],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { render } = await server.ssrLoadModule("svelte/server");
    const { default: SkinCover } = await server.ssrLoadModule("/src/boards/SkinCover.svelte");
    const { SETS } = await server.ssrLoadModule("/src/boards/sets.ts");
    const covers = new Map();
    for (const game of readdirSync(boards)) {
      const folder = new URL(`${game}/`, boards);
      if (!existsSync(new URL("Cover.svelte", folder))) continue;
      const { default: Cover } = await server.ssrLoadModule(`/src/boards/${game}/Cover.svelte`);
      for (const set of SETS) {
        const own = set === SETS[0] ? folder : new URL(`${set}/`, folder);
        if (own !== folder && !existsSync(new URL("skin.ts", own))) continue;
        const skin =
          own === folder ? undefined : (await server.ssrLoadModule(`/src/boards/${game}/${set}/skin.ts`)).skin;
        const drawing = draw(await render(SkinCover, { props: { Cover, skin } }), [folder, own]);
        for (const byNight of [false, true]) {
          const file = new URL(`cover.${byNight ? "dark" : "light"}.svg`, own);
          covers.set(file.pathname, `${lit(drawing, byNight)}\n`);
        }
      }
    }
    return covers;
  } finally {
    await server.close();
  }
}
