import type { Page, TestInfo } from "@playwright/test";
import { messageLog, messagesWith, openConversation } from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { armHostilePeer, clientIdOf, type RawMessage, sendRaw } from "../support/hostile-peer.ts";
import { expectOnline, joinByLink, meet, personRow } from "../support/room.ts";
import { executedName, scriptPayloads } from "../support/script-payloads.ts";
import { strangers } from "../support/strangers.ts";

const isLong = process.env.WARREN_LONG === "1";
/** All of them, or some of every disguise. */
const payloads = scriptPayloads.filter((_, index) => isLong || index % 11 === 0);
const linkPayloads = scriptPayloads.filter((_, index) => isLong || index % 40 === 7);

/** A hostile peer in a person's room. */
interface Scene {
  readonly ada: Person;
  /** Sends messages to Ada, bypassing Warren's own code. */
  readonly say: (messages: readonly RawMessage[], perSecond?: number) => Promise<void>;
}

const file = (index: number, name: string): RawMessage => ({
  type: "send-file",
  fid: `hostile-${index}`,
  fileName: name,
  fileSize: 1_000,
  mimeType: name.slice(0, 127),
  lastModified: 0,
  chunkSize: 524_288,
});

const profile = (name: string, avatar: string | null = null): RawMessage => ({
  type: "profile",
  name,
  avatar,
});
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Places on screen that show text from peers. Add a row for each new place. */
const sinks: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async "a name"({ say }) {
    // Of several names within a second, only the last is shown.
    const names = payloads.filter((_, index) => isLong || index % 8 === 0);
    await say(
      names.map((payload) => profile(payload.slice(0, 64))),
      0.9,
    );
  },

  async "a message"({ ada, say }) {
    const perMessage = 20;
    for (let at = 0; at < scriptPayloads.length; at += perMessage) {
      const end = `end of ${at}`;
      await say([
        { type: "send-text", data: [...scriptPayloads.slice(at, at + perMessage), end].join("\n") },
      ]);
      await expect(messagesWith(ada.page, end)).toBeVisible();
    }
  },

  async "a file's name and type"({ ada, say }) {
    // Withdraw each offer before 200 are open.
    await say(
      payloads.flatMap((payload, index) => [
        file(index, payload),
        ...(index === payloads.length - 1 ? [] : [{ type: "cancel-file", fid: `hostile-${index}` }]),
      ]),
    );
    await expect(
      messageLog(ada.page)
        .getByRole("button", { name: /^Decline: / })
        .last(),
    ).toBeVisible();
  },

  async "a clipboard text"({ ada, say }) {
    await say([
      ...payloads.map((data) => ({ type: "send-clipboard", data })),
      { type: "send-clipboard", data: "the last of them" },
    ]);
    await expect(messagesWith(ada.page, "the last of them")).toBeVisible();
  },

  async "a picture"({ say }) {
    const some = payloads.filter((_, index) => isLong || index % 20 === 0);
    await say(
      some.flatMap((payload) => [
        profile("Bo", payload),
        profile("Bo", `data:image/svg+xml;base64,${base64(payload)}`),
        profile("Bo", `data:image/png;base64,${base64(payload)}`),
      ]),
      0.9,
    );
  },

  async "an error, and a list of files"({ say }) {
    await say(
      payloads.flatMap((payload, index) => [
        { type: "error", error: payload, code: "cache-not-found", values: { id: payload.slice(0, 256) } },
        { type: "storage", data: [file(index, payload)] },
      ]),
    );
  },
};

test("markup from a hostile peer remains text wherever it is shown", async ({ newPerson, room }) => {
  test.setTimeout(isLong ? 900_000 : 360_000);
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await armHostilePeer(bo.context);
  let executions = 0;
  await ada.context.exposeFunction(executedName, () => void executions++);
  await meet([ada, bo], { room });
  const ownElements = await strangers(ada.page);
  await openConversation(ada.page, "Bo");
  const target = await clientIdOf(ada.page);
  const scene: Scene = {
    ada,
    say: async (messages, perSecond) => {
      expect(await sendRaw(bo.page, target, messages, perSecond)).toBe(messages.length);
    },
  };
  for (const [sink, fill] of Object.entries(sinks)) {
    await test.step(sink, async () => {
      await fill(scene);
      await scene.say([profile("Bo"), { type: "send-text", data: `after ${sink}` }]);
      await expect(messagesWith(ada.page, `after ${sink}`)).toBeVisible({ timeout: 120_000 });
      await expectOnline(ada.page, "Bo");
      expect(executions).toBe(0);
      expect(await strangers(ada.page)).toEqual(ownElements);
    });
  }
});

test("markup in every part of a link remains text", async ({ newPerson }) => {
  test.setTimeout(isLong ? 2_400_000 : 360_000);
  const { page, context } = await newPerson({ name: "Ada" });
  let executions = 0;
  await context.exposeFunction(executedName, () => void executions++);
  await page.goto("/");
  const ownElements = await strangers(page);
  for (const payload of linkPayloads) {
    const parts = new URLSearchParams({ pwd: payload, stun: payload, turn: payload, by: payload });
    await page.goto("about:blank");
    await page.goto(`/?${new URLSearchParams({ id: payload.slice(0, 64) })}#${parts}`);
    await expect(page.getByRole("button", { name: "Join room" })).toBeVisible();
    expect(await strangers(page)).toEqual(ownElements);
  }
  expect(executions).toBe(0);
});

