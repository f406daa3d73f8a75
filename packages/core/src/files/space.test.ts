import { expect, it } from "vitest";
import { ensureSpace } from "./space.ts";

const file = { fileSize: 1_000, chunkSize: 100 };
const room = (kind: "opfs" | "indexeddb", freeBytes: number | null) => ({
  kind,
  freeBytes: async () => freeBytes,
});

it("requires space for the missing chunks, and for assembling the file", async () => {
  await expect(ensureSpace(room("indexeddb", 2_200), file, null)).resolves.toBeUndefined();
  await expect(ensureSpace(room("indexeddb", 2_199), file, null)).rejects.toMatchObject({
    code: "not-enough-space",
    values: { neededBytes: 2_200, freeBytes: 2_199 },
  });
  await expect(ensureSpace(room("indexeddb", 1_100), file, { chunks: 5 })).resolves.toBeUndefined();
  await expect(ensureSpace(room("opfs", 1_049), file, null)).rejects.toMatchObject({
    code: "not-enough-space",
  });
});

it("requires nothing for a started file whose full size is already allocated", async () => {
  await expect(ensureSpace(room("opfs", 10), file, { chunks: 0 })).resolves.toBeUndefined();
});

it("leaves detection to the writes if the browser reports no space", async () => {
  await expect(ensureSpace(room("opfs", null), file, null)).resolves.toBeUndefined();
});
