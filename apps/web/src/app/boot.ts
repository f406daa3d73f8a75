import { type LinkProblem, readJoinLink, Settings, type Warren } from "@warren/core";
import { signallingSubprotocol } from "@warren/protocol";
import { type SocketAhead, storeVisit } from "../platform/network/socket-ahead.ts";
import { eraseStorage } from "../platform/storage/browser-data.ts";
import { takeErasingRequest } from "../platform/storage/next-load.ts";
import { localKeyValueStorage, sessionKeyValueStorage } from "../platform/storage/web-storage.ts";
import { type BrowserWarren, createBrowserWarren, signallingUrl } from "./create-warren.ts";
import { followOtherTabs } from "./startup/follow-other-tabs.ts";
import type { StartupPlan } from "./startup/plan-startup.ts";
import { joinsAtOnce, readStartupPlan, storeStartup } from "./startup/startup-storage.ts";

/** What starts before the first render. */
export interface BootedPage extends BrowserWarren {
  readonly plan: StartupPlan;
  readonly linkProblems: readonly LinkProblem[];
  /** Reads contacts, then the history. */
  readonly reading: Promise<void>;
  /** The join that the plan asks for, or null. The page reports its outcome. */
  readonly joining: Promise<void> | null;
  /** Resolves when the browser turns out to keep no settings between visits. */
  readonly storageDenied: Promise<void>;
  /** The outcome of "delete everything", if the page was opened for that. */
  readonly erased: "done" | "partly" | null;
}

/**
 * Starts what a meeting needs, as early and as parallel as it goes: the socket, the identity and the database of
 * contacts; then contacts, the certificate and the keys derived from the password. Joins a room only if
 * the startup plan says so.
 * @returns null if this browser cannot run Warren; page-scripts/unsupported.js detects and reports that.
 */
export function boot(address: string, socket: SocketAhead): Promise<BootedPage> | null {
  // First, so that the password leaves the address bar and no later request carries it.
  const link = readJoinLink(address);
  history.replaceState(history.state, "", link.cleanAddress);
  return document.documentElement.hasAttribute("data-unsupported")
    ? null
    : bootPage(address, link.problems, socket);
}

async function bootPage(
  address: string,
  linkProblems: readonly LinkProblem[],
  socket: SocketAhead,
): Promise<BootedPage> {
  const erased = takeErasingRequest() ? await eraseStorage() : null;
  let denyStorage = (): void => {};
  const storageDenied = new Promise<void>((resolve) => {
    denyStorage = resolve;
  });
  const storages = { storage: localKeyValueStorage(denyStorage), tabStorage: sessionKeyValueStorage() };
  const settings = new Settings(storages.storage);
  if (__FIREBASE__ === null && joinsAtOnce(storages, address, settings.get().servers))
    socket.open(signallingUrl(settings), signallingSubprotocol);
  else socket.discard();
  const browser = await createBrowserWarren(storages, settings, socket);
  const { warren } = browser;
  followOtherTabs(warren);
  const plan = readStartupPlan(storages, address, warren.profile.get(), settings.get().servers);
  storeStartup(warren, storages, address, plan);
  const joining = plan.next === "join" ? joinAtStart(browser) : null;
  if (joining === null) socket.discard();
  if (plan.next !== "join") storeVisit(null);
  if (plan.next === "ask") warren.room.prepare(plan.invite);
  if (__FIREBASE__ === null) storeVisitOnceJoined(warren, plan, address);
  // After the join: a room that is being joined comes first.
  warren.nearby.start();
  const reading = warren.load();
  for (const started of [joining, reading]) started?.catch(() => {}); // reported once there is a page
  return { ...browser, plan, linkProblems, reading, joining, storageDenied, erased };
}

/** Stores an address once its room has been joined, so that opening it again joins at once. */
function storeVisitOnceJoined({ room, profile, settings }: Warren, plan: StartupPlan, address: string): void {
  if (plan.next !== "join" && plan.next !== "ask") return;
  const roomId = plan.next === "ask" ? plan.invite.roomId : profile.get().roomId;
  const stop = room.store.subscribe((state) => {
    if (state.status !== "connected" || state.roomId !== roomId) return;
    stop();
    storeVisit({ address, url: signallingUrl(settings), protocol: signallingSubprotocol });
  });
}

function joinAtStart({ warren: { profile, room } }: BrowserWarren): Promise<void> {
  profile.update({ initialJoin: false });
  return room.join();
}
