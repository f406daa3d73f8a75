import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64url, encodeBase64url, lv, lvCat, utf8 } from "./encoding.ts";

const range = (length: number) => Uint8Array.from({ length }, (_, i) => i);

// draft-irtf-cfrg-cpace-21, A.1.2 and A.1.4
test("prepends lengths as in the vectors of the CPace draft", () => {
  expect(bytesToHex(lv(utf8("")))).toBe("00");
  expect(bytesToHex(lv(utf8("1234")))).toBe("0431323334");
  expect(bytesToHex(lv(range(127)))).toBe(`7f${bytesToHex(range(127))}`);
  expect(bytesToHex(lv(range(128)))).toBe(`8001${bytesToHex(range(128))}`);
  expect(bytesToHex(lvCat("1234", "5", "", "678"))).toBe("043132333401350003363738");
});

test("never gives two lists of parts the same encoding", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const same = one.map(bytesToHex).join() === other.map(bytesToHex).join();
      const alike = one.length === other.length && same;
      expect(bytesToHex(lvCat(...one)) === bytesToHex(lvCat(...other))).toBe(alike);
    }),
  );
});

test("reads back the base64url it writes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(decodeBase64url(encodeBase64url(bytes))).toEqual(bytes);
    }),
  );
});

test("rejects every other spelling of the same bytes", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = decodeBase64url(text);
      expect(bytes === null || encodeBase64url(bytes) === text).toBe(true);
    }),
  );
  for (const text of ["AB", "AA==", "A A", "A", "AA+/", "AAé"]) {
    expect(decodeBase64url(text)).toBeNull();
  }
});
