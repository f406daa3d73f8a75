import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { reactionsOf } from "@warren/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelDialog } from "../../../testing/cancel-dialog.ts";
import { chooseAction } from "../../../testing/choose-action.ts";
import {
  clientIdOf,
  fakeFile,
  fakePeer,
  fakeStoredFile,
  fakeText,
  me,
  roomWith,
} from "../../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../../testing/fake-warren.ts";
import { pngHeader } from "../../../testing/png-header.ts";
import { fakePlatform, renderWithWarren } from "../../../testing/render-with-warren.tsx";
import { toast } from "../../../wiring/toast.ts";
import ConversationPane from "../../conversation-pane.tsx";

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

function withMara(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  return fake;
}

const show = (fake: FakeWarren) => renderWithWarren(<ConversationPane conversationId={mara} />, fake).user;
/** Waits until screen readers are told. */
const told = (sentence: string) => screen.findByText(sentence, { selector: "[role=status] p" });
const row = (text: string) => {
  const found = screen.getAllByRole("article").find((article) => within(article).queryByText(text));
  if (found === undefined) throw new Error(`no message says ${text}`);
  return found;
};

test("deletes my text here or for both, and of others only here", async () => {
  const fake = withMara();
  const mine = fakeText(me, mara, "A mistake", 1, { deliveries: { [mara]: { status: "received" } } });
  const theirs = fakeText(mara, mara, "Theirs", 2);
  fake.addMessage(mine);
  fake.addMessage(theirs);
  const user = show(fake);
  const press = async (text: string) => {
    await chooseAction(user, row(text), "Delete message");
    return within(await screen.findByRole("dialog"));
  };
  await user.click((await press("A mistake")).getByRole("button", { name: "Delete for Mara too" }));
  expect(fake.argsOf("deleteMessage")).toEqual([[mine.key]]);
  const ofTheirs = await press("Theirs");
  expect(ofTheirs.queryByRole("button", { name: /too/ })).toBeNull();
  await user.click(ofTheirs.getByRole("button", { name: "Delete" }));
  expect(fake.argsOf("remove")).toEqual([[theirs.key]]);
});

test("deletes a file of mine for both, and says that who has it keeps it", async () => {
  const fake = withMara();
  const mine = fakeFile(me, mara, { fileName: "tide.bin" }, { state: "offered" }, 1);
  fake.addMessage(mine);
  const user = show(fake);
  const [offer] = screen.getAllByRole("article");
  if (!offer) throw new Error("no offer is shown");
  await chooseAction(user, offer, "Delete message");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/If Mara already has the file, it stays there\.$/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Delete for Mara too" }));
  expect(fake.argsOf("deleteMessage")).toEqual([[mine.key]]);
});

test("selects several messages by pointer and by key, to copy, forward or delete them", async () => {
  const fake = withMara();
  const received = { deliveries: { [mara]: { status: "received" } } } as const;
  const texts = ["One", "Two", "Three", "Four"].map((text, at) => fakeText(me, mara, text, at, received));
  const theirs = fakeText(mara, mara, "Theirs", 9);
  for (const message of [...texts, theirs]) fake.addMessage(message);
  const platform = fakePlatform();
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake, { platform });
  await chooseAction(user, row("Two"), "Select");
  expect(document.activeElement).toBe(row("Two"));
  const bar = () => within(screen.getByRole("toolbar", { name: /selected$/ }));
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
  await user.click(row("Four"));
  act(() => row("Four").focus());
  expect(bar().getByText("2 messages selected")).toBeTruthy();
  act(() => row("One").focus());
  await user.keyboard("{Shift>}x{/Shift}");
  expect(bar().getByText("4 messages selected")).toBeTruthy();
  await user.click(screen.getAllByRole("checkbox", { name: /^Select message, You/ })[2] ?? expect.fail());
  expect(bar().getByText("3 messages selected")).toBeTruthy();
  await user.click(bar().getByRole("button", { name: "Copy" }));
  expect(platform.written).toEqual(["One\nTwo\nFour"]);
  await user.click(bar().getByRole("button", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete 3 messages?" }));
  await user.click(dialog.getByRole("button", { name: "Delete for Mara too" }));
  const [one, two, , four] = texts;
  expect(fake.argsOf("deleteMessage")).toEqual([[one?.key], [two?.key], [four?.key]]);
  expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();

  // With one of hers among them, only here.
  act(() => row("One").focus());
  await user.keyboard("x");
  await user.click(row("Theirs"));
  await user.click(bar().getByRole("button", { name: "Delete" }));
  expect(screen.queryByRole("button", { name: "Delete for Mara too" })).toBeNull();
  cancelDialog();
  act(() => row("One").focus());
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("checkbox")).toBeNull();

  // By the arrow keys alone; Space selects once something is.
  act(() => row("Three").focus());
  await user.keyboard(" ");
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.keyboard("{Shift>}{ArrowUp}{ArrowUp}{/Shift}");
  await told("3 messages selected");
  await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  await told("2 messages selected");
  await user.keyboard("{ArrowUp} ");
  await told("3 messages selected");
  await user.keyboard(" ");
  await told("2 messages selected");
});

test("shows a deleted text without actions on its words", async () => {
  const fake = withMara();
  fake.addMessage(fakeText(mara, mara, "", 1, { deleted: true }));
  const user = show(fake);
  act(() => row("Deleted message").focus());
  expect(screen.queryByRole("button", { name: "React" })).toBeNull();
  await user.tab();
  await user.keyboard("{Enter}");
  const items = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
  expect(items).toEqual(["SelectX", "Delete message"]);
});

test("joins in or takes back by pressing what is there", async () => {
  const fake = withMara();
  const text = fakeText(mara, mara, "Done", 1, {
    reactions: { [me]: { emoji: ["🎉"], at: 2 }, [mara]: { emoji: ["🎉", "👍"], at: 3 } },
  });
  expect(reactionsOf(text)).toHaveLength(2);
  fake.addMessage(text);
  const user = show(fake);
  const shown = within(screen.getByRole("list", { name: "Reactions" }));
  const own = shown.getByRole("button", { name: "🎉, by You and Mara Lindqvist" });
  expect(own.getAttribute("aria-pressed")).toBe("true");
  await user.click(own);
  await user.click(shown.getByRole("button", { name: "👍, by Mara Lindqvist" }));
  expect(fake.argsOf("react").map(([, emoji]) => emoji)).toEqual(["🎉", "👍"]);
});
