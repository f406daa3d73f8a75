import { type ConversationId, everyone, type Warren } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useCallback } from "react";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useNameOf } from "../../people/use-person.ts";
import { toast } from "../../ui/toaster.tsx";
import { useWarren } from "../../ui/warren-context.tsx";
import { useSizeQuestion } from "../use-size-question.ts";
import type { ForwardItem } from "./forward-item.ts";
import { type SentTo, sendItems } from "./send-items.ts";

/**
 * Sends items and shows the result per target.
 * @returns whether anything was sent.
 */
export type Deliver = (items: readonly ForwardItem[], targets: readonly ConversationId[]) => Promise<boolean>;

/** Returns {@link Deliver}. */
export function useDeliver(): Deliver {
  const t = useT();
  const format = useFormat();
  const warren = useWarren();
  const askSize = useSizeQuestion();
  const clientName = useNameOf();
  return useCallback(
    async (items, targets) => {
      const nameOf = (id: ConversationId): string =>
        id === everyone ? t("people.everyone") : firstNameOf(clientName(id));
      let results: readonly SentTo[] = [];
      await askSize("send", sizesOf(items, warren), async (options) => {
        results = await sendItems(warren, items, targets, options);
      });
      const sent = results
        .filter(({ unsent, failures }) => unsent.length + failures.length === 0)
        .map(({ target }) => nameOf(target));
      if (sent.length > 0) toast.success(t("toast.forwarded", { names: format.list(sent) }));
      for (const each of results) {
        const name = nameOf(each.target);
        if (each.unsent.length > 0) {
          const type = format.list([...new Set(each.unsent.map((item) => t(`forward.type.${item.type}`)))]);
          toast.error(t("toast.forwardFailedReason", { type, name, reason: t("toast.forwardLeft") }));
        }
        for (const { type, error } of each.failures) {
          const values = { type: t(`forward.type.${type}`), name };
          if (error.code === "unknown") toast.error(t("toast.forwardFailed", values));
          else
            toast.error(t("toast.forwardFailedReason", { ...values, reason: errorText(error.describe()) }));
        }
      }
      return sent.length > 0;
    },
    [t, format, warren, askSize, clientName],
  );
}

function sizesOf(items: readonly ForwardItem[], { files }: Warren): readonly number[] {
  const stored = files.store.getState();
  return items.flatMap((item) => {
    if (item.type === "file") return item.file.size;
    const known = item.type === "cache" ? stored[item.fid] : undefined;
    return known ? contentSizeOf(known.description) : [];
  });
}
