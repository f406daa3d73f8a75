import { Settings } from "@warren/core";
import { createRoot } from "react-dom/client";
import { setLocale, wantedLocale } from "../i18n/i18n.ts";
import { delay } from "../platform/delay.ts";
import { SharedItems } from "../platform/storage/shared-items.ts";
import { localKeyValueStorage } from "../platform/storage/web-storage.ts";
import { untilMet } from "../room/meeting.ts";
import { sharedStore } from "../service-worker/messages.ts";
import type { ShareTray } from "../tab/share-tray.ts";
import { Tab } from "../tab/tab.ts";
import { App } from "./app.tsx";
import type { BootedPage } from "./boot.ts";
import { browserPlatform } from "./browser-platform.ts";
import { PersistedShareTray } from "./startup/persisted-share-tray.ts";
import { fetchLaterCode, untilIdle, untilSettled } from "./startup/prefetch.ts";
import { nameJoinedRoom } from "./use-room-address.ts";

/** Renders the app into `#root`. */
export async function renderApp(booting: Promise<BootedPage>): Promise<void> {
  const element = document.getElementById("root");
  if (element === null) throw new Error("index.html has no #root");
  const root = createRoot(element);
  const translated = chooseLocale();
  const page = await booting;
  const { warren, roomLock } = page;
  const tab = new Tab(page);
  tab.restore();
  // The first render already shows the known state, so that nothing shifts later.
  await Promise.all([translated, roomLock.check()]);
  const isAsked = page.plan.next === "ask" || page.plan.next === "start";
  const whenMet = (isAsked ? untilSettled : untilMet)(warren.room);
  const tray = page.durable ? whenMet.then(() => openShareTray(tab.shareTray)) : null;
  const idle = untilIdle(warren.room);
  tab.shareTray.persistBy(async () => (await tray)?.settled());
  nameJoinedRoom(warren);
  root.render(
    <App
      warren={warren}
      tab={tab}
      platform={browserPlatform(page, tab.busy)}
      startup={{ ...page, idle, rereadShared: async () => (await tray)?.reread() }}
    />,
  );
  performance.mark("rendered");
  void whenMet.then(() => warren.readFiles());
  void idle.then(() => fetchLaterCode(warren));
}

/** Keeps items shared by other apps until a recipient is chosen. */
function openShareTray(tray: ShareTray): PersistedShareTray {
  const tabs = new BroadcastChannel(sharedStore);
  return new PersistedShareTray({ tray, store: new SharedItems(), tabs });
}

/** How long an empty page waits for its translation. */
const timeoutMs = 1_500;

/**
 * Switches to the user's language before the first render. Reads the choice before the core starts, so that
 * the translation is fetched in parallel. If it fails or is slow, the page starts in English and
 * `useLanguage` retries.
 */
async function chooseLocale(): Promise<void> {
  const { locale } = new Settings(localKeyValueStorage(() => {})).get();
  await Promise.race([
    setLocale(wantedLocale(locale, navigator.languages)).catch(() => {}),
    delay(timeoutMs),
  ]);
}
