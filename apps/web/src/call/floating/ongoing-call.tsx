import type { Call, OutgoingRing } from "@warren/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { AvatarById, EveryoneAvatar } from "../../people/person-avatar.tsx";
import { useFirstNameOf } from "../../people/use-person.ts";
import { cx } from "../../ui/cx.ts";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { paths } from "../../wiring/paths.ts";
import { useOptionalStore, useStore } from "../../wiring/warren-context.ts";
import { CallTime } from "../call-time.tsx";
import { isShown, type StageItem } from "../stage/stage-items.ts";
import { TileChip, TilePicture, TilePlaceholder } from "../stage/tile.tsx";
import { useTileWords } from "../stage/use-tile-words.ts";
import { usePrivateCall } from "../use-private-call.ts";
import { HangUpButton, TileControls } from "./tile-controls.tsx";
import { useCallLine } from "./use-call-line.ts";
import type { FloatingTile } from "./use-floating-tile.ts";

interface OngoingCallProps {
  /** Null while its code is on the way. */
  readonly call: Call | null;
  /** Whom I call, while nobody has answered. */
  readonly ring: OutgoingRing | null;
  /** Whose picture it has, once somebody did. */
  readonly item: StageItem | null;
  readonly floating: FloatingTile;
}

/** The call one is in, from the moment somebody is called: a picture that leads back to it, and what is needed at hand. */
export function OngoingCall({ call, ring, item, floating }: OngoingCallProps) {
  const { isBar } = floating;
  const face =
    ring !== null ? (
      <CalledAvatar ring={ring} size={isBar ? 36 : 64} />
    ) : (
      item !== null && call !== null && <Picture call={call} item={item} isBar={isBar} />
    );
  const link = (
    <ReturnLink
      face={isBar && face}
      title={ring !== null ? <Called ring={ring} /> : item !== null && <Name item={item} />}
      line={<Progress call={call} ring={ring} />}
      isCalling={ring !== null}
    />
  );
  const detail = call !== null && ring === null && <Detail call={call} isBar={isBar} />;
  const controls = call !== null && <TileControls call={call} floating={floating} />;
  if (isBar)
    return (
      <>
        {link}
        {detail}
        <div className="relative flex items-center gap-1">
          {controls}
          <HangUpButton isCalling={ring !== null} />
        </div>
      </>
    );
  return (
    <>
      <div className="relative shrink-0 px-1">
        <div
          className={cx(
            "relative flex aspect-video items-center justify-center overflow-hidden rounded-row bg-tile",
            item?.isSpeaking === true && "outline-2 outline-stage-speaking -outline-offset-2",
          )}
        >
          {face}
        </div>
        {link}
      </div>
      {detail}
      <div className="flex shrink-0 items-center justify-end gap-1 p-1.5">
        {controls}
        <HangUpButton isCalling={ring !== null} />
      </div>
    </>
  );
}

interface ReturnLinkProps {
  /** Before the words. */
  readonly face: ReactNode;
  readonly title: ReactNode;
  readonly line: ReactNode;
  /** Whether a press has just begun it, whose button is gone. */
  readonly isCalling: boolean;
}

/** Leads back to the call, also from the picture around it or, in a bar, from all of that. */
function ReturnLink({ face, title, line, isCalling }: ReturnLinkProps) {
  const t = useT();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCalling && document.activeElement === document.body) link.current?.focus();
  }, [isCalling]);
  return (
    <Link
      ref={link}
      to={paths.call.href}
      draggable={false}
      className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2 after:absolute after:inset-0 focus-visible:-outline-offset-2"
    >
      {face}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{title}</bdi>
        <span className="flex items-center text-meta text-text-2">
          <span className="truncate">
            {line}
            <span className="text-accent-text low:max-lg:sr-only">{t("call.returnTo")}</span>
          </span>
          <ChevronRightIcon size={14} className="shrink-0 text-accent-text" />
        </span>
      </span>
    </Link>
  );
}

function Called({ ring }: { readonly ring: OutgoingRing }) {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  return (
    <span role="status">{t("call.ring.calling", { names: format.list(ring.waiting.map(nameOf)) })}</span>
  );
}

function Name({ item }: { readonly item: StageItem }) {
  return useTileWords(item).name;
}

/** Which kind of call it is before somebody answers, then how long it has lasted. */
function Progress({ call, ring }: Pick<OngoingCallProps, "call" | "ring">) {
  const t = useT();
  const isConnecting = usePrivateCall(call)?.phase === "connecting";
  const sinceMs = useOptionalStore(call?.store, (state) => state.sinceMs);
  const words =
    ring !== null
      ? t(ring.video ? "call.ring.startVideo" : "call.ring.startVoice")
      : isConnecting
        ? t("call.connecting")
        : sinceMs !== null && <CallTime sinceMs={sinceMs} />;
  return (
    words && (
      <>
        {words}
        <span className="low:max-lg:hidden">{" · "}</span>
      </>
    )
  );
}

function Detail({ call, isBar }: { readonly call: Call; readonly isBar: boolean }) {
  const isPrivate = usePrivateCall(call) !== null;
  const words = useCallLine(useStore(call.store), isPrivate);
  if (words === null) return null;
  return (
    <p className={isBar ? "sr-only" : "line-clamp-2 px-3 pt-0.5 text-meta text-text-2"} title={words}>
      {words}
    </p>
  );
}

function CalledAvatar({ ring, size }: { readonly ring: OutgoingRing; readonly size: number }) {
  const [first] = ring.waiting;
  return ring.toRoom || first === undefined ? (
    <EveryoneAvatar size={size} />
  ) : (
    <AvatarById id={first} size={size} />
  );
}

interface PictureProps {
  readonly call: Call;
  readonly item: StageItem;
  readonly isBar: boolean;
}

function Picture({ call, item, isBar }: PictureProps) {
  if (!isBar)
    return (
      <>
        <TilePicture call={call} item={item} fit={item.kind === "screen" ? "contain" : "balanced"} />
        <TileChip item={item} isNamed={false} />
      </>
    );
  const hasPicture = item.picture !== null && isShown(item.picture);
  return (
    <span
      className={cx(
        "relative size-9 shrink-0 overflow-hidden",
        hasPicture ? "rounded-control" : "rounded-full",
        item.isSpeaking && "outline-2 outline-stage-speaking outline-offset-1",
      )}
    >
      {hasPicture ? (
        <TilePicture call={call} item={item} fit="cover" />
      ) : (
        <TilePlaceholder item={item} size={36} />
      )}
    </span>
  );
}
