import { expect, it } from "vitest";
import { blobSource } from "../files/file-source.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { createFakeChannelPair } from "../testing/fake-data-channel.ts";
import { LazyTransferEngine } from "./lazy-transfer-engine.ts";

it("closes the channels of a transfer that is given up before its code has come", async () => {
  const engine = new LazyTransferEngine({ clock: new FakeClock() });
  const { local } = createFakeChannelPair({ label: "some-file-1-0" });
  const unexpected = () => expect.fail("a closed run tells nothing");
  const run = engine.send(
    {
      peerId: "00000000-0000-4000-8000-00000000000a",
      description: {
        fid: "some-file-1",
        fileName: "a",
        fileSize: 3,
        mimeType: "",
        lastModified: 0,
        chunkSize: 65_536,
      },
      source: blobSource(new Blob(["abc"])),
      channels: [local],
      options: { blockSize: 32_768, bufferedAmountLowThreshold: 32_768, compressionLevel: 0 },
    },
    {
      onOpen: unexpected,
      onChannelsClosed: unexpected,
      onMerging: unexpected,
      onComplete: unexpected,
      onError: unexpected,
    },
  );
  expect(run.channelCount).toBe(1);
  await run.close();
  expect(["closing", "closed"]).toContain(local.readyState);
});
