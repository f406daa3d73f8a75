/**
 * A separate process that forwards UDP between clients and a server, and shapes both directions. `node
 * --import tsx shaping-proxy.ts HOST SERVER_PORT SHAPES`; prints its port to stdout once it listens.
 */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { ShapedLink } from "./shaped-link.ts";

const [host = "", serverPort = "", shapes = ""] = process.argv.slice(2);
const { up, down } = JSON.parse(shapes);
const toServer = new ShapedLink(up);
const toClients = new ShapedLink(down);
const bufferBytes = 4 * 1024 * 1024;

/** The sockets towards the server, one per client address, which represent the clients. */
const flows = new Map<string, Socket>();
const front = createSocket({ type: "udp4", recvBufferSize: bufferBytes, sendBufferSize: bufferBytes });
front.on("message", (packet, client) => {
  const flow = flowOf(client);
  toServer.send(packet.byteLength, () => flow.send(packet, Number(serverPort), host));
});
front.bind(0, host);
await once(front, "listening");
console.log(front.address().port);

function flowOf({ address, port }: RemoteInfo): Socket {
  const key = `${address}:${port}`;
  const known = flows.get(key);
  if (known) return known;
  const flow = createSocket({ type: "udp4", recvBufferSize: bufferBytes, sendBufferSize: bufferBytes });
  flow.on("message", (packet) => {
    toClients.send(packet.byteLength, () => front.send(packet, port, address));
  });
  flows.set(key, flow);
  return flow;
}
