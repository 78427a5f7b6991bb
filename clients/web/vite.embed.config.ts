/** Builds the page with nothing but a board (embed.html) by itself, so that it brings only as much of all modules as it needs. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["brettwerk-source", ...defaultClientConditions], dedupe: ["@bufbuild/protobuf"] },
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
