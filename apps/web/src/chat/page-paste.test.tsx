import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { toast } from "../ui/toaster.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { changeDraft } from "./drafts.ts";

const mara = clientIdOf(1);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
});
afterEach(() => {
  toast.dismiss();
  cleanup();
  changeDraft(mara, { text: "", attachments: [] });
});

const show = () => renderWithWarren(<ConversationPane conversationId={mara} />, fake);
const question = () => screen.queryByRole("alertdialog", { name: "Send your clipboard to Mara?" });
const sent = () => fake.argsOf("sendClipboard").map(([, text]) => text);

function paste(text: string, files: readonly File[] = []): void {
  const items = files.map((file) => ({ kind: "file", getAsFile: () => file }));
  const types = files.length > 0 ? ["Files"] : ["text/plain"];
  fireEvent.paste(document.body, { clipboardData: { types, items, getData: () => text } });
}

test("shows text pasted outside of fields, and Enter sends it", async () => {
  const { user } = show();
  paste("words");
  expect(question()?.textContent).toContain("words");
  expect(sent()).toEqual([]);
  await user.keyboard("{Enter}");
  expect(sent()).toEqual(["words"]);
  expect(question()).toBeNull();
  paste("more");
  expect(question()).not.toBeNull();
});

test("sends nothing on Escape and Cancel", async () => {
  const { user } = show();
  paste("words");
  await user.keyboard("{Escape}");
  expect(question()).toBeNull();
  paste("words");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(question()).toBeNull();
  expect(sent()).toEqual([]);
});

test("stops asking once the user chose so, whatever the answer", async () => {
  const { user } = show();
  const keep = () => user.click(screen.getByRole("checkbox", { name: "Don't ask again" }));
  paste("first");
  await keep();
  await user.keyboard("{Enter}");
  paste("second");
  expect(question()).toBeNull();
  expect(sent()).toEqual(["first", "second"]);
  act(() => fake.setOptions({ pasteUnasked: false }));
  paste("third");
  await keep();
  await user.keyboard("{Escape}");
  paste("fourth");
  expect(question()).toBeNull();
  expect(sent()).toEqual(["first", "second"]);
});

test("attaches files pasted outside of fields", () => {
  show();
  paste("", [new File(["x"], "shot.png")]);
  expect(screen.getByRole("list", { name: "Attachments" }).textContent).toContain("shot");
  expect(fake.argsOf("sendFile")).toEqual([]);
});

test("inserts text for an absent peer into the composer", () => {
  fake.setRoom(roomWith([]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  show();
  paste("words");
  expect(question()).toBeNull();
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "words");
});
