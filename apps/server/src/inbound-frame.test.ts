import { decodeClientFrame, limits, type SealedSignal } from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readInboundFrame } from "./inbound-frame.ts";
import { testClientId } from "./testing/test-client.ts";
import { testBox, testStep } from "./testing/test-signals.ts";

const runs = process.env.WARREN_LONG === "1" ? 200_000 : 1_500;

/** The result of the schema alone. */
function bySchema(text: string) {
  const decoded = decodeClientFrame(text);
  return decoded.ok ? decoded.value : decoded.error.code;
}

/** The relayed frame, or why it is refused. */
function read(text: string) {
  const decoded = readInboundFrame(Buffer.from(text));
  if (!decoded.ok) return decoded.error.code;
  const frame = decoded.value;
  if (frame.type !== "signal") return frame;
  const signal: unknown = JSON.parse(frame.signal.json);
  // The text copied into the forwarded frame must equal what the schema would write.
  expect(JSON.stringify(signal)).toBe(frame.signal.json);
  expect(signal).toHaveProperty("type", frame.signal.type);
  return { ...frame, signal };
}

const signal = fc.oneof(
  fc
    .record({
      size: fc.integer({ min: 1, max: 900 }),
      seq: fc.oneof(
        fc.integer({ min: -1, max: 1_000_001 }),
        fc.constantFrom(0, 999_999, 1_000_000, 0.5, "1", null),
      ),
      kind: fc.constantFrom("offer", "answer", "candidate", "invitation", "Offer", ""),
    })
    .map(({ size, ...rest }) => ({ ...testBox(size), ...rest })),
  fc
    .constantFrom<SealedSignal["type"]>("hs1", "hs2", "hs3", "hs4", "box")
    .map((type) => (type === "box" ? testBox() : testStep(type))),
);
const frame = fc
  .record({ to: fc.constantFrom(testClientId(1), testClientId(2)), signal })
  .map(({ to, signal }) => JSON.stringify({ type: "signal", to, signal }));
/** A frame with one part replaced by something that JSON or the schema reads differently. */
const changed = fc
  .tuple(
    frame,
    fc.nat(),
    fc.nat(3),
    fc.oneof(
      fc.constantFrom(
        "",
        " ",
        "\n",
        '"',
        "\\",
        "\\u0041",
        "=",
        "+",
        "é",
        "\u{1F430}",
        "\ud800",
        "}",
        "{}",
        ',"from":"x"',
      ),
      fc.constantFrom("A", "0", "-", "_", ".", "1e3", '"__proto__":{},', '"type":"ping",', "\0", "\u00b2"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
  )
  .map(([text, at, length, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + length);
  });
/** The same frame in another order, with other white space or with additional keys. */
const respelled = fc
  .tuple(frame, fc.constantFrom("spaced", "reversed", "joined", "twice"))
  .map(([text, how]) => {
    const value: object = JSON.parse(text);
    if (how === "spaced") return JSON.stringify(value, null, 1);
    if (how === "reversed") return JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
    if (how === "joined") return JSON.stringify({ ...value, from: testClientId(9) });
    return `${text.slice(0, -1)},"to":"${testClientId(3)}"}`;
  });

describe("a frame that comes in", () => {
  it("is accepted, refused and understood exactly as the schema says", () => {
    fc.assert(
      fc.property(fc.oneof(frame, changed, respelled, fc.json()), (text) => {
        // UTF-8 cannot encode a lone surrogate.
        const wellFormed = Buffer.from(text).toString();
        expect(read(wellFormed)).toEqual(bySchema(wellFormed));
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ["the longest box", limits.signalBytes],
    ["a box longer than that", limits.signalBytes + 200],
  ])("with %s is judged by the schema", (_name, size) => {
    const text = JSON.stringify({ type: "signal", to: testClientId(1), signal: testBox(size) });
    expect(read(text)).toEqual(bySchema(text));
  });

  it.each(["0", "00", "01", "-1", "999999", "1000000", "1000001", "1e3", "1.0", "0x1", '"1"', " 1"])(
    "with the number %s is judged by the schema",
    (seq) => {
      const text = JSON.stringify({ type: "signal", to: testClientId(1), signal: testBox() });
      const numbered = text.replace('"seq":1,', `"seq":${seq},`);
      expect(read(numbered)).toEqual(bySchema(numbered));
    },
  );

  it.each([
    ["nested lists", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    ["empty objects", `[${"{},".repeat(20_000)}{}]`],
    ["keys", `{${Array.from({ length: 6_000 }, (_, index) => `"${index}":0`).join(",")}}`],
  ])("with thousands of %s under an unknown key is refused before it is parsed", (_name, ballast) => {
    const parse = vi.spyOn(JSON, "parse");
    expect(read(`{"type":"ping","x":${ballast}}`)).toBe("frame-invalid");
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("may have unknown keys with some values", () => {
    const known = { type: "signal", to: testClientId(1), signal: testStep("hs3") };
    const signal = { ...known.signal, x: [1, 2, { y: [3] }] };
    expect(read(JSON.stringify({ ...known, signal, z: { a: {}, b: [] } }))).toEqual(known);
  });

  it("forwards a signal in the order of the schema's fields, without unknown ones", () => {
    const { type, ...rest } = testBox();
    const text = JSON.stringify({ signal: { ...rest, evil: 1, type }, to: testClientId(1), type: "signal" });
    const decoded = readInboundFrame(Buffer.from(text));
    expect(decoded.ok && decoded.value).toMatchObject({
      signal: { json: JSON.stringify({ type, ...rest }) },
    });
  });
});
