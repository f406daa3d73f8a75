import { type Call, type CallState, isTakingPart, isWithOthers } from "@warren/core";
import { isSound } from "@warren/protocol";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { AvatarById, EveryoneAvatar } from "../people/person-avatar.tsx";
import { useFirstNameOf } from "../people/use-person.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import {
  CameraIcon,
  CameraOffIcon,
  ExitFullScreenIcon,
  FullScreenIcon,
  HangUpIcon,
  MicrophoneIcon,
  MicrophoneOffIcon,
  PhoneIcon,
  StopIcon,
} from "../ui/icons.ts";
import { announcer } from "../wiring/announcer.ts";
import { paths } from "../wiring/paths.ts";
import { useOption, useOptionalStore, useStore, useWarren } from "../wiring/warren-context.ts";
import { CallTime } from "./call-time.tsx";
import { isShown, type StageItem, stageItems, tileItem } from "./stage/stage-items.ts";
import { TileChip, TilePicture, TilePlaceholder, useTileWords } from "./stage/tile.tsx";
import { useCallActions } from "./use-call-actions.ts";
import { useCalling } from "./use-calling.ts";
import { type FloatingTile, useFloatingTile } from "./use-floating-tile.ts";
import { usePrivateCall } from "./use-private-call.ts";

const announceCall = announcer.kind<string>((sentences) => sentences.join(" "));

/**
 * The call on every page but its own: who is called, what others share, or the call one is in. It floats over the page,
 * which does not move, and can be dragged; where there is little space it is a bar.
 */
export default function CallTile({ call }: { readonly call: Call | null }) {
  const isRunning = useIsRunning(call);
  const isOnStage = useLocation()[0] === paths.call.path;
  return !isOnStage && isRunning && <Floating call={call} />;
}

/** Whether there is something to show: a call that rings out, or one that is going on. */
function useIsRunning(call: Call | null): boolean {
  const { ringing } = useWarren().call;
  const { incoming, outgoing } = useStore(ringing.store);
  const isShown = useOptionalStore(
    call?.store,
    // Who rings has a card.
    (state) => isTakingPart(state) || (state.remote.length > 0 && incoming.length === 0),
  );
  return outgoing !== null || isShown === true;
}

function Floating({ call }: { readonly call: Call | null }) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const floating = useFloatingTile(box);
  const { isBar } = floating;
  const outgoing = useStore(useWarren().call.ringing.store, (state) => state.outgoing);
  return (
    <section
      ref={box}
      aria-label={t("call.title")}
      data-corner={floating.corner}
      {...(!isBar && floating.dragHandlers)}
      className={cx(
        "stage z-drop flex bg-stage-bar text-compact text-text",
        isBar
          ? "min-h-13 items-center gap-1 px-2 py-1"
          : "touch-none flex-col overflow-hidden rounded-card shadow-menu",
        !isBar && (floating.isLarge ? "w-[min(416px,calc(100vw-24px))]" : "w-[216px] lg:w-[268px]"),
        floating.className,
      )}
    >
      {!isBar && <MoveHandle floating={floating} />}
      {outgoing !== null && (call === null || !isWithOthers(call.store.getState())) ? (
        <Calling isBar={isBar} />
      ) : (
        call !== null && <Running call={call} floating={floating} />
      )}
    </section>
  );
}

function MoveHandle({ floating }: { readonly floating: FloatingTile }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-label={t("call.move")}
      aria-description={t("call.moveHow")}
      onKeyDown={floating.onKeyDown}
      className="flex h-4 w-full shrink-0 cursor-grab items-center justify-center focus-visible:-outline-offset-2"
    >
      <span className="h-1 w-8 rounded-full bg-line-2" />
    </button>
  );
}

/** Whom I call, and the button that ends it. */
function Calling({ isBar }: { readonly isBar: boolean }) {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const roomCall = useWarren().call;
  const ring = useStore(roomCall.ringing.store, ({ outgoing }) => outgoing);
  if (ring === null) return null;
  const [first] = ring.waiting;
  return (
    <div className={cx("flex min-w-0 flex-1 items-center", isBar ? "gap-2.5" : "gap-3 px-3 pb-3")}>
      {ring.toRoom || first === undefined ? (
        <EveryoneAvatar size={isBar ? 36 : 40} />
      ) : (
        <AvatarById id={first} size={isBar ? 36 : 40} />
      )}
      <p role="status" className="line-clamp-2 min-w-0 flex-1 font-medium">
        {t("call.ring.calling", { names: format.list(ring.waiting.map(nameOf)) })}
      </p>
      <HangUpButton label={t("call.ring.cancel")} onClick={() => roomCall.leave()} />
    </div>
  );
}

