import { expect, it } from "vitest";
import { randomUuid } from "../shared/ids.ts";
import type { Contact } from "./chat-state.ts";
import { contactRecord, parseContact } from "./stored-chat.ts";

const contact: Contact = {
  clientId: randomUuid(),
  name: "Jun",
  avatar: null,
  proven: true,
  standing: "verified",
  autoAccept: true,
  clipboardAllowed: true,
  redirect: true,
  createdAt: 1_700_000_000_000,
};
const stored = (value: object) => parseContact({ ...contactRecord(contact), value });

it("round-trips a contact", () => {
  expect(parseContact(contactRecord(contact))).toEqual(contact);
  expect(stored({ ...contact, standing: "blocked", proven: false })?.standing).toBe("blocked");
});

it("gives a contact of an earlier version a stranger's values for missing fields", () => {
  const { clientId, name, avatar, createdAt } = contact;
  const stranger = {
    standing: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
    redirect: false,
  } as const;
  const old = { clientId, name, avatar, createdAt };
  expect(stored(old)).toEqual({ ...old, ...stranger, proven: false });
  expect(stored({ ...old, proven: true })).toEqual({ ...old, ...stranger, proven: true });
  expect(stored({ ...contact, standing: "sure", autoAccept: 1 })).toEqual({
    ...contact,
    standing: "unverified",
    autoAccept: false,
  });
});

it("permits nothing to a contact that never showed a key", () => {
  expect(stored({ ...contact, proven: false })).toMatchObject({
    standing: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
  });
});

it("drops records without a valid id", () => {
  expect(stored({ ...contact, clientId: "somebody" })).toBeNull();
});
