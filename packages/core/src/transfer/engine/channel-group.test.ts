import type { TransferControl } from "@warren/protocol";
import { expect, it } from "vitest";
import { createFakeChannelPair } from "../../testing/fake-data-channel.ts";
import { ChannelGroup } from "./channel-group.ts";

it("sends frames queued before its channel was open as soon as it opens", async () => {
  const { local, remote } = createFakeChannelPair();
  const group = new ChannelGroup();
  const heard: unknown[] = [];
  remote.onmessage = ({ data }) => heard.push(data);
  group.add(local);
  const control = { type: "complete", root: "ab".repeat(32) } satisfies TransferControl;
  group.sendControl(control);
  await expect.poll(() => heard).toEqual([JSON.stringify(control)]);
});
