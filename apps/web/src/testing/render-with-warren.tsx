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
import { type Device, DeviceContext } from "../wiring/device-context.tsx";
import { DialogHost } from "../wiring/dialogs/dialog-host.tsx";
import { Toaster } from "../wiring/toast.tsx";
import { WarrenContext } from "../wiring/warren-context.tsx";
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
export interface FakeDevice extends Device {
  readonly written: string[];
  readonly notifier: FakeNotifier;
}

/** Creates a device; `clipboard` is the result of reading the clipboard. */
export function fakeDevice(clipboard: ClipboardRead = { status: "denied" }): FakeDevice {
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
    noteDropped: () => {},
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
    device = fakeDevice(),
    openLink = () => {},
  }: {
    readonly path?: string;
    readonly device?: Device;
    readonly openLink?: (link: ReadLink) => void;
  } = {},
) {
  return renderUi(
    <WarrenContext value={warren}>
      <TabContext value={tab}>
        <DeviceContext value={device}>
          <HoldPageContext value={tab.busy.begin}>
            <Router hook={memoryLocation({ path }).hook}>
              <OverDialogsProvider>
                <OpenLinkContext value={openLink}>{children}</OpenLinkContext>
                <DialogHost />
              </OverDialogsProvider>
              <Toaster
                narrow={false}
                label={translate("toast.region")}
                closeLabel={translate("common.close")}
              />
            </Router>
          </HoldPageContext>
        </DeviceContext>
      </TabContext>
    </WarrenContext>,
  );
}
