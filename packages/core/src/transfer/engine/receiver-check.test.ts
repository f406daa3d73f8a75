import { encodeBlock, type TransferControl } from "@warren/protocol";
import { expect, it } from "vitest";
import { FileLibrary } from "../../files/file-library.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { noise, openReceived } from "../../testing/file-peers.ts";
import { MemoryFileStorage } from "../../testing/memory-file-storage.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileReceiver } from "./file-receiver.ts";

const chunkSize = 16 * 1024;

it("requests again after five seconds without any message, otherwise ten after the last one", async () => {
  const clock = new FakeClock();
  const library = new FileLibrary({ storage: new MemoryFileStorage(), clock });
  const file = await openReceived(
    library,
    { fid: "some-file-1", fileName: "a", fileSize: 3 * chunkSize, mimeType: "", lastModified: 0, chunkSize },
    "00000000-0000-4000-8000-00000000000a",
  );
  const asked: TransferControl[] = [];
  const receiver = new FileReceiver({
    ...{ file, clock },
    channels: Object.assign(new ChannelGroup(), {
      sendControl: (control: TransferControl) => asked.push(control),
    }),
  });
  const askedFor = () =>
    asked.flatMap((control) => (control.type === "request-content" ? [control.ranges] : []));
  receiver.start();
  await clock.advance(4_999);
  expect(askedFor()).toEqual([[[0, 2]]]);
  await clock.advance(1);
  expect(askedFor()).toEqual([[[0, 2]], [[0, 2]]]);
  const data = noise(chunkSize);
  receiver.handleBlock(
    encodeBlock({ chunk: 0, block: 0, last: true, encoding: "plain", digest: null, data }),
  );
  await clock.advance(9_999);
  expect(askedFor()).toHaveLength(2);
  await clock.advance(1);
  expect(askedFor().slice(2)).toEqual([[[1, 2]]]);
  await receiver.close();
});
