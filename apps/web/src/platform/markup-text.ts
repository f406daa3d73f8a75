/** Creates markup that a parser accepts; created on first use, because a page may create a policy once. */
let policy: { createHTML(markup: string): string } | null = null;

/**
 * Only for a document without a window, which runs no scripts and fetches nothing. Its nodes never enter the page:
 * {@link readMarkup} returns strings.
 */
function inertDocument(markup: string): Document {
  const rules = { createHTML: (given: string) => given };
  policy ??= typeof trustedTypes === "undefined" ? rules : trustedTypes.createPolicy("inert-markup", rules);
  return new DOMParser().parseFromString(policy.createHTML(markup), "text/html");
}

/** What a piece of HTML says. */
export interface MarkupText {
  /** Its words, with line breaks between blocks and tabs between cells. */
  readonly text: string;
  /** The addresses of its pictures. */
  readonly pictures: readonly string[];
}

const unread = "script, style, template, noscript, title";
const blocks =
  "address, article, aside, blockquote, dd, details, div, dl, dt, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, summary, table, tr, ul";
/** Blocks with an empty line around them. */
const paragraphs = "blockquote, h1, h2, h3, h4, h5, h6, ol, p, pre, table, ul";

/** Reads HTML that another app put on the clipboard. Nothing of it is run, fetched or shown. */
export function readMarkup(markup: string): MarkupText {
  const { body } = inertDocument(markup);
  return {
    text: textOf(body),
    pictures: [...body.querySelectorAll("img")].map((picture) => picture.getAttribute("src") ?? ""),
  };
}

/** The words of an element, roughly as a browser copies them as plain text. */
function textOf(root: Element): string {
  let text = "";
  let breaks = 0;
  const add = (words: string): void => {
    if (words === "") return;
    text += (text === "" ? "" : "\n".repeat(breaks)) + words;
    breaks = 0;
  };
  const read = (parent: Element, isPreformatted: boolean): void => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) {
        const words = isPreformatted ? node.data : node.data.replace(/[ \t\r\n\f]+/g, " ");
        const isAtStart = text === "" || breaks > 0 || /\s$/.test(text);
        add(isAtStart && !isPreformatted ? words.trimStart() : words);
      } else if (node instanceof Element && !node.matches(unread)) {
        if (node.matches("br")) add("\n");
        else if (node.matches("td, th")) {
          if (node.previousElementSibling) add("\t");
          // A cell is one field of its row, whatever blocks are in it.
          add(textOf(node).replace(/\s+/g, " "));
        } else {
          const around = node.matches(paragraphs) ? 2 : node.matches(blocks) ? 1 : 0;
          breaks = Math.max(breaks, around);
          read(node, isPreformatted || node.matches("pre, textarea"));
          breaks = Math.max(breaks, around);
        }
      }
    }
  };
  read(root, false);
  return text
    .replace(/\u00A0/g, " ")
    .replace(/ +(?=[\t\n])/g, "")
    .replace(/^\n+|\s+$/g, "");
}
