import {
  type KeyValueStorage,
  readJoinLink,
  readProfile,
  type Servers,
  Settings,
  type Warren,
} from "@warren/core";
import { parseUrl } from "../../platform/parse-url.ts";
import { planStartup, type StartupPlan, type StartupSituation } from "./plan-startup.ts";
import { noteRoomOfTab, readRoomOfTab } from "./room-of-tab.ts";

/** Set on the first visit. */
const initializedKey = "app_initialized";
/** Set on the first join. */
const joinedKey = "room_joined";
/** The link this tab was opened with, until the user has answered it; the address bar no longer shows it. */
const openLinkKey = "open_link";
const isSet = "true";

/** The storage of the page. */
export interface PageStorage {
  /** Storage of this browser; persists between visits. */
  readonly storage: KeyValueStorage;
  /** Storage of this tab; survives reloads. */
  readonly tabStorage: KeyValueStorage;
}

/**
 * Whether {@link openPage} will join a room at once, judged by storage alone, before the identity is read.
 */
export function joinsAtOnce({ storage, tabStorage }: PageStorage, address: string): boolean {
  const profile = readProfile(storage, Date.now());
  const { servers } = new Settings(storage).get();
  return planFor({ storage, tabStorage }, address, profile, servers).next === "join";
}

/** Plans how the page opens at an address, and remembers the first visit and the first join in this browser. */
export function openPage(warren: Warren, { storage, tabStorage }: PageStorage, address: string): StartupPlan {
  const { servers } = warren.settings.get();
  const plan = planFor({ storage, tabStorage }, address, warren.profile.get(), servers);
  if (plan.next !== "ask") answerLink(tabStorage);
  else if (readJoinLink(address).isLink) tabStorage.write(openLinkKey, address);
  storage.write(initializedKey, isSet);
  noteFirstJoin(warren, storage);
  noteRoomOfTab(warren, tabStorage);
  return plan;
}

function planFor(
  { storage, tabStorage }: PageStorage,
  address: string,
  profile: StartupSituation["profile"],
  ownServers: Servers,
): StartupPlan {
  const opened = readJoinLink(address);
  const pending = opened.isLink ? null : tabStorage.read(openLinkKey);
  return planStartup({
    link: pending !== null && parseUrl(pending) !== null ? readJoinLink(pending) : opened,
    profile,
    ownServers,
    known: storage.read(joinedKey) === isSet,
    roomOfTab: readRoomOfTab(tabStorage),
  });
}

/** Records that the user has answered the link of this tab, so that a reload does not ask again. */
export function answerLink(tabStorage: KeyValueStorage): void {
  tabStorage.remove(openLinkKey);
}

/** A start page that was only looked at still offers the choice of a room after a reload. */
function noteFirstJoin({ room }: Pick<Warren, "room">, storage: KeyValueStorage): void {
  const stop = room.store.subscribe(({ status }) => {
    if (status === "disconnected" || status === "nearby") return;
    storage.write(joinedKey, isSet);
    stop();
  });
}
