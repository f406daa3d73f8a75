import { useId, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Switch } from "../../ui/fields/switch.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useProfile } from "../../wiring/warren-context.ts";
import { QrCode } from "./qr-code.tsx";
import { RoomLink, ShareTurnChoice } from "./room-link.tsx";
import { useJoinLink } from "./use-join-link.ts";

/** The link to the room as a QR code and as text, with or without its password. */
export default function ShareRoomDialog({ dialog }: DialogSlot<never>) {
  const t = useT();
  const withoutPasswordId = useId();
  const profile = useProfile();
  const [withPassword, setWithPassword] = useState(true);
  const [withTurn, setWithTurn] = useState(false);
  const link = useJoinLink({ withPassword, withTurn });
  const locked = profile.password !== null;
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      size="sm"
      title={t("share.title")}
      description={t("share.line")}
      closable
    >
      <QrCode text={link} className="mx-auto mt-4" />
      <RoomLink link={link} className="mt-5" />
      <ShareTurnChoice checked={withTurn} onChange={setWithTurn} />
      {locked && (
        <label
          htmlFor={withoutPasswordId}
          className="mt-4 flex cursor-pointer items-start justify-between gap-4 border-t border-line pt-4"
        >
          <span>
            <span className="block text-body">{t("share.withoutPassword")}</span>
            <span className="block text-meta text-text-3">{t("share.withoutPasswordHint")}</span>
          </span>
          <Switch
            id={withoutPasswordId}
            checked={!withPassword}
            onChange={(without) => setWithPassword(!without)}
          />
        </label>
      )}
    </Dialog>
  );
}
