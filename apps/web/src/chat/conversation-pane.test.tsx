import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { everyone, starterId } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { chooseAction } from "../testing/choose-action.ts";
import { countWrites } from "../testing/count-writes.ts";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeText,
  fakeTransfer,
  me,
  roomWith,
} from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { heard } from "../testing/heard.ts";
import { pngHeader } from "../testing/png-header.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { toast } from "../wiring/toast.ts";
import ConversationPane from "./conversation-pane.tsx";

const mara = clientIdOf(1);
const noor = clientIdOf(2);
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(() => {
  toast.dismiss();
  cleanup();
});

function withMara(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  return fake;
}

describe("a conversation", () => {
  test("shows messages with their sender and time, and counts as open", () => {
    const fake = withMara();
    fake.addMessage(fakeText(mara, mara, "Rushes are copied", noon));
    const { unmount } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const row = screen.getByRole("article", { name: "Mara Lindqvist, 12:00" });
    expect(within(row).getByText("Rushes are copied")).toBeTruthy();
    expect(screen.getByText(/· 1 new$/)).toBeTruthy();
    expect(fake.argsOf("open").at(-1)).toEqual([mara]);
    unmount();
    expect(fake.argsOf("open").at(-1)).toEqual([null]);
  });

  test("says beside Back what is unread elsewhere, where a phone shows nothing else", () => {
    const fake = withMara();
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.getByRole("link", { name: "Back" })).toBeTruthy();
    const messages = [fakeText(noor, everyone, "Where are you?", noon)];
    act(() => fake.setChat({ conversations: { [everyone]: { messages, unread: 2 } } }));
    expect(screen.getByRole("link", { name: "Back 2 unread messages" })).toBeTruthy();
  });

  test("does not re-render its composer as a file in it moves", () => {
    const fake = withMara();
    const message = fakeFile(mara, mara, {}, { state: "running" }, noon);
    fake.addMessage(message);
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const { parentElement: composer } = screen.getByRole("textbox", { name: "Message" });
    if (composer === null) throw new Error("the field stands alone");
    const writes = countWrites(composer);
    act(() => fake.changeMessage({ ...message, offers: { [mara]: { state: "pausedHere" } } }));
    expect(screen.getByRole("button", { name: /^Resume: / })).toBeTruthy();
    expect(writes()).toBe(0);
  });

  test("keeps the open menu of its composer when the last other leaves the room", async () => {
    const fake = withMara();
    renderWithWarren(<ConversationPane conversationId={everyone} />, fake);
    const attach = screen.getByRole("button", { name: /^Send files/ });
    fireEvent.pointerDown(attach, { button: 0, ctrlKey: false });
    await screen.findByRole("menuitem", { name: "Files" });
    act(() => fake.setRoom(roomWith([])));
    const item = screen.getByRole("menuitem", { name: "Files" });
    fireEvent.keyDown(item, { key: "Escape" });
    expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();
  });

  test("tells how many of my messages wait although the other person is there", () => {
    const fake = withMara();
    fake.addMessage(fakeText(mara, me, "One of many", noon));
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.queryByText(/waiting to be sent/)).toBeNull();
    act(() => fake.setHeldUp(mara, 89));
    const line = "89 messages are waiting to be sent, one after another.";
    expect(screen.getByText(line)).toBeTruthy();
    expect(heard()).toEqual([line]);
    act(() => fake.setHeldUp(mara, 1));
    expect(screen.getByText("1 message is waiting to be sent.")).toBeTruthy();
    expect(heard()).toEqual([]);
    act(() => fake.setHeldUp(mara, 0));
    expect(screen.queryByText("1 message is waiting to be sent.")).toBeNull();
  });

  test("renders a hostile text as text", () => {
    const fake = withMara();
    fake.addMessage(fakeText(mara, mara, '<img src=x onerror="alert(1)"> javascript:alert(1)', noon));
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const log = screen.getByRole("log");
    expect(log.querySelector("img, script, a")).toBeNull();
    expect(log.textContent).toContain('<img src=x onerror="alert(1)">');
  });

  test("opens links in another context, without a referrer", () => {
    const fake = withMara();
    fake.addMessage(fakeText(mara, mara, "see https://example.org/a.", noon));
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const link = screen.getByRole("link", { name: "https://example.org/a" });
    expect(link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link.getAttribute("target")).toBe("_blank");
  });

  test("shows the delivery of my messages, and resends failed ones", async () => {
    const fake = withMara();
    const error = { code: "send-timeout", values: {} } as const;
    const message = fakeText(me, mara, "Morning", noon, {
      deliveries: { [mara]: { status: "error", error } },
    });
    fake.addMessage(message);
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await user.click(screen.getByRole("button", { name: "Retry", description: /No answer within 5 s/ }));
    expect(fake.argsOf("retry")).toEqual([[message.key]]);
    act(() => fake.changeMessage({ ...message, deliveries: { [mara]: { status: "sending" } } }));
    expect(screen.getByText("Sending")).toBeTruthy();
    act(() => fake.changeMessage({ ...message, deliveries: { [mara]: { status: "received" } } }));
    expect(screen.getByText("Received")).toBeTruthy();
  });

  test("with everyone names the senders, and shows who received my message", async () => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
    fake.addMessage(fakeText(noor, "everyone", "The call sheet is up", noon));
    const deliveries = { [mara]: { status: "received" }, [noor]: { status: "sending" } } as const;
    fake.addMessage(fakeText(me, "everyone", "Thank you", noon, { deliveries }));
    const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
    expect(screen.getByText("Noor Haddad")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /received by 1 of 2/ }));
    const list = await screen.findByRole("dialog", { name: "Who received it" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["Mara LindqvistReceived", "Noor HaddadSending"]);
  });

  test("with everyone says what was not signed, was sent in two versions, or has not arrived", () => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
    for (const [text, doubt] of [
      ["Signed", undefined],
      ["From plain http", "unsigned"],
      ["One of two", "forked"],
    ] as const)
      fake.addMessage({ ...fakeText(noor, "everyone", text, noon), doubt });
    renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
    const marked = (mark: string) => screen.getByText(mark).closest("article")?.textContent;
    expect(marked("Not signed")).toContain("From plain http");
    expect(marked("Sent in two versions")).toContain("One of two");
    act(() => fake.setMissing({ [noor]: 2 }));
    expect(screen.getByText("2 messages from Noor Haddad have not arrived yet.")).toBeTruthy();
    act(() => fake.setMissing({}));
    expect(screen.queryByText(/have not arrived yet/)).toBeNull();
  });

  test("copies and deletes the focused message", async () => {
    const fake = withMara();
    const platform = fakePlatform();
    const message = fakeText(mara, mara, "Rushes", noon);
    fake.addMessage(message);
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake, { platform });
    await chooseAction(user, screen.getByRole("article"), "Copy text");
    expect(platform.written).toEqual(["Rushes"]);
    await chooseAction(user, screen.getByRole("article"), "Delete message");
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(fake.argsOf("remove")).toEqual([[message.key]]));
  });

  test("moves between messages with the arrow keys", async () => {
    const fake = withMara();
    for (const text of ["one", "two", "three"]) fake.addMessage(fakeText(mara, mara, text, noon));
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const rows = screen.getAllByRole("article");
    expect(rows.map((row) => row.tabIndex)).toEqual([-1, -1, 0]);
    act(() => rows[2]?.focus());
    await user.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(rows[1]);
    expect(rows.map((row) => row.tabIndex)).toEqual([-1, 0, -1]);
    await user.keyboard("{Home}");
    expect(document.activeElement).toBe(rows[0]);
  });

  test("renders up to 150 messages completely, so that the browser's own search finds everything", () => {
    const fake = withMara();
    const messages = Array.from({ length: 150 }, (_, i) => fakeText(mara, mara, `text ${i}`, noon + i));
    fake.setChat({ conversations: { [mara]: { messages, unread: 0 } } });
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.getAllByRole("article")).toHaveLength(150);
  });

  test("of 50,000 messages renders those at the end, each with its number, and few more", () => {
    const fake = withMara();
    const messages = Array.from({ length: 50_000 }, (_, i) => fakeText(mara, mara, `text ${i}`, noon + i));
    fake.setChat({ conversations: { [mara]: { messages, unread: 0 } } });
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const rows = screen.getAllByRole("article");
    expect(rows.length).toBeLessThan(60);
    expect(rows.at(-1)?.textContent).toContain("text 49999");
    expect(rows.at(-1)?.getAttribute("aria-posinset")).toBe("50000");
    act(() => fake.addMessage(fakeText(mara, mara, "one more", noon + 50_000)));
    expect(screen.getByText("one more")).toBeTruthy();
    expect(screen.getAllByRole("article").length).toBeLessThan(60);
  });

  test("of thousands of messages scrolls to its beginning by key, and focuses a rendered message", async () => {
    const fake = withMara();
    const messages = Array.from({ length: 5_000 }, (_, i) => fakeText(mara, mara, `text ${i}`, noon + i));
    fake.setChat({ conversations: { [mara]: { messages, unread: 0 } } });
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    act(() => screen.getAllByRole("article").at(-1)?.focus());
    await user.keyboard("{Home}");
    await waitFor(() => expect(document.activeElement?.textContent).toContain("text 0"));
  });

  test("counts messages that arrive below while the reader is elsewhere", () => {
    const fake = withMara();
    fake.addMessage(fakeText(mara, mara, "first", noon));
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    const log = screen.getByRole("log");
    Object.defineProperties(log, { scrollHeight: { value: 9_000 }, clientHeight: { value: 700 } });
    log.scrollTop = 300;
    fireEvent.scroll(log);
    expect(screen.getByRole("button", { name: "Jump to the latest message" })).toBeTruthy();
    act(() => fake.addMessage(fakeText(mara, mara, "second", noon + 1)));
    fireEvent.click(screen.getByRole("button", { name: "1 new message below" }));
    expect(screen.queryByRole("button", { name: /below|latest/ })).toBeNull();
  });

  test("with an unknown person says so, once it knows who is here", () => {
    const fake = fakeWarren();
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false });
    renderWithWarren(<ConversationPane conversationId={noor} />, fake);
    expect(screen.getByRole("heading", { name: /^Joining / })).toBeTruthy();
    act(() => fake.setRoom({ status: "disconnected", error: null }));
    expect(screen.getByRole("heading", { name: /^Room .+, not joined$/ })).toBeTruthy();
    act(() => fake.setRoom(roomWith([])));
    expect(screen.getByText("This person is not here.")).toBeTruthy();
  });
});

