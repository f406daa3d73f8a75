/** The baseline of docs/benchmarks.md: 64 KiB messages, a queue of 32 KiB, and no processing of the bytes. */
const messageBytes = 64 * 1024;
const queueBytes = 32 * 1024;
const gapMs = 50;

addEventListener("message", ({ data: { channel, role, totalBytes } }) => {
  if (role === "send") send(channel, totalBytes);
  else receive(channel, totalBytes);
});

/** @param {RTCDataChannel} channel @param {number} totalBytes */
function send(channel, totalBytes) {
  const message = new Uint8Array(messageBytes);
  for (let start = 0; start < messageBytes; start += 16_384)
    crypto.getRandomValues(message.subarray(start, start + 16_384));
  let leftBytes = totalBytes;
  const serve = () => {
    while (leftBytes > 0 && channel.bufferedAmount <= queueBytes) {
      channel.send(leftBytes < messageBytes ? message.subarray(0, leftBytes) : message);
      leftBytes -= messageBytes;
    }
  };
  channel.bufferedAmountLowThreshold = queueBytes;
  channel.onbufferedamountlow = serve;
  channel.onopen = serve;
  if (channel.readyState === "open") serve();
  channel.onmessage = () => postMessage({});
}

/** @param {RTCDataChannel} channel @param {number} totalBytes */
function receive(channel, totalBytes) {
  let receivedBytes = 0;
  let firstMs = 0;
  let lastMs = 0;
  let silentMs = 0;
  channel.binaryType = "arraybuffer";
  channel.onmessage = ({ data }) => {
    const now = performance.now();
    firstMs ||= now;
    if (lastMs && now - lastMs > gapMs) silentMs += now - lastMs;
    lastMs = now;
    receivedBytes += data.byteLength;
    if (receivedBytes < totalBytes) return;
    channel.send("all");
    postMessage({ durationMs: lastMs - firstMs, silentFraction: silentMs / (lastMs - firstMs) });
  };
}
