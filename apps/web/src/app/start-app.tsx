import { createRoot } from "react-dom/client";
import type { Device } from "../components/device-context.tsx";
import { readJoinLink } from "../components/join-link.ts";
import { recallDrafts } from "../features/chat/drafts.ts";
import { shareTray } from "../features/share/share-tray.ts";
import { readClipboard, writeClipboard, writePicture } from "../platform/clipboard.ts";
import { dragsFilesOut } from "../platform/drags-files-out.ts";
import { takeErasingRequest } from "../platform/erase-request.ts";
import { pickFolder, pickTargetFolder } from "../platform/folders.ts";
import { savesUnasked } from "../platform/saves-unasked.ts";
import { shareFiles, shareLink } from "../platform/share.ts";
import { sharedStore } from "../service-worker/messages.ts";
import { occupying } from "../ui/occupied.ts";
import { App } from "./app.tsx";
import { createBrowserWarren } from "./create-warren.ts";
import { followOtherTabs } from "./startup/follow-other-tabs.ts";
import type { KeptTray } from "./startup/keep-share-tray.ts";
import { openPage } from "./startup/open-page.ts";
import { prefetchAtRest } from "./startup/prefetch.ts";
import { speakFirst } from "./startup/speak-first.ts";

/** Starts Warren in an element of the page. */
export async function startApp(element: HTMLElement): Promise<void> {
  // First of all, so that no password stays in the address bar and nothing fetched later carries it.
  const address = location.href;
  const link = readJoinLink(address);
  history.replaceState(history.state, "", link.cleanAddress);

  // public/unsupported.js has found that this browser cannot run Warren, and says so.
  if (document.documentElement.hasAttribute("data-unsupported")) return;

  const root = createRoot(element);
  const erased = takeErasingRequest() ? await eraseAll() : null;
  const isSpoken = speakFirst();
  let denyStorage = (): void => {};
  const storageDenied = new Promise<void>((resolve) => {
    denyStorage = resolve;
  });
  const { warren, roomServers, pickedFiles, roomPlace, durable, ...kept } =
    await createBrowserWarren(denyStorage);
  followOtherTabs(warren);
  recallDrafts(kept.tabStorage);
  const plan = openPage(warren, kept, address);
  const device: Device = {
    writeClipboard,
    readClipboard,
    writePicture,
    shareLink,
    shareFiles,
    dragsFilesOut: dragsFilesOut(),
    savesUnasked: savesUnasked(),
    pickFolder: occupying(pickFolder),
    pickTargetFolder: pickTargetFolder && occupying(pickTargetFolder),
    // The DOM types promise it; outside a secure context there is none.
    media: navigator.mediaDevices ?? null,
    browserData: async () => (await import("../platform/browser-data.ts")).browserData,
    storage: kept.storage,
    tabStorage: kept.tabStorage,
    roomPlace,
    pickFiles: occupying((options) => pickedFiles.pick(options)),
    noteDropped: (items) => pickedFiles.noteDropped(items),
    origin: location.origin,
  };
  // The first thing drawn says what is known, and nothing moves when it is found out.
  await Promise.all([isSpoken, roomPlace.look()]);
  let shared: Promise<KeptTray | null> = Promise.resolve(null);
  shareTray.keptBy(async () => (await shared)?.settled());
  root.render(
    <App
      warren={warren}
      device={device}
      startup={{
        plan,
        linkProblems: link.problems,
        roomServers,
        ...kept,
        rereadShared: async () => (await shared)?.reread(),
        storageDenied,
        durable,
        erased,
      }}
    />,
  );
  if (durable) shared = keepShared();
  prefetchAtRest();
}

/** Keeps what other apps shared until somebody is chosen. Without the code for that it lasts as long as the page. */
async function keepShared(): Promise<KeptTray | null> {
  try {
    const [{ keepShareTray }, { KeptItems }] = await Promise.all([
      import("./startup/keep-share-tray.ts"),
      import("../platform/kept-items.ts"),
    ]);
    const tabs = new BroadcastChannel(sharedStore);
    return keepShareTray({ tray: shareTray, store: new KeptItems(sharedStore), tabs });
  } catch {
    return null; // it could not be fetched
  }
}

/** Deletes everything; the code for that is fetched, and may be out of reach. */
async function eraseAll(): Promise<"done" | "partly"> {
  try {
    return await (await import("../platform/erase-all.ts")).eraseAll();
  } catch {
    return "partly";
  }
}
