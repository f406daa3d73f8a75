import { describe, expect, it } from "vitest";
import type { Contact } from "./chat-state.ts";
import {
  type AutomaticAction,
  isAutomatic,
  mayAlert,
  type PermissionEffect,
  permissionEffect,
} from "./trust.ts";

type Client = Parameters<typeof permissionEffect>[0];

const contact = (
  trustLevel: Contact["trustLevel"],
  more: Partial<Contact> = {},
): Pick<Contact, "proven" | "trustLevel" | "autoAccept" | "clipboardAllowed" | "accepted"> => ({
  proven: true,
  accepted: false,
  autoAccept: false,
  clipboardAllowed: false,
  ...more,
  trustLevel,
});
const keyless = { proven: false } as const;
const peerWithKey = { proof: { verifiable: true, publicKey: new Uint8Array(0), safetyCode: [] } } as const;
const peerWithoutKey = {
  proof: { verifiable: false, publicKey: new Uint8Array(0), safetyCode: [] },
} as const;

const noOptions = {
  trust: "everyone",
  automaticDownload: false,
  automaticPictures: false,
  shareFilesWithRoom: false,
  passOnFiles: false,
} as const;
const allOptions = {
  automaticDownload: true,
  automaticPictures: true,
  shareFilesWithRoom: true,
  passOnFiles: true,
} as const;

it.each<[Contact["trustLevel"], boolean, boolean]>([
  ["unverified", false, false],
  ["unverified", true, true],
  ["invited", false, true],
  ["verified", false, true],
  ["blocked", true, false],
])("lets somebody %s, accepted: %s, draw attention: %s", (trustLevel, accepted, expected) => {
  expect(mayAlert({ trustLevel, accepted })).toBe(expected);
  expect(mayAlert(undefined)).toBe(false);
});

it("lets everybody with the password of a room draw attention there once we wrote in it, unless blocked", () => {
  const stranger = { trustLevel: "unverified", accepted: false } as const;
  const blocked = { trustLevel: "blocked", accepted: false } as const;
  const locked = { password: "tidal", written: true } as const;
  expect(mayAlert(stranger, locked)).toBe(true);
  expect(mayAlert(blocked, locked)).toBe(false);
  expect(mayAlert(undefined, locked)).toBe(false);
  expect(mayAlert(stranger, { ...locked, written: undefined })).toBe(false);
  expect(mayAlert(stranger, { ...locked, password: null })).toBe(false);
});

describe("the effect of a permission", () => {
  it.each<[string, Client, PermissionEffect, PermissionEffect]>([
    // client, with trust "everyone", with trust "verified"
    ["verified", { contact: contact("verified") }, "allowed", "allowed"],
    ["invited", { contact: contact("invited") }, "allowed", "verified-only"],
    ["unverified", { contact: contact("unverified") }, "allowed", "verified-only"],
    ["blocked", { contact: contact("blocked") }, "blocked", "blocked"],
    ["blocked, keyless", { contact: contact("blocked", keyless) }, "blocked", "blocked"],
    ["keyless", { contact: contact("unverified", keyless) }, "not-verifiable", "not-verifiable"],
    // The contact counts: a client that proved its id is refused without the key, so the peer is not another one.
    [
      "a contact whose peer has yet to show its key",
      { contact: contact("unverified"), peer: { proof: null } },
      "allowed",
      "verified-only",
    ],
    ["no contact, here with a key", { contact: null, peer: peerWithKey }, "allowed", "verified-only"],
    ["no contact, here without", { contact: null, peer: peerWithoutKey }, "not-verifiable", "not-verifiable"],
    ["unknown", { contact: undefined, peer: undefined }, "not-verifiable", "not-verifiable"],
  ])("%s", (_name, client, withEveryone, withVerified) => {
    expect(permissionEffect(client, { trust: "everyone" })).toBe(withEveryone);
    expect(permissionEffect(client, { trust: "verified" })).toBe(withVerified);
  });
});

describe("what happens without asking", () => {
  const both = { autoAccept: true, clipboardAllowed: true };
  const byOption = ["accept-file", "share-all-files", "share-marked-files", "pass-on-files"] as const;
  const permitted = ["accept-file", "write-clipboard", "share-marked-files"] as const;
  const all = [
    "accept-file",
    "accept-small-picture",
    "share-all-files",
    "share-marked-files",
    "pass-on-files",
  ] as const;
  const only = ["share-marked-files"] as const;
  const familiar = { accepted: true } as const;
  const anybody = { ...familiar, ...keyless } as const;

  it.each<
    [string, Contact["trustLevel"], Partial<Contact>, Partial<typeof noOptions | typeof allOptions>, Actions]
  >([
    ["nothing allowed", "unverified", {}, {}, { everyone: only, verified: [] }],
    ["nothing allowed, verified", "verified", {}, {}, { everyone: only, verified: only }],
    ["permitted", "unverified", both, {}, { everyone: permitted, verified: [] }],
    ["permitted, invited", "invited", both, {}, { everyone: permitted, verified: [] }],
    ["permitted, verified", "verified", both, {}, { everyone: permitted, verified: permitted }],
    // Only a damaged or older record can say that a client without a key, or a blocked one, was permitted anything.
    ["permitted, keyless", "unverified", { ...both, ...keyless }, {}, { everyone: only, verified: [] }],
    ["permitted, blocked", "blocked", both, {}, { everyone: [], verified: [] }],
    ["the options", "unverified", {}, allOptions, { everyone: byOption, verified: [] }],
    ["the options, keyless", "unverified", keyless, allOptions, { everyone: byOption, verified: [] }],
    ["the options, familiar", "unverified", familiar, allOptions, { everyone: all, verified: [] }],
    [
      "the options, familiar and keyless",
      "unverified",
      anybody,
      allOptions,
      { everyone: byOption, verified: [] },
    ],
    ["the options, familiar and blocked", "blocked", familiar, allOptions, { everyone: [], verified: [] }],
    ["familiar", "unverified", familiar, {}, { everyone: only, verified: [] }],
    ["the options, verified", "verified", {}, allOptions, { everyone: all, verified: all }],
    ["the options, blocked", "blocked", {}, allOptions, { everyone: [], verified: [] }],
  ])("%s", (_name, trustLevel, decided, options, expected) => {
    for (const trust of ["everyone", "verified"] as const)
      expect(automatic(contact(trustLevel, decided), { ...noOptions, ...options, trust })).toEqual(
        expected[trust],
      );
  });

  it("treats a client that is no contact as one that was permitted nothing", () => {
    expect(automatic(undefined, { ...noOptions, ...allOptions })).toEqual(byOption);
    expect(automatic(undefined, { ...noOptions, ...allOptions, trust: "verified" })).toEqual([]);
  });
});

type ContactAndOptions = Parameters<typeof isAutomatic> extends [unknown, ...infer Rest] ? Rest : never;
type Actions = Readonly<Record<"everyone" | "verified", readonly AutomaticAction[]>>;

function automatic(...client: ContactAndOptions): readonly AutomaticAction[] {
  const actions: Readonly<Record<AutomaticAction, true>> = {
    "accept-file": true,
    "accept-small-picture": true,
    "write-clipboard": true,
    "share-all-files": true,
    "share-marked-files": true,
    "pass-on-files": true,
  };
  return (Object.keys(actions) as AutomaticAction[]).filter((action) => isAutomatic(action, ...client));
}
