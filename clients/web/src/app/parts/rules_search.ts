/** Finding something on a rules page: its chapters, and the paragraphs that have some words. */

/** A chapter: the id of its heading, and what that says. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
}

/** Gives the headings of a page's chapters ids, and returns the chapters. */
export function chaptersOf(article: Element): Chapter[] {
  return [...article.querySelectorAll("h2")].map((heading, index) => {
    heading.id ||= `chapter-${index + 1}`;
    return { id: heading.id, title: heading.textContent };
  });
}

/**
 * Hides what lacks the words that are sought, and returns how many parts have them; with no words everything is shown.
 *
 * A part is a paragraph, a list, a table or a figure; its chapter's heading stays with it.
 */
export function show(article: Element, words: string): number {
  const sought = words.trim().toLocaleLowerCase();
  let count = 0;
  let heading: HTMLElement | undefined;
  for (const part of article.children) {
    if (!(part instanceof HTMLElement)) continue;
    if (/^H[12]$/.test(part.tagName)) {
      heading = part;
      part.classList.toggle("unsought", sought !== "");
      continue;
    }
    const has = sought === "" || part.textContent.toLocaleLowerCase().includes(sought);
    part.classList.toggle("unsought", !has);
    if (!has) continue;
    count += 1;
    heading?.classList.remove("unsought");
  }
  return count;
}
