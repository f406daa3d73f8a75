import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeBatch } from "../../testing/fake-batch.ts";
import { clientIdOf, fakePeer, fakeStoredFile, fakeText, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(() => {
  cancelDialog();
  cleanup();
});

function withTexts(...texts: readonly string[]) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  for (const [index, text] of texts.entries()) fake.addMessage(fakeText(mara, mara, text, noon + index));
  return { fake, ...renderWithWarren(<ConversationPane conversationId={mara} />, fake) };
}

const pressFind = () => fireEvent.keyDown(document.activeElement ?? document, { key: "f", ctrlKey: true });
const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search in this conversation" });
const marks = () => [...document.querySelectorAll("mark")].map((mark) => mark.textContent);

test("finds and marks matches regardless of accents and case, from the latest to the earliest", async () => {
  const { user } = withTexts("Tide tables", "nothing", "the tíde turns", "more");
  expect(pressFind()).toBe(false);
  await user.type(field(), "TIDE");
  await waitFor(() => expect(marks()).toEqual(["Tide", "tíde"]));
  expect(screen.getByText("2 of 2")).toBeTruthy();
  await user.keyboard("{Enter}");
  expect(screen.getByText("1 of 2")).toBeTruthy();
  await user.keyboard("{Enter}");
  expect(screen.getByText("2 of 2")).toBeTruthy();
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(screen.getByText("1 of 2")).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("searchbox", { name: "Search in this conversation" })).toBeNull();
  expect(marks()).toEqual([]);
});

test("finds the words of a query in any order, as the other searches do, and marks each", async () => {
  const { user } = withTexts("We need milk, and eggs", "milk only");
  pressFind();
  await user.type(field(), "eggs milk");
  await waitFor(() => expect(marks()).toEqual(["milk", "eggs"]));
  expect(screen.getByText("1 of 1")).toBeTruthy();
});

test("scrolls to a match far above", async () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => (i === 7 ? "the needle" : `text ${i}`));
  const { user } = withTexts(...texts);
  expect(screen.queryByText(/needle/)).toBeNull();
  pressFind();
  await user.type(field(), "needle");
  await waitFor(() => expect(marks()).toEqual(["needle"]));
  expect(screen.getByText("1 of 1")).toBeTruthy();
});

test("keeps text typed right after opening, and selects it when opened again", async () => {
  const { user } = withTexts("Tide tables");
  const selected = () => [field().selectionStart, field().selectionEnd];
  pressFind();
  expect(document.activeElement).toBe(field());
  fireEvent.change(field(), { target: { value: "tide" } });
  field().setSelectionRange(4, 4);
  await act(() => new Promise(requestAnimationFrame));
  expect(selected()).toEqual([4, 4]);
  await user.keyboard("{Escape}");
  pressFind();
  expect(selected()).toEqual([0, 4]);
  act(() => screen.getByRole("log").focus());
  fireEvent.keyDown(document.body, { key: "f", ctrlKey: true });
  expect(document.activeElement).toBe(field());
});

test("keeps its position when a message arrives", async () => {
  const { fake, user } = withTexts("tide one", "tide two");
  pressFind();
  await user.type(field(), "tide");
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeTruthy());
  await user.keyboard("{Enter}");
  act(() => fake.addMessage(fakeText(mara, mara, "something else", noon + 10)));
  expect(screen.getByText("1 of 2")).toBeTruthy();
});

test("says when nothing is found, and leaves the shortcut to the browser in its own field", async () => {
  const { user } = withTexts("Tide tables");
  pressFind();
  await user.type(field(), "xyz");
  await waitFor(() => expect(screen.getAllByText("No results found").length).toBeGreaterThan(0));
  expect(pressFind()).toBe(true);
});

test("finds a file in a batch by its name, and the card shows which", async () => {
  const { fake, user } = withTexts("Tide tables");
  const names = ["quay 1.jpg", "tide.pdf", "Tíde map.png", "tide c.txt", "tide d.txt"];
  const batch = { at: noon + 10, state: { state: "complete" } } as const;
  const { message, stream } = fakeBatch(names, new Uint8Array(8), batch);
  // Its list did not come with the offer; it is read from the local bytes.
  fake.addMessage({ ...message, manifest: undefined });
  fake.keepFile(message.file.fid, stream);
  fake.setLibrary(new Map([[message.file.fid, fakeStoredFile(message.file)]]));
  pressFind();
  await user.type(field(), "tide");
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeTruthy());
  const found = await screen.findByRole("list", { name: "Files found" });
  const rows = within(found).getAllByRole("listitem");
  const nameOf = (row: HTMLElement) =>
    within(row).queryByRole("button")?.getAttribute("aria-label") ?? row.textContent;
  expect(rows.map(nameOf)).toEqual(["tide.pdf8 B", "Preview: Tíde map.png, 8 B", "Preview: tide c.txt, 8 B"]);
  expect(screen.getByText("1 more file found")).toBeTruthy();
  await user.click(within(found).getByRole("button", { name: /^Preview: tide c\.txt/ }));
  expect(await screen.findByRole("dialog", { name: "tide c.txt" })).toBeTruthy();
});

test("shows no file of a batch for a search without a match in it", async () => {
  const { fake, user } = withTexts("Tide tables");
  const batch = { at: noon + 10, state: { state: "offered" } } as const;
  const { message } = fakeBatch(["quay.jpg", "pier.jpg"], new Uint8Array(8), batch);
  fake.addMessage({ ...message, manifest: '[["quay.jpg",8,0,""],["pier.jpg",8,0,""]]' });
  pressFind();
  await user.type(field(), "quay");
  await waitFor(() => expect(screen.getByText("1 of 1")).toBeTruthy());
  await user.clear(field());
  await user.type(field(), "tide");
  await waitFor(() => expect(marks()).toEqual(["Tide"]));
  expect(screen.queryByRole("list", { name: "Files found" })).toBeNull();
});

test("also finds messages only in storage, and loads them into the log when reached", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const [early, late] = [
    fakeText(mara, mara, "tide long ago", noon),
    fakeText(mara, mara, "tide now", noon + 9),
  ];
  fake.setChat({
    conversations: { [mara]: { messages: [late], unread: 0, gaps: [{ from: -Infinity, before: noon + 9 }] } },
  });
  fake.storeTexts([early]);
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  pressFind();
  await user.type(field(), "tide");
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeTruthy());
  await user.keyboard("{Enter}");
  expect(screen.getByText("1 of 2")).toBeTruthy();
  await waitFor(() => expect(fake.argsOf("loadAround").at(-1)).toEqual([mara, noon]));
  act(() => fake.setChat({ conversations: { [mara]: { messages: [early, late], unread: 0 } } }));
  expect(await screen.findByText(/long ago/)).toBeTruthy();
  expect(screen.getByText("1 of 2")).toBeTruthy();
});
