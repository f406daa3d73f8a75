import { expect, it } from "vitest";
import { randomUuid } from "../shared/ids.ts";
import type { Contact } from "./chat-state.ts";
import { ConversationNames } from "./conversation-names.ts";
import type { FileMessage } from "./message.ts";
import { contactRecord, messageRecord, parseContact, parseMessage } from "./stored-chat.ts";

const names = new ConversationNames("MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k");

const contact: Contact = {
  clientId: randomUuid(),
  name: "Jun",
  avatar: null,
  proven: true,
  trustLevel: "verified",
  autoAccept: true,
  clipboardAllowed: true,
  accepted: true,
  muted: true,
  redirect: true,
  createdAt: 1_700_000_000_000,
};
const record = contactRecord(contact);
const stored = (value: object) =>
  parseContact({ ...record, value: { ...(record.value as object), ...value } });
const storedAlone = (value: object) => parseContact({ ...record, value });

it("round-trips a contact", () => {
  expect(parseContact(contactRecord(contact))).toEqual(contact);
  expect(stored({ ...contact, standing: "blocked", proven: false })?.trustLevel).toBe("blocked");
});

it("gives a contact of an earlier version a stranger's values for missing fields", () => {
  const { clientId, name, avatar, createdAt } = contact;
  const stranger = {
    trustLevel: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
    accepted: false,
    muted: false,
    redirect: false,
  } as const;
  const old = { clientId, name, avatar, createdAt };
  expect(storedAlone(old)).toEqual({ ...old, ...stranger, proven: false });
  expect(storedAlone({ ...old, proven: true })).toEqual({ ...old, ...stranger, proven: true });
  expect(stored({ standing: "sure", autoAccept: 1 })).toEqual({
    ...contact,
    trustLevel: "unverified",
    autoAccept: false,
  });
});

it.each([
  ["stranger", false],
  ["answered", true],
] as const)("reads that an earlier version met it nearby, %s", (nearby, accepted) => {
  const { accepted: _later, ...former } = contact;
  const value = { ...(contactRecord(contact).value as object), ...former, accepted: undefined, nearby };
  expect(storedAlone(value)).toMatchObject({ nearby: true, accepted });
});

it("permits nothing to a contact that never showed a key", () => {
  expect(stored({ ...contact, proven: false })).toMatchObject({
    trustLevel: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
  });
});

it("drops records without a valid id", () => {
  expect(stored({ ...contact, clientId: "somebody" })).toBeNull();
});

it("reads offers in the words of earlier versions", () => {
  const id = randomUuid();
  const message: FileMessage = {
    key: `${contact.clientId}/${id}`,
    id,
    type: "file",
    conversation: contact.clientId,
    client: contact.clientId,
    createdAt: 1,
    sortedAt: 1,
    deliveries: {},
    file: {
      fid: randomUuid(),
      fileName: "a.bin",
      fileSize: 1,
      mimeType: "",
      chunkSize: 65_536,
      lastModified: 1,
    },
    offers: { [contact.clientId]: { state: "queuedThere" } },
  };
  const stored = messageRecord(message, names);
  expect(parseMessage(stored, names)).toEqual(message);
  const { offers: _, ...others } = message;
  const error = (code: string, values = {}) => ({ status: "error", error: { code, values } });
  const paused = (by: string) => ({ status: "paused", by });
  for (const [former, offer] of [
    [{ status: "init" }, { state: "offered" }],
    [{ status: "transferring" }, { state: "accepted" }],
    [paused("me"), { state: "pausedHere" }],
    [paused("peer"), { state: "pausedThere" }],
    [paused("absence"), { state: "accepted" }],
    [paused("source"), { state: "needsSource" }],
    [paused("storage"), { state: "needsSpace" }],
    [paused("queue"), { state: "queuedThere" }],
    [paused("turn"), { state: "accepted" }],
    [{ status: "complete", verified: true }, { state: "complete" }],
    [
      { status: "complete", verified: true, already: true },
      { state: "complete", already: true },
    ],
    [error("transfer-declined"), { state: "declined" }],
    [error("file-too-large", { limitBytes: 1 }), { state: "declined" }],
    [error("transfer-cancelled"), { state: "withdrawn" }],
    [error("transfer-cancelled", { by: "sender", askedAgain: 1 }), { state: "withdrawn", askedAgain: true }],
    [
      error("transfer-cancelled", { by: "receiver", offeredAgain: 1 }),
      { state: "givenUp", offeredAgain: true },
    ],
    [error("source-changed"), { state: "failed", error: { code: "source-changed", values: {} } }],
  ]) {
    const value = { ...others, transfers: { [contact.clientId]: former } };
    const read = parseMessage({ ...stored, value }, names);
    expect(read).toEqual({ ...message, offers: { [contact.clientId]: offer } });
  }
  const value = { ...message, offers: { [contact.clientId]: { state: "absent" } } };
  expect(parseMessage({ ...stored, value }, names)).toMatchObject({
    offers: { [contact.clientId]: { state: "accepted" } },
  });
});
