import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { FileMessage } from "@warren/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeBatch } from "../../testing/fake-batch.ts";
import { clientIdOf, fakeFile, fakePeer, fakeStoredFile, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);
const noon = new Date(2026, 10, 19, 12, 0).getTime();
const png = pngHeader();
const complete = { state: "complete" } as const;

const batchOf = (names: readonly string[], content: Uint8Array<ArrayBuffer>, at: number) =>
  fakeBatch(names, content, { at, state: complete });

function single(fileName: string, content: BlobPart, at: number) {
  return {
    message: fakeFile(mara, mara, { fileName }, complete, at),
    stream: new File([content], fileName),
  };
}

function show(...kept: readonly { readonly message: FileMessage; readonly stream: File }[]) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setLibrary(new Map(kept.map(({ message }) => [message.file.fid, fakeStoredFile(message.file)])));
  for (const { message, stream } of kept) {
    fake.addMessage(message);
    fake.keepFile(message.file.fid, stream);
  }
  return { fake, ...renderWithWarren(<ConversationPane conversationId={mara} />, fake) };
}

beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:test/1");
});
afterEach(() => {
  cancelDialog();
  cleanup();
});

test("one preview pages through all files of a conversation, including those within a batch", async () => {
  const { user } = show(
    single("first.txt", "one", noon),
    batchOf(["photo-10.png", "photo-2.png", "raw.zip"], png, noon + 1),
    single("slides.zip", "PK", noon + 2),
    single("last.txt", "two", noon + 3),
  );
  await user.click(await screen.findByRole("button", { name: "Show files: photo-10.png and 2 more" }));
  await user.click(await screen.findByRole("treeitem", { name: /photo-2\.png/ }));
  const dialog = await screen.findByRole("dialog", { name: "photo-2.png" });
  await within(dialog).findByRole("img", { name: "photo-2.png" });
  expect(within(dialog).getByText("48 B, 2 of 4")).toBeTruthy();
  // The neighbouring files are not read.
  expect(URL.createObjectURL).toHaveBeenCalledTimes(1);

  const next = within(dialog).getByRole("button", { name: "Next file" });
  await user.click(next);
  await within(dialog).findByRole("img", { name: "photo-10.png" });
  expect(document.activeElement).toBe(next);
  expect(dialog.querySelector("[aria-live]")?.textContent).toBe("photo-10.png, 3 of 4");
  await user.click(next);
  await within(dialog).findByText("two");
  expect(next.ariaDisabled ?? next.getAttribute("aria-disabled")).toBe("true");
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  await within(dialog).findByText("one");
});

test("swipes to the neighbours, but not by a vertical swipe or with a mouse", async () => {
  const { user } = show(single("first.txt", "one", noon), single("last.txt", "two", noon + 1));
  await user.click(await screen.findByRole("button", { name: "Preview: first.txt" }));
  const dialog = await screen.findByRole("dialog");
  const swipe = (from: string, by: { x: number; y: number }, pointerType = "touch") => {
    const text = within(dialog).getByText(from);
    const at = { pointerType, isPrimary: true, clientX: 200, clientY: 200 };
    fireEvent.pointerDown(text, at);
    fireEvent.pointerUp(text, { ...at, clientX: 200 + by.x, clientY: 200 + by.y });
  };
  await within(dialog).findByText("one");
  swipe("one", { x: -90, y: 120 });
  swipe("one", { x: -90, y: 5 }, "mouse");
  swipe("one", { x: -20, y: 0 });
  expect(within(dialog).getByText("one")).toBeTruthy();
  swipe("one", { x: -90, y: 5 });
  await within(dialog).findByText("two");
  swipe("two", { x: 90, y: 5 });
  await within(dialog).findByText("one");
});

test("a file within a batch is saved and forwarded separately", async () => {
  const { user, fake } = show(batchOf(["photo-1.png", "photo-2.png"], png, noon));
  await user.click(await screen.findByRole("button", { name: /^Show files/ }));
  await user.click(await screen.findByRole("treeitem", { name: /photo-2\.png/ }));
  const dialog = await screen.findByRole("dialog", { name: "photo-2.png" });
  await user.click(within(dialog).getByRole("button", { name: "Forward" }));
  const forward = await screen.findByRole("dialog", { name: "Forward" });
  expect(within(forward).getByText("photo-2.png")).toBeTruthy();
  await user.click(within(forward).getByRole("checkbox", { name: /Mara/ }));
  await user.click(within(forward).getByRole("button", { name: "Forward" }));
  await waitFor(() => expect(fake.argsOf("sendFile")).toHaveLength(1));
});
