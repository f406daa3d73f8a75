import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakePeer, fakeText, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { ConversationPane } from "./conversation-pane.tsx";

const mara = clientIdOf(1);
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(cleanup);

function withTexts(...texts: readonly string[]) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  for (const [index, text] of texts.entries()) fake.addMessage(fakeText(mara, mara, text, noon + index));
  return { fake, ...renderWithWarren(<ConversationPane conversationId={mara} />, fake) };
}

const pressFind = () => fireEvent.keyDown(document.activeElement ?? document, { key: "f", ctrlKey: true });
const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search in this conversation" });
const marks = () => [...document.querySelectorAll("mark")].map((mark) => mark.textContent);

test("the words are found and marked, whatever accents and case, from the latest back to the earliest", async () => {
  const { user } = withTexts("Tide tables", "nothing", "the tíde turns", "more");
  expect(pressFind()).toBe(false);
  await user.type(field(), "TIDE");
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeTruthy());
  expect(marks()).toEqual(["Tide", "tíde"]);
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

test("a match far above is brought into the log", async () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => (i === 7 ? "the needle" : `text ${i}`));
  const { user } = withTexts(...texts);
  expect(screen.queryByText(/needle/)).toBeNull();
  pressFind();
  await user.type(field(), "needle");
  await waitFor(() => expect(marks()).toEqual(["needle"]));
  expect(screen.getByText("1 of 1")).toBeTruthy();
});

test("what is typed at once after opening it is kept, and selected when it is opened again", async () => {
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

test("what arrives meanwhile does not move the place of the search", async () => {
  const { fake, user } = withTexts("tide one", "tide two");
  pressFind();
  await user.type(field(), "tide");
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeTruthy());
  await user.keyboard("{Enter}");
  act(() => fake.addMessage(fakeText(mara, mara, "something else", noon + 10)));
  expect(screen.getByText("1 of 2")).toBeTruthy();
});

test("says when nothing is found, and leaves the key to the browser in its own field", async () => {
  const { user } = withTexts("Tide tables");
  pressFind();
  await user.type(field(), "xyz");
  await waitFor(() => expect(screen.getAllByText("No results found").length).toBeGreaterThan(0));
  expect(pressFind()).toBe(true);
});
