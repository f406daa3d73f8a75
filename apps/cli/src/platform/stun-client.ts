import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { SeenAddress } from "@warren/core";
import { methods, readStun, seenAddress, stunRequest } from "./stun-message.ts";

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
  const { bytes, id } = stunRequest(methods.binding.request);
  const send = () => socket.send(bytes, Number(port), host, () => {});
  const timer = setInterval(send, repeatMs);
  let hear = (_answer: Buffer): void => {};
  const address = new Promise<SeenAddress>((resolve) => {
    hear = (bytesOfAnswer) => {
      const answer = readStun(bytesOfAnswer);
      if (answer?.type !== methods.binding.success || !answer.id.equals(id)) return;
      const seen = seenAddress(answer);
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
