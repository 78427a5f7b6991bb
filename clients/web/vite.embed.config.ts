/**
 * Builds the page with nothing but a board (embed.html) by itself, so that it brings only as much of all modules as it needs. Its
 * components are compiled as for a server: they write a board as text, and the page needs nothing of Svelte but that.
 */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const own = (name: string): string => fileURLToPath(new URL(`src/app/embed/${name}`, import.meta.url));

export default defineConfig({
  plugins: [svelte({ dynamicCompileOptions: () => ({ generate: "server" }) })],
  resolve: {
    // Without "browser": Svelte's modules are those of components that are written.
    conditions: ["brettwerk-source", "module", "development|production"],
    dedupe: ["@bufbuild/protobuf"],
    alias: {
      "./mounted_board": own("written_board.ts"),
      devalue: own("absent_modules.ts"),
      "node:async_hooks": own("absent_modules.ts"),
    },
  },
  publicDir: false,
  build: {
    target: "es2023",
    // Beside the pages of the other build.
    emptyOutDir: false,
    manifest: ".vite/embed.json",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: "embed.html" },
  },
});
