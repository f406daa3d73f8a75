import { type KeyValueStorage, readJoinLink, readProfile, type Servers, type Warren } from "@warren/core";
import { parseUrl } from "../../platform/parse-url.ts";
import { planStartup, type StartupPlan, type StartupSituation } from "./plan-startup.ts";
import { followRoomOfTab, readRoomOfTab } from "./room-of-tab.ts";

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

/** Whether the page will join a room at once, judged before the identity is read. */
export function joinsAtOnce(storages: PageStorage, address: string, ownServers: Servers): boolean {
  const profile = readProfile(storages.storage, Date.now());
  return readStartupPlan(storages, address, profile, ownServers).next === "join";
}

/** Plans how the page opens at an address, from what is stored. */
export function readStartupPlan(
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

/** Stores what the next page plans by: the link that is asked about, the first visit, the first join, the room of this tab. */
export function storeStartup(
  warren: Pick<Warren, "room">,
  { storage, tabStorage }: PageStorage,
  address: string,
  plan: StartupPlan,
): void {
  if (plan.next !== "ask") answerLink(tabStorage);
  else if (readJoinLink(address).isLink) tabStorage.write(openLinkKey, address);
  storage.write(initializedKey, isSet);
  followFirstJoin(warren, storage);
  followRoomOfTab(warren, tabStorage);
}

/** Records that the user has answered the link of this tab, so that a reload does not ask again. */
export function answerLink(tabStorage: KeyValueStorage): void {
  tabStorage.remove(openLinkKey);
}

/** A start page that was only looked at still offers the choice of a room after a reload. */
function followFirstJoin({ room }: Pick<Warren, "room">, storage: KeyValueStorage): void {
  const stop = room.store.subscribe(({ status }) => {
    if (status === "disconnected" || status === "nearby") return;
    storage.write(joinedKey, isSet);
    stop();
  });
}
