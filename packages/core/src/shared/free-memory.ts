let port: MessagePort | null = null;

/**
 * Frees the memory behind these bytes, which nothing may read any more. Otherwise it stays in use until the next garbage
 * collection, and the system has to provide and clear new pages for the next buffers. Messages of a data channel are freed
 * only if transferred: Chromium keeps those that were only detached.
 */
export function freeMemory(...bytes: readonly Uint8Array[]): void {
  port ??= portToNowhere();
  const buffers = new Set(bytes.map(({ buffer }) => buffer));
  port.postMessage(
    null,
    [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
  );
}

/** A port that takes buffers and drops them. */
function portToNowhere(): MessagePort {
  const closed = new MessageChannel().port1;
  closed.close();
  const probe = new ArrayBuffer(1);
  closed.postMessage(null, [probe]);
  if (probe.byteLength === 0) return closed;
  // A closed port of Chromium leaves buffers alone. Safari would keep what is posted to a port whose other end is closed.
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
}
