import { WarrenError } from "@warren/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { HandshakeFailure } from "../handshake-error.ts";
import { decodeBase64url, encodeBase64url, utf8 } from "./encoding.ts";
import { boxOverheadBytes, createOpener, createSealer, type SealedBox } from "./sealed-box.ts";

const key = new Uint8Array(32).fill(3);
const sid = new Uint8Array(32).fill(4);
const offer = utf8("an offer");
const failure = (reason: HandshakeFailure) => new WarrenError("handshake-failed", { reason });
const withoutSubtle = { getRandomValues: crypto.getRandomValues.bind(crypto) };

describe.each([
  ["the platform's cipher", crypto],
  ["the portable cipher", withoutSubtle],
])("with %s", (_name, platform) => {
  beforeEach(() => void vi.stubGlobal("crypto", platform));
  afterEach(() => void vi.unstubAllGlobals());

  test("opens sealed boxes in order, with gaps", async () => {
    const sealer = createSealer(key, sid, "A");
    const opener = createOpener(key, sid, "A");
    const boxes = await Promise.all(["a", "b", "c"].map((text) => sealer.seal("candidate", utf8(text))));
    expect(boxes.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(boxes.map(({ box }) => decodeBase64url(box)?.length)).toEqual([17, 17, 17]);
    expect(boxOverheadBytes).toBe(16);
    for (const [box, text] of [[boxes[0], "a"] as const, [boxes[2], "c"] as const]) {
      if (box === undefined) throw new Error("three boxes were sealed");
      expect(await opener.open(box)).toEqual(utf8(text));
    }
  });

  test("opens no box twice, and none older than the last", async () => {
    const sealer = createSealer(key, sid, "A");
    const opener = createOpener(key, sid, "A");
    const [first, second] = [await sealer.seal("offer", offer), await sealer.seal("offer", offer)];
    await opener.open(second);
    await expect(opener.open(second)).rejects.toThrow(failure("order"));
    await expect(opener.open(first)).rejects.toThrow(failure("order"));
    await expect(opener.open({ ...second, seq: -1 })).rejects.toThrow(failure("order"));
  });

  test("opens a box only once if it arrives twice at the same time", async () => {
    const sealed = await createSealer(key, sid, "A").seal("offer", offer);
    const opener = createOpener(key, sid, "A");
    const opened = await Promise.allSettled([opener.open(sealed), opener.open(sealed)]);
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(opened).toContainEqual({ status: "rejected", reason: failure("order") });
  });

  test("a forged box does not block the genuine one", async () => {
    const sealed = await createSealer(key, sid, "A").seal("offer", offer);
    const opener = createOpener(key, sid, "A");
    await expect(opener.open({ ...sealed, seq: 2 ** 40 })).rejects.toThrow(failure("tag"));
    expect(await opener.open(sealed)).toEqual(offer);
  });

  test("opens no box of another run, direction, kind, number or key", async () => {
    const sealed = await createSealer(key, sid, "A").seal("offer", offer);
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1);
    const refused = (box: SealedBox, opener = createOpener(key, sid, "A")) =>
      expect(opener.open(box)).rejects.toThrow(failure("tag"));
    await refused(sealed, createOpener(key, sid, "B"));
    await refused(sealed, createOpener(key, flip(sid), "A"));
    await refused(sealed, createOpener(flip(key), sid, "A"));
    await refused({ ...sealed, kind: "answer" });
    await refused({ ...sealed, seq: 1 });
  });

  test("opens no box with any bit flipped", async () => {
    const sealed = await createSealer(key, sid, "A").seal("offer", offer);
    const bytes = decodeBase64url(sealed.box) ?? new Uint8Array(0);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const box = encodeBase64url(flipped);
      await expect(createOpener(key, sid, "A").open({ ...sealed, box })).rejects.toThrow(failure("tag"));
    }
  });

  test("rejects any input with a typed error", async () => {
    const kind = fc.string();
    const seq = fc.oneof(fc.integer(), fc.double());
    await fc.assert(
      fc.asyncProperty(fc.record({ seq, kind, box: fc.string() }), async (box) => {
        await expect(createOpener(key, sid, "A").open(box)).rejects.toThrow(WarrenError);
      }),
    );
  });
});

test("each cipher opens boxes of the other", async () => {
  const platform = createSealer(key, sid, "A");
  const platformOpener = createOpener(key, sid, "A");
  vi.stubGlobal("crypto", withoutSubtle);
  const portable = createSealer(key, sid, "A");
  const portableOpener = createOpener(key, sid, "A");
  vi.unstubAllGlobals();
  expect(await platform.seal("offer", offer)).toEqual(await portable.seal("offer", offer));
  expect(await portableOpener.open(await platform.seal("offer", offer))).toEqual(offer);
  expect(await platformOpener.open(await portable.seal("offer", offer))).toEqual(offer);
});
