import { expect, test } from "vitest";
import { lastingLink, wayBackIn } from "../../../src/app/way_back/links";

const PHRASE = "abandon ability able about above absent absorb abstract absurd abuse access accident";

test("a lasting link leads the player of its phrase to its page", () => {
  const link = lastingLink("https://play.example.org", PHRASE, "/s/07aB_-9");
  expect(link).toMatch(/^https:\/\/play\.example\.org\/link#[^ ]+$/);
  const { proof, path } = wayBackIn(new URL(link).hash.slice(1));
  expect(proof).toEqual({ case: "phrase", value: PHRASE });
  expect(path).toBe("/s/07aB_-9");
});

test("a code that is no lasting link is a short-lived one, and leads nowhere", () => {
  for (const code of ["aB3_-x9", "//evil.example", "able.about//evil.example", "able.about/s/../account", "able"])
    expect(wayBackIn(code)).toEqual({ proof: { case: "link", value: code }, path: "" });
});
