import { act, cleanup, screen, within } from "@testing-library/react";
import { reactionsOf } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import { cancelDialog } from "../testing/cancel-dialog.ts";
import { chooseAction } from "../testing/choose-action.ts";
import { clientIdOf, fakeFile, fakePeer, fakeText, me, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import ConversationPane from "./conversation-pane.tsx";

const mara = clientIdOf(1);

afterEach(() => {
  cancelDialog();
  cleanup();
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

test("shows a quote of what is here, and says that another is missing", async () => {
  const fake = withMara();
  const question = fakeText(me, mara, "Where shall we meet?", 1);
  fake.addMessage(question);
  fake.addMessage(fakeText(mara, mara, "On the quay", 2, { quote: question.key }));
  fake.addMessage(fakeText(mara, mara, "As I said", 3, { quote: `${mara}/never-sent` }));
  show(fake);
  const quote = within(row("On the quay")).getByRole("button", { name: /^In reply to/ });
  expect(quote.textContent).toContain("You");
  expect(quote.textContent).toContain("Where shall we meet?");
  expect(await screen.findByText("This message is not here")).toBeTruthy();
  expect(within(row("As I said")).queryByRole("button", { name: /^In reply to/ })).toBeNull();
});

test("answers and edits by key, and what was being written is back afterwards", async () => {
  const fake = withMara();
  const theirs = fakeText(mara, mara, "Coming?", 1);
  const mine = fakeText(me, mara, "At nine", 2, { deliveries: { [mara]: { status: "received" } } });
  fake.addMessage(theirs);
  fake.addMessage(mine);
  const user = show(fake);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  await user.type(field, "a draft");
  act(() => row("Coming?").focus());
  await user.keyboard("e");
  expect(screen.queryByText("Edit your message")).toBeNull();
  await user.keyboard("r");
  expect(screen.getByText("Reply to Mara Lindqvist")).toBeTruthy();
  act(() => row("At nine").focus());
  await user.keyboard("e");
  expect(screen.getByText("Edit your message")).toBeTruthy();
  expect(field.value).toBe("At nine");
  await user.clear(field);
  await user.type(field, "At ten{Control>}{Enter}{/Control}");
  expect(fake.argsOf("editText")).toEqual([[mine.key, "At ten"]]);
  expect(field.value).toBe("a draft");
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(fake.argsOf("sendText")).toEqual([[mara, "a draft"]]);
});

test("edits my last text by the upper arrow in an empty field, if it is the last that can be", async () => {
  const fake = withMara();
  fake.addMessage(fakeText(me, mara, "At nine", 1));
  fake.addMessage(fakeText(mara, mara, "Fine", 2));
  const user = show(fake);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  act(() => field.focus());
  await user.keyboard("{ArrowUp}");
  expect(field.value).toBe("At nine");
  await user.keyboard("{Escape}");
  expect(field.value).toBe("");
  act(() => fake.addMessage(fakeText(me, mara, "", 3, { deleted: true })));
  await user.keyboard("{ArrowUp}");
  expect(field.value).toBe("");
});

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

test("says who is writing, and tells the others as I write", async () => {
  const fake = withMara();
  const user = show(fake);
  act(() => fake.setTyping({ [mara]: [mara] }));
  expect(screen.getByText("Writing")).toBeTruthy();
  act(() => fake.setTyping({}));
  expect(screen.queryByText("Writing")).toBeNull();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "a");
  expect(fake.argsOf("noteTyping")).toEqual([[mara]]);
});
