import {
  transcript as cpaceTranscript,
  createShare,
  intermediateSessionKey,
  multiplyAndVerify,
} from "./crypto/cpace.ts";
import { confirmationTag, deriveRunKeys, type RunKeys } from "./crypto/key-schedule.ts";
import { createOpener, createSealer, type Opener, type Sealer } from "./crypto/sealed-box.ts";
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
  decodeMessage2,
  decodeMessage4,
  encodeMessage1,
  encodeMessage3,
  type HandshakeMessage1,
  type HandshakeMessage2,
  type HandshakeMessage3,
  type HandshakeMessage4,
  signatureKind,
} from "./handshake-message.ts";
import {
  associatedDataOf,
  channelIdentifier,
  commitmentOf,
  type Party,
  type RunNames,
  sessionIdOf,
  signedRun,
} from "./transcript.ts";

/** Side A of a run. The caller drops it on the first error and after the connect timeout. */
export interface Initiator {
  start(): HandshakeMessage1;
  /** `offerSealer` is for the offer, to be sent right after message 3; candidates wait until the run is established. */
  onMessage2(message: HandshakeMessage2): Promise<{ message: HandshakeMessage3; offerSealer: Sealer }>;
  onMessage4(message: HandshakeMessage4): Promise<EstablishedKeys>;
}

type State =
  | { readonly at: "new" | "ended" }
  | { readonly at: "committed"; readonly commitment: Uint8Array }
  | {
      readonly at: "confirming";
      readonly peer: Party;
      readonly names: RunNames;
      readonly keys: RunKeys;
      readonly runTranscript: Uint8Array;
      readonly sealer: Sealer;
      readonly opener: Opener;
    };

/**
 * Starts a run as the side that joined the room earlier. Every method throws a WarrenError: `incorrect-password`, or
 * `handshake-failed` with its reason; a run that threw stays ended.
 */
export function createInitiator(options: HandshakeDeps): Initiator {
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
    start: () => {
      if (take().at !== "new") throw handshakeError("order");
      const commitment = commitmentOf(own);
      state = { at: "committed", commitment };
      return encodeMessage1(commitment);
    },

    onMessage2: async (message) => {
      const before = take();
      if (before.at !== "committed") throw handshakeError("order");
      const { party: peer, share: peerShare } = decodeMessage2(message);
      requireIdentity(peer, options);

      const sid = sessionIdOf(before.commitment, peer.nonce);
      const ci = channelIdentifier(roomTag, identity.clientId, peerId);
      const share = createShare({ prs, ci, sid });
      const runTranscript = cpaceTranscript(
        { share: share.bytes, associatedData: associatedDataOf(own) },
        { share: peerShare, associatedData: associatedDataOf(peer) },
      );
      const secretPoint = multiplyAndVerify(share.scalar, peerShare);
      const keys = deriveRunKeys(intermediateSessionKey(sid, secretPoint, runTranscript), sid);
      const sealer = createSealer(keys.seal.A, sid, "A");
      const opener = createOpener(keys.seal.B, sid, "B");

      const names = {
        sid,
        clientIds: { A: identity.clientId, B: peerId },
        fingerprints: { A: own.fingerprint, B: peer.fingerprint },
      };
      const signature = await identity.sign(signedRun("A", names));
      const tag = confirmationTag(keys.mac.A, runTranscript);
      const { box } = await sealer.seal(signatureKind, signature);
      state = { at: "confirming", peer, names, keys, runTranscript, sealer, opener };
      return {
        message: encodeMessage3({ party: own, share: share.bytes, tag }, box),
        offerSealer: sealer,
      };
    },

    onMessage4: async (message) => {
      const before = take();
      if (before.at !== "confirming") throw handshakeError("order");
      const { peer, names, keys, runTranscript, sealer, opener } = before;
      requireTag(decodeMessage4(message), confirmationTag(keys.mac.B, runTranscript));
      const signature = await opener.open({ seq: 0, kind: signatureKind, box: message.sig });
      await requireSignature(peer, signedRun("B", names), signature);
      return establishKeys({
        role: "A",
        roomTag,
        parties: { A: own, B: peer },
        keys,
        sealer,
        opener,
      });
    },
  };
}
