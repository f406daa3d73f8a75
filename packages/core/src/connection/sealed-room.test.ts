import type { ClientId, SealedSignal } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { generateIdentityKey, type Identity, identityOf } from "../handshake/identity.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { roomTagOf } from "../shared/ids.ts";
import { createFakeCertificate } from "../testing/fake-certificate.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { SealedRooms } from "./sealed-room.ts";
import { loadHandshake } from "./sealed-signal-links.ts";

const roomTag = roomTagOf("burrow");

async function newIdentity(): Promise<Identity> {
  return identityOf(await generateIdentityKey(crypto.subtle), crypto.subtle);
}

/** Two ends of a wire, each named by who is at the other one. */
function wire(one: ClientId, other: ClientId): [SignalSender, SignalSender] {
  const listeners: [Set<(signal: SealedSignal) => void>, Set<(signal: SealedSignal) => void>] = [
    new Set(),
    new Set(),
  ];
  const end = (own: 0 | 1, targetId: ClientId): SignalSender => ({
    targetId,
    sendSignal: (signal) =>
      queueMicrotask(() => {
        for (const listener of listeners[own === 0 ? 1 : 0]) listener(signal);
      }),
    listenForSignal: (callback) => {
      listeners[own].add(callback);
      return () => listeners[own].delete(callback);
    },
    close: () => listeners[own].clear(),
  });
  return [end(0, other), end(1, one)];
}

/** A member of a locked room that greets, and those who come to its door. */
async function lockedRoom() {
  await loadHandshake();
  const clock = new FakeClock();
  const roomsOf = (identity: Identity) =>
    new SealedRooms({
      identity,
      certificate: Promise.resolve(createFakeCertificate()),
      clock,
      mustProveId: async () => false,
    });
  const member = await newIdentity();
  const rooms = roomsOf(member);
  const asked: ClientId[] = [];
  rooms.onApprovalNeeded((clientId) => asked.push(clientId));
  const room = rooms.enter({ roomTag, password: "tidal" });
  const knock = (newcomer: Identity, password: string | null) => {
    const [inside, outside] = wire(member.clientId, newcomer.clientId);
    const { prove } = roomsOf(newcomer).enter({ roomTag, password });
    const proven = prove(outside);
    proven.catch(() => {});
    return { greeted: room.greet(inside), proven };
  };
  return { clock, asked, knock, letIn: (clientId: ClientId) => rooms.letIn(clientId) };
}

describe("the door of a room with a password", () => {
  it("opens to who knows it, without a person's word", async () => {
    const { asked, knock } = await lockedRoom();
    const { greeted, proven } = knock(await newIdentity(), "tidal");
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
    expect(asked).toEqual([]);
  });

  it("waits for a person after ten wrong ones, and says nothing that a password could be tested on", async () => {
    const { clock, asked, knock, letIn } = await lockedRoom();
    for (let guess = 0; guess < 10; guess++) {
      const { greeted, proven } = knock(await newIdentity(), null);
      await expect(proven).rejects.toMatchObject({ code: "incorrect-password" });
      const gaveUp = expect(greeted).rejects.toThrow();
      await clock.advance(25_000);
      await gaveUp;
    }
    expect(asked).toEqual([]);

    const jun = await newIdentity();
    const { greeted, proven } = knock(jun, "tidal");
    let ended = false;
    const note = () => {
      ended = true;
    };
    greeted.then(note, note);
    await clock.advance(10_000);
    expect(asked).toEqual([jun.clientId]);
    expect(ended).toBe(false);
    letIn(jun.clientId);
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
  });

  it("stays closed when nobody says a word", async () => {
    const { clock, knock } = await lockedRoom();
    for (let guess = 0; guess < 10; guess++) {
      const { greeted, proven } = knock(await newIdentity(), null);
      await expect(proven).rejects.toThrow();
      const gaveUp = expect(greeted).rejects.toThrow();
      await clock.advance(25_000);
      await gaveUp;
    }
    const { greeted } = knock(await newIdentity(), "tidal");
    const refused = expect(greeted).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(20_000);
    await refused;
  });
});
