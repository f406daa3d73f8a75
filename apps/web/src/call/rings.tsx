import { type ConversationId, everyone, type IncomingRing, isWithOthers } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { attentionOf } from "../people/attention.ts";
import { PersonAvatar } from "../people/person-avatar.tsx";
import { BriefRouteLine } from "../people/route-line.tsx";
import { useFirstNameOf, usePerson } from "../people/use-person.ts";
import { useTab } from "../tab/tab-context.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useHeightProperty } from "../ui/hooks/use-height-property.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CameraIcon, PhoneIcon, SoundOffIcon } from "../ui/icons.ts";
import { OverDialogs, useIsDialogOpen } from "../ui/overlays/over-dialogs.tsx";
import { announcer } from "../wiring/announcer.ts";
import { paths } from "../wiring/paths.ts";
import { type ToastButton, toast } from "../wiring/toast.ts";
import { useOption, useStore, useWarren } from "../wiring/warren-context.ts";
import { useCalling } from "./use-calling.ts";
import { useRingSound } from "./use-ring-sound.ts";

const gapPx = 8;

const announceOver = announcer.kind<string>((sentences) => sentences.join(" "));

/** Tells also over a dialog, which hides the card from screen readers. */
const announceRing = announcer.kind<string>((sentences) => sentences.join(" "), "urgent");

/** Who calls, and what became of the calls: over every page. */
export function Rings() {
  const { call, chat } = useWarren();
  const incoming = useStore(call.ringing.store, (state) => state.incoming);
  const rooms = useStore(chat.rooms);
  const known = useStore(
    chat.store,
    useShallow(({ contacts, room }) => ({ contacts, room })),
  );
  const [silenced, setSilenced] = useState<ReadonlySet<string>>(new Set());
  const isHeard = ({ id, from, toRoom }: IncomingRing): boolean => {
    const { isMuted, isAccepted } = attentionOf(known, rooms, toRoom ? everyone : from, from);
    return isAccepted && !isMuted && !silenced.has(id);
  };
  useRingSound(incoming.some(isHeard));
  useRingToasts();
  if (incoming.length === 0) return null;
  return (
    <OverDialogs>
      <Cards>
        {incoming.map((ring) => (
          <Incoming
            key={ring.id}
            ring={ring}
            onSilence={silenced.has(ring.id) ? null : () => setSilenced(new Set([...silenced, ring.id]))}
          />
        ))}
      </Cards>
    </OverDialogs>
  );
}

/**
 * Where a card covers neither the head of a conversation nor its newest message: over the list of people; on a phone at the
 * foot, or over the oldest messages if the newest are there.
 */
