import { isStarter } from "@warren/core";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { serverHosts } from "../../components/join-link.ts";
import { useRoom, useStore, useWarren } from "../../components/warren-context.tsx";
import { ArrivalPage } from "../../features/room/arrival-page.tsx";
import { paths } from "../paths.ts";
import { Banners } from "../shell/banners.tsx";
import { useFirstRun } from "../startup/use-first-run.ts";
import type { Startup } from "../startup/use-startup.ts";

interface ArrivalGateProps {
  readonly startup: Startup;
  readonly children: ReactNode;
}

/** Holds a person at the arrival page until they are in a room, or have a past here to look at. */
export function ArrivalGate({ startup, children }: ArrivalGateProps) {
  const { plan, roomServers } = startup;
  const { profile, chat } = useWarren();
  const room = useRoom();
  const [pathname] = useLocation();
  useFirstRun(startup, pathname);
  const [asking, setAsking] = useState(plan.next === "ask");
  const hasPast = useStore(chat.store, ({ contacts, conversations }) =>
    [contacts, conversations].some((entries) => Object.keys(entries).some((id) => !isStarter(id))),
  );
  if (asking && room.status === "connected") setAsking(false);

  const arrived = room.status === "connected" || (!asking && hasPast);
  if (arrived || pathname !== paths.home) return children;
  const newServers = asking ? plan.newServers : null;
  return (
    <div className="flex h-full flex-col">
      <Banners />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ArrivalPage
          choosesRoom={asking && plan.choosesRoom}
          passwordFromLink={plan.passwordFromLink}
          linkServerHosts={newServers ? serverHosts(newServers) : []}
          onJoin={(useLinkServers) => {
            if (newServers && useLinkServers) roomServers.allow(profile.get().roomId, newServers);
          }}
        />
      </div>
    </div>
  );
}
