import { type Call, type CallState, isTakingPart, type ReadableStore, type RemoteSource } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { createStore } from "zustand/vanilla";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { ClientAvatar, EveryoneAvatar } from "../people/client-avatar.tsx";
import { usePerson } from "../people/use-person.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import {
  CameraIcon,
  CameraOffIcon,
  ExitFullScreenIcon,
  FullScreenIcon,
  HangUpIcon,
  MicrophoneIcon,
  MicrophoneOffIcon,
  StopIcon,
} from "../ui/icons.ts";
import { announcer } from "../wiring/announcer.ts";
import { paths } from "../wiring/paths.ts";
import { useStore, useWarren } from "../wiring/warren-context.tsx";
import { isSeenOrSeeing } from "./is-seen.ts";
import { type StageItem, stageItems, tileItem } from "./stage/stage-items.ts";
import { TileChip, TilePicture } from "./stage/tile.tsx";
import { useCallActions } from "./use-call-actions.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";
import { type FloatingTile, useFloatingTile } from "./use-floating-tile.ts";

const announceCall = announcer.kind<string>((sentences) => sentences.join(" "));

/**
 * The call on every page but its own: who is called, what others share, or the call one is in. It floats over the page,
 * which does not move, and can be dragged into any corner.
 */
export function CallTile({ call }: { readonly call: Call | null }) {
  const isRunning = useIsRunning(call);
  const isOnStage = useLocation()[0] === paths.call.path;
  return !isOnStage && isRunning && <Floating call={call} />;
}

const noCall = createStore<CallState | null>(() => null);

/** Whether there is something to show: a call that rings out, or one that is going on. */
function useIsRunning(call: Call | null): boolean {
  const { ringing } = useWarren().call;
  const { incoming, outgoing } = useStore(ringing.store);
  const state = useStore<ReadableStore<CallState | null>>(call?.store ?? noCall);
  if (outgoing !== null) return true;
  if (state === null) return false;
  // Who rings has a card.
  return isTakingPart(state) || (state.remote.length > 0 && incoming.length === 0);
}

