import type { Warren } from "@warren/core";
import { StrictMode, useEffect } from "react";
import { Router } from "wouter";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { isShownLastingly } from "../room/join/join-problem.ts";
import type { Tab } from "../tab/tab.ts";
import { TabContext } from "../tab/tab-context.ts";
import { useBreakpoint, useIsLow } from "../ui/hooks/use-media-query.ts";
import { HoldPageContext } from "../ui/overlays/hold-page.ts";
import { OverDialogsProvider } from "../ui/overlays/over-dialogs.tsx";
import { TooltipProvider } from "../ui/overlays/tooltip.tsx";
import { DialogHost } from "../wiring/dialogs/dialog-host.tsx";
import { LiveRegions } from "../wiring/live-regions.tsx";
import { type Platform, PlatformContext } from "../wiring/platform-context.ts";
import { useLanguage } from "../wiring/preferences/use-language.ts";
import { useThemeChanges } from "../wiring/preferences/use-theme.ts";
import { useShortcutsHelp } from "../wiring/shortcuts/shortcuts-dialog.tsx";
import { toast } from "../wiring/toast.ts";
import { Toaster } from "../wiring/toaster.tsx";
import { useWarren, WarrenContext } from "../wiring/warren-context.ts";
import { Routes } from "./routes.tsx";
import { ServiceWorkerEffects } from "./service-worker-effects.ts";
import { BackgroundPicture } from "./shell/background-picture.tsx";
import { PageBoundary } from "./shell/page-boundary.tsx";
import { type Startup, useStartup } from "./startup/use-startup.ts";
import { useRedirect } from "./use-redirect.ts";
import { useRoomAddress } from "./use-room-address.ts";

interface AppProps {
  readonly warren: Warren;
  readonly tab: Tab;
  readonly platform: Platform;
  readonly startup: Startup;
}

/** The app inside its providers. */
export function App({ warren, tab, platform, startup }: AppProps) {
  return (
    <StrictMode>
      <WarrenContext value={warren}>
        <TabContext value={tab}>
          <PlatformContext value={platform}>
            <HoldPageContext value={tab.busy.begin}>
              <Router base={import.meta.env.BASE_URL.slice(0, -1)}>
                <Screen startup={startup} />
              </Router>
            </HoldPageContext>
            <LiveRegions />
          </PlatformContext>
        </TabContext>
      </WarrenContext>
    </StrictMode>
  );
}

function Screen({ startup }: { readonly startup: Startup }) {
  return (
    <TooltipProvider>
      <BackgroundPicture />
      <OverDialogsProvider>
        <PageBoundary>
          <Routes startup={startup} />
        </PageBoundary>
        <DialogHost />
      </OverDialogsProvider>
      {import.meta.env.PROD && <ServiceWorkerEffects startup={startup} />}
      <Toasts />
      <AppEffects startup={startup} />
    </TooltipProvider>
  );
}

/** The effects of the whole app. Renders nothing; a separate component, so that its changes of state re-render no page. */
function AppEffects({ startup }: { readonly startup: Startup }) {
  useThemeChanges();
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
  const isPhone = useBreakpoint() === "phone";
  // There the controls of a call are at the side.
  const isLow = useIsLow();
  return <Toaster narrow={isPhone || isLow} label={t("toast.region")} />;
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
