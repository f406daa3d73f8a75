import { WebSocket } from "ws";

/** Opens sockets as a page of the server does, and records all frames that they send and receive. */
export function pageSockets(transcript: string[]): (url: string, protocol: string) => WebSocket {
  return (url, protocol) => {
    const socket = new WebSocket(url, protocol, { origin: url.replace(/^ws(.*)\/ws$/, "http$1") });
    const send = socket.send.bind(socket) as (data: string) => void;
    socket.send = (data: unknown) => {
      transcript.push(String(data));
      send(String(data));
    };
    socket.on("message", (data) => transcript.push(String(data)));
    return socket;
  };
}
