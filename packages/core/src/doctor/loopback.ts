import { WarrenError } from "@warren/protocol";
import { answerOf } from "../ice/browser-answer.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

const openLimitMs = 5_000;
const measureMs = 1_000;
const pieceBytes = 64 * 1024;
const queueBytes = 1024 * 1024;

/**
 * How much two connections of this machine carry between them, without a network. They meet at once, and carry something
 * once `turn` resolves.
 * Rejects with `connect-timeout` if they do not meet, or `webrtc-blocked`.
 * @returns bytes per second
 */
export async function measureLoopback(
  createPeerConnection: CreatePeerConnection,
  clock: Clock,
  turn: Promise<unknown>,
): Promise<number> {
  const [near, far] = [createPeerConnection({ iceServers: [] }), createPeerConnection({ iceServers: [] })];
  try {
    const channel = near.createDataChannel("doctor");
    let receivedBytes = 0;
    far.addEventListener("datachannel", ({ channel: received }) => {
      received.binaryType = "arraybuffer";
      received.addEventListener("message", ({ data }) => {
        if (data instanceof ArrayBuffer) receivedBytes += data.byteLength;
      });
    });
    const opened = new Promise<void>((resolve, reject) => {
      const cancel = clock.after(openLimitMs, () => reject(new WarrenError("connect-timeout")));
      channel.addEventListener("open", () => {
        cancel();
        resolve();
      });
    });
    // Reported by `await opened`, unless describing fails first.
    opened.catch(() => {});
    await describe(near, far, clock);
    await opened;
    await turn;
    const startedAt = clock.elapsedMs();
    await fill(channel, clock);
    return receivedBytes / ((clock.elapsedMs() - startedAt) / 1_000);
  } finally {
    near.close();
    far.close();
  }
}

async function describe(near: RTCPeerConnection, far: RTCPeerConnection, clock: Clock): Promise<void> {
  const pending: (() => void)[] = [];
  let canAdd = false;
  const pass = (from: RTCPeerConnection, to: RTCPeerConnection) =>
    from.addEventListener("icecandidate", ({ candidate }) => {
      if (candidate === null) return;
      const add = () => void to.addIceCandidate(candidate).catch(() => {});
      if (canAdd) add();
      else pending.push(add);
    });
  pass(near, far);
  pass(far, near);
  const local = (connection: RTCPeerConnection) =>
    answerOf(clock, "setLocalDescription", () => connection.setLocalDescription());
  const remote = (connection: RTCPeerConnection, description: RTCSessionDescription | null) =>
    answerOf(clock, "setRemoteDescription", () =>
      connection.setRemoteDescription(description ?? { type: "offer", sdp: "" }),
    );
  await local(near);
  await remote(far, near.localDescription);
  await local(far);
  await remote(near, far.localDescription);
  canAdd = true;
  for (const add of pending) add();
}

/** Keeps a channel full until the time is over. */
function fill(channel: RTCDataChannel, clock: Clock): Promise<void> {
  const piece = new Uint8Array(pieceBytes);
  channel.bufferedAmountLowThreshold = queueBytes / 2;
  const send = (): void => {
    while (channel.readyState === "open" && channel.bufferedAmount < queueBytes) channel.send(piece);
  };
  channel.addEventListener("bufferedamountlow", send);
  send();
  return new Promise((resolve) => {
    clock.after(measureMs, () => {
      channel.removeEventListener("bufferedamountlow", send);
      resolve();
    });
  });
}
