/** Prints what a first visit downloads, and what a board on another page does; fails when one has outgrown its budget. */
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const read = (file) => readFileSync(new URL(file, dist));
const weigh = (files, packed) => [...files].reduce((sum, file) => sum + packed(read(file)).length, 0);

/** Returns the scripts and the styles that entries of a build's manifest bring with them. */
function broughtBy(manifest, entries) {
  const [scripts, styles] = [new Set(), new Set()];
  function visit(key) {
    const chunk = manifest[key];
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(file);
    for (const each of chunk.imports ?? []) visit(each);
  }
  entries.forEach(visit);
  return { scripts, styles };
}

// A sixth of it is the contract: a call that is new makes it longer by its name and its fields.
const FIRST_PAGE = 104 * 1024;
const first = broughtBy(JSON.parse(read(".vite/manifest.json")), ["index.html"]);
const weight = weigh(first.scripts, gzipSync);
console.log(
  `first page: ${weight} bytes of scripts and ${weigh(first.styles, gzipSync)} bytes of styles, gzipped (budget ${FIRST_PAGE})`,
);

// A game of EinStein in English, of which the server says 4 kB more, and one of EMPERADO on another map than the usual world: 13 kB.
const BOARD = 26 * 1024;
const drawings = ["src/boards/einstein/Thumbnail.svelte", "src/boards/emperado/OtherBoard.svelte"];
const sizes = drawings.map((drawing) => {
  const board = broughtBy(JSON.parse(read(".vite/embed.json")), ["embed.html", drawing]);
  return read("embed.html").length + weigh([...board.scripts, ...board.styles], brotliCompressSync);
});
console.log(
  `boards on another page: ${sizes.join(", ")} bytes of page, scripts and styles, by Brotli (budget ${BOARD})`,
);

if (weight > FIRST_PAGE || sizes.some((size) => size > BOARD)) process.exit(1);
