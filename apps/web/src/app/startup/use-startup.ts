import type { KeyValueStorage, Warren } from "@warren/core";
import { useEffect, useRef } from "react";
import { translate } from "../../i18n/i18n.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import type { BootedPage } from "../boot.ts";

/** What the page has started and learned before the first render. */
export type Startup = Omit<BootedPage, "warren" | "pickedFiles" | "roomLock"> & {
  /** Resolves once the page has met whom it meets and has nothing else to do. */
  readonly idle: Promise<void>;
  /** Loads items stored by the service worker into the share tray. */
  readonly rereadShared: () => Promise<void>;
};

/** Reports the outcome of reading the history, of joining, and of the other startup checks, once. */
export function useStartup(startup: Startup): void {
  const { linkProblems, reading, joining, storage, storageDenied, durable, erased } = startup;
  const t = useT();
  const warren = useWarren();
  const { join } = useRoomActions();

  const start = (): void => {
    // A welcome that cannot be stored is retried at the next visit.
    reading.then(() => welcomeOnce(warren, storage)).catch(() => {});
    if (linkProblems.length > 0) {
      const description = joinSentences(linkProblems.map((problem) => t(`startup.${problem}`)));
      toast.warning(t("startup.linkProblem"), { description });
    }
    const warnNotStored = (line: "startup.memoryOnlyLine" | "startup.storageDeniedLine"): void => {
      toast.warning(t("startup.storageDenied"), {
        description: t(line),
        durationMs: Number.POSITIVE_INFINITY,
      });
    };
    if (durable) void storageDenied.then(() => warnNotStored("startup.storageDeniedLine"));
    else warnNotStored("startup.memoryOnlyLine");
    if (erased === "done") toast.success(t("startup.erased"));
    if (erased === "partly")
      toast.warning(t("startup.erasedPartly"), { description: t("startup.erasedPartlyLine") });
    if (joining !== null) void join(joining);
  };

  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    start();
  });
}

const sentKey = "starter_message_sent";

/** Welcomes a new user once per browser. Call it after the history has been read. */
async function welcomeOnce({ chat }: Pick<Warren, "chat">, storage: KeyValueStorage): Promise<void> {
  if (storage.read(sentKey) !== null) return;
  const texts = [translate("starter.you"), translate("starter.room"), translate("starter.share")];
  await chat.addStarter(translate("starter.name"), texts);
  storage.write(sentKey, "true");
}
