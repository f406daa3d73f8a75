import { useRef } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button, GuardedButton } from "../ui/button.tsx";
import { SaveIcon, SendIcon } from "../ui/icons.ts";
import { useToastInset } from "../wiring/use-toast-inset.ts";
import { type ComparisonWork, comparisonWork, isMissing } from "./comparison-rows.ts";
import type { Comparison } from "./use-comparison.ts";

interface ComparisonFooterProps {
  readonly comparison: Comparison;
  /** Why no action is possible now; undefined if one is. */
  readonly obstacle: string | undefined;
}

/** The size of the selection, whether there is space for it, and one button. Without a selection it covers all missing files. */
export function ComparisonFooter({ comparison, obstacle }: ComparisonFooterProps) {
  const t = useT();
  const format = useFormat();
  const { rows, selection, freeBytes } = comparison;
  const bar = useRef<HTMLElement>(null);
  useToastInset(bar);
  const isChosen = selection.items.length > 0;
  const chosen = isChosen ? selection.items : rows.filter(isMissing);
  const work = comparisonWork(chosen);
  const count = work.fetch.length + work.send.length;
  const isTooMuch = freeBytes !== null && work.fetchBytes > freeBytes;
  const needed = { needed: format.size(work.fetchBytes), free: format.size(freeBytes ?? 0) };
  const reason = obstacle ?? (isTooMuch ? t("file.needed", needed) : undefined);
  const size = format.size(work.totalBytes);
  return (
    <footer
      ref={bar}
      className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-5 py-2.5 pb-[max(10px,env(safe-area-inset-bottom))] max-md:px-4"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 max-md:flex-1 max-md:flex-col max-md:items-start">
        <p className="font-medium text-body tabular-nums" role="status">
          {count === 0
            ? t("compare.nothingMissing")
            : isChosen
              ? t("compare.selected", { count, size })
              : t("compare.missing", { count, size })}
        </p>
        {freeBytes !== null && (
          <p className={isTooMuch ? "text-danger text-meta" : "text-meta text-text-2"}>
            {isTooMuch ? t("file.needed", needed) : t("compare.freeHere", { size: format.size(freeBytes) })}
          </p>
        )}
      </div>
      <span className="ml-auto flex items-center gap-2">
        {isChosen && (
          <Button variant="ghost" onClick={selection.clear}>
            {t("common.clear")}
          </Button>
        )}
        {count > 0 && (
          <GuardedButton
            variant="primary"
            icon={work.fetch.length > 0 ? SaveIcon : SendIcon}
            disabledReason={reason}
            onClick={() => comparison.start(chosen)}
          >
            {verbOf(work, isChosen, t)}
          </GuardedButton>
        )}
      </span>
    </footer>
  );
}

function verbOf({ fetch, send }: ComparisonWork, isChosen: boolean, t: ReturnType<typeof useT>): string {
  if (!isChosen) return t("compare.fetchAll", { count: fetch.length });
  if (send.length === 0) return t("compare.fetch", { count: fetch.length });
  if (fetch.length === 0) return t("compare.send", { count: send.length });
  return t("compare.fetchAndSend", { fetch: fetch.length, send: send.length });
}
