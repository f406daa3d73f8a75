import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { TransferSnapshot, TransferState } from "@warren/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeText,
  fakeTransfer,
  me,
  roomWith,
  storedOf,
} from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { heard } from "../testing/heard.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { Platform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { ChatEffects } from "./chat-effects.ts";
import ConversationPane from "./conversation-pane.tsx";

const mara = clientIdOf(1);
const stranger = clientIdOf(2);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
});

afterEach(() => {
  heard();
  toast.dismiss();
  cleanup();
});

test("clipboard text appears as a toast that copies it completely", async () => {
  const platform = fakePlatform();
  const { user } = renderWithWarren(<ChatEffects />, fake, { platform });
  const text = `first line\n${"x".repeat(500)}`;
  act(() => fake.receiveClipboard(mara, text));
  expect(await screen.findByText("Mara sent clipboard text")).toBeTruthy();
  expect(screen.getByText(/^first line x+…$/).textContent).toHaveLength(161);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(platform.written).toEqual([text]);
});

test("clipboard text in the open conversation is there with its button, and said, but no toast", async () => {
  const platform = fakePlatform();
  fake.setChat({ open: mara, contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { proven: true }) } });
  const panes = (
    <>
      <ChatEffects />
      <ConversationPane conversationId={mara} />
    </>
  );
  const { user } = renderWithWarren(panes, fake, { platform });
  act(() => fake.addMessage(fakeText(mara, mara, "npm start", 1, { clipboard: true })));
  act(() => fake.receiveClipboard(mara, "npm start"));
  const log = within(screen.getByRole("log"));
  expect(log.getByText("Clipboard text")).toBeTruthy();
  expect(heard()).toEqual(["Mara Lindqvist: Clipboard: npm start"]);
  await user.click(log.getByRole("button", { name: "Copy" }));
  expect(platform.written).toEqual(["npm start"]);
  expect(screen.queryByText("Mara sent clipboard text")).toBeNull();
  await user.click(log.getByRole("button", { name: "Let Mara set my clipboard" }));
  expect(fake.argsOf("permit")).toEqual([[mara, { clipboardAllowed: true }]]);
});

test("a verified peer can be permitted to write the clipboard, and then does", async () => {
  const platform = fakePlatform();
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { proven: true }) } });
  const { user } = renderWithWarren(<ChatEffects />, fake, { platform });
  act(() => fake.receiveClipboard(mara, "first"));
  await user.click(await screen.findByRole("button", { name: "Let Mara set my clipboard" }));
  expect(fake.argsOf("permit")).toEqual([[mara, { clipboardAllowed: true }]]);
  act(() => fake.receiveClipboard(mara, "second", true));
  expect(await screen.findByText("Clipboard text from Mara copied")).toBeTruthy();
  expect(platform.written).toEqual(["first", "second"]);
});

test("a peer without a key is confirmed each time", async () => {
  renderWithWarren(<ChatEffects />, fake);
  act(() => fake.receiveClipboard(mara, "text"));
  await screen.findByRole("button", { name: "Copy" });
  expect(screen.queryByRole("button", { name: /set my clipboard/ })).toBeNull();
});

test("an unverified peer cannot be permitted while settings require a compared safety code", async () => {
  const contact = fakeContact(1, "Mara Lindqvist", { proven: true });
  fake.setOptions({ trust: "verified" });
  fake.setChat({ contacts: { [mara]: contact } });
  renderWithWarren(<ChatEffects />, fake);
  act(() => fake.receiveClipboard(mara, "before"));
  await screen.findByText("before");
  expect(screen.queryByRole("button", { name: /set my clipboard/ })).toBeNull();
  act(() => fake.setChat({ contacts: { [mara]: { ...contact, trustLevel: "verified" } } }));
  act(() => fake.receiveClipboard(mara, "after"));
  expect(await screen.findByRole("button", { name: "Let Mara set my clipboard" })).toBeTruthy();
});

test("several clipboard texts of one peer are one toast with the newest", async () => {
  renderWithWarren(<ChatEffects />, fake);
  await act(async () => {
    for (let i = 1; i <= 5; i++) fake.receiveClipboard(mara, `text ${i}`);
  });
  expect(await screen.findByText("text 5")).toBeTruthy();
  expect(screen.getAllByText("Mara sent clipboard text")).toHaveLength(1);
});

