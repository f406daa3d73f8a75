/**
 * One bare data channel of node-datachannel between two processes: forked twice, as `send` and `receive`. Both pass
 * their signals to the parent; the receiver reports how long the bytes took, from the first to the last.
 */
import { PeerConnection } from "node-datachannel";

const [role, sizeText = "0"] = process.argv.slice(2);
const size = Number(sizeText);
const blockBytes = 32 * 1024;
const bufferedMax = 1024 * 1024;
const report = (/** @type {object} */ message) => process.send?.(message);

const connection = new PeerConnection(role ?? "", { iceServers: [] });
connection.onLocalDescription((sdp, type) => report({ sdp, type }));
connection.onLocalCandidate((candidate, mid) => report({ candidate, mid }));
process.on("message", (/** @type {any} */ { start, sdp, type, candidate, mid }) => {
  if (start) begin();
  else if (sdp) connection.setRemoteDescription(sdp, type);
  else connection.addRemoteCandidate(candidate, mid);
});
// What is sent to a process before it listens is lost.
report({ ready: true });

function begin() {
  const channel = connection.createDataChannel("bare", { unordered: true });
  const block = new Uint8Array(blockBytes);
  let sent = 0;
  const pump = () => {
    for (; sent < size && channel.bufferedAmount() < bufferedMax; sent += blockBytes)
      channel.sendMessageBinary(block);
  };
  channel.setBufferedAmountLowThreshold(bufferedMax / 4);
  channel.onBufferedAmountLow(pump);
  channel.onOpen(pump);
}

if (role === "receive") {
  /** @type {import("node-datachannel").DataChannel | undefined} Without a reference it would be collected, and with that closed. */
  let held;
  connection.onDataChannel((channel) => {
    held = channel;
    let received = 0;
    let startMs = 0;
    channel.onMessage((message) => {
      if (received === 0) startMs = performance.now();
      received += typeof message === "string" ? 0 : message.byteLength;
      if (received >= size) report({ durationMs: performance.now() - startMs });
    });
  });
  process.on("disconnect", () => held?.close());
}
