import { useChooseMedia } from "../devices/use-choose-media.ts";
import { useT } from "../i18n/use-t.ts";
import { toast } from "../wiring/toast.ts";
import type { StartFailure } from "./local-media.ts";

/** Returns a function that says why a device or a screen did not start; null reports nothing. */
export function useReportStart(): (failure: StartFailure | null) => void {
  const t = useT();
  const chooseMedia = useChooseMedia();
  return (failure) => {
    if (failure === null) return;
    const { kind, reason } = failure;
    if (kind === "screen") {
      const words = { unsupported: "noScreen", denied: "screenDenied" } as const;
      const word = reason === "unsupported" || reason === "denied" ? words[reason] : "screenFailed";
      toast.error(t("call.notStarted.screen"), { id: "call/screen", description: t(`call.${word}`) });
      return;
    }
    toast.error(t(`call.notStarted.${kind}`), {
      id: `call/${kind}`,
      description: t(`media.${kind}.${reason === "unsupported" ? "failed" : reason}`),
      action: { label: t("media.choose"), onClick: () => void chooseMedia() },
    });
  };
}
