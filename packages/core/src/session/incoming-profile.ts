import { announcementsIn, type PeerMessageOf } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting } from "../shared/emitter.ts";
import type { PeerProfile } from "./peer.ts";

/** How often a change of the peer's name or picture is applied: a picture has to be re-encoded. */
const everyMs = 1_000;
/** When a picture that could not be redrawn yet is tried again. */
const pictureRetryMs = 5_000;

type IncomingProfileEvents = {
  /** A profile is applied; its picture follows once it is re-encoded. */
  applied: [message: PeerMessageOf<"profile">];
  /** The picture was re-encoded; null if it was not suitable. */
  picture: [avatar: string | null];
};

interface IncomingProfileDeps {
  readonly clock: Clock;
  readonly cleanPicture: CleanPicture;
}

/** A peer's name and picture, as far as they have been applied. */
export class IncomingProfile extends Emitting<IncomingProfileEvents> {
  readonly #deps: IncomingProfileDeps;
  #shown: PeerProfile | null = null;
  #appliedAtMs = 0;
  /** The latest picture that the peer sent. */
  #sentPicture: string | null = null;
  readonly #next: Countdown;
  readonly #nextPicture: Countdown;

  constructor(deps: IncomingProfileDeps) {
    super();
    this.#deps = deps;
    this.#next = new Countdown(deps.clock);
    this.#nextPicture = new Countdown(deps.clock);
  }

  /** Null until the first one arrives. */
  get shown(): PeerProfile | null {
    return this.#shown;
  }

  /** Applies a connection's first profile at once, then at most one a second, the latest. */
  take(message: PeerMessageOf<"profile">, isFirst: boolean): void {
    const waitMs = this.#appliedAtMs + everyMs - this.#deps.clock.elapsedMs();
    if (isFirst || waitMs <= 0) this.#apply(message);
    else this.#next.start(waitMs, () => this.#apply(message));
  }

  /** The connection has ended, and with it what waits of it. */
  drop(): void {
    this.#next.stop();
  }

  close(): void {
    this.drop();
    this.#nextPicture.stop();
    this.#sentPicture = null;
  }

  #apply(message: PeerMessageOf<"profile">): void {
    this.#next.stop();
    this.#appliedAtMs = this.#deps.clock.elapsedMs();
    const { name, avatar: sent } = message;
    // Keep the previous picture until the new one is re-encoded.
    const avatar = sent === null ? null : (this.#shown?.avatar ?? null);
    this.#show({ name, avatar, ...announcementsIn(message) });
    this.emit("applied", message);
    if (sent !== this.#sentPicture) void this.#takePicture(sent);
  }

  async #takePicture(sent: string | null): Promise<void> {
    this.#sentPicture = sent;
    this.#nextPicture.stop();
    if (sent === null) return;
    // Undefined if the code for it cannot be fetched now: the known picture is kept.
    const avatar = await this.#deps.cleanPicture(sent, "avatar").catch(() => undefined);
    // Another picture may have arrived meanwhile.
    if (this.#sentPicture !== sent || this.#shown === null) return;
    if (avatar === undefined) {
      this.#nextPicture.start(pictureRetryMs, () => void this.#takePicture(sent));
      return;
    }
    this.#show({ ...this.#shown, avatar });
    this.emit("picture", avatar);
  }

  #show(profile: PeerProfile): void {
    if (this.#shown === null || !shallow(this.#shown, profile)) this.#shown = profile;
  }
}