function Floating({ call }: { readonly call: Call | null }) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const floating = useFloatingTile(box);
  const outgoing = useStore(useWarren().call.ringing.store, (state) => state.outgoing);
  return (
    <section
      ref={box}
      aria-label={t("call.title")}
      data-corner={floating.corner}
      {...floating.dragHandlers}
      className={cx(
        "stage fixed z-drop flex touch-none flex-col overflow-hidden rounded-card bg-stage-bar text-compact text-text shadow-menu",
        floating.isLarge
          ? "w-[min(416px,calc(100vw-24px))]"
          : "w-[228px] has-data-compact:w-[156px] md:w-[216px] lg:w-[268px]",
        floating.className,
      )}
    >
      <MoveHandle floating={floating} />
      {outgoing !== null && (call === null || !isSeenOrSeeing(call)) ? (
        <Calling />
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
function Calling() {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const roomCall = useWarren().call;
  const ring = useStore(roomCall.ringing.store, ({ outgoing }) => outgoing);
  if (ring === null) return null;
  const [first] = ring.waiting;
  return (
    <div className="flex items-center gap-3 px-3 pb-3 max-md:flex-wrap">
      {ring.toRoom || first === undefined ? <EveryoneAvatar size={40} /> : <PersonAvatar id={first} />}
      <p role="status" className="line-clamp-2 min-w-0 flex-1 font-medium">
        {t("call.ring.calling", { names: format.list(ring.waiting.map(nameOf)) })}
      </p>
      <HangUpButton label={t("call.ring.cancel")} onClick={() => roomCall.leave()} />
    </div>
  );
}

function PersonAvatar({ id }: { readonly id: ClientId }) {
  const { name, avatar } = usePerson(id);
  return <ClientAvatar clientId={id} name={name} avatar={avatar} size={40} />;
}

/** What is shared, with whom, and the picture of who speaks. */
function Running({ call, floating }: { readonly call: Call; readonly floating: FloatingTile }) {
  const t = useT();
  const state = useStore(call.store);
  const { microphone, camera, screens, isMuted, toggleMicrophone, toggleCamera, stopScreens, leave } =
    useCallActions(call);
  const item = useShownItem(state);
  const words = useWords(state);
  const isListening = isTakingPart(state);
  const isCompact = useBreakpoint() === "phone" && !floating.isLarge;
  useEffect(() => {
    if (!isListening) announceCall("call", words);
  }, [isListening, words]);
  if (!isListening || item === null) return <Offered call={call} />;
  const SizeIcon = floating.isLarge ? ExitFullScreenIcon : FullScreenIcon;
  return (
    <>
      <div
        data-compact={isCompact || undefined}
        className={cx(
          "relative mx-1 shrink-0 overflow-hidden rounded-row bg-tile",
          isCompact ? "aspect-4/3" : "aspect-video",
          item.isSpeaking && "outline-2 outline-stage-speaking -outline-offset-2",
        )}
      >
        <TilePicture call={call} item={item} fit={item.kind === "screen" ? "contain" : "cover"} />
        <TileChip item={item} withDetail={false} />
        <Link
          to={paths.call.href}
          draggable={false}
          aria-label={t("call.open")}
          className="absolute inset-0 rounded-row focus-visible:-outline-offset-2"
        />
      </div>
      <p className={cx("line-clamp-2 px-3 pt-2 text-meta text-text-2", isCompact && "sr-only")} title={words}>
        {words}
      </p>
      <div className="flex shrink-0 items-center gap-1 p-1.5">
        <IconButton
          icon={isMuted ? MicrophoneOffIcon : MicrophoneIcon}
          label={t(microphone === undefined ? "call.microphone" : isMuted ? "call.unmute" : "call.mute")}
          shortcut="M"
          tooltipSide="top"
          className={isMuted ? "text-danger" : undefined}
          onClick={toggleMicrophone}
        />
        {!isCompact && (
          <IconButton
            icon={camera === undefined ? CameraOffIcon : CameraIcon}
            label={t(camera === undefined ? "call.camera" : "call.stopCamera")}
            shortcut="V"
            tooltipSide="top"
            onClick={toggleCamera}
          />
        )}
        {screens.length > 0 && (
          <IconButton icon={StopIcon} label={t("call.stopScreen")} tooltipSide="top" onClick={stopScreens} />
        )}
        {!state.isAudioEnabled && state.remote.some(isSound) && (
          <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
            {t("call.listen")}
          </Button>
        )}
        {!state.isVideoEnabled && !state.remote.every(isSound) && <StageLink words={t("call.watch")} />}
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

/** What others share, before one agreed to hear or see it: nothing of it is played. */
function Offered({ call }: { readonly call: Call }) {
  const t = useT();
  const state = useStore(call.store);
  const words = useWords(state);
  const nameOf = useFirstNameOf();
  const [source] = state.remote;
  if (source === undefined) return null;
  const screen = state.remote.findLast(({ kind }) => kind === "screen");
  const hasPictures = !state.remote.every(isSound);
  return (
    <div className="flex flex-col gap-2.5 px-3 pb-3">
      <div className="flex items-center gap-3">
        <PersonAvatar id={source.from} />
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
        {state.remote.some(isSound) && (
          <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
            {t("call.listen")}
          </Button>
        )}
        <StageLink words={t(hasPictures ? "call.watch" : "call.open")} />
      </div>
    </div>
  );
}

function StageLink({ words }: { readonly words: string }) {
  return (
    <Link
      to={paths.call.href}
      draggable={false}
      className="inline-flex h-7 items-center rounded-control bg-accent px-2.5 font-medium text-compact text-on-accent hover:bg-accent-hover touch:h-11"
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

function isSound({ kind }: RemoteSource): boolean {
  return kind === "microphone" || kind === "screen-sound";
}

/** The tile of who spoke last, which stays while nobody speaks. */
function useShownItem(state: CallState): StageItem | null {
  // Nothing is seen before one agreed to.
  const { isVideoEnabled, remote } = state;
  const items = stageItems(isVideoEnabled ? state : { ...state, remote: remote.filter(isSound) });
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
