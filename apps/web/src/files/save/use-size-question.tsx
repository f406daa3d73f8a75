import type { OfferOptions } from "@warren/core";
import { useCallback } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { openDialog, untilNoDialog } from "../../wiring/dialogs/open-dialog.tsx";
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
  const format = useFormat();
  return useCallback(
    async (way, sizesBytes) => {
      const largest = Math.max(0, ...sizesBytes);
      const isWithin = (): boolean => largest <= settings.get().maxFileSize;
      if (isWithin()) return undefined;
      const ask = async (): Promise<SizeAnswer> => {
        // It follows from work under way, so it interrupts no dialog that the user is in.
        await untilNoDialog();
        if (isWithin()) return undefined; // raised meanwhile
        const raised = raisedLimit(largest);
        const answer = await openDialog(OverLimitDialog, {
          way,
          size: format.size(largest),
          limit: format.size(settings.get().maxFileSize),
          raised: format.size(raised),
        });
        if (answer.cancelled) return "cancelled";
        if (answer.value === "anyway") return { overLimit: true };
        settings.set("maxFileSize", raised);
        return undefined;
      };
      const answer = lastQuestion.then(ask);
      lastQuestion = answer.catch(() => {});
      return answer;
    },
    [settings, format],
  );
}

interface OverLimitDialogProps extends DialogSlot<"anyway" | "raise"> {
  readonly way: "send" | "fetch";
  /** The file's size, the exceeded limit, and the proposed new limit; as text. */
  readonly size: string;
  readonly limit: string;
  readonly raised: string;
}

/** Asks before sending or receiving a file over the user's size limit. */
function OverLimitDialog({ way, size, limit, raised, dialog }: OverLimitDialogProps) {
  const t = useT();
  return (
    <Dialog
      dialog={dialog}
      size="md"
      title={t("overLimit.title", { size, limit })}
      description={t(way === "send" ? "overLimit.sendLine" : "overLimit.fetchLine")}
    >
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button onClick={() => dialog.submit("raise")}>{t("overLimit.raise", { limit: raised })}</Button>
        <Button variant="primary" onClick={() => dialog.submit("anyway")}>
          {t(way === "send" ? "overLimit.sendAnyway" : "overLimit.fetchAnyway")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
