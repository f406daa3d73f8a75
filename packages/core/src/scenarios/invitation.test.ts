import { describe, expect, it } from "vitest";
import { peersOf } from "../room/room-state.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const contactOf = (person: TestPerson, id: string) => person.warren.chat.store.getState().contacts[id];
const peerOf = (person: TestPerson, id: string) => peersOf(person.warren.room.store.getState())[id];

describe("a link that names its author", () => {
  it("makes the author known on first contact, also with reloads before and after it", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    const jun = await world.person("Jun");
    await mara.warren.room.join();
    jun.warren.invitations.pin(mara.id);
    await jun.close();
    await jun.reopen();
    await world.untilMet(mara, jun);
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("invited");
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("unverified");
    await jun.reload();
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("invited");
  });

  it("makes no other client known", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    const jun = await world.person("Jun");
    jun.warren.invitations.pin("00000000-0000-4000-8000-000000000001");
    await mara.warren.room.join();
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("unverified");
  });

  it("rejects clients that claim the author's id without its key", async () => {
    const world = new TestWorld();
    const kiosk = await world.keylessPerson("Mara");
    const jun = await world.person("Jun");
    jun.warren.invitations.pin(kiosk.id);
    await kiosk.warren.room.join();
    await jun.warren.room.join();
    await world.until(() => peerOf(jun, kiosk.id)?.error !== null && peerOf(jun, kiosk.id) !== undefined);
    expect(peerOf(jun, kiosk.id)).toMatchObject({ ready: false, error: { code: "handshake-failed" } });
    expect(contactOf(jun, kiosk.id)).toBeUndefined();
  });

  it("grants nothing where settings require a compared safety code", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    const jun = await world.person("Jun");
    jun.warren.invitations.pin(mara.id);
    jun.warren.settings.set("trust", "verified");
    await mara.warren.room.join();
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    jun.warren.chat.permit(mara.id, { clipboardAllowed: true });
    await mara.warren.chat.sendClipboard(jun.id, "text");
    await world.until(() => jun.clipboard.length === 1);
    expect(jun.writtenClipboard).toEqual([]);
  });

  it("does not revoke the result of a compared code", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.chat.markVerified(mara.id);
    jun.warren.invitations.pin(mara.id);
    await jun.reload();
    await world.untilMet(mara, jun);
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("verified");

    jun.warren.chat.reportMismatch(mara.id);
    jun.warren.invitations.pin(mara.id);
    await jun.reload();
    await world.clock.advance(30_000);
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("blocked");
  });
});