function Cards({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const isPhone = useBreakpoint() === "phone";
  const isOnStage = useLocation()[0] === paths.call.path;
  const isLogOpen = useStore(useTab().openLog.isOpen);
  const isFootTaken = useIsDialogOpen() || isLogOpen;
  useHeightProperty(box, isPhone || isOnStage ? undefined : "--list-ring", gapPx);
  return (
    <div
      ref={box}
      className={cx(
        "pointer-events-none fixed z-over-dialogs flex flex-col gap-2 max-md:inset-x-3 md:left-[76px] md:w-[216px] lg:w-[276px]",
        isOnStage ? "md:top-16" : "md:bottom-[calc(12px+var(--list-tile,0px))]",
        isFootTaken
          ? "max-md:top-[calc(64px+env(safe-area-inset-top)+var(--toast-tile,0px))]"
          : "max-md:bottom-[calc(12px+max(env(safe-area-inset-bottom),var(--toast-inset,0px)))]",
      )}
    >
      {children}
    </div>
  );
}

interface IncomingProps {
  readonly ring: IncomingRing;
  /** Null once it is silent. */
  readonly onSilence: (() => void) | null;
}

function Incoming({ ring: { id, from, video, toRoom }, onSilence }: IncomingProps) {
  const t = useT();
  const { ringing } = useWarren().call;
  const { join } = useCalling();
  const joinMuted = useOption("joinMuted");
  const joinWithCamera = useOption("joinWithCamera");
  const withCamera = video && joinWithCamera;
  const person = usePerson(from);
  const { name, firstName, avatar } = person;
  const words = toRoom ? "call.ring.everyone" : video ? "call.ring.video" : "call.ring.voice";
  const announced = t(words, { name: firstName });
  useEffect(() => announceRing(id, announced), [id, announced]);
  return (
    <Card
      avatar={<PersonAvatar id={from} name={name} avatar={avatar} size={40} />}
      title={t(toRoom ? "call.ring.everyone" : "call.ring.voice", { name: firstName })}
      lines={
        <>
          <p className="flex flex-wrap gap-x-1.5 text-meta text-text-2">
            {t(video ? "call.ring.startVideo" : "call.ring.startVoice")}
            <BriefRouteLine person={person} className="before:content-['·_']" />
          </p>
          {joinMuted && <p className="text-meta text-text-2">{t("call.ring.muted")}</p>}
        </>
      }
      corner={
        onSilence && <IconButton icon={SoundOffIcon} label={t("call.ring.silence")} onClick={onSilence} />
      }
    >
      <Button
        variant="primary"
        icon={withCamera ? CameraIcon : PhoneIcon}
        className="flex-1"
        onClick={() => void join(from, { video: withCamera })}
      >
        {t("call.ring.join")}
      </Button>
      <Button variant="danger-text" className="flex-1" onClick={() => ringing.decline(from)}>
        {t("call.ring.decline")}
      </Button>
      {video && (
        <Button
          variant="ghost"
          className="basis-full"
          onClick={() => void join(from, { video: !withCamera })}
        >
          {t(withCamera ? "call.ring.joinVoice" : "call.ring.joinVideo")}
        </Button>
      )}
    </Card>
  );
}

interface CardProps {
  readonly avatar: ReactNode;
  readonly title: string;
  /** Below the title. */
  readonly lines: ReactNode;
  readonly corner: ReactNode;
  readonly children: ReactNode;
}

function Card({ avatar, title, lines, corner, children }: CardProps) {
  const titleId = useId();
  return (
    <section
      role="alertdialog"
      aria-labelledby={titleId}
      className="pointer-events-auto rounded-bubble border border-line bg-raised p-3 shadow-menu"
    >
      <div className="flex min-h-10 items-center gap-3">
        {avatar}
        <div className="min-w-0 flex-1">
          <p id={titleId} className="text-body font-medium">
            {title}
          </p>
          {lines}
        </div>
        {corner}
      </div>
      <div className="mt-3 flex flex-wrap gap-x-2 gap-y-1">{children}</div>
    </section>
  );
}

/**
 * Says who declined, did not answer, called in vain or left, with a toast unless the conversation that is on the screen gets a line
 * of it; a call that nobody joined ends, and with it its page.
 */
function useRingToasts(): void {
  const t = useT();
  const [pathname, navigate] = useLocation();
  const { call: roomCall, chat } = useWarren();
  const nameOf = useFirstNameOf();
  const { call: callPerson } = useCalling();
  const leave = (other: ClientId): void => {
    roomCall.leave();
    if (pathname === paths.call.path) navigate(paths.chat.href(other));
  };
  const leaveAlone = (from: ClientId): void => {
    const call = roomCall.store.getState();
    const { outgoing, partner } = roomCall.ringing.store.getState();
    if (outgoing !== null || partner !== null) return;
    const isPrivate = call?.store.getState().audience !== null;
    if (isPrivate) leave(from);
    else if (!isWithOthers(call.store.getState())) roomCall.leave();
  };
  /** @param conversation null if none gets a line of it */
  const say = (
    from: ClientId,
    words: string,
    conversation: ConversationId | null,
    action?: ToastButton,
  ): void => {
    const id = `ring/${from}`;
    if (conversation !== null && chat.store.getState().open === conversation) announceOver(id, words);
    else toast.info(words, { id, ...(action && { action }) });
  };
  const onAnswer = useEffectEvent((from: ClientId, answer: "join" | "decline" | "none"): void => {
    if (answer === "join") return;
    // Of a call to everyone a line follows only if nobody joins.
    const isOfRoom = (roomCall.store.getState()?.store.getState().audience ?? null) === null;
    const words = answer === "decline" ? "call.ring.declined" : "call.ring.unanswered";
    say(from, t(words, { name: nameOf(from) }), isOfRoom ? null : from);
    leaveAlone(from);
  });
  const onMissed = useEffectEvent(({ from, video, toRoom }: IncomingRing): void => {
    const action = { label: t("call.ring.callBack"), onClick: () => void callPerson(from, { video }) };
    const words = t("call.ring.missed", { name: nameOf(from) });
    say(from, words, toRoom ? everyone : from, toRoom ? undefined : action);
  });
  const onHungUp = useEffectEvent((partner: ClientId): void => {
    const words = t("call.ring.hungUp", { name: nameOf(partner) });
    // The stage gives way to the conversation.
    if (pathname === paths.call.path) announceOver(`ring/${partner}`, words);
    else say(partner, words, partner);
    leave(partner);
  });
  const { ringing } = roomCall;
  useEffect(() => {
    const stop = [
      ringing.on("answered", (from, answer) => onAnswer(from, answer)),
      ringing.on("missed", (ring) => onMissed(ring)),
      ringing.on("hung-up", (partner) => onHungUp(partner)),
    ];
    return () => {
      for (const end of stop) end();
    };
  }, [ringing]);
}
