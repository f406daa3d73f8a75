import { treeName } from "../files/tree/tree-name.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CheckIcon, ClockIcon, CloseIcon, FetchIcon, OfferIcon } from "../ui/icons.ts";
import { ProgressRing } from "../ui/progress.tsx";
import type { ComparisonProgress, ComparisonRow, ComparisonVerdict } from "./comparison-rows.ts";

const tones: Readonly<Record<ComparisonVerdict, string>> = {
  new: "text-accent-text",
  newer: "text-warn",
  partial: "text-accent-text",
  older: "text-warn",
  "only-mine": "text-text",
  same: "text-text-2",
  sent: "text-text-2",
  declined: "text-text-2",
  cancelled: "text-text-2",
};

interface VerdictCellProps {
  readonly tabIndex: number;
  readonly row: ComparisonRow;
  /** Why no action is possible now; undefined if one is. */
  readonly obstacle: string | undefined;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** The verdict on a file, and its one action. */
export function VerdictCell({ row, tabIndex, obstacle, onStart, onStop }: VerdictCellProps) {
  const t = useT();
  const { verdict, progress, action } = row;
  const file = treeName(row.file, t);
  if (progress && progress.kind !== "failed" && progress.kind !== "stopped")
    return <Progress progress={progress} tabIndex={tabIndex} name={file} onStop={onStop} />;
  const words = progress?.kind === "failed" ? t("compare.failed") : t(`compare.verdict.${verdict}`);
  const tone = progress?.kind === "failed" ? "text-danger" : tones[verdict];
  if (action === null) {
    return (
      <span className="flex items-center gap-2">
        <span className="flex size-8 items-center justify-center text-text-2 max-md:hidden">
          <CheckIcon size={18} />
        </span>
        <span className={cx("whitespace-nowrap text-meta font-medium", tone)}>{words}</span>
      </span>
    );
  }
  return (
    <span className="flex min-w-0 items-center gap-2">
      <IconButton
        icon={action === "fetch" ? FetchIcon : OfferIcon}
        label={t(action === "fetch" ? "compare.fetchFile" : "compare.sendFile", { file })}
        tabIndex={tabIndex}
        disabledReason={obstacle}
        className={cx(
          "border max-md:order-1",
          action === "fetch" ? "border-line-2 bg-raised" : "border-transparent bg-sunken",
          obstacle === undefined && tone,
        )}
        onClick={onStart}
      />
      <span className={cx("whitespace-nowrap text-meta font-medium", tone)}>{words}</span>
    </span>
  );
}

interface ProgressProps {
  readonly progress: Exclude<ComparisonProgress, { kind: "failed" | "stopped" }>;
  readonly tabIndex: number;
  readonly name: string;
  readonly onStop: () => void;
}

function Progress({ progress, tabIndex, name, onStop }: ProgressProps) {
  const t = useT();
  const format = useFormat();
  const isMoving = progress.kind === "moving";
  const words = isMoving
    ? format.percent(Math.floor(progress.fraction * 100) / 100)
    : t(progress.kind === "queued" ? "compare.queued" : "compare.offered");
  return (
    <span className="flex min-w-0 items-center gap-2">
      {isMoving ? (
        <ProgressRing
          value={progress.fraction}
          size={18}
          label={t("file.progressLabel", { name })}
          valueText={words}
        />
      ) : (
        <ClockIcon size={16} className="text-text-2" />
      )}
      <span className="min-w-9 text-meta text-text-2 tabular-nums">{words}</span>
      <IconButton
        size="sm"
        iconSize={15}
        icon={CloseIcon}
        tabIndex={tabIndex}
        label={t("compare.stopFile", { file: name })}
        onClick={onStop}
      />
    </span>
  );
}
