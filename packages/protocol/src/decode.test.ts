import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Decoded, decodeFrame, decodeValue, encodeFrame } from "./decode.ts";
import { WarrenError } from "./errors.ts";
import { limits } from "./limits.ts";
import { decodePeerMessage, encodePeerMessage } from "./peer-message.ts";
import { integer, v } from "./schema.ts";
import { decodeClientFrame, decodeServerFrame, encodeSignallingFrame } from "./signalling.ts";
import { check, damaged, hostileText, junk, mutated } from "./testing/fuzz.ts";
import { clientFrames, peerMessages, serverFrames, transferControls } from "./testing/samples.ts";
import { decodeTransferControl, encodeTransferControl } from "./transfer-control.ts";

const refusals = [
  "another-version",
  ...["frame-too-large", "frame-not-json", "frame-invalid"],
  // Of messages about files that omit a required field.
  ...["fid-undefined", "chunk-size-not-found", "transfer-info-missing"],
];
const prototypeKeys = Reflect.ownKeys(Object.prototype);

/** A decoder under test: `pass` decodes a frame and, if it is valid, encodes its value again. */
function doorOf<T>(decode: (frame: unknown) => Decoded<T>, encode: (value: T) => string) {
  return (frame: unknown): string | null => {
    const decoded = decode(frame);
    if (decoded.ok) return encode(decoded.value);
    expect(decoded.error).toBeInstanceOf(WarrenError);
    expect(refusals).toContain(decoded.error.code);
    return null;
  };
}

const { signallingFrameBytes, peerFrameBytes } = limits;
const doors = [
  {
    name: "client frames",
    pass: doorOf(decodeClientFrame, encodeSignallingFrame),
    samples: clientFrames,
    limitBytes: signallingFrameBytes,
  },
  {
    name: "server frames",
    pass: doorOf(decodeServerFrame, encodeSignallingFrame),
    samples: serverFrames,
    limitBytes: signallingFrameBytes,
  },
  {
    name: "peer messages",
    pass: doorOf(decodePeerMessage, encodePeerMessage),
    samples: peerMessages,
    limitBytes: peerFrameBytes,
  },
  {
    name: "transfer controls",
    pass: doorOf(decodeTransferControl, encodeTransferControl),
    samples: transferControls,
    limitBytes: peerFrameBytes,
  },
];

afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(prototypeKeys);
});

