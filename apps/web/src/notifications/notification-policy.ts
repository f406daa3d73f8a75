import type { SoundName } from "../platform/play-sound.ts";
import type { UpdateKind } from "./updates.ts";

/** What the person sees of it: the page is hidden, shows something else, or shows the conversation. */
export type Sight = "hidden" | "elsewhere" | "open";

interface Situation {
  readonly kind: UpdateKind;
  readonly sight: Sight;
  /** Whether whoever it comes from may draw attention; see `mayAlert`. Of a join request it does not matter. */
  readonly isAccepted: boolean;
  readonly isMuted: boolean;
  /** Switched on by the person, and granted by the browser. */
  readonly notifications: boolean;
  readonly sounds: boolean;
}

/** How a person is told. */
export interface Alert {
  readonly notify: boolean;
  readonly sound: SoundName | null;
  /** Whether it counts on the icon of the app. */
  readonly badge: boolean;
}

interface Row {
  readonly sound: SoundName | null;
  /** Where its sound is heard, beside a hidden page. */
  readonly heard: readonly Sight[];
  readonly badge: boolean;
  /** Whether it comes from a stranger by its nature. */
  readonly ofStrangers?: true;
}

/** A call rings by itself, and of each other kind a hidden page tells. */
const rows: Readonly<Record<UpdateKind, Row>> = {
  message: { sound: "message", heard: ["elsewhere"], badge: true },
  offer: { sound: "message", heard: ["elsewhere"], badge: true },
  received: { sound: "done", heard: [], badge: false },
  sent: { sound: null, heard: [], badge: false },
  failed: { sound: "done", heard: [], badge: false },
  call: { sound: null, heard: [], badge: false },
  "missed-call": { sound: null, heard: [], badge: false },
  "join-request": { sound: "message", heard: ["elsewhere", "open"], badge: false, ofStrangers: true },
};

const noAlert: Alert = { notify: false, sound: null, badge: false };

/** How a person is told of something: the only place that decides it. */
export function alertFor({ kind, sight, isAccepted, isMuted, notifications, sounds }: Situation): Alert {
  const row = rows[kind];
  if (isMuted || (!isAccepted && !row.ofStrangers)) return noAlert;
  const isHidden = sight === "hidden";
  return {
    notify: isHidden && notifications,
    sound: sounds && (isHidden || row.heard.includes(sight)) ? row.sound : null,
    badge: row.badge && sight !== "open",
  };
}
