import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { Drafts } from "./drafts.ts";

/** The drafts of a page in a room, and its rooms. */
function page(room = "burrow", kept: readonly string[] = []) {
  const chat = createStore(() => ({ room }));
  const rooms = createStore(() => kept.map((tag) => ({ tag })));
  return { chat, rooms, drafts: new Drafts(chat, rooms) };
}

/** As {@link page}, after a reload. */
function reloaded(before: Drafts, room?: string): Drafts {
  const { drafts } = page(room);
  drafts.restore(before.stored());
  return drafts;
}

it("saves drafts for the page after a reload", () => {
  const { drafts } = page();
  drafts.change("jun", { text: "half a\nthought <b>" });
  drafts.change("everyone", { text: "wait" });
  const after = reloaded(drafts);
  expect([after.of("jun").text, after.of("everyone").text]).toEqual(["half a\nthought <b>", "wait"]);
});

it("forgets the draft of a room with it", () => {
  const { drafts, rooms } = page("burrow", ["burrow", "attic"]);
  drafts.change("everyone", { text: "to the burrow" });
  drafts.change("attic", { text: "to the attic" });
  rooms.setState([{ tag: "burrow" }], true);
  expect([drafts.of("everyone").text, drafts.of("attic").text]).toEqual(["to the burrow", ""]);
  rooms.setState([], true);
  expect(drafts.of("everyone").text).toBe("");
});

it("keeps the draft to everyone with its room", () => {
  const { chat, drafts } = page();
  drafts.change("everyone", { text: "to the burrow" });
  chat.setState({ room: "attic" });
  expect(drafts.of("everyone").text).toBe("");
  drafts.change("everyone", { text: "to the attic" });
  chat.setState({ room: "burrow" });
  expect(drafts.of("everyone").text).toBe("to the burrow");
  expect(drafts.of("attic").text).toBe("to the attic");
});

it("puts what was not sent to everyone back in the room it was written in", async () => {
  const { chat, drafts } = page();
  const file = new File(["1"], "1.png");
  drafts.change("everyone", { text: "to the burrow" });
  drafts.attach("everyone", { files: [file], folders: [] });
  await drafts.send("everyone", async (draft) => {
    chat.setState({ room: "attic" });
    drafts.change("everyone", { text: "to the attic" });
    return draft;
  });
  expect(drafts.of("everyone")).toEqual({ text: "to the attic", attachments: [] });
  expect(drafts.of("burrow")).toMatchObject({ text: "to the burrow", attachments: [{ file }] });
  drafts.change("everyone", { text: "" });
  await drafts.send("burrow", async (draft) => {
    chat.setState({ room: "burrow" });
    return draft;
  });
  expect(drafts.of("everyone")).toMatchObject({ text: "to the burrow", attachments: [{ file }] });
  expect(drafts.of("burrow").text).toBe("");
});

it("restores the draft to everyone in its own room", () => {
  const { drafts } = page("burrow");
  drafts.change("everyone", { text: "to the burrow" });
  const after = reloaded(drafts, "attic");
  expect([after.of("everyone").text, after.of("burrow").text]).toEqual(["", "to the burrow"]);
});

it("holds drafts under names that every object has as keys, from storage too", () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    const { drafts } = page();
    expect(drafts.of(name).text).toBe("");
    drafts.restore(JSON.stringify([[name, "half"]]));
    expect(drafts.of(name).text).toBe("half");
    drafts.change(name, { text: "" });
    expect(drafts.hasAny()).toBe(false);
  }
});

it("keeps nothing of texts sent meanwhile", () => {
  const { drafts } = page();
  drafts.restore('[["jun","sent soon"]]');
  drafts.change("jun", { text: "" });
  expect(drafts.stored()).toBeNull();
});

it.each([null, "", "{", "null", "7", '{"jun":"x"}', '[["jun"],["jun",7],"x",null,["jun","x","y"]]'])(
  "restores nothing from %j",
  (stored) => {
    const { drafts } = page();
    drafts.restore(stored);
    expect(drafts.hasAny()).toBe(false);
  },
);

it("keeps attachments with their conversation, and does not save them for a reload", () => {
  const { drafts } = page();
  const [first, second] = [new File(["1"], "1.png"), new File(["2"], "2.png")];
  drafts.attach("jun", { files: [first], folders: [] });
  drafts.attach("jun", { files: [second], folders: [] });
  expect(drafts.of("jun").attachments).toMatchObject([{ file: first }, { file: second }]);
  expect(drafts.of("everyone").attachments).toEqual([]);
  expect(drafts.hasAttachments()).toBe(true);
  expect(drafts.stored()).toBeNull();
});

it("puts what was not sent before what was written and attached meanwhile", async () => {
  const { drafts } = page();
  const [first, second] = [new File(["1"], "1.png"), new File(["2"], "2.png")];
  drafts.change("jun", { text: "first" });
  drafts.attach("jun", { files: [first], folders: [] });
  await drafts.send("jun", async (draft) => {
    expect(drafts.hasAny()).toBe(false);
    expect(drafts.hasAttachments()).toBe(true);
    drafts.change("jun", { text: "second" });
    drafts.attach("jun", { files: [second], folders: [] });
    return draft;
  });
  expect(drafts.of("jun").text).toBe("first\nsecond");
  expect(drafts.of("jun").attachments.map((each) => each.kind === "file" && each.file)).toEqual([
    first,
    second,
  ]);
});

it("loses nothing if sending throws", async () => {
  const { drafts } = page();
  drafts.change("jun", { text: "keep me" });
  await drafts.send("jun", () => Promise.reject(new Error("broken"))).catch(() => {});
  expect(drafts.of("jun").text).toBe("keep me");
});
