import { SocketAhead } from "../platform/socket-ahead.ts";

/** The page's socket, asked for before any other code is evaluated where the last visit to this address joined at once. */
export const socketAhead = new SocketAhead();
socketAhead.openAsLastTime(location.href);
