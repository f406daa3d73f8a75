import { describe, expect, it } from "vitest";
import type { Identity } from "../handshake/identity.ts";
import { peersOf } from "../room/room-state.ts";
import { TestPerson, TestWorld } from "../testing/test-world.ts";

/**
 * A server as man in the middle: each person meets it in a separate room, under the id of the other. It has
 * no key for that id, so it shows none.
 */
async function impostor(world: TestWorld, original: TestPerson, name: string): Promise<TestPerson> {
  const identity: Identity = {
    clientId: original.id,
    publicKey: new Uint8Array(0),
    verifiable: false,
    sign: async () => new Uint8Array(64),
  };
  const person = new TestPerson(world, name, identity, null, world.clock);
  await person.open();
  return person;
}

const proofAt = (person: TestPerson, id: string) => peersOf(person.warren.room.store.getState())[id]?.proof;

describe("a man in the middle in a room without a password", () => {
  it("is not prevented, but both people see different safety codes", async () => {
    const [left, right] = [new TestWorld(), new TestWorld()];
    const mara = await left.person("Mara");
    const jun = await right.person("Jun");
    const asJun = await impostor(left, jun, "Jun");
    const asMara = await impostor(right, mara, "Mara");
    for (const person of [mara, asJun, asMara, jun]) await person.warren.room.join();
    await left.untilMet(mara, asJun);
    await right.untilMet(asMara, jun);

    const atMara = proofAt(mara, jun.id);
    const atJun = proofAt(jun, mara.id);
    expect(atMara?.safetyCode).toEqual(proofAt(asJun, mara.id)?.safetyCode);
    expect(atJun?.safetyCode).toEqual(proofAt(asMara, jun.id)?.safetyCode);
    expect(atMara?.safetyCode).toHaveLength(7);
    expect(atMara?.safetyCode).not.toEqual(atJun?.safetyCode);
    expect([atMara?.verifiable, atJun?.verifiable]).toEqual([false, false]);
    expect(() => mara.warren.chat.markVerified(jun.id)).toThrow(
      expect.objectContaining({ code: "not-verifiable" }),
    );
  });

  it("shows other ids, and different codes, if it uses its own keys", async () => {
    const [left, right] = [new TestWorld(), new TestWorld()];
    const mara = await left.person("Mara");
    const asJun = await left.person("Jun");
    const asMara = await right.person("Mara");
    const jun = await right.person("Jun");
    for (const person of [mara, asJun, asMara, jun]) await person.warren.room.join();
    await left.untilMet(mara, asJun);
    await right.untilMet(asMara, jun);
    expect(asJun.id).not.toBe(jun.id);
    expect(proofAt(mara, asJun.id)?.safetyCode).not.toEqual(proofAt(jun, asMara.id)?.safetyCode);
  });

  it("cannot impersonate a known contact", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    await jun.warren.chat.sendText(mara.id, "hello");
    await mara.untilMessages(junId, (messages) => messages.length === 1);
    const asJun = await impostor(world, jun, "Jun");
    await jun.close();
    await mara.reload();
    await asJun.warren.room.join();
    await world.clock.advance(60_000);
    expect(peersOf(mara.warren.room.store.getState())[junId]?.ready).not.toBe(true);
    await asJun.warren.chat.sendText(mara.id, "it is me");
    await world.clock.advance(10_000);
    expect(mara.texts(junId)).toEqual(["hello"]);
  });
});