/** What is shared, with whom, and the picture of who speaks. */
function Running({ call, floating }: { readonly call: Call; readonly floating: FloatingTile }) {
  const t = useT();
  const state = useStore(call.store);
  const { microphone, camera, screens, isMuted, toggleMicrophone, toggleCamera, stopScreens, leave } =
    useCallActions(call);
  const item = useShownItem(state);
  const isConnecting = usePrivateCall(call)?.phase === "connecting";
  const shared = useWords(state);
  const words = isConnecting ? t("call.connecting") : shared;
  const isListening = isTakingPart(state);
  const { isBar } = floating;
  useEffect(() => {
    if (!isListening) announceCall("call", words);
  }, [isListening, words]);
  if (!isListening || item === null) return <Offered call={call} isBar={isBar} />;
  const microphoneButton = (
    <IconButton
      icon={isMuted ? MicrophoneOffIcon : MicrophoneIcon}
      label={t(microphone === undefined ? "call.microphone" : isMuted ? "call.unmute" : "call.mute")}
      shortcut="M"
      tooltipSide="top"
      className={isMuted ? "text-danger" : undefined}
      onClick={toggleMicrophone}
    />
  );
  const others = (
    <>
      {screens.length > 0 && (
        <IconButton icon={StopIcon} label={t("call.stopScreen")} tooltipSide="top" onClick={stopScreens} />
      )}
      {!state.isAudioEnabled && state.remote.some(({ kind }) => isSound(kind)) && (
        <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
          {t("call.listen")}
        </Button>
      )}
      {!state.isVideoEnabled && !state.remote.every(({ kind }) => isSound(kind)) && (
        <StageLink words={t("call.watch")} />
      )}
    </>
  );
  if (isBar)
    return (
      <>
        <BarLink call={call} item={item}>
          {isConnecting ? words : state.sinceMs !== null && <CallTime sinceMs={state.sinceMs} />}
        </BarLink>
        <p className="sr-only">{words}</p>
        {others}
        {microphoneButton}
        <HangUpButton label={t("call.leave")} onClick={leave} />
      </>
    );
  const SizeIcon = floating.isLarge ? ExitFullScreenIcon : FullScreenIcon;
  return (
    <>
      <div
        className={cx(
          "relative mx-1 aspect-video shrink-0 overflow-hidden rounded-row bg-tile",
          item.isSpeaking && "outline-2 outline-stage-speaking -outline-offset-2",
        )}
      >
        <TilePicture call={call} item={item} fit={item.kind === "screen" ? "contain" : "cover"} />
        <TileChip item={item} withDetail={false}>
          {state.sinceMs !== null && <CallTime sinceMs={state.sinceMs} />}
        </TileChip>
        <Link
          to={paths.call.href}
          draggable={false}
          aria-label={t("call.open")}
          className="absolute inset-0 rounded-row focus-visible:-outline-offset-2"
        />
      </div>
      <p className="line-clamp-2 px-3 pt-2 text-meta text-text-2" title={words}>
        {words}
      </p>
      <div className="flex shrink-0 items-center gap-1 p-1.5">
        {microphoneButton}
        <IconButton
          icon={camera === undefined ? CameraOffIcon : CameraIcon}
          label={t(camera === undefined ? "call.camera" : "call.stopCamera")}
          shortcut="V"
          tooltipSide="top"
          onClick={toggleCamera}
        />
        {others}
        <IconButton
          icon={SizeIcon}
          label={t(floating.isLarge ? "call.smallerTile" : "call.largerTile")}
          tooltipSide="top"
          className="ml-auto"
          onClick={() => floating.setLarge(!floating.isLarge)}
        />
        <HangUpButton label={t("call.leave")} onClick={leave} />
      </div>
    </>
  );
}

interface BarLinkProps {
  readonly call: Call;
  readonly item: StageItem;
  /** Under whose picture it is. */
  readonly children: ReactNode;
}

