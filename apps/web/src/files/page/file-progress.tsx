import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ProgressBar } from "../../ui/progress.tsx";
import { treeName } from "../tree/use-tree-words.ts";
import type { FileRow } from "./file-row.ts";
import { useFileProgress } from "./use-file-rows.ts";

/** The progress bar of a file; nothing for a complete file that is not being sent. */
export function FileProgress({ row, className }: { readonly row: FileRow; readonly className?: string }) {
  const t = useT();
  const format = useFormat();
  const progress = useFileProgress(row);
  if (progress === null) return null;
  const { fraction, isMoving } = progress;
  const percent = format.percent(fraction);
  return (
    <span className={className ?? "flex items-center gap-2.5"}>
      <ProgressBar
        value={fraction}
        tone={isMoving ? "accent" : "off"}
        label={t("file.progressLabel", { name: treeName(row.file.description, t) })}
        valueText={percent}
        className="min-w-0 flex-1"
      />
      <span aria-hidden="true" className="w-9 text-right tabular-nums">
        {percent}
      </span>
    </span>
  );
}
