/**
 * Puts the client's addresses beside its pages, for the gateway: it answers 404 to all others. The page with nothing but a board is
 * not among them, and a server for development has it where the gateway has it.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

export function routes(): Plugin {
  return {
    name: "routes",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(/^[/]embed[/][^/?]+/, "/embed.html");
        next();
      });
    },
    generateBundle() {
      const source = readFileSync(new URL("../src/app/routes.json", import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: "routes.json", source });
    },
  };
}
