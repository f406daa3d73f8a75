// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { FakeTarget } from "../testing/fake-folders.ts";
import { clientIdOf } from "../testing/fake-records.ts";
import { fakeStorage } from "../testing/fake-storage.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { downloads } from "./pending-saves.ts";
import { Tab } from "./tab.ts";

/** A page of a tab that has these entries. */
function page(entries: Map<string, string>): Tab {
  const tab = new Tab({ warren: fakeWarren().warren, tabStorage: fakeStorage(entries) });
  tab.restore();
  return tab;
}

test("a reload brings back what the page stored when it ended", () => {
  const entries = new Map<string, string>();
  const before = page(entries);
  before.drafts.change("jun", { text: "half a thought" });
  expect(entries.size).toBe(0);
  dispatchEvent(new Event("pagehide"));
  expect(page(entries).drafts.of("jun").text).toBe("half a thought");
  before.drafts.change("jun", { text: "" });
  dispatchEvent(new Event("pagehide"));
});

test("what was chosen in the palette is known after a reload, without the people and rooms that are gone", () => {
  const entries = new Map<string, string>();
  const { recentEntries } = page(entries);
  for (const id of ["nav.files", clientIdOf(1), "nav.settings"]) recentEntries.add(id);
  dispatchEvent(new Event("pagehide"));
  expect(page(entries).recentEntries.ids).toEqual(["nav.settings", "nav.files"]);
  entries.set("palette_recent", '{"not": "a list"}');
  expect(page(entries).recentEntries.ids).toEqual([]);
});

test("files to be saved are stored at once, and saved with the downloads after a reload, once", () => {
  const entries = new Map<string, string>();
  page(entries).pendingSaves.add("plan", { kind: "folder", folder: new FakeTarget() });
  const { pendingSaves } = page(entries);
  expect([pendingSaves.take("plan"), pendingSaves.take("plan")]).toEqual([downloads, null]);
  // A page may end before it has saved it.
  expect(page(entries).pendingSaves.take("plan")).toEqual(downloads);
  pendingSaves.end("plan");
  expect(page(entries).pendingSaves.take("plan")).toBeNull();
});
