import { expect, it } from "vitest";
import { randomUuid } from "../shared/ids.ts";
import type { Contact } from "./chat-state.ts";
import type { FileMessage } from "./message.ts";
import { contactRecord, messageRecord, parseContact, parseMessage } from "./stored-chat.ts";

const contact: Contact = {
  clientId: randomUuid(),
  name: "Jun",
  avatar: null,
  proven: true,
  trustLevel: "verified",
  autoAccept: true,
  clipboardAllowed: true,
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

it("reads a queued file under the name that earlier versions stored", () => {
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
    transfers: { [contact.clientId]: { status: "paused", by: "queue" } },
  };
  const queued = messageRecord(message);
  expect(parseMessage(queued)).toEqual(message);
  const earlier = JSON.parse(JSON.stringify(queued.value).replace('"queue"', '"turn"'));
  expect(earlier).not.toEqual(queued.value);
  expect(parseMessage({ ...queued, value: earlier })).toEqual(message);
});
