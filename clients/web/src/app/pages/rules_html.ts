/** A game's rules page: Markdown from the server, cleaned of everything but text, tables and the anchors of the rules. */
import DOMPurify from "dompurify";
import { Marked } from "marked";

const TAGS = "a p h1 h2 h3 h4 strong em code pre ul ol li table thead tbody tr th td br hr blockquote".split(" ");

const markdown = new Marked({
  async: false,
  renderer: {
    tablecell({ header, tokens }) {
      const text = this.parser.parseInline(tokens);
      // The corner of a board's picture heads nothing.
      const tag = header && text !== "" ? "th" : "td";
      return `<${tag}>${text}</${tag}>`;
    },
  },
});

/** Returns a rules page as HTML that can be put into the page. */
export function rulesHtml(page: string): string {
  return DOMPurify.sanitize(markdown.parse(page, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["id", "href", "align", "start"],
    ALLOWED_URI_REGEXP: /^(?:https?:|#|\/)/i,
  });
}
