import { Settings } from "@warren/core";
import { takeErasingRequest } from "../platform/erase-request.ts";
import { localKeyValueStorage } from "../platform/local-key-value-storage.ts";
import { sessionKeyValueStorage } from "../platform/session-key-value-storage.ts";
import { SocketAhead } from "../platform/socket-ahead.ts";
import { type LinkProblem, readJoinLink } from "../room/join-link.ts";
import { type BrowserWarren, createBrowserWarren, signallingUrl } from "./create-warren.ts";
import { followOtherTabs } from "./startup/follow-other-tabs.ts";
import { joinsAtOnce, openPage } from "./startup/open-page.ts";
import type { StartupPlan } from "./startup/plan-startup.ts";

/** What has begun before anything is drawn. */
export interface BegunPage extends BrowserWarren {
  readonly plan: StartupPlan;
  readonly linkProblems: readonly LinkProblem[];
  /** Reads contacts, history and files. */
  readonly reading: Promise<void>;
  /** The join that the plan asks for, null where it asks for none. Whoever draws the page reports how it ends. */
  readonly joining: Promise<void> | null;
  /** Resolves when the browser turns out to keep no settings between visits. */
  readonly storageDenied: Promise<void>;
  /** How deleting everything ended, where the page was opened for that. */
  readonly erased: "done" | "partly" | null;
}

/**
 * Begins what a meeting needs, side by side: the socket, the identity, the history, the certificate and what is derived
 * from the password. A room is joined only where {@link openPage} says so.
 * @returns null where this browser cannot run Warren, which public/unsupported.js has found and says.
 */
export function beginPage(address: string): Promise<BegunPage> | null {
  // First of all, so that no password stays in the address bar and nothing fetched later carries it.
  const link = readJoinLink(address);
  history.replaceState(history.state, "", link.cleanAddress);
  return document.documentElement.hasAttribute("data-unsupported") ? null : begin(address, link.problems);
}

async function begin(address: string, linkProblems: readonly LinkProblem[]): Promise<BegunPage> {
  const erased = takeErasingRequest() ? await eraseAll() : null;
  let denyStorage = (): void => {};
  const storageDenied = new Promise<void>((resolve) => {
    denyStorage = resolve;
  });
  const kept = { storage: localKeyValueStorage(denyStorage), tabStorage: sessionKeyValueStorage() };
  const socket = new SocketAhead();
  if (joinsAtOnce(kept, address)) socket.open(signallingUrl(new Settings(kept.storage)));
  const browser = await createBrowserWarren(kept, socket.take);
  const { warren } = browser;
  followOtherTabs(warren);
  const plan = openPage(warren, kept, address);
  const joining = plan.next === "join" ? joinAtStart(browser) : null;
  if (joining === null) socket.discard();
  const reading = warren.load();
  for (const begun of [joining, reading]) begun?.catch(() => {}); // reported once there is a page
  return { ...browser, plan, linkProblems, reading, joining, storageDenied, erased };
}

function joinAtStart({ warren: { profile, room } }: BrowserWarren): Promise<void> {
  profile.update({ initialJoin: false });
  return room.join();
}

/** Deletes everything; the code for that is fetched, and may be out of reach. */
async function eraseAll(): Promise<"done" | "partly"> {
  try {
    return await (await import("../platform/erase-all.ts")).eraseAll();
  } catch {
    return "partly";
  }
}
