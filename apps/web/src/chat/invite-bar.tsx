import { useT } from "../i18n/use-t.ts";
import { QrCode } from "../room/qr-code.tsx";
import { RoomLink } from "../room/room-link.tsx";
import { useJoinLink } from "../room/use-join-link.ts";

/** Replaces the composer while the room is empty: the room's link and QR code. */
export function InviteBar() {
  const t = useT();
  const link = useJoinLink({ withTurn: false });
  return (
    <section aria-label={t("waiting.roomLink")} className="shrink-0 bg-surface">
      <div className="mx-auto flex max-w-[792px] items-center gap-5 px-4 py-4 pb-[max(16px,env(safe-area-inset-bottom))] max-md:flex-col max-md:gap-3">
        <div className="w-48 shrink-0">
          <QrCode text={link} />
        </div>
        <div className="w-full min-w-0 flex-1">
          <p role="status" className="mb-3 text-body text-text-2">
            {t("invite.line")}
          </p>
          <RoomLink link={link} />
        </div>
      </div>
    </section>
  );
}
