import { createRoot } from "react-dom/client";
import { recallDrafts } from "../chat/drafts.ts";
import { untilMet } from "../room/meeting.ts";
import { sharedStore } from "../service-worker/messages.ts";
import { shareTray } from "../share/share-tray.ts";
import { App } from "./app.tsx";
import type { StartedPage } from "./begin-page.ts";
import { browserDevice } from "./browser-device.ts";
import type { PersistedTray } from "./startup/persist-share-tray.ts";
import { prefetchWhenIdle, untilSettled } from "./startup/prefetch.ts";
import { speakFirst } from "./startup/speak-first.ts";

/** Renders the started page into `#root`. */
export async function startApp(started: Promise<StartedPage>): Promise<void> {
  const element = document.getElementById("root");
  if (element === null) throw new Error("index.html has no #root");
  const root = createRoot(element);
  const isSpoken = speakFirst();
  const page = await started;
  const { warren, roomPlace } = page;
  recallDrafts(page.tabStorage);
  // The first render already shows the known state, so that nothing shifts later.
  await Promise.all([isSpoken, roomPlace.look()]);
  let shared: Promise<PersistedTray | null> = Promise.resolve(null);
  shareTray.keptBy(async () => (await shared)?.settled());
  root.render(
    <App
      warren={warren}
      device={browserDevice(page)}
      startup={{ ...page, rereadShared: async () => (await shared)?.reread() }}
    />,
  );
  performance.mark("rendered");
  const isAsked = page.plan.next === "ask" || page.plan.next === "start";
  const whenMet = (isAsked ? untilSettled : untilMet)(warren.room);
  void whenMet.then(() => warren.readFiles());
  if (page.durable) shared = whenMet.then(openShareTray);
  prefetchWhenIdle(warren);
}

/**
 * Keeps items shared by other apps until a recipient is chosen. Without the code for that they last as long
 * as the page.
 */
async function openShareTray(): Promise<PersistedTray | null> {
  try {
    const [{ persistShareTray }, { StoredItems }] = await Promise.all([
      import("./startup/persist-share-tray.ts"),
      import("../platform/stored-items.ts"),
    ]);
    const tabs = new BroadcastChannel(sharedStore);
    return persistShareTray({ tray: shareTray, store: new StoredItems(sharedStore), tabs });
  } catch {
    return null; // it could not be fetched
  }
}
