import { untilState, type Warren } from "@warren/core";
import { useEffectEvent } from "react";
import { forward } from "../files/forward/forward.ts";
import { movingOf } from "../files/transfers/transfer-batch.ts";
import { translate } from "../i18n/i18n.ts";
import { registerServiceWorker } from "../platform/register-service-worker.ts";
import { isShareTargetMessage } from "../service-worker/messages.ts";
import type { Tab } from "../tab/tab.ts";
import { useTab } from "../tab/tab-context.ts";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";
import { isDialogOpen } from "../wiring/dialogs/open-dialog.ts";
import { paths } from "../wiring/paths.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { followUpdates } from "./startup/follow-updates.ts";
import type { Startup } from "./startup/use-startup.ts";

type ServiceWorkerStartup = Pick<Startup, "tabStorage" | "rereadShared" | "idle">;

/** Registers the service worker once the page is idle and shows its events: new versions, and items shared by other apps. Renders nothing. */
export function ServiceWorkerEffects({ startup }: { readonly startup: ServiceWorkerStartup }) {
  const { tabStorage, idle } = startup;
  const warren = useWarren();
  const tab = useTab();
  const receive = useEffectEvent(useReceive(startup));
  useAbortableEffect(
    (signal) => {
      const workers = serviceWorkers();
      if (workers === null) return;
      workers.addEventListener(
        "message",
        ({ data }: MessageEvent<unknown>) => {
          if (isShareTargetMessage(data)) void receive();
        },
        { signal },
      );
      followUpdates({
        workers,
        register: async () => {
          await idle;
          // The first one stores the whole app, which takes CPU time that a file on its way needs.
          if (workers.controller === null)
            await untilState(warren.transfers.store, (all) => movingOf(all).length === 0);
          return registerServiceWorker(workers);
        },
        ownBuild: `${__COMMIT__} ${__BUILD_TIME__}`,
        tabStorage,
        isBusy: () => isBusy(warren, tab),
        offer: offerUpdate,
        reload: () => location.reload(),
        signal,
      }).catch((failure: unknown) => {
        // biome-ignore lint/suspicious/noConsole: only logged: everything works without it
        console.info("the service worker is not registered", failure);
      });
    },
    [warren, tab, tabStorage, idle],
  );
  return null;
}

function offerUpdate(onReload: () => void): void {
  toast.info(translate("toast.update"), {
    id: "update",
    description: translate("toast.updateLine"),
    durationMs: Number.POSITIVE_INFINITY,
    action: { label: translate("common.reload"), onClick: onReload },
  });
}

/** Returns what handles an item that another app shares while this page is open. */
function useReceive({ rereadShared }: ServiceWorkerStartup): () => Promise<void> {
  const warren = useWarren();
  const { shareTray } = useTab();
  return async () => {
    window.focus();
    await rereadShared();
    const { items, newItems } = shareTray.content();
    // The share page shows new items itself. Elsewhere a banner shows them if no recipient can be chosen, if
    // items were already waiting, or if a dialog is open, whose input would be lost.
    const isSeen =
      location.pathname === import.meta.env.BASE_URL + paths.share.href.slice(1) ||
      isDialogOpen() ||
      newItems.length > 0;
    if (items.length === 0 || isSeen || warren.room.store.getState().status !== "connected") return;
    if (await forward(warren, items)) shareTray.remove(...items);
  };
}

/** Whether an automatic reload would interrupt or lose something: transfers, media, or unsent text. */
function isBusy({ transfers, call }: Pick<Warren, "transfers" | "call">, { busy, drafts }: Tab): boolean {
  const isMoving = movingOf(transfers.store.getState()).length > 0;
  const isSharing = (call.store.getState()?.store.getState().local.length ?? 0) > 0;
  return isMoving || isSharing || busy.isBusy() || drafts.hasAny() || isPlaying();
}

/** Whether a camera, a screen or audio is playing. */
function isPlaying(): boolean {
  return [...document.querySelectorAll("video, audio")].some(
    (element) => element instanceof HTMLMediaElement && element.srcObject !== null && !element.paused,
  );
}

/** The service workers of this page; null outside secure contexts and in browsers without them, although the types declare it. */
function serviceWorkers(): ServiceWorkerContainer | null {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  return workers ?? null;
}
