import { type Delivery, everyone, type Offer, type Peer, type TextMessage } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakePeer, fakeText, me } from "../../testing/fake-records.ts";
import { type ReceiptFacts, receiptView } from "./receipt-view.ts";

const [mara, noor, jun] = [clientIdOf(1), clientIdOf(2), clientIdOf(3)];
const noon = new Date(2026, 10, 19, 12, 0).getTime();
const sending = { status: "sending" } as const;
const received = { status: "received" } as const;
const error = { code: "channel-error", values: {} } as const;

const peers = (...all: readonly Peer[]) => Object.fromEntries(all.map((peer) => [peer.clientId, peer]));
const maraHere = peers(fakePeer(1, "Mara"));
const maraAway = peers(fakePeer(1, "Mara", { ready: false }));
const maraNewer = peers(fakePeer(1, "Mara", { profile: { name: "Mara", avatar: null, changes: true } }));
const junAway = { [jun]: { metAt: noon - 1, lastSeen: noon } };

const viewOf = (message: TextMessage, facts: Partial<ReceiptFacts> = {}) =>
  receiptView(message, { peers: maraHere, members: {}, ownFloor: 0, group: [message], ...facts });
const toMara = (delivery: Delivery, change: Partial<TextMessage> = {}) =>
  fakeText(me, mara, "At ten", noon, { deliveries: { [mara]: delivery }, ...change });
const toAll = (deliveries: TextMessage["deliveries"], change: Partial<TextMessage> = {}) =>
  fakeText(me, everyone, "At ten", noon, { deliveries, entry: 5, ...change });

describe("the receipt of a text to one person", () => {
  const edited = toMara(received, { unsentChanges: { [mara]: ["edit"] } });

  test.each([
    ["received", toMara(received), maraHere],
    ["sending", toMara(sending), maraHere],
    ["waits", toMara(sending), maraAway],
    ["sending", edited, maraNewer],
    ["shows-no-changes", edited, maraHere],
    ["waits", edited, maraAway],
  ] as const)("is %s", (receipt, message, here) => {
    expect(viewOf(message, { peers: here })).toEqual({ kind: "only-recipient", clientId: mara, receipt });
  });

  test("is the error of a failed one", () => {
    expect(viewOf(toMara({ status: "error", error }))).toEqual({ kind: "not-sent", error });
  });

  test("is not about reactions", () => {
    const reacted = toMara(received, { unsentChanges: { [mara]: ["react"] } });
    expect(viewOf(reacted)).toMatchObject({ receipt: "received" });
  });
});

describe("the receipt of a text to everyone", () => {
  test.each([
    ["nobody-yet", toAll({}), {}],
    ["nobody-yet", toAll({}), { ownFloor: 5 }],
    ["nothing", toAll({}, { deleted: true }), {}],
    ["nobody", toAll({}), { ownFloor: 6, members: junAway }],
    ["nothing", toAll({}, { deleted: true }), { ownFloor: 6 }],
    ["nobody", toAll({ [mara]: sending }), { ownFloor: 6 }],
    ["sending-to-several", toAll({ [mara]: sending, [noor]: sending }), {}],
    ["only-recipient", toAll({ [mara]: received }), {}],
    ["text-receipts", toAll({ [mara]: received }), { members: junAway }],
    ["only-recipient", toAll({ [mara]: received }), { ownFloor: 6, members: junAway }],
  ] as const)("is %s", (kind, message, facts) => {
    expect(viewOf(message, facts).kind).toBe(kind);
  });

  test("says of each who has it, and of who is away", () => {
    expect(viewOf(toAll({ [mara]: received, [noor]: sending }), { members: junAway })).toEqual({
      kind: "text-receipts",
      received: 1,
      total: 2,
      away: [jun],
      receipts: { [mara]: "received", [noor]: "waits", [jun]: "waits" },
    });
  });

  test("waits for those who are away while nobody has it", () => {
    expect(viewOf(toAll({}), { members: junAway })).toMatchObject({ received: 0, total: 0, away: [jun] });
  });

  test("says that who is away never gets what has left the log", () => {
    const message = toAll({ [mara]: received, [noor]: sending });
    expect(viewOf(message, { ownFloor: 6, members: junAway })).toMatchObject({
      away: [],
      receipts: { [mara]: "received", [noor]: "not-received" },
    });
  });

  test("leaves out who is here, who came later and who has not been there for a week", () => {
    const weekMs = 7 * 24 * 60 * 60 * 1_000;
    const members = {
      [mara]: { metAt: noon - 1, lastSeen: noon },
      [noor]: { metAt: noon + 1, lastSeen: noon + 1 },
      [jun]: { metAt: 0, lastSeen: noon - weekMs },
    };
    expect(viewOf(toAll({}), { members }).kind).toBe("nobody-yet");
  });
});

describe("the receipt of files", () => {
  const picture = { fileName: "quay.png", mimeType: "image/png" };
  const offered = (offers: Readonly<Record<string, Offer>>, file = {}) =>
    fakeFile(me, everyone, file, { state: "offered" }, noon, {
      offers,
      deliveries: Object.fromEntries(Object.keys(offers).map((id) => [id, received])),
    });
  const complete = { state: "complete" } as const;
  const declined = { state: "declined" } as const;
  type File = ReturnType<typeof offered>;
  const filesView = (message: File, ...before: readonly File[]) =>
    receiptView(message, { peers: maraHere, members: {}, ownFloor: 0, group: [...before, message] });

  test("is nothing for one person: the card says it; a picture has none", () => {
    expect(filesView(offered({ [mara]: complete }))).toEqual({ kind: "nothing" });
    expect(filesView(offered({ [mara]: complete }, picture))).toEqual({
      kind: "only-recipient",
      clientId: mara,
      receipt: "received",
    });
    const refused = offered({ [mara]: declined });
    expect(filesView(offered({ [mara]: complete }, picture), refused)).toEqual({ kind: "nothing" });
  });

  test("lists what several people have of all files, beside their cards", () => {
    const one = offered({ [mara]: complete, [noor]: declined });
    expect(filesView(one)).toEqual({
      kind: "file-receipts",
      outcomes: { [mara]: ["complete"], [noor]: ["declined"] },
      hasCard: true,
    });
    expect(filesView(one, one)).toMatchObject({
      outcomes: { [noor]: ["declined", "declined"] },
      hasCard: true,
    });
    const shown = offered(one.offers, picture);
    expect(filesView(shown)).toMatchObject({ hasCard: false });
    expect(filesView(shown, shown)).toMatchObject({ hasCard: false });
    expect(filesView(shown, one)).toMatchObject({ hasCard: true });
  });
});
