import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import {
  clientIdOf,
  fakeFile,
  fakePeer,
  fakeStoredFile,
  fakeText,
  roomWith,
} from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);

beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:test/1");
});
afterEach(() => {
  cancelDialog();
  toast.dismiss();
  cleanup();
});

/** A complete picture from Mara, focused. */
async function showPicture({ content = pngHeader(), copies = true } = {}) {
  const message = fakeFile(mara, mara, { fileName: "quay.png" }, { state: "complete" }, 1);
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setLibrary(new Map([[message.file.fid, fakeStoredFile(message.file)]]));
  fake.addMessage(message);
  fake.keepFile(message.file.fid, new File([content], "quay.png"));
  const copied: Blob[] = [];
  const writePicture = async (png: Promise<Blob>) => {
    const blob = await png.catch(() => null);
    if (blob === null) return { status: "failed", reason: "no picture" } as const;
    copied.push(blob);
    return { status: "written" } as const;
  };
  const platform = { ...fakePlatform(), writePicture: copies ? writePicture : null };
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake, { platform });
  const row = await screen.findByRole("article");
  act(() => row.focus());
  const openMenu = async () => {
    const strip = within(screen.getByRole("toolbar", { name: "Message actions" }));
    act(() => strip.getByRole("button", { name: "More actions" }).focus());
    await user.keyboard("{Enter}");
    return within(await screen.findByRole("menu", { name: "More actions" }));
  };
  const press = async (name: string) => {
    const menu = await openMenu();
    await user.click(menu.getByRole("menuitem", { name }));
  };
  return { user, openMenu, press, copied };
}

test("copies a picture as a PNG", async () => {
  const { press, copied } = await showPicture();
  await press("Copy picture");
  await screen.findByText("Picture copied");
  expect(copied.map(({ type }) => type)).toEqual(["image/png"]);
});

test("does not copy a picture too large to decode, and says why", async () => {
  const { press, copied } = await showPicture({ content: pngHeader(60_000, 60_000) });
  await press("Copy picture");
  await screen.findByText(/more than 40 million pixels/);
  expect(copied).toEqual([]);
});

test("saves a picture, and opens it in the preview, which copies too", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { user, press, copied } = await showPicture();
  await press("Save");
  await expect.poll(() => saved).toEqual(["quay.png"]);
  await press("Preview");
  const dialog = await screen.findByRole("dialog", { name: "quay.png" });
  await user.click(within(dialog).getByRole("button", { name: "Copy" }));
  await screen.findByText("Picture copied");
  expect(copied).toHaveLength(1);
});

test("hides copying if the browser does not support it", async () => {
  const { user, openMenu } = await showPicture({ copies: false });
  const menu = await openMenu();
  expect(menu.queryByRole("menuitem", { name: "Copy picture" })).toBeNull();
  await user.click(menu.getByRole("menuitem", { name: "Preview" }));
  const dialog = await screen.findByRole("dialog", { name: "quay.png" });
  expect(within(dialog).queryByRole("button", { name: "Copy" })).toBeNull();
});

/** A text from Mara. */
async function showText() {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const text = fakeText(mara, mara, "The tide turns at nine", 1);
  fake.addMessage(text);
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  return { fake, text, user, row: await screen.findByRole("article") };
}

test("the strip has three buttons, and its menu ends with what deletes", async () => {
  const { user, row } = await showText();
  act(() => row.focus());
  const strip = within(screen.getByRole("toolbar", { name: "Message actions" }));
  expect(strip.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "React",
    "Reply",
    "More actions",
  ]);
  for (let times = 0; times < 3; times++) await user.tab();
  await user.keyboard("{Enter}");
  const menu = await screen.findByRole("menu", { name: "More actions" });
  const parts = menu.querySelectorAll("[role=menuitem], [role=separator]");
  expect([...parts].map((part) => part.textContent || part.role)).toEqual([
    "Copy text",
    "Forward",
    "SelectX",
    "separator",
    "Delete message",
  ]);
  await user.keyboard("{Escape}");
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "More actions" })),
  );
});

test("a press on React offers six emoji, and one of them ends it", async () => {
  const { fake, user, row } = await showText();
  act(() => row.focus());
  await user.tab();
  await user.keyboard("{Enter}");
  const panel = await screen.findByRole("dialog", { name: "Reactions" });
  expect(within(panel).getAllByRole("button")).toHaveLength(7);
  await user.click(within(panel).getByRole("button", { name: "React with 😂" }));
  expect(fake.argsOf("react").map(([, emoji]) => emoji)).toEqual(["😂"]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

/** A text from Mara, pressed long. */
async function pressText() {
  const { fake, text, user, row } = await showText();
  fireEvent.pointerDown(row, { pointerType: "touch" });
  const dialog = await screen.findByRole("dialog", { name: "Message actions" }, { timeout: 10_000 });
  fireEvent.pointerUp(row, { pointerType: "touch" });
  return { fake, text, user, row, dialog, actions: within(dialog) };
}

test("a long press opens the actions in a dialog that repeats the message, has the keys, and ends with Escape", async () => {
  const { user, dialog, actions } = await pressText();
  expect(actions.getByText("The tide turns at nine")).toBeTruthy();
  expect(dialog.contains(document.activeElement)).toBe(true);
  for (let times = 0; times < 20; times++) {
    await user.tab();
    expect(dialog.contains(document.activeElement)).toBe(true);
  }
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("lifting the finger that opened the dialog presses nothing in it", async () => {
  const { user, dialog, actions } = await pressText();
  const isClick = fireEvent.click(actions.getByRole("button", { name: "Reply" }));
  expect([isClick, dialog.dataset.state]).toEqual([false, "open"]);
  await user.click(actions.getByRole("button", { name: "Reply" }));
  expect(await screen.findByText("Reply to Mara Lindqvist")).toBeTruthy();
});

test("after the lift of that finger a click without a pointer, as of a screen reader, is heard", async () => {
  const { actions } = await pressText();
  await new Promise((resolve) => setTimeout(resolve, 500));
  fireEvent.click(actions.getByRole("button", { name: "Reply" }));
  expect(await screen.findByText("Reply to Mara Lindqvist")).toBeTruthy();
});

test("an action of the dialog closes it and keeps the focus it moves", async () => {
  const { user, actions } = await pressText();
  await user.click(actions.getByRole("button", { name: "Reply" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("Reply to Mara Lindqvist")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Message" }));
});

test("selecting from the dialog leads back to the message", async () => {
  const { user, row, actions } = await pressText();
  await user.click(actions.getByRole("button", { name: "Select" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(row);
  expect(screen.getByRole("toolbar", { name: "1 message selected" })).toBeTruthy();
});

test("the dialog reacts with one press", async () => {
  const { fake, user, actions } = await pressText();
  await user.click(actions.getByRole("button", { name: "React with 👍" }));
  expect(fake.argsOf("react").map(([, emoji]) => emoji)).toEqual(["👍"]);
});

test("the dialog follows a message that its author deletes", async () => {
  const { fake, text, actions } = await pressText();
  act(() => fake.changeMessage({ ...text, data: "", deleted: true }));
  expect(actions.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Select",
    "Delete message",
  ]);
});
