import { WarrenError } from "@warren/protocol";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitter } from "../shared/emitter.ts";
import { silentLog } from "../shared/log.ts";
import { MemoryRecordStorage } from "../shared/storage/memory-record-storage.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { ChatRoom } from "./chat-deps.ts";
import { type ChatMessage, type Delivery, messageKeyOf } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import { Outbox } from "./outbox.ts";

const me = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";
const isLong = process.env.WARREN_LONG === "1";

/** Lets everything happen that waits for no timer. */
const aMoment = () => new Promise((resolve) => setImmediate(resolve));

interface Sending {
  readonly message: OutgoingMessage;
  readonly resolve: () => void;
  readonly reject: (error: WarrenError) => void;
}

/** A connection to Jun, whose bytes leave when a test lets them. */
class Line {
  isUp = true;
  isReachable = true;
  /** What is in the browser's buffer, or waits for the budget of its receiver. */
  readonly buffer: Sending[] = [];
  /** What arrived, each the first time. */
  readonly arrived: string[] = [];
  /** What Jun has yet to acknowledge. */
  readonly unacknowledged: string[] = [];

  readonly room = {
    readyPeers: () => (this.isUp ? [jun] : []),
    isReachable: () => this.isUp && this.isReachable,
    sendInTurn: (_to: string, message: OutgoingMessage) =>
      new Promise<void>((resolve, reject) => {
        if (this.isUp) this.buffer.push({ message, resolve, reject });
        else reject(new WarrenError("channel-not-open"));
      }),
  } as Partial<ChatRoom> as ChatRoom;

  /** The bytes of the first message leave, and it arrives. */
  async leave(): Promise<void> {
    const sending = this.buffer.shift();
    if (sending === undefined) return;
    const id = sending.message.id ?? "";
    if (!this.arrived.includes(id)) this.arrived.push(id);
    this.unacknowledged.push(id);
    sending.resolve();
    await aMoment();
  }

  async break(): Promise<void> {
    this.isUp = false;
    this.unacknowledged.length = 0;
    for (const { reject } of this.buffer.splice(0)) reject(new WarrenError("channel-not-open"));
    await aMoment();
  }
}

class Page {
  readonly clock = new FakeClock();
  readonly line = new Line();
  readonly messages = new MessageLog({
    room: "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k",
    storage: new MemoryRecordStorage(),
    clock: this.clock,
    log: silentLog,
    events: new Emitter(),
  });
  readonly outbox = new Outbox({
    messages: this.messages,
    clock: this.clock,
    selfId: me,
    hasRoomLog: false,
    leavesByLog: () => null,
    isRemoved: () => false,
    room: this.line.room,
  });
  #texts = 0;

  async open(): Promise<this> {
    await this.messages.loadContacts();
    await this.messages.load(me, (message: ChatMessage) => message);
    return this;
  }

  /** Writes a text. */
  async write(): Promise<void> {
    const data = `text ${this.#texts++}`;
    await this.outbox.post(jun, this.outbox.recipientsOfText(jun, data), { type: "text", data });
    await aMoment();
  }

  /** Jun acknowledges the first message. */
  async acknowledge(): Promise<void> {
    const id = this.line.unacknowledged.shift();
    if (id !== undefined) this.outbox.acknowledge(messageKeyOf(me, id), jun);
    await aMoment();
  }

  async pass(durationMs: number): Promise<void> {
    this.clock.tick(durationMs);
    await aMoment();
  }

  async break(): Promise<void> {
    await this.line.break();
    this.outbox.endFor(jun);
  }

  async reconnect(): Promise<void> {
    this.line.isUp = true;
    this.line.isReachable = true;
    this.outbox.deliverAllTo(jun);
    await aMoment();
  }

  get written(): readonly ChatMessage[] {
    return this.messages.conversation(jun).messages;
  }

  get statuses(): (Delivery["status"] | undefined)[] {
    return this.written.map(({ deliveries }) => deliveries[jun]?.status);
  }
}

