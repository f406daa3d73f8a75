/** Creates a WebRTC connection: `new RTCPeerConnection(configuration)` in a browser, a polyfill or fake elsewhere. */
export type CreatePeerConnection = (configuration: RTCConfiguration) => RTCPeerConnection;
