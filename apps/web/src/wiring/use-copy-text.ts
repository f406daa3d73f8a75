import { useT } from "../i18n/use-t.ts";
import { oneLine } from "../ui/text/one-line.ts";
import { usePlatform } from "./platform-context.ts";
import { toast } from "./toast.ts";

/** Long enough to read the toast and reach its button. */
const offerMs = 12_000;

/**
 * Copies a text to the clipboard; a toast shows what was copied, or why it failed. A refusing browser may
 * only need a direct click: the toast has a button for that, and its result is final.
 */
export function useCopyText(): (text: string) => Promise<void> {
  const t = useT();
  const { writeClipboard } = usePlatform();
  const copy = async (text: string, isLast: boolean): Promise<void> => {
    const write = await writeClipboard(text);
    if (write.status === "written" || write.status === "queued") {
      toast.success(t("toast.copied"), { id: "text/copy", description: oneLine(text) });
      return;
    }
    if (write.status === "failed" && !isLast) {
      toast.info(t("copyOffer.title"), {
        description: oneLine(text),
        durationMs: offerMs,
        action: { label: t("common.copy"), onClick: () => void copy(text, true) },
      });
      return;
    }
    const description = write.status === "unsupported" ? t("unsupported.clipboard") : write.reason;
    toast.error(t("toast.clipboardFailed"), { description });
  };
  return (text) => copy(text, false);
}
