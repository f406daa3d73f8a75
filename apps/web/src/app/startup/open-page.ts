import { type KeyValueStorage, readProfile, type Servers, Settings, type Warren } from "@warren/core";
import { readJoinLink } from "../../room/join-link.ts";
import { parseUrl } from "../../ui/parse-url.ts";
import { planStartup, type StartupPlan, type StartupSituation } from "./plan-startup.ts";
import { noteRoomOfTab, readRoomOfTab } from "./room-of-tab.ts";

/** Set from the first visit on (SPEC §3). */
const initializedKey = "app_initialized";
/** Set from the first join on. */
const joinedKey = "room_joined";
/** The link this tab was opened with, until the person has answered it: its address no longer shows it. */
const openLinkKey = "open_link";
const isSet = "true";

/** Where the page keeps things. */
export interface PageStorage {
  /** What this browser keeps between visits. */
  readonly storage: KeyValueStorage;
  /** What this tab keeps across reloads. */
  readonly tabStorage: KeyValueStorage;
}

/** Whether {@link openPage} will join a room at once, by what is stored: it is known before the identity is read. */
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

/** The person has said yes or no to the link this tab was opened with: a reload does not ask again. */
export function answerLink(tabStorage: KeyValueStorage): void {
  tabStorage.remove(openLinkKey);
}

/** A start page that was only looked at, and is reloaded, still lets the person choose a room. */
function noteFirstJoin({ room }: Pick<Warren, "room">, storage: KeyValueStorage): void {
  const stop = room.store.subscribe(({ status }) => {
    if (status === "disconnected") return;
    storage.write(joinedKey, isSet);
    stop();
  });
}
