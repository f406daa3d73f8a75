import { isBlank } from "@warren/protocol";
import type { Partner } from "../../people/use-partner.ts";
import { type DroppedItem, type IncomingItems, sortItems } from "../../platform/files/incoming-items.ts";
import { readMarkup } from "../../platform/markup-text.ts";
import { isTooLong } from "../../tab/drafts.ts";

/** What a clipboard holds. */
export interface ClipboardContent {
  /** Its plain text. */
  readonly text: string;
  /** The same as HTML, or the HTML of a picture. */
  readonly html: string;
  readonly items: IncomingItems;
}

/** What a paste brings. Each part of the clipboard is in it once, or described by another part. */
export interface Paste {
  readonly text: string;
  readonly items: IncomingItems;
  /** Pictures that other apps add to a text, showing the same text. They are offered, not attached. */
  readonly pictures: readonly File[];
}

const noItems: IncomingItems = { files: [], folders: [] };

/**
 * | The clipboard holds | The paste brings |
 * |---|---|
 * | text, with or without HTML | the text |
 * | HTML alone | its words |
 * | files and folders | them |
 * | files, and their names or addresses as text | the files |
 * | a picture, and only its HTML | the picture |
 * | text and HTML of it, and pictures, as a spreadsheet copies | the text; the pictures are offered |
 * | text and any other files | both |
 */
export function pasteOf({ text: plain, html, items }: ClipboardContent): Paste {
  const hasItems = items.files.length + items.folders.length > 0;
  const isPlain = !isBlank(plain);
  // Parsing the HTML of a large table takes a while.
  const markup = html === "" || (isPlain && !hasItems) ? null : readMarkup(html);
  const words = isPlain || markup === null ? plain : markup.text;
  if (!hasItems) return { text: words, items, pictures: [] };
  const names = [...items.files, ...items.folders].map(({ name }) => name);
  if (isBlank(words) || describes(words, names, markup?.pictures ?? []))
    return { text: "", items, pictures: [] };
  const isRichText = markup !== null && !isBlank(markup.text);
  const arePictures =
    items.folders.length === 0 && items.files.every(({ type }) => type.startsWith("image/"));
  return isRichText && arePictures
    ? { text: words, items: noItems, pictures: items.files }
    : { text: words, items, pictures: [] };
}

/** Whether nothing of a clipboard can be used. */
export function isNothing({ text, items, pictures }: Paste): boolean {
  return isBlank(text) && items.files.length + items.folders.length + pictures.length === 0;
}

/**
 * Whether the text of a paste outside the composer goes to the others' clipboard inbox. Otherwise it goes into the
 * draft: beside files, if it is too long, or if nobody can receive it.
 */
export function goesToInbox({ text, items }: Paste, { isHere }: Pick<Partner, "isHere">): boolean {
  return isHere && items.files.length + items.folders.length === 0 && !isTooLong(text);
}

/** The content of a paste event. Must run synchronously in its handler. */
export function contentOf(data: {
  readonly items: Iterable<DroppedItem>;
  getData(type: string): string;
}): ClipboardContent {
  return {
    // A copied address may come without any other text.
    text: data.getData("text/plain") || data.getData("text/uri-list"),
    html: data.getData("text/html"),
    items: sortItems(data.items),
  };
}

/** Lines that some file managers write around the paths of copied files. */
const fileManagerLine = /^(x-special\/[\w-]+-clipboard|copy|cut)$/;

/** Whether every line of a text only names a file (by name, path or address) or a picture's address. */
function describes(text: string, fileNames: readonly string[], pictures: readonly string[]): boolean {
  const names = new Set(fileNames.map((name) => name.normalize()));
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !fileManagerLine.test(line));
  return lines.length > 0 && lines.every((line) => pictures.includes(line) || names.has(lastSegment(line)));
}

/** The last segment of a path or of a file's address. */
function lastSegment(path: string): string {
  const segment = path.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
  if (!path.startsWith("file:")) return segment.normalize();
  try {
    return decodeURIComponent(segment).normalize();
  } catch {
    return segment;
  }
}
