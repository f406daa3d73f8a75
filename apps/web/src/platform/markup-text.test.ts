// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { readMarkup } from "./markup-text.ts";

test.each([
  ["words with emphasis", "<p>only <b>markup</b></p>", "only markup"],
  ["paragraphs", "<p>One</p>\n<p>Two<br>lines</p>", "One\n\nTwo\nlines"],
  ["blocks", "<div>One</div><div>Two <span>three</span></div>", "One\nTwo three"],
  ["a list", "<ul>\n <li>Tea</li>\n <li>Milk</li>\n</ul>", "Tea\nMilk"],
  [
    "a table",
    "<table><tr><td>Apples<td> <p>3</p><p>kg</p><tr><td>Pears<td>12</table>",
    "Apples\t3 kg\nPears\t12",
  ],
  ["preformatted text", "<pre>if (a)\n  b();</pre>", "if (a)\n  b();"],
  ["entities and hard spaces", "a&nbsp;&lt;b&gt; &#x1F600;", "a <b> 😀"],
  ["code and styles, which are no words", "<style>p{}</style><script>alert(1)</script>x", "x"],
  ["a clipboard fragment", "<html><head><title>T</title></head><body><!--StartFragment-->x</body>", "x"],
  ["a picture alone", '<img src="https://example.com/a.png" alt="A">', ""],
])("reads %s", (_what, markup, text) => {
  expect(readMarkup(markup).text).toBe(text);
});

test("lists the addresses of pictures", () => {
  expect(readMarkup('<img src="https://example.com/a.png"><img>').pictures).toEqual([
    "https://example.com/a.png",
    "",
  ]);
});
