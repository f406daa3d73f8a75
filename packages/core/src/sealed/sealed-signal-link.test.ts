import type { SealedSignal, SealedSignalOf, Signal } from "@warren/protocol";
import { expect, test } from "vitest";
import { utf8 } from "../handshake/crypto/encoding.ts";
import { createOpener, createSealer, type Opener, type Sealer } from "../handshake/crypto/sealed-box.ts";
import type { EstablishedKeys } from "../handshake/established-keys.ts";
import { SealedSignalLink } from "./sealed-signal-link.ts";

const key = new Uint8Array(32).fill(3);
const sid = new Uint8Array(32).fill(4);
const fingerprint = new Uint8Array(32).fill(5);
const candidates: readonly Signal[] = Array.from({ length: 300 }, (_, index) => ({
  type: "candidate",
  data: { candidate: `candidate:${index}`, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: null },
}));
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A sealer and an opener whose work takes longer for an earlier box than for a later one. */
function slowKeys(): EstablishedKeys {
  const direct: { sealer: Sealer; opener: Opener } = {
    sealer: createSealer(key, sid, "A"),
    opener: createOpener(key, sid, "A"),
  };
  let calls = 0;
  const delay = () => later(Math.max(0, 3 - calls++));
  return {
    sealer: { seal: (kind, data) => direct.sealer.seal(kind, data).then((box) => delay().then(() => box)) },
    opener: { open: (box) => delay().then(() => direct.opener.open(box)) },
    sas: new Uint8Array(6),
    peerIdentity: { publicKey: new Uint8Array(0), verifiable: false },
    remoteFingerprint: fingerprint,
    bindTag: () => new Uint8Array(32),
    verifyBind: () => true,
  };
}

function isBox(frame: SealedSignal): frame is SealedSignalOf<"box"> {
  return frame.type === "box";
}

async function sealAll(signals: readonly Signal[]): Promise<SealedSignalOf<"box">[]> {
  const sent: SealedSignal[] = [];
  const link = new SealedSignalLink("run", (frame) => sent.push(frame));
  link.establish(slowKeys(), fingerprint);
  for (const signal of signals) link.send(signal);
  await expect.poll(() => sent.length).toBe(signals.length);
  return sent.filter(isBox);
}

function receiver() {
  const received: Signal[] = [];
  const link = new SealedSignalLink("run", () => {});
  link.on("signal", (signal) => received.push(signal));
  link.start();
  return { link, received };
}

test("a box that cannot be opened for lack of code ends the run, and a forged one does not", async () => {
  const { link, received } = receiver();
  const failures: string[] = [];
  link.on("failed", ({ code }) => failures.push(code));
  const keys = slowKeys();
  let isMissing = false;
  const open: Opener["open"] = (box) =>
    isMissing ? Promise.reject(new TypeError("Failed to fetch")) : keys.opener.open(box);
  link.establish({ ...keys, opener: { open } }, fingerprint);
  const [first, second] = await sealAll(candidates.slice(0, 2));
  if (first === undefined || second === undefined) throw new Error("nothing was sealed");
  link.receive({ ...first, box: `A${first.box.slice(1)}B` });
  link.receive(first);
  await expect.poll(() => received.length).toBe(1);
  expect(failures).toEqual([]);
  isMissing = true;
  link.receive(second);
  await expect.poll(() => failures).toEqual(["connection-failed"]);
});

test("signals are sent and received in order, however long each takes to seal and open", async () => {
  const few = candidates.slice(0, 10);
  const boxes = await sealAll(few);
  expect(boxes.map(({ seq }) => seq)).toEqual(few.map((_, index) => index));
  const { link, received } = receiver();
  for (const box of boxes.slice(0, 5)) link.receive(box);
  link.establish(slowKeys(), fingerprint);
  for (const box of boxes.slice(5)) link.receive(box);
  await expect.poll(() => received.length).toBe(few.length);
  expect(received).toEqual(few);
});

test("a link that is closed while it seals and opens sends and reports nothing more", async () => {
  const [box] = await sealAll(candidates.slice(0, 1));
  const sent: SealedSignal[] = [];
  const received: Signal[] = [];
  const link = new SealedSignalLink("run", (frame) => sent.push(frame));
  link.on("signal", (signal) => received.push(signal));
  link.start();
  link.establish(slowKeys(), fingerprint);
  for (const candidate of candidates.slice(0, 2)) link.send(candidate);
  if (box !== undefined) link.receive(box);
  link.close();
  await later(50);
  expect([sent, received]).toEqual([[], []]);
});

test("256 boxes wait to be opened at most", async () => {
  const sealer = createSealer(key, sid, "A");
  const boxes = await Promise.all(
    candidates.map(({ type, data }) => sealer.seal(type, utf8(JSON.stringify(data)))),
  );
  const { link, received } = receiver();
  link.establish(slowKeys(), fingerprint);
  for (const { seq, box } of boxes) link.receive({ type: "box", run: "run", seq, kind: "candidate", box });
  await expect.poll(() => received.length).toBeGreaterThan(256);
  await later(50);
  expect(received).toEqual(candidates.slice(0, 257)); // the first is being opened
});
