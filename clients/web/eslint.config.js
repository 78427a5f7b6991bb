import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// The three layers: `app` knows the other two, `boards` knows types of the contract only, `api` knows neither, nor Svelte.
const walls = {
  api: {
    patterns: [
      { group: ["**/app/**", "**/boards/**"], message: "api knows no page and no board" },
      { group: ["svelte", "svelte/*"], message: "api knows no Svelte" },
    ],
  },
  boards: {
    patterns: [
      { group: ["**/app/**", "**/api/**"], message: "boards know no page and no server" },
      { regex: "^(?![.]|svelte(/|$)|@brettwerk/client(/|$))", message: "boards need nothing but Svelte" },
      {
        group: ["@brettwerk/client", "@brettwerk/client/**"],
        message: "boards know types of the contract only",
        allowTypeImports: true,
      },
    ],
  },
};
const wall = (name) => ({
  files: [`src/${name}/**/*.ts`, `src/${name}/**/*.svelte`],
  rules: { "@typescript-eslint/no-restricted-imports": ["error", walls[name]] },
});

// With LINT=untyped, rules that ask for types are left out: for each component TypeScript looks through the whole program again,
// which is most of the time of a run. They are asked once a night (scripts/checks.py), and of every file that has changed.
const untyped = process.env.LINT === "untyped";

export default ts.config(
  { ignores: [".svelte-check/", "dist/", "node_modules/"] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"], tsconfigRootDir: import.meta.dirname },
    },
  },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } } },
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      // Maps that are made and read in one go need not be reactive.
      "svelte/prefer-svelte-reactivity": "off",
      // Links of this app are plain addresses that the router takes over.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  {
    // eslint sees the arguments of component callbacks as any; svelte-check sees their types and checks them.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // `void value` in an effect says what it depends on.
      "@typescript-eslint/no-meaningless-void-operator": "off",
    },
  },
  wall("api"),
  wall("boards"),
  ...(untyped
    ? [
        {
          files: ["**/*.svelte", "**/*.ts"],
          ...ts.configs.disableTypeChecked,
          languageOptions: { parserOptions: { projectService: false } },
          // Without types, names of types count as unknown; svelte-check knows them all.
          rules: { ...ts.configs.disableTypeChecked.rules, "no-undef": "off" },
        },
      ]
    : []),
  { files: ["**/*.js", "**/*.mjs"], ...ts.configs.disableTypeChecked },
  { files: ["*.js", "tools/**"], languageOptions: { globals: globals.node } },
  { files: ["public/**"], languageOptions: { sourceType: "script", globals: globals.browser } },
);
