import { cleanup, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

/** What no language changes: names of products and languages, keys, addresses, the build, and the fakes' room. */
const notTexts =
  /\S*(?:stun:|wss:|warren\.example)\S*|Warren|English|简体中文|繁體中文|Ctrl|\b[0-9a-f]{8}\b|harbour/g;

beforeAll(() => {
  // The keys are chosen when the texts are loaded.
  history.replaceState(null, "", "/?locale=test");
  vi.resetModules();
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

/** What a page shows and what it says to a screen reader, without what came from the texts. */
function wordsIn(page: Element): string[] {
  const words: string[] = [];
  const note = (said: string | null): void => {
    let rest = said ?? "";
    // A value of a text may be a text.
    for (let inner = /\[[^[\]]*\]/; inner.test(rest); ) rest = rest.replace(inner, "");
    rest = rest.replaceAll(notTexts, "");
    if (/\p{L}{2}/u.test(rest)) words.push(rest.trim());
  };
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) note(walker.currentNode.nodeValue);
  for (const element of page.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description", "aria-valuetext"])
      note(element.getAttribute(name));
  return words;
}

async function load() {
  const [{ fakeWarren }, { renderWithWarren }] = await Promise.all([
    import("../testing/fake-warren.ts"),
    import("../testing/render-with-warren.tsx"),
  ]);
  return { fakeWarren, renderWithWarren };
}

test("words of a page that are in no file of texts are found", () => {
  document.body.innerHTML = '<p title="Hard">[nav.chat] soft</p>';
  expect(wordsIn(document.body)).toEqual(["soft", "Hard"]);
});

test.each(["appearance", "connection", "sender", "receiver", "notifications", "media", "about", "advanced"])(
  "the settings have no hard-coded words in: %s",
  async (section) => {
    const { fakeWarren, renderWithWarren } = await load();
    const { default: SettingsPage } = await import("../settings/settings-page.tsx");
    location.hash = section;
    renderWithWarren(<SettingsPage />, fakeWarren(), { path: "/setting" });
    await within(document.body).findAllByText(/^\[settings\./);
    expect(wordsIn(document.body)).toEqual([]);
  },
);

test("the first page has no hard-coded words", async () => {
  const { fakeWarren, renderWithWarren } = await load();
  const { ChatPage } = await import("../app/pages/chat-page.tsx");
  renderWithWarren(<ChatPage />, fakeWarren(), { path: "/" });
  await within(document.body).findAllByText(/^\[/);
  expect(wordsIn(document.body)).toEqual([]);
});

test("the files page has no hard-coded words", async () => {
  const { fakeWarren, renderWithWarren } = await load();
  const { default: FilesPage } = await import("../files/page/files-page.tsx");
  renderWithWarren(<FilesPage />, fakeWarren(), { path: "/file" });
  await within(document.body).findAllByText(/^\[/);
  expect(wordsIn(document.body)).toEqual([]);
});
