import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import type { SeenAddress } from "@warren/core";

const bindingRequest = 0x0001;
const bindingSuccess = 0x0101;
const magicCookie = 0x2112a442;
const headBytes = 20;
const attributes = { mappedAddress: 0x0001, xorMappedAddress: 0x0020 } as const;
const ipv4 = 0x01;
const repeatMs = 400;
const limitMs = 1_500;

/**
 * The addresses at which STUN servers see one socket of this machine, of those that answer in time: libjuice asks only one
 * server for each connection, and from one answer nobody can tell whether a router gives each server another port.
 */
export async function askFromOneSocket(urls: readonly string[]): Promise<readonly SeenAddress[]> {
  const socket = createSocket("udp4");
  socket.on("error", () => {}); // a server that cannot be reached counts as silent
  try {
    socket.bind();
    await once(socket, "listening");
    const answers = urls.map((url) => ask(socket, url));
    const late = new Promise<null>((resolve) => setTimeout(resolve, limitMs, null).unref());
    const seen = await Promise.all(answers.map((answer) => Promise.race([answer.address, late])));
    for (const answer of answers) answer.stop();
    return seen.filter((address) => address !== null);
  } finally {
    socket.close();
  }
}

/** Asks until it is stopped: a datagram may be lost. */
function ask(
  socket: ReturnType<typeof createSocket>,
  url: string,
): { readonly address: Promise<SeenAddress>; readonly stop: () => void } {
  const [, host = "", port = "3478"] = /^stun:(\[[^\]]+\]|[^:?]+)(?::(\d+))?$/i.exec(url) ?? [];
  const id = randomBytes(12);
  const request = Buffer.alloc(headBytes);
  request.writeUInt16BE(bindingRequest, 0);
  request.writeUInt32BE(magicCookie, 4);
  id.copy(request, 8);
  const send = () => socket.send(request, Number(port), host, () => {});
  const timer = setInterval(send, repeatMs);
  let hear = (_answer: Buffer, _from: RemoteInfo): void => {};
  const address = new Promise<SeenAddress>((resolve) => {
    hear = (answer) => {
      const seen = addressIn(answer, id);
      if (seen !== null) resolve(seen);
    };
    socket.on("message", hear);
  });
  send();
  return {
    address,
    stop: () => {
      clearInterval(timer);
      socket.off("message", hear);
    },
  };
}

/** The address in the answer to the request with this id; null for anything else that arrives. */
function addressIn(answer: Buffer, id: Buffer): SeenAddress | null {
  if (answer.length < headBytes || answer.readUInt16BE(0) !== bindingSuccess) return null;
  if (answer.readUInt32BE(4) !== magicCookie || !answer.subarray(8, headBytes).equals(id)) return null;
  for (let at = headBytes; at + 4 <= answer.length; ) {
    const type = answer.readUInt16BE(at);
    const value = answer.subarray(at + 4, at + 4 + answer.readUInt16BE(at + 2));
    const isHidden = type === attributes.xorMappedAddress;
    if ((isHidden || type === attributes.mappedAddress) && value.length >= 8 && value[1] === ipv4) {
      const port = value.readUInt16BE(2) ^ (isHidden ? magicCookie >>> 16 : 0);
      const bits = (value.readUInt32BE(4) ^ (isHidden ? magicCookie : 0)) >>> 0;
      return { address: [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join("."), port };
    }
    at += 4 + Math.ceil(value.length / 4) * 4;
  }
  return null;
}
