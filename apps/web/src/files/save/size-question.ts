import type { OfferOptions, Warren } from "@warren/core";
import { currentFormat } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { whenNoDialog } from "../../wiring/dialogs/open-dialog.ts";
import { ask } from "../../wiring/dialogs/question.tsx";

const gigabyte = 1_000_000_000;

/** The proposed new `maxFileSize` for a file: its size rounded up to whole GB. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gigabyte) * gigabyte;
}

/** How to send or fetch files; without options they are within the limit. */
type SizeAnswer = OfferOptions | undefined | "cancelled";

/** Asks before files that exceed the option `maxFileSize` are sent or fetched; the user may raise the limit. */
export async function askSize(
  settings: Warren["settings"],
  action: "send" | "fetch",
  sizesBytes: readonly number[],
): Promise<SizeAnswer> {
  const format = currentFormat();
  const largest = Math.max(0, ...sizesBytes);
  const isWithin = (): boolean => largest <= settings.get().maxFileSize;
  if (isWithin()) return undefined;
  return whenNoDialog(async () => {
    if (isWithin()) return undefined; // raised meanwhile
    const raised = raisedLimit(largest);
    const answer = await ask({
      title: translate("overLimit.title", {
        size: format.size(largest),
        limit: format.limit(settings.get().maxFileSize),
      }),
      line: translate(action === "send" ? "overLimit.sendLine" : "overLimit.fetchLine"),
      answers: [
        { value: "raise", verb: translate("overLimit.raise", { limit: format.size(raised) }) },
        {
          value: "anyway",
          verb: translate(action === "send" ? "overLimit.sendAnyway" : "overLimit.fetchAnyway"),
          variant: "primary",
        },
      ],
    });
    if (answer.cancelled) return "cancelled";
    if (answer.value === "anyway") return { overLimit: true };
    settings.set("maxFileSize", raised);
    return undefined;
  });
}