describe.each(doors)("the decoder of $name", ({ pass, samples, limitBytes }) => {
  const expectStable = (frame: unknown) => {
    const once = pass(frame);
    if (once !== null) expect(pass(once)).toBe(once);
  };

  it("accepts every kind of frame unchanged", () => {
    for (const sample of samples) expect(JSON.parse(pass(JSON.stringify(sample)) ?? "null")).toEqual(sample);
  });

  it("answers any text with an error or a value that survives its own encoding", () => {
    check(fc.property(fc.oneof(hostileText, fc.json()), expectStable), 300, 100_000);
  });

  it("does the same for damaged frames", () => {
    check(fc.property(damaged(samples), expectStable), 600, 100_000);
  });

  it("does the same for wrong values in any field", () => {
    check(fc.property(mutated(samples), expectStable), 1_500, 100_000);
  });

  it("rejects input that is not text", () => {
    const values = [
      undefined,
      null,
      1,
      Number.NaN,
      {},
      [],
      new ArrayBuffer(8),
      new Uint8Array(8),
      () => "{}",
    ];
    for (const value of values) expect(pass(value)).toBeNull();
  });

  it("rejects JSON that is not a frame", () => {
    const frames = [
      "",
      "null",
      "0",
      "NaN",
      "Infinity",
      "-",
      '"leave"',
      "[]",
      "{}",
      '{"type":null}',
      "undefined",
      "\uFEFF{}",
    ];
    for (const frame of frames) expect(pass(frame)).toBeNull();
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "", "HELLO", "hello\0"])(
    "refuses the type %j",
    (type) => {
      expect(pass(JSON.stringify({ ...samples[0], type }))).toBeNull();
    },
  );

  it("drops unknown keys, prototypes above all", () => {
    for (const sample of samples) {
      const text = JSON.stringify(sample);
      const strange = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"extra":1,${text.slice(1)}`;
      expect(JSON.parse(pass(strange) ?? "null")).toEqual(sample);
    }
    expect("polluted" in {}).toBe(false);
  });

  it("rejects a frame whose fields are only inherited", () => {
    for (const sample of samples) expect(pass(`{"__proto__":${JSON.stringify(sample)}}`)).toBeNull();
  });

  it.each(["[", '{"type":', "[[],", '{"a":[', '{"__proto__":'])("rejects 200,000 times %j", (opening) => {
    expect(pass(opening.repeat(200_000))).toBeNull();
    const depth = Math.floor(limitBytes / (opening.length + 2)) - 1;
    const closing = [...opening]
      .reverse()
      .map((c) => (c === "[" ? "]" : c === "{" ? "}" : ""))
      .join("");
    expect(pass(`${opening.repeat(depth)}0${closing.repeat(depth)}`)).toBeNull();
  });

  it("rejects nesting inside each field", () => {
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    for (const sample of samples) {
      for (const key of Object.keys(sample)) {
        const frame = JSON.stringify({ ...sample, [key]: "nested here" }).replace('"nested here"', nested);
        // Dropped if it is invalid, and its offer kept.
        const isDropped = ["thumbnail", "permissions"].includes(key);
        const taken = isDropped ? pass(JSON.stringify({ ...sample, [key]: undefined })) : null;
        expect(pass(frame)).toEqual(taken);
      }
    }
  });

  it("rejects numbers that are not safe integers, in any notation", () => {
    for (const sample of samples) {
      for (const [key, value] of Object.entries(sample)) {
        if (typeof value !== "number") continue;
        for (const number of [
          "1e400",
          "-1e400",
          "1e308",
          "9007199254740992",
          "1.5",
          "-9007199254740991",
          "0.1e-300",
          "1e21",
        ]) {
          expect(pass(JSON.stringify({ ...sample, [key]: "here" }).replace('"here"', number))).toBeNull();
        }
      }
    }
  });

  it("accepts a frame of exactly the limit and rejects one byte more", () => {
    for (const sample of samples) {
      const frame = JSON.stringify(sample);
      const padding = " ".repeat(limitBytes - new TextEncoder().encode(frame).byteLength);
      expect(pass(frame + padding)).not.toBeNull();
      expect(pass(`${frame}${padding} `)).toBeNull();
    }
  });
});

describe("a frame with many issues", () => {
  const frameOf = (type: string, field: string, json: string) => {
    const sample = peerMessages.find((message) => message.type === type);
    return JSON.stringify({ ...sample, [field]: "here" }).replace('"here"', json);
  };
  const listOf = (item: string, count: number) => `[${Array<string>(count).fill(item).join()}]`;
  const letters = (n: number) => Array.from(String(n), (digit) => "abcdefghij"[Number(digit)]).join("");
  const values = Array.from({ length: 20_000 }, (_, i) => `"${letters(i)}":[]`).join();

  // Checking each item first would take half a second and block the page.
  it.each([
    ["data: max_length", frameOf("storage", "data", listOf("{}", 80_000))],
    ["values: check", frameOf("error", "values", `{${values}}`)],
  ])("is rejected for its size alone: %s", (issue, frame) => {
    expect(decodePeerMessage(frame)).toMatchObject({ error: { code: "frame-invalid", values: { issue } } });
  });
});

describe("decodeFrame", () => {
  const schema = v.string();

  it("counts bytes, not characters", () => {
    expect(decodeFrame(schema, '"éé"', 6)).toEqual({ ok: true, value: "éé" });
    const refused = decodeFrame(schema, '"éé"', 5);
    expect(refused).toMatchObject({
      error: { code: "frame-too-large", values: { sizeBytes: 6, limitBytes: 5 } },
    });
  });

  it("checks the size before the content", () => {
    expect(decodeFrame(schema, "not JSON", 7)).toMatchObject({ error: { code: "frame-too-large" } });
    expect(decodeFrame(schema, "not JSON", 8)).toMatchObject({ error: { code: "frame-not-json" } });
  });
});

describe("decodeValue", () => {
  it("names the invalid field and never its value", () => {
    const decoded = decodeValue(v.object({ inner: v.object({ count: integer() }) }), {
      inner: { count: "secret" },
    });
    expect(decoded).toMatchObject({
      error: { code: "frame-invalid", values: { issue: "inner.count: number" } },
    });
    expect(JSON.stringify(decoded)).not.toContain("secret");
  });

  it("never throws on a value that did not come from JSON", () => {
    const schema = v.object({ a: v.optional(v.string()), b: v.array(integer()) });
    const values = fc.oneof(junk, fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }));
    check(
      fc.property(values, (value) => {
        expect(typeof decodeValue(schema, value).ok).toBe("boolean");
      }),
      300,
    );
  });
});

describe("encodeFrame", () => {
  it("encodes up to the limit in bytes and throws above it", () => {
    expect(encodeFrame("éé", 6)).toBe('"éé"');
    expect(() => encodeFrame("éé", 5)).toThrow(
      new WarrenError("frame-too-large", { sizeBytes: 6, limitBytes: 5 }),
    );
  });
});
