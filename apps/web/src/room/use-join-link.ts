import { defaultOptions, type Profile, type Servers } from "@warren/core";
import { useDevice } from "../ui/device-context.tsx";
import { useOptions, useProfile, useWarren } from "../ui/warren-context.tsx";
import { buildJoinLink } from "./join-link.ts";
import { useSharedTurns } from "./use-shared-turns.ts";

/** The room part of a link. */
type LinkedRoom = Pick<Profile, "roomId" | "password">;

/**
 * Writes links to rooms. While sharing servers is on, STUN servers of mine go along, and TURN servers with a secret as sign-ins
 * of an hour. A link names me by my id, so that whoever opens it knows me without comparing a safety code.
 * @param withTurn whether links carry the lasting sign-in of my TURN servers; only after I said so.
 */
export function useLinkTo(withTurn = false): (room: LinkedRoom) => string {
  const { home } = useDevice();
  const { isVerifiable } = useWarren();
  const { clientId } = useProfile();
  const { servers, shareServersWithOthers } = useOptions();
  const { turns } = useSharedTurns();
  const lasting = useShareableTurns();
  const shared: Servers = {
    // The recipient has the default servers anyway.
    stuns: shareServersWithOthers
      ? servers.stuns.filter((stun) => !defaultOptions.servers.stuns.includes(stun))
      : [],
    turns: [...(withTurn ? lasting : []), ...turns],
  };
  return ({ roomId, password }) =>
    buildJoinLink(home, { roomId, password, servers: shared, by: isVerifiable ? clientId : null });
}

interface JoinLinkChoice {
  /** Whether the link carries the room's password. */
  readonly withPassword?: boolean;
  /** See {@link useLinkTo}. */
  readonly withTurn?: boolean;
}

/** The link to my room. */
export function useJoinLink({ withPassword = true, withTurn = false }: JoinLinkChoice = {}): string {
  const { roomId, password } = useProfile();
  return useLinkTo(withTurn)({ roomId, password: withPassword ? password : null });
}

/** My TURN servers that a link could include as they are: those without a master secret. */
export function useShareableTurns(): Servers["turns"] {
  const { servers, shareServersWithOthers } = useOptions();
  return shareServersWithOthers ? servers.turns.filter(({ authMethod }) => authMethod === "longterm") : [];
}