describe("the peer of a conversation", () => {
  test("is shown with its connection", async () => {
    const fake = fakeWarren();
    const route = { kind: "relayed", relayHost: "turn.example.org" } as const;
    fake.setRoom(roomWith([fakePeer(1, "Mara", { route })]));
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.getByText("Online, over a relay")).toBeTruthy();
    act(() =>
      fake.setRoom(roomWith([fakePeer(1, "Mara", { session: "reconnecting", ready: false, attempt: 3 })])),
    );
    expect(await screen.findByText("The connection to Mara dropped. Trying again.")).toBeTruthy();
  });

  test("is reconnected on demand, with the reason of the failure", async () => {
    const fake = fakeWarren();
    const error = { code: "connect-timeout", values: {} } as const;
    fake.setRoom(roomWith([fakePeer(1, "Mara", { session: "disconnected", ready: false, error })]));
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.getByText(/No connection within 10 s/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Connect" }));
    expect(fake.argsOf("retryConnection")).toEqual([[mara]]);
  });

  test("is approved manually if that is the reason", async () => {
    const fake = fakeWarren();
    const error = { code: "approval-needed", values: {} } as const;
    fake.setRoom(roomWith([fakePeer(1, "Mara", { session: "disconnected", ready: false, error })]));
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await user.click(screen.getByRole("button", { name: "Let in" }));
    expect(fake.argsOf("letIn")).toEqual([[mara]]);
    expect(fake.argsOf("retryConnection")).toEqual([]);
  });

  test("has a shield once the safety code was compared, and is blocked if it differs", () => {
    const fake = withMara();
    const contact = fakeContact(1, "Mara", { proven: true });
    fake.setChat({ contacts: { [mara]: { ...contact, trustLevel: "verified" } } });
    renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    expect(screen.getByText("Verified")).toBeTruthy();
    act(() => fake.setChat({ contacts: { [mara]: { ...contact, trustLevel: "blocked" } } }));
    expect(screen.queryByText("Verified")).toBeNull();
    expect(screen.getAllByRole("alert").map((alert) => alert.textContent)).toContain(
      "The safety codes differ. The connection was closed.",
    );
  });

  test("is deleted after confirmation", async () => {
    const fake = fakeWarren();
    fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete conversation" }));
    await screen.findByRole("dialog", { name: "Delete the conversation with Mara Lindqvist?" });
    expect(fake.argsOf("deleteContact")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(fake.argsOf("deleteContact")).toEqual([[mara]]));
  });
});

