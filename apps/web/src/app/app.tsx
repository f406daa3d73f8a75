import { StrictMode, useEffect } from "react";
import { Router as AddressBase } from "wouter";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { isShownLastingly } from "../room/join/join-problem.ts";
import type { Tab } from "../tab/tab.ts";
import { TabContext, useTab } from "../tab/tab-context.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { HoldPageContext } from "../ui/overlays/hold-page.ts";
import { OverDialogsProvider } from "../ui/overlays/over-dialogs.tsx";
import { TooltipProvider } from "../ui/overlays/tooltip.tsx";
import { type Device, DeviceContext } from "../wiring/device-context.tsx";
import { DialogHost } from "../wiring/dialogs/dialog-host.tsx";
import { LiveRegions } from "../wiring/live-regions.tsx";
import { useShortcutsHelp } from "../wiring/shortcuts/shortcuts-dialog.tsx";
import { Toaster, toast } from "../wiring/toast.tsx";
import { useLanguage } from "../wiring/use-language.ts";
import { useTheme } from "../wiring/use-theme.ts";
import { useStore, useWarren, WarrenContext } from "../wiring/warren-context.tsx";
import type { BrowserWarren } from "./create-warren.ts";
import { Router } from "./router.tsx";
import { ServiceWorkerEvents } from "./service-worker-events.tsx";
import { GroundPicture } from "./shell/ground-picture.tsx";
import { PageBoundary } from "./shell/page-boundary.tsx";
import { type Startup, useStartup } from "./startup/use-startup.ts";
import { useRedirect } from "./use-arrivals.ts";
import { useRoomAddress } from "./use-room-address.ts";

interface AppProps {
  readonly warren: BrowserWarren["warren"];
  readonly tab: Tab;
  readonly device: Device;
  readonly startup: Startup;
}

/** The app inside its providers. */
export function App({ warren, tab, device, startup }: AppProps) {
  return (
    <StrictMode>
      <WarrenContext value={warren}>
        <TabContext value={tab}>
          <DeviceContext value={device}>
            <HoldPageContext value={tab.busy.begin}>
              <AddressBase base={import.meta.env.BASE_URL.slice(0, -1)}>
                <Screen startup={startup} />
              </AddressBase>
            </HoldPageContext>
            <LiveRegions />
          </DeviceContext>
        </TabContext>
      </WarrenContext>
    </StrictMode>
  );
}

function Screen({ startup }: { readonly startup: Startup }) {
  return (
    <TooltipProvider>
      <GroundPicture />
      <OverDialogsProvider>
        <PageBoundary>
          <Router startup={startup} />
        </PageBoundary>
        <DialogHost />
      </OverDialogsProvider>
      {import.meta.env.PROD && <ServiceWorkerEvents startup={startup} />}
      <Toasts />
      <ScreenEffects startup={startup} />
    </TooltipProvider>
  );
}

/** What happens beside every page. Renders nothing; a separate component, so that what it follows re-renders no page. */
function ScreenEffects({ startup }: { readonly startup: Startup }) {
  // Subscribed for the lifetime of the page, so that the theme follows the system.
  useTheme();
  useLanguage();
  useStartup(startup);
  useRoomLoss();
  useRedirect();
  useRoomAddress();
  useShortcutsHelp();
  return null;
}

function Toasts() {
  const t = useT();
  const logEndPx = useStore(useTab().logEndPx) ?? 0;
  return (
    <Toaster
      narrow={useBreakpoint() === "phone"}
      label={t("toast.region")}
      closeLabel={t("common.close")}
      logEndPx={logEndPx}
    />
  );
}

/** Shows why we left the room, unless the user wanted to. */
function useRoomLoss(): void {
  const { room } = useWarren();
  useEffect(
    () =>
      room.store.subscribe((now, before) => {
        if (before.status !== "connected" || now.status !== "disconnected" || now.error === null) return;
        if (!isShownLastingly(now.error)) toast.error(errorText(now.error));
      }),
    [room],
  );
}
