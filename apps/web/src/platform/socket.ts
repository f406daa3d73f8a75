import type { OpenSocket } from "@warren/core";

/** A WebSocket of this browser. */
export const openSocket: OpenSocket = (url, protocol) => new WebSocket(url, protocol);
