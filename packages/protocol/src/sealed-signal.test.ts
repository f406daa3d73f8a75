import { describe, expect, it } from "vitest";
import { decodeValue } from "./decode.ts";
import { limits } from "./limits.ts";
import { type SealedSignal, sealedSignalSchema } from "./sealed-signal.ts";
import { decodeClientFrame, encodeSignallingFrame } from "./signalling.ts";
import { alice, bob, sealedSignals } from "./testing/samples.ts";
import { utf8Length } from "./text.ts";

const takes = (signal: unknown) => decodeValue(sealedSignalSchema, signal).ok;
const box = { type: "box", run: "r".repeat(22), seq: 0, kind: "offer", box: "b" };

function exampleOf(type: SealedSignal["type"]): SealedSignal {
  const sample = sealedSignals.find((signal) => signal.type === type);
  if (!sample) throw new Error(`no sample of ${type}`);
  return sample;
}

/** The base64url fields of handshake messages with their lengths in characters. */
const fields: readonly [SealedSignal["type"], string, number][] = [
  ["hs1", "run", 22],
  ["hs1", "C", 43],
  ["hs2", "run", 22],
  ["hs2", "rB", 22],
  ["hs2", "fpB", 43],
  ["hs2", "idPubB", 122],
  ["hs2", "Yb", 43],
  ["hs3", "run", 22],
  ["hs3", "rA", 22],
  ["hs3", "fpA", 43],
  ["hs3", "idPubA", 122],
  ["hs3", "Ya", 43],
  ["hs3", "Ta", 43],
  ["hs3", "sig", 107],
  ["hs4", "run", 22],
  ["hs4", "Tb", 43],
  ["hs4", "sig", 107],
  ["box", "run", 22],
];

describe("a sealed signal", () => {
  it.each(fields)("of type %s has a %s of exactly %i characters", (type, field, length) => {
    const sampleWith = (value: unknown) => ({ ...exampleOf(type), [field]: value });
    expect(takes(sampleWith("-_09azAZ".repeat(16).slice(0, length)))).toBe(true);
    expect(takes(sampleWith("a".repeat(length - 1)))).toBe(false);
    expect(takes(sampleWith("a".repeat(length + 1)))).toBe(false);
    expect(takes(sampleWith(`${"a".repeat(length - 1)}=`))).toBe(false);
    expect(takes(sampleWith(undefined))).toBe(false);
    expect(takes(sampleWith(Array.from({ length }, () => "a")))).toBe(false);
  });

  it("may come from a side without a key", () => {
    expect(takes({ ...exampleOf("hs2"), idPubB: "" })).toBe(true);
    expect(takes({ ...exampleOf("hs3"), idPubA: "" })).toBe(true);
  });

  it.each<[string, unknown]>([
    ["of no known type", { type: "hs5", run: "r".repeat(22) }],
    ["of another version of the handshake", { ...exampleOf("hs1"), v: 2 }],
    ["with an empty box", { ...box, box: "" }],
    ["with a box in plain base64", { ...box, box: "a+/=" }],
    ["with a box that is no text", { ...box, box: [1, 2] }],
    ["with a box of no known kind", { ...box, kind: "rollback" }],
    ["with a negative number", { ...box, seq: -1 }],
    ["with a number between two", { ...box, seq: 0.5 }],
    ["with a number past a million", { ...box, seq: 1_000_001 }],
    ["that is not sealed", { type: "offer", data: { type: "offer", sdp: "v=0" } }],
  ])("is refused %s", (_, signal) => {
    expect(takes(box)).toBe(true);
    expect(takes(signal)).toBe(false);
  });

  it("loses unknown fields, so no handshake message exceeds 1 KiB", () => {
    for (const sample of sealedSignals.filter(({ type }) => type !== "box")) {
      const decoded = decodeValue(sealedSignalSchema, { ...sample, more: "x".repeat(4_096) });
      expect(decoded).toEqual({ ok: true, value: sample });
      expect(JSON.stringify(sample).length).toBeLessThan(1_024);
    }
  });

  it("has room for the longest session description, and its longest form fits a frame", () => {
    const description = { type: "answer", sdp: "x".repeat(limits.signalBytes) };
    const sealedBytes = utf8Length(JSON.stringify(description)) + 16;
    const longest = Math.ceil((sealedBytes * 4) / 3);
    expect(takes({ ...box, box: "a".repeat(longest) })).toBe(true);
    expect(takes({ ...box, box: "a".repeat(longest + 100) })).toBe(false);
    const frame = JSON.stringify({
      type: "signal",
      to: bob,
      signal: { ...box, seq: 1_000_000, kind: "candidate", box: "a".repeat(longest) },
    });
    const decoded = decodeClientFrame(frame);
    if (!decoded.ok || decoded.value.type !== "signal") throw new Error("refused");
    const relayed = encodeSignallingFrame({ type: "signal", from: alice, signal: decoded.value.signal });
    expect(relayed.length).toBeLessThan(limits.signallingFrameBytes);
  });
});
