import type { CreatePeerConnection } from "@warren/core";

/** A WebRTC connection of this browser. */
export const createPeerConnection: CreatePeerConnection = (configuration) =>
  new RTCPeerConnection(configuration);
