import { useT } from "../../i18n/use-t.ts";
import { Button, GuardedButton } from "../../ui/button.tsx";
import { CameraIcon, ChatIcon, MutedIcon, PhoneIcon } from "../../ui/icons.ts";
import { useIsNearby, useWarren } from "../../wiring/warren-context.ts";
import type { Person } from "../use-person.ts";

/** What one does with a person, outside of the dialog about them. */
export type ContactAction = "message" | "voice" | "video";

interface ContactActionsProps {
  readonly person: Person;
  readonly onChoose: (action: ContactAction) => void;
}

const tile = { size: "tile", className: "w-full" } as const;

/** To write to a person, to call them and to mute them: the row below a name that people know from their phone. */
export function ContactActions({ person, onChoose }: ContactActionsProps) {
  const t = useT();
  const { chat } = useWarren();
  const isNearby = useIsNearby();
  const { id, firstName: name, contact, isHere } = person;
  const absence = isHere ? undefined : t("call.ring.away", { name });
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2">
      <Button {...tile} icon={ChatIcon} onClick={() => onChoose("message")}>
        {t("personInfo.message")}
      </Button>
      {!isNearby && (
        <>
          <GuardedButton
            {...tile}
            icon={PhoneIcon}
            aria-label={t("call.ring.startVoice")}
            disabledReason={absence}
            onClick={() => onChoose("voice")}
          >
            {t("personInfo.voice")}
          </GuardedButton>
          <GuardedButton
            {...tile}
            icon={CameraIcon}
            aria-label={t("call.ring.startVideo")}
            disabledReason={absence}
            onClick={() => onChoose("video")}
          >
            {t("personInfo.video")}
          </GuardedButton>
        </>
      )}
      {contact !== null && (
        <Button
          {...tile}
          icon={MutedIcon}
          aria-label={t("personInfo.mute", { name })}
          aria-pressed={contact.muted}
          onClick={() => chat.setMuted(id, !contact.muted)}
        >
          {t("conversation.mute")}
        </Button>
      )}
    </div>
  );
}
