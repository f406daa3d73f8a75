import { type ReadLink, readJoinLink } from "@warren/core";
import { CommandError } from "../terminal/exit-code.ts";

/** A server of Warren. */
export interface ServerAddress {
  /** Where its app is, with a slash at the end. */
  readonly home: string;
  /** Where its rooms are. */
  readonly socket: string;
}

/** A link to a room, and the server it leads to. */
export interface RoomLink extends Pick<ReadLink, "password" | "servers" | "by"> {
  readonly roomId: string;
  readonly server: ServerAddress;
}

/** @param socket the address of the rooms, if it is not `ws` below the app's */
export function serverAt(address: string, socket?: string): ServerAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${address} is no address of a server, such as https://warren.example.org/`);
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const home = url.href;
  if (socket !== undefined && !(URL.canParse(socket) && /^wss?:\/\//i.test(socket)))
    throw new CommandError(`${socket} is no address of rooms, such as wss://warren.example.org/ws`);
  return { home, socket: socket ?? `${home.replace(/^http/, "ws")}ws` };
}

/** @param socket as for {@link serverAt} */
export function readRoomLink(link: string, socket?: string): RoomLink {
  const isAddress = URL.canParse(link) && /^https?:/.test(link);
  const read = isAddress ? readJoinLink(link) : null;
  if (read === null || read.roomId === null)
    throw new CommandError(`${link} is no link to a room, such as https://warren.example.org/r/harbour`);
  if (read.problems.length > 0)
    throw new CommandError(`Part of the link is damaged: ${read.problems.join(", ")}.`);
  const home = new URL(read.cleanAddress, link).href;
  const { roomId, password, servers, by } = read;
  return { roomId, password, servers, by, server: serverAt(home, socket) };
}
