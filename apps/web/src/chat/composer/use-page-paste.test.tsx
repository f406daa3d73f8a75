import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorText } from "../../i18n/i18n.ts";
import { fakeClipboard } from "../../testing/fake-clipboard.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
});
afterEach(() => {
  toast.dismiss();
  cleanup();
});

const show = () => renderWithWarren(<ConversationPane conversationId={mara} />, fake);
const question = () => screen.queryByRole("alertdialog", { name: "Send your clipboard to Mara?" });
const sent = () => fake.argsOf("sendClipboard").map(([, text]) => text);

function paste(text: string, files: readonly File[] = [], html = ""): void {
  const texts = { "text/plain": text, "text/html": html };
  fireEvent.paste(document.body, { clipboardData: fakeClipboard(texts, files) });
}
const picture = new File(["x"], "image.png", { type: "image/png" });
const draft = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }).value;
const attachments = () => screen.queryByRole("list", { name: "Attachments" })?.textContent;

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

test("asks about each of two texts that are pasted in a row", async () => {
  const { user } = show();
  paste("first");
  paste("second");
  expect(question()?.textContent).toContain("first");
  await user.keyboard("{Enter}");
  expect(question()?.textContent).toContain("second");
  await user.keyboard("{Enter}");
  expect(sent()).toEqual(["first", "second"]);
  expect(question()).toBeNull();
});

test("keeps the question and its text where sending failed", async () => {
  fake.fail("sendClipboard", new WarrenError("no-session", { id: mara }));
  const { user } = show();
  paste("words");
  await user.keyboard("{Enter}");
  expect(await screen.findByText(errorText({ code: "no-session", values: { id: mara } }))).toBeTruthy();
  expect(question()?.textContent).toContain("words");
});

test("sends a text once, and asks about one that was pasted meanwhile", async () => {
  let end = (): void => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  const send = vi.spyOn(fake.warren.chat, "sendClipboard").mockReturnValue(ending);
  const { user } = show();
  paste("first");
  await user.keyboard("{Enter}{Enter}");
  paste("second");
  expect(send).toHaveBeenCalledTimes(1);
  end();
  await waitFor(() => expect(question()?.textContent).toContain("second"));
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
  expect(draft()).toBe("fourth");
});

test("attaches files pasted outside of fields", () => {
  show();
  paste("", [new File(["x"], "shot.png")]);
  expect(attachments()).toContain("shot");
  expect(fake.argsOf("sendFile")).toEqual([]);
});

test("inserts text for an absent peer into the composer", () => {
  fake.setRoom(roomWith([]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  show();
  paste("words");
  paste("more");
  expect(question()).toBeNull();
  expect(draft()).toBe("words\nmore");
});

test("inserts a text that is too long for the clipboard inbox into the composer", () => {
  const long = "word ".repeat(61_440);
  show();
  paste(long);
  expect(question()).toBeNull();
  expect(draft()).toBe(long);
  expect(screen.getByRole("button", { name: "Send as file" })).toBeTruthy();
});

test("attaches a picture, with its text as the caption", () => {
  show();
  paste("a caption of one line", [picture]);
  expect(question()).toBeNull();
  expect(attachments()).toContain("image.png");
  expect(draft()).toBe("a caption of one line");
});

test("asks about the text of a table, and offers its picture", async () => {
  show();
  paste("Apples\t3", [picture], "<table><tr><td>Apples<td>3</table>");
  expect(question()?.textContent).toContain("Apples\t3");
  expect(attachments()).toBeUndefined();
  expect(await screen.findByText("The picture of this text was left out")).toBeTruthy();
});

test("asks about the words of markup without plain text", () => {
  show();
  paste("", [], "<p>only <b>markup</b></p>");
  expect(question()?.textContent).toContain("only markup");
});

test("says that there is nothing to paste", async () => {
  show();
  paste("");
  expect(await screen.findByText("There is no text, picture or file to paste")).toBeTruthy();
});
