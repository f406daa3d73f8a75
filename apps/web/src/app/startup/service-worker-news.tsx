import type { Warren } from "@warren/core";
import { useEffect, useRef } from "react";
import { useForward } from "../../files/forward/forward-dialog.tsx";
import { movingOf } from "../../files/transfers/transfer-batch.ts";
import { translate } from "../../i18n/i18n.ts";
import { registerServiceWorker, serviceWorkers } from "../../platform/service-worker.ts";
import { isShareTargetMessage } from "../../service-worker/messages.ts";
import { shareTray } from "../../share/share-tray.ts";
import { dialogStore } from "../../ui/open-dialog.tsx";
import { paths } from "../../ui/paths.ts";
import { toast } from "../../ui/toaster.tsx";
import { useWarren } from "../../ui/warren-context.tsx";
import { followUpdates } from "./follow-updates.ts";
import { isBusy } from "./is-busy.ts";
import type { Startup } from "./use-startup.ts";

type News = Pick<Startup, "tabStorage" | "rereadShared">;

/** Registers the service worker and shows its events: new versions, and items shared by other apps. */
export function ServiceWorkerNews({ startup }: { readonly startup: News }) {
  const { tabStorage } = startup;
  const warren = useWarren();
  const receive = useReceive(startup);
  useEffect(() => {
    const workers = serviceWorkers();
    if (workers === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    workers.addEventListener(
      "message",
      ({ data }: MessageEvent<unknown>) => {
        if (isShareTargetMessage(data)) void receive.current();
      },
      { signal },
    );
    followUpdates({
      workers,
      register: async () => {
        // The first one stores the whole app, which takes CPU time that a file on its way needs.
        if (workers.controller === null) await untilNothingMoves(warren);
        return registerServiceWorker(workers);
      },
      ownBuild: `${__COMMIT__} ${__BUILD_TIME__}`,
      tabStorage,
      isBusy: () => isBusy(warren),
      offer: offerUpdate,
      reload: () => location.reload(),
      signal,
    }).catch((failure: unknown) => {
      // biome-ignore lint/suspicious/noConsole: only logged: everything works without it
      console.info("the service worker is not registered", failure);
    });
    return () => ending.abort();
  }, [warren, tabStorage, receive]);
  return null;
}

function untilNothingMoves({ transfers: { store } }: Pick<Warren, "transfers">): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (movingOf(store.getState()).length > 0) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
}

function offerUpdate(onReload: () => void): void {
  toast.info(translate("toast.update"), {
    id: "update",
    description: translate("toast.updateLine"),
    duration: Number.POSITIVE_INFINITY,
    action: { label: translate("common.reload"), onClick: onReload },
  });
}

/** Handles an item that another app shares while this page is open. */
function useReceive({ rereadShared }: News) {
  const { room } = useWarren();
  const forward = useForward();
  const receive = async (): Promise<void> => {
    window.focus();
    await rereadShared();
    const items = shareTray.getItems();
    // The share page shows new items itself. Elsewhere a banner shows them if no recipient can be chosen, if
    // items were already waiting, or if a dialog is open, whose input would be lost.
    const isSeen =
      location.pathname === import.meta.env.BASE_URL + paths.share.slice(1) ||
      dialogStore.getState()?.open ||
      shareTray.getNewItems().length > 0;
    if (items.length === 0 || isSeen || room.store.getState().status !== "connected") return;
    if (await forward(items)) shareTray.remove(...items);
  };
  const latest = useRef(receive);
  useEffect(() => {
    latest.current = receive;
  });
  return latest;
}