test("a permitted text that the browser rejects can be copied manually", async () => {
  const platform: Platform = {
    ...fakePlatform(),
    writeClipboard: async () => ({ status: "failed", reason: "no gesture" }),
  };
  const contact = fakeContact(1, "Mara Lindqvist", { proven: true, clipboardAllowed: true });
  fake.setChat({ contacts: { [mara]: contact } });
  renderWithWarren(<ChatEffects />, fake, { platform });
  act(() => fake.receiveClipboard(mara, "text", true));
  expect(await screen.findByRole("button", { name: "Copy" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /set my clipboard/ })).toBeNull();
});

test("messages of others are told with their sender, in the open conversation at length", () => {
  renderWithWarren(<ChatEffects />, fake);
  const text = `Hello\n${"x".repeat(500)}`;
  act(() => fake.addMessage(fakeText(mara, mara, text, 1)));
  expect(heard()).toEqual([expect.stringMatching(/^Mara Lindqvist: Hello x+…$/)]);
  act(() => fake.setChat({ open: mara }));
  act(() => fake.addMessage(fakeText(mara, mara, text, 2)));
  expect(heard()).toEqual([`Mara Lindqvist: ${text}`]);
  act(() => fake.addMessage(fakeText(me, mara, "Mine", 3)));
  expect(heard()).toEqual([]);
});

test("several messages of a moment are one sentence, and are counted if they are long", () => {
  renderWithWarren(<ChatEffects />, fake);
  act(() => fake.addMessage(fakeText(mara, mara, "One.", 1)));
  act(() => fake.addMessage(fakeText(mara, mara, "Two.", 2)));
  expect(heard()).toEqual(["Mara Lindqvist: One. Two."]);
  for (let i = 1; i <= 3; i++) act(() => fake.addMessage(fakeText(mara, mara, "y".repeat(150), 2 + i)));
  expect(heard()).toEqual(["3 messages from Mara Lindqvist"]);
});

test("offers and milestones of transfers are told", () => {
  renderWithWarren(<ChatEffects />, fake);
  const offer = fakeFile(mara, mara, { fileName: "a.pdf", fileSize: 100 }, { state: "offered" }, 1);
  act(() => fake.addMessage(offer));
  expect(heard()).toEqual(["Mara Lindqvist wants to send a.pdf, 100 B"]);
  act(() => fake.setTransfer(fakeTransfer(offer, mara)));
  expect(heard()).toEqual(["a.pdf started"]);
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { transferredBytes: 51 })));
  expect(heard()).toEqual(["a.pdf, 50%"]);
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { now: { state: "complete" } })));
  expect(heard()).toEqual(["a.pdf is complete"]);
});

test("a failure interrupts the screen reader", () => {
  renderWithWarren(<ChatEffects />, fake);
  const offer = fakeFile(mara, mara, { fileName: "a.pdf" }, { state: "running" }, 1);
  act(() => fake.setTransfer(fakeTransfer(offer, mara)));
  const error = { code: "channel-error", values: {} } as const;
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { now: { state: "failed", error } })));
  expect(heard()).toEqual(["a.pdf failed"]);
  expect(screen.getByRole("alert").textContent).toBe("a.pdf failed");
});

test("what others decide about a file is told, and what I decide is not", () => {
  const mine = fakeFile(me, mara, { fileName: "mine.pdf" }, { state: "offered" }, 1);
  const theirs = fakeFile(mara, mara, { fileName: "theirs.pdf" }, { state: "offered" }, 2);
  for (const offer of [mine, theirs]) fake.addMessage(offer);
  renderWithWarren(<ChatEffects />, fake);
  for (const offer of [mine, theirs])
    act(() => fake.changeMessage({ ...offer, offers: { [mara]: { state: "declined" } } }));
  expect(heard()).toEqual(["Mara declined mine.pdf"]);
});

