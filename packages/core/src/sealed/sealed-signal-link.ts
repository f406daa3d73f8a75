import {
  decodeValue,
  type SealedSignal,
  type SealedSignalOf,
  type Signal,
  signalSchema,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { decodeBase64url, encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";
import type { Sealer } from "../handshake/crypto/sealed-box.ts";
import type { EstablishedKeys } from "../handshake/established-keys.ts";
import { requireFingerprint } from "../handshake/fingerprint.ts";
import { handshakeError } from "../handshake/handshake-error.ts";
import { safetyCodeIndexes } from "../handshake/sas.ts";
import { Emitting } from "../shared/emitter.ts";
import type { ChannelBinding, SignalLink, SignalLinkEvents } from "../signalling/signal-link.ts";

type Step = Exclude<SealedSignal, { type: "box" }>;
type Box = SealedSignalOf<"box">;

/** How many signals of either direction are queued for keys or a listener; a whole attempt has some 30. */
const waitingLimit = 256;
/** No honest side sends handshake steps ahead of time. */
const waitingSteps = 4;

/** The signals of one run: the steps of its handshake, then sealed ones. */
export class SealedSignalLink extends Emitting<SignalLinkEvents> implements SignalLink {
  readonly run: string;
  /** Resolves once our part of the handshake was sent; rejects if the link ends before. */
  opened: Promise<void> = Promise.resolve();
  /** Resolves once the peer has proven that it knows the password; rejects if the link ends before. */
  readonly proven: Promise<void>;
  readonly #send: (frame: SealedSignal) => void;
  readonly #steps: Step[] = [];
  readonly #boxes: Box[] = [];
  readonly #outgoing: Signal[] = [];
  readonly #closing = new AbortController();
  #awaited: { readonly type: Step["type"]; readonly take: (step: Step) => void } | null = null;
  #offerSealer: Sealer | null = null;
  #established: { readonly keys: EstablishedKeys; readonly fingerprint: Uint8Array } | null = null;
  #isStarted = false;
  #isSealing = false;
  #isOpening = false;
  #failure: WarrenError | null = null;
  #settleProven: { resolve: () => void; reject: (error: WarrenError) => void } | null = null;

  constructor(run: string, send: (frame: SealedSignal) => void) {
    super();
    this.run = run;
    this.proven = new Promise((resolve, reject) => {
      this.#settleProven = { resolve, reject };
    });
    // Only an admission awaits it.
    this.proven.catch(() => {});
    this.#send = send;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Runs our part of the handshake. Signals are queued meanwhile, and its error ends the link. */
  open(handshake: Promise<void>): void {
    this.opened = handshake;
    handshake.catch((thrown: unknown) =>
      this.fail(toWarrenError(thrown, "connection-failed", { state: "new" })),
    );
  }

  /** Sends a handshake step. */
  sendStep(step: Step): void {
    if (!this.isClosed) this.#send(step);
  }

  /** Waits for a step of the peer. @throws WarrenError `connection-closed` once the link is closed. */
  step<T extends Step["type"]>(type: T): Promise<SealedSignalOf<T>> {
    const { signal } = this.#closing;
    return new Promise((resolve, reject) => {
      const abort = () => reject(new WarrenError("connection-closed"));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#awaited = {
        type,
        take: (step) => {
          signal.removeEventListener("abort", abort);
          // The step has the requested type: #takeStep compares it.
          resolve(step as SealedSignalOf<T>);
        },
      };
      this.#takeStep();
    });
  }

  /** From now on, an offer can be sealed; everything else is queued until the peer has proven itself. */
  allowOffer(sealer: Sealer): void {
    this.#offerSealer = sealer;
    void this.#flush();
  }

  /** Both sides have confirmed the run. `fingerprint` is that of our own certificate. */
  establish(keys: EstablishedKeys, fingerprint: Uint8Array): void {
    if (this.isClosed) return;
    this.#established = { keys, fingerprint };
    this.#settleProven?.resolve();
    void this.#flush();
    void this.#openWaiting();
  }

  /** Ends the link because of an error of the peer. */
  fail(error: WarrenError): void {
    if (this.isClosed) return;
    this.#failure = error;
    this.#end();
    this.emit("failed", error);
    this.clear();
  }

  /** Handles a frame of this run. */
  receive(frame: SealedSignal): void {
    if (this.isClosed) return;
    if (frame.type === "box") {
      if (this.#boxes.length >= waitingLimit) return;
      this.#boxes.push(frame);
      void this.#openWaiting();
    } else if (this.#steps.length < waitingSteps) {
      this.#steps.push(frame);
      this.#takeStep();
    }
  }

  get binding(): ChannelBinding {
    const established = this.#established;
    if (established === null) throw handshakeError("order");
    const { keys, fingerprint } = established;
    return {
      remoteFingerprint: keys.remoteFingerprint,
      peer: { ...keys.peerIdentity, safetyCode: safetyCodeIndexes(keys.sas) },
      prove: (remote) => encodeBase64url(keys.bindTag(fingerprint, remote ?? keys.remoteFingerprint)),
      verify: (proof, remote) => {
        const tag = decodeBase64url(proof);
        return tag !== null && keys.verifyBind(tag, fingerprint, remote ?? keys.remoteFingerprint);
      },
    };
  }

  send(signal: Signal): void {
    if (this.isClosed || this.#outgoing.length >= waitingLimit) return;
    this.#outgoing.push(signal);
    void this.#flush();
  }

  start(): void {
    this.#isStarted = true;
    if (this.#failure !== null) this.emit("failed", this.#failure);
    else void this.#openWaiting();
  }

  close(): void {
    this.#end();
    this.clear();
  }

  #end(): void {
    this.#closing.abort();
    this.#settleProven?.reject(this.#failure ?? new WarrenError("connection-closed"));
    this.#boxes.length = 0;
    this.#outgoing.length = 0;
    this.#steps.length = 0;
  }

  #takeStep(): void {
    const awaited = this.#awaited;
    const index = this.#steps.findIndex(({ type }) => type === awaited?.type);
    const step = this.#steps[index];
    if (awaited === null || step === undefined) return;
    this.#steps.splice(index, 1);
    this.#awaited = null;
    awaited.take(step);
  }

  /** Before the run is established only the offer is sent; signals keep their order, so they are sealed one at a time. */
  async #flush(): Promise<void> {
    if (this.#isSealing) return;
    this.#isSealing = true;
    try {
      for (;;) {
        const [next] = this.#outgoing;
        if (next === undefined) return;
        const sealer = this.#established?.keys.sealer ?? (next.type === "offer" ? this.#offerSealer : null);
        if (sealer === null) return;
        this.#outgoing.shift();
        const { seq, box } = await sealer.seal(next.type, utf8(JSON.stringify(next.data)));
        if (!this.isClosed) this.#send({ type: "box", run: this.run, seq, kind: next.type, box });
      }
    } catch (thrown) {
      this.fail(toWarrenError(thrown, "connection-failed", { state: "new" }));
    } finally {
      this.#isSealing = false;
    }
  }

  /** Boxes are queued until there are keys and the link is started, and opened one at a time. */
  async #openWaiting(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      while (this.#established !== null && this.#isStarted) {
        const box = this.#boxes.shift();
        if (box === undefined) return;
        await this.#open(box, this.#established.keys);
      }
    } finally {
      this.#isOpening = false;
    }
  }

  async #open({ seq, kind, box }: Box, keys: EstablishedKeys): Promise<void> {
    let data: Uint8Array;
    try {
      data = await keys.opener.open({ seq, kind, box });
    } catch (thrown) {
      const error = toWarrenError(thrown, "connection-failed", { state: "new" });
      // The relaying server can forge or repeat a box; such a box must not end the run.
      if (error.code !== "handshake-failed") this.fail(error);
      return;
    }
    if (this.isClosed) return;
    try {
      const decoded = decodeValue(signalSchema, {
        type: kind,
        data: JSON.parse(new TextDecoder().decode(data)),
      });
      if (!decoded.ok) throw handshakeError("decode");
      const signal = decoded.value;
      if (signal.type !== "candidate") requireFingerprint(signal.data.sdp, keys.remoteFingerprint);
      this.emit("signal", signal);
    } catch (thrown) {
      this.fail(toWarrenError(thrown, "handshake-failed", { reason: "decode" }));
    }
  }
}
