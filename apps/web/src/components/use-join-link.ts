import type { Servers } from "@warren/core";
import { useDevice } from "./device-context.tsx";
import { buildJoinLink } from "./join-link.ts";
import { useSharedTurns } from "./use-shared-turns.ts";
import { useOptions, useProfile, useWarren } from "./warren-context.tsx";

interface JoinLinkChoice {
  /** Whether the link carries the room's password. */
  readonly withPassword?: boolean;
  /** Whether it carries the lasting sign-in of my TURN servers; only after I said so. */
  readonly withTurn?: boolean;
}

/**
 * The link to my room. While sharing servers is on, STUN servers go along, and TURN servers with a secret as sign-ins
 * of an hour. It names me by my id, so that whoever opens it knows me without comparing a safety code.
 */
export function useJoinLink({ withPassword = true, withTurn = false }: JoinLinkChoice = {}): string {
  const { origin } = useDevice();
  const { isVerifiable } = useWarren();
  const { roomId, password, clientId } = useProfile();
  const { servers, shareServersWithOthers } = useOptions();
  const { turns } = useSharedTurns();
  const lasting = useShareableTurns();
  const shared: Servers = {
    stuns: shareServersWithOthers ? servers.stuns : [],
    turns: [...(withTurn ? lasting : []), ...turns],
  };
  return buildJoinLink(origin, {
    roomId,
    password: withPassword ? password : null,
    servers: shared,
    by: isVerifiable ? clientId : null,
  });
}

/** My TURN servers that a link could carry as they are: those whose sign-in is no master secret. */
export function useShareableTurns(): Servers["turns"] {
  const { servers, shareServersWithOthers } = useOptions();
  return shareServersWithOthers ? servers.turns.filter(({ authMethod }) => authMethod === "longterm") : [];
}
