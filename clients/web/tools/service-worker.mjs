/** Tells the service worker which build it belongs to, and which files that has. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
const assets = readdirSync(new URL("assets/", dist)).filter((name) => /\.(js|css)$/.test(name));
const others = ["offline.html", "offline.js", "offline.css", "theme.js", "favicon.svg", "icon-192.png", "badge.png"];
const files = [...assets.map((name) => `assets/${name}`), ...others].sort();

const worker = new URL("service-worker.js", dist);
const source = readFileSync(worker, "utf8");
const hash = createHash("sha256").update(source);
for (const name of files) hash.update(name).update(readFileSync(new URL(name, dist)));

const build = hash.digest("hex").slice(0, 16);
const paths = JSON.stringify(files.map((name) => `/${name}`));
const filled = source
  .replace('const BUILD = "development";', `const BUILD = "${build}";`)
  .replace("const FILES = [];", `const FILES = ${paths};`);
if (!filled.includes(build) || !filled.includes(paths))
  throw new Error("the service worker has no place for its files");
writeFileSync(worker, filled);
