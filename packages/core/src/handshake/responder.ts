import { equalBytes } from "@noble/curves/utils.js";
import {
  type CpaceShare,
  transcript as cpaceTranscript,
  createShare,
  intermediateSessionKey,
  multiplyAndVerify,
} from "./crypto/cpace.ts";
import { confirmationTag, deriveRunKeys } from "./crypto/key-schedule.ts";
import { createOpener, createSealer } from "./crypto/sealed-box.ts";
import { type EstablishedKeys, establishKeys } from "./established-keys.ts";
import {
  type HandshakeDeps,
  prepareRun,
  requireIdentity,
  requireSignature,
  requireTag,
} from "./handshake.ts";
import { handshakeError } from "./handshake-error.ts";
import {
  decodeMessage1,
  decodeMessage3,
  encodeMessage2,
  encodeMessage4,
  type HandshakeMessage1,
  type HandshakeMessage2,
  type HandshakeMessage3,
  type HandshakeMessage4,
  signatureKind,
} from "./handshake-message.ts";
import { associatedDataOf, channelIdentifier, commitmentOf, sessionIdOf, signedRun } from "./transcript.ts";

/** Side B of a run. The caller drops it on the first error and after the connect timeout. */
export interface Responder {
  onMessage1(message: HandshakeMessage1): HandshakeMessage2;
  /** `message` must be sent before anything sealed with the keys. */
  onMessage3(
    message: HandshakeMessage3,
  ): Promise<{ message: HandshakeMessage4; established: EstablishedKeys }>;
}

type State =
  | { readonly at: "new" | "ended" }
  | {
      readonly at: "answered";
      readonly commitment: Uint8Array;
      readonly sid: Uint8Array;
      readonly share: CpaceShare;
    };

/**
 * Answers a run as the side that joined the room later. Every method throws a WarrenError: `incorrect-password`, or
 * `handshake-failed` with its reason; a run that threw stays ended.
 */
export function createResponder(options: HandshakeDeps): Responder {
  const { identity, peerId, prs } = options;
  const { own, roomTag } = prepareRun(options);
  let state: State = { at: "new" };

  /** Takes the state for one step: if the step throws, the run is over. */
  const take = (): State => {
    const taken = state;
    state = { at: "ended" };
    return taken;
  };

  return {
    onMessage1: (message) => {
      if (take().at !== "new") throw handshakeError("order");
      const commitment = decodeMessage1(message);
      const sid = sessionIdOf(commitment, own.nonce);
      const ci = channelIdentifier(roomTag, peerId, identity.clientId);
      const share = createShare({ prs, ci, sid });
      state = { at: "answered", commitment, sid, share };
      return encodeMessage2(own, share.bytes);
    },

    onMessage3: async (message) => {
      const before = take();
      if (before.at !== "answered") throw handshakeError("order");
      const { commitment, sid, share } = before;
      const { party: peer, share: peerShare, tag } = decodeMessage3(message);
      if (!equalBytes(commitmentOf(peer), commitment)) throw handshakeError("commitment");
      requireIdentity(peer, options);

      const runTranscript = cpaceTranscript(
        { share: peerShare, associatedData: associatedDataOf(peer) },
        { share: share.bytes, associatedData: associatedDataOf(own) },
      );
      const secretPoint = multiplyAndVerify(share.scalar, peerShare);
      const keys = deriveRunKeys(intermediateSessionKey(sid, secretPoint, runTranscript), sid);
      requireTag(tag, confirmationTag(keys.mac.A, runTranscript));
      const opener = createOpener(keys.seal.A, sid, "A");
      const peerSignature = await opener.open({ seq: 0, kind: signatureKind, box: message.sig });
      const names = {
        sid,
        clientIds: { A: peerId, B: identity.clientId },
        fingerprints: { A: peer.fingerprint, B: own.fingerprint },
      };
      await requireSignature(peer, signedRun("A", names), peerSignature);

      const sealer = createSealer(keys.seal.B, sid, "B");
      const signature = await identity.sign(signedRun("B", names));
      const { box } = await sealer.seal(signatureKind, signature);
      const ownTag = confirmationTag(keys.mac.B, runTranscript);
      return {
        message: encodeMessage4(ownTag, box),
        established: establishKeys({
          role: "B",
          roomTag,
          parties: { A: peer, B: own },
          keys,
          sealer,
          opener,
        }),
      };
    },
  };
}
