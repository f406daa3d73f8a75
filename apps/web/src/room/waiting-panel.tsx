import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { OwnAvatar } from "../people/client-avatar.tsx";
import { Passage } from "../ui/passage.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { StatusDot } from "../ui/status-dot.tsx";
import { useProfile, useRoom } from "../ui/warren-context.tsx";
import { QrCode } from "./qr-code.tsx";
import { RoomLink, ShareTurnChoice } from "./room-link.tsx";
import { useJoinLink } from "./use-join-link.ts";

/** Shown while alone in a room: the link, in every form that can be shared. */
export function WaitingPanel() {
  const t = useT();
  const profile = useProfile();
  const room = useRoom();
  const [withTurn, setWithTurn] = useState(false);
  const link = useJoinLink({ withTurn });
  const connected = room.status === "connected" && room.signalling === "online";
  return (
    <div className="flex min-h-0 min-w-0 flex-1 overflow-y-auto px-5 py-6 md:py-8">
      <section className="on-picture mx-auto w-full min-w-0 max-w-[600px] @container [--picture-inset:20px] md:my-auto">
        <Passage from={<OwnAvatar size={44} />} opening={44} className="mb-7 max-md:hidden" />
        <h1 className="text-title-lg">{t("waiting.title")}</h1>
        <p className="mt-1.5 text-body-lg text-text-2">{t("waiting.line")}</p>
        <div className="mt-6 flex items-center gap-8 @max-[560px]:flex-col @max-[560px]:gap-5">
          <QrCode
            text={link}
            logo={{ id: profile.clientId, name: profile.name, src: profile.avatar }}
            className="shrink-0"
          />
          <div className="w-full min-w-0 flex-1">
            <RoomLink link={link} />
            <ShareTurnChoice checked={withTurn} onChange={setWithTurn} />
            <p className="mt-3 text-meta text-text-3">
              {profile.password === null ? t("waiting.anyone") : t("waiting.anyonePassword")}
            </p>
          </div>
        </div>
        <p
          role="status"
          className="mt-8 flex items-center gap-2.5 border-t border-line pt-5 text-compact text-text-2"
        >
          {connected ? <StatusDot status="online" /> : <Spinner className="text-accent" />}
          {connected ? t("waiting.connected") : t("waiting.connecting")}
        </p>
      </section>
    </div>
  );
}