describe("a file in a conversation", () => {
  test("is accepted from its card, and then moves without re-rendering the rest", async () => {
    const fake = withMara();
    const offer = fakeFile(mara, mara, { fileSize: 10_000_000 }, { state: "offered" }, noon);
    fake.addMessage(fakeText(mara, mara, "Here it is", noon));
    fake.addMessage(offer);
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await user.click(await screen.findByRole("button", { name: /^Save/ }));
    expect(fake.argsOf("acceptFile")).toEqual([[offer.key]]);
    act(() => fake.changeMessage({ ...offer, offers: { [mara]: { state: "accepted" } } }));
    act(() => fake.setTransfer(fakeTransfer(offer, mara, { transferredBytes: 4_500_000 })));
    expect(screen.getByRole("progressbar").getAttribute("aria-valuetext")).toBe("45%, 4.5 of 10.0 MB");
    await user.click(screen.getByRole("button", { name: "Pause: call_sheet_day_3.pdf" }));
    expect(fake.argsOf("pauseFile")).toEqual([[offer.key]]);
  });

  test("shows a toast with the reason if it was not accepted", async () => {
    const fake = withMara();
    fake.fail("acceptFile", new WarrenError("storage-failed", { reason: "x" }));
    fake.addMessage(fakeFile(mara, mara, {}, { state: "offered" }, noon));
    const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await user.click(screen.getByRole("button", { name: /^Save/ }));
    expect(await screen.findByText(/This browser could not save data/)).toBeTruthy();
  });

  test("is shown as a picture if its bytes are one, and as a card if its name is wrong or it has too many pixels", async () => {
    const fake = withMara();
    const still = new File([pngHeader()], "still.jpg", { type: "image/jpeg" });
    const huge = new File([pngHeader(60_000, 60_000)], "huge.png", { type: "image/png" });
    const svg = new File(['<svg onload="alert(1)"/>'], "lie.png", { type: "image/png" });
    const complete = { state: "complete" } as const;
    for (const [fid, file] of [
      ["picture-1", still],
      ["picture-3", huge],
      ["picture-2", svg],
    ] as const) {
      fake.keepFile(fid, file);
      fake.addMessage(
        fakeFile(mara, mara, { fid, fileName: file.name, mimeType: file.type }, complete, noon),
      );
    }
    const { unmount } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
    await waitFor(() => expect(screen.getByRole("log").querySelectorAll("img")).toHaveLength(1));
    expect(screen.getByRole("button", { name: /^Preview: still.jpg/ })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Save: lie.png" })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Save: huge.png" })).toBeTruthy();
    unmount();
  });
});

