import { contentSizeOf } from "@warren/protocol";
import { useRef } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import type { Selection } from "../../ui/hooks/use-selection.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, DeleteIcon, ForwardIcon, SaveIcon } from "../../ui/icons.ts";
import { useToastInset } from "../../wiring/use-toast-inset.ts";
import { type FileRow, isComplete } from "./file-row.ts";
import type { FileRowActions } from "./use-file-row-actions.ts";

interface SelectionBarProps {
  readonly selection: Selection<FileRow>;
  readonly actions: FileRowActions;
}

/** The actions for the selected files; floats above the list. */
export function SelectionBar({ selection, actions }: SelectionBarProps) {
  const t = useT();
  const format = useFormat();
  const { items: rows, clear } = selection;
  const bytes = rows.reduce((sum, { file }) => sum + contentSizeOf(file.description), 0);
  const canSave = rows.some(isComplete);
  // On a phone the actions are in a second row, below the selection.
  const action =
    useBreakpoint() === "phone"
      ? ({ size: "tile", className: "order-1 basis-1/4 grow" } as const)
      : ({ size: "md" } as const);
  const bar = useRef<HTMLDivElement>(null);
  useToastInset(bar);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t("files.selected", { count: rows.length, size: format.size(bytes) })}
      className="absolute inset-x-4 bottom-4 z-header mx-auto flex w-fit max-w-[calc(100%-32px)] animate-rise items-center gap-1 rounded-menu bg-raised py-1.5 pr-1.5 pl-4 shadow-menu pb-[max(6px,env(safe-area-inset-bottom))] max-md:w-auto max-md:flex-wrap max-md:pl-1.5"
    >
      <p className="pr-2 font-medium text-body tabular-nums max-md:grow max-md:basis-[calc(100%-64px)] max-md:pl-2.5">
        {t("files.selected", { count: rows.length, size: format.size(bytes) })}
      </p>
      {canSave && (
        <Button variant="ghost" {...action} icon={SaveIcon} onClick={() => actions.save(rows)}>
          {t("common.save")}
        </Button>
      )}
      {rows.some(isComplete) && (
        <Button variant="ghost" {...action} icon={ForwardIcon} onClick={() => actions.forward(rows)}>
          {t("common.forward")}
        </Button>
      )}
      <Button
        variant="danger-text"
        {...action}
        icon={DeleteIcon}
        onClick={() => void actions.remove(rows).then((isDone) => isDone && clear())}
      >
        {t("common.delete")}
      </Button>
      <IconButton icon={CloseIcon} label={t("files.clearSelection")} tooltipSide="top" onClick={clear} />
    </div>
  );
}
