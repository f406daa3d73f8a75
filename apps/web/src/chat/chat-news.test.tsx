import { act, cleanup, screen } from "@testing-library/react";
import type { ChatState, TransferState } from "@warren/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
import { fakeDevice, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { Device } from "../ui/device-context.tsx";
import { toast } from "../ui/toaster.tsx";
import { ChatNews, milestoneOf, newMessages } from "./chat-news.tsx";
import type { EarlyNews } from "./early-news.ts";

const mara = clientIdOf(1);
const stranger = clientIdOf(2);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
});

afterEach(() => {
  toast.dismiss();
  cleanup();
});

const polite = (): string | undefined => screen.getAllByRole("status")[0]?.textContent ?? undefined;

test("clipboard text appears as a toast that copies it completely", async () => {
  const device = fakeDevice();
  const { user } = renderWithWarren(<ChatNews />, fake, { device });
  const text = `first line\n${"x".repeat(500)}`;
  act(() => fake.receiveClipboard(mara, text));
  expect(await screen.findByText("Mara sent clipboard text")).toBeTruthy();
  expect(screen.getByText(/^first line x+…$/).textContent).toHaveLength(161);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(device.written).toEqual([text]);
});

test("a verified peer can be permitted to write the clipboard, and then does", async () => {
  const device = fakeDevice();
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { proven: true }) } });
  const { user } = renderWithWarren(<ChatNews />, fake, { device });
  act(() => fake.receiveClipboard(mara, "first"));
  await user.click(await screen.findByRole("button", { name: "Always allow Mara" }));
  expect(fake.argsOf("permit")).toEqual([[mara, { clipboardAllowed: true }]]);
  act(() => fake.receiveClipboard(mara, "second", true));
  expect(await screen.findByText("Clipboard text from Mara copied")).toBeTruthy();
  expect(device.written).toEqual(["first", "second"]);
});

test("a peer without a key is confirmed each time", async () => {
  renderWithWarren(<ChatNews />, fake);
  act(() => fake.receiveClipboard(mara, "text"));
  await screen.findByRole("button", { name: "Copy" });
  expect(screen.queryByRole("button", { name: /Always allow/ })).toBeNull();
});

test("an unverified peer cannot be permitted while settings require a compared safety code", async () => {
  const contact = fakeContact(1, "Mara Lindqvist", { proven: true });
  fake.setOptions({ trust: "verified" });
  fake.setChat({ contacts: { [mara]: contact } });
  renderWithWarren(<ChatNews />, fake);
  act(() => fake.receiveClipboard(mara, "before"));
  await screen.findByText("before");
  expect(screen.queryByRole("button", { name: /Always allow/ })).toBeNull();
  act(() => fake.setChat({ contacts: { [mara]: { ...contact, trustLevel: "verified" } } }));
  act(() => fake.receiveClipboard(mara, "after"));
  expect(await screen.findByRole("button", { name: "Always allow Mara" })).toBeTruthy();
});

test("several clipboard texts of one peer are one toast with the newest", async () => {
  renderWithWarren(<ChatNews />, fake);
  await act(async () => {
    for (let i = 1; i <= 5; i++) fake.receiveClipboard(mara, `text ${i}`);
  });
  expect(await screen.findByText("text 5")).toBeTruthy();
  expect(screen.getAllByText("Mara sent clipboard text")).toHaveLength(1);
});

test("a permitted text that the browser rejects can be copied manually", async () => {
  const device: Device = {
    ...fakeDevice(),
    writeClipboard: async () => ({ status: "failed", reason: "no gesture" }),
  };
  renderWithWarren(<ChatNews />, fake, { device });
  act(() => fake.receiveClipboard(mara, "text", true));
  expect(await screen.findByRole("button", { name: "Copy" })).toBeTruthy();
});

test("messages of other conversations are announced with their sender; visible ones by their log", () => {
  renderWithWarren(<ChatNews />, fake);
  act(() => fake.addMessage(fakeText(mara, mara, "Hello", 1)));
  expect(polite()).toBe("Mara Lindqvist: Hello");
  act(() => fake.setChat({ open: mara }));
  act(() => fake.addMessage(fakeText(mara, mara, "Again", 2)));
  act(() => fake.addMessage(fakeText(me, mara, "Mine", 3)));
  expect(polite()).toBe("Mara Lindqvist: Hello");
});

test("offers and milestones of transfers are announced", () => {
  renderWithWarren(<ChatNews />, fake);
  const offer = fakeFile(mara, mara, { fileName: "a.pdf", fileSize: 100 }, { status: "init" }, 1);
  act(() => fake.addMessage(offer));
  expect(polite()).toBe("Mara Lindqvist offers a.pdf, 100 B");
  act(() => fake.setTransfer(fakeTransfer(offer, mara)));
  expect(polite()).toBe("a.pdf started");
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { transferredBytes: 51 })));
  expect(polite()).toBe("a.pdf, 50%");
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { state: { status: "complete", verified: true } })));
  expect(polite()).toBe("a.pdf is complete");
});

