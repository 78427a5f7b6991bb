/** The walls between the layers hold: eslint refuses what goes through them. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { ESLint } from "eslint";
import { build } from "vite";
import { expect, test } from "vitest";

const eslint = new ESLint({ cwd: new URL("../..", import.meta.url).pathname });

async function isRefused(file: string, code: string): Promise<boolean> {
  const [result] = await eslint.lintText(code, { filePath: file });
  return result?.messages.some((each) => each.ruleId === "@typescript-eslint/no-restricted-imports") ?? false;
}

test("boards know neither pages nor the running api, but the contract's types", async () => {
  const board = "src/boards/place_choice.ts";
  expect(await isRefused(board, 'import { router } from "../app/router"; router();')).toBe(true);
  expect(await isRefused(board, 'import { pack } from "../api/registry"; pack("", {});')).toBe(true);
  expect(await isRefused(board, 'import type { Kept } from "../api/shared_answers"; export type K = Kept;')).toBe(true);
  expect(await isRefused(board, 'import { marked } from "marked"; void marked("");')).toBe(true);
  expect(await isRefused(board, 'import { create } from "@bufbuild/protobuf"; create();')).toBe(true);
  const types = 'import type { EinsteinView } from "@brettwerk/client/v1/einstein"; export type V = EinsteinView;';
  expect(await isRefused(board, types)).toBe(false);
}, 60_000);

test("api knows neither pages, nor boards, nor Svelte", async () => {
  const api = "src/api/outbox.ts";
  expect(await isRefused(api, 'import { router } from "../app/router"; router();')).toBe(true);
  expect(await isRefused(api, 'import { narrow } from "../boards/narrowing"; narrow();')).toBe(true);
  expect(await isRefused(api, 'import { tick } from "svelte"; tick();')).toBe(true);
  expect(await isRefused(api, 'import { writable } from "svelte/store"; writable(0);')).toBe(true);
}, 60_000);

test("the boards are built from their own folder and Svelte, and nothing else", async () => {
  const modules: string[] = [];
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [svelte(), { name: "modules", moduleParsed: ({ id }) => void modules.push(id) }],
    build: { write: false, lib: { entry: "src/boards/index.ts", formats: ["es"] } },
  });
  const boards = modules.filter((id) => id.includes("/src/boards/"));
  const svelteItself = modules.filter((id) => /\/node_modules\/(svelte|esm-env|clsx|devalue)\//.test(id));
  const made = modules.filter((id) => id.startsWith("\0"));
  const own = new Set([...boards, ...svelteItself, ...made]);
  expect(modules.filter((id) => !own.has(id))).toEqual([]);
  for (const game of ["einstein", "emperado", "plateau", "wec"]) {
    expect(boards.some((id) => id.endsWith(`/${game}/board.ts`))).toBe(true);
  }
}, 60_000);
