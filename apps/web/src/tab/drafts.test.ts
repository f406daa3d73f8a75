// @vitest-environment happy-dom
import type { KeyValueStorage } from "@warren/core";
import { afterEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import {
  attach,
  changeDraft,
  draftOf,
  hasAttachments,
  hasDrafts,
  keepDraftsByRoom,
  recallDrafts,
  sendDraft,
} from "./drafts.ts";

/** Each call simulates a page; its entries are passed to the next. */
function tabStorage(entries = new Map<string, string>()): KeyValueStorage {
  return {
    read: (key) => entries.get(key) ?? null,
    write: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}

const burrow = createStore(() => ({ room: "burrow" }));

afterEach(() => {
  for (const conversation of ["everyone", "jun"]) changeDraft(conversation, { text: "", attachments: [] });
});

it("saves drafts for the page after a reload", () => {
  const kept = new Map<string, string>();
  recallDrafts(tabStorage(kept), burrow);
  changeDraft("jun", { text: "half a\nthought <b>" });
  changeDraft("everyone", { text: "wait" });
  dispatchEvent(new Event("pagehide"));
  changeDraft("jun", { text: "" });
  changeDraft("everyone", { text: "" });
  recallDrafts(tabStorage(kept), burrow);
  expect([draftOf("jun").text, draftOf("everyone").text]).toEqual(["half a\nthought <b>", "wait"]);
});

const noRooms = createStore(() => [] as { tag: string }[]);

it("forgets the draft of a room with it", () => {
  const chat = createStore(() => ({ room: "burrow" }));
  const rooms = createStore(() => [{ tag: "burrow" }, { tag: "attic" }]);
  const stop = keepDraftsByRoom(chat, rooms);
  changeDraft("everyone", { text: "to the burrow" });
  changeDraft("attic", { text: "to the attic" });
  rooms.setState([{ tag: "burrow" }], true);
  expect([draftOf("everyone").text, draftOf("attic").text]).toEqual(["to the burrow", ""]);
  rooms.setState([], true);
  expect(draftOf("everyone").text).toBe("");
  stop();
});

it("keeps the draft to everyone with its room", () => {
  const chat = createStore(() => ({ room: "burrow" }));
  const stop = keepDraftsByRoom(chat, noRooms);
  changeDraft("everyone", { text: "to the burrow" });
  chat.setState({ room: "attic" });
  expect(draftOf("everyone").text).toBe("");
  changeDraft("everyone", { text: "to the attic" });
  chat.setState({ room: "burrow" });
  expect(draftOf("everyone").text).toBe("to the burrow");
  expect(draftOf("attic").text).toBe("to the attic");
  changeDraft("attic", { text: "" });
  stop();
});

it("puts what was not sent to everyone back in the room it was written in", async () => {
  const chat = createStore(() => ({ room: "burrow" }));
  const stop = keepDraftsByRoom(chat, noRooms);
  const file = new File(["1"], "1.png");
  changeDraft("everyone", { text: "to the burrow" });
  attach("everyone", { files: [file], folders: [] });
  await sendDraft("everyone", async (draft) => {
    chat.setState({ room: "attic" });
    changeDraft("everyone", { text: "to the attic" });
    return draft;
  });
  expect(draftOf("everyone")).toEqual({ text: "to the attic", attachments: [] });
  expect(draftOf("burrow")).toMatchObject({ text: "to the burrow", attachments: [{ file }] });
  changeDraft("everyone", { text: "" });
  await sendDraft("burrow", async (draft) => {
    chat.setState({ room: "burrow" });
    return draft;
  });
  expect(draftOf("everyone")).toMatchObject({ text: "to the burrow", attachments: [{ file }] });
  expect(draftOf("burrow").text).toBe("");
  stop();
});

it("restores the draft to everyone in its own room", () => {
  const kept = new Map<string, string>();
  recallDrafts(tabStorage(kept), burrow);
  changeDraft("everyone", { text: "to the burrow" });
  dispatchEvent(new Event("pagehide"));
  changeDraft("everyone", { text: "" });
  recallDrafts(
    tabStorage(kept),
    createStore(() => ({ room: "attic" })),
  );
  expect([draftOf("everyone").text, draftOf("burrow").text]).toEqual(["", "to the burrow"]);
  changeDraft("burrow", { text: "" });
});

it("holds drafts under names that every object has as keys, from storage too", () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    expect(draftOf(name).text).toBe("");
    const kept = new Map([["drafts", JSON.stringify([[name, "half"]])]]);
    recallDrafts(tabStorage(kept), burrow);
    expect(draftOf(name).text).toBe("half");
    changeDraft(name, { text: "" });
    expect(hasDrafts()).toBe(false);
  }
});

it("restores them once: texts sent since are not restored", () => {
  const storage = tabStorage(new Map([["drafts", '[["jun","half a thought"]]']]));
  recallDrafts(storage, burrow);
  changeDraft("jun", { text: "" });
  recallDrafts(storage, burrow);
  expect(draftOf("jun").text).toBe("");
});

it("keeps nothing of texts sent meanwhile", () => {
  const kept = new Map([["drafts", '[["jun","sent soon"]]']]);
  recallDrafts(tabStorage(kept), burrow);
  changeDraft("jun", { text: "" });
  dispatchEvent(new Event("pagehide"));
  recallDrafts(tabStorage(kept), burrow);
  expect(hasDrafts()).toBe(false);
});

it.each(["", "{", "null", "7", '{"jun":"x"}', '[["jun"],["jun",7],"x",null,["jun","x","y"]]'])(
  "restores nothing from %j",
  (drafts) => {
    recallDrafts(tabStorage(new Map([["drafts", drafts]])), burrow);
    expect(hasDrafts()).toBe(false);
  },
);

it("keeps attachments with their conversation, and does not save them for a reload", () => {
  const kept = new Map<string, string>();
  recallDrafts(tabStorage(kept), burrow);
  const [first, second] = [new File(["1"], "1.png"), new File(["2"], "2.png")];
  attach("jun", { files: [first], folders: [] });
  attach("jun", { files: [second], folders: [] });
  expect(draftOf("jun").attachments).toMatchObject([{ file: first }, { file: second }]);
  expect(draftOf("everyone").attachments).toEqual([]);
  expect(hasAttachments()).toBe(true);
  dispatchEvent(new Event("pagehide"));
  expect(kept.size).toBe(0);
});

it("puts what was not sent before what was written and attached meanwhile", async () => {
  const [first, second] = [new File(["1"], "1.png"), new File(["2"], "2.png")];
  changeDraft("jun", { text: "first" });
  attach("jun", { files: [first], folders: [] });
  await sendDraft("jun", async (draft) => {
    expect(hasDrafts()).toBe(false);
    expect(hasAttachments()).toBe(true);
    changeDraft("jun", { text: "second" });
    attach("jun", { files: [second], folders: [] });
    return draft;
  });
  expect(draftOf("jun").text).toBe("first\nsecond");
  expect(draftOf("jun").attachments.map((each) => each.kind === "file" && each.file)).toEqual([
    first,
    second,
  ]);
});

it("loses nothing if sending throws", async () => {
  changeDraft("jun", { text: "keep me" });
  await sendDraft("jun", () => Promise.reject(new Error("broken"))).catch(() => {});
  expect(draftOf("jun").text).toBe("keep me");
});
