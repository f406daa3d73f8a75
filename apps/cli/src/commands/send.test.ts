import type { Peer } from "@warren/core";
import { expect, it, vi } from "vitest";
import type { CommandEvent } from "../terminal/events.ts";
import { receiverOf, sendToOne } from "./send.ts";
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

it("does not wait for ever for the one who took it, and may have ended with everything", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const said: CommandEvent[] = [];
  const alone = sessionWith([]);
  const message = {
    type: "file",
    key: "offered",
    client: "ann",
    file: { fileName: "a", fileSize: 1 },
    offers: { ben: { state: "accepted" } },
  };
  const session = {
    ...alone,
    report: { event: (event: CommandEvent) => void said.push(event) },
    warren: {
      ...alone.warren,
      chat: { store: { getState: () => ({ conversations: { ben: { messages: [message] } } }) } },
    },
    until: async (find: () => unknown) => {
      for (let seconds = 0; seconds < 3_600; seconds++) {
        find();
        vi.advanceTimersByTime(1_000);
      }
      throw new Error("it still waits");
    },
  } as unknown as Session;
  try {
    const sending = sendToOne(session, {} as never, undefined, "offered", () => {});
    await expect(sending).rejects.toMatchObject({ exitCode: 6, message: /^ben did not go on/ });
    expect(said).toMatchObject([{ event: "waiting", for: "rest", from: "ben", minutes: 10 }]);
  } finally {
    vi.useRealTimers();
  }
});
