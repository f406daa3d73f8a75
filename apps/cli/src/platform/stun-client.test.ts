import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { askFromOneSocket } from "./stun-client.ts";

const sockets: ReturnType<typeof createSocket>[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A server that sends these answers to each request. @returns its address */
async function server(answersTo: (request: Buffer, port: number) => readonly Buffer[]): Promise<string> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  sockets.push(socket);
  socket.on("message", (request, { port, address }) => {
    for (const answer of answersTo(request, port)) socket.send(answer, port, address);
  });
  await once(socket, "listening");
  return `stun:127.0.0.1:${socket.address().port}`;
}

/** A success with the address 198.51.100.7 and a port, as XOR-MAPPED-ADDRESS. */
function success(request: Buffer, port: number): Buffer {
  const answer = Buffer.alloc(40);
  request.copy(answer);
  answer.writeUInt16BE(0x0101, 0);
  answer.writeUInt16BE(20, 2);
  // An attribute that nobody asked for, then the address.
  Buffer.from("80220003616263000020000800010000", "hex").copy(answer, 20);
  const whole = Buffer.concat([answer.subarray(0, 36), Buffer.alloc(4)]);
  whole.writeUInt16BE(port ^ 0x2112, 34);
  whole.writeUInt32BE((0xc6336407 ^ 0x2112a442) >>> 0, 36);
  return whole;
}

it("tells the address that each server sees of one and the same socket", async () => {
  const ports: number[] = [];
  const seeing = (shift: number) =>
    server((request, port) => {
      ports.push(port);
      return [success(request, 40_000 + shift)];
    });
  const seen = await askFromOneSocket([await seeing(0), await seeing(1)]);
  expect(seen).toEqual([
    { address: "198.51.100.7", port: 40_000 },
    { address: "198.51.100.7", port: 40_001 },
  ]);
  expect(new Set(ports).size).toBe(1);
});

it("asks again, and leaves out who is silent, wrong or nonsense", async () => {
  let asked = 0;
  const late = await server((request) => (asked++ === 0 ? [] : [success(request, 5)]));
  const silent = await server(() => []);
  const hostile = await server((request) => {
    const other = Buffer.from(request);
    other.writeUInt8((other.readUInt8(10) + 1) & 255, 10);
    const endless = success(request, 6);
    endless.writeUInt16BE(0xffff, 22);
    const error = success(request, 7);
    error.writeUInt16BE(0x0111, 0);
    return [Buffer.alloc(0), Buffer.from("01"), success(other, 8), endless, error, request];
  });
  const urls = [late, silent, hostile, "stun:nowhere.invalid", "nonsense"];
  expect(await askFromOneSocket(urls)).toEqual([{ address: "198.51.100.7", port: 5 }]);
});
