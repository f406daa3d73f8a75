import type { ClientId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CameraIcon, PhoneIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { useIsNearby, useStore, useWarren } from "../wiring/warren-context.ts";
import { useCalling } from "./use-calling.ts";

interface CallButtonsProps {
  /** Whom they call; null for everyone in the room. */
  readonly id: ClientId | null;
  readonly firstName: string;
  readonly isHere: boolean;
}

/** Calls by voice or with video, each in one press; opens the call that one is in with them. */
export function CallButtons({ id, firstName, isHere }: CallButtonsProps) {
  const t = useT();
  const isNearby = useIsNearby();
  const { ringing } = useWarren().call;
  const { call, callEveryone } = useCalling();
  const isBusy = useStore(ringing.store, ({ outgoing, partner }) =>
    id === null ? outgoing?.toRoom === true : partner === id || outgoing?.waiting.includes(id) === true,
  );
  const [pathname, navigate] = useLocation();
  const isOnStage = pathname === paths.call.path;
  const last = useRef<HTMLButtonElement>(null);
  const hasStarted = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone.
    if (isBusy && hasStarted.current && document.activeElement === document.body) last.current?.focus();
    hasStarted.current = false;
  }, [isBusy]);
  const reason = isHere
    ? undefined
    : t(id === null ? "call.ring.nobodyHere" : "call.ring.away", { name: firstName });
  const start = (video: boolean): void => {
    hasStarted.current = true;
    void (id === null ? callEveryone(video) : call(id, video));
  };
  if (isNearby || (isBusy && isOnStage)) return null;
  return (
    <>
      {!isBusy && (
        <IconButton
          icon={PhoneIcon}
          label={t("call.ring.startVoice")}
          disabledReason={reason}
          onClick={() => start(false)}
        />
      )}
      <IconButton
        ref={last}
        icon={isBusy ? PhoneIcon : CameraIcon}
        label={t(isBusy ? "call.open" : "call.ring.startVideo")}
        tone={isBusy ? "primary" : "plain"}
        disabledReason={isBusy ? undefined : reason}
        onClick={() => (isBusy ? navigate(paths.call.href) : start(true))}
      />
    </>
  );
}
