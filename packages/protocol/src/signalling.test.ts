import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import {
  type ClientFrame,
  closeCodes,
  decodeClientFrame,
  decodeServerFrame,
  type RoomMember,
  type ServerFrame,
} from "./signalling.ts";
import { alice, bob, clientFrames, serverFrames, signals } from "./testing/samples.ts";

const takesClient = (frame: unknown) => decodeClientFrame(JSON.stringify(frame)).ok;
const takesServer = (frame: unknown) => decodeServerFrame(JSON.stringify(frame)).ok;

const exampleOf = (type: ClientFrame["type"]) => clientFrames.find((frame) => frame.type === type);
const serverSampleOf = (type: ServerFrame["type"]) => serverFrames.find((frame) => frame.type === type);
const hello = exampleOf("hello");
const join = exampleOf("join");
const signal = exampleOf("signal");
const joined = serverSampleOf("joined");

describe("a client frame", () => {
  it.each<[string, unknown]>([
    ["another version", { ...hello, version: 1 }],
    ["a version in text", { ...hello, version: "2" }],
    ["no server's name", { ...hello, server: undefined }],
    ["a server's name in upper case", { ...hello, server: "Warren.example.org" }],
    ["a server's name with a path", { ...hello, server: "warren.example.org/ws" }],
    ["a server's name of 256 characters", { ...hello, server: "a".repeat(256) }],
    ["a client id in upper case", { ...hello, clientId: alice.toUpperCase() }],
    ["a client id that is no v4 UUID", { ...hello, clientId: "00000000-0000-1000-8000-00000000000a" }],
    ["a client id with a line end", { ...hello, clientId: `${alice}\n` }],
    ["a client id in a list", { ...hello, clientId: [alice] }],
    ["no public key", { ...hello, publicKey: undefined }],
    ["a public key that is too short", { ...hello, publicKey: "A".repeat(121) }],
    ["a public key that is too long", { ...hello, publicKey: "A".repeat(123) }],
    ["a public key in plain base64", { ...hello, publicKey: `${"A".repeat(121)}+` }],
    ["no proof", { ...hello, proof: undefined }],
    ["a proof that is too short", { ...hello, proof: "A".repeat(85) }],
    ["a proof that is too long", { ...hello, proof: "A".repeat(87) }],
    ["a proof in a list", { ...hello, proof: ["A".repeat(86)] }],
    ["the name of a room in place of its tag", { ...join, room: "kitchen" }],
    ["a tag with a character of plain base64", { ...join, room: `${"a".repeat(42)}+` }],
    ["a tag that reaches into another key", { ...join, room: `${"a".repeat(41)}:m` }],
    ["no word about a password", { ...join, locked: undefined }],
    ["the password in place of whether there is one", { ...join, locked: "secret" }],
    ["an admission of nobody", { type: "admit" }],
    ["a rejection of everybody", { type: "reject", clientId: "*" }],
    ["a rejection for a reason of its own", { type: "reject", clientId: bob, reason: "mood" }],
    ["a newcomer that nobody greets put off", { type: "defer" }],
    ["an empty resume token", { ...join, resumeToken: "" }],
    ["a resume token with a space", { ...join, resumeToken: "a b" }],
    ["no resume token but null", { ...join, resumeToken: null }],
    ["a signal to nobody", { ...signal, to: undefined }],
    ["a signal to everybody", { ...signal, to: "*" }],
    ["a signal that is not sealed", { ...signal, signal: signals[0] }],
    ["no signal", { ...signal, signal: undefined }],
    ["a frame of the server", { type: "drain", afterMs: 0 }],
  ])("is refused with %s", (_, frame) => {
    expect(takesClient(frame)).toBe(false);
  });

  it("may have a resume token of 512 characters but no more", () => {
    expect(takesClient({ ...join, resumeToken: "t".repeat(512) })).toBe(true);
    expect(takesClient({ ...join, resumeToken: "t".repeat(513) })).toBe(false);
  });

  it("is accepted without the extra fields of an earlier version", () => {
    expect(decodeClientFrame('{"type":"ping","sentAt":1}')).toEqual({ ok: true, value: { type: "ping" } });
  });

  it("cannot name its sender", () => {
    const decoded = decodeClientFrame(JSON.stringify({ ...signal, from: bob, clientId: bob }));
    expect(decoded).toEqual({ ok: true, value: signal satisfies ClientFrame | undefined });
  });
});

describe("a server frame", () => {
  it.each<[string, unknown]>([
    ["a nonce that is too short", { type: "challenge", nonce: "A".repeat(42) }],
    ["a nonce that is too long", { type: "challenge", nonce: "A".repeat(44) }],
    ["another version", { ...serverSampleOf("welcome"), version: 1 }],
    ["a member without an order", { ...joined, members: [{ clientId: alice }] }],
    ["a negative order", { ...joined, order: -1 }],
    ["members that are a map", { ...joined, members: { [alice]: { clientId: alice, order: 0 } } }],
    ["a member twice wrapped", { ...joined, members: [[{ clientId: alice, order: 0 }]] }],
    ["a greeter without an order", { type: "pending", greeter: { clientId: alice } }],
    ["nobody who knocks", { type: "knock" }],
    ["no resume token", { ...joined, resumeToken: undefined }],
    ["`resumed` as a number", { ...serverSampleOf("member-joined"), resumed: 0 }],
    ["an unknown error", { type: "error", code: "teapot" }],
    ["a drain of more than a minute", { type: "drain", afterMs: 60_001 }],
    ["a frame of a client", { type: "leave" }],
  ])("is refused with %s", (_, frame) => {
    expect(takesServer(frame)).toBe(false);
  });

  it("can list a full room in one frame, and not one member more", () => {
    const memberAt = (order: number): RoomMember => ({
      clientId: alice,
      order: Number.MAX_SAFE_INTEGER - order,
    });
    const frameOf = (count: number) => ({
      ...joined,
      members: Array.from({ length: count }, (_, i) => memberAt(i)),
    });
    expect(takesServer(frameOf(limits.roomMembers))).toBe(true);
    expect(takesServer(frameOf(limits.roomMembers + 1))).toBe(false);
  });
});

it("uses custom close codes only from the range that the registry reserves for applications", () => {
  const own = Object.values(closeCodes).filter((code) => code >= 4_000);
  expect(own.every((code) => code < 5_000)).toBe(true);
  expect(new Set(Object.values(closeCodes)).size).toBe(Object.values(closeCodes).length);
});
