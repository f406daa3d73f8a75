import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { deliverText, openConversation } from "../support/conversation.ts";
import { type EvilRelay, flipAt, type Signal, startEvilRelay, type Tamper } from "../support/evil-relay.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { test as base, expect, type Person, type PersonSettings } from "../support/fixtures.ts";
import { copyLink, expectOnline, expectWaiting, type RoomChoice, startRoom } from "../support/room.ts";

const isLong = process.env.WARREN_LONG === "1";
/** The number of attempts per attack. */
const attempts = isLong ? 25 : 1;
const swaps = isLong ? 50 : 1;
const swapsOfOneMember = 5;
/** Longer than the time limit of a connection attempt. */
const attemptMs = 11_000;
/** Within this an attempt has ended, and its end is shown. */
const attemptLimitMs = 30_000;

interface Fixtures {
  /** Sits between the pages and the server. */
  readonly relay: EvilRelay;
  /** The test's own room, with a password. */
  readonly vault: RoomChoice;
}

const test = base.extend<Fixtures>({
  relay: async ({ server }, use) => {
    const relay = await startEvilRelay(server.url);
    await use(relay);
    await relay.stop();
  },
  vault: async ({ room }, use) => use({ room, password: "correct horse" }),
  baseURL: async ({ relay }, use) => use(relay.url),
});

const reportName = "reportDataChannel";

/** In a page, before its own code: calls a function of the page with the label of every data channel that opens. */
function reportDataChannels(name: string): void {
  const watch = (channel: RTCDataChannel): RTCDataChannel => {
    const report = () => Reflect.get(globalThis, name)(channel.label);
    if (channel.readyState === "open") report();
    else channel.addEventListener("open", report);
    return channel;
  };
  const Original = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      this.addEventListener("datachannel", ({ channel }) => void watch(channel));
    }

    override createDataChannel(label: string, options?: RTCDataChannelInit): RTCDataChannel {
      return watch(super.createDataChannel(label, options));
    }
  };
}

/** Records the label of every data channel that opens in the pages of a context. */
async function watchDataChannels(context: BrowserContext): Promise<readonly string[]> {
  const opened: string[] = [];
  await context.exposeFunction(reportName, (label: string) => void opened.push(label));
  await context.addInitScript(reportDataChannels, reportName);
  return opened;
}

type NewPerson = (settings: PersonSettings) => Promise<Person>;

/** A person whose data channels are counted. */
async function newWatched(newPerson: NewPerson, name: string) {
  const person = await newPerson({ name });
  return { ...person, channels: await watchDataChannels(person.context) };
}

type Watched = Awaited<ReturnType<typeof newWatched>>;

/** No channel opened, and no page shows anybody as online. */
async function expectNobodyThrough(...people: Watched[]): Promise<void> {
  for (const { page, channels } of people) {
    expect(channels).toEqual([]);
    await expect(page.getByText("online", { exact: true })).toHaveCount(0);
  }
}

/** Changes the signals that the server forwards to clients. */
function tamperSignals(change: (signal: Signal) => Signal | null): Tamper {
  return (frame, { direction }) => {
    if (direction !== "to-client" || frame.signal === undefined) return [frame];
    const signal = change(frame.signal);
    return signal === null ? [] : [{ ...frame, signal }];
  };
}

const bytes = (count: number) => randomBytes(count).toString("base64url");
/** A point that passes every validation: the generator of ristretto255. */
const point = Buffer.from("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76", "hex").toString(
  "base64url",
);
const stranger = "0f0e0d0c-0b0a-4908-8706-050403020100";

test("an honest relay lets two people with the same password meet", async ({ newPerson, relay, vault }) => {
  const ada = await newWatched(newPerson, "Ada");
  const bo = await newWatched(newPerson, "Bo");
  await startRoom(ada, vault);
  await expectWaiting(ada.page);
  await startRoom(bo, vault);
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  await deliverText(bo.page, ada.page, "Through the relay");
  expect(ada.channels).not.toEqual([]);
  expect(bo.channels).not.toEqual([]);
  expect(relay.transcript.join("\n")).toContain('"hs4"');
});

const incorrect = "Wrong password.";
const insecure = "No secure connection. Check that you both use the same password.";
const unreached = /^Could not reach .*\. No (connection|answer) within 10 s/;

for (const { step, field, sentence } of [
  { step: "hs2", field: "fpB", sentence: incorrect },
  { step: "hs3", field: "fpA", sentence: insecure },
]) {
  test(`a certificate's fingerprint replaced in ${step} opens no channel`, async ({
    newPerson,
    relay,
    vault,
  }) => {
    test.setTimeout(240_000 + swaps * 20_000);
    let swapped = 0;
    relay.tamper = tamperSignals((signal) => {
      if (signal.type !== step) return signal;
      swapped++;
      return { ...signal, [field]: bytes(32) };
    });
    let ada: Watched | null = null;
    for (let swap = 0; swap < swaps; swap++) {
      // After ten failed runs her page would not even start one.
      if (swap % swapsOfOneMember === 0) {
        await ada?.context.close();
        ada = await newWatched(newPerson, "Ada");
        await startRoom(ada, vault);
        await expectWaiting(ada.page);
      }
      const before = swapped;
      const bo = await newWatched(newPerson, "Bo");
      await startRoom(bo, vault);
      await expect(bo.page.getByText(sentence).first()).toBeVisible();
      expect(swapped).toBeGreaterThan(before);
      await expectNobodyThrough(bo, ...(ada === null ? [] : [ada]));
      await bo.context.close();
    }
  });
}

