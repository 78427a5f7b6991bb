/** Puts the client's addresses beside its pages, for the gateway: it answers 404 to all others. */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

export function routes(): Plugin {
  return {
    name: "routes",
    generateBundle() {
      const source = readFileSync(new URL("../src/app/routes.json", import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: "routes.json", source });
    },
  };
}
