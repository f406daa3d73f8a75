import type { ClientId } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SeatRequest, SignallingBackend } from "../../ports/signalling.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { describeSignallingBackend } from "../../testing/contracts/describe-signalling-backend.ts";
import { NodePeerConnections } from "../../testing/node-peer-connections.ts";
import { openSeat } from "../../testing/open-seat.ts";
import { readQrFrame, writeQrFrame } from "./qr-frame.ts";
import { QrMeeting } from "./qr-meeting.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";

let native: NodePeerConnections;
beforeEach(() => {
  native = new NodePeerConnections();
});
afterEach(() => native.closeAll());

const meeting = (clientId: ClientId) =>
  new QrMeeting({
    clientId,
    createPeerConnection: native.createPeerConnection,
    certificates: async () => [],
    clock: systemClock,
  });

/** Both have read each other's codes. */
async function twoMeetings(): Promise<[QrMeeting, QrMeeting]> {
  const [a, b] = [meeting(ann), meeting(ben)];
  await a.complete(await b.answer(await a.invite()));
  return [a, b];
}

/** The page that asks first has invited; the next one answers it as soon as it enters. */
class Pages {
  #first: QrMeeting | null = null;

  page(): SignallingBackend {
    if (this.#first === null) {
      const first = meeting(ann);
      this.#first = first;
      let invited: Promise<string> | null = null;
      return {
        createClient: async (seat: SeatRequest) => {
          invited ??= first.invite();
          await invited;
          return first.createClient(seat);
        },
      };
    }
    const first = this.#first;
    const second = meeting(ben);
    return {
      createClient: async (seat: SeatRequest) => {
        await first.complete(await second.answer(first.invitation ?? ""));
        await second.opened();
        return second.createClient(seat);
      },
    };
  }
}

describeSignallingBackend(
  "code",
  async () => {
    const pages = new Pages();
    return { page: () => pages.page(), close: () => {} };
  },
  { seats: 2 },
);

describe("two pages that read each other's codes", () => {
  it("are connected, know each other's id and have a room that only they know", async () => {
    const [a, b] = await twoMeetings();
    await Promise.all([a.opened(), b.opened()]);
    expect([a.peerId, b.peerId]).toEqual([ben, ann]);
    expect(a.room).toEqual(b.room);
    expect(a.room?.roomId).toMatch(/^here-[\w-]{22}$/);
    expect(a.room?.password).toHaveLength(22);
  });

  it("have the same room each time, with another password", async () => {
    const [first] = await twoMeetings();
    const [second] = await twoMeetings();
    expect(second.room?.roomId).toBe(first.room?.roomId);
    expect(second.room?.password).not.toBe(first.room?.password);
  });

  it("have no room before both codes were read", async () => {
    const invited = meeting(ann);
    await invited.invite();
    expect(invited.room).toBeNull();
  });

  it("show codes that fit into 300 bytes", async () => {
    const text = await meeting(ann).invite();
    expect(text).toMatch(/^WARREN:[A-Z2-7]+$/);
    expect(text.length).toBeLessThanOrEqual(494);
  });

  it.each([
    ["of one's own", async (a: QrMeeting) => a.invitation ?? "", "own"],
    ["that is an invitation, not an answer", async () => meeting(ben).invite(), "answer"],
    [
      "that answers an earlier invitation",
      async () => meeting(ben).answer(await meeting(ann).invite()),
      "nonce",
    ],
    ["of another app", async () => "https://example.org", "text"],
    ["of 10 kB", async () => `WARREN:${"A".repeat(10_240)}`, "text"],
  ])("refuse a code %s", async (_name, text, issue) => {
    const a = meeting(ann);
    await a.invite();
    await expect(a.complete(await text(a))).rejects.toMatchObject({
      code: "code-invalid",
      values: { issue },
    });
  });

  it("are not connected if the answer names another certificate", async () => {
    const [a, b] = [meeting(ann), meeting(ben)];
    const answer = readQrFrame(await b.answer(await a.invite()));
    const fingerprint = answer.fingerprint.map((byte) => byte ^ 1);
    await expect(
      a.complete(writeQrFrame({ ...answer, fingerprint })).then(() => a.opened(3_000)),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(?:connect-timeout|connection-closed)$/) });
  });

  it("say that the other device is gone, not that a server is", async () => {
    const [a, b] = await twoMeetings();
    await Promise.all([a.opened(), b.opened()]);
    const seat = await a.createClient({ ...openSeat, roomTag: "t".repeat(43), clientId: ann });
    const status = new Promise((resolve) => {
      seat.listenForStatus((now) => {
        if (now.status === "closed") resolve(now);
      });
    });
    b.close();
    expect(await status).toMatchObject({ error: { code: "code-connection-lost" } });
  });

  it("stop waiting when one is closed", async () => {
    const a = meeting(ann);
    await a.invite();
    const opened = a.opened();
    a.close();
    await expect(opened).rejects.toMatchObject({ code: "connection-closed" });
  });
});
