import { expect, it } from "vitest";
import { decodePeerMessage } from "./peer-message.ts";
import { peerMessages } from "./testing/samples.ts";

it.each([
  ["fid", "file transfer message fid is undefined"],
  ["chunkSize", "chunkSize is not found"],
  ["fileName", "transfer file info is not set correctly"],
  ["fileSize", "transfer file info is not set correctly"],
  ["mimeType", "transfer file info is not set correctly"],
  ["lastModified", "transfer file info is not set correctly"],
])("a message about a file without %s is rejected with its own error", (field, text) => {
  const offers = peerMessages.filter(({ type }) => type === "send-file");
  expect(offers.length).toBeGreaterThan(1);
  for (const offer of offers) {
    const decoded = decodePeerMessage(JSON.stringify({ ...offer, [field]: undefined }));
    expect(decoded.ok ? null : decoded.error.message).toBe(text);
  }
});
