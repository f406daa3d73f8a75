import type { DoctorPlatform, ReadLink } from "@warren/core";
import type { ReactNode } from "react";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { createStore } from "zustand/vanilla";
import { translate } from "../i18n/i18n.ts";
import type { ClipboardRead } from "../platform/clipboard.ts";
import type { OtherTab } from "../platform/network/room-lock.ts";
import { browserData } from "../platform/storage/browser-data.ts";
import { OpenLinkContext } from "../room/join/open-link.ts";
import { TabContext } from "../tab/tab-context.ts";
import { HoldPageContext } from "../ui/overlays/hold-page.ts";
import { OverDialogsProvider } from "../ui/overlays/over-dialogs.tsx";
import { DialogHost } from "../wiring/dialogs/dialog-host.tsx";
import { type Platform, PlatformContext } from "../wiring/platform-context.ts";
import { Toaster } from "../wiring/toaster.tsx";
import { WarrenContext } from "../wiring/warren-context.ts";
import { type FakeNotifier, fakeNotifier } from "./fake-notifier.ts";
import { fakeStorage } from "./fake-storage.ts";
import type { FakeWarren } from "./fake-warren.ts";
import { layOutLogs } from "./lay-out-logs.ts";
import { renderUi } from "./render-ui.tsx";

layOutLogs();

const fakeDoctorPlatform: DoctorPlatform = {
  isSecure: true,
  signalling: null,
  localNetwork: async () => null,
  storage: async () => ({ isDurable: true, isPersisted: true, hasFiles: true, freeBytes: null }),
  devices: null,
};

/** A device that records copied text and reads the clipboard set by the test. */
export interface FakePlatform extends Platform {
  readonly written: string[];
  readonly notifier: FakeNotifier;
}

/** Creates a device; `clipboard` is the result of reading the clipboard. */
export function fakePlatform(clipboard: ClipboardRead = { status: "denied" }): FakePlatform {
  const written: string[] = [];
  return {
    written,
    writeClipboard: async (text) => {
      written.push(text);
      return { status: "written" };
    },
    readClipboard: async () => clipboard,
    writePicture: null,
    pickFiles: async () => [],
    rememberDropped: () => {},
    shareLink: null,
    shareFiles: null,
    savesBySharing: false,
    dragsFilesOut: false,
    pickFolder: async () => null,
    pickTargetFolder: null,
    pickTargetFile: null,
    media: null,
    browserData,
    notifier: fakeNotifier(),
    roomLock: {
      other: createStore<OtherTab>(() => ({ status: "unseen" })),
      watch: () => () => {},
      takeOver: () => {},
    },
    storage: fakeStorage(),
    doctorPlatform: () => fakeDoctorPlatform,
    home: "https://warren.example/",
  };
}

/** Renders a screen with a fake core, at a path, with dialogs and toasts. */
export function renderWithWarren(
  children: ReactNode,
  { warren, tab }: FakeWarren,
  {
    path = "/",
    platform = fakePlatform(),
    openLink = () => {},
  }: {
    readonly path?: string;
    readonly platform?: Platform;
    readonly openLink?: (link: ReadLink) => void;
  } = {},
) {
  return renderUi(
    <WarrenContext value={warren}>
      <TabContext value={tab}>
        <PlatformContext value={platform}>
          <HoldPageContext value={tab.busy.begin}>
            <Router hook={memoryLocation({ path }).hook}>
              <OverDialogsProvider>
                <OpenLinkContext value={openLink}>{children}</OpenLinkContext>
                <DialogHost />
              </OverDialogsProvider>
              <Toaster narrow={false} label={translate("toast.region")} />
            </Router>
          </HoldPageContext>
        </PlatformContext>
      </TabContext>
    </WarrenContext>,
  );
}