/**
 * Types into the message field and measures, for each key, the time from the press to the frame that shows it, in ms.
 */
async function typeMeasured(page: Page, text: string): Promise<readonly number[]> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.focus();
  const delays = await page.evaluateHandle(() => {
    const measured: number[] = [];
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => void measured.push(performance.now() - timeStamp));
      },
      { capture: true },
    );
    return measured;
  });
  await page.keyboard.type(text, { delay: 40 });
  await expect(field).toHaveValue(text);
  return [...(await delays.jsonValue())].sort((one, other) => one - other);
}

/** Types repeatedly until `isOver`. @returns the time from each key to its frame, in ms. */
async function typeUntil(page: Page, isOver: () => boolean): Promise<readonly number[]> {
  const delaysMs: number[] = [];
  do {
    delaysMs.push(...(await typeMeasured(page, "the quick brown fox jumps over the lazy dog")));
    await page.getByRole("textbox", { name: "Message" }).fill("");
  } while (!isOver());
  return delaysMs;
}

function p95Of(delaysMs: readonly number[]): number {
  return [...delaysMs].sort((one, other) => one - other)[Math.floor(0.95 * delaysMs.length)] ?? 0;
}

/** The heap size of a person's page after garbage collection, in bytes. */
async function heapMeter({ context, page }: Person): Promise<() => Promise<number>> {
  const devtools = await context.newCDPSession(page);
  return async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  };
}

function report(testInfo: TestInfo, figures: string): void {
  testInfo.annotations.push({ type: "figures", description: figures });
  process.stdout.write(`${figures}\n`);
}

test("a flood of 5,000 messages per second gets the sender refused, and typing still works", async ({
  newPerson,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await armHostilePeer(bo.context);
  const { link } = await meet([ada, bo], { room });
  await joinByLink(cy, link);
  await expectOnline(ada.page, "Cy");
  await openConversation(ada.page, "Bo");
  const target = await clientIdOf(ada.page);
  const heapBytes = await heapMeter(ada);
  const before = await heapBytes();

  const floodS = isLong ? 60 : 5;
  let isOver = false;
  const flood = async () => {
    const endsAt = Date.now() + floodS * 1_000;
    let sent = 0;
    const burst = Array.from({ length: 5_000 }, (_, i) => ({ type: "send-text", data: `flood ${i}` }));
    // It continues whenever it is let in again.
    while (Date.now() < endsAt) sent += await sendRaw(bo.page, target, burst, 5_000).catch(() => 0);
    isOver = true;
    return sent;
  };
  const flooding = flood();
  const delaysMs = await typeUntil(ada.page, () => isOver);
  const sent = await flooding;
  await expect(personRow(ada.page, "Bo").getByText("offline", { exact: true })).toBeAttached();
  await expectOnline(ada.page, "Cy");
  const grownMib = ((await heapBytes()) - before) / 2 ** 20;
  const p95Ms = p95Of(delaysMs);
  report(
    testInfo,
    `${sent} messages sent in ${floodS} s; key to frame p95 ${p95Ms.toFixed(0)} ms of ${delaysMs.length}; heap +${grownMib.toFixed(1)} MiB`,
  );
  expect(grownMib).toBeLessThan(50);
  // On a machine busy with other tests, a measurement is meaningless.
  if (isLong) expect(p95Ms).toBeLessThan(100);
});

/** Messages that a peer may send 50 times a second without being refused. */
const steadyFloods: Readonly<Record<string, (index: number) => RawMessage>> = {
  "short texts": (index) => ({ type: "send-text", data: `flood ${index}` }),
  offers: (index) => file(index, `file ${index}.txt`),
};

if (isLong) {
  for (const [kind, message] of Object.entries(steadyFloods)) {
    test(`a flood of ${kind} just below the limit keeps the page responsive`, async ({
      newPerson,
      room,
    }, testInfo) => {
      const perSecond = 45;
      const floodS = 30;
      const ada = await newPerson({ name: "Ada" });
      const bo = await newPerson({ name: "Bo" });
      await armHostilePeer(bo.context);
      await meet([ada, bo], { room });
      await openConversation(ada.page, "Bo");
      const target = await clientIdOf(ada.page);
      const heapBytes = await heapMeter(ada);
      const quietMs = p95Of(await typeUntil(ada.page, () => true));
      const before = await heapBytes();
      let isOver = false;
      const flood = Array.from({ length: perSecond * floodS }, (_, index) => message(index));
      const flooding = sendRaw(bo.page, target, flood, perSecond).finally(() => {
        isOver = true;
      });
      const delaysMs = await typeUntil(ada.page, () => isOver);
      const sent = await flooding;
      await expectOnline(ada.page, "Bo");
      const grownMib = ((await heapBytes()) - before) / 2 ** 20;
      report(
        testInfo,
        `${kind}: ${sent} in ${floodS} s; key to frame p95 ${p95Of(delaysMs).toFixed(0)} ms of ${delaysMs.length} (${quietMs.toFixed(0)} ms before); heap +${grownMib.toFixed(1)} MiB`,
      );
      expect(sent).toBe(flood.length);
      expect(grownMib).toBeLessThan(50);
    });
  }
}
