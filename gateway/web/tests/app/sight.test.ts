/** What a seat sees of a session, and how it notices that the server has lost what it was told. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { UpdateSchema, type Update } from "../../src/api/generated/brettwerk/v1/sessions_pb";
import { isSetBack } from "../../src/app/table/sight.svelte";

const made = (version: bigint, atMs: bigint): Update => create(UpdateSchema, { version, atMs });

test("a server that tells an earlier version, or another of the same number, has lost what it told", () => {
  expect(isSetBack(made(5n, 50n), made(4n, 40n))).toBe(true);
  expect(isSetBack(made(5n, 50n), made(5n, 60n))).toBe(true);
});

test("a seat that changed hands since is another's doing, and so is one of which nothing was seen", () => {
  expect(isSetBack(made(5n, 50n), made(6n, 60n))).toBe(false);
  expect(isSetBack(made(5n, 50n), made(5n, 50n))).toBe(false);
  expect(isSetBack(undefined, made(5n, 50n))).toBe(false);
});