/** Leads back to the call, from the picture of who speaks. */
function BarLink({ call, item, children }: BarLinkProps) {
  const t = useT();
  const { name } = useTileWords(item);
  const { picture } = item;
  return (
    <Link
      to={paths.call.href}
      className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-control px-1 focus-visible:-outline-offset-2"
    >
      <span
        className={cx(
          "relative size-9 shrink-0 overflow-hidden",
          picture !== null && isShown(picture) ? "rounded-control" : "rounded-full",
          item.isSpeaking && "outline-2 outline-stage-speaking outline-offset-1",
        )}
      >
        {picture !== null && isShown(picture) ? (
          <TilePicture call={call} item={item} fit="cover" />
        ) : (
          <TilePlaceholder item={item} size={36} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block truncate text-meta text-text-2">{children}</span>
      </span>
      <span className="sr-only">{t("call.open")}</span>
    </Link>
  );
}

/** What others share, before one agreed to hear or see it: nothing of it is played. */
function Offered({ call, isBar }: { readonly call: Call; readonly isBar: boolean }) {
  const t = useT();
  const state = useStore(call.store);
  const words = useWords(state);
  const nameOf = useFirstNameOf();
  const { joinRoom } = useCalling();
  const joinWithCamera = useOption("joinWithCamera");
  const [source] = state.remote;
  if (source === undefined) return null;
  const screen = state.remote.findLast(({ kind }) => kind === "screen");
  const hasPictures = !state.remote.every(({ kind }) => isSound(kind));
  const isCall = state.remote.some(({ kind }) => kind === "microphone");
  const withCamera = joinWithCamera && state.remote.some(({ kind }) => kind === "camera");
  return (
    <div className={cx("flex min-w-0", isBar ? "flex-1 items-center gap-2" : "flex-col gap-2.5 px-3 pb-3")}>
      <div className={cx("flex min-w-0 items-center", isBar ? "flex-1 gap-2.5" : "gap-3")}>
        <AvatarById id={source.from} size={isBar ? 36 : 40} />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{words}</p>
          {screen && (
            <p className="truncate text-meta text-text-2">
              {t("call.sharesScreen", { name: nameOf(screen.from) })}
            </p>
          )}
        </div>
      </div>
      <div className="flex justify-end gap-2">
        {hasPictures ? (
          <StageLink words={t("call.watch")} isSecondary={isCall} />
        ) : (
          <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
            {t("call.listen")}
          </Button>
        )}
        {isCall && (
          <Button
            variant="primary"
            size="sm"
            icon={withCamera ? CameraIcon : PhoneIcon}
            onClick={() => void joinRoom(withCamera)}
          >
            {t("call.ring.join")}
          </Button>
        )}
      </div>
    </div>
  );
}

interface StageLinkProps {
  readonly words: string;
  /** Another action beside it comes first. */
  readonly isSecondary?: boolean;
}

function StageLink({ words, isSecondary = false }: StageLinkProps) {
  return (
    <Link
      to={paths.call.href}
      draggable={false}
      className={cx(
        "inline-flex h-7 items-center rounded-control px-2.5 font-medium text-compact touch:h-11",
        isSecondary
          ? "border border-line-2 bg-raised text-text hover:bg-hover"
          : "bg-accent text-on-accent hover:bg-accent-hover",
      )}
    >
      {words}
    </Link>
  );
}

function HangUpButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton
      icon={HangUpIcon}
      label={label}
      tooltipSide="top"
      className="bg-stage-end text-white hover:bg-stage-end hover:text-white hover:brightness-110"
      onClick={onClick}
    />
  );
}

/** The tile of who spoke last, which stays while nobody speaks. */
function useShownItem(state: CallState): StageItem | null {
  // Nothing is seen before one agreed to.
  const { isVideoEnabled, remote } = state;
  const items = stageItems(
    isVideoEnabled ? state : { ...state, remote: remote.filter(({ kind }) => isSound(kind)) },
  );
  const [speaker, setSpeaker] = useState<string | null>(null);
  const speaking = items.find(({ isSpeaking }) => isSpeaking)?.id;
  if (speaking !== undefined && speaking !== speaker) setSpeaker(speaking);
  return tileItem(items, speaker);
}

/** What I share and with whom, or who is in a call. */
function useWords({ local, remote }: CallState): string {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const microphone = local.find(({ kind }) => kind === "microphone");
  const screens = local.filter(({ kind }) => kind === "screen");
  const shared = [
    ...(microphone
      ? [t(microphone.muted || microphone.lost ? "call.part.muted" : "call.part.microphone")]
      : []),
    ...(local.some(({ kind }) => kind === "camera") ? [t("call.part.camera")] : []),
    ...(screens.length > 0 ? [t("call.part.screen", { count: screens.length })] : []),
  ];
  const what = format.list(shared);
  const audience = [...new Set(local.flatMap(({ watchers }) => watchers))].map(nameOf);
  if (shared.length > 0 && audience.length > 0)
    return t("call.shareWith", { what, names: format.list(audience) });
  if (shared.length > 0) return t("call.shareAlone", { what });
  const sharers = [...new Set(remote.map(({ from }) => from))].map(nameOf);
  return t("call.others", { count: sharers.length, names: format.list(sharers) });
}
