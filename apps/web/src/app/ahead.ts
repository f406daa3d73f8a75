import { SocketAhead } from "../platform/network/socket-ahead.ts";
import { preloadInterface } from "./preload-interface.ts";

/**
 * The page's socket, opened before any other code is evaluated if the last visit to this address joined at
 * once.
 */
export const socketAhead = new SocketAhead();
socketAhead.openAsLastTime(location.href);
preloadInterface();
