/** Draws the covers of all games again; with --check says whether they are as their boards are now. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { drawCovers } from "./draw-covers.mjs";

for (const [path, drawing] of await drawCovers()) {
  if (existsSync(path) && readFileSync(path, "utf8") === drawing) continue;
  if (process.argv.includes("--check")) {
    console.error(`${path} is not as its board is drawn now: npm run covers`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, drawing);
    console.log(`${path}: ${Buffer.byteLength(drawing)} bytes`);
  }
}
