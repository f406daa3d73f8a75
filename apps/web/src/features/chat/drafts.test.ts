import type { KeyValueStorage } from "@warren/core";
import { afterEach, expect, it } from "vitest";
import { draftOf, hasDrafts, keepDraft, recallDrafts } from "./drafts.ts";

/** Each is that of a page: what one leaves is in the next. */
function tabStorage(entries = new Map<string, string>()): KeyValueStorage {
  return {
    read: (key) => entries.get(key) ?? null,
    write: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}

afterEach(() => {
  for (const conversation of ["everyone", "jun"]) keepDraft(conversation, "");
});

it("leaves what is being written for the page after a reload", () => {
  const kept = new Map<string, string>();
  recallDrafts(tabStorage(kept));
  keepDraft("jun", "half a\nthought <b>");
  keepDraft("everyone", "wait");
  dispatchEvent(new Event("pagehide"));
  keepDraft("jun", "");
  keepDraft("everyone", "");
  recallDrafts(tabStorage(kept));
  expect([draftOf("jun"), draftOf("everyone")]).toEqual(["half a\nthought <b>", "wait"]);
});

it("takes them back once: what was sent since does not come again", () => {
  const storage = tabStorage(new Map([["drafts", '[["jun","half a thought"]]']]));
  recallDrafts(storage);
  keepDraft("jun", "");
  recallDrafts(storage);
  expect(draftOf("jun")).toBe("");
});

it("leaves nothing of what was sent meanwhile", () => {
  const kept = new Map([["drafts", '[["jun","sent soon"]]']]);
  recallDrafts(tabStorage(kept));
  keepDraft("jun", "");
  dispatchEvent(new Event("pagehide"));
  recallDrafts(tabStorage(kept));
  expect(hasDrafts()).toBe(false);
});

it.each(["", "{", "null", "7", '{"jun":"x"}', '[["jun"],["jun",7],"x",null,["jun","x","y"]]'])(
  "takes nothing from %j",
  (drafts) => {
    recallDrafts(tabStorage(new Map([["drafts", drafts]])));
    expect(hasDrafts()).toBe(false);
  },
);
