import { everyone } from "@warren/core";
import { useCallback } from "react";
import { firstNameOf } from "../../components/use-person.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { toast } from "../../ui/toaster.tsx";
import { openDialog } from "../open-dialog.tsx";
import type { ForwardItem } from "./forward-item.ts";

const ForwardDialog = componentOnDemand(async () => (await import("./forward-dialog.tsx")).ForwardDialog);

/** Asks who gets items and sends them; how it ended is told for each. @returns whether anything was sent. */
export function useForward(): (items: readonly ForwardItem[]) => Promise<boolean> {
  const t = useT();
  const format = useFormat();
  const warren = useWarren();
  return useCallback(
    async (items) => {
      const names = new Map(
        Object.values(warren.chat.store.getState().contacts).map(({ clientId, name }) => [clientId, name]),
      );
      const nameOf = (id: string): string =>
        id === everyone ? t("people.everyone") : firstNameOf(names.get(id) ?? t("people.someone"));
      const result = await openDialog(ForwardDialog, { items });
      if (result.cancelled) return false;
      const { sendItems } = await import("./send-items.ts");
      const results = await sendItems(warren, items, result.value);
      const sent = results.filter(({ status }) => status === "sent").map(({ target }) => nameOf(target));
      if (sent.length > 0) toast.success(t("toast.forwarded", { names: format.list(sent) }));
      for (const each of results) {
        const name = nameOf(each.target);
        if (each.status === "left") toast.error(t("toast.notForwarded", { name }));
        if (each.status !== "failed") continue;
        for (const { type, error } of each.failures) {
          const values = { type: t(`forward.type.${type}`), name };
          if (error.code === "unknown") toast.error(t("toast.forwardFailed", values));
          else
            toast.error(t("toast.forwardFailedReason", { ...values, reason: errorText(error.describe()) }));
        }
      }
      return sent.length > 0;
    },
    [t, format, warren],
  );
}
