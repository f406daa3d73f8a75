import type { OfferOptions } from "@warren/core";
import { useCallback } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { type DialogSlot, openDialog } from "../ui/open-dialog.tsx";
import { useWarren } from "../ui/warren-context.tsx";

const gib = 1024 ** 3;

/** The proposed new `maxFileSize` for a file: its size rounded up to whole GiB. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gib) * gib;
}

/**
 * Sends or fetches files; if one exceeds the option `maxFileSize`, the user is asked first and may raise the
 * limit. If the user cancels, nothing is done.
 */
type SizeQuestion = (
  way: "send" | "fetch",
  sizesBytes: readonly number[],
  go: (options?: OfferOptions) => Promise<void> | void,
) => Promise<void>;

/** Returns {@link SizeQuestion}. */
export function useSizeQuestion(): SizeQuestion {
  const { settings } = useWarren();
  const format = useFormat();
  return useCallback(
    async (way, sizesBytes, go) => {
      const limitBytes = settings.get().maxFileSize;
      const largest = Math.max(0, ...sizesBytes);
      if (largest <= limitBytes) return go();
      const raised = raisedLimit(largest);
      const answer = await openDialog(OverLimitDialog, {
        way,
        size: format.size(largest),
        limit: format.size(limitBytes),
        raised: format.size(raised),
      });
      if (answer.cancelled) return;
      if (answer.value === "anyway") return go({ overLimit: true });
      settings.set("maxFileSize", raised);
      return go();
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
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
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