describe("writing in a conversation", () => {
  const show = (fake: FakeWarren) => renderWithWarren(<ConversationPane conversationId={mara} />, fake).user;
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

  test("says who is writing, and tells the others as I write", async () => {
    const fake = withMara();
    const user = show(fake);
    act(() => fake.setTyping({ [mara]: [mara] }));
    expect(screen.getByText("Writing")).toBeTruthy();
    act(() => fake.setTyping({}));
    expect(screen.queryByText("Writing")).toBeNull();
    await user.type(screen.getByRole("textbox", { name: "Message" }), "a");
    expect(fake.argsOf("sendTyping")).toEqual([[mara]]);
  });
});

test("the welcome says why writing is impossible, and can be deleted", async () => {
  const fake = fakeWarren();
  fake.setChat({ contacts: { [starterId]: { ...fakeContact(9, "Warren"), clientId: starterId } } });
  fake.addMessage(fakeText(starterId, starterId, "Welcome.", noon));
  const { user } = renderWithWarren(<ConversationPane conversationId={starterId} />, fake);
  expect(screen.getByText("Getting started")).toBeTruthy();
  expect(screen.getByText(/Nobody reads replies/)).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "More" }));
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["Delete conversation"]);
  await user.click(screen.getByRole("menuitem", { name: "Delete conversation" }));
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  expect(fake.argsOf("deleteContact")).toEqual([[starterId]]);
});
