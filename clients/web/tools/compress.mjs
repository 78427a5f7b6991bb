/** Writes a Brotli copy beside every file that a browser loads, for the gateway to send instead. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const assets = new URL("../dist/assets/", import.meta.url);
for (const name of readdirSync(assets).filter((each) => /\.(js|css)$/.test(each))) {
  const file = new URL(name, assets);
  const options = { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
  writeFileSync(new URL(`${name}.br`, assets), brotliCompressSync(readFileSync(file), options));
}

// A gateway that runs reads the folder again when its first page is newer, which must not be before all is there.
const now = new Date();
utimesSync(new URL("../index.html", assets), now, now);
