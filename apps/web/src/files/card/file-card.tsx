import { type FileMessage, isFamiliar, isSmallPicture, type MessageKey, messageNameOf } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { memo, type ReactNode, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useName } from "../../people/use-person.ts";
import { cx } from "../../ui/cx.ts";
import { useFocusRecovery } from "../../ui/hooks/use-focus-recovery.ts";
import { useThrottled } from "../../ui/hooks/use-throttled.ts";
import { ShowIcon } from "../../ui/icons.ts";
import { ProgressBar } from "../../ui/progress.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { FileTile } from "../file-tile.tsx";
import { useAcceptOffers } from "../save/use-accept-offers.ts";
import { useTreeName } from "../tree/tree-name.ts";
import { TreeNameLine } from "../tree/tree-name-line.tsx";
import { TreeSection } from "../tree/tree-section.tsx";
import { useTreeEntries } from "../tree/use-tree-entries.ts";
import { useFreeBytes } from "../use-free-bytes.ts";
import { useIsStored } from "../use-is-stored.ts";
import { DragOut } from "./drag-out.tsx";
import { FileActions } from "./file-actions.tsx";
import type { FileCardView } from "./file-card-view.ts";
import { FileMark } from "./file-mark.tsx";
import { lineClass, tones } from "./status-line.ts";
import { useFileCard } from "./use-file-card.ts";

interface FileCardProps {
  readonly message: FileMessage;
  readonly isMine: boolean;
  /** Whether the card above or below is of the same group: they are parts of one frame. */
  readonly joinsAbove?: boolean;
  readonly joinsBelow?: boolean;
  /** Deletes the message. */
  readonly onDelete: () => void;
  /** Opens the file's picture; makes the tile a button. */
  readonly onPreview?: (() => void) | undefined;
  /** Previews a file of a complete tree. */
  readonly onPreviewEntry?: ((entry: TreeFile) => void) | undefined;
}

/**
 * A file in a conversation: its description, its state, and its actions, in one row. In every state as high as in the others, so
 * that nothing moves while it is sent or received.
 */
export const FileCard = memo(function FileCard(props: FileCardProps) {
  const { message, isMine, joinsAbove = false, joinsBelow = false, onDelete } = props;
  const { onPreview, onPreviewEntry } = props;
  const t = useT();
  const entries = useTreeEntries(message, isMine);
  const { view, given } = useFileCard(message, isMine, entries);
  const name = useTreeName(message.file);
  const isTree = message.file.tree !== undefined;
  const isOffer = view.actions.includes("decline");
  const free = useFreeWords(message, isOffer);
  const status =
    view.label === "transferring" ? <Figures view={view} /> : view.mark && <FileMark {...view.mark} />;
  const actionsBox = useRef<HTMLDivElement>(null);
  const focusRecovery = useFocusRecovery(actionsBox);
  const hasPicture = !isTree && !isMine && view.label !== "complete" && message.thumbnail !== undefined;
  return (
    <div
      {...focusRecovery}
      className={cx(
        "group/card relative w-[400px] max-w-full rounded-card border border-line-2 bg-raised p-[11px] max-[360px]:p-[7px]",
        isMine && "ml-auto",
        joinsAbove && "-mt-px rounded-t-none",
        joinsBelow && "rounded-b-none",
      )}
    >
      {hasPicture && <OfferedPicture message={message} />}
      <div className="flex min-h-10 items-center gap-1 touch:min-h-11">
        <div className="mr-2 flex min-w-0 flex-1 items-center gap-3 max-[360px]:mr-0 max-[360px]:gap-2">
          {!hasPicture && (
            <Tile
              file={message.file}
              canDragOut={!isMine && view.label === "complete"}
              onPreview={onPreview}
            />
          )}
          <div className="min-w-0 flex-1">
            <TreeNameLine file={message.file} className="text-body font-medium" />
            {message.file.originalName !== undefined && (
              // Shown in full: the part that differs may be in the middle.
              <p className="line-clamp-16 wrap-anywhere text-meta text-text-2">
                {t("file.originalName", { name: message.file.originalName })}
              </p>
            )}
            {message.original !== undefined && <PassedOn original={message.original} />}
            <SubLine view={view} free={free}>
              {!isTree && status}
            </SubLine>
          </div>
        </div>
        {/* The buttons have no box of their own that would move as their number changes. */}
        <div ref={actionsBox} className="contents">
          <FileActions
            message={given}
            actions={view.actions}
            isSettled={view.isSettled}
            onDelete={onDelete}
          />
        </div>
      </div>
      {view.bar !== null && (
        // The lower edge of the card, which is as high without it.
        <div
          className={cx(
            "pointer-events-none absolute inset-x-0 bottom-0 flex h-[13px] items-end overflow-hidden",
            !joinsBelow && "rounded-b-[13px]",
          )}
        >
          <ProgressBar
            className="w-full rounded-none"
            value={view.bar.fraction}
            tone={view.bar.tone}
            label={t("file.progressLabel", { name })}
            valueText={view.bar.valueText}
          />
        </div>
      )}
      {isTree && (
        <TreeSection
          message={message}
          entries={entries}
          isHere={!isMine && view.label === "complete"}
          isMine={isMine}
          status={status && <div className={lineClass(view)}>{status}</div>}
          cover={(isOverlay) => !isMine && <OfferedPicture message={message} isOverlay={isOverlay} />}
          onPreviewEntry={onPreviewEntry}
        />
      )}
    </div>
  );
});

