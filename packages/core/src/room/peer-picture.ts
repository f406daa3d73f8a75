import type { CleanPicture } from "../ports/pictures.ts";
import type { PeerProfile } from "./room-state.ts";

interface PeerPictureOptions {
  readonly clean: CleanPicture;
  /** A picture it sent is redrawn, or refused. */
  readonly onCleaned: (avatar: string | null) => void;
}

/** The picture of one peer, redrawn before anybody sees it. Until then the one before stays. */
export class PeerPicture {
  readonly #options: PeerPictureOptions;
  /** What the peer sent last. */
  #sent: string | null = null;
  #shown: PeerProfile | null = null;
  #avatar: string | null = null;

  constructor(options: PeerPictureOptions) {
    this.#options = options;
  }

  /** A profile as it may be shown; the same object as long as that is the same. */
  of(profile: PeerProfile | null): PeerProfile | null {
    if (profile === null) return null;
    if (profile.avatar === null) {
      this.#sent = null;
      this.#avatar = null;
    } else if (profile.avatar !== this.#sent) void this.#clean(profile.avatar);
    if (this.#shown?.name !== profile.name || this.#shown.avatar !== this.#avatar)
      this.#shown = { name: profile.name, avatar: this.#avatar };
    return this.#shown;
  }

  async #clean(sent: string): Promise<void> {
    this.#sent = sent;
    const cleaned = await this.#options.clean(sent, "avatar").catch(() => null);
    // Another one may have come meanwhile.
    if (this.#sent !== sent) return;
    this.#avatar = cleaned;
    this.#options.onCleaned(cleaned);
  }
}
