import { type FileDescription, safeFileName } from "@warren/protocol";
import { type DragEvent, type ReactElement, useEffect, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { GripIcon } from "../../ui/icons.ts";
import { Tooltip } from "../../ui/overlays/tooltip.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { downloadAddress, plainType, revokeAfterMs } from "../save/save-file.ts";

interface DragOutProps {
  /** A complete file. */
  readonly file: Pick<FileDescription, "fid" | "fileName">;
  /** Shows a grip beside the draggable content while the card is hovered. */
  readonly hasGrip?: boolean;
  readonly className: string;
  readonly children: ReactElement;
}

/**
 * A file that can be dragged to the desktop or into a folder, if the browser supports that. The Save button
 * does the same without a mouse.
 */
export function DragOut({ children, ...rest }: DragOutProps) {
  return usePlatform().dragsFilesOut ? <Draggable {...rest}>{children}</Draggable> : children;
}

function Draggable({ file, hasGrip = false, className, children }: DragOutProps) {
  const t = useT();
  const { prepare, start, end } = useAddress(file);
  return (
    <Tooltip text={t("dragOut.hint")}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; the Save button does the same */}
      <span
        draggable
        className={cx("relative cursor-grab active:cursor-grabbing", className)}
        onPointerEnter={prepare}
        onDragStart={start}
        onDragEnd={end}
      >
        {hasGrip && (
          <span className="absolute inset-y-0 -left-[11px] flex w-[11px] items-center justify-center text-text-2 opacity-0 transition-opacity group-hover/card:opacity-100">
            <GripIcon size={11} />
          </span>
        )}
        {children}
      </span>
    </Tooltip>
  );
}

/** The address for dragging a file. A drag cannot wait for a promise, so it is created on hover. */
function useAddress({ fid, fileName }: DragOutProps["file"]) {
  const { files } = useWarren();
  const address = useRef<string | null>(null);
  const isWanted = useRef(false);

  const revoke = (afterMs: number): void => {
    const url = address.current;
    isWanted.current = false;
    address.current = null;
    if (url !== null) setTimeout(() => URL.revokeObjectURL(url), afterMs);
  };
  const prepare = async (): Promise<void> => {
    if (isWanted.current) return;
    isWanted.current = true;
    const file = await files.open(fid).catch(() => null);
    if (file === null) isWanted.current = false;
    else if (isWanted.current) address.current = downloadAddress(file);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the file changes or the component unmounts
  useEffect(() => () => revoke(revokeAfterMs), [fid]);

  return {
    prepare: () => void prepare(),
    start: (event: DragEvent): void => {
      const url = address.current;
      if (url === null) event.preventDefault();
      else event.dataTransfer.setData("DownloadURL", `${plainType}:${safeFileName(fileName)}:${url}`);
    },
    // The drop target reads from it from now on.
    end: () => revoke(revokeAfterMs),
  };
}
