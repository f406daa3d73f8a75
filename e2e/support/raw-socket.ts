import { once } from "node:events";
import { WebSocket } from "ws";

/** The close code and reason of a socket. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

/** Opens a signalling socket as a page would, sends one frame, and waits for the server to close it. */
export async function endOfSocket(serverUrl: string, frame: string | Buffer): Promise<SocketEnd> {
  const socket = new WebSocket(`${serverUrl.replace(/^http/, "ws")}/ws`, "room.v1", { origin: serverUrl });
  await once(socket, "open");
  const closing: Promise<SocketEnd> = new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.send(frame);
  return closing;
}
