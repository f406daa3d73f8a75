import { cleanup, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../ui/toaster.tsx";
import { ConversationPane } from "./conversation-pane.tsx";

const mara = clientIdOf(1);
const fileItem = (file: File) => ({ kind: "file", getAsFile: () => file });
const folderItem = (name: string) => ({
  kind: "file",
  getAsFile: () => null,
  webkitGetAsEntry: () => ({ isDirectory: true, name }),
});

function show() {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  return fake;
}

function drag(
  type: "dragEnter" | "dragLeave" | "drop",
  items: readonly object[],
  types: readonly string[] = ["Files"],
) {
  const event = createEvent[type](document.body, { dataTransfer: { types, items } });
  fireEvent(document.body, event);
  return event;
}

afterEach(() => {
  toast.dismiss();
  cleanup();
});

test("names the receiver and counts what is dragged over the window, until it leaves", () => {
  show();
  const items = [1, 2, 3].map((i) => fileItem(new File([], `${i}`)));
  drag("dragEnter", items);
  drag("dragEnter", items);
  expect(screen.getByText("Drop to send to Mara")).toBeTruthy();
  expect(screen.getByText("3 files")).toBeTruthy();
  drag("dragLeave", items);
  expect(screen.getByText("3 files")).toBeTruthy();
  drag("dragLeave", items);
  expect(screen.queryByText("3 files")).toBeNull();
});

test("sends dropped files; of folders it says that nothing was sent", async () => {
  const fake = show();
  const file = new File(["x"], "notes.txt");
  drag("dragEnter", []);
  const drop = drag("drop", [folderItem("Location scouting"), fileItem(file)]);
  expect(drop.defaultPrevented).toBe(true);
  expect(screen.queryByText("Drop to send to Mara")).toBeNull();
  await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[mara, file]]));
  expect(
    await screen.findByText("Folders cannot be sent yet. Nothing was sent from Location scouting."),
  ).toBeTruthy();
});

test("leaves dragged text alone", () => {
  const fake = show();
  const drop = drag("drop", [], ["text/plain"]);
  expect(drop.defaultPrevented).toBe(false);
  expect(fake.argsOf("sendFile")).toEqual([]);
});

test("sends text that is pasted outside of every field into the clipboard inbox, unless that is turned off", () => {
  const fake = show();
  const paste = () =>
    fireEvent.paste(document.body, {
      clipboardData: { types: ["text/plain"], files: [], getData: () => "words" },
    });
  paste();
  expect(fake.argsOf("sendClipboard")).toEqual([[mara, "words"]]);
  fake.setOptions({ enableClipboard: false });
  cleanup();
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  paste();
  expect(fake.argsOf("sendClipboard")).toHaveLength(1);
});
