import { afterEach, expect, test } from "vitest";
import { TabMarks } from "../../../src/app/news/tab_marks";

afterEach(() => document.head.replaceChildren());

function begin(): { marks: TabMarks; icon: HTMLLinkElement } {
  const icon = document.head.appendChild(document.createElement("link"));
  icon.rel = "icon";
  document.title = "Brettwerk";
  const marks = new TabMarks();
  marks.start();
  return { marks, icon };
}

test("the tab says how many tables wait, and nothing when none does", () => {
  const { marks, icon } = begin();
  marks.mark(2, "Your move");
  expect(document.title).toBe("(2) Your move – Brettwerk");
  expect(icon.getAttribute("href")).toBe("/favicon-turn.svg");
  marks.mark(0, "Your move");
  expect(document.title).toBe("Brettwerk");
  expect(icon.getAttribute("href")).toBe("/favicon.svg");
});

test("a page that sets its title does not take the mark away", async () => {
  const { marks } = begin();
  marks.mark(1, "Your move");
  document.title = "EMPERADO";
  await expect.poll(() => document.title).toBe("(1) Your move – EMPERADO");
  marks.mark(0, "Your move");
  expect(document.title).toBe("EMPERADO");
});