/** Who offered to everyone what one member gives another. */
function PassedOn({ original }: { readonly original: MessageKey }) {
  const t = useT();
  const name = useName(messageNameOf(original).client);
  return <p className="text-meta text-text-2">{t("file.passedOn", { name })}</p>;
}

interface SubLineProps {
  readonly view: FileCardView;
  readonly free: string | null;
  /** What follows the words, on the same line. */
  readonly children: ReactNode;
}

/** One line, except for what went wrong, which is read in full. */
function SubLine({ view, free, children }: SubLineProps) {
  const { label, tone, sub } = view;
  const words = free === null ? sub : `${sub}, ${free}`;
  const isPlain = tone === "plain";
  return (
    <div
      // What it says changes as a whole: words that moved aside for an icon would be a shift.
      key={`${label} ${view.isBusy}`}
      className={cx(isPlain ? lineClass(view) : "flex items-center gap-2", "text-meta", tones[tone])}
    >
      {view.isBusy && <Spinner size={13} className="text-text-2" />}
      {view.path !== null && <MiddleEllipsis text={view.path} className="h-4 min-w-0 flex-1 basis-0" />}
      <p
        title={isPlain ? words : undefined}
        className={
          isPlain
            ? cx(
                "order-1 min-w-0 max-w-full truncate",
                view.path === null && label === "transferring" && "order-none grow",
              )
            : "text-pretty break-words"
        }
      >
        {words}
      </p>
      {children}
    </div>
  );
}

/**
 * Time left and speed, of a tree with its bytes: shown after two seconds of data, updated once a second. Each has a place of its own,
 * which it keeps as its width changes.
 */
function Figures({ view }: { readonly view: FileCardView }) {
  const timeLeft = useThrottled(view.timeLeft);
  const speed = useThrottled(view.speed);
  const figure = "h-4 min-w-[11ch] whitespace-nowrap text-meta text-text-2";
  return (
    <>
      <span className={figure}>{timeLeft}</span>
      <span className={cx(figure, view.path !== null && "-order-1 grow")}>{speed}</span>
    </>
  );
}

/** From this fraction of the free space on, an offer says how much that is. */
const largeFraction = 0.1;

/** "41.8 GB free", for an offer that takes much of it. */
function useFreeWords({ file }: FileMessage, isOffer: boolean): string | null {
  const t = useT();
  const format = useFormat();
  const freeBytes = useFreeBytes(isOffer);
  const isLarge = isOffer && freeBytes !== null && contentSizeOf(file) > freeBytes * largeFraction;
  return isLarge ? t("file.free", { size: format.size(freeBytes) }) : null;
}

interface OfferedPictureProps {
  readonly message: FileMessage;
  /** Whether it lies over what will be there instead of it. */
  readonly isOverlay?: boolean;
}

/**
 * The preview in the offer of a picture that has not been received yet. That of somebody we have not met before is blurred until
 * pressed, which also fetches a small picture.
 */
function OfferedPicture({ message, isOverlay = false }: OfferedPictureProps) {
  const t = useT();
  const { chat } = useWarren();
  const acceptOffers = useAcceptOffers();
  const isOfStranger = useStore(chat.store, ({ contacts }) => !isFamiliar(contacts[message.client]));
  const [isUncovered, setUncovered] = useState(false);
  if (message.thumbnail === undefined) return null;
  const isCovered = isOfStranger && !isUncovered;
  const picture = (
    <img
      src={message.thumbnail}
      alt=""
      draggable={false}
      className={cx(
        "block h-auto w-auto max-w-full",
        isOverlay ? "max-h-full" : "max-h-45",
        // Fills the well, whatever its own shape.
        isCovered && "scale-x-200 scale-y-125 blur-xl",
      )}
    />
  );
  const well = cx(
    "flex w-full items-center justify-center overflow-hidden rounded-tile bg-sunken",
    isOverlay ? "absolute inset-0" : "relative mb-3",
  );
  if (!isCovered) return <div className={well}>{picture}</div>;
  const uncover = (): void => {
    setUncovered(true);
    if (isSmallPicture(message.file)) void acceptOffers([message], "keep");
  };
  return (
    <button
      type="button"
      aria-label={t("common.actionOf", { action: t("file.showPicture"), name: message.file.fileName })}
      className={well}
      onClick={uncover}
    >
      {picture}
      <span className="absolute inset-0 flex items-center justify-center">
        <span className="flex items-center gap-1.5 rounded-control bg-over-picture px-2.5 py-1 font-medium text-compact text-white">
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
  const tile = <FileTile file={file} isComplete={useIsStored(file.fid)} className="size-10" />;
  if (onPreview === undefined) return tile;
  return (
    <button
      type="button"
      aria-label={t("common.actionOf", { action: t("file.preview"), name: file.fileName })}
      className="hit shrink-0 rounded-tile transition-opacity hover:opacity-80"
      onClick={onPreview}
    >
      {tile}
    </button>
  );
}
