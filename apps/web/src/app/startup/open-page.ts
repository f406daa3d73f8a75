import type { KeyValueStorage, Warren } from "@warren/core";
import type { ReadLink } from "../../components/join-link.ts";
import { planStartup, type StartupPlan } from "./plan-startup.ts";
import { noteRoomOfTab, readRoomOfTab } from "./room-of-tab.ts";

/** Set from the first run on, which is the dialog, or the arrival page of a link. */
const initializedKey = "app_initialized";
/** Set from the first join on. */
const joinedKey = "room_joined";
const isSet = "true";

/** Where the page keeps things. */
export interface PageStorage {
  /** What this browser keeps between visits. */
  readonly storage: KeyValueStorage;
  /** What this tab keeps across reloads. */
  readonly tabStorage: KeyValueStorage;
}

/** What the page was opened with. */
export interface PageOpening {
  readonly link: ReadLink;
  /** `document.referrer`. */
  readonly referrer: string;
  readonly origin: string;
}

/** Plans how the page opens, stores what the link says, and remembers the first join in this browser. */
export function openPage(
  warren: Warren,
  { storage, tabStorage }: PageStorage,
  { link, referrer, origin }: PageOpening,
): StartupPlan {
  const plan = planStartup({
    link,
    profile: warren.profile.get(),
    ownServers: warren.settings.get().servers,
    greeted: isGreeted(storage),
    known: storage.read(joinedKey) === isSet,
    roomOfTab: readRoomOfTab(tabStorage),
    foreignReferrer: referrer !== "" && referrer !== origin && !referrer.startsWith(`${origin}/`),
  });
  if (plan.profileChange) warren.profile.update(plan.profileChange);
  if (link.roomId !== null) noteGreeting(storage);
  if (plan.inviter !== null) warren.invitations.pin(plan.inviter);
  noteFirstJoin(warren, storage);
  noteRoomOfTab(warren, tabStorage);
  return plan;
}

/** Whether this browser has had its first run; what says anything else than that counts as no. */
export function isGreeted(storage: KeyValueStorage): boolean {
  return storage.read(initializedKey) === isSet;
}

/** Remembers that this browser has had its first run. */
export function noteGreeting(storage: KeyValueStorage): void {
  storage.write(initializedKey, isSet);
}

/** A start page that was only looked at, and is reloaded, still lets the person choose a room. */
function noteFirstJoin({ room }: Pick<Warren, "room">, storage: KeyValueStorage): void {
  const stop = room.store.subscribe(({ status }) => {
    if (status === "disconnected") return;
    storage.write(joinedKey, isSet);
    stop();
  });
}
