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

it("reports bad frames as violations, as many as get a client refused", async () => {
  const { local, remote } = createFakeChannelPair();
  const group = new ChannelGroup();
  const issues: string[] = [];
  const controls: TransferControl[] = [];
  group.on("violation", (issue) => issues.push(issue));
  group.on("control", (control) => controls.push(control));
  group.add(local);
  await expect.poll(() => remote.readyState).toBe("open");
  for (let n = 0; n < 50; n++) remote.send("{");
  remote.send(JSON.stringify({ type: "complete", root: "ab".repeat(32) }));
  await expect.poll(() => controls).toHaveLength(1);
  expect(issues).toEqual(Array(20).fill("frame-not-json"));
});
