import { expect, test } from "vitest";
import { rulesHtml } from "../../../src/app/pages/rules_html";

test("the anchors of rules stay, and scripts do not", () => {
  const html = rulesHtml(
    '<a id="EWN-END-1"></a>**EWN-END-1** You win.<script>alert(1)</script><img src=x onerror=alert(1)>',
  );
  expect(html).toContain('<a id="EWN-END-1"></a>');
  expect(html).not.toMatch(/script|onerror|img/);
});

test("an empty corner of a table is no header", () => {
  const html = rulesHtml("|   | A |\n|---|---|\n| **1** | x |");
  expect(html).toContain("<th>A</th>");
  expect(html).not.toContain("<th></th>");
});
