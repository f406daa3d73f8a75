import type { ClientId, SealedSignal } from "@warren/protocol";
import { expect } from "vitest";
import { generateIdentityKey, type Identity, identityOf } from "../handshake/identity.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { SealedRooms } from "../sealed/sealed-room.ts";
import { createFakeCertificate } from "./fake-certificate.ts";
import { FakeClock } from "./fake-clock.ts";

const roomTag = roomTagOf("burrow");

/** The identity of a client with its own key. */
export async function newIdentity(): Promise<Identity> {
  return identityOf(await generateIdentityKey(crypto.subtle), crypto.subtle);
}

/** Two connected ends, each named by the client at the other end; `passes` may drop or delay messages. */
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
 * A greeting member of a locked room, with its newcomers and alleged members. Its password may
 * be empty: that is never hashed, which is slow.
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
  rooms.on("approval-needed", (clientId) => asked.push(clientId));
  let room = rooms.enter({ roomTag, password });
  /** The member leaves, and joins a room of the same name with another password. */
  const enter = (next: string | null) => {
    room = rooms.enter({ roomTag, password: next });
  };
  const knock = (newcomer: Identity, password: string | null) => {
    const [inside, outside] = wire(member.clientId, newcomer.clientId);
    const { prove } = roomsOf(newcomer).enter({ roomTag, password });
    const proven = prove(outside);
    proven.catch(() => {});
    let isDeferred = false;
    const gone = new AbortController();
    const greetAgain = () =>
      room.greet(
        inside,
        () => {
          isDeferred = true;
        },
        gone.signal,
      );
    const leave = () => gone.abort();
    return { greeted: greetAgain(), greetAgain, proven, leave, isDeferred: () => isDeferred };
  };
  /** The links of both sides after the server made them members. */
  const meet = (other: Identity, theirs: string | null, passes?: Parameters<typeof wire>[2]) => {
    const [inside, outside] = wire(member.clientId, other.clientId, passes);
    const { links } = roomsOf(other).enter({ roomTag, password: theirs });
    return { ours: room.links(inside), others: links(outside) };
  };
  /** Uses up the budget of failures. */
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

/** Creates `count` identities as {@link newIdentity} does. */
export const newIdentities = (count: number) => Promise.all(Array.from({ length: count }, newIdentity));
