/** Opens a WebSocket with one subprotocol: `new WebSocket(url, protocol)`. */
export type OpenSocket = (url: string, protocol: string) => WebSocket;
