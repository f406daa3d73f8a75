import { useEffect, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { sortItems } from "../../platform/files/incoming-items.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { ReceiveIcon } from "../../ui/icons.ts";
import { isDialogOpen } from "../../wiring/dialogs/open-dialog.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import type { Send } from "./use-send.ts";

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

/** The dragged items. Until the drop, browsers hide which of them are folders. */
interface Dragged {
  readonly count: number;
  /** Whether every item has a type; folders have none. */
  readonly areFiles: boolean;
}

/** The items dragged over the window; null while there are none. Dropped items are sent. */
function useDragged(send: Send): Dragged | null {
  const { rememberDropped } = usePlatform();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  // Entering an element also leaves another one: the pointer has left the window when both counts are
  // equal.
  const depth = useRef(0);
  const end = (): void => {
    depth.current = 0;
    setDragged(null);
  };
  useWindowEvent("dragenter", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current++;
    if (isDialogOpen()) return;
    const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === "file");
    setDragged({
      count: Math.max(1, items.length),
      areFiles: items.length > 0 && items.every(({ type }) => type),
    });
  });
  useWindowEvent("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = isDialogOpen() ? "none" : "copy";
  });
  useWindowEvent("dragleave", (event) => {
    if (!hasFiles(event)) return;
    depth.current--;
    if (depth.current <= 0) end();
  });
  useWindowEvent("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    end();
    if (!event.dataTransfer || isDialogOpen()) return;
    rememberDropped(event.dataTransfer.items);
    void send.items(sortItems(event.dataTransfer.items));
  });
  const isDragging = dragged !== null;
  const { busy } = useTab();
  useEffect(() => (isDragging ? busy.begin() : undefined), [busy, isDragging]);
  return dragged;
}

/** Covers the window while files are dragged over it, and names the recipient. */
export function DropTarget({ send, partner }: { readonly send: Send; readonly partner: Partner }) {
  const t = useT();
  const dragged = useDragged(send);
  if (dragged === null) return null;
  const { count, areFiles } = dragged;
  return (
    <div className="pointer-events-none fixed inset-0 z-drop animate-fade-in p-2.5">
      <div className="flex size-full flex-col items-center justify-center rounded-card border-2 border-accent border-dashed bg-accent-soft/92">
        <ReceiveIcon size={32} className="text-accent-text" />
        <p className="mt-3 text-heading">
          {partner.isRoom
            ? t("conversation.dropToEveryone")
            : t("conversation.dropTo", { name: partner.firstName })}
        </p>
        <p className="text-body text-text-2">
          {areFiles ? t("common.files", { count }) : t("folders.items", { count })}
        </p>
      </div>
    </div>
  );
}
