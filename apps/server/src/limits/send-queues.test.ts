import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { queuesAreShown } from "../testing/unread-at.ts";
import { endsOf, parseSendQueues, readSendQueues } from "./send-queues.ts";

describe("send queues", () => {
  const head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const row = (local: string, remote: string, queue: string) =>
    `   8: ${local} ${remote} 01 ${queue}:0001F400 04:00000044 00000000     0        0 4711 4\n`;

  it("are read by the ends of their connection, those that are empty left out", () => {
    const table =
      head +
      row("0100007F:1F90", "090071CB:C35B", "00138C00") +
      row("0100007F:1F90", "090071CB:C35C", "00000000") +
      row("00000000:1F90", "00000000:0000", "00000005");
    const local = { localAddress: "127.0.0.1", localPort: 8080 };
    const ends = endsOf({ ...local, remotePort: 50_011, remoteAddress: "203.113.0.9" });
    expect(parseSendQueues(table)).toEqual([{ localPort: 8080, remotePort: 50_011, ends, bytes: 1_281_024 }]);
  });

  it.each([
    ["an IPv4 address", "0100007F", "127.0.0.1"],
    ["an IPv4 address of a socket for both", "0000000000000000FFFF00000100007F", "::ffff:127.0.0.1"],
    ["loopback", "00000000000000000000000001000000", "::1"],
    ["an address in full", "B80D0120EFCDAB890100000002000000", "2001:db8:89ab:cdef:0:1:0:2"],
    ["a link-local address with its zone", "000080FE000000000000000001000000", "fe80::1%eth0"],
  ])("are found by %s", (_name, hex, address) => {
    const table = head + row(`${hex}:1F90`, `${hex}:C35B`, "00000007");
    const [queue] = parseSendQueues(table);
    expect(queue?.ends).toBe(
      endsOf({ localAddress: address, localPort: 8080, remoteAddress: address, remotePort: 50_011 }),
    );
  });

  it.skipIf(!queuesAreShown)(
    "contain what a client has not read, although Node counts it as written",
    async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const client = connect(
        typeof address === "object" && address !== null ? address.port : 0,
        "127.0.0.1",
      ).pause();
      const [socket] = (await once(server, "connection")) as [Socket];
      await new Promise((resolve) => socket.write(Buffer.alloc(1024 ** 2), resolve));
      expect(socket.writableLength).toBe(0);
      const queue = (await readSendQueues())?.find(({ ends }) => ends === endsOf(socket));
      expect(queue?.bytes).toBeGreaterThan(256 * 1024);
      client.destroy();
      socket.destroy();
      server.close();
    },
  );
});
