import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useLocation } from "wouter";
import { useRedirect } from "../../app/use-redirect.ts";
import { type FolderContent, fakeEntry } from "../../testing/fake-folders.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import ConversationPane from "../conversation-pane.tsx";

const [mara, noor] = [clientIdOf(1), clientIdOf(2)];
const fileItem = (file: File) => ({ kind: "file", type: file.type, getAsFile: () => file });
const folderItem = (name: string, content: FolderContent) => ({
  kind: "file",
  type: "",
  getAsFile: () => null,
  webkitGetAsEntry: () => fakeEntry(name, content),
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

test("names the recipient and counts dragged items until they leave the window", () => {
  show();
  const items = [1, 2, 3].map((i) => fileItem(new File([], `${i}`, { type: "text/plain" })));
  drag("dragEnter", items);
  drag("dragEnter", items);
  expect(screen.getByText("Drop to send to Mara")).toBeTruthy();
  expect(screen.getByText("3 files")).toBeTruthy();
  drag("dragLeave", items);
  expect(screen.getByText("3 files")).toBeTruthy();
  drag("dragLeave", items);
  expect(screen.queryByText("3 files")).toBeNull();
});

test("does not call items files if one may be a folder", () => {
  show();
  drag("dragEnter", [folderItem("Location scouting", {}), fileItem(new File([], "a"))]);
  expect(screen.getByText("2 items")).toBeTruthy();
});

test("sends dropped files, and each folder as one", async () => {
  const fake = show();
  const file = new File(["x"], "notes.txt");
  const inside = new File(["y"], "quay.txt");
  drag("dragEnter", []);
  const drop = drag("drop", [
    folderItem("Location scouting", { in: { "quay.txt": inside } }),
    fileItem(file),
  ]);
  expect(drop.defaultPrevented).toBe(true);
  expect(screen.queryByText("Drop to send to Mara")).toBeNull();
  await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[mara, file]]));
  const tree = { kind: "folder", name: "Location scouting", emptyFolders: [] };
  expect(fake.argsOf("sendTree")).toEqual([
    [mara, { ...tree, files: [{ path: "in/quay.txt", file: inside }] }],
  ]);
});

test("reports unreadable parts of a folder", async () => {
  const fake = show();
  drag("drop", [folderItem("Location scouting", { in: { "gone.txt": null } })]);
  expect(await screen.findByText("1 item could not be read and was left out")).toBeTruthy();
  expect(screen.getByText("in/gone.txt")).toBeTruthy();
  expect(fake.argsOf("sendTree")).toHaveLength(1);
});

test("sends several files as one", async () => {
  const fake = show();
  const files = Array.from({ length: 2 }, (_, i) => new File([`${i}`], `${i}.txt`));
  drag("drop", files.map(fileItem));
  await waitFor(() => expect(fake.argsOf("sendTree")).toHaveLength(1));
  expect(fake.argsOf("sendTree")).toMatchObject([[mara, { kind: "files", name: "0.txt" }]]);
  expect(fake.argsOf("sendFile")).toEqual([]);
});

test("ignores dragged text", () => {
  const fake = show();
  const drop = drag("drop", [], ["text/plain"]);
  expect(drop.defaultPrevented).toBe(false);
  expect(fake.argsOf("sendFile")).toEqual([]);
});

test("keeps its recipient while dragging, even if another conversation opens automatically", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [noor]: fakeContact(2, "Noor Haddad", { redirect: true }) } });
  function PageWithMara() {
    useRedirect();
    const [path] = useLocation();
    return path === "/" ? <ConversationPane conversationId={mara} /> : <h1>{path}</h1>;
  }
  renderWithWarren(<PageWithMara />, fake);
  const arrive = () =>
    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")])));
  drag("dragEnter", []);
  arrive();
  expect(screen.getByText("Drop to send to Mara")).toBeTruthy();
  drag("dragLeave", []);
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
  arrive();
  expect(screen.getByRole("heading", { name: `/client/${noor}/chat` })).toBeTruthy();
});

const gb = 1_000_000_000;

test.each([
  ["Send anyway", [[{ overLimit: true }]], []],
  ["Raise limit to 2 GB", [[]], [["maxFileSize", 2 * gb]]],
  ["Cancel", [], []],
] as const)("asks before sending a file over the limit: %s", async (answer, sent, raised) => {
  const fake = show();
  fake.setOptions({ maxFileSize: gb });
  const file = new File([], "rushes.mov");
  Object.defineProperty(file, "size", { value: 1.3 * gb });
  drag("drop", [fileItem(file)]);
  const question = await screen.findByRole("dialog", { name: "1.3 GB is over your limit of 1 GB" });
  expect(fake.argsOf("sendFile")).toEqual([]);
  fireEvent.click(within(question).getByRole("button", { name: answer }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(fake.argsOf("sendFile")).toEqual(sent.map((options) => [mara, file, ...options]));
  expect(fake.argsOf("setOption")).toEqual(raised);
});
