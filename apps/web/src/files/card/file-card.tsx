import { type FileMessage, isFamiliar, isSmallPicture } from "@warren/core";
import type { TreeFile } from "@warren/protocol/tree";
import { memo, useRef, useState } from "react";
import type { FileLabel } from "../../file-state/file-state.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { Dot } from "../../ui/dot.tsx";
import { useKeptFocus } from "../../ui/hooks/use-kept-focus.ts";
import { useSteady } from "../../ui/hooks/use-steady.ts";
import { CheckCheckIcon, CheckIcon, ShowIcon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { ProgressBar } from "../../ui/progress.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";
import { FileTile } from "../file-tile.tsx";
import { useTakeOffers } from "../save/use-take-offers.ts";
import { useTreeEntries } from "../tree/tree-entries.ts";
import { useTreeName } from "../tree/tree-name.ts";
import { TreeSection } from "../tree/tree-section.tsx";
import { useFreeBytes } from "../use-free-bytes.ts";
import { useIsStored } from "../use-is-stored.ts";
import { DragOut } from "./drag-out.tsx";
import { FileActions } from "./file-actions.tsx";
import type { FileAction, FileCardView } from "./file-card-view.ts";
import { useFileCard } from "./use-file-card.ts";

/** Actions shown as icons only. */
const glyphActions: ReadonlySet<FileAction> = new Set(["withdraw", "pause", "cancel", "more"]);

/** A received file that was accepted and is not complete yet. */
const pendingLabels: ReadonlySet<FileLabel> = new Set(["transferring", "stopped", "merging"]);

export const tones = { plain: "text-text-2", warn: "text-warn", danger: "text-danger" };
const marks = { verified: CheckIcon, received: CheckCheckIcon };

interface FileCardProps {
  readonly message: FileMessage;
  readonly isMine: boolean;
  /** Deletes the message. */
  readonly onDelete: () => void;
  /** Opens the file's picture; makes the tile a button. */
  readonly onPreview?: (() => void) | undefined;
  /** Previews a file of a complete tree. */
  readonly onPreviewEntry?: ((entry: TreeFile) => void) | undefined;
}

/** A file in a conversation: its description, its state, and one primary action. */
export const FileCard = memo(function FileCard(props: FileCardProps) {
  const { message, isMine, onDelete, onPreview, onPreviewEntry } = props;
  const t = useT();
  const entries = useTreeEntries(message, isMine);
  const view = useFileCard(message, isMine, entries);
  const name = useTreeName(message.file);
  const isOffer = view.actions.includes("decline");
  // A batch of pictures reserves its space in the section below.
  const isPending = isOffer || (message.file.tree === undefined && view.label !== "complete");
  const showsThumbnail = message.thumbnail !== undefined && !isMine && isPending;
  const isUnderWay = isOffer || (!isMine && pendingLabels.has(view.label));
  // One that was under way when it came into view keeps its height: what is below it does not move.
  const [wasUnderWay] = useState(isUnderWay);
  const hasFoot = isUnderWay || (wasUnderWay && view.actions.length > 0);
  const hasWords = view.actions.some((action) => !glyphActions.has(action));
  const free = useFreeWords(isOffer);
  const figures = view.label === "transferring" && (
    <Figures view={view} isShort={!hasFoot} className="ml-auto shrink-0 gap-3 whitespace-nowrap" />
  );
  const actions = <FileActions message={message} actions={view.actions} onDelete={onDelete} />;
  const actionsBox = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(actionsBox);
  return (
    <div
      {...keptFocus}
      className={cx(
        "group/card relative w-[400px] max-w-full rounded-card border border-line-2 bg-raised p-[11px] max-md:max-w-[min(100%,100vw-48px)]",
        isMine && "ml-auto",
      )}
    >
      {showsThumbnail && <OfferedPicture message={message} />}
      <div className={cx("flex min-h-10 items-center gap-x-3 gap-y-2", hasWords && !hasFoot && "flex-wrap")}>
        {/* If the action's text leaves too little space for the name, the actions wrap below it. */}
        <div className="flex min-w-0 flex-1 basis-43 items-center gap-3">
          <Tile file={message.file} canDragOut={view.actions.includes("save")} onPreview={onPreview} />
          <div className="min-w-0 flex-1">
            <MiddleEllipsis text={name} className="text-body font-medium" />
            {message.file.originalName !== undefined && (
              // Shown in full: the part that differs may be in the middle.
              <p className="line-clamp-16 wrap-anywhere text-meta text-text-2">
                {t("file.originalName", { name: message.file.originalName })}
              </p>
            )}
            <div className="flex items-baseline gap-3">
              <SubLine view={view} free={free} />
              {!hasFoot && figures}
            </div>
          </div>
        </div>
        {!hasFoot && view.actions.length > 0 && (
          <div ref={actionsBox} className="flex shrink-0 items-center gap-1 max-md:-my-1">
            {actions}
          </div>
        )}
      </div>
      {hasFoot && (
        <div ref={actionsBox} className="mt-3 flex min-h-7 flex-wrap items-center gap-2 touch:min-h-11">
          {actions}
          <div className="order-1 ml-auto text-meta text-text-2">
            <span className="max-md:hidden">{free}</span>
            {figures}
          </div>
        </div>
      )}
      {view.bar !== null && (
        // Inside the padding, so that the card is as high without it.
        <ProgressBar
          className="absolute inset-x-[11px] bottom-[3px]"
          value={view.bar.fraction}
          tone={view.bar.tone}
          label={t("file.progressLabel", { name })}
          valueText={view.bar.valueText}
        />
      )}
      {entries !== null && (
        <TreeSection
          message={message}
          entries={entries}
          isHere={!isMine && view.label === "complete"}
          isPending={!isMine && pendingLabels.has(view.label)}
          onPreviewEntry={onPreviewEntry}
        />
      )}
    </div>
  );
});

function SubLine({ view, free }: { readonly view: FileCardView; readonly free: string | null }) {
  const Mark = view.mark === null ? undefined : marks[view.mark.kind];
  return (
    <p className={cx("flex min-w-0 flex-wrap items-center gap-x-2 text-meta", tones[view.tone])}>
      {view.isBusy && <Spinner size={13} className="-mr-0.5 text-text-2" />}
      {view.path !== null && <MiddleEllipsis text={view.path} className="min-w-0 flex-1 basis-40" />}
      <span className="min-w-0 text-pretty break-words">{view.sub}</span>
      {free !== null && (
        <span className="-ml-2 md:hidden">
          <Dot />
          <span>{free}</span>
        </span>
      )}
      {view.mark !== null && Mark !== undefined && (
        <span className="inline-flex items-center gap-1 text-accent-text">
          <Mark size={14} />
          {view.mark.text}
        </span>
      )}
    </p>
  );
}

interface FiguresProps {
  readonly view: FileCardView;
  /** Leaves the speed out on a phone. */
  readonly isShort?: boolean;
  readonly className: string;
}

/** Speed and time left: shown after two seconds of data, updated once a second; their line is reserved while unknown. */
export function Figures({ view, isShort = false, className }: FiguresProps) {
  const speed = useSteady(view.speed);
  const timeLeft = useSteady(view.timeLeft);
  return (
    <p className={cx("flex min-h-4 text-meta text-text-2", className)}>
      <span className={isShort ? "max-md:hidden" : undefined}>{speed}</span>
      <span>{timeLeft}</span>
    </p>
  );
}

/** "41.8 GiB free", for an offer; on a phone it follows the size. */
function useFreeWords(isOffer: boolean): string | null {
  const t = useT();
  const format = useFormat();
  const freeBytes = useFreeBytes(isOffer);
  return isOffer && freeBytes !== null ? t("file.free", { size: format.size(freeBytes) }) : null;
}

/**
 * The preview in the offer of a picture that has not been received yet. That of somebody we have not met before is blurred until
 * pressed, which also fetches a small picture.
 */
function OfferedPicture({ message }: { readonly message: FileMessage }) {
  const t = useT();
  const { chat } = useWarren();
  const takeOffers = useTakeOffers();
  const isOfStranger = useStore(chat.store, ({ contacts }) => !isFamiliar(contacts[message.client]));
  const [isUncovered, setUncovered] = useState(false);
  const isCovered = isOfStranger && !isUncovered;
  const picture = (
    <img
      src={message.thumbnail}
      alt=""
      draggable={false}
      className={cx(
        "block h-auto max-h-45 w-auto max-w-full rounded-tile object-contain",
        isCovered ? "scale-110 blur-xl" : "mb-3 outline-1 outline-edge -outline-offset-1",
      )}
    />
  );
  if (!isCovered) return picture;
  const uncover = (): void => {
    setUncovered(true);
    if (isSmallPicture(message.file)) void takeOffers([message], "keep");
  };
  return (
    <button
      type="button"
      aria-label={t("common.actionOf", { action: t("file.showPicture"), name: message.file.fileName })}
      className="relative mb-3 block max-w-full overflow-hidden rounded-tile"
      onClick={uncover}
    >
      {picture}
      <span className="absolute inset-0 flex items-center justify-center">
        <span className="flex items-center gap-1.5 rounded-control bg-[rgb(10_16_13/0.66)] px-2.5 py-1 font-medium text-compact text-white">
          <ShowIcon size={16} />
          {t("file.showPicture")}
        </span>
      </span>
    </button>
  );
}

interface TileProps {
  readonly file: FileMessage["file"];
  /** Whether it was received, is complete and can be saved. */
  readonly canDragOut: boolean;
  readonly onPreview: (() => void) | undefined;
}

function Tile({ canDragOut, ...props }: TileProps) {
  const tile = <TileButton {...props} />;
  // A folder is many files, and a drag carries one.
  if (!canDragOut || props.file.tree) return tile;
  return (
    <DragOut file={props.file} hasGrip className="shrink-0">
      {tile}
    </DragOut>
  );
}

function TileButton({ file, onPreview }: Omit<TileProps, "canDragOut">) {
  const t = useT();
  const tile = <FileTile file={file} isWhole={useIsStored(file.fid)} className="size-10" />;
  if (onPreview === undefined) return tile;
  return (
    <button
      type="button"
      aria-label={t("common.actionOf", { action: t("file.preview"), name: file.fileName })}
      className="shrink-0 rounded-tile transition-opacity hover:opacity-80"
      onClick={onPreview}
    >
      {tile}
    </button>
  );
}
