import { everyone, type IncomingRing } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { attentionOf } from "../people/attention.ts";
import { ClientAvatar } from "../people/client-avatar.tsx";
import { hasRouteLine, ShortRouteLine } from "../people/route-line.tsx";
import { usePerson } from "../people/use-person.ts";
import { useTab } from "../tab/tab-context.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useHeightProperty } from "../ui/hooks/use-height-property.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CameraIcon, HangUpIcon, PhoneIcon, SoundOffIcon } from "../ui/icons.ts";
import { OverDialogs, useIsDialogOpen } from "../ui/overlays/over-dialogs.tsx";
import { announcer } from "../wiring/announcer.ts";
import { paths } from "../wiring/paths.ts";
import { toast } from "../wiring/toast.tsx";
import { useOption, useStore, useWarren } from "../wiring/warren-context.tsx";
import { isSeenOrSeeing } from "./is-seen.ts";
import { useCalling } from "./use-calling.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";
import { useRingSound } from "./use-ring-sound.ts";

const gapPx = 8;

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
  const isLogFull = useStore(useTab().logEndPx, (end) => end === null);
  const isFootTaken = useIsDialogOpen() || isLogFull;
  useHeightProperty(box, isPhone || isOnStage ? undefined : "--list-ring", gapPx);
  return (
    <div
      ref={box}
      className={cx(
        "pointer-events-none fixed z-50 flex flex-col gap-2 max-md:inset-x-3 md:left-[76px] md:w-[216px] lg:w-[276px]",
        isOnStage ? "md:top-16" : "md:bottom-[calc(12px+var(--list-tile,0px))]",
        isFootTaken
          ? "max-md:top-[calc(64px+env(safe-area-inset-top))]"
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
  const title = t(words, { name: firstName });
  useEffect(() => announceRing(id, title), [id, title]);
  return (
    <Card
      avatar={<ClientAvatar clientId={from} name={name} avatar={avatar} size={40} />}
      title={title}
      lines={
        <>
          {hasRouteLine(person) && <ShortRouteLine person={person} className="text-text-2" />}
          {joinMuted && <p className="text-meta text-text-2">{t("call.ring.muted")}</p>}
        </>
      }
      corner={
        onSilence && <IconButton icon={SoundOffIcon} label={t("call.ring.silence")} onClick={onSilence} />
      }
    >
      {video && (
        <Button
          icon={withCamera ? PhoneIcon : CameraIcon}
          className="max-md:col-span-2 md:basis-full"
          onClick={() => void join(from, !withCamera)}
        >
          {t(withCamera ? "call.ring.joinVoice" : "call.ring.joinVideo")}
        </Button>
      )}
      <Button variant="danger-text" icon={HangUpIcon} onClick={() => ringing.decline(from)}>
        {t("call.ring.decline")}
      </Button>
      <Button
        variant="primary"
        icon={withCamera ? CameraIcon : PhoneIcon}
        onClick={() => void join(from, withCamera)}
      >
        {t("call.ring.join")}
      </Button>
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
      <div className="mt-2.5 flex flex-wrap gap-2 max-md:grid max-md:grid-cols-2 md:*:flex-1">{children}</div>
    </section>
  );
}

/** Says who declined, did not answer, called in vain or left; a call that nobody joined ends. */
function useRingToasts(): void {
  const t = useT();
  const roomCall = useWarren().call;
  const nameOf = useFirstNameOf();
  const { call: callPerson } = useCalling();
  const leaveAlone = (): void => {
    const call = roomCall.store.getState();
    const { outgoing, partner } = roomCall.ringing.store.getState();
    if (outgoing !== null || partner !== null) return;
    const isPrivate = call?.store.getState().audience !== null;
    if (call === null || isPrivate || !isSeenOrSeeing(call)) roomCall.leave();
  };
  const onAnswer = useEffectEvent((from: ClientId, answer: "join" | "decline" | "none"): void => {
    const name = nameOf(from);
    if (answer === "decline") toast.info(t("call.ring.declined", { name }), { id: `ring/${from}` });
    if (answer === "none") toast.info(t("call.ring.unanswered", { name }), { id: `ring/${from}` });
    if (answer !== "join") leaveAlone();
  });
  const onMissed = useEffectEvent(({ from, video, toRoom }: IncomingRing): void => {
    const action = { label: t("call.ring.callBack"), onClick: () => void callPerson(from, video) };
    toast.info(t("call.ring.missed", { name: nameOf(from) }), {
      id: `ring/${from}`,
      ...(!toRoom && { action }),
    });
  });
  const onHungUp = useEffectEvent((partner: ClientId): void => {
    roomCall.leave();
    toast.info(t("call.ring.hungUp", { name: nameOf(partner) }), { id: `ring/${partner}` });
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
