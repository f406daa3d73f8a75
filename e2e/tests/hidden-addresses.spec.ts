import type { Page } from "@playwright/test";
import { launchOptions } from "../support/browser.ts";
import { deliverText, openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";

/**
 * The default of real browsers: a page without camera or microphone permission sees mDNS names instead of addresses.
 */
const hidingAddresses = (launchOptions.args ?? []).filter((argument) => !argument.includes("Mdns"));
test.use({ launchOptions: { ...launchOptions, args: hidingAddresses } });

/** The addresses visible to a page, and whether two connections of that page can connect with them. */
function probe(
  page: Page,
): Promise<{ readonly addresses: readonly string[]; readonly isConnected: boolean }> {
  return page.evaluate(async () => {
    const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
    const addresses: string[] = [];
    const pairs = [
      [one, other],
      [other, one],
    ] as const;
    for (const [from, to] of pairs) {
      from.onicecandidate = ({ candidate }) => {
        if (candidate?.address) addresses.push(candidate.address);
        if (candidate) void to.addIceCandidate(candidate);
      };
    }
    const channel = one.createDataChannel("probe");
    const opened = new Promise<boolean>((resolve) => {
      channel.onopen = () => resolve(true);
      setTimeout(() => resolve(false), 10_000);
    });
    await one.setLocalDescription();
    await other.setRemoteDescription(one.localDescription ?? { type: "offer" });
    await other.setLocalDescription();
    await one.setRemoteDescription(other.localDescription ?? { type: "answer" });
    const isConnected = await opened;
    one.close();
    other.close();
    return { addresses, isConnected };
  });
}

test("people meet although their browsers hide their addresses from pages", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await ada.page.goto("/");
  const { addresses, isConnected } = await probe(ada.page);
  // biome-ignore lint/suspicious/noSkippedTests: the machine lacks multicast, which is no fault of Warren
  test.skip(
    !isConnected,
    "this machine passes on no multicast, so no browser here finds another by such a name",
  );
  expect(addresses).not.toEqual([]);
  for (const address of addresses) expect(address).toMatch(/\.local$/);

  await meet([ada, bo], { room });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await deliverText(ada.page, bo.page, "You do not see where I am");
});