// Firefox starts slowly.
if (isLong) {
  test("a certificate's fingerprint replaced between Chromium and Firefox opens no channel", async ({
    newPerson,
    relay,
    vault,
  }) => {
    let swapped = 0;
    relay.tamper = tamperSignals((signal) => {
      if (signal.type !== "hs3") return signal;
      swapped++;
      return { ...signal, fpA: bytes(32) };
    });
    const ada = await newWatched(newPerson, "Ada");
    const fox = await FirefoxPerson.open();
    try {
      const opened: string[] = [];
      await fox.page.exposeFunction(reportName, (label: string) => void opened.push(label));
      await fox.page.evaluateOnNewDocument(reportDataChannels, reportName);
      await startRoom(ada, vault);
      const link = await copyLink(ada);
      await fox.joinByLink(link, "Fox");
      await fox.waitForText(insecure);
      expect(swapped).toBeGreaterThan(0);
      expect(opened).toEqual([]);
      await expectNobodyThrough(ada);

      // Confirm that the watch detects a channel once the fingerprint is unchanged.
      relay.tamper = (frame) => [frame];
      await fox.page.goto("about:blank");
      await fox.page.goto(link);
      await expect.poll(() => opened, { timeout: 60_000 }).not.toEqual([]);
      await expectOnline(ada.page, "Fox");
    } finally {
      await fox.close();
    }
  });
}

for (let attempt = 1; attempt <= attempts; attempt++) {
  const title = (attack: string) => (attempts === 1 ? attack : `${attack}, try ${attempt}`);

  test(title("an offer with flipped bits is ignored"), async ({ newPerson, relay, vault }) => {
    let flipped = 0;
    relay.tamper = tamperSignals((signal) =>
      signal.type === "box" && signal.kind === "offer"
        ? { ...signal, box: flipAt(signal.box, 97 * attempt * ++flipped) }
        : signal,
    );
    const ada = await newWatched(newPerson, "Ada");
    const bo = await newWatched(newPerson, "Bo");
    await startRoom(ada, vault);
    await expectWaiting(ada.page);
    await startRoom(bo, vault);
    await expect.poll(() => flipped).toBeGreaterThan(0);
    await openConversation(bo.page, "Someone");
    await expect(bo.page.getByText(unreached)).toBeVisible({ timeout: attemptLimitMs });
    await expectNobodyThrough(ada, bo);
  });

  test(title("boxes of an earlier run are ignored in a later one"), async ({ newPerson, relay, vault }) => {
    let earlier: Signal | null = null;
    let replayed = 0;
    relay.tamper = tamperSignals((signal) => {
      if (signal.type !== "box" || signal.kind !== "offer") return signal;
      if (earlier === null) {
        earlier = signal;
        return null;
      }
      if (signal.run === earlier.run) return null;
      replayed++;
      return { ...earlier, run: signal.run, seq: signal.seq };
    });
    const ada = await newWatched(newPerson, "Ada");
    const bo = await newWatched(newPerson, "Bo");
    await startRoom(ada, vault);
    await expectWaiting(ada.page);
    await startRoom(bo, vault);
    await expect.poll(() => earlier).not.toBeNull();
    await openConversation(bo.page, "Someone");
    await bo.page.reload();
    await expect.poll(() => replayed).toBeGreaterThan(0);
    await expect(bo.page.getByText(unreached)).toBeVisible({ timeout: attemptLimitMs });
    await expectNobodyThrough(ada, bo);
  });

  test(
    title("a member made up by the server gets nothing without the password"),
    async ({ newPerson, relay, vault }) => {
      const received: string[] = [];
      relay.tamper = (frame, { direction, toClient }) => {
        if (direction === "to-client") {
          if (frame.type !== "joined") return [frame];
          return [frame, { type: "member-joined", member: { clientId: stranger, order: 7 }, resumed: false }];
        }
        if (frame.to !== stranger || frame.signal === undefined) return [frame];
        const { type, run } = frame.signal;
        received.push(String(type));
        const answer = (signal: Signal) => toClient({ type: "signal", from: stranger, signal });
        if (type === "hs1")
          answer({ type: "hs2", run, rB: bytes(16), fpB: bytes(32), idPubB: "", Yb: point });
        if (type === "hs3") answer({ type: "hs4", run, Tb: bytes(32), sig: bytes(80) });
        return [];
      };
      const ada = await newWatched(newPerson, "Ada");
      await startRoom(ada, vault);
      await expect.poll(() => received).toContain("hs3");
      await ada.page.waitForTimeout(attemptMs);
      // It receives an offer, which it cannot decrypt, but never a candidate, which would reveal an address.
      expect(relay.transcript.join("\n")).not.toContain('"kind":"candidate"');
      await expectNobodyThrough(ada);
    },
  );

  test(
    title("a room made up by the server does not take a newcomer in"),
    async ({ newPerson, relay, vault }) => {
      relay.tamper = (frame, { direction, toClient }) => {
        const sendSignal = (signal: Signal) => toClient({ type: "signal", from: stranger, signal });
        if (direction === "to-client") return [frame];
        if (frame.type === "join") {
          toClient({ type: "pending", greeter: { clientId: stranger, order: 0 } });
          sendSignal({ type: "hs1", run: `${"r".repeat(21)}A`, v: 1, C: bytes(32) });
          return [];
        }
        if (frame.signal?.type !== "hs2") return [frame];
        const { run } = frame.signal;
        sendSignal({
          type: "hs3",
          run,
          rA: bytes(16),
          fpA: bytes(32),
          idPubA: "",
          Ya: point,
          Ta: bytes(32),
          sig: bytes(80),
        });
        return [];
      };
      const bo = await newWatched(newPerson, "Bo");
      await startRoom(bo, vault);
      await expect(bo.page.getByText(insecure).first()).toBeVisible();
      await expectNobodyThrough(bo);
    },
  );
}
