import { everyone, type IncomingRing } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { attentionOf } from "../people/attention.ts";
import { ClientAvatar } from "../people/client-avatar.tsx";
import { hasRouteLine, RouteLine } from "../people/route-line.tsx";
import { usePerson } from "../people/use-person.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { CameraIcon, HangUpIcon, PhoneIcon, SoundOffIcon } from "../ui/icons.ts";
import { OverDialogs } from "../ui/overlays/over-dialogs.tsx";
import { announcer } from "../wiring/announcer.ts";
import { toast } from "../wiring/toast.tsx";
import { useOption, useStore, useWarren } from "../wiring/warren-context.tsx";
import { isSeenOrSeeing } from "./is-seen.ts";
import { useCalling } from "./use-calling.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";
import { useRingSound } from "./use-ring-sound.ts";

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
      <div className="pointer-events-none fixed inset-x-3 top-[max(12px,env(safe-area-inset-top))] z-50 mx-auto flex max-w-104 flex-col gap-2">
        {incoming.map((ring) => (
          <Incoming
            key={ring.id}
            ring={ring}
            onSilence={silenced.has(ring.id) ? null : () => setSilenced(new Set([...silenced, ring.id]))}
          />
        ))}
      </div>
    </OverDialogs>
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
          {hasRouteLine(person) && <RouteLine person={person} className="text-text-2" />}
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
          className="max-md:col-span-2"
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
      <div className="mt-2.5 flex flex-wrap justify-end gap-2 max-md:grid max-md:grid-cols-2">{children}</div>
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
