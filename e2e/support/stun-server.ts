import { createSocket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";

const magicCookie = 0x2112a442;
/** The address reported to all clients: reserved for documentation, so it is nobody's own. */
const reportedAddress = [203, 0, 113, 5] as const;
const reportedPort = 4_000;

/** A STUN server on this machine. */
export interface StunServer {
  /** In the format of the settings. */
  readonly url: string;
  /** The number of answered requests. */
  answered(): number;
  stop(): Promise<void>;
}

/** Starts a STUN server that reports the same address to all clients, on a network interface that browsers use. */
export async function startStunServer(): Promise<StunServer> {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  if (!outside) throw new Error("browsers gather nothing on a machine without a network interface");
  const socket = createSocket("udp4");
  let answered = 0;
  socket.on("message", (request, from) => {
    // A binding request of RFC 8489.
    if (request.length < 20 || request.readUInt16BE(0) !== 0x0001) return;
    answered += 1;
    socket.send(answerTo(request), from.port, from.address);
  });
  socket.bind(0, outside.address);
  await once(socket, "listening");
  return {
    url: `stun:${outside.address}:${socket.address().port}`,
    answered: () => answered,
    stop: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** A success response with XOR-MAPPED-ADDRESS. */
function answerTo(request: Buffer): Buffer {
  const answer = Buffer.alloc(32);
  answer.writeUInt16BE(0x0101, 0);
  answer.writeUInt16BE(12, 2);
  request.copy(answer, 4, 4, 20); // the magic cookie and transaction id
  answer.writeUInt16BE(0x0020, 20);
  answer.writeUInt16BE(8, 22);
  answer.writeUInt8(1, 25); // IPv4
  answer.writeUInt16BE(reportedPort ^ (magicCookie >>> 16), 26);
  const cookie = Buffer.alloc(4);
  cookie.writeUInt32BE(magicCookie);
  for (const [index, byte] of reportedAddress.entries())
    answer.writeUInt8(byte ^ (cookie[index] ?? 0), 28 + index);
  return answer;
}
