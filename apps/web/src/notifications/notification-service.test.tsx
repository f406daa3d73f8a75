import { everyone, systemClock, type Warren } from "@warren/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeNotifier } from "../testing/fake-notifier.ts";
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
import { NotificationService } from "./notification-service.ts";

const mara = clientIdOf(1);
const stranger = clientIdOf(2);
const roomTag = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";

let fake: FakeWarren;
let notifier: ReturnType<typeof fakeNotifier>;
let played: string[];
let opened: string[];
let kept: string[];
let missed: string[];
let sight: "hidden" | "visible";
let service: NotificationService;
let said = 0;

beforeEach(() => {
  vi.useFakeTimers();
  fake = fakeWarren();
  notifier = fakeNotifier("granted");
  [played, opened, kept, missed] = [[], [], [], []];
  sight = "hidden";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => sight);
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Ann")]));
  fake.setRooms([{ id: "harbour", tag: roomTag, password: null, firstVisit: 0, lastVisit: 0, muted: false }]);
  fake.setChat({
    contacts: {
      [mara]: fakeContact(1, "Mara Lindqvist"),
      [stranger]: fakeContact(2, "Ann", { accepted: false }),
    },
  });
  fake.setOptions({ notifications: true });
  follow(fake.warren);
});

afterEach(() => {
  service.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function follow(warren: Warren): void {
  service = new NotificationService({
    ...{ warren, notifier, clock: systemClock },
    play: (sound) => played.push(sound),
    nameOf: (id) => warren.chat.store.getState().contacts[id]?.name ?? "Someone",
    nameOfRoom: ({ id }) => id,
    open: (path) => opened.push(path),
    withErrorToast: async (action) => {
      try {
        await action();
        return true;
      } catch {
        return false;
      }
    },
    keepReply: (conversation, text) => kept.push(`${conversation}: ${text}`),
    onMissed: (from) => missed.push(from),
  });
}

const pass = (ms = 600) => vi.advanceTimersByTimeAsync(ms);
const bodies = () => [...notifier.shown.values()].map(({ title, body }) => `${title}: ${body}`);
function show(): void {
  sight = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
}
const says = (text: string, conversation: string = mara, from = mara) =>
  fake.addMessage(fakeText(from, conversation, text, ++said));

it("tells of a message, replaces it by the next, and has one for each conversation", async () => {
  says("first");
  says("second");
  await pass();
  expect(bodies()).toEqual(["Mara Lindqvist: second"]);
  says("third");
  says("for all", everyone);
  await pass();
  expect(bodies()).toEqual(["Mara Lindqvist: third", "Mara Lindqvist · harbour: for all"]);
  expect(notifier.notes.map(({ isNew }) => isNew)).toEqual([true, false, true]);
  await pass(5_000);
  says("fourth");
  await pass();
  expect(notifier.notes.at(-1)?.isNew).toBe(true);
});

it("tells nothing of my own messages, of strangers, of the blocked, and of what was muted", async () => {
  fake.setOptions({ notifications: true, sounds: true });
  says("mine", mara, me);
  says("hello", stranger, stranger);
  says("hello all", everyone, stranger);
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara", { muted: true }) } });
  says("psst");
  says("psst all", everyone);
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara", { trustLevel: "blocked" }) } });
  says("let me in");
  await pass();
  fake.addMessage(fakeFile(stranger, stranger, { fileName: "plan.pdf" }, { state: "offered" }, ++said));
  await pass();
  expect([notifier.notes, played]).toEqual([[], []]);
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara") } });
  fake.setRooms([{ id: "harbour", tag: roomTag, password: null, firstVisit: 0, lastVisit: 0, muted: true }]);
  says("to a muted room", everyone);
  says("to me");
  await pass();
  expect(bodies()).toEqual(["Mara: to me"]);
});

it("tells nothing while the page is seen, and takes back what was read", async () => {
  says("first");
  says("for all", everyone);
  await pass();
  show();
  expect(notifier.shown.size).toBe(2);
  fake.warren.chat.open(mara);
  expect(bodies()).toEqual(["Mara Lindqvist · harbour: for all"]);
  says("seen");
  await pass();
  expect(notifier.notes).toHaveLength(2);
});

it("names neither the person nor the text if it is not to, and offers no Accept then", async () => {
  fake.setOptions({ notificationContent: false });
  says("secret");
  await pass();
  fake.addMessage(fakeFile(mara, everyone, { fileName: "secret.pdf" }, { state: "offered" }, ++said));
  await pass();
  expect(bodies()).toEqual(["Warren: New message", "Warren: New file"]);
  expect(JSON.stringify(notifier.notes)).not.toMatch(/secret|Mara/);
  expect(notifier.notes.map(({ buttons }) => buttons.map(({ action }) => action))).toEqual([["reply"], []]);
});

it("shows nothing without the option or the browser's permission, and says once seen that something was missed", async () => {
  fake.setOptions({ notifications: false });
  says("first");
  await pass();
  expect([notifier.notes, missed]).toEqual([[], []]);
  show();
  expect(missed).toEqual([mara]);
  sight = "hidden";
  fake.setOptions({ notifications: true });
  notifier.setAccess("denied");
  says("second");
  await pass();
  expect(notifier.notes).toEqual([]);
});

it("sends a written reply, marks the conversation as read, and keeps a reply that cannot be sent", async () => {
  says("question");
  await pass();
  expect(notifier.press({ tag: mara, action: "reply", reply: "answer" })).toBe(false);
  await pass();
  expect(fake.argsOf("sendText")).toEqual([[mara, "answer"]]);
  expect(fake.warren.chat.store.getState().conversations[mara]?.unread).toBe(0);
  expect(fake.warren.chat.store.getState().open).toBeNull();
  fake.fail("sendText", new Error("nobody is there"));
  says("to all", everyone);
  await pass();
  notifier.press({ tag: roomTag, action: "reply", reply: "to nobody" });
  await pass();
  expect(kept).toEqual(["everyone: to nobody"]);
});

it("comes to the front with the conversation for a press on the notification, and for Reply without a text", async () => {
  for (const [action, reply] of [
    ["", null],
    ["reply", null],
  ] as const) {
    says("question", everyone);
    await pass();
    expect(notifier.press({ tag: roomTag, action, reply })).toBe(true);
  }
  expect(opened).toEqual(["/client/everyone/chat", "/client/everyone/chat"]);
});

it("accepts an offer, and tells of none that was accepted unasked", async () => {
  const offer = fakeFile(mara, mara, { fileName: "harbour.zip" }, { state: "offered" }, ++said);
  fake.addMessage(offer);
  await pass();
  expect(bodies()[0]).toMatch(/^Mara Lindqvist: Wants to send harbour\.zip \(/);
  expect(notifier.press({ tag: mara, action: "accept", reply: null })).toBe(false);
  expect(fake.argsOf("acceptFile")).toEqual([[offer.key]]);
  const unasked = fakeFile(mara, mara, { fileName: "other.zip" }, { state: "offered" }, ++said);
  fake.addMessage(unasked);
  fake.changeMessage({ ...unasked, offers: { [mara]: { state: "accepted" } } });
  await pass();
  expect(notifier.notes).toHaveLength(1);
});

it("tells of transfers that finished or failed in the conversation they belong to, many in one sentence", async () => {
  const [first, second, third] = [1, 2, 3].map((number) => {
    const file = fakeFile(mara, everyone, { fileName: `${number}.bin` }, { state: "running" }, ++said);
    fake.addMessage(file);
    const transfer = fakeTransfer(file, mara);
    fake.setTransfer(transfer);
    return transfer;
  });
  if (!first || !second || !third) throw new Error("no transfers");
  await pass();
  fake.setTransfer({ ...first, now: { state: "complete" } });
  await pass();
  fake.setTransfer({ ...second, now: { state: "complete" } });
  fake.setTransfer({ ...third, now: { state: "complete" } });
  await pass();
  const error = { code: "transfer-stalled", values: {} } as const;
  fake.setTransfer({ ...first, now: { state: "failed", error } });
  await pass();
  expect(notifier.notes.map(({ title, body }) => `${title}: ${body}`)).toEqual([
    "Mara Lindqvist · harbour: 1.bin has arrived",
    "Mara Lindqvist · harbour: 2 files have arrived",
    "Mara Lindqvist · harbour: 1.bin failed",
  ]);
});

it("tells of a call, takes it back when it is over, and declines from the notification", async () => {
  const { ringing } = fake.warren.call;
  const head = { client: mara, target: me, createdAt: 0 };
  const ring = { ...head, type: "ring", id: clientIdOf(90), video: true } as const;
  ringing.receive(mara, ring);
  await pass();
  expect(bodies()).toEqual(["Mara Lindqvist: Mara is calling with video"]);
  expect(notifier.notes.at(-1)?.lasts).toBe(true);
  ringing.receive(mara, { ...head, type: "ring-end", id: ring.id });
  expect(notifier.shown.size).toBe(0);
  await pass();
  expect(bodies()).toEqual(["Mara Lindqvist: You missed a call from Mara"]);
  ringing.receive(mara, { ...ring, id: clientIdOf(91) });
  await pass();
  notifier.press({ tag: mara, action: "decline", reply: null });
  expect(ringing.store.getState().incoming).toEqual([]);
});

it("tells of somebody who asks to join, who may be let in from there, until that is over", async () => {
  fake.needApproval(stranger);
  await pass();
  expect(bodies()).toEqual(["harbour: Someone wants to join"]);
  fake.endApproval(stranger);
  expect(notifier.shown.size).toBe(0);
  fake.needApproval(stranger);
  await pass();
  expect(notifier.press({ tag: "join-request", action: "let-in", reply: null })).toBe(false);
  expect(fake.argsOf("letIn")).toEqual([[stranger]]);
});

it("plays a sound at most every five seconds, also where another conversation is open, and none by default", async () => {
  says("silent");
  await pass();
  expect(played).toEqual([]);
  await pass(5_000);
  fake.setOptions({ sounds: true, notifications: false });
  sight = "visible";
  says("first", everyone);
  await pass();
  says("second", everyone);
  await pass();
  expect(played).toEqual(["message"]);
  await pass(5_000);
  says("third", everyone);
  await pass();
  expect(played).toEqual(["message", "message"]);
  expect(notifier.notes).toHaveLength(1);
});

it("leaves nothing behind when the page goes", async () => {
  says("first");
  await pass();
  dispatchEvent(new Event("pagehide"));
  expect(notifier.shown.size).toBe(0);
});
