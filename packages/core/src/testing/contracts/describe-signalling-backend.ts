import type { ClientId, RoomMember, SealedSignal } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SignallingBackend, SignallingClient, SignallingClientStatus } from "../../ports/signalling.ts";
import { openSeat } from "../open-seat.ts";
import { sampleBox } from "../sample-box.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";
const cem: ClientId = "00000000-0000-4000-8000-00000000000c";
const burrow = "b".repeat(43);
const warren = "w".repeat(43);

/** Waits for a backend's asynchronous effects. */
const come = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 15_000 });

/** A backend for one test, with its cleanup. */
export interface SignallingBackendFixture {
  /** A page's backend, before and after a reload; its storage is not shared with other pages. */
  readonly page: () => SignallingBackend;
  readonly close: () => Promise<void> | void;
}

/** The contract of every signalling backend; of one whose rooms have two seats, as far as two members go. */
export function describeSignallingBackend(
  name: string,
  open: () => Promise<SignallingBackendFixture>,
  { seats = Number.POSITIVE_INFINITY }: { readonly seats?: number } = {},
): void {
  describe(`the ${name} signalling backend`, () => {
    let fixture: SignallingBackendFixture;
    let clients: SignallingClient[];
    const enter = async (clientId: ClientId, roomTag = burrow, page = fixture.page()) => {
      const client = await page.createClient({ ...openSeat, roomTag, clientId });
      clients.push(client);
      return client;
    };
    const offer = (content: string) => sampleBox("offer", content);

    beforeEach(async () => {
      fixture = await open();
      clients = [];
    });
    afterEach(async () => {
      for (const client of clients) client.destroy();
      await fixture.close();
    });

    it("gives each client of a room a later place than those before", async () => {
      const [first, second] = [await enter(ann), await enter(ben)];
      expect(first.self.clientId).toBe(ann);
      expect(second.self.clientId).toBe(ben);
      expect(second.self.order).toBeGreaterThan(first.self.order);
    });

    it("announces those present to a newcomer and the newcomer to them", async () => {
      const first = await enter(ann);
      const joined = membersOf(first);
      const second = await enter(ben);
      const present = membersOf(second);
      await come(() => expect(joined).toEqual([[second.self, false]]));
      expect(present).toEqual([[first.self, false]]);
    });

    it("announces one who came before anyone listened", async () => {
      const first = await enter(ann);
      const second = await enter(ben);
      const joined: RoomMember[] = [];
      await come(() => {
        const members: RoomMember[] = [];
        first.listenForJoin((member) => members.push(member))();
        joined.splice(0, joined.length, ...members);
        expect(joined).toEqual([second.self]);
      });
    });

    it.skipIf(seats < 3)("keeps rooms apart", async () => {
      const first = await enter(ann);
      const joined = membersOf(first);
      const elsewhere = await enter(ben, warren);
      const third = await enter(cem);
      await come(() => expect(joined).toEqual([[third.self, false]]));
      expect(membersOf(elsewhere)).toEqual([]);
    });

    it.each(["destroy", "vanish"] as const)("reports who has left by %s", async (way) => {
      const first = await enter(ann);
      const left = vi.fn();
      first.listenForLeave(left);
      const joined = membersOf(first);
      const second = await enter(ben);
      await come(() => expect(joined).toHaveLength(1));
      second[way]();
      await come(() => expect(left).toHaveBeenCalledExactlyOnceWith(ben));
      expect(membersOf(first)).toEqual([]);
    });

    it("delivers signals in order, those sent before anyone listened first", async () => {
      const [first, second] = [await enter(ann), await enter(ben)];
      const toBen = first.createSender(ben);
      for (const sdp of ["1", "2", "3"]) toBen.sendSignal(offer(sdp));
      // Something of a later time, so that the signals have arrived unheard.
      const toAnn = second.createSender(ann);
      await come(() => expect(membersOf(first)).toHaveLength(1));
      const received: SealedSignal[] = [];
      toAnn.listenForSignal((signal) => received.push(signal));
      toBen.sendSignal(offer("4"));
      await come(() => expect(received).toEqual(["1", "2", "3", "4"].map(offer)));
    });

    it.skipIf(seats < 3)("delivers a signal to whom it is for and to nobody else", async () => {
      const [first, second, third] = [await enter(ann), await enter(ben), await enter(cem)];
      const received: string[] = [];
      second.createSender(ann).listenForSignal(() => received.push("ben from ann"));
      second.createSender(cem).listenForSignal(() => received.push("ben from cem"));
      third.createSender(ann).listenForSignal(() => received.push("cem from ann"));
      first.createSender(ben).sendSignal(offer("x"));
      third.createSender(ben).sendSignal(offer("y"));
      await come(() => expect(received).toHaveLength(2));
      expect(received.sort()).toEqual(["ben from ann", "ben from cem"]);
    });

    it("opens one sender to a member at a time", async () => {
      const first = await enter(ann);
      const sender = first.createSender(ben);
      expect(() => first.createSender(ben)).toThrow(expect.objectContaining({ code: "controller-exists" }));
      sender.close();
      expect(first.createSender(ben).targetId).toBe(ben);
    });

    it("is silent at a closed sender, which no longer sends", async () => {
      const [first, second] = [await enter(ann), await enter(ben)];
      const old = second.createSender(ann);
      const heardByOld = vi.fn();
      old.listenForSignal(heardByOld);
      old.close();
      const received: SealedSignal[] = [];
      second.createSender(ann).listenForSignal((signal) => received.push(signal));
      const closed = first.createSender(ben);
      closed.close();
      closed.sendSignal(offer("lost"));
      first.createSender(ben).sendSignal(offer("x"));
      await come(() => expect(received).toEqual([offer("x")]));
      expect(heardByOld).not.toHaveBeenCalled();
    });

    it("gives the seat to the same page's newest client, in the same place", async () => {
      const page = fixture.page();
      const [first, second] = [await enter(ann, burrow, page), await enter(ben)];
      const statuses: SignallingClientStatus[] = [];
      first.listenForStatus((status) => statuses.push(status));
      const joined = membersOf(second);
      const again = await enter(ann, burrow, page);
      await come(() => expect(statuses.at(-1)?.status).toBe("closed"));
      expect(statuses.at(0)).toEqual({ status: "online" });
      expect(statuses.at(-1)).toMatchObject({ error: { code: "signalling-replaced" } });
      expect(again.self.order).toBe(first.self.order);
      await come(() => expect(joined.at(-1)).toEqual([again.self, true]));
    });
  });
}

function membersOf(client: SignallingClient): [RoomMember, boolean][] {
  const members: [RoomMember, boolean][] = [];
  client.listenForJoin((member, resumed) => members.push([member, resumed]));
  return members;
}
