import type { KeyValueStorage } from "@warren/core";
import { toWarrenError } from "@warren/protocol";
import { useEffect, useRef } from "react";
import type { LinkProblem } from "../../components/join-link.ts";
import { recallDoneTransfers } from "../../components/transfers/done-transfers.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { useRoomActions } from "../../dialogs/use-room-actions.ts";
import { errorText } from "../../i18n/i18n.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { toast } from "../../ui/toaster.tsx";
import type { StartupPlan } from "./plan-startup.ts";
import type { RoomServers } from "./room-servers.ts";
import { welcomeOnce } from "./starter.ts";

/** What the page found out before it could show anything. */
export interface Startup {
  readonly plan: StartupPlan;
  readonly linkProblems: readonly LinkProblem[];
  readonly roomServers: RoomServers;
  /** What this browser keeps between visits. */
  readonly storage: KeyValueStorage;
  /** Resolves when the browser turns out to keep no settings between visits. */
  readonly storageDenied: Promise<void>;
  /** What this tab keeps across reloads. */
  readonly tabStorage: KeyValueStorage;
  /** Takes what the service worker has stored into the share tray. */
  readonly rereadShared: () => Promise<void>;
  /** Whether messages and files outlive the page. */
  readonly durable: boolean;
  /** How deleting everything ended, where the page was opened for that. */
  readonly erased: "done" | "partly" | null;
}

/** Carries out the startup plan once: reads history, says what went wrong, and joins where the plan says so. */
export function useStartup(startup: Startup): void {
  const { plan, linkProblems, storage, tabStorage, storageDenied, durable, erased } = startup;
  const t = useT();
  const warren = useWarren();
  const { join } = useRoomActions();

  const start = (): void => {
    recallDoneTransfers(warren, tabStorage);
    const read = warren.load();
    // Without history there is nobody to welcome, and a welcome that cannot be stored comes at the next visit.
    read.then(() => welcomeOnce(warren, storage)).catch(() => {});
    read.catch((thrown: unknown) => {
      toast.error(t("startup.historyFailed"), { description: errorText(toWarrenError(thrown).describe()) });
    });
    if (linkProblems.length > 0) {
      const description = joinSentences(linkProblems.map((problem) => t(`startup.${problem}`)));
      toast.warning(t("startup.linkProblem"), { description });
    }
    const tellUnkept = (line: "startup.memoryOnlyLine" | "startup.storageDeniedLine"): void => {
      toast.warning(t("startup.storageDenied"), { description: t(line), duration: Number.POSITIVE_INFINITY });
    };
    if (durable) void storageDenied.then(() => tellUnkept("startup.storageDeniedLine"));
    else tellUnkept("startup.memoryOnlyLine");
    if (erased === "done") toast.success(t("startup.erased"));
    if (erased === "partly")
      toast.warning(t("startup.erasedPartly"), { description: t("startup.erasedPartlyLine") });
    if (plan.next === "join") void join("startup");
  };

  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    start();
  });
}
