import type { Peer } from "@warren/core";
import { expect, it } from "vitest";
import { receiverOf } from "./send.ts";
import type { Session } from "./session.ts";

/** A session whose members are those of the next list each time that something is waited for. */
function sessionWith(...lists: readonly (readonly string[])[]) {
  const left = [...lists];
  const members = () => (left[0] ?? []).map((clientId) => ({ clientId, ready: true }) as Peer);
  const peers = () => Object.fromEntries(members().map((peer) => [peer.clientId, peer]));
  const session = {
    readyPeers: members,
    nameOf: (id: string) => id,
    warren: { room: { store: { getState: () => ({ status: "connected", peers: peers() }) } } },
    until: async <T>(find: () => T | undefined): Promise<T> => {
      for (;;) {
        const found = find();
        if (left.length > 1) left.shift();
        if (found !== undefined) return found;
      }
    },
  };
  return session as unknown as Session;
}

it("waits for the next one if the receiver leaves before it is decided whom to send to", async () => {
  const receiver = await receiverOf(sessionWith(["ann"], [], [], ["ben"]), undefined);
  expect(receiver.clientId).toBe("ben");
});

it("asks which one of several is meant", async () => {
  const several = receiverOf(sessionWith(["ann", "ben"]), undefined);
  await expect(several).rejects.toThrow("Name one with --to: ann (ann), ben (ben)");
});
