import { WarrenError } from "@warren/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64url, encodeBase64url, utf8 } from "./encoding.ts";
import type { HandshakeFailure } from "./handshake-error.ts";
import { boxOverheadBytes, createOpener, createSealer, type SealedBox } from "./sealed-box.ts";

const key = new Uint8Array(32).fill(3);
const sid = new Uint8Array(32).fill(4);
const offer = utf8("an offer");
const failure = (reason: HandshakeFailure) => new WarrenError("handshake-failed", { reason });

test("opens what was sealed, in order, gaps allowed", () => {
  const sealer = createSealer(key, sid, "A");
  const opener = createOpener(key, sid, "A");
  const boxes = ["a", "b", "c"].map((text) => sealer.seal("candidate", utf8(text)));
  expect(boxes.map(({ seq }) => seq)).toEqual([0, 1, 2]);
  expect(boxes.map(({ box }) => decodeBase64url(box)?.length)).toEqual([17, 17, 17]);
  expect(boxOverheadBytes).toBe(16);
  for (const [box, text] of [[boxes[0], "a"] as const, [boxes[2], "c"] as const]) {
    if (box === undefined) throw new Error("three boxes were sealed");
    expect(opener.open(box)).toEqual(utf8(text));
  }
});

test("opens no box twice and none that is older than the last", () => {
  const sealer = createSealer(key, sid, "A");
  const opener = createOpener(key, sid, "A");
  const [first, second] = [sealer.seal("offer", offer), sealer.seal("offer", offer)];
  opener.open(second);
  expect(() => opener.open(second)).toThrow(failure("order"));
  expect(() => opener.open(first)).toThrow(failure("order"));
  expect(() => opener.open({ ...second, seq: -1 })).toThrow(failure("order"));
});

test("a forged box does not shut out the true one", () => {
  const sealed = createSealer(key, sid, "A").seal("offer", offer);
  const opener = createOpener(key, sid, "A");
  expect(() => opener.open({ ...sealed, seq: 2 ** 40 })).toThrow(failure("tag"));
  expect(opener.open(sealed)).toEqual(offer);
});

test("opens no box of another run, direction, kind, number or key", () => {
  const sealed = createSealer(key, sid, "A").seal("offer", offer);
  const refused = (box: SealedBox, opener = createOpener(key, sid, "A")) =>
    expect(() => opener.open(box)).toThrow(failure("tag"));
  refused(sealed, createOpener(key, sid, "B"));
  refused(
    sealed,
    createOpener(
      key,
      sid.map((byte) => byte ^ 1),
      "A",
    ),
  );
  refused(
    sealed,
    createOpener(
      key.map((byte) => byte ^ 1),
      sid,
      "A",
    ),
  );
  refused({ ...sealed, kind: "answer" });
  refused({ ...sealed, seq: 1 });
});

test("opens no box with any bit flipped", () => {
  const sealed = createSealer(key, sid, "A").seal("offer", offer);
  const bytes = decodeBase64url(sealed.box) ?? new Uint8Array(0);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const box = encodeBase64url(flipped);
    expect(() => createOpener(key, sid, "A").open({ ...sealed, box })).toThrow(failure("tag"));
  }
});

test("answers whatever comes with a typed error", () => {
  const kind = fc.string();
  const seq = fc.oneof(fc.integer(), fc.double());
  fc.assert(
    fc.property(fc.record({ seq, kind, box: fc.string() }), (box) => {
      expect(() => createOpener(key, sid, "A").open(box)).toThrow(WarrenError);
    }),
  );
});
