/** The minimum a `ws` server can do: returns every message. */
import { WebSocketServer } from "ws";

const server = new WebSocketServer({
  port: 0,
  host: "127.0.0.1",
  perMessageDeflate: false,
  clientTracking: false,
  backlog: 4_096,
});
server.on("connection", (socket) => {
  socket.on("message", (data) => socket.send(data, { binary: false }));
});
server.on("listening", () => {
  const address = server.address();
  if (typeof address === "object" && address) console.log(`http://localhost:${address.port}`);
});
