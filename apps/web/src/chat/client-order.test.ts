import { describe, expect, test } from "vitest";
import { clientIdOf, fakeContact, fakePeer, fakeText, roomWith } from "../testing/fake-records.ts";
import { clientOrder } from "./client-order.ts";

const [mara, noor, jun, elise] = [clientIdOf(1), clientIdOf(2), clientIdOf(3), clientIdOf(4)];

const talk = (id: string, at: number) => ({ [id]: { messages: [fakeText(id, id, "words", at)], unread: 0 } });
const contacts = (...list: readonly ReturnType<typeof fakeContact>[]) =>
  Object.fromEntries(list.map((contact) => [contact.clientId, contact]));

describe("the order of the people list", () => {
  test("has present peers first, then absent ones, each by their last message", () => {
    const room = roomWith([fakePeer(1, "Mara"), fakePeer(2, "Noor")]);
    const met = contacts(fakeContact(1, "Mara"), fakeContact(3, "Jun"), fakeContact(4, "Elise"));
    const conversations = { ...talk(mara, 10), ...talk(noor, 20), ...talk(jun, 30), ...talk(elise, 40) };
    expect(clientOrder({ contacts: met, conversations }, room)).toEqual({
      here: [noor, mara],
      away: [elise, jun],
    });
  });

  test("has peers without messages last, by name", () => {
    const room = roomWith([fakePeer(1, "Zoe"), fakePeer(2, "Ada"), fakePeer(3, "Jun")]);
    const order = clientOrder({ contacts: {}, conversations: talk(jun, 1) }, room);
    expect(order.here).toEqual([jun, noor, mara]);
  });

  test("counts a reconnecting peer as present, and an unreachable one as absent", () => {
    const room = roomWith([
      fakePeer(1, "Mara", { session: "reconnecting", ready: false }),
      fakePeer(2, "Noor", { session: "disconnected", ready: false }),
    ]);
    expect(clientOrder({ contacts: {}, conversations: {} }, room)).toEqual({ here: [mara], away: [noor] });
  });

  test("has only known contacts outside of a room", () => {
    const order = clientOrder(
      { contacts: contacts(fakeContact(1, "Mara")), conversations: {} },
      { status: "disconnected", error: null },
    );
    expect(order).toEqual({ here: [], away: [mara] });
  });
});
