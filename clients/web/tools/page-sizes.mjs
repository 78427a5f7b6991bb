/** Prints what a first visit downloads, and what each board on another page does; fails when one has outgrown its budget. */
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

// The server says up to 7 kB more of a game (tests/browser/test_embedded_board.py weighs all of it: 30 kB at most).
const BOARD = 24 * 1000;
const embed = JSON.parse(read(".vite/embed.json"));
const drawings = Object.keys(embed).filter((each) => /[/]boards[/]\w+[/](Thumbnail|OtherBoard)[.]svelte$/.test(each));
const sizes = drawings.map((drawing) => {
  const game = drawing.split("/").at(-2);
  const reader = `src/app/embed/${game}_view.ts`;
  const board = broughtBy(embed, ["embed.html", drawing, ...(reader in embed ? [reader] : [])]);
  return [drawing, weigh(["embed.html"], gzipSync) + weigh([...board.scripts, ...board.styles], brotliCompressSync)];
});
console.log(`boards on another page (page, scripts and styles, compressed; budget ${BOARD}):`);
for (const [drawing, size] of sizes) console.log(`  ${drawing}: ${size} bytes`);

if (weight > FIRST_PAGE || sizes.some(([, size]) => size > BOARD)) process.exit(1);
