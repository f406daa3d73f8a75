import type { OfferOptions } from "@warren/core";
import { useCallback } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { untilNoDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { ask } from "../../wiring/dialogs/question.tsx";
import { useWarren } from "../../wiring/warren-context.tsx";

const gib = 1024 ** 3;

/** The proposed new `maxFileSize` for a file: its size rounded up to whole GiB. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gib) * gib;
}

/** How to send or fetch files; without options they are within the limit. */
type SizeAnswer = OfferOptions | undefined | "cancelled";

/** Asks before files that exceed the option `maxFileSize` are sent or fetched; the user may raise the limit. */
type SizeQuestion = (way: "send" | "fetch", sizesBytes: readonly number[]) => Promise<SizeAnswer>;

/** The last question asked: the next one waits for its answer instead of cancelling it. */
let lastQuestion: Promise<unknown> = Promise.resolve();

/** Returns {@link SizeQuestion}. */
export function useSizeQuestion(): SizeQuestion {
  const { settings } = useWarren();
  const t = useT();
  const format = useFormat();
  return useCallback(
    async (way, sizesBytes) => {
      const largest = Math.max(0, ...sizesBytes);
      const isWithin = (): boolean => largest <= settings.get().maxFileSize;
      if (isWithin()) return undefined;
      const askNow = async (): Promise<SizeAnswer> => {
        // It follows from work under way, so it interrupts no dialog that the user is in.
        await untilNoDialog();
        if (isWithin()) return undefined; // raised meanwhile
        const raised = raisedLimit(largest);
        const answer = await ask({
          title: t("overLimit.title", {
            size: format.size(largest),
            limit: format.size(settings.get().maxFileSize),
          }),
          line: t(way === "send" ? "overLimit.sendLine" : "overLimit.fetchLine"),
          answers: [
            { value: "raise", verb: t("overLimit.raise", { limit: format.size(raised) }) },
            {
              value: "anyway",
              verb: t(way === "send" ? "overLimit.sendAnyway" : "overLimit.fetchAnyway"),
              variant: "primary",
            },
          ],
        });
        if (answer.cancelled) return "cancelled";
        if (answer.value === "anyway") return { overLimit: true };
        settings.set("maxFileSize", raised);
        return undefined;
      };
      const answer = lastQuestion.then(askNow);
      lastQuestion = answer.catch(() => {});
      return answer;
    },
    [t, settings, format],
  );
}