describe("the outbox", () => {
  let page: Page;

  beforeEach(async () => {
    page = await new Page().open();
  });

  it("sends a message before the page renders it", async () => {
    const sentByThen: number[] = [];
    // As React renders.
    page.messages.store.subscribe(() =>
      queueMicrotask(() => {
        if (page.written.length > 0) sentByThen.push(page.line.buffer.length);
      }),
    );
    await page.write();
    expect(sentByThen[0]).toBe(1);
  });

  it("gives a message 5 s from when its bytes have left, not from when it was handed over", async () => {
    await page.write();
    await page.pass(60_000);
    expect(page.statuses).toEqual(["sending"]);
    await page.line.leave();
    await page.pass(4_999);
    expect(page.statuses).toEqual(["sending"]);
    await page.pass(1);
    expect(page.statuses).toEqual(["error"]);
    expect(page.written[0]?.deliveries[jun]).toMatchObject({ error: { code: "send-timeout" } });
  });

  it("gives a message its time anew while earlier ones are acknowledged one after another", async () => {
    for (let i = 0; i < 3; i++) await page.write();
    for (let i = 0; i < 3; i++) await page.line.leave();
    await page.pass(4_000);
    await page.acknowledge();
    await page.pass(4_000);
    await page.acknowledge();
    await page.pass(4_999);
    expect(page.statuses).toEqual(["received", "received", "sending"]);
    await page.pass(1);
    expect(page.statuses).toEqual(["received", "received", "error"]);
  });

  it("is not kept waiting by a message whose acknowledgement is lost while later ones are acknowledged", async () => {
    await page.write();
    await page.line.leave();
    page.line.unacknowledged.length = 0;
    for (let i = 0; i < 3; i++) {
      await page.write();
      await page.line.leave();
      await page.pass(2_000);
      await page.acknowledge();
    }
    expect(page.statuses).toEqual(["error", "received", "received", "received"]);
  });

  it("tells how many messages wait, once they have for a second", async () => {
    const counts: (number | undefined)[] = [];
    page.outbox.heldUp.subscribe((heldUp) => counts.push(heldUp[jun]));
    for (let i = 0; i < 3; i++) await page.write();
    await page.pass(999);
    expect(counts).toEqual([]);
    await page.pass(1);
    await page.write();
    for (let i = 0; i < 4; i++) await page.line.leave();
    expect(counts).toEqual([3, 4, 3, 2, 1, undefined]);
  });

  it("tells nothing of messages to somebody who is away", async () => {
    for (let i = 0; i < 3; i++) await page.write();
    await page.pass(1_000);
    await page.break();
    expect(page.outbox.heldUp.getState()).toEqual({});
    await page.pass(60_000);
    expect(page.statuses).toEqual(["sending", "sending", "sending"]);
  });

  it("does not send what was removed while it waited", async () => {
    for (let i = 0; i < 3; i++) await page.write();
    const [, second] = page.written;
    page.messages.remove(second?.key ?? expect.fail());
    for (let i = 0; i < 3; i++) await page.line.leave();
    expect(page.line.arrived).toEqual(page.written.map(({ id }) => id));
  });

  it("leaves no message on its way for ever, and delivers all in order, whatever the network does", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant("write" as const) },
      { weight: 4, arbitrary: fc.constant("leave" as const) },
      { weight: 3, arbitrary: fc.constant("acknowledge" as const) },
      { weight: 1, arbitrary: fc.constantFrom("lose", "retry", "break", "reconnect") },
      { weight: 1, arbitrary: fc.constantFrom("out of reach", "within reach") },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
    );
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const page = await new Page().open();
      const { line, outbox } = page;
      const steered = {
        write: () => page.write(),
        leave: () => line.leave(),
        acknowledge: () => page.acknowledge(),
        lose: async () => void line.unacknowledged.shift(),
        retry: async () => {
          for (const { key } of page.written) outbox.retry(key);
        },
        break: () => page.break(),
        reconnect: async () => {
          if (!line.isUp) await page.reconnect();
        },
        "out of reach": async () => {
          line.isReachable = false;
          outbox.suspendFor(jun);
        },
        "within reach": async () => {
          line.isReachable = true;
          outbox.deliverAllTo(jun);
        },
      };
      for (const action of steps)
        await (typeof action === "number" ? page.pass(action) : steered[action as keyof typeof steered]());
      // The network works, and Jun acknowledges nothing more.
      if (!line.isUp) await page.reconnect();
      await steered["within reach"]();
      await aMoment();
      while (line.buffer.length > 0) await line.leave();
      await page.pass(5_000);
      expect(page.statuses).not.toContain("sending");
      // Jun is back, and acknowledges all.
      await page.break();
      await page.reconnect();
      while (line.buffer.length > 0) await line.leave();
      while (line.unacknowledged.length > 0) await page.acknowledge();
      expect(page.statuses.every((status) => status === "received")).toBe(true);
      expect(line.arrived).toEqual(page.written.map(({ id }) => id));
      outbox.close();
      expect(page.clock.timerCount).toBe(0);
    });
    await fc.assert(property, { numRuns: isLong ? 5_000 : 200 });
  });
});
