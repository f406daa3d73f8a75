import type { ClientId, SealedSignal } from "@warren/protocol";
import { expect } from "vitest";
import { SealedRooms } from "../connection/sealed-room.ts";
import { generateIdentityKey, type Identity, identityOf } from "../handshake/identity.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { createFakeCertificate } from "./fake-certificate.ts";
import { FakeClock } from "./fake-clock.ts";

const roomTag = roomTagOf("burrow");

/** A client with a key of its own. */
export async function newIdentity(): Promise<Identity> {
  return identityOf(await generateIdentityKey(crypto.subtle), crypto.subtle);
}

/** Two ends of a wire, each named by who is at the other one; `passes` may lose or keep back what is on its way. */
function wire(
  one: ClientId,
  other: ClientId,
  passes: (signal: SealedSignal, deliver: () => void) => boolean = () => true,
): [SignalSender, SignalSender] {
  const listeners: [Set<(signal: SealedSignal) => void>, Set<(signal: SealedSignal) => void>] = [
    new Set(),
    new Set(),
  ];
  const end = (own: 0 | 1, targetId: ClientId): SignalSender => ({
    targetId,
    sendSignal: (signal) => {
      const deliver = () =>
        queueMicrotask(() => {
          for (const listener of listeners[own === 0 ? 1 : 0]) listener(signal);
        });
      if (passes(signal, deliver)) deliver();
    },
    listenForSignal: (callback) => {
      listeners[own].add(callback);
      return () => listeners[own].delete(callback);
    },
    close: () => listeners[own].clear(),
  });
  return [end(0, other), end(1, one)];
}

/**
 * A member of a locked room that greets, and those who come to its door or are said to be members. An empty password is
 * as right, or as wrong, as any other, and cheap to derive from.
 */
export async function lockedRoom({ password = "tidal" }: { password?: string | null } = {}) {
  const clock = new FakeClock();
  const roomsOf = (identity: Identity) =>
    new SealedRooms({
      identity,
      createCertificate: async () => createFakeCertificate(),
      clock,
      mustProveId: async () => false,
    });
  const member = await newIdentity();
  const rooms = roomsOf(member);
  const asked: ClientId[] = [];
  rooms.events.on("approval-needed", (clientId) => asked.push(clientId));
  let room = rooms.enter({ roomTag, password });
  /** The member leaves, and enters a room of the same name with another password. */
  const enter = (next: string | null) => {
    room = rooms.enter({ roomTag, password: next });
  };
  const knock = (newcomer: Identity, password: string | null) => {
    const [inside, outside] = wire(member.clientId, newcomer.clientId);
    const { prove } = roomsOf(newcomer).enter({ roomTag, password });
    const proven = prove(outside);
    proven.catch(() => {});
    let isDeferred = false;
    const greetAgain = () =>
      room.greet(inside, () => {
        isDeferred = true;
      });
    return { greeted: greetAgain(), greetAgain, proven, isDeferred: () => isDeferred };
  };
  /** The links of both sides once the server has made them members. */
  const meet = (other: Identity, theirs: string | null, passes?: Parameters<typeof wire>[2]) => {
    const [inside, outside] = wire(member.clientId, other.clientId, passes);
    const { links } = roomsOf(other).enter({ roomTag, password: theirs });
    return { ours: room.links(inside), others: links(outside) };
  };
  /** Uses up what may fail. */
  const guessTenTimes = async () => {
    const guesses = (await newIdentities(10)).map((guesser) =>
      knock(guesser, password === null ? "wrong" : null),
    );
    const gaveUp = Promise.all(guesses.map(({ greeted }) => expect(greeted).rejects.toThrow()));
    for (const { proven } of guesses)
      await expect(proven).rejects.toMatchObject({ code: "incorrect-password" });
    await clock.advance(60_000);
    await gaveUp;
  };
  const letIn = (clientId: ClientId) => rooms.letIn(clientId);
  return { clock, asked, enter, knock, meet, guessTenTimes, letIn };
}

/** As {@link newIdentity}, so many of them. */
export const newIdentities = (count: number) => Promise.all(Array.from({ length: count }, newIdentity));
