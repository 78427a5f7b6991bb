/** Prints what a first visit downloads, and fails when its scripts have outgrown their budget. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET = 120 * 1024;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const scripts = new Set();
const styles = new Set();
function visit(key) {
  const chunk = manifest[key];
  if (scripts.has(chunk.file)) return;
  scripts.add(chunk.file);
  for (const file of chunk.css ?? []) styles.add(file);
  for (const each of chunk.imports ?? []) visit(each);
}
visit("index.html");

const weigh = (files) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0);
const weight = weigh(scripts);
console.log(`first page: ${weight} bytes of scripts and ${weigh(styles)} bytes of styles, gzipped (budget ${BUDGET})`);
if (weight > BUDGET) process.exit(1);
