import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOfSdp } from "../../handshake/fingerprint.ts";
import { describedBy, descriptionOf } from "./qr-description.ts";
import { type HostCandidate, type QrFrame, readQrFrame, writeQrFrame } from "./qr-frame.ts";
import { frameBytesMax, frameOfQrText, qrTextOf } from "./qr-text.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const iceText = (min: number, max: number) =>
  fc.string({
    unit: fc.constantFrom(..."ABCXYZabcxyz0189+/"),
    minLength: min,
    maxLength: max,
  });
const candidate: fc.Arbitrary<HostCandidate> = fc
  .constantFrom("ipv4" as const, "ipv6" as const, "mdns" as const)
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      address: bytes(kind === "ipv4" ? 4 : 16),
      port: fc.integer({ min: 1, max: 65_535 }),
    }),
  );
const frame: fc.Arbitrary<QrFrame> = fc.record({
  kind: fc.constantFrom("invitation" as const, "answer" as const),
  nonce: bytes(16),
  clientId: fc.uuid({ version: 4 }),
  fingerprint: bytes(32),
  ufrag: iceText(4, 48),
  password: iceText(22, 48),
  candidates: fc.array(candidate, { maxLength: 6 }),
});

/** Only these lines stand in a description, each as a whole. */
const allowedLine = new RegExp(
  "^(?:v=0|o=- 1 2 IN IP4 127\\.0\\.0\\.1|s=-|t=0 0|a=group:BUNDLE 0" +
    "|m=application 9 UDP/DTLS/SCTP webrtc-datachannel|c=IN IP4 0\\.0\\.0\\.0" +
    "|a=ice-ufrag:[A-Za-z0-9+/]{4,48}|a=ice-pwd:[A-Za-z0-9+/]{22,48}" +
    "|a=fingerprint:sha-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}|a=setup:(?:actpass|active)" +
    "|a=mid:0|a=sctp-port:5000|a=max-message-size:262144|a=end-of-candidates" +
    "|a=candidate:[1-6] 1 udp \\d+ (?:[\\d.]+|[0-9a-f:]+|[0-9a-f-]{36}\\.local) \\d+ typ host)$",
);

describe("a frame", () => {
  it("is read as it was written, from a text of letters and digits, in any case and with white space", () => {
    fc.assert(
      fc.property(frame, (written) => {
        const text = writeQrFrame(written);
        expect(readQrFrame(text)).toEqual(written);
        expect(readQrFrame(` ${text.toLowerCase().replace(/.{20}/g, "$&\n")}`)).toEqual(written);
      }),
    );
  });

  it("gives a description of the template's lines only, with the fingerprint of the frame", () => {
    fc.assert(
      fc.property(frame, (written) => {
        const { sdp = "" } = descriptionOf(written);
        const lines = sdp.split("\r\n");
        expect(lines.pop()).toBe("");
        for (const line of lines) expect(line).toMatch(allowedLine);
        expect(fingerprintOfSdp(sdp)).toEqual(written.fingerprint);
      }),
    );
  });

  it("is read from the description that it gives, but for addresses that lead nowhere", () => {
    fc.assert(
      fc.property(frame, (written) => {
        const { sdp = "" } = descriptionOf(written);
        if (!sdp.includes("typ host")) return;
        const { candidates, ...rest } = describedBy(sdp);
        expect(written).toMatchObject(rest);
        for (const each of candidates) expect(written.candidates).toContainEqual(each);
      }),
    );
  });

  it("is refused whatever else it holds, and never throws anything but in words", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: frameBytesMax }), (noise) => {
        const known = /^(?:code-invalid|another-version)$/;
        try {
          descriptionOf(readQrFrame(qrTextOf(noise)));
        } catch (thrown) {
          expect(Reflect.get(Object(thrown), "code")).toMatch(known);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("is refused with one byte changed, cut off or added", () => {
    fc.assert(
      fc.property(frame, fc.nat(), fc.integer({ min: 1, max: 31 }), (written, place, shift) => {
        const text = writeQrFrame(written);
        const at = 7 + (place % (text.length - 7 - 8));
        const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
        const changed = alphabet.charAt((alphabet.indexOf(text.charAt(at)) + shift) % 32);
        for (const damaged of [
          text.slice(0, at) + changed + text.slice(at + 1),
          text.slice(0, -8),
          `${text}AAAAAAAA`,
        ])
          expect(frameOfQrText(damaged)).toBeNull();
      }),
    );
  });

  it.each([
    ["a line break in the user name", { ufrag: "abcd\r\na=x" }, "ufrag"],
    ["a line break in the password", { password: `${"p".repeat(22)}\r\na=x` }, "password"],
    ["a short password", { password: "p".repeat(21) }, "password"],
    ["a long user name", { ufrag: "u".repeat(49) }, "ufrag"],
    ["an id that is no client's", { clientId: "00000000-0000-0000-0000-000000000000" }, "id"],
    [
      "port 0",
      { candidates: [{ kind: "ipv4" as const, address: new Uint8Array(4), port: 0 }] },
      "candidates",
    ],
    [
      "seven candidates",
      {
        candidates: Array.from({ length: 7 }, () => ({
          kind: "ipv4" as const,
          address: Uint8Array.of(10, 0, 0, 1),
          port: 9,
        })),
      },
      "candidates",
    ],
  ])("is refused with %s", (_name, change, issue) => {
    const [honest] = fc.sample(frame, 1);
    if (!honest) throw new Error("no sample");
    expect(() => writeQrFrame({ ...honest, ...change })).toThrow(
      expect.objectContaining({ code: "code-invalid", values: { issue } }),
    );
  });
});
