import { type ClientId, WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import type { SeatRequest, SignallingClient, SignalSender } from "../ports/signalling.ts";
import { settle } from "../testing/fake-clock.ts";
import { FakeSocket } from "../testing/fake-socket.ts";
import { sampleBox } from "../testing/sample-box.ts";
import { SignallingPages } from "../testing/signalling-pages.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";
const idOf = (number: number): ClientId => `10000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const hs1 = { type: "hs1", run: "r".repeat(22), v: 1, C: "C".repeat(43) } as const;

describe("a locked room over a websocket", () => {
  let pages: SignallingPages;
  let greeted: ClientId[];
  let left: ClientId[];
  let knowsPassword: boolean;
  /** A person's answer to an approval request; no request is made while it is null. */
  let approval: Promise<void> | null;
  let atAnn: SignallingClient;

  beforeEach(async () => {
    pages = new SignallingPages();
    greeted = [];
    knowsPassword = true;
    approval = null;
    left = [];
    const greet = async (newcomer: SignalSender, onDeferred: () => void, gone?: AbortSignal) => {
      greeted.push(newcomer.targetId);
      gone?.addEventListener("abort", () => left.push(newcomer.targetId));
      if (approval !== null) onDeferred();
      await approval;
      newcomer.sendSignal(hs1);
      await settle();
      if (!knowsPassword) throw new Error("wrong");
    };
    atAnn = await pages.enter(ann, undefined, { locked: true, greet });
    pages.server.greeter = atAnn.self;
  });

  const enterBen = (seat: Partial<SeatRequest> = {}) =>
    pages.enter(ben, undefined, { locked: true, ...seat });

  it("admits a newcomer that proved to a member that it knows the password", async () => {
    const received: string[] = [];
    const atBen = await enterBen({ prove: (greeter) => firstSignal(greeter, received) });
    expect(greeted).toEqual([ben]);
    expect(received).toEqual([`hs1 of ${ann}`]);
    expect(pages.framesOf("admit")).toEqual([{ type: "admit", clientId: ben }]);
    expect(atBen.self.order).toBeGreaterThan(atAnn.self.order);
  });

  it("rejects a newcomer whose password the member rejected, and does not retry", async () => {
    knowsPassword = false;
    await expect(enterBen()).rejects.toMatchObject({ code: "incorrect-password" });
    await pages.clock.advance(120_000);
    expect(pages.framesOf("reject")).toEqual([{ type: "reject", clientId: ben }]);
    expect(pages.openedAt).toHaveLength(2);
  });

  it("reports to a newcomer that it waits for a person, and admits it once approved", async () => {
    let letIn = () => {};
    approval = new Promise((resolve) => {
      letIn = resolve;
    });
    const waits: boolean[] = [];
    const received: string[] = [];
    const entering = enterBen({
      onWaiting: (isWaiting) => waits.push(isWaiting),
      prove: (greeter) => firstSignal(greeter, received),
    });
    await settle();
    expect(waits).toEqual([false, true]);
    await pages.clock.advance(50_000);
    letIn();
    await expect(entering).resolves.toBeDefined();
    expect(received).toEqual([`hs1 of ${ann}`]);
  });

  it("does not report an untested password as wrong", async () => {
    approval = Promise.reject(new WarrenError("approval-needed"));
    await expect(enterBen()).rejects.toMatchObject({ code: "not-admitted" });
  });

  it("answers only the last visit of a newcomer that returns while a person is asked", async () => {
    let giveUp = () => {};
    approval = new Promise((_resolve, reject) => {
      giveUp = () => reject(new WarrenError("approval-needed"));
    });
    enterBen().catch(() => {});
    await settle();
    approval = new Promise(() => {});
    enterBen().catch(() => {});
    await settle();
    giveUp();
    await settle();
    expect(greeted).toEqual([ben, ben]);
    expect(pages.framesOf("reject")).toEqual([]);
  });

  it("asks nobody about a newcomer that has gone, and answers it no more", async () => {
    approval = new Promise(() => {});
    enterBen().catch(() => {});
    await settle();
    expect(left).toEqual([]);
    pages.server.send(ann, { type: "member-left", clientId: ben });
    await settle();
    expect(left).toEqual([ben]);
    expect(pages.framesOf("reject")).toEqual([]);
  });

  it("greets eight newcomers at once and some four a second, however many knock", async () => {
    knowsPassword = false;
    for (let knocks = 0; knocks < 300; knocks++)
      pages.server.send(ann, { type: "knock", clientId: idOf(knocks) });
    await pages.clock.advance(0);
    expect(greeted).toHaveLength(8);
    await pages.clock.advance(2_000);
    expect(greeted).toHaveLength(8 + 1 + 6);
  });

  it("does not queue handshake signals of the admission for the following session", async () => {
    const atBen = await enterBen({ prove: (greeter) => firstSignal(greeter, []) });
    const received: string[] = [];
    atBen.createSender(ann).listenForSignal(({ type }) => received.push(type));
    atAnn.createSender(ben).sendSignal(sampleBox("offer", "x"));
    await settle();
    expect(received).toEqual(["box"]);
  });

  it("hides the following admission from a session that outlived its seat", async () => {
    const proofs: string[] = [];
    const prove = (greeter: SignalSender) => firstSignal(greeter, proofs);
    const atBen = await enterBen({ prove });
    const received: string[] = [];
    atBen.createSender(ann).listenForSignal(({ type }) => received.push(type));
    pages.server.drop(ben);
    pages.server.forget(ben);
    const isBack = new Promise<void>((resolve) => {
      atBen.listenForStatus(({ status }) => status === "online" && resolve());
    });
    await pages.clock.advance(10_000);
    await isBack;
    expect(proofs).toEqual([`hs1 of ${ann}`, `hs1 of ${ann}`]);
    expect(received).toEqual([]);
    atAnn.createSender(ben).sendSignal(sampleBox("offer", "x"));
    await settle();
    expect(received).toEqual(["box"]);
  });

  it.each([
    [4401, "password-required"],
    [4403, "incorrect-password"],
    [4404, "room-is-open"],
  ])("reports the meaning of close code %i", async (code, error) => {
    const entering = enterBen({ prove: () => new Promise(() => {}) });
    await settle();
    const socket = pages.server.sockets.at(-1);
    expect(socket).toBeInstanceOf(FakeSocket);
    socket?.end(code);
    await expect(entering).rejects.toMatchObject({ code: error });
  });
});

function firstSignal(greeter: SignalSender, received: string[]): Promise<void> {
  return new Promise((resolve) => {
    greeter.listenForSignal(({ type }) => {
      received.push(`${type} of ${greeter.targetId}`);
      resolve();
    });
  });
}