test("a failure interrupts the screen reader", () => {
  renderWithWarren(<ChatNews />, fake);
  const offer = fakeFile(mara, mara, { fileName: "a.pdf" }, { status: "transferring" }, 1);
  act(() => fake.setTransfer(fakeTransfer(offer, mara)));
  const error = { code: "channel-error", values: {} } as const;
  act(() => fake.setTransfer(fakeTransfer(offer, mara, { state: { status: "error", error } })));
  expect(screen.getByRole("alert").textContent).toBe("a.pdf failed");
});

test("a newcomer that needs approval is shown with the reason, and let in by a press", async () => {
  fake.setChat({ contacts: { [mara]: { ...fakeContact(1, "Mara Lindqvist"), proven: true } } });
  const { user } = renderWithWarren(<ChatNews />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Mara Lindqvist wants to join")).toBeTruthy();
  expect(screen.getByText(/^Ten wrong passwords in ten minutes/)).toBeTruthy();
  expect(fake.argsOf("letIn")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Let in" }));
  expect(fake.argsOf("letIn")).toEqual([[mara]]);
});

test("an unknown newcomer is called someone, and so is a contact whose key is not proven", async () => {
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  renderWithWarren(<ChatNews />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
  act(() => toast.dismiss());
  act(() => fake.needApproval(stranger));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
});

test("news from before this code was loaded are reported once, and the history is not", async () => {
  fake.addMessage(fakeText(mara, mara, "Before", 1));
  const { chat, transfers } = fake.warren;
  const early: EarlyNews = {
    chat: chat.store.getState(),
    transfers: transfers.store.getState(),
    clipboard: [[mara, "early text", false]],
    newcomers: [stranger],
  };
  fake.addMessage(fakeText(mara, mara, "Meanwhile", 2));
  renderWithWarren(<ChatNews early={early} />, fake);
  expect(await screen.findByText("early text")).toBeTruthy();
  expect(screen.getByText("Someone wants to join")).toBeTruthy();
  expect(polite()).toBe("Mara Lindqvist: Meanwhile");
  expect(early).toMatchObject({ clipboard: [], newcomers: [] });
});

const [first, second, third] = [1, 2, 3].map((at) => fakeText(mara, mara, `text ${at}`, at));
const stateWith = (...messages: readonly (typeof first)[]): ChatState => ({
  loaded: true,
  contacts: {},
  conversations: { [mara]: { messages: messages.filter((message) => message !== undefined), unread: 0 } },
  storageUsage: {},
  clipboards: {},
  open: null,
  loadError: null,
  unsaved: 0,
});

describe("new messages", () => {
  test("are those appended", () => {
    expect(newMessages(stateWith(first), stateWith(first, second, third))).toEqual([second, third]);
  });

  test("include the first of a conversation", () => {
    expect(newMessages({ ...stateWith(), conversations: {} }, stateWith(first))).toEqual([first]);
  });

  test("are none if one is removed or changed", () => {
    expect(newMessages(stateWith(first, second), stateWith(first))).toEqual([]);
    expect(newMessages(stateWith(first, second), stateWith(second))).toEqual([]);
  });

  test("are none if history is loaded from storage", () => {
    expect(newMessages({ ...stateWith(), loaded: false, conversations: {} }, stateWith(first))).toEqual([]);
  });
});

describe("a milestone of a transfer", () => {
  const file = fakeFile(mara, mara, { fileSize: 100 }, { status: "init" }, 1);
  const at = (transferredBytes: number, state: TransferState = { status: "transferring" }) =>
    fakeTransfer(file, mara, { transferredBytes, state });
  const failed = (code: "channel-error" | "transfer-declined"): TransferState => ({
    status: "error",
    error: { code, values: {} },
  });

  test.each([
    ["its start", undefined, at(0), { kind: "started" }],
    ["nothing between two quarters", at(26), at(49), null],
    ["a quarter", at(24), at(25), { kind: "progress", fraction: 0.25 }],
    ["the last of several quarters passed at once", at(10), at(80), { kind: "progress", fraction: 0.75 }],
    ["its end", at(99), at(100, { status: "complete", verified: true }), { kind: "complete" }],
    ["a failure", at(50), at(50, failed("channel-error")), { kind: "failed" }],
    ["no failure where someone decided", at(50), at(50, failed("transfer-declined")), null],
    ["nothing when it resumes", at(50, { status: "paused", by: "me" }), at(50), null],
    ["nothing when it is paused", at(50), at(50, { status: "paused", by: "me" }), null],
  ])("is %s", (_name, before, now, milestone) => {
    expect(milestoneOf(before, now)).toEqual(milestone);
  });
});
