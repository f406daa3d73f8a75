import { isStarter } from "@warren/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalPage } from "../../room/arrival/arrival-card.tsx";
import { ElsewherePage } from "../../room/arrival/elsewhere-page.tsx";
import { StartPage } from "../../room/arrival/start-page.tsx";
import { OpenLinkContext } from "../../room/join/open-link.ts";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { isHome } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { AppBackground } from "../shell/app-background.tsx";
import { Banners } from "../shell/banners.tsx";
import type { Startup } from "../startup/use-startup.ts";
import { useGatePage } from "./use-gate-page.ts";

interface ArrivalGateProps {
  readonly startup: Startup;
  readonly children: ReactNode;
}

/** Shows the start or arrival page until the user is in a room or has local history to look at. */
export function ArrivalGate({ startup, children }: ArrivalGateProps) {
  const { chat } = useWarren();
  const status = useRoomStatus();
  const [pathname] = useLocation();
  const { page, openLink, accept, decline } = useGatePage(startup);
  const elsewhere = useElsewhere();
  const hasPast = useStore(chat.store, ({ contacts, conversations }) =>
    [contacts, conversations].some((entries) => Object.keys(entries).some((id) => !isStarter(id))),
  );
  const invite = page.kind === "ask" ? page.invite : null;
  const arrived = status === "connected" || (page.kind === "room" && hasPast);
  if (arrived || !isHome(pathname)) return <OpenLinkContext value={openLink}>{children}</OpenLinkContext>;
  if (elsewhere !== null && invite === null) return <ElsewherePage roomId={elsewhere} />;
  return (
    <OpenLinkContext value={openLink}>
      <div className="flex h-full flex-col">
        <Banners {...(invite !== null && { invitedTo: invite.roomId })} />
        {status === "nearby" && <AppBackground />}
        <div className="min-h-0 flex-1 overflow-y-auto">
          {page.kind === "start" ? (
            <StartPage>
              <NearbySection />
            </StartPage>
          ) : (
            <ArrivalPage invite={invite} onAccept={accept} onDecline={decline}>
              {invite === null && <NearbySection />}
            </ArrivalPage>
          )}
        </div>
      </div>
    </OpenLinkContext>
  );
}
