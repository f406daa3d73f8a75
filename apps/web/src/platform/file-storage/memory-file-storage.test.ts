import { describeFileStorage } from "@warren/core/testing";
import { describe, expect, it } from "vitest";
import { MemoryFileStorage } from "./memory-file-storage.ts";

const files = new MemoryFileStorage();
describeFileStorage("The page's memory", async () => files);

describe("memory file storage", () => {
  it("stores files up to its limit, and frees space when files are removed", async () => {
    const storage = new MemoryFileStorage(100);
    const sink = await storage.openSink("file-0001", {
      fileSize: 120,
      chunkSize: 60,
      mimeType: "text/plain",
    });
    await sink.write(0, new Uint8Array(60), new Uint8Array(32));
    expect(await storage.freeBytes()).toBe(40);
    await expect(sink.write(1, new Uint8Array(60), new Uint8Array(32))).rejects.toMatchObject({
      code: "storage-full",
    });
    await storage.remove("file-0001");
    expect(await storage.freeBytes()).toBe(100);
  });
});
