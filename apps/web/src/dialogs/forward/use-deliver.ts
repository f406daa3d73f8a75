import { type ConversationId, everyone } from "@warren/core";
import { useCallback } from "react";
import { firstNameOf } from "../../components/use-person.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { toast } from "../../ui/toaster.tsx";
import type { ForwardItem } from "./forward-item.ts";
import { sendItems } from "./send-items.ts";

/** Sends items and tells for each target how it ended. @returns whether anything was sent. */
export type Deliver = (items: readonly ForwardItem[], targets: readonly ConversationId[]) => Promise<boolean>;

/** Gives {@link Deliver}. */
export function useDeliver(): Deliver {
  const t = useT();
  const format = useFormat();
  const warren = useWarren();
  return useCallback(
    async (items, targets) => {
      const nameOf = (id: ConversationId): string => {
        if (id === everyone) return t("people.everyone");
        return firstNameOf(warren.chat.store.getState().contacts[id]?.name ?? t("people.someone"));
      };
      const results = await sendItems(warren, items, targets);
      const sent = results.filter(({ status }) => status === "sent").map(({ target }) => nameOf(target));
      if (sent.length > 0) toast.success(t("toast.forwarded", { names: format.list(sent) }));
      for (const each of results) {
        const name = nameOf(each.target);
        if (each.status === "left") {
          const type = format.list([...new Set(items.map((item) => t(`forward.type.${item.type}`)))]);
          toast.error(t("toast.forwardFailedReason", { type, name, reason: t("toast.forwardLeft") }));
        }
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
