// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { fakeClipboard } from "../../testing/fake-clipboard.ts";
import { fakeEntry } from "../../testing/fake-folders.ts";
import { contentOf, goesToInbox, isNothing, pasteOf } from "./paste.ts";

const image = new File(["x"], "image.png", { type: "image/png" });
const notes = new File(["words"], "Notes – März.txt", { type: "text/plain" });
const table = "<table><tr><td>Apples<td>3</table>";
const img = '<meta charset="utf-8"><img src="https://example.com/a.png" alt="A">';

interface Held {
  readonly plain?: string;
  readonly html?: string;
  readonly uris?: string;
  readonly files?: readonly File[];
}

const contentWith = ({ plain = "", html = "", uris = "", files = [] }: Held) =>
  contentOf(fakeClipboard({ "text/plain": plain, "text/html": html, "text/uri-list": uris }, files));

describe("a paste of", () => {
  test.each<[string, Held, { text?: string; files?: readonly File[]; pictures?: readonly File[] }]>([
    ["text", { plain: "words\r\n\ttab" }, { text: "words\r\n\ttab" }],
    ["text with its markup", { plain: "a b", html: "<b>a</b> b" }, { text: "a b" }],
    ["markup alone", { html: "<p>only <b>markup</b></p>" }, { text: "only markup" }],
    ["markup beside blank text", { plain: " \n", html: "<p>words</p>" }, { text: "words" }],
    ["an address alone", { uris: "https://example.com/" }, { text: "https://example.com/" }],
    ["a screenshot", { files: [image] }, { files: [image] }],
    ["a picture from a page", { html: img, files: [image] }, { files: [image] }],
    [
      "a picture from a page, with its address",
      { plain: "https://example.com/a.png", html: img, files: [image] },
      { files: [image] },
    ],
    [
      "a table with a picture of it",
      { plain: "Apples\t3", html: table, files: [image] },
      { text: "Apples\t3", pictures: [image] },
    ],
    [
      "markup with a picture of it",
      { html: table, files: [image] },
      { text: "Apples\t3", pictures: [image] },
    ],
    [
      "a picture and its caption",
      { plain: "a caption", files: [image] },
      { text: "a caption", files: [image] },
    ],
    [
      "a picture with markup, and a text that the markup lacks",
      { plain: "a caption", html: img, files: [image] },
      { text: "a caption", files: [image] },
    ],
    [
      "a text with an attachment",
      { plain: "words", html: "<p>words</p>", files: [notes] },
      { text: "words", files: [notes] },
    ],
    ["a file with its name", { plain: "Notes – März.txt", files: [notes] }, { files: [notes] }],
    [
      "files with their names on lines",
      { plain: "Notes – März.txt\rimage.png", files: [notes, image] },
      { files: [notes, image] },
    ],
    [
      "a file with its path, decomposed",
      { plain: "/home/ada/Notes – März.txt".normalize("NFD"), files: [notes] },
      { files: [notes] },
    ],
    [
      "a file with its address, as older file managers write it",
      {
        plain: "x-special/nautilus-clipboard\ncopy\nfile:///home/ada/Notes%20%E2%80%93%20M%C3%A4rz.txt\n",
        files: [notes],
      },
      { files: [notes] },
    ],
    [
      "a file and a broken address",
      { plain: "file:///%E0", files: [notes] },
      { text: "file:///%E0", files: [notes] },
    ],
    ["a picture and the word copy", { plain: "copy", files: [image] }, { text: "copy", files: [image] }],
    [
      "a file and more than its name",
      { plain: "Notes – März.txt\nis final", files: [notes] },
      { text: "Notes – März.txt\nis final", files: [notes] },
    ],
  ])("%s", (_what, held, { text = "", files = [], pictures = [] }) => {
    const paste = pasteOf(contentWith(held));
    expect(paste).toEqual({ text, items: { files, folders: [] }, pictures });
    expect(isNothing(paste)).toBe(false);
  });

  test("a folder with its name is that folder", () => {
    const entry = { kind: "file", getAsFile: () => null, webkitGetAsEntry: () => fakeEntry("Scouting", {}) };
    const content = contentOf({ ...fakeClipboard({ "text/plain": "Scouting" }, []), items: [entry] });
    const { text, items } = pasteOf(content);
    expect(text).toBe("");
    expect(items.folders.map(({ name }) => name)).toEqual(["Scouting"]);
  });

  test.each<[string, Held]>([
    ["nothing", {}],
    ["blank text", { plain: " \n\u200B" }],
    ["the markup of a picture", { html: img }],
  ])("%s is nothing", (_what, held) => {
    expect(isNothing(pasteOf(contentWith(held)))).toBe(true);
  });
});

describe("pasted text", () => {
  const here = { isHere: true };
  test.each<[string, boolean, Held, { isHere: boolean }]>([
    ["goes to the others' clipboard inbox", true, { plain: "words" }, here],
    ["stays here if nobody can receive it", false, { plain: "words" }, { isHere: false }],
    ["stays here if it is too long", false, { plain: "word ".repeat(61_440) }, here],
    ["stays with the files it was copied with", false, { plain: "a caption", files: [image] }, here],
    ["leaves the picture of it behind", true, { plain: "Apples\t3", html: table, files: [image] }, here],
  ])("%s", (_what, expected, held, partner) => {
    expect(goesToInbox(pasteOf(contentWith(held)), partner)).toBe(expected);
  });
});