test("a message that was not sent interrupts the screen reader, and several are counted", () => {
  const error = { code: "send-timeout", values: {} } as const;
  const texts = ["One", "Two", "Three"].map((text, at) => fakeText(me, mara, text, at));
  for (const text of texts) fake.addMessage(text);
  renderWithWarren(<ChatEffects />, fake);
  const fail = (text: (typeof texts)[number] | undefined): void => {
    if (text) act(() => fake.changeMessage({ ...text, deliveries: { [mara]: { status: "error", error } } }));
  };
  fail(texts[0]);
  expect(heard()).toEqual(["Not sent: One"]);
  fail(texts[1]);
  fail(texts[2]);
  expect(heard()).toEqual(["2 messages were not sent"]);
});

describe("twelve small files", () => {
  const names = Array.from({ length: 12 }, (_, i) => `photo-${i + 1}.jpg`);
  const complete: TransferState = { state: "complete" };

  /** Makes each step for every file, and counts what live regions add or change. */
  function sentencesOf(from: string, steps: readonly (Partial<TransferSnapshot> | null)[]): number {
    const offers = names.map((fileName, at) =>
      fakeFile(from, mara, { fileName, fileSize: 100 }, { state: "offered" }, at),
    );
    let count = 0;
    const isLive = (node: Node): boolean => {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest("[aria-live], [role=status], [role=alert], [role=log], output");
      return region != null && region.getAttribute("aria-live") !== "off";
    };
    const observer = new MutationObserver(() => {});
    const countSentences = (): void => {
      for (const { target, addedNodes, type } of observer.takeRecords())
        if (isLive(target)) count += type === "childList" ? addedNodes.length : 1;
    };
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    for (const offer of offers) act(() => fake.addMessage(offer));
    countSentences();
    for (const step of steps) {
      for (const offer of offers) {
        act(() => {
          if (step?.now) fake.changeMessage({ ...offer, offers: { [mara]: storedOf(step.now) } });
          fake.setTransfer(fakeTransfer(offer, mara, step ?? {}));
        });
        countSentences();
      }
    }
    act(() => void vi.advanceTimersByTime(1_000));
    countSentences();
    observer.disconnect();
    return count;
  }

  beforeEach(() => {
    vi.useFakeTimers();
    renderWithWarren(
      <>
        <ConversationPane conversationId={mara} />
        <ChatEffects />
      </>,
      fake,
    );
  });
  afterEach(() => void vi.useRealTimers());

  test("that arrive in one moment are one sentence", () => {
    const steps = [{}, { transferredBytes: 60 }, { transferredBytes: 100, now: complete }];
    expect(sentencesOf(mara, steps)).toBe(1);
    expect(screen.getByText("12 files received from Mara")).toBeTruthy();
  });

  test("that are offered are one sentence", () => {
    expect(sentencesOf(mara, [])).toBe(1);
    expect(screen.getByText("12 files from Mara Lindqvist are waiting for you, 1.2 kB")).toBeTruthy();
  });

  test("that fail are one sentence", () => {
    const failed: TransferState = { state: "failed", error: { code: "channel-error", values: {} } };
    expect(sentencesOf(mara, [{}, { now: failed }])).toBe(1);
    expect(screen.getByText("12 files failed")).toBeTruthy();
  });

  test("that are sent are one sentence", () => {
    expect(sentencesOf(me, [{}, { transferredBytes: 100, now: complete }])).toBe(1);
    expect(screen.getByText("12 files sent to Mara")).toBeTruthy();
  });
});

test("somebody who needs approval is shown with the reason, and let in by a press", async () => {
  fake.setChat({ contacts: { [mara]: { ...fakeContact(1, "Mara Lindqvist"), proven: true } } });
  const { user } = renderWithWarren(<ChatEffects />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Mara Lindqvist wants to join")).toBeTruthy();
  expect(screen.getByText(/^Ten wrong passwords in ten minutes/)).toBeTruthy();
  expect(fake.argsOf("letIn")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Let in" }));
  expect(fake.argsOf("letIn")).toEqual([[mara]]);
});

test("somebody who asked to join and has gone is no longer shown", async () => {
  renderWithWarren(<ChatEffects />, fake);
  act(() => fake.needApproval(stranger));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
  act(() => fake.endApproval(stranger));
  await waitFor(() => expect(screen.queryByText("Someone wants to join")).toBeNull());
});

test("an unknown person who asks to join is called someone, and so is a contact whose key is not proven", async () => {
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  renderWithWarren(<ChatEffects />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
  act(() => toast.dismiss());
  act(() => fake.needApproval(stranger));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
});
