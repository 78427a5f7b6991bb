import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { routes } from "./tools/routes";
import { shortContract } from "./tools/short-contract";

// The gateway that the development server passes calls on to.
const SOURCE = "brettwerk-source";
const gateway = process.env["BRETTWERK_GATEWAY"] ?? "http://127.0.0.1:8000";

/** Returns the name of the file for words of a language that the first page does not need; null for all other modules. */
const languageOf = (id: string): string | null => {
  const code = /[/]services[/]languages[/]([^/]+)[/]page[/](?!text[.]json)/.exec(id)?.[1];
  return code === undefined ? null : `language-${code}`;
};

const TYPES = ["record_file", "registry", "installed_types", "options"].map((name) => `tests/api/${name}.test.ts`);

export default defineConfig({
  plugins: [shortContract(), svelte(), routes()],
  resolve: {
    // The sources of @brettwerk/client, which are those of this repository, and one copy of what both import.
    conditions: [SOURCE, ...defaultClientConditions],
    dedupe: ["@bufbuild/protobuf"],
  },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  build: {
    target: "es2023",
    manifest: true,
    // The page's policy allows scripts and styles from files of its own only.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Of each language that which the first page needs is a file, and all the rest is another one.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ test: /[/]languages[/]/, name: (id) => languageOf(id) }] } },
    },
  },
  server: {
    fs: { allow: [".", "../typescript"] },
    proxy: { "/v1": { target: gateway, ws: true }, "/brettwerk.v1.PlayService": { target: gateway } },
  },
  test: {
    pool: "threads",
    // Events that a test waits for come on a loaded machine, too; only what never comes is a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: {
          name: "api",
          environment: "node",
          isolate: false,
          include: ["tests/{api,covers}/**/*.test.ts"],
          exclude: TYPES,
        },
      },
      // Modules of its own for each file: none that another file has loaded the types of a game into.
      { extends: true, test: { name: "types", environment: "node", include: TYPES } },
      {
        extends: true,
        resolve: { conditions: [SOURCE, "browser"] },
        // One page for all files of a process: making a new one takes longer than most of these tests.
        test: {
          name: "pages",
          environment: "jsdom",
          isolate: false,
          setupFiles: ["tests/observer.ts"],
          include: ["tests/{boards,app}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        resolve: { conditions: [SOURCE, "browser"] },
        // Modules of its own: none that a test of the other project has put something else in place of.
        test: {
          name: "alone",
          environment: "jsdom",
          setupFiles: ["tests/observer.ts"],
          include: ["tests/alone/**/*.test.ts"],
        },
      },
      { extends: true, test: { name: "walls", environment: "node", include: ["tests/walls/**/*.test.ts"] } },
    ],
  },
});
