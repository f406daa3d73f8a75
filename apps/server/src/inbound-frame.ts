import { type ClientFrame, type Decoded, decodeClientFrame, limits, WarrenError } from "@warren/protocol";
import { type RelayedSignal, toRelayed } from "./relay/relay.ts";

/** A client's frame; a signal is kept as text and forwarded unchanged. */
export type InboundFrame = Exclude<ClientFrame, { type: "signal" }> | SignalFrame;

interface SignalFrame {
  readonly type: "signal";
  readonly to: string;
  readonly signal: RelayedSignal;
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
/**
 * A box as `JSON.stringify` writes it, the most frequent signal by far. Any other spelling is left to the schema, so this
 * accepts a subset of what the schema accepts (inbound-frame.test.ts).
 */
const plainBox = new RegExp(
  `^\\{"type":"signal","to":"(${uuid})","signal":` +
    `\\{"type":"box","run":"[A-Za-z0-9_-]{22}","seq":(?:0|[1-9][0-9]{0,5}),` +
    `"kind":"(?:offer|answer|candidate|invitation)","box":"[A-Za-z0-9_-]+"\\}\\}$`,
);
const signalAt = '{"type":"signal","to":"00000000-0000-4000-8000-000000000000","signal":'.length;
/** Short enough that the box is within its own limit too. */
const plainBoxLength = Math.ceil((limits.signalBytes * 4) / 3);
/** Each list, object and further value of one costs one of these characters. Texts of honest frames have hardly any. */
const partStart = /[[{,]/g;

/**
 * @param data UTF-8; absent for binary frames
 * @returns a frame from a client; or `frame-too-large`, `frame-not-json` or `frame-invalid`
 */
export function readInboundFrame(data: Buffer | undefined): Decoded<InboundFrame> {
  // The pattern matches only ASCII, which decodes faster as Latin-1.
  const plain = data && data.length <= plainBoxLength ? readPlainBox(data.toString("latin1")) : undefined;
  if (plain) return { ok: true, value: plain };
  const text = data?.toString();
  // An unknown key may hold 64 KiB of brackets or keys, which take far longer to parse than a text.
  if (text !== undefined && hasManyParts(text))
    return { ok: false, error: new WarrenError("frame-invalid", { issue: "too many values" }) };
  const decoded = decodeClientFrame(text);
  if (!decoded.ok) return decoded;
  if (decoded.value.type !== "signal") return { ok: true, value: decoded.value };
  const { to, signal } = decoded.value;
  return { ok: true, value: { type: "signal", to, signal: toRelayed(signal) } };
}

function hasManyParts(text: string): boolean {
  let parts = 0;
  for (const _ of text.matchAll(partStart)) if (++parts > limits.signallingFrameParts) return true;
  return false;
}

function readPlainBox(text: string): SignalFrame | undefined {
  const to = plainBox.exec(text)?.[1];
  return to === undefined
    ? undefined
    : { type: "signal", to, signal: { type: "box", json: text.slice(signalAt, -1) } };
}
