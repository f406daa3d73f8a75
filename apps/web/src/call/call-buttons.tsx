import type { ClientId } from "@warren/protocol";
import { useT } from "../i18n/use-t.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CameraIcon, PhoneIcon } from "../ui/icons.ts";
import { useIsNearby, useStore, useWarren } from "../wiring/warren-context.ts";
import { useCalling } from "./use-calling.ts";

interface CallButtonsProps {
  /** Whom they call; null for everyone in the room. */
  readonly id: ClientId | null;
  readonly firstName: string;
  readonly isHere: boolean;
}

/** Calls by voice or with video, each in one press; nothing while one is in a call with them. */
export function CallButtons({ id, firstName, isHere }: CallButtonsProps) {
  const t = useT();
  const isNearby = useIsNearby();
  const { ringing } = useWarren().call;
  const { call, callEveryone } = useCalling();
  const isBusy = useStore(ringing.store, ({ outgoing, partner }) =>
    id === null ? outgoing?.toRoom === true : partner === id || outgoing?.waiting.includes(id) === true,
  );
  const reason = isHere
    ? undefined
    : t(id === null ? "call.ring.nobodyHere" : "call.ring.away", { name: firstName });
  const start = (video: boolean) => void (id === null ? callEveryone({ video }) : call(id, { video }));
  // The call itself leads to its page.
  if (isNearby || isBusy) return null;
  return (
    <>
      <IconButton
        icon={PhoneIcon}
        label={t("call.ring.startVoice")}
        disabledReason={reason}
        onClick={() => start(false)}
      />
      <IconButton
        icon={CameraIcon}
        label={t("call.ring.startVideo")}
        disabledReason={reason}
        onClick={() => start(true)}
      />
    </>
  );
}
