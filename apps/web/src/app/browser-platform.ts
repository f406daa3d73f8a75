import type { Warren } from "@warren/core";
import { ClipboardWriter, readClipboard, writePicture } from "../platform/clipboard.ts";
import { doctorPlatform } from "../platform/doctor-platform.ts";
import { pickFolder, pickTargetFile, pickTargetFolder } from "../platform/files/folders.ts";
import type { PickedFiles } from "../platform/files/picked-files.ts";
import { browserNotifier } from "../platform/notifier.ts";
import { shareFiles, shareLink } from "../platform/share.ts";
import { browserData } from "../platform/storage/browser-data.ts";
import type { Busy } from "../tab/busy.ts";
import type { Platform } from "../wiring/platform-context.ts";
import { signallingUrl } from "./create-warren.ts";

/** The parts of the platform that the page has opened already. */
interface PageParts extends Pick<Platform, "roomLock" | "storage"> {
  readonly pickedFiles: PickedFiles;
  readonly warren: Pick<Warren, "settings">;
  /** Whether messages and files survive a reload. */
  readonly durable: boolean;
}

/** The platform of this page. The user counts as busy while a picker is open. */
export function browserPlatform(page: PageParts, busy: Busy): Platform {
  const { pickedFiles, roomLock, storage } = page;
  const clipboard = new ClipboardWriter();
  return {
    writeClipboard: (text) => clipboard.write(text),
    readClipboard,
    writePicture,
    shareLink,
    shareFiles,
    // Only the browsers of iPhones and iPads have it; it is true in their home-screen apps.
    savesBySharing: "standalone" in navigator && navigator.standalone === true,
    dragsFilesOut: dragsFilesOut(),
    pickFolder: busy.during(pickFolder),
    pickTargetFolder: typeof window.showDirectoryPicker === "function" ? busy.during(pickTargetFolder) : null,
    pickTargetFile: typeof window.showSaveFilePicker === "function" ? busy.during(pickTargetFile) : null,
    // The DOM types always declare it; outside a secure context it is missing.
    media: navigator.mediaDevices ?? null,
    browserData,
    notifier: browserNotifier(`${import.meta.env.BASE_URL}icon-192.png`),
    doctorPlatform: () =>
      doctorPlatform({
        signallingUrl: __FIREBASE__ === null ? signallingUrl(page.warren.settings) : null,
        isDurable: page.durable,
      }),
    storage,
    roomLock,
    pickFiles: busy.during((options = {}) => pickedFiles.pick(options)),
    rememberDropped: (items) => pickedFiles.rememberDropped(items),
    home: location.origin + import.meta.env.BASE_URL,
  };
}

/** Whether this browser saves a file that is dragged out of its window: Chromium does, if there is a mouse. */
function dragsFilesOut(): boolean {
  return "userAgentData" in navigator && matchMedia("(any-pointer: fine)").matches;
}
