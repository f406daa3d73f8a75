import type { ReactNode } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { CameraIcon, ChatIcon, type Icon, MutedIcon, PhoneIcon } from "../../ui/icons.ts";
import { useIsNearby, useWarren } from "../../wiring/warren-context.ts";
import type { Person } from "../use-person.ts";

/** What one does with a person, outside of the dialog about them. */
export type ContactAction = "message" | "voice" | "video";

interface ContactActionsProps {
  readonly person: Person;
  readonly onChoose: (action: ContactAction) => void;
}

/** To write to a person, to call them and to mute them: the row below a name that people know from their phone. */
export function ContactActions({ person, onChoose }: ContactActionsProps) {
  const t = useT();
  const { chat } = useWarren();
  const isNearby = useIsNearby();
  const { id, firstName: name, contact, isHere } = person;
  const absence = isHere ? undefined : t("call.ring.away", { name });
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2">
      <Tile icon={ChatIcon} onClick={() => onChoose("message")}>
        {t("personInfo.message")}
      </Tile>
      {!isNearby && (
        <>
          <Tile
            icon={PhoneIcon}
            aria-label={t("call.ring.startVoice")}
            disabledReason={absence}
            onClick={() => onChoose("voice")}
          >
            {t("personInfo.voice")}
          </Tile>
          <Tile
            icon={CameraIcon}
            aria-label={t("call.ring.startVideo")}
            disabledReason={absence}
            onClick={() => onChoose("video")}
          >
            {t("personInfo.video")}
          </Tile>
        </>
      )}
      {contact !== null && (
        <Tile
          icon={MutedIcon}
          aria-label={t("personInfo.mute", { name })}
          aria-pressed={contact.muted}
          onClick={() => chat.setMuted(id, !contact.muted)}
        >
          {t("conversation.mute")}
        </Tile>
      )}
    </div>
  );
}

interface TileProps extends Omit<ButtonProps, "icon"> {
  readonly icon: Icon;
  readonly children: ReactNode;
}

/** A button with its word below the icon. */
function Tile({ icon: Glyph, children, ...props }: TileProps) {
  return (
    <Button
      size="sm"
      className="h-14! w-full flex-col gap-1! rounded-row! px-1! text-meta! aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
      {...props}
    >
      <Glyph size={18} />
      <span className="max-w-full truncate">{children}</span>
    </Button>
  );
}
