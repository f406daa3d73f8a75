import type { Servers } from "@warren/core";
import type { ClientId } from "@warren/protocol";

/** The parts of a link that go beyond this browser's settings. Nothing is stored before the user agrees. */
export interface Invite {
  readonly roomId: string;
  readonly password: string | null;
  readonly passwordFromLink: boolean;
  /** Servers this browser does not use yet, for this room only; null if there are none. */
  readonly newServers: Servers | null;
  /** The person who created the link; never ourselves. */
  readonly by: ClientId | null;
}
