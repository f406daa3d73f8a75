import { useT } from "../i18n/use-t.ts";
import { toast } from "../ui/toaster.tsx";
import { useDevice } from "./device-context.tsx";
import { oneLine } from "./one-line.ts";

/** Puts a text on the clipboard; a toast shows what was copied, or why it was not. */
export function useCopyText(): (text: string) => Promise<void> {
  const t = useT();
  const { writeClipboard } = useDevice();
  return async (text) => {
    const write = await writeClipboard(text);
    if (write.status === "written" || write.status === "queued") {
      toast.success(t("common.copySuccess"), { description: oneLine(text) });
      return;
    }
    const description = write.status === "unsupported" ? t("unsupported.clipboard") : write.reason;
    toast.error(t("toast.clipboardFailed"), { description });
  };
}
